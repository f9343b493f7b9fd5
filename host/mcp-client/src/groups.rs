//! The groups of processes of all servers of this process, so that none of them outlives it.
//!
//! A server leads a group of its own, which signals of a terminal do not reach. One that ignores the end of its input
//! would stay if this process ended without its destructors.

use super::limits;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// The number of servers that are being started, and are not in [`GROUPS`] yet.
static STARTING: AtomicUsize = AtomicUsize::new(0);

/// Whether this process ends, so that no server starts any more.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// The lock is held for moments only: a start may take long, such as from a network file system that hangs.
fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A start that has not been recorded.
struct Starting;

impl Starting {
    fn new() -> Self {
        STARTING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        STARTING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Starts the leader of a group, and records it. `pid` is its number.
///
/// # Errors
/// Fails if it cannot be started, or if [`kill_all`] was called.
pub fn start<T>(
    spawn: impl FnOnce() -> io::Result<T>,
    pid: impl FnOnce(&T) -> Option<Pid>,
) -> io::Result<T> {
    let ends = || io::Error::other("omniread ends");
    let _starting = Starting::new();
    if HAS_ENDED.load(Ordering::SeqCst) {
        return Err(ends());
    }
    let started = spawn()?;
    let pid = pid(&started);
    groups().extend(pid);
    if !HAS_ENDED.load(Ordering::SeqCst) {
        return Ok(started);
    }
    // It may have been recorded after the others were ended.
    if let Some(pid) = pid {
        let _ = kill_process_group(pid, Signal::KILL);
        forget(pid);
    }
    Err(ends())
}

/// Sends a signal to a group, unless it was forgotten: its number may be that of another one then.
pub fn signal(pid: Pid, signal: Signal) {
    let groups = groups();
    if groups.contains(&pid) {
        let _ = kill_process_group(pid, signal);
    }
}

/// Removes a group. Call it before its leader is waited for, because its number may be that of another process
/// afterwards.
pub fn forget(pid: Pid) {
    groups().retain(|running| *running != pid);
}

/// Ends all groups: sends `SIGTERM`, and after [`limits::LAST`] `SIGKILL`. No server starts afterwards. Servers that are
/// being started are waited for, for [`limits::LAST_START`] at most.
pub fn kill_all() {
    HAS_ENDED.store(true, Ordering::SeqCst);
    let start = Instant::now();
    while STARTING.load(Ordering::SeqCst) > 0 && start.elapsed() < limits::LAST_START {
        thread::sleep(limits::TURN);
    }
    let kill = |signal| {
        let groups = groups();
        for pid in groups.iter() {
            let _ = kill_process_group(*pid, signal);
        }
        !groups.is_empty()
    };
    if kill(Signal::TERM) {
        thread::sleep(limits::LAST);
        kill(Signal::KILL);
    }
}
