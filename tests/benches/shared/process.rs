//! Long-lived processes.

use omniread_tests::Workspace;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program `omniread`.
pub const OMNIREAD: &str = env!("CARGO_BIN_EXE_omniread-under-test");

/// A long-lived process, and its streams.
pub struct Process {
    pub child: Child,
    pub input: ChildStdin,
    pub output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a program in the workspace.
    pub fn start(program: &str, arguments: &[&str], workspace: &Workspace) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(workspace.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        Self {
            child,
            input,
            output: BufReader::with_capacity(64 << 10, output),
        }
    }

    /// Initializes an MCP server.
    pub fn initialize(mut self) -> Self {
        let reply = self.request(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
        );
        assert!(reply.contains("serverInfo"), "{reply}");
        let initialized = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
        self.input
            .write_all(initialized.as_bytes())
            .expect("it reads");
        self
    }

    /// Sends a line, and returns the next line of output.
    pub fn request(&mut self, line: &str) -> String {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .expect("it reads");
        let mut reply = String::new();
        self.output.read_line(&mut reply).expect("it replies");
        reply
    }

    /// Ends the input, and waits until the process ends.
    pub fn end(mut self) {
        drop(self.input);
        self.child.wait().expect("the service ends");
    }
}
