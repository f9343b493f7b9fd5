//! Programs that read paths with another tool, and stay alive between reads.
//!
//! The protocol: a request is a line with a JSON object: `path`, `nanoseconds` and `rounds`. The program reads the
//! path until the time is over, at least once and at most `rounds` times. Its answer is a line with `least`, the time
//! of the fastest read in nanoseconds, or null if it cannot read the path; `characters`, the size of the reply; and
//! `error`.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The fastest of several reads.
#[derive(Clone, Debug)]
pub struct Fastest {
    pub time: Duration,
    pub characters: u64,
}

/// What other tool reads a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// The read tool of oh-my-pi, under bun.
    Omp,
    /// A library of Python.
    Library,
}

/// A running program.
pub struct Driver {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts the driver of a tool in a directory, or says what is missing.
    pub fn start(tool: Tool, directory: &Path) -> Result<Self, String> {
        let scripts = omniread_tests::package().join("benches/peers");
        let mut command = match tool {
            Tool::Omp => {
                let place = variable("OMNIREAD_BENCH_OMP", "a directory with its `node_modules`")?;
                let mut command = Command::new(format!("{place}/node_modules/.bin/bun"));
                command.arg(scripts.join("omp.ts")).arg(place);
                // A directory of its own keeps no settings and no results of other runs.
                command.env("HOME", directory.join(".home"));
                command
            }
            Tool::Library => {
                let mut command = Command::new(variable("OMNIREAD_BENCH_PYTHON", "a Python")?);
                command.arg(scripts.join("libraries.py"));
                command
            }
        };
        let mut child = command
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{tool:?} does not start: {error}"))?;
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let input = child.stdin.take();
        Ok(Self {
            child,
            input,
            output,
        })
    }

    /// Reads a path until `time` is over, at most `rounds` times.
    pub fn read(&mut self, path: &str, time: Duration, rounds: u32) -> Result<Fastest, String> {
        let nanoseconds = u64::try_from(time.as_nanos()).expect("seconds");
        let request = json!({ "path": path, "nanoseconds": nanoseconds, "rounds": rounds });
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{request}").map_err(|error| error.to_string())?;
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .map_err(|error| error.to_string())?;
        let answer: Value = serde_json::from_str(&line).map_err(|_| "it ended".to_owned())?;
        // A path that does not exist is an error whose time is measured too.
        match answer["least"].as_u64() {
            Some(least) => Ok(Fastest {
                time: Duration::from_nanos(least),
                characters: answer["characters"].as_u64().unwrap_or(0),
            }),
            None => Err(answer["error"].to_string()),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

fn variable(name: &str, meaning: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} is not set: {meaning}"))
}
