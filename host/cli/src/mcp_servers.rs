//! The MCP servers of the user file, whose resources are `mcp://` URLs. A workspace file cannot name any.

use super::arguments::Arguments;
use super::environment;
use omniread::Builder;
use omniread::mcp_servers::{McpServer, McpServers};
use omniread_config::{Secret, Server};
use std::collections::BTreeMap;
use std::time::Duration;

/// Adds the servers of the configuration to the builder of a reader. None is started.
///
/// # Errors
/// Fails with a message if a setting of a server or of the network is wrong.
pub fn add(builder: Builder, arguments: &Arguments) -> Result<Builder, String> {
    let configured = arguments.settings.servers();
    if configured.is_empty() {
        return Ok(builder);
    }
    let mut servers = Vec::new();
    for (name, server) in configured {
        let time = |key: &str| {
            let time = arguments.settings.time(&format!("servers.{name}.{key}"));
            // 0 means no limit. The library has one.
            time.map(|time| if time.is_zero() { Duration::MAX } else { time })
        };
        let (start, request) = (time("start-timeout"), time("timeout"));
        let mut server = self::server(&name, server)?;
        if let Some(time) = start {
            server = server.start_timeout(time);
        }
        if let Some(time) = request {
            server = server.timeout(time);
        }
        servers.push(server);
    }
    let network = arguments.network.network()?;
    let servers = McpServers::new(servers, network);
    let servers = servers.map_err(|error| error.to_string())?;
    // A signal ends a service while its readers are in use.
    let all = servers.clone();
    omniread_service::before_end(move || all.end());
    omniread_service::last_before_end(McpServers::kill_all);
    if arguments.task.is_short() {
        // Without a handler, the process still ends, but a server may stay that ignores the end of its input.
        let _ = omniread_service::last_on_termination();
    }
    Ok(builder.provider(servers.skills()).provider(servers))
}

/// A server of the configuration. If a secret is not found, only reads of this server fail.
fn server(name: &str, server: Server) -> Result<McpServer, String> {
    match server {
        Server::Program {
            command,
            args,
            env,
            cwd,
        } => {
            let mut server = McpServer::program(name, command);
            for argument in args {
                server = server.argument(argument);
            }
            if let Some(directory) = cwd {
                server = server.directory(directory);
            }
            match values(&env) {
                Ok(values) => Ok(values
                    .into_iter()
                    .fold(server, |server, (name, value)| server.variable(name, value))),
                Err(why) => Ok(McpServer::unusable(name, why)),
            }
        }
        Server::Address { url, headers } => {
            let mut server = McpServer::http(name, &url).map_err(|error| error.to_string())?;
            let values = match values(&headers) {
                Ok(values) => values,
                Err(why) => return Ok(McpServer::unusable(name, why)),
            };
            for (header, value) in values {
                server = match server.header(header, &value) {
                    Ok(server) => server,
                    Err(error) => return Ok(McpServer::unusable(name, error.to_string())),
                };
            }
            Ok(server)
        }
    }
}

/// The values of variables or headers.
///
/// # Errors
/// Fails with a message if one of them is not where the configuration says.
fn values(secrets: &BTreeMap<String, Secret>) -> Result<Vec<(&str, String)>, String> {
    let values = secrets.iter().map(|(name, Secret(text))| {
        let value = value(text).map_err(|why| format!("the value of `{name}`: {why}"));
        Ok((name.as_str(), value?))
    });
    values.collect()
}

/// The value of a text: `env:VARIABLE` is that of a variable, `file:PATH` is the first line of a file.
fn value(text: &str) -> Result<String, String> {
    if let Some(name) = text.strip_prefix("env:") {
        let value = environment::secret(name);
        let value = value.ok_or_else(|| format!("there is no environment variable `{name}`"))?;
        return value
            .into_string()
            .map_err(|_| format!("the environment variable `{name}` is not UTF-8"));
    }
    let Some(file) = text.strip_prefix("file:") else {
        return Ok(text.to_owned());
    };
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| format!("cannot read `{file}`: {error}"))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
