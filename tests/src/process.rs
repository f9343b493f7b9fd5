//! A long-lived process that a test talks to.

use crate::Cli;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time after which a test treats a process as hung. A busy machine answers within it.
const PATIENCE: Duration = Duration::from_mins(10);

/// A long-lived process with its standard streams.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The lines of standard error.
    pub errors: Receiver<String>,
}

impl Process {
    /// Starts the command line with arguments.
    ///
    /// # Panics
    /// Panics if it does not start.
    pub fn start(cli: &Cli, arguments: &[&str]) -> Self {
        Self::with_environment(cli, arguments, &[])
    }

    /// Starts the command line with arguments and environment variables.
    ///
    /// # Panics
    /// Panics if it does not start.
    pub fn with_environment(cli: &Cli, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::spawn(cli, arguments, variables, Stdio::piped())
    }

    /// Starts the command line with arguments, and with this standard error.
    ///
    /// # Panics
    /// Panics if it does not start.
    pub fn with_errors(cli: &Cli, arguments: &[&str], errors: impl Into<Stdio>) -> Self {
        Self::spawn(cli, arguments, &[], errors.into())
    }

    fn spawn(cli: &Cli, arguments: &[&str], variables: &[(&str, &str)], errors: Stdio) -> Self {
        let mut child = cli
            .command()
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("the program starts");
        Self {
            input: child.stdin.take(),
            lines: lines(child.stdout.take().expect("a pipe")),
            errors: child.stderr.take().map_or_else(|| channel().1, lines),
            child,
        }
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes bytes. Errors are ignored, because the process may have ended.
    pub fn write(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes);
        }
    }

    /// Writes a JSON value on one line.
    pub fn send(&mut self, value: &Value) {
        self.write(format!("{value}\n").as_bytes());
    }

    /// The next line of output as JSON. `None` if the output has ended.
    ///
    /// # Panics
    /// Panics if the line is not JSON, or the process hangs.
    pub fn receive(&self) -> Option<Value> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"))),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the process writes nothing"),
        }
    }

    /// The next line of output for the request `id`, whatever comes before it.
    ///
    /// # Panics
    /// Panics if there is no such line.
    pub fn reply(&self, id: &Value) -> Value {
        loop {
            let line = self.receive().unwrap_or_else(|| panic!("no reply to {id}"));
            if line.get("id") == Some(id) {
                return line;
            }
        }
    }

    /// Closes the input, and waits until the process ends. Returns its status and the rest of its
    /// output.
    ///
    /// # Panics
    /// Panics if it hangs.
    pub fn end(mut self) -> (ExitStatus, Vec<Value>) {
        drop(self.input.take());
        let rest = std::iter::from_fn(|| self.receive()).collect();
        (self.wait(), rest)
    }

    /// Closes the input, and waits until the process ends. Returns the lines of standard error.
    ///
    /// # Panics
    /// Panics if it hangs.
    pub fn end_with_errors(mut self) -> Vec<String> {
        drop(self.input.take());
        self.wait();
        self.errors.iter().collect()
    }

    /// Waits until the process ends.
    ///
    /// # Panics
    /// Panics if it hangs.
    pub fn wait(&mut self) -> ExitStatus {
        let began = std::time::Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "the process does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a pipe, which a thread reads.
fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        BufReader::new(pipe)
            .lines()
            .map_while(Result::ok)
            .all(|line| sender.send(line).is_ok());
    });
    receiver
}

/// A field of `/proc/ID/status` on Linux in bytes, such as the resident memory `VmRSS`.
///
/// # Panics
/// Panics if the process or the field does not exist.
pub fn memory(id: u32, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status"));
    let status = status.expect("the process runs");
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kib = value.and_then(|value| value.split_whitespace().next()?.parse::<u64>().ok());
    kib.expect("a number in KiB") << 10
}

/// An MCP client with the lifecycle of the versions before 2026-07-28.
#[derive(Debug)]
pub struct McpClient {
    /// The server.
    pub process: Process,
    /// The result of `initialize`.
    pub server: Value,
    id: u64,
}

impl McpClient {
    /// Starts `omniread mcp` with arguments, and initializes it. `name` is the name of the client.
    ///
    /// # Panics
    /// Panics if the server does not answer.
    pub fn start(cli: &Cli, arguments: &[&str], name: &str, capabilities: &Value) -> Self {
        let mut arguments = arguments.to_vec();
        arguments.insert(0, "mcp");
        Self::of(Process::start(cli, &arguments), name, capabilities)
    }

    /// Initializes a server. `name` is the name of the client.
    ///
    /// # Panics
    /// Panics if the server does not answer.
    pub fn of(process: Process, name: &str, capabilities: &Value) -> Self {
        let mut client = Self {
            process,
            server: Value::Null,
            id: 0,
        };
        let server = client.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": { "name": name, "version": "1" },
            }),
        );
        client.server = server["result"].clone();
        client.notify("notifications/initialized", &json!({}));
        client
    }

    /// Sends a request, and returns its id.
    pub fn send(&mut self, method: &str, parameters: &Value) -> Value {
        self.id += 1;
        let id = json!(self.id);
        self.process.send(&json!({
            "jsonrpc": "2.0", "id": id, "method": method, "params": parameters,
        }));
        id
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, parameters: &Value) {
        self.process
            .send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Sends a request, and returns the response.
    ///
    /// # Panics
    /// Panics if there is no response.
    pub fn request(&mut self, method: &str, parameters: &Value) -> Value {
        let id = self.send(method, parameters);
        self.process.reply(&id)
    }

    /// Calls the tool `read` with a path. Returns the result.
    ///
    /// # Panics
    /// Panics if the response is an error.
    pub fn read(&mut self, path: &str) -> Value {
        let call = json!({ "name": "read", "arguments": { "path": path } });
        let response = self.request("tools/call", &call);
        let result = response.get("result");
        result.unwrap_or_else(|| panic!("{response}")).clone()
    }
}

/// Gives a program the name `omniread` in a directory.
///
/// # Errors
///
/// Returns an error if the directory cannot be written.
pub fn install(program: impl AsRef<Path>, directory: &Path) -> io::Result<()> {
    let name = format!("omniread{}", std::env::consts::EXE_SUFFIX);
    // A copy may fail to run with ETXTBSY: a child that another test forks meanwhile inherits the
    // descriptor that is open for writing.
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, directory.join(name))?;
    #[cfg(not(unix))]
    std::fs::copy(program, directory.join(name))?;
    Ok(())
}
