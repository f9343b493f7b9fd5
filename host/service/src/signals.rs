//! The signals that end a process.

/// Calls a function once when this process is told to end: by `SIGTERM`, or by `SIGINT` (Ctrl-C).
/// The second signal ends the process at once.
///
/// # Errors
/// Fails if the operating system does not let this process handle signals.
#[cfg(unix)]
#[expect(clippy::exit, reason = "the second signal ends the process at once")]
pub fn on_termination(call: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    std::thread::Builder::new()
        .name("omniread-signals".to_owned())
        .spawn(move || {
            let mut call = Some(call);
            for signal in &mut signals {
                match call.take() {
                    // The caller may wait, and the next signal must still end the process.
                    Some(call) => {
                        let thread = std::thread::Builder::new().name("omniread-end".to_owned());
                        if thread.spawn(call).is_err() {
                            std::process::exit(128 + signal);
                        }
                    }
                    None => std::process::exit(128 + signal),
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
pub fn on_termination(_call: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    Ok(())
}
