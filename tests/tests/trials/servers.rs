//! Real MCP servers, whose resources are read as `mcp://` URLs.
//!
//! The tests of what is not installed are reported as ignored. `.ci/run` installs it.

use super::programs::Packages;
use libtest_mimic::{Failed, Trial};
use omniread_tests::{Cli, Workspace};
use serde_json::Value;
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_omniread-under-test");

/// The server for tests of clients, by the authors of MCP.
const EVERYTHING: &str = "@modelcontextprotocol/server-everything";

pub fn trials() -> Vec<Trial> {
    let packages = Arc::new(Packages::new());
    let is_installed = packages.has(EVERYTHING);
    let over_http = Arc::clone(&packages);
    let trial = |name: &str, test: Box<dyn FnOnce() -> Result<(), Failed> + Send>| {
        Trial::test(format!("servers::{name}"), test).with_ignored_flag(!is_installed)
    };
    vec![
        trial(
            "resources_are_read_over_standard_input",
            Box::new(move || over_standard_input(&packages)),
        ),
        trial(
            "resources_are_read_over_http",
            Box::new(move || http(&over_http)),
        ),
    ]
}

fn over_standard_input(packages: &Packages) -> Result<(), Failed> {
    let script = packages.path(EVERYTHING).join("dist/index.js");
    read(&format!(
        "[servers.everything]\ncommand = '{}'\nargs = ['{}', 'stdio']\n",
        packages.node.display(),
        script.display()
    ))
}

/// A process that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn http(packages: &Packages) -> Result<(), Failed> {
    // The server has no way to choose a free port itself.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let script = packages.path(EVERYTHING).join("dist/index.js");
    let mut command = packages.node(&script);
    command
        .arg("streamableHttp")
        .env("PORT", port.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut server = Server(command.spawn()?);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        if let Some(status) = server.0.try_wait()? {
            return Err(format!("the server ended: {status}").into());
        }
        sleep(Duration::from_millis(50));
    }
    read(&format!(
        "[servers.everything]\nurl = 'http://127.0.0.1:{port}/mcp'\n"
    ))
}

/// Reads the list of the resources, those in it, and those of a template.
fn read(servers: &str) -> Result<(), Failed> {
    let workspace = Workspace::new();
    workspace.file("user.toml", servers);
    let cli = Cli::new(PROGRAM, workspace.path());
    let run = |arguments: &[&str]| -> Result<String, Failed> {
        let mut command = cli.command();
        command.args(["--config", "user.toml"]).args(arguments);
        // The interpreter is found by it.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let output = command.env("PATH", path).output()?;
        if output.status.success() {
            return Ok(String::from_utf8(output.stdout)?);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("{arguments:?}: {errors}").into())
    };
    let list = run(&["mcp://everything"])?;
    let documents: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(url, _)| url)
        .filter(|url| url.starts_with("mcp://everything/demo://resource/static/"))
        .collect();
    if documents.is_empty() || !list.contains("/text/{resourceId}: ") {
        return Err(list.into());
    }
    for document in &documents {
        let reply = run(&["--json", document])?;
        let reply: Value = serde_json::from_str(&reply)?;
        let text = reply["blocks"][0]["text"].as_str().unwrap_or_default();
        if !text.contains('#') {
            return Err(format!("{document}: {reply}").into());
        }
    }
    for url in [
        "mcp://everything/demo://resource/dynamic/text/7",
        "mcp://demo://resource/dynamic/text/7",
        "mcp://everything/demo://resource/dynamic/text/7:1-1",
    ] {
        let text = run(&[url])?;
        if !text.starts_with("Resource 7: ") {
            return Err(format!("{url}: {text}").into());
        }
    }
    let missing = run(&["mcp://everything/demo://resource/nothing"]);
    let missing = missing
        .err()
        .and_then(|failed| failed.message().map(str::to_owned));
    match missing {
        Some(message) if message.contains("not found") => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}
