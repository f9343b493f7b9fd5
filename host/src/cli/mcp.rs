//! The command `omniread mcp`.

use super::arguments::{Arguments, McpArguments};
use super::{FAILED, READ, USAGE, output};
use crate::mcp::{Client, Defaults};
use crate::{Api, Definition, Options, Reader};
use omniread_mcp::{Http, Server, Settings, Token, serve_http, serve_stdio};
use serde_json::Value;
use std::io;
use std::sync::Arc;

/// The environment variable with the token of HTTP clients.
const TOKEN: &str = "OMNIREAD_MCP_TOKEN";

/// The maximum size of a reply, unless the command line or the environment sets another one. Clients
/// refuse much larger messages.
const MAX_REPLY: u32 = 1_000_000;

/// Serves MCP clients until the process gets a signal to end, or standard input ends. Returns the exit
/// status.
pub fn serve(
    reader: Reader,
    arguments: &Arguments,
    mcp: &McpArguments,
    mut options: Options,
) -> io::Result<u8> {
    let default = Options::default().reply_bytes;
    match mcp.max_reply {
        Some(bytes) => options.reply_bytes = bytes,
        None if options.reply_bytes == default => options.reply_bytes = MAX_REPLY,
        None => {}
    }
    let tool = match reader.definitions() {
        Ok(definitions) => {
            let of_dialect = |definition: &&Definition| definition.dialect == arguments.dialect;
            let definition = definitions.iter().find(of_dialect);
            definition.map_or_else(Value::default, |definition| Api::Mcp.tool(definition))
        }
        Err(failure) => {
            output::print_message(&failure.message);
            return Ok(FAILED);
        }
    };
    let defaults = Defaults::new(arguments.dialect, options);
    let settings = Settings {
        structured: mcp.structured.into(),
        roots_from_client: mcp.roots_from_client,
    };
    let client = Client { reader, defaults };
    let server = match Server::new(Arc::new(client), tool, settings) {
        Ok(server) => server,
        Err(error) => {
            output::print_message(&format!("the reader failed: {error}"));
            return Ok(FAILED);
        }
    };
    let Some(address) = mcp.http else {
        return serve_stdio(&server).map(|()| READ);
    };
    let token = match token(mcp) {
        Ok(token) => token,
        Err(message) => {
            output::print_message(&message);
            return Ok(USAGE);
        }
    };
    if token.is_none() && !address.ip().is_loopback() {
        output::print_message("--no-token is for a loopback address, such as 127.0.0.1:8080");
        return Ok(USAGE);
    }
    let http = Http {
        address,
        hosts: mcp.allow_host.clone(),
        origins: mcp.allow_origin.clone(),
        token,
    };
    let generated = http.token.as_ref().and_then(Token::generated);
    let generated = generated.map(str::to_owned);
    let started = |url: &str| {
        output::print_message(&format!("serving MCP at {url}"));
        if let Some(token) = &generated {
            output::print_message(&format!(
                "clients send the header `Authorization: Bearer {token}`"
            ));
        }
    };
    match serve_http(&server, http, &started) {
        Ok(()) => Ok(READ),
        Err(error) => {
            output::print_message(&format!("cannot serve at {address}: {error}"));
            Ok(FAILED)
        }
    }
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
