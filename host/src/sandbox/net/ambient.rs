//! The runtime of all connections: that of wasmtime-wasi, also if the thread of a read belongs to another one.
//!
//! The runtime of a caller may have no drivers for connections and timers, and it may end before the connections that a
//! reader keeps.

use std::io;
use std::sync::OnceLock;
use std::thread;
use tokio::runtime::{EnterGuard, Handle};
use wasmtime_wasi::runtime::with_ambient_tokio_runtime;

/// Makes the runtime of connections that of this thread, until the guard is dropped. `None` if the thread belongs to no
/// runtime: then its requests use that of connections in any case.
///
/// # Errors
/// Fails if the system cannot start a thread. A request on another runtime could panic.
pub fn enter() -> io::Result<Option<EnterGuard<'static>>> {
    static RUNTIME: OnceLock<Handle> = OnceLock::new();
    if Handle::try_current().is_err() {
        return Ok(None);
    }
    if let Some(runtime) = RUNTIME.get() {
        return Ok(Some(runtime.enter()));
    }
    // wasmtime-wasi has no function that returns its runtime, and uses it only on a thread that belongs to no other.
    let found = thread::Builder::new()
        .name("omniread-runtime".to_owned())
        .spawn(|| with_ambient_tokio_runtime(Handle::current))?;
    let runtime = found
        .join()
        .map_err(|_| io::Error::other("cannot start a runtime for connections"))?;
    Ok(Some(RUNTIME.get_or_init(|| runtime).enter()))
}
