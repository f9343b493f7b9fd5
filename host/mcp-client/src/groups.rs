//! The groups of processes of all servers of this process, so that none of them outlives it.
//!
//! A server leads a group of its own, which signals of a terminal do not reach. One that ignores the end of its input
//! would stay if this process ended without its destructors.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
struct Groups {
    running: Vec<Pid>,
    /// Whether this process ends, so that no server starts any more.
    has_ended: bool,
}

static GROUPS: Mutex<Groups> = Mutex::new(Groups {
    running: Vec::new(),
    has_ended: false,
});

fn groups() -> MutexGuard<'static, Groups> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the leader of a group, and records it. `pid` is its number. The lock is kept meanwhile, so that
/// [`kill_all`] never misses a group.
///
/// # Errors
/// Fails if it cannot be started, or if [`kill_all`] was called.
pub fn start<T>(
    spawn: impl FnOnce() -> io::Result<T>,
    pid: impl FnOnce(&T) -> Option<Pid>,
) -> io::Result<T> {
    let mut groups = groups();
    if groups.has_ended {
        return Err(io::Error::other("omniread ends"));
    }
    let started = spawn()?;
    groups.running.extend(pid(&started));
    Ok(started)
}

/// Removes a group. Call it before its leader is waited for, because its number may be that of another process
/// afterwards.
pub fn forget(pid: Pid) {
    groups().running.retain(|running| *running != pid);
}

/// Sends `SIGKILL` to all groups. No server starts afterwards.
pub fn kill_all() {
    let mut groups = groups();
    groups.has_ended = true;
    for pid in &groups.running {
        let _ = kill_process_group(*pid, Signal::KILL);
    }
}
