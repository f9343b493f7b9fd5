//! The program of a server: its start, its standard error, and its end.

use super::config::INHERITED;
#[cfg(unix)]
use super::groups;
use super::limits;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(unix)]
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// The last bytes of the standard error of a server.
#[derive(Clone, Debug, Default)]
pub struct Stderr(Arc<Mutex<VecDeque<u8>>>);

impl Stderr {
    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let skipped = bytes.len().saturating_sub(limits::STDERR);
        let new = bytes.get(skipped..).unwrap_or_default();
        let total = kept.len().saturating_add(new.len());
        let old = total.saturating_sub(limits::STDERR).min(kept.len());
        kept.drain(..old);
        kept.extend(new);
    }

    /// The bytes as text.
    pub fn text(&self) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.make_contiguous()).into_owned()
    }

    /// Reads standard error to its end, so that the server never waits for it.
    async fn read(self, mut from: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 8 << 10];
        while let Ok(count @ 1..) = from.read(&mut buffer).await {
            self.push(buffer.get(..count).unwrap_or_default());
        }
    }
}

/// A running program. All processes that it started and that are in its group end with it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Reads standard error to its end.
    errors: JoinHandle<()>,
    /// The last bytes of its standard error.
    pub stderr: Stderr,
}

/// Starts a program with an environment of its own. Returns its standard output and input too.
///
/// # Errors
/// Fails if the program cannot be started.
pub fn start(
    program: &OsString,
    arguments: &[OsString],
    environment: &[(OsString, OsString)],
    directory: Option<&Path>,
) -> io::Result<(Process, ChildStdout, ChildStdin)> {
    let directory = directory.map_or_else(own_directory, Path::to_owned);
    // A name is searched for in `PATH`. Systems do not agree on where a relative path starts.
    let is_name = Path::new(program).components().count() == 1;
    let path = if is_name {
        program.into()
    } else {
        directory.join(program)
    };
    let mut command = Command::new(path);
    command.args(arguments).env_clear();
    command.current_dir(&directory);
    for name in INHERITED {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    for (name, value) in environment {
        command.env(name, value);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    // An interrupt of the terminal is for this process, which then ends the server in order.
    #[cfg(unix)]
    command.process_group(0);
    #[cfg(unix)]
    let mut child = groups::start(|| command.spawn(), pid)?;
    #[cfg(not(unix))]
    let mut child = command.spawn()?;
    let missing = || io::Error::other("it has no pipes");
    let output = child.stdout.take().ok_or_else(missing)?;
    let input = child.stdin.take().ok_or_else(missing)?;
    let errors = child.stderr.take().ok_or_else(missing)?;
    let stderr = Stderr::default();
    let errors = tokio::spawn(stderr.clone().read(errors));
    let process = Process {
        child,
        errors,
        stderr,
    };
    Ok((process, output, input))
}

/// The working directory of a program whose configuration names none: one in which only the user can create
/// files.
fn own_directory() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_absolute() && home.is_dir());
    home.unwrap_or_else(|| PathBuf::from("/"))
}

impl Process {
    /// How the program ended, if it ends within [`limits::EXIT`]. The processes that it left are ended.
    pub async fn outcome(&mut self) -> Option<String> {
        #[cfg(unix)]
        {
            if !self.exits(limits::EXIT).await {
                return None;
            }
            self.kill();
        }
        let status = tokio::time::timeout(limits::EXIT, self.child.wait()).await;
        let status = status.ok()?.ok()?;
        // What it wrote last is of most use.
        if !self.errors.is_finished() {
            let _ = tokio::time::timeout(limits::EXIT, &mut self.errors).await;
        }
        Some(status.to_string())
    }

    /// Ends the program, whose standard input is closed already: waits, and then sends `SIGTERM` and
    /// `SIGKILL` to its group.
    pub async fn end(mut self) {
        #[cfg(unix)]
        {
            use rustix::process::Signal;
            if !self.exits(limits::GRACE).await {
                self.signal(Signal::TERM);
                self.exits(limits::GRACE).await;
            }
            self.kill();
        }
        #[cfg(not(unix))]
        {
            let _ = tokio::time::timeout(limits::GRACE, self.child.wait()).await;
            let _ = self.child.start_kill();
        }
        let _ = tokio::time::timeout(limits::GRACE, self.child.wait()).await;
    }

    /// Waits until the program has ended, but leaves it to be waited for, so that no other process can get its
    /// number meanwhile.
    #[cfg(unix)]
    async fn exits(&self, limit: Duration) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(pid) = pid(&self.child) else {
            return true;
        };
        let start = Instant::now();
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            match waitid(WaitId::Pid(pid), options) {
                Ok(None) => {}
                Ok(Some(_)) => return true,
                // Another part of this process has waited for it, so that its number may be that of another.
                Err(_) => {
                    groups::forget(pid);
                    return true;
                }
            }
            if start.elapsed() >= limit {
                return false;
            }
            tokio::time::sleep(limits::TURN).await;
        }
    }

    /// Sends a signal to the group of the program. Only a program that was not waited for has a number.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(pid) = pid(&self.child) {
            groups::signal(pid, signal);
        }
    }

    /// Ends all processes of the group that are left. The program may be waited for afterwards.
    #[cfg(unix)]
    fn kill(&self) {
        self.signal(rustix::process::Signal::KILL);
        if let Some(pid) = pid(&self.child) {
            groups::forget(pid);
        }
    }
}

/// The number of a program that was not waited for, which is that of its group too.
#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    let pid = i32::try_from(child.id()?).ok()?;
    rustix::process::Pid::from_raw(pid)
}

/// Ends the programs of all servers of this process at once, also those that start just now. No server starts
/// afterwards. Call it before the process ends without dropping its [`Servers`](crate::Servers), such as on a signal.
/// It returns at once.
pub fn kill_all() {
    #[cfg(unix)]
    groups::kill_all();
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_error_keeps_its_last_bytes() {
        let stderr = Stderr::default();
        for part in [vec![b'a'; limits::STDERR - 2], vec![b'b'; 5], vec![b'c'; 2]] {
            stderr.push(&part);
        }
        let text = stderr.text();
        assert_eq!(text.len(), limits::STDERR);
        assert!(text.starts_with('a') && text.ends_with("bbbbbcc"));
        stderr.push(&vec![b'd'; limits::STDERR + 9]);
        assert_eq!(stderr.text(), "d".repeat(limits::STDERR));
    }
}
