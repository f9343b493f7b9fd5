//! Scripted servers: a shell script that reads requests line by line, and answers them by their method.

use omniread_mcp_client::{Connect, Connecting, Failure, Opened, Reach, Server, Servers, Stream};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The start of a script: `answer JSON` and `refuse CODE MESSAGE` answer the request in `$line`.
const HEAD: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
refuse() { printf '{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"%s"}}\n' "$id" "$1" "$2"; }
tell() { printf '{"jsonrpc":"2.0","method":"%s"}\n' "$1"; }
started() { answer '{"protocolVersion":"2025-06-18","capabilities":{"resources":{"listChanged":true}},"serverInfo":{"name":"scripted","version":"1"}}'; }
while IFS= read -r line; do
  [ -n "$LOG" ] && printf '%s\n' "$line" >> "$LOG"
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case "$line" in
"#;

/// The end of a script: the start of a server, and requests that are not in it.
const TAIL: &str = r#"
  *'"method":"initialize"'*) started;;
  *'"method":"notifications/'*) ;;
  *'"method":"resources/list"'*) answer '{"resources":[]}';;
  *'"method":"resources/templates/list"'*) answer '{"resourceTemplates":[]}';;
  *) refuse -32601 'no such method';;
  esac
done
"#;

/// A server whose script has cases of its own: `PATTERN) COMMANDS;;`.
pub fn scripted(name: &str, cases: &str) -> Server {
    program(name, &format!("{HEAD}{cases}{TAIL}"))
}

/// A server that runs a shell script.
pub fn program(name: &str, script: &str) -> Server {
    let reach = Reach::Program {
        program: "sh".into(),
        arguments: vec!["-c".into(), script.into()],
        environment: Vec::new(),
        directory: None,
    };
    Server::new(name, reach)
}

/// Adds a variable to the environment of a server.
pub fn with(mut server: Server, variable: &str, value: &str) -> Server {
    if let Reach::Program { environment, .. } = &mut server.reach {
        environment.push((variable.into(), value.into()));
    }
    server
}

/// Sets both times of a server, in milliseconds.
pub fn within(mut server: Server, start: u64, request: u64) -> Server {
    server.start = Duration::from_millis(start);
    server.request = Duration::from_millis(request);
    server
}

/// Connections without TLS and without checks.
struct Plain;

impl Connect for Plain {
    fn connect<'a>(&'a self, uri: &'a ::http::Uri) -> Connecting<'a> {
        Box::pin(async move {
            let authority = uri.authority().ok_or(io::ErrorKind::InvalidInput)?;
            let stream = tokio::net::TcpStream::connect(authority.as_str()).await?;
            Ok(Box::new(stream) as Box<dyn Stream>)
        })
    }
}

/// A client of servers.
pub fn servers(servers: Vec<Server>) -> Servers {
    let connect: Arc<dyn Connect> = Arc::new(Plain);
    Servers::new(servers, &connect)
}

/// Opens a URL, without cancellation.
pub fn open(servers: &Servers, url: &str) -> Result<Opened, Failure> {
    servers.open(url, &|| false)
}

/// Opens a URL that names a text.
pub fn text(servers: &Servers, url: &str) -> String {
    let opened = open(servers, url).unwrap_or_else(|failure| panic!("{url}: {failure}"));
    String::from_utf8(opened.bytes).unwrap()
}

/// A path for a file of a test, which does not exist.
pub fn file(name: &str) -> PathBuf {
    let name = format!("omniread-mcp-client-{}-{name}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let _ = std::fs::remove_file(&path);
    path
}
