//! The signals that end a process.

/// Calls a function on the first `SIGTERM` or `SIGINT` (Ctrl-C). It should let the running requests
/// finish and then end the process. If the process still runs after
/// [`limits::ENDING`](super::limits::ENDING), or gets a second signal, `late` is called, and it ends
/// at once.
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
                            exit(1);
                        });
                        if thread("omniread-end").spawn(call).is_err() {
                            exit(128 + signal);
                        }
                    }
                    None => {
                        late();
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
