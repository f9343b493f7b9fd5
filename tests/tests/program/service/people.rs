//! `omniread mcp` as people start it.

use super::cli;
use super::http::Server;
use super::mcp::text;
use omniread_tests::Workspace;
use omniread_tests::process::McpClient;
use serde_json::json;

#[test]
fn directories_are_roots() {
    let workspace = Workspace::new();
    workspace
        .file("one/a.txt", "one\n")
        .file("two/b.txt", "two\n")
        .file("three/c.txt", "three\n");
    let arguments = ["one", "two", "--root", "three"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let root = workspace.path().display().to_string();
    for path in ["one/a.txt", "two/b.txt", "three/c.txt"] {
        let result = client.read(&format!("{root}/{path}"));
        assert_eq!(result["isError"], false, "{result}");
    }
    let outside = client.read(&format!("{root}/four"));
    assert!(text(&outside).contains("outside the roots"), "{outside}");
    let run = cli(&workspace).run(&["mcp", "missing"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("`missing`"), "{}", run.stderr);
}

#[test]
fn ports_and_names_are_addresses() {
    let workspace = Workspace::new();
    for address in ["0", "localhost:0", "127.0.0.1:0"] {
        let server = Server::at(&workspace, address, &[]);
        assert!(
            server.address.starts_with("127.0.0.1:"),
            "{}",
            server.address
        );
        server.initialize();
        // A second line says what is served.
        let serves = server.process.errors.recv().unwrap();
        let root = workspace.path().display().to_string();
        assert_eq!(
            serves,
            format!("omniread: the tool `read` for files in {root}")
        );
    }
    for (address, hint) in [
        ("127.0.0.1", "write 127.0.0.1:8080"),
        ("http://localhost:8080/mcp", "write localhost:8080"),
        (":8080", "0.0.0.0:8080"),
    ] {
        let run = cli(&workspace).run(&["mcp", "--http", address]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
}

/// A client that starts the server gets nothing on standard error, which many of them log as errors.
#[test]
fn server_is_silent_without_a_terminal() {
    let workspace = Workspace::new();
    let client = McpClient::start(&cli(&workspace), &[], "test", &json!({}));
    let errors = client.process.end_with_errors();
    assert!(errors.is_empty(), "{errors:?}");
}

/// On a terminal, nobody would know that it waits.
#[test]
#[cfg(unix)]
fn server_on_a_terminal_says_what_it_serves() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::ffi::OsStrExt as _;

    let workspace = Workspace::new();
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let open = || {
        std::fs::File::options()
            .read(true)
            .write(true)
            .open(path)
            .unwrap()
    };
    let mut command = cli(&workspace).command();
    command.args(["mcp", "--dialect", "claude"]);
    command.stdin(open()).stdout(open());
    let mut child = command
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let root = workspace.path().display().to_string();
    assert_eq!(
        lines.next().unwrap().unwrap(),
        format!(
            "omniread: serving MCP on standard input and output: the tool `Read` for files in {root}"
        )
    );
    let hint = lines.next().unwrap().unwrap();
    assert!(hint.starts_with("hint: "), "{hint}");
    child.kill().unwrap();
    child.wait().unwrap();
}
