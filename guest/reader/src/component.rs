//! The component: implements the WIT interfaces with the reader. Only this module and
//! `world/wasi` use the generated bindings.

#![allow(
    unsafe_code,
    reason = "the generated exports pass pointers across the boundary"
)]

mod details;
mod skills;

use crate::bindings::exports::omniread::read::types as wit;
use crate::bindings::exports::omniread::read::{read, tools};
use crate::bindings::exports::wasi::cli::run;
use crate::bindings::wasi::cli::{environment, stderr, stdout};
use crate::bindings::wasi::io::streams::OutputStream;
use crate::dialects::{Block, CallInput, Dialect, MediaBlock, RenderedFailure, Reply};
use crate::failure::{Failure, NetworkError, Reason, SpecialFile, Unreachable};
use crate::request::CallForm;
use crate::world::Time;
use crate::world::wasi::WasiWorld;
use details::details;
use omniread_options::{GitHubOptions, ImageOptions, Options};

crate::bindings::export!(Component with_types_in crate::bindings);

struct Component;

impl read::Guest for Component {
    fn read(path: String) -> Result<wit::Reply, wit::Failure> {
        let mut world = WasiWorld::preopened();
        let (dialect, options) = configured(&world)?;
        outcome(dialect.read(&path, &options, &mut world))
    }

    fn read_as(
        path: String,
        dialect: wit::Dialect,
        options: wit::Options,
    ) -> Result<wit::Reply, wit::Failure> {
        let dialect = Dialect::from(dialect);
        let options = checked(options, dialect)?;
        outcome(dialect.read(&path, &options, &mut WasiWorld::preopened()))
    }

    fn current(path: String, content: bool) -> Result<wit::State, wit::Failure> {
        match crate::current(&path, content, &mut WasiWorld::preopened()) {
            Ok(state) => Ok(wit::State {
                resolved_path: state.resolved,
                stamp: state.stamp.map(|stamp| wit::Stamp {
                    size: stamp.size,
                    modified: stamp.modified.map(Time::millis),
                    sha256: stamp.sha256,
                    tag: stamp.tag,
                }),
            }),
            Err(failure) => Err(refused(Dialect::Omp.render_failure(failure, &path))),
        }
    }

    fn defaults() -> Result<wit::Options, wit::Failure> {
        configured(&WasiWorld::preopened()).map(|(_, options)| options.into())
    }
}

/// The definitions of all tools, with the arguments of this form.
fn definitions(form: CallForm) -> Vec<wit::Definition> {
    let host = WasiWorld::capabilities();
    let definition = |dialect: &Dialect| {
        let definition = dialect.definition(form, &host);
        wit::Definition {
            dialect: (*dialect).into(),
            name: definition.name.to_owned(),
            title: definition.title.map(str::to_owned),
            description: definition.description,
            schema: definition.schema.to_owned(),
        }
    };
    Dialect::ALL.iter().map(definition).collect()
}

impl tools::Guest for Component {
    fn definitions() -> Vec<wit::Definition> {
        definitions(CallForm::Specified)
    }

    fn current_definitions() -> Vec<wit::Definition> {
        definitions(CallForm::Current)
    }

    fn call(
        dialect: wit::Dialect,
        arguments: String,
        options: wit::Options,
    ) -> Result<wit::Reply, wit::Failure> {
        let dialect = Dialect::from(dialect);
        let options = checked(options, dialect)?;
        outcome(dialect.call(&arguments, &options, &mut WasiWorld::preopened()))
    }

    fn describe_failure(
        dialect: wit::Dialect,
        input: tools::CallInput,
        options: wit::Options,
        reason: wit::Reason,
    ) -> wit::Failure {
        let input = match &input {
            tools::CallInput::Path(path) => CallInput::Path(path),
            tools::CallInput::Arguments(arguments) => CallInput::Arguments(arguments),
        };
        let reason = match reason {
            wit::Reason::Limit(exceeded) => Reason::Limit {
                name: exceeded.name,
                value: exceeded.value,
                ran: exceeded.ran,
                elapsed: exceeded.elapsed,
            },
            wit::Reason::Cancelled(path) => Reason::Cancelled(path),
            wit::Reason::InvalidPath(path) => Reason::InvalidPath(path),
            wit::Reason::Internal(cause) => Reason::Internal(cause),
            other => Reason::Internal(format!("{other:?}")),
        };
        let dialect = Dialect::from(dialect);
        match checked(options, dialect) {
            Ok(options) => refused(dialect.describe_failure(input, reason, &options)),
            Err(failure) => failure,
        }
    }
}

impl run::Guest for Component {
    /// Reads the path in each command-line argument. Replies are written to standard output.
    /// Failures, and notices that accompany exact text (`:raw`), are written to standard error.
    fn run() -> Result<(), ()> {
        let paths: Vec<String> = environment::get_arguments().into_iter().skip(1).collect();
        let mut world = WasiWorld::preopened();
        let (dialect, mut options) = match configured(&world) {
            Ok(configured) => configured,
            Err(failure) => {
                write(&stderr::get_stderr(), &format!("{}\n", failure.text))?;
                return Err(());
            }
        };
        options.stdin = true;
        if paths.is_empty() {
            write(&stderr::get_stderr(), "usage: omniread.wasm PATH...\n")?;
            return Err(());
        }
        let out = stdout::get_stdout();
        let mut result = Ok(());
        for path in &paths {
            match dialect.read(path, &options, &mut world) {
                Ok(reply) => {
                    if paths.len() > 1 {
                        write(&out, &format!("==> {path} <==\n"))?;
                    }
                    for block in &reply.blocks {
                        match block {
                            Block::Text(text) if reply.exact => write(&out, text)?,
                            Block::Text(text) => write(&out, &format!("{text}\n"))?,
                            Block::Image(media) | Block::Attachment(media) => {
                                write(&out, &format!("[{}, not shown here]\n", media.mime))?;
                            }
                            Block::Notice(text) => {
                                write(&stderr::get_stderr(), &format!("{text}\n"))?;
                            }
                        }
                    }
                }
                Err(refused) => {
                    write(&stderr::get_stderr(), &format!("{}\n", refused.text))?;
                    result = Err(());
                }
            }
        }
        result
    }
}

/// Writes a text in parts of 4096 bytes, which is the maximum for one call of the WASI function.
fn write(stream: &OutputStream, text: &str) -> Result<(), ()> {
    text.as_bytes()
        .chunks(4096)
        .try_for_each(|chunk| stream.blocking_write_and_flush(chunk))
        .map_err(|_| ())
}

/// Reads the dialect and the options from environment variables.
fn configured(world: &WasiWorld) -> Result<(Dialect, Options), wit::Failure> {
    let mut options = Options::default();
    let named = world
        .environment()
        .find(|(name, _)| *name == "OMNIREAD_DIALECT");
    let dialect = match named {
        None => Dialect::Omp,
        Some((_, name)) => Dialect::from_name(name).ok_or_else(|| {
            let message = format!("there is no dialect `{name}`");
            let failure = Failure::new(Reason::InvalidArgument("dialect".to_owned()), message);
            refused(Dialect::Omp.render_failure(failure, ""))
        })?,
    };
    options
        .set_from_environment(world.environment())
        .map_err(|error| refused(dialect.render_failure(error.into(), "")))?;
    Ok((dialect, options))
}

/// Converts the options of a caller from the WIT record, and checks that their numbers are in
/// range.
fn checked(options: wit::Options, dialect: Dialect) -> Result<Options, wit::Failure> {
    let options = omniread_options::convert!(options => Options, ImageOptions, GitHubOptions);
    match options.check() {
        Ok(()) => Ok(options),
        Err(error) => Err(refused(dialect.render_failure(error.into(), ""))),
    }
}

impl From<Options> for wit::Options {
    fn from(options: Options) -> Self {
        omniread_options::convert!(options => wit::Options, wit::ImageOptions, wit::GithubOptions)
    }
}

impl From<wit::Dialect> for Dialect {
    fn from(dialect: wit::Dialect) -> Self {
        match dialect {
            wit::Dialect::Omp => Self::Omp,
            wit::Dialect::Gateway => Self::Gateway,
            wit::Dialect::Comma => Self::Comma,
            wit::Dialect::Gemini => Self::Gemini,
            wit::Dialect::Claude => Self::Claude,
            wit::Dialect::Opencode => Self::OpenCode,
            wit::Dialect::Codex => Self::Codex,
        }
    }
}

impl From<Dialect> for wit::Dialect {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Omp => Self::Omp,
            Dialect::Gateway => Self::Gateway,
            Dialect::Comma => Self::Comma,
            Dialect::Gemini => Self::Gemini,
            Dialect::Claude => Self::Claude,
            Dialect::OpenCode => Self::Opencode,
            Dialect::Codex => Self::Codex,
        }
    }
}

fn outcome(outcome: Result<Reply, RenderedFailure>) -> Result<wit::Reply, wit::Failure> {
    outcome.map(reply).map_err(refused)
}

fn reply(mut reply: Reply) -> wit::Reply {
    let media = |media: MediaBlock| wit::Media {
        mime: media.mime.to_owned(),
        data: media.data,
    };
    wit::Reply {
        details: details(&mut reply, refused),
        structured: reply.structured,
        blocks: reply
            .blocks
            .into_iter()
            .map(|block| match block {
                Block::Text(text) => wit::Block::Text(text),
                Block::Notice(text) => wit::Block::Notice(text),
                Block::Image(block) => wit::Block::Image(media(block)),
                Block::Attachment(block) => wit::Block::Attachment(media(block)),
            })
            .collect(),
    }
}

fn refused(refused: RenderedFailure) -> wit::Failure {
    let RenderedFailure {
        failure,
        text,
        structured,
    } = refused;
    wit::Failure {
        reason: match failure.reason {
            Reason::NotFound(near) => wit::Reason::NotFound(near),
            Reason::OutsideRoots(path) => wit::Reason::OutsideRoots(path),
            Reason::LinkOutsideRoots { link, target } => {
                wit::Reason::LinkOutsideRoots(wit::SymlinkEscape { link, target })
            }
            Reason::Symlink(path) => wit::Reason::Symlink(path),
            Reason::Denied(rule) => wit::Reason::Denied(rule),
            Reason::Ignored { file, pattern } => {
                wit::Reason::Ignored(wit::IgnoreRule { file, pattern })
            }
            Reason::Permission(path) => wit::Reason::Permission(path),
            Reason::SpecialFile(special) => wit::Reason::SpecialFile(match special {
                SpecialFile::Pipe => wit::SpecialFile::Pipe,
                SpecialFile::Socket => wit::SpecialFile::Socket,
                SpecialFile::Device => wit::SpecialFile::Device,
                SpecialFile::Other => wit::SpecialFile::Other,
            }),
            Reason::Directory(path) => wit::Reason::Directory(path),
            Reason::Binary(file) => wit::Reason::Binary(wit::BinaryFile {
                format: file.format,
                size: file.size,
                sha256: file.sha256,
            }),
            Reason::Limit {
                name,
                value,
                ran,
                elapsed,
            } => wit::Reason::Limit(wit::LimitExceeded {
                name,
                value,
                ran,
                elapsed,
            }),
            Reason::Query(why) => wit::Reason::Query(why),
            Reason::InvalidPath(path) => wit::Reason::InvalidPath(path),
            Reason::InvalidSelector(selector) => wit::Reason::InvalidSelector(selector),
            Reason::InvalidArgument(name) => wit::Reason::InvalidArgument(name),
            Reason::Unsupported(what) => wit::Reason::Unsupported(what),
            Reason::Cancelled(path) => wit::Reason::Cancelled(path),
            Reason::Io(error) => wit::Reason::Io(error),
            Reason::Network(Unreachable { url, error }) => wit::Reason::Network(wit::Unreachable {
                url,
                error: match error {
                    NetworkError::Refused(cause) => wit::NetworkError::Refused(cause),
                    NetworkError::Name(cause) => wit::NetworkError::Name(cause),
                    NetworkError::Connect(cause) => wit::NetworkError::Connect(cause),
                    NetworkError::Certificate(cause) => wit::NetworkError::Certificate(cause),
                    NetworkError::Protocol(cause) => wit::NetworkError::Protocol(cause),
                    NetworkError::Redirect(target) => wit::NetworkError::Redirect(target),
                    NetworkError::Timeout(limit) => wit::NetworkError::Timeout(limit),
                    NetworkError::Size(limit) => wit::NetworkError::Size(limit),
                },
            }),
            Reason::Internal(cause) => wit::Reason::Internal(cause),
        },
        message: failure.message.into(),
        hint: failure.hint.map(Into::into),
        text,
        structured,
    }
}
