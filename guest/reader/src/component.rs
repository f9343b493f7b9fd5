//! The component: the reader behind its WIT interfaces. The only file, with
//! `world/wasi.rs`, that knows the bindings.

#![allow(
    unsafe_code,
    reason = "the generated exports pass pointers across the boundary"
)]

use crate::answer::{Answer, Body, Dimensions, Ending, Form, Media, Subject};
use crate::bindings::exports::omniread::read::types as wit;
use crate::bindings::exports::omniread::read::{read, tools};
use crate::bindings::exports::wasi::cli::run;
use crate::bindings::wasi::cli::{environment, stderr, stdout};
use crate::bindings::wasi::io::streams::OutputStream;
use crate::dialects::{Asked, Block, Dialect, Payload, Refused, Reply};
use crate::failure::{Failure, Reason, Special};
use crate::path::Range;
use crate::window::{Limit, Numbering, Page, Total};
use crate::world::Time;
use crate::world::wasi::WasiWorld;
use omniread_options::Options;

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
            Err(failure) => Err(refused(Dialect::Omp.refuse(failure, &path))),
        }
    }

    fn defaults() -> Result<wit::Options, wit::Failure> {
        configured(&WasiWorld::preopened()).map(|(_, options)| options.into())
    }
}

impl tools::Guest for Component {
    fn definitions() -> Vec<wit::Definition> {
        let definition = |dialect: &Dialect| {
            let definition = dialect.definition();
            wit::Definition {
                dialect: (*dialect).into(),
                name: definition.name.to_owned(),
                title: definition.title.map(str::to_owned),
                description: definition.description.to_owned(),
                schema: definition.schema.to_owned(),
            }
        };
        Dialect::ALL.iter().map(definition).collect()
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

    fn ended(
        dialect: wit::Dialect,
        asked: tools::Asked,
        options: wit::Options,
        reason: wit::Reason,
    ) -> wit::Failure {
        let asked = match &asked {
            tools::Asked::Path(path) => Asked::Path(path),
            tools::Asked::Arguments(arguments) => Asked::Arguments(arguments),
        };
        let reason = match reason {
            wit::Reason::Limit(wit::Exceeded { name, value }) => Reason::Limit { name, value },
            wit::Reason::Cancelled(path) => Reason::Cancelled(path),
            wit::Reason::Path(path) => Reason::Path(path),
            wit::Reason::Internal(cause) => Reason::Internal(cause),
            other => Reason::Internal(format!("{other:?}")),
        };
        let dialect = Dialect::from(dialect);
        match checked(options, dialect) {
            Ok(options) => refused(dialect.ended(asked, reason, &options)),
            Err(failure) => failure,
        }
    }
}

impl run::Guest for Component {
    /// Reads every argument as a path; replies go to standard output, notices
    /// after exact text to standard error.
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
            if paths.len() > 1 {
                write(&out, &format!("==> {path} <==\n"))?;
            }
            match dialect.read(path, &options, &mut world) {
                Ok(reply) => {
                    for block in &reply.blocks {
                        match block {
                            Block::Text(text) if reply.exact => write(&out, text)?,
                            Block::Text(text) => write(&out, &format!("{text}\n"))?,
                            Block::Image(media) | Block::Document(media) => {
                                write(&out, &format!("[{}, not shown here]\n", media.mime))?;
                            }
                            Block::Notice(text) => {
                                write(&stderr::get_stderr(), &format!("{text}\n"))?;
                            }
                        }
                    }
                }
                Err(refused) => {
                    write(&out, &format!("{}\n", refused.text))?;
                    result = Err(());
                }
            }
        }
        result
    }
}

/// Writes as much at a time as a stream takes.
fn write(stream: &OutputStream, text: &str) -> Result<(), ()> {
    text.as_bytes()
        .chunks(4096)
        .try_for_each(|chunk| stream.blocking_write_and_flush(chunk))
        .map_err(|_| ())
}

/// The dialect and the options that the environment sets.
fn configured(world: &WasiWorld) -> Result<(Dialect, Options), wit::Failure> {
    let mut options = Options::default();
    let named = world
        .environment()
        .find(|(name, _)| *name == "OMNIREAD_DIALECT");
    let dialect = match named {
        None => Dialect::Omp,
        Some((_, name)) => Dialect::named(name).ok_or_else(|| {
            let message = format!("there is no dialect `{name}`");
            let failure = Failure::new(Reason::Argument("dialect".to_owned()), message);
            refused(Dialect::Omp.refuse(failure, ""))
        })?,
    };
    options
        .set_from_environment(world.environment())
        .map_err(|error| refused(dialect.refuse(error.into(), "")))?;
    Ok((dialect, options))
}

/// Options as a caller gave them, whose numbers may be out of range.
fn checked(options: wit::Options, dialect: Dialect) -> Result<Options, wit::Failure> {
    let options = Options {
        default_limit: options.default_limit,
        hash_lines: options.hash_lines,
        line_numbers: options.line_numbers,
        edit_tool: options.edit_tool,
        pilcrow_header: options.pilcrow_header,
        range_context: options.range_context,
        outlines: options.outlines,
        image_metadata: options.image_metadata,
        image_side: options.image_side,
        image_bytes: options.image_bytes,
        allow_absolute_paths: options.allow_absolute_paths,
        ignore_files: options.ignore_files,
        stdin: options.stdin,
    };
    match options.check() {
        Ok(()) => Ok(options),
        Err(error) => Err(refused(dialect.refuse(error.into(), ""))),
    }
}

impl From<Options> for wit::Options {
    fn from(options: Options) -> Self {
        Self {
            default_limit: options.default_limit,
            hash_lines: options.hash_lines,
            line_numbers: options.line_numbers,
            edit_tool: options.edit_tool,
            pilcrow_header: options.pilcrow_header,
            range_context: options.range_context,
            outlines: options.outlines,
            image_metadata: options.image_metadata,
            image_side: options.image_side,
            image_bytes: options.image_bytes,
            allow_absolute_paths: options.allow_absolute_paths,
            ignore_files: options.ignore_files,
            stdin: options.stdin,
        }
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
        }
    }
}

fn outcome(outcome: Result<Reply, Refused>) -> Result<wit::Reply, wit::Failure> {
    outcome.map(reply).map_err(refused)
}

fn reply(reply: Reply) -> wit::Reply {
    let payload = |payload: Payload| wit::Media {
        mime: payload.mime.to_owned(),
        data: payload.data,
    };
    wit::Reply {
        details: details(&reply),
        structured: reply.structured,
        blocks: reply
            .blocks
            .into_iter()
            .map(|block| match block {
                Block::Text(text) => wit::Block::Text(text),
                Block::Notice(text) => wit::Block::Notice(text),
                Block::Image(media) => wit::Block::Image(payload(media)),
                Block::Document(media) => wit::Block::Document(payload(media)),
            })
            .collect(),
    }
}

fn refused(refused: Refused) -> wit::Failure {
    let Refused {
        failure,
        text,
        structured,
    } = refused;
    wit::Failure {
        reason: match failure.reason {
            Reason::NotFound(near) => wit::Reason::NotFound(near),
            Reason::OutsideRoots(path) => wit::Reason::OutsideRoots(path),
            Reason::LinkOutsideRoots { link, target } => {
                wit::Reason::LinkOutsideRoots(wit::Escape { link, target })
            }
            Reason::Links(path) => wit::Reason::Links(path),
            Reason::Denied(rule) => wit::Reason::Denied(rule),
            Reason::Ignored { file, pattern } => {
                wit::Reason::Ignored(wit::IgnoreRule { file, pattern })
            }
            Reason::Permission(path) => wit::Reason::Permission(path),
            Reason::Special(special) => wit::Reason::Special(match special {
                Special::Pipe => wit::Special::Pipe,
                Special::Socket => wit::Special::Socket,
                Special::Device => wit::Special::Device,
                Special::Other => wit::Special::Other,
            }),
            Reason::Directory(path) => wit::Reason::Directory(path),
            Reason::Binary(file) => wit::Reason::Binary(wit::NotText {
                format: file.format,
                size: file.size,
                sha256: file.sha256,
            }),
            Reason::Limit { name, value } => wit::Reason::Limit(wit::Exceeded { name, value }),
            Reason::Query(why) => wit::Reason::Query(why),
            Reason::Path(path) => wit::Reason::Path(path),
            Reason::Selector(selector) => wit::Reason::Selector(selector),
            Reason::Argument(name) => wit::Reason::Argument(name),
            Reason::Unsupported(what) => wit::Reason::Unsupported(what),
            Reason::Cancelled(path) => wit::Reason::Cancelled(path),
            Reason::Io(error) => wit::Reason::Io(error),
            Reason::Internal(cause) => wit::Reason::Internal(cause),
        },
        message: failure.message,
        hint: failure.hint,
        text,
        structured,
    }
}

fn modified(subject: &Subject) -> Option<u64> {
    subject
        .stat
        .and_then(|stat| stat.modified)
        .map(Time::millis)
}

fn details(reply: &Reply) -> wit::Details {
    let answer = &reply.answer;
    let subject = &answer.subject;
    let mut details = wit::Details {
        kind: wit::Kind::Text,
        path: subject.name(),
        resolved_path: subject.absolute(),
        next: answer.next(),
        size: answer.size(),
        modified: modified(subject),
        window: answer.page().map(|page| window(page, answer)),
        notes: reply.notes.clone(),
        suffix_resolution: subject.repair.as_ref().map(|repair| wit::Resolution {
            from: repair.from.clone(),
            to: repair.to.clone(),
        }),
        text: None,
        directory: None,
        database: None,
        media: None,
        notebook: None,
        binary: None,
        sha256: answer.sha256().map(str::to_owned),
    };
    match &answer.body {
        Body::Text(text) => {
            let page = &text.page;
            if let Some(notebook) = &text.notebook {
                details.kind = wit::Kind::Notebook;
                details.notebook = Some(wit::NotebookDetails {
                    cells: notebook.cells,
                    language: notebook.language.clone(),
                    major: notebook.format.0,
                    minor: notebook.format.1,
                });
            }
            // The numbers of the dialect that gives the text without them too.
            let prefixed = matches!(text.window.numbering, Numbering::Colon | Numbering::Bar)
                && !page.lines.is_empty();
            details.text = Some(wit::TextDetails {
                encoding: text.encoding.coding.name(),
                guessed: text.encoding.guessed,
                bom: text.encoding.mark > 0,
                ending: match text.ending {
                    Ending::None => wit::Ending::None,
                    Ending::Lf => wit::Ending::Lf,
                    Ending::CrLf => wit::Ending::Crlf,
                    Ending::Mixed => wit::Ending::Mixed,
                    Ending::Cr => wit::Ending::Cr,
                },
                final_newline: page.final_newline,
                raw: reply.exact,
                tag: text.tag.clone(),
                marks: wit::Marks {
                    invalid: page.marks.invalid,
                    control: page.marks.control,
                    hidden: page.marks.hidden,
                    bidi: page.marks.bidi,
                },
                display: prefixed.then(|| wit::Display {
                    text: page.plain(),
                    start: page.lines.first().map_or(1, |line| line.number),
                }),
            });
        }
        Body::Listing(listing) => {
            details.kind = match listing.archive {
                Some(_) => wit::Kind::Archive,
                None => wit::Kind::Directory,
            };
            details.directory = Some(wit::DirectoryDetails {
                entries: total(listing.entries),
                listed: listing.listed,
                withheld: listing.withheld,
            });
        }
        Body::Database(database) => {
            details.kind = wit::Kind::Database;
            details.database = Some(wit::DatabaseDetails {
                form: match database.form {
                    Form::Tables => wit::Form::Tables,
                    Form::Schema => wit::Form::Schema,
                    Form::Row => wit::Form::Row,
                    Form::Query => wit::Form::Query,
                    Form::Raw => wit::Form::Raw,
                },
                table: database.table.clone(),
                columns: database.columns.clone(),
                rows: database.rows,
                total: total(database.total),
            });
        }
        Body::Media(media) => {
            details.kind = if media.format.picture {
                wit::Kind::Image
            } else {
                wit::Kind::Document
            };
            details.media = Some(media_details(media));
        }
        Body::Binary(binary) => {
            details.kind = wit::Kind::Binary;
            details.binary = Some(wit::BinaryDetails {
                format: binary.format.clone(),
            });
        }
    }
    details
}

fn media_details(media: &Media) -> wit::MediaDetails {
    let dimensions = |size: Dimensions| wit::Dimensions {
        width: size.width,
        height: size.height,
    };
    wit::MediaDetails {
        format: media.format.long_name.to_owned(),
        mime: media.format.mime.to_owned(),
        dimensions: media.size().map(dimensions),
        header: media.facts.as_ref().map(|facts| wit::Header {
            channels: facts.channels,
            alpha: facts.alpha,
            depth: facts.depth,
            frames: facts.frames.count,
            notes: facts.notes.clone(),
        }),
        given: media.given.as_ref().ok().map(|given| wit::Given {
            mime: given.mime.to_owned(),
            bytes: given.bytes,
            dimensions: given.size.map(dimensions),
            untouched: given.untouched,
        }),
    }
}

fn window(page: &Page, answer: &Answer) -> wit::Window {
    wit::Window {
        shown: page
            .spans()
            .into_iter()
            .map(|(first, last)| wit::Span { first, last })
            .collect(),
        total: total(page.total),
        bytes: answer
            .subject
            .bytes()
            .filter(|_| matches!(answer.body, Body::Text(_))),
        limit: page.limit.map(|limit| match limit {
            Limit::Lines => wit::Limit::Lines,
            Limit::Bytes(_) => wit::Limit::Bytes,
        }),
        cuts: page
            .lines
            .iter()
            .filter_map(|line| {
                let column = line.cut?;
                Some(wit::Cut {
                    line: line.number,
                    shown: column.saturating_sub(line.column),
                    path: answer.subject.with(&page.rest_of(line, column)),
                })
            })
            .collect(),
        skipped: page.skipped.iter().map(span).collect(),
    }
}

fn span(range: &Range) -> wit::Span {
    let line = |line: u64| i64::try_from(line).unwrap_or(i64::MAX);
    wit::Span {
        first: line(range.start.line),
        last: range.end.map_or(i64::MAX, line),
    }
}

fn total(total: Total) -> wit::Total {
    match total {
        Total::Exact(total) => wit::Total::Exact(total),
        Total::AtLeast(least) => wit::Total::AtLeast(least),
    }
}
