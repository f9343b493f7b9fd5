//! How wasmtime is configured: once for the build script, which compiles, and
//! once for the runtime, which loads what was compiled. The two must agree.

use wasmtime::Config;

/// Bytes of memory that the reader starts with: its stack, its data, and room for
/// a page of a file of usual size, so that most reads need not ask for more, which
/// takes two calls of the system.
pub(crate) const READER_MEMORY: usize = 2 << 20;

/// The configuration of both.
pub(crate) fn config() -> Config {
    let mut config = Config::new();
    // Deadlines and cancellation.
    config.epoch_interruption(true);
    // A read needs little stack: recursion on data is bounded in the reader.
    config.max_wasm_stack(1 << 20);
    config
}
