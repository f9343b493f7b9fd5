//! Runs of commands on a pseudoterminal.

use super::PROGRAM;
use omniread_tests::{Cli, Workspace};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The replies of a terminal: called with the output so far after each part of it.
type Answer<'a> = Box<dyn FnMut(&[u8], &mut File) + 'a>;

/// A terminal on which a command runs.
pub struct Terminal<'a> {
    command: Command,
    size: (u16, u16),
    answer: Answer<'a>,
    own_input: bool,
}

/// The output of a command on a terminal.
pub struct Shown {
    /// Standard output and standard error, with `\n` as the line ending.
    pub text: String,
    /// The exit status.
    pub code: Option<i32>,
}

impl<'a> Terminal<'a> {
    /// A terminal that does not report its size, and the command that runs on it. The terminal does
    /// not answer queries.
    pub fn new(command: Command) -> Self {
        Self {
            command,
            size: (0, 0),
            answer: Box::new(|_, _| {}),
            own_input: false,
        }
    }

    /// The command line in a workspace on a terminal, with arguments and environment variables.
    pub fn of(workspace: &Workspace, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = Cli::new(PROGRAM, workspace.path()).command();
        command.args(arguments).envs(environment.iter().copied());
        Self::new(command)
    }

    /// Sets the numbers of columns and lines that the terminal reports.
    pub fn size(mut self, columns: u16, lines: u16) -> Self {
        self.size = (columns, lines);
        self
    }

    /// Sets what the terminal does after each part of the output.
    pub fn answering(mut self, answer: impl FnMut(&[u8], &mut File) + 'a) -> Self {
        self.answer = Box::new(answer);
        self
    }

    /// Keeps the standard input of the command, which is otherwise the terminal.
    pub fn own_input(mut self) -> Self {
        self.own_input = true;
        self
    }

    /// Runs the command, and returns its output.
    pub fn run(mut self) -> Shown {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("a terminal");
        grantpt(&master).expect("ours");
        unlockpt(&master).expect("open");
        let name = ptsname(&master, Vec::new()).expect("its name");
        let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let open = || {
            File::options()
                .read(true)
                .write(true)
                .open(path)
                .expect("its other end")
        };
        let (ws_col, ws_row) = self.size;
        let size = Winsize {
            ws_row,
            ws_col,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).expect("its size");
        self.command.stdout(open()).stderr(open());
        if !self.own_input {
            self.command.stdin(open());
        }
        let mut child = self.command.spawn().expect("the command line");
        // Closes our copies of the other end, so that only the child has it open.
        self.command.stdin(Stdio::null());
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut terminal = File::from(master);
        let mut all = Vec::new();
        let mut part = [0; 4096];
        // Reading fails as soon as no process has the other end open.
        while let Ok(count @ 1..) = terminal.read(&mut part) {
            all.extend_from_slice(&part[..count]);
            (self.answer)(&all, &mut terminal);
        }
        let code = child.wait().expect("its end").code();
        let text = String::from_utf8(all).expect("UTF-8");
        Shown {
            text: text.replace("\r\n", "\n"),
            code,
        }
    }
}

/// Replies once to a query of the attributes of the terminal.
pub fn attributes(reply: &'static [u8]) -> impl FnMut(&[u8], &mut File) {
    let mut done = false;
    move |all, terminal| {
        if !done && all.windows(3).any(|bytes| bytes == b"\x1b[c") {
            done = true;
            terminal.write_all(reply).expect("an answer");
        }
    }
}

/// What the command line in a workspace shows on a terminal of 80 columns.
pub fn shown(workspace: &Workspace, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let terminal = Terminal::of(workspace, arguments, environment);
    terminal.size(80, 24).run().text
}

/// Whether `setsid` is installed, which alone can set the controlling terminal of a process here, and
/// an `env` that resets signals.
pub fn has_setsid() -> bool {
    let works = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    works("setsid", &["--version"]) && works("env", &["--default-signal=INT", "true"])
}
