//! The signals that end a process.

use std::sync::atomic::{AtomicBool, Ordering};

/// Calls a function on the first `SIGTERM` or `SIGINT` (Ctrl-C). It should let the running requests
/// finish and then end the process. If the process still runs after
/// [`limits::ENDING`](super::limits::ENDING), or gets a second signal, `late` is called, and it ends
/// at once, after the functions of [`last_before_end`](super::last_before_end).
///
/// # Errors
/// Fails if the operating system does not let this process handle signals.
#[cfg(unix)]
#[expect(
    clippy::exit,
    reason = "the process must end even if a request does not"
)]
pub fn on_termination(
    call: impl FnOnce() + Send + 'static,
    late: impl Fn() + Send + Sync + 'static,
) -> std::io::Result<()> {
    use super::limits;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::process::exit;
    use std::sync::Arc;
    use std::thread;

    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    let late = Arc::new(late);
    thread::Builder::new()
        .name("omniread-signals".to_owned())
        .spawn(move || {
            let mut call = Some(call);
            for signal in &mut signals {
                match call.take() {
                    // This thread must stay free for the next signal.
                    Some(call) => {
                        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
                        // Without this thread, a second signal still ends the process.
                        let still_runs = Arc::clone(&late);
                        let _ = thread("omniread-late").spawn(move || {
                            thread::sleep(limits::ENDING);
                            still_runs();
                            super::ending::call_last();
                            exit(1);
                        });
                        if thread("omniread-end").spawn(call).is_err() {
                            super::ending::call_last();
                            exit(128 + signal);
                        }
                    }
                    None => {
                        late();
                        super::ending::call_last();
                        exit(128 + signal)
                    }
                }
            }
        })?;
    Ok(())
}

/// Does nothing: Windows ends console processes without a signal.
///
/// # Errors
/// Never fails.
#[cfg(not(unix))]
pub fn on_termination(
    _call: impl FnOnce() + Send + 'static,
    _late: impl Fn() + Send + Sync + 'static,
) -> std::io::Result<()> {
    Ok(())
}

/// Whether `SIGINT` has no effect, because it is for another process.
static IS_SPARED: AtomicBool = AtomicBool::new(false);

/// Has the functions of [`last_before_end`](super::last_before_end) called when `SIGTERM`, `SIGINT` (Ctrl-C) or
/// `SIGHUP` ends this process, which then ends as without a handler. It is for processes that have nothing to finish,
/// and not for one that calls [`on_termination`]. A signal that is ignored, as after `nohup`, stays so.
///
/// # Errors
/// Fails if the operating system does not let this process handle signals.
#[cfg(unix)]
pub fn last_on_termination() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let ignored = ignored();
    // Where this is not known, a hangup of a terminal may be ignored.
    let all: &[i32] = match ignored {
        Some(_) => &[SIGTERM, SIGINT, SIGHUP],
        None => &[SIGTERM, SIGINT],
    };
    let is_ignored = |signal: i32| {
        let bit = u32::try_from(signal.saturating_sub(1)).unwrap_or(u32::MAX);
        let mask = 1_u64.checked_shl(bit).unwrap_or_default();
        ignored.is_some_and(|ignored| ignored & mask != 0)
    };
    let handled = all.iter().filter(|signal| !is_ignored(**signal));
    let mut signals = Signals::new(handled)?;
    std::thread::Builder::new()
        .name("omniread-signals".to_owned())
        .spawn(move || {
            for signal in &mut signals {
                if signal == SIGINT && IS_SPARED.load(Ordering::Relaxed) {
                    continue;
                }
                super::ending::call_last();
                let _ = emulate_default_handler(signal);
            }
        })?;
    Ok(())
}

/// The signals that this process ignores, a bit for each. `None` if the system does not state them.
#[cfg(unix)]
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(line.trim(), 16).ok()
}

/// Does nothing: Windows ends console processes without a signal.
///
/// # Errors
/// Never fails.
#[cfg(not(unix))]
pub fn last_on_termination() -> std::io::Result<()> {
    Ok(())
}

/// Has `SIGINT` no effect on a process that called [`last_on_termination`], because it is for a process that it started,
/// such as a pager.
pub fn spare_interrupts() {
    IS_SPARED.store(true, Ordering::Relaxed);
}
