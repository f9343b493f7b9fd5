//! The command line: it parses arguments, calls the library and prints. It does not read files
//! itself.

mod arguments;
mod closed;
mod colour;
mod images;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "net")]
mod network;
mod output;
#[cfg(feature = "net")]
mod progress;
mod seconds;
mod terminal;

use crate::serve::serve;
use crate::{
    Api, BuildError, Builder, Dialect, Failure, Options, Reader, Reason, Reply, SETTINGS, Session,
    definition_to_json, outcome_to_json,
};
use arguments::{Arguments, Task};
use output::Output;
#[cfg(feature = "net")]
use progress::with_progress;
use serde_json::Value;
use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The exit status if every read succeeded.
const READ: u8 = 0;
/// The exit status if a read failed.
const FAILED: u8 = 1;
/// The exit status if the command line is wrong.
const USAGE: u8 = 2;

/// The maximum number of bytes that `call` reads from standard input. The limit of the reader
/// on arguments is lower.
const CALL_BYTES: usize = 2 << 20;

/// The environment variable with the password of encrypted documents.
const PASSWORD: &str = "OMNIREAD_PASSWORD";

/// The environment variables of omniread that do not set an option.
const VARIABLES: &[&str] = &[
    "OMNIREAD_DIALECT",
    "OMNIREAD_MCP_TOKEN",
    PASSWORD,
    "OMNIREAD_PORTABLE",
    "OMNIREAD_TIMEOUT",
];

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    if closed::stdout_was_closed() {
        output::print_message("cannot write: standard output is closed");
        return ExitCode::from(FAILED);
    }
    let code = match arguments::parse() {
        Ok(arguments) => run(&arguments),
        Err(error) => {
            let help = !error.use_stderr();
            let printed = if help {
                output::help(&error)
            } else {
                output::usage(&error)
            };
            match printed {
                Ok(()) if help => Ok(READ),
                Ok(()) => Ok(USAGE),
                Err(error) => Err(error),
            }
        }
    };
    match code {
        Ok(code) => ExitCode::from(code),
        // The reader of the output has closed it and needs no more.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(READ),
        Err(error) => {
            output::print_message(&format!("cannot write: {error}"));
            ExitCode::from(FAILED)
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<u8> {
    let mut out = Output::new(arguments.colour);
    out.images(&arguments.images);
    match &arguments.task {
        Task::Completions(shell) => return out.completions(*shell).map(|()| READ),
        Task::Man => return out.man().map(|()| READ),
        _ => {}
    }
    let options = match options(arguments) {
        Ok(options) => options,
        Err(error) => return Ok(wrong(error.as_ref())),
    };
    let password = match password(arguments) {
        Ok(password) => password,
        Err(message) => return Ok(wrong(&message)),
    };
    let mut builder = builder(arguments);
    if let Some(password) = password {
        builder = builder.password(password);
    }
    #[cfg(feature = "net")]
    {
        builder = match arguments.network.apply(builder) {
            Ok(builder) => builder,
            Err(message) => return Ok(wrong(&message)),
        };
    }
    let reader = match builder.build() {
        Ok(reader) => reader,
        Err(error) if !matches!(error, BuildError::Engine(_)) => return Ok(wrong(&error)),
        Err(error) => {
            output::print_message(&error.to_string());
            return Ok(FAILED);
        }
    };
    let session = reader.session();
    match &arguments.task {
        Task::Read(paths) => read_all(&session, paths, &options, arguments, &mut out),
        Task::Call(dialect, call) => {
            let call = match call_arguments(call) {
                Ok(call) => call,
                Err((code, message)) => {
                    output::print_message(&message);
                    return Ok(code);
                }
            };
            let outcome =
                with_progress(&session, |session| session.call(*dialect, &call, &options));
            print(&outcome, &session, arguments.json, &mut out)
        }
        Task::Tools(wanted) => tools(&reader, *wanted, None, &mut out),
        Task::ToolsFor(wanted, api) => {
            let wanted = wanted.unwrap_or(arguments.dialect);
            tools(&reader, Some(wanted), Some(*api), &mut out)
        }
        Task::Serve => {
            drop(out);
            let failed = serve(session, arguments.dialect, options)?;
            Ok(failed.map_or(READ, |error| {
                output::print_message(&format!("cannot read standard input: {error}"));
                FAILED
            }))
        }
        #[cfg(feature = "mcp")]
        Task::Mcp(mcp) => {
            drop(out);
            mcp::serve(reader, arguments, mcp, options)
        }
        Task::Completions(_) | Task::Man => Ok(READ),
    }
}

/// Runs a read of a session. Without the network, no progress is shown.
#[cfg(not(feature = "net"))]
fn with_progress<T>(session: &Session, read: impl FnOnce(&Session) -> T) -> T {
    read(session)
}

/// Prints a message about a wrong command line, and returns the exit status for it.
fn wrong(error: &dyn fmt::Display) -> u8 {
    output::print_message(&error.to_string());
    USAGE
}

/// The options of all reads. The command line takes precedence over environment variables, and
/// these over the defaults.
fn options(arguments: &Arguments) -> Result<Options, Box<dyn fmt::Display>> {
    let mut options = Options::default();
    let failed = |error: crate::OptionError| -> Box<dyn fmt::Display> {
        let hint = error
            .hint
            .map_or_else(String::new, |hint| format!("\nhint: {hint}"));
        Box::new(format!("{}{hint}", error.message))
    };
    let mut environment: Vec<(String, String)> = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str().filter(|name| name.starts_with("OMNIREAD_")) else {
            continue;
        };
        match value.into_string() {
            Ok(value) => environment.push((name.to_owned(), value)),
            Err(_) if Options::is_variable(name) => {
                let message = format!("the environment variable `{name}` is not UTF-8");
                return Err(Box::new(message));
            }
            // Only the name of the variable is needed.
            Err(_) => environment.push((name.to_owned(), String::new())),
        }
    }
    let pairs = environment
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let unknown = options.set_from_environment(pairs).map_err(failed)?;
    for name in unknown {
        let of_tests = name.starts_with("OMNIREAD_TEST_") || name.starts_with("OMNIREAD_BENCH_");
        if !of_tests && !VARIABLES.contains(&name) {
            output::print_message(&format!(
                "warning: the environment variable `{name}` is not an option; `omniread --help` lists them"
            ));
        }
    }
    options.all |= arguments.all;
    options.lines.clone_from(&arguments.lines);
    for setting in &arguments.set {
        let Some((key, value)) = setting.split_once('=') else {
            let keys: Vec<_> = SETTINGS.iter().map(|setting| setting.key).collect();
            return Err(Box::new(format!(
                "`--set {setting}` is not KEY=VALUE\nhint: the keys are {}",
                keys.join(", ")
            )));
        };
        options.set(key, value).map_err(failed)?;
    }
    Ok(options)
}

/// The builder of the reader for a command line.
fn builder(arguments: &Arguments) -> Builder {
    let mut builder = Reader::builder();
    // Relative paths refer to the first root. They refer to the current directory, as in other
    // programs, if it may be read: a root in another root grants nothing more.
    if arguments.roots.is_empty() || is_below(&here(), &arguments.roots) {
        builder = builder.root(here());
    }
    for root in &arguments.roots {
        builder = builder.root(root);
    }
    if arguments.task.is_short() {
        builder = builder.short_lived();
    }
    if let Some(timeout) = arguments.timeout {
        builder = builder.timeout(Some(timeout).filter(|timeout| !timeout.is_zero()));
    }
    for rule in &arguments.deny {
        builder = builder.deny(rule);
    }
    if let Some(bytes) = arguments.max_file_size {
        builder = builder.max_file_size(bytes);
    }
    if let Some(home) =
        std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok())
    {
        builder = builder.home(home);
    }
    builder
}

/// Whether a directory is below one of these directories.
fn is_below(directory: &Path, roots: &[PathBuf]) -> bool {
    let Ok(real) = directory.canonicalize() else {
        return false;
    };
    let roots = roots.iter().filter_map(|root| root.canonicalize().ok());
    let mut roots = roots.filter(|root| real.starts_with(root)).peekable();
    roots.peek().is_some() && roots.all(|root| root != real)
}

/// The password of encrypted documents: the first line of a file, or a variable.
///
/// # Errors
/// Fails if the file cannot be read. The message has no part of the password.
fn password(arguments: &Arguments) -> Result<Option<String>, String> {
    let Some(file) = &arguments.password_file else {
        return Ok(std::env::var(PASSWORD).ok());
    };
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("cannot read the password in `{}`: {error}", file.display()))?;
    Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
}

/// The path of the current directory: the value of the variable `PWD`, which may contain symlinks,
/// or `.` if `PWD` does not name this directory.
fn here() -> PathBuf {
    let dot = PathBuf::from(".");
    match std::env::var_os("PWD").map(PathBuf::from) {
        Some(shell)
            if shell.is_absolute() && shell.canonicalize().ok() == dot.canonicalize().ok() =>
        {
            shell
        }
        _ => dot,
    }
}

/// The JSON arguments of a tool call: `call` itself, or standard input if `call` is `-`.
///
/// # Errors
/// Returns the exit status and a message.
fn call_arguments(call: &str) -> Result<String, (u8, String)> {
    if call != "-" {
        return Ok(call.to_owned());
    }
    let mut bytes = Vec::new();
    let most = CALL_BYTES as u64 + 1;
    if let Err(error) = io::stdin().lock().take(most).read_to_end(&mut bytes) {
        return Err((FAILED, format!("cannot read standard input: {error}")));
    }
    if bytes.len() > CALL_BYTES {
        let message = "the arguments on standard input are longer than 2 MiB";
        return Err((USAGE, message.to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| {
        let message = "the arguments on standard input are not UTF-8";
        (USAGE, message.to_owned())
    })
}

fn read_all(
    session: &Session,
    paths: &[Result<String, String>],
    options: &Options,
    arguments: &Arguments,
    out: &mut Output,
) -> io::Result<u8> {
    let mut code = READ;
    for path in paths {
        if paths.len() > 1 && !arguments.json {
            let (Ok(name) | Err(name)) = path;
            out.heading(name)?;
        }
        let read = match path {
            Ok(path) => read(session, path, options, arguments, out),
            Err(shown) => {
                let failure = session.non_utf8_path(shown, arguments.dialect, options);
                print(&Err(failure), session, arguments.json, out)
            }
        };
        code = code.max(read?);
    }
    Ok(code)
}

/// Reads and prints the first page of a path, or all its pages if `options.all` is set. Returns the
/// exit status.
fn read(
    session: &Session,
    path: &str,
    options: &Options,
    arguments: &Arguments,
    out: &mut Output,
) -> io::Result<u8> {
    // A stream may end long after its first page, so only a read of `-` has access to standard
    // input.
    let stdin = arguments::is_stdin(path);
    let mut options = Options {
        stdin,
        ..options.clone()
    };
    let read_as = |path: &str, options: &Options| {
        with_progress(session, |session| {
            session.read_as(path, arguments.dialect, options)
        })
    };
    let mut outcome = read_as(path, &options);
    // `next` contains the remaining lines.
    options.lines = None;
    loop {
        let code = print(&outcome, session, arguments.json, out)?;
        let next = outcome.ok().and_then(|reply| reply.details.next);
        let Some(next) = next.filter(|_| options.all) else {
            return Ok(code);
        };
        if stdin {
            output::print_message(
                "there is more, but standard input can be read only once; save it to a file first",
            );
            return Ok(FAILED);
        }
        outcome = read_as(&next, &options);
        if let Err(failure) = &outcome
            && !arguments.json
        {
            // The earlier pages are on standard output.
            output::print_message(&failure.text);
            return Ok(FAILED);
        }
    }
}

fn print(
    outcome: &Result<Reply, Failure>,
    session: &Session,
    json: bool,
    out: &mut Output,
) -> io::Result<u8> {
    if json {
        out.json(&outcome_to_json(outcome))?;
    } else {
        match outcome {
            Ok(reply) => out.reply(reply, session)?,
            Err(failure) => out.line(&failure.text)?,
        }
    }
    out.flush()?;
    Ok(match outcome {
        Ok(_) => READ,
        Err(failure) => match &failure.reason {
            Reason::InvalidArgument(name) if name == "lines" => USAGE,
            _ => FAILED,
        },
    })
}

fn tools(
    reader: &Reader,
    wanted: Option<Dialect>,
    api: Option<Api>,
    out: &mut Output,
) -> io::Result<u8> {
    let definitions = match reader.definitions() {
        Ok(definitions) => definitions,
        Err(failure) => {
            output::print_message(&failure.message);
            return Ok(FAILED);
        }
    };
    let mut chosen = definitions
        .iter()
        .filter(|definition| wanted.is_none_or(|wanted| definition.dialect == wanted));
    let value = match (wanted, api) {
        (_, Some(api)) => chosen.map(|definition| api.tool(definition)).collect(),
        (Some(_), None) => chosen.next().map_or(Value::Null, definition_to_json),
        (None, None) => chosen.map(definition_to_json).collect(),
    };
    out.json(&value)?;
    out.flush()?;
    Ok(READ)
}
