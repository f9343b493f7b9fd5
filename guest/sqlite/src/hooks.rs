//! System functions that SQLite calls. The time is that of the host, random numbers are
//! deterministic, and sleeping returns at once.

#![allow(unsafe_code, reason = "called from C")]

use crate::bindings::wasi::clocks::wall_clock;
use sqlite_wasm_rs as ffi;
use std::sync::atomic::{AtomicU64, Ordering};

/// The result code for success in sqlite-wasm-rs.
const OK: i32 = 0;

/// The result code for an unsupported function.
const UNSUPPORTED: i32 = 1;

#[unsafe(no_mangle)]
extern "C" fn rust_sqlite_wasm_host_sleep(_seconds: u64, _nanos: u32) {}

/// The state of the random numbers.
static STATE: AtomicU64 = AtomicU64::new(0);

/// Lets the random numbers begin again.
pub fn restart_random() {
    STATE.store(0, Ordering::Relaxed);
    // SAFETY: without a buffer, SQLite only forgets its numbers.
    unsafe { ffi::sqlite3_randomness(0, std::ptr::null_mut()) };
}

/// Fills a buffer with random numbers (splitmix64) and returns its length. The numbers are equal in
/// every read, so that the pages of a result in random order are consistent. SQLite needs no secret
/// numbers here.
#[unsafe(no_mangle)]
extern "C" fn rust_sqlite_wasm_host_random(buffer: *mut u8, length: usize) -> usize {
    for at in 0..length {
        let seed = STATE.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // SAFETY: SQLite provides `length` bytes at `buffer`.
        unsafe { buffer.add(at).write((mixed >> 56) as u8) };
    }
    length
}

#[unsafe(no_mangle)]
extern "C" fn rust_sqlite_wasm_host_epoch_timestamp_in_ms(out: *mut i64) -> i32 {
    let now = wall_clock::now();
    let millis = now.seconds.saturating_mul(1000);
    let millis = millis.saturating_add(u64::from(now.nanoseconds / 1_000_000));
    // SAFETY: SQLite provides room for one number.
    unsafe { out.write(i64::try_from(millis).unwrap_or(i64::MAX)) };
    OK
}

#[unsafe(no_mangle)]
extern "C" fn rust_sqlite_wasm_host_fill_entropy(_buffer: *mut u8, _length: usize) -> i32 {
    UNSUPPORTED
}

#[unsafe(no_mangle)]
extern "C" fn rust_sqlite_wasm_host_localtime(_seconds: i64, _out: *mut core::ffi::c_void) -> i32 {
    UNSUPPORTED
}
