//! The command line: it parses arguments, calls the library and prints. It does not read files
//! itself.
//!
//! It is a library with one function, [`main`], so that the program `omniread` and the one that tests run
//! have the same code. `serve` answers requests on standard input. `mcp` connects the library with the MCP
//! server, which is a crate of its own.

#[cfg(feature = "mcp")]
mod address;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod allocator;
mod arguments;
mod batch;
mod batch_arguments;
mod closed;
mod colour;
mod columns;
mod environment;
mod escapes;
mod exit;
mod foreign;
mod half_blocks;
mod help;
mod images;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "mcp")]
mod mcp_arguments;
#[cfg(feature = "mcp-client")]
mod mcp_servers;
mod mistaken;
mod mounted;
mod mounts;
mod names;
#[cfg(feature = "net")]
mod network;
mod output;
mod pager;
mod progress;
mod question;
mod ranges;
mod reader;
mod reply_text;
mod screen;
mod seen;
mod serve;
mod session;
mod session_arguments;
mod settings;
mod sink;
mod stdin;
mod table;
mod task;
mod terminal;
mod tools;
mod units;
mod unknown;

use arguments::Arguments;
use exit::{FAILED, READ, USAGE};
use omniread::errors::OptionError;
use omniread::options::SETTINGS;
use omniread::{BuildError, Dialect, Failure, Options, Reason, Reply, Session};
use output::Output;
use progress::with_progress;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::ExitCode;
use stdin::Named;
use task::Task;

/// The maximum number of bytes that `call` reads from standard input. The limit of the reader
/// on arguments is lower.
const CALL_BYTES: usize = 2 << 20;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    environment::take_secrets();
    output::survive_limits();
    if closed::stdout_was_closed() {
        output::print_message("cannot write: standard output is closed");
        return ExitCode::from(FAILED);
    }
    let code = match arguments::parse() {
        Ok(arguments) => run(&arguments),
        Err(error) => {
            let line: Vec<OsString> = std::env::args_os().collect();
            let error = foreign::advise(error, &line);
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
    let written = output::finish();
    // The output is complete. MCP servers have some seconds to end.
    omniread_service::finish_before_end();
    match written.and(code) {
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
    if arguments.quiet {
        output::silence();
    }
    let mut out = Output::new(arguments);
    match &arguments.task {
        Task::Completions(shell) => return out.completions(*shell).map(|()| READ),
        Task::Man => return out.man().map(|()| READ),
        Task::Config(true) => {
            out.line(omniread_config::schema().trim_end())?;
            return out.flush().map(|()| READ);
        }
        Task::Config(false) => {
            out.line(arguments.settings.render().trim_end())?;
            return out.flush().map(|()| READ);
        }
        Task::Version => {
            out.line(concat!("omniread ", env!("CARGO_PKG_VERSION")))?;
            return out.flush().map(|()| READ);
        }
        _ => {}
    }
    for report in arguments.settings.reports() {
        output::print_message(&format!("warning: {report}"));
    }
    let options = match options(arguments) {
        Ok(options) => options,
        Err(error) => return Ok(wrong(error.as_ref())),
    };
    let password = match password(arguments) {
        Ok(password) => password,
        Err(message) => return Ok(wrong(&message)),
    };
    let mut builder = reader::builder(arguments);
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
    #[cfg(feature = "mcp-client")]
    {
        builder = match mcp_servers::add(builder, arguments) {
            Ok(builder) => builder,
            Err(message) => return Ok(wrong(&message)),
        };
    }
    let reader = match reader::build(builder, arguments) {
        Ok(reader) => reader,
        Err(error) if !matches!(error, BuildError::Sandbox(_)) => return Ok(wrong(&error)),
        Err(error) => {
            output::print_message(&error.to_string());
            return Ok(FAILED);
        }
    };
    if let Task::Batch(batch) = &arguments.task {
        drop(out);
        return batch::run(reader, arguments, batch, options);
    }
    if let (Task::Session(_), None) = (&arguments.task, &arguments.session) {
        return Ok(wrong(
            &"`omniread session` needs a session\nhint: name its directory with `--session DIR`",
        ));
    }
    let directory = arguments.session.as_deref();
    if let (Task::Session(action), Some(directory)) = (&arguments.task, directory)
        && let Some(found) = session::without(action, directory)
    {
        return Ok(if found { READ } else { FAILED });
    }
    let for_reads = !matches!(&arguments.task, Task::Session(_));
    let limits = arguments.settings.session_limits();
    let session = match session::open(&reader, (directory, for_reads), limits) {
        Ok(session) => session,
        Err(error) => return Ok(wrong(&error)),
    };
    let losses = session::Losses::new(directory);
    match &arguments.task {
        Task::Read(paths) => {
            let code = read_all(&session, paths, &options, arguments, &mut out);
            losses.report(&session);
            code
        }
        Task::Call(dialect, call) => {
            let call = match call_arguments(call) {
                Ok(call) => call,
                Err((code, message)) => {
                    output::print_message(&message);
                    return Ok(code);
                }
            };
            let outcome = watched(dialect.name(), &session, |session| {
                session.call(*dialect, &call, &options)
            });
            losses.report(&session);
            print(&outcome, false, &session, arguments.json, &mut out)
        }
        Task::Tools {
            dialect,
            api,
            current,
        } => {
            let only = dialect.or(api.map(|_| arguments.dialect));
            let definitions = if *current {
                reader.current_definitions()
            } else {
                reader.definitions()
            };
            tools::print(definitions, only, *api, &mut out)
        }
        Task::Serve => {
            drop(out);
            let failed = serve::serve((session, losses), arguments.dialect, options)?;
            Ok(failed.map_or(READ, |error| {
                output::print_message(&format!("cannot read standard input: {error}"));
                FAILED
            }))
        }
        #[cfg(feature = "mcp")]
        Task::Mcp(mcp) => {
            drop(out);
            // It has no access to the directory of the session, for clients without a handle too.
            let reader = session.reader().clone();
            let sessions = (session, losses);
            mcp::serve(reader, arguments, mcp, options, sessions)
        }
        Task::Session(action) => {
            let found = session::run(action, &session, &mut out)?;
            Ok(if found { READ } else { FAILED })
        }
        Task::Batch(_) | Task::Completions(_) | Task::Config(_) | Task::Man | Task::Version => {
            Ok(READ)
        }
    }
}

/// Runs a read of a session, and shows its progress unless messages are left out. `path` names what is
/// read.
fn watched<T>(path: &str, session: &Session, read: impl FnOnce(&Session) -> T) -> T {
    if output::is_silent() {
        read(session)
    } else {
        with_progress(path, session, read)
    }
}

/// Prints a message about a wrong command line, and returns the exit status for it.
fn wrong(error: &dyn fmt::Display) -> u8 {
    output::print_usage_error(&error.to_string());
    USAGE
}

/// The options of all reads. The command line takes precedence over environment variables, these over files, and
/// these over the defaults. Limits that the workspace file lowers apply in any case.
fn options(arguments: &Arguments) -> Result<Options, Box<dyn fmt::Display>> {
    let mut options = match &arguments.task {
        #[cfg(feature = "mcp")]
        Task::Mcp(_) => mcp::unset_limits(),
        _ => Options::default(),
    };
    let failed = |error: OptionError| -> Box<dyn fmt::Display> { Box::new(format!("{error:#}")) };
    let mut environment: Vec<(String, String)> = Vec::new();
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str().filter(|name| name.starts_with("OMNIREAD_")) else {
            continue;
        };
        // As with all variables of the command line, an empty one is not set.
        if value.is_empty() {
            continue;
        }
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
    let wrong = |error: OptionError| -> Box<dyn fmt::Display> {
        let variable = error.key.replace('-', "_").to_ascii_uppercase();
        Box::new(format!(
            "the environment variable `OMNIREAD_{variable}`: {error:#}"
        ))
    };
    let unknown = options.set_from_environment(pairs).map_err(wrong)?;
    for name in unknown {
        if !environment::is_known(name) {
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
    // Only values that none of the others replaces, and limits that the workspace file lowers.
    arguments
        .settings
        .set_options(&mut options)
        .map_err(failed)?;
    Ok(options)
}

/// The password of encrypted documents: the first line of a file, or a variable.
///
/// # Errors
/// Fails if the file cannot be read, or the variable is not UTF-8. The message has no part of the password.
fn password(arguments: &Arguments) -> Result<Option<String>, String> {
    let Some(file) = &arguments.password_file else {
        return environment::text(environment::PASSWORD);
    };
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("cannot read the password in `{}`: {error}", file.display()))?;
    Ok(Some(text.lines().next().unwrap_or_default().to_owned()))
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
    paths: &[OsString],
    options: &Options,
    arguments: &Arguments,
    out: &mut Output,
) -> io::Result<u8> {
    let mut code = READ;
    for path in paths {
        code = code.max(read(session, path, options, arguments, out)?);
    }
    Ok(code)
}

/// Reads and prints the first page of a path, or all its pages if `options.all` is set. Returns the
/// exit status.
fn read(
    session: &Session,
    path: &OsString,
    options: &Options,
    arguments: &Arguments,
    out: &mut Output,
) -> io::Result<u8> {
    let is_one_of_several = matches!(&arguments.task, Task::Read(paths) if paths.len() > 1);
    let shown = path.to_string_lossy();
    let (session, path, stdin) = match path.to_str().and_then(stdin::named) {
        None => (session.clone(), path.clone(), false),
        Some(Named::Stdin(dash)) => (session.clone(), dash.into(), true),
        Some(Named::Pipe(pipe, dash)) => (session.with_input(pipe), dash.into(), true),
        Some(Named::NotPipe) => {
            let outcome = Err(stdin::not_a_pipe(&shown));
            return print(&outcome, true, session, arguments.json, out);
        }
    };
    // A stream may end long after its first page, so only a read of `-` has access to standard
    // input.
    let mut options = Options {
        stdin,
        ..options.clone()
    };
    let is_text = !matches!(arguments.dialect, Dialect::Comma | Dialect::Gemini);
    let read_as = |path: &Path, options: &Options| {
        let outcome = watched(&path.to_string_lossy(), &session, |session| {
            session.read_as(path, arguments.dialect, options)
        });
        outcome.map_err(|failure| {
            let failure = match arguments.settings.workspace_timeout() {
                Some(origin) => mistaken::of_workspace(failure, &origin),
                None => failure,
            };
            mistaken::explained(failure, &shown, is_text, is_one_of_several)
        })
    };
    let mut outcome = read_as(path.as_ref(), &options);
    if is_one_of_several && outcome.is_ok() && !arguments.json {
        out.heading(&shown)?;
    }
    // `next` contains the remaining lines.
    options.lines = None;
    let mut stale = None;
    let mut code = READ;
    loop {
        // A path of a list on an earlier page may have failed.
        code = code.max(print(&outcome, is_text, &session, arguments.json, out)?);
        let Ok(reply) = outcome else {
            break;
        };
        let next = reply.details.next.clone().filter(|_| options.all);
        if reply.details.refresh.is_some() {
            stale.get_or_insert(reply);
        }
        let Some(next) = next else {
            break;
        };
        if stdin {
            output::print_message(
                "there is more, but standard input can be read only once; save it to a file first",
            );
            code = FAILED;
            break;
        }
        outcome = read_as(next.as_ref(), &options);
    }
    // All pages are of the version that the first one shows.
    if let Some(refresh) = stale.and_then(|reply| session.refresh(&reply, &options)) {
        refresh.wait();
    }
    Ok(code)
}

/// Prints the outcome of a read: a reply or JSON on standard output, and a failure on standard error.
/// `is_named` is true if the name of the program precedes the failure. Otherwise it is printed exactly
/// as a model should receive it: the failure of a call, and one in JSON. Returns the exit status.
fn print(
    outcome: &Result<Reply, Failure>,
    is_named: bool,
    session: &Session,
    json: bool,
    out: &mut Output,
) -> io::Result<u8> {
    let code = match outcome {
        Ok(reply)
            if reply
                .details
                .parts
                .iter()
                .any(|part| part.failure.is_some()) =>
        {
            FAILED
        }
        Ok(_) => READ,
        Err(failure) => match &failure.reason {
            Reason::InvalidArgument(name) if name == "lines" => USAGE,
            _ => FAILED,
        },
    };
    match outcome {
        Ok(reply) if json => out.json(reply)?,
        Err(failure) if json => out.json(failure)?,
        Ok(reply) => out.reply(reply, session)?,
        Err(failure) => {
            out.flush()?;
            if code == USAGE {
                output::print_usage_error(&failure.text);
            } else if is_named {
                output::print_message(&failure.text);
            } else {
                output::print_failure(&failure.text);
            }
        }
    }
    out.flush()?;
    Ok(if out.is_unsaved() {
        FAILED.max(code)
    } else {
        code
    })
}
