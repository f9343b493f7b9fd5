//! The command `omniread mcp`.

use super::arguments::Arguments;
use super::mcp_arguments::McpArguments;
use super::{FAILED, READ, USAGE, output};
use crate::mcp::{Client, Defaults, instructions};
use crate::{Api, Definition, Options, Reader};
use omniread_mcp::{Http, RequestLog, Server, Settings, Token, serve_http, serve_stdio};
use serde_json::Value;
use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;

/// The environment variable with the token of HTTP clients.
const TOKEN: &str = "OMNIREAD_MCP_TOKEN";

/// The maximum size of the text of a reply, and of its images, unless the command line or the
/// environment sets another one. Clients refuse much larger messages.
const MAX_REPLY: u32 = 1_000_000;

/// Serves MCP clients until the process gets a signal to end, or standard input ends. Returns the exit
/// status.
pub fn serve(
    reader: Reader,
    arguments: &Arguments,
    mcp: &McpArguments,
    mut options: Options,
) -> io::Result<u8> {
    let fit_client = set_limits(&mut options, mcp);
    let tool = match reader.definitions() {
        Ok(definitions) => {
            let of_dialect = |definition: &&Definition| definition.dialect == arguments.dialect;
            let definition = definitions.iter().find(of_dialect);
            definition.map_or_else(Value::default, |definition| tool(&reader, definition))
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
        instructions: instructions(&reader, &tool),
        log,
    };
    let defaults = Defaults::new(arguments.dialect, options);
    let client = Client { reader, defaults };
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
            output::print_message(&format!(
                "serving MCP on standard input and output: {serves}\n\
                 hint: an agent starts this command itself; press Ctrl-C to end it"
            ));
        }
        return serve_stdio(&server).map(|()| READ);
    }
    Ok(serve_over_http(&server, mcp, &serves))
}

/// Sets the limits of replies. The command line takes precedence over options. Returns whether nobody
/// has set that of text, so that it depends on the client.
fn set_limits(options: &mut Options, mcp: &McpArguments) -> bool {
    let default = Options::default();
    let is_default = mcp.max_reply.is_none() && options.reply_bytes == default.reply_bytes;
    if is_default {
        options.reply_bytes = MAX_REPLY;
    }
    if options.reply_images == default.reply_images {
        options.reply_images = MAX_REPLY;
    }
    if let Some(bytes) = mcp.max_reply {
        options.reply_bytes = bytes;
    }
    if let Some(bytes) = mcp.max_images {
        options.reply_images = bytes;
    }
    is_default
}

/// The tool as the server lists it.
fn tool(reader: &Reader, definition: &Definition) -> Value {
    let mut tool = Api::Mcp.tool(definition);
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

/// Serves MCP clients over HTTP.
fn serve_over_http(server: &Arc<Server>, mcp: &McpArguments, serves: &str) -> u8 {
    let Some(listen) = &mcp.http else {
        return USAGE;
    };
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
        output::print_message(&format!("serving MCP at {url}"));
        output::print_message(serves);
        if let Some(token) = &generated {
            output::print_message(&format!(
                "clients send the header `Authorization: Bearer {token}`"
            ));
        }
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
    let failed = move |error: &io::Error| {
        output::print_message(&format!("cannot write the log `{name}`: {error}"));
    };
    if file == Path::new("-") {
        return Ok(RequestLog::new(io::stderr(), failed));
    }
    let mut options = File::options();
    options.create(true).append(true);
    // Paths and queries are in it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(file);
    let log =
        opened.map_err(|error| format!("cannot open the log `{}`: {error}", file.display()))?;
    Ok(RequestLog::new(log, failed))
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
        None => std::env::var(TOKEN).ok(),
    };
    match configured {
        Some(token) => Token::new(token).map(Some),
        None => Token::random().map(Some),
    }
}
