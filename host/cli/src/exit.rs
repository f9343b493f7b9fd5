//! The exit statuses of the program.

/// The exit status if every read succeeded.
pub const READ: u8 = 0;
/// The exit status if a read failed.
pub const FAILED: u8 = 1;
/// The exit status if a signal stopped a batch, as shells have it for Ctrl-C.
pub const STOPPED: i32 = 130;
/// The exit status if the command line is wrong.
pub const USAGE: u8 = 2;
