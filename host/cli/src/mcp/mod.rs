//! The command `omniread mcp`.

mod client;
mod handles;
mod instructions;
mod skills;
mod tool_result;

use super::arguments::Arguments;
use super::exit::{FAILED, READ, USAGE};
use super::mcp_arguments::McpArguments;
use super::session::Losses;
use super::{environment, output};
use omniread::{Api, Definition, Options, Reader, Session};
use omniread_mcp::{
    Http, RequestLog, SESSION_ARGUMENT, Server, Settings, Token, serve_http, serve_stdio,
};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;

use client::{Client, Defaults};
use handles::Handles;
use instructions::instructions;

/// The maximum size of the text of a reply, and of its images, unless the command line or the
/// environment sets another one. Clients refuse much larger messages.
const MAX_REPLY: u32 = 1_000_000;

/// A limit that nobody has set. No limit has this value.
const UNSET: u32 = 0;

/// Serves MCP clients until the process gets a signal to end, or standard input ends. `session` has the sessions of
/// clients that name them, if they outlive the process. Returns the exit status.
pub fn serve(
    reader: Reader,
    arguments: &Arguments,
    mcp: &McpArguments,
    mut options: Options,
    (session, losses): (Session, Losses),
) -> io::Result<u8> {
    let fit_client = set_limits(&mut options, mcp);
    let tool = match reader.definitions() {
        Ok(definitions) => {
            let of_dialect = |definition: &&Definition| definition.dialect == arguments.dialect;
            let definition = definitions.iter().find(of_dialect);
            definition.map_or_else(Value::default, |definition| tool(&reader, definition, mcp))
        }
        Err(failure) => {
            output::print_message(&failure.message);
            return Ok(FAILED);
        }
    };
    let log = match mcp.log.as_deref().map(log).transpose() {
        Ok(log) => log,
        Err(message) => {
            output::print_message(&message);
            return Ok(USAGE);
        }
    };
    let serves = serves(&reader, &tool);
    let settings = Settings {
        structured: mcp.structured.into(),
        roots_from_client: mcp.roots_from_client,
        fit_client,
        session_argument: mcp.session_argument,
        instructions: instructions(&reader, arguments.dialect, &tool),
        log,
    };
    let defaults = Defaults::new(arguments.dialect, options);
    let memory = reader.session();
    let disk = arguments.session.is_some().then_some(session);
    let client = Client {
        reader,
        defaults,
        handles: Handles::new(disk, memory, losses),
    };
    let server = match Server::new(Arc::new(client), tool, settings) {
        Ok(server) => server,
        Err(error) => {
            output::print_message(&format!("the reader failed: {error}"));
            return Ok(FAILED);
        }
    };
    if mcp.http.is_none() {
        // Agents pass what is on standard error to their logs, often as errors.
        if io::stdin().is_terminal() {
            output::print_fact(&format!(
                "serving MCP on standard input and output: {serves}\n\
                 hint: an agent starts this command itself; press Ctrl-C to end it"
            ));
        }
        return serve_stdio(&server).map(|()| READ);
    }
    Ok(serve_over_http(&server, mcp, &serves))
}

/// The options before anyone has set the limits of replies.
pub fn unset_limits() -> Options {
    Options {
        reply_bytes: UNSET,
        reply_images: UNSET,
        ..Options::default()
    }
}

/// Sets the limits of replies. Arguments take precedence over options. Returns whether nobody has set
/// that of text, so that it depends on the client.
fn set_limits(options: &mut Options, mcp: &McpArguments) -> bool {
    let set = |bytes: u32| Some(bytes).filter(|bytes| *bytes != UNSET);
    let text = mcp.max_reply.or_else(|| set(options.reply_bytes));
    let images = mcp.max_images.or_else(|| set(options.reply_images));
    options.reply_bytes = text.unwrap_or(MAX_REPLY);
    options.reply_images = images.unwrap_or(MAX_REPLY);
    text.is_none()
}

/// The tool as the server lists it.
fn tool(reader: &Reader, definition: &Definition, mcp: &McpArguments) -> Value {
    let mut tool = Api::Mcp.tool(definition);
    if mcp.session_argument {
        tool["inputSchema"]["properties"][SESSION_ARGUMENT] = json!({
            "type": "string",
            "description": "The session, as the first reply names it",
        });
    }
    if reader.has_network() {
        tool["annotations"]["openWorldHint"] = true.into();
    }
    tool
}

/// What the server serves, for a person.
fn serves(reader: &Reader, tool: &Value) -> String {
    let tool = tool["name"].as_str().unwrap_or_default();
    let roots: Vec<&str> = reader.roots().collect();
    format!("the tool `{tool}` for files in {}", roots.join(", "))
}

/// The number of files and connections that a server over HTTP may need: those of all sessions, with
/// their roots.
#[cfg(unix)]
const OPEN_FILES: u64 = 65_536;

/// Lets this process open as many files as it may need, if its user may.
#[cfg(unix)]
fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let most = maximum.map_or(OPEN_FILES, |maximum| maximum.min(OPEN_FILES));
    if current.is_some_and(|current| current < most) {
        let current = Some(most);
        // Without it, the server has places for fewer clients.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
}

/// Serves MCP clients over HTTP.
fn serve_over_http(server: &Arc<Server>, mcp: &McpArguments, serves: &str) -> u8 {
    let Some(listen) = &mcp.http else {
        return USAGE;
    };
    #[cfg(unix)]
    raise_open_files();
    let address = match listen.resolve() {
        Ok(address) => address,
        Err(error) => {
            output::print_message(&format!("cannot find the host `{}`: {error}", listen.host));
            return FAILED;
        }
    };
    let token = match token(mcp) {
        Ok(token) => token,
        Err(message) => {
            output::print_message(&message);
            return USAGE;
        }
    };
    if token.is_none() && !address.ip().is_loopback() {
        output::print_message("--no-token is for a loopback address, such as 127.0.0.1:8080");
        return USAGE;
    }
    let mut hosts = mcp.allow_host.clone();
    hosts.push(listen.host.clone());
    let http = Http {
        address,
        hosts,
        origins: mcp.allow_origin.clone(),
        token,
    };
    let generated = http.token.as_ref().and_then(Token::generated);
    let generated = generated.map(str::to_owned);
    let started = |url: &str| {
        let Some(token) = &generated else {
            output::print_fact(&format!("serving MCP at {url}"));
            output::print_fact(serves);
            return;
        };
        // Without the token, nobody can use the server, so it is shown with `--quiet` too.
        output::print_always(&format!("serving MCP at {url}"));
        output::print_fact(serves);
        output::print_always(&format!(
            "clients send the header `Authorization: Bearer {token}`"
        ));
    };
    match serve_http(server, http, &started) {
        Ok(()) => READ,
        Err(error) => {
            output::print_message(&format!("cannot serve at {address}: {error}"));
            FAILED
        }
    }
}

/// The log of requests in a file, to which it is appended. `-` is standard error, because standard
/// output has the messages of the protocol.
fn log(file: &Path) -> Result<RequestLog, String> {
    let name = file.display().to_string();
    let not_started = |error: io::Error| format!("cannot start the thread of the log: {error}");
    let failed = move |error: &io::Error| {
        output::print_message(&format!("cannot write the log `{name}`: {error}"));
    };
    if file == Path::new("-") {
        return RequestLog::new(io::stderr(), failed).map_err(not_started);
    }
    let mut options = File::options();
    options.create(true).append(true);
    // Paths and queries are in it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(file);
    let log =
        opened.map_err(|error| format!("cannot open the log `{}`: {error}", file.display()))?;
    RequestLog::new(log, failed).map_err(not_started)
}

/// The token that HTTP clients must send. `None` if they need none.
fn token(mcp: &McpArguments) -> Result<Option<Token>, String> {
    if mcp.no_token {
        return Ok(None);
    }
    let configured = match &mcp.token_file {
        Some(file) => {
            let text = std::fs::read_to_string(file).map_err(|error| {
                format!("cannot read the token in `{}`: {error}", file.display())
            })?;
            Some(text.trim().to_owned())
        }
        None => environment::text(environment::TOKEN)?,
    };
    match configured {
        Some(token) => Token::new(token).map(Some),
        None => Token::random().map(Some),
    }
}
