//! How wasmtime is configured: once for the build script, which compiles, and
//! once for the runtime, which loads what was compiled. The two must agree.

use wasmtime::Config;

/// How an instance gets its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// In 4 GiB of reserved addresses, so that no access needs a check.
    Reserved,
    /// Only what it uses, where addresses are few (`ulimit -v`). Each access is
    /// checked, so code is slower.
    Unreserved,
}

/// The configuration of both.
pub(crate) fn config(memory: Memory) -> Config {
    let mut config = Config::new();
    if memory == Memory::Unreserved {
        config.memory_reservation(0);
        config.memory_guard_size(0);
        config.memory_reservation_for_growth(0);
    }
    // Deadlines and cancellation.
    config.epoch_interruption(true);
    // Only debuggers and profilers need these tables. Windows has the second one anyway.
    config.generate_address_map(false);
    config.native_unwind_info(false);
    // A read needs little stack: recursion on data is bounded in the reader.
    config.max_wasm_stack(1 << 20);
    config
}
