//! Detects whether this process was started with standard output closed.
//!
//! The standard library opens `/dev/null` in place of a closed standard stream, so that no
//! other file gets its number. A reply would then be lost without an error. The closed stream
//! can be detected only before `main`.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when this process started.
pub fn stdout_was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
#[expect(
    unsafe_code,
    reason = "code that runs before `main` cannot be checked by the compiler"
)]
mod before_main {
    use crate::closed::{CLOSED, Ordering};
    use std::os::fd::BorrowedFd;

    // SAFETY: the loader calls each function of this section once, before `main` and before
    // there are other threads. `check` makes one system call, and uses nothing of the standard
    // library that `main` sets up.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(
        target_vendor = "apple",
        unsafe(link_section = "__DATA,__mod_init_func")
    )]
    static CHECK: extern "C" fn() = check;

    extern "C" fn check() {
        // SAFETY: a closed file number causes an error, which is what this checks. Nothing
        // closes the number while this runs.
        let stdout = unsafe { BorrowedFd::borrow_raw(1) };
        let closed = rustix::io::fcntl_getfd(stdout) == Err(rustix::io::Errno::BADF);
        CLOSED.store(closed, Ordering::Relaxed);
    }
}
