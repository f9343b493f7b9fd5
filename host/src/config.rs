//! The configuration of wasmtime. The build script compiles with it, and the runtime loads the
//! compiled code with it, so both use this module.

use wasmtime::{Config, Inlining};

/// How the linear memory of an instance is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// 4 GiB of address space are reserved, so that no memory access needs a check.
    Reserved,
    /// Only the used memory is allocated, for a limited address space (`ulimit -v`) or limited files
    /// (`ulimit -f`). Each memory access is checked, so code is slower.
    Unreserved,
}

/// The configuration of wasmtime for the build script and the runtime.
pub(crate) fn config(memory: Memory) -> Config {
    let mut config = Config::new();
    if memory == Memory::Unreserved {
        config.memory_reservation(0);
        // One page of WebAssembly after each memory, so that an access with a constant offset needs one check and not
        // two: the code is 8 % smaller.
        config.memory_guard_size(1 << 16);
        config.memory_reservation_for_growth(0);
        // Images of initial memory are files in memory, which count as files that the process writes.
        config.memory_init_cow(false);
    }
    // Limits on time and cancellation use safepoints, which the build adds to the code (`code/build/safepoints.rs`). Their
    // flags are in a memory with pages of one byte.
    config.wasm_branch_hinting(true);
    config.wasm_custom_page_sizes(true);
    // A function that contains another one would have two safepoints with the same flag.
    config.compiler_inlining(Inlining::No);
    // Only debuggers and profilers need these tables and names.
    config.generate_address_map(false);
    config.debug_symbols(false);
    // A read needs little stack, because the reader limits recursion on data.
    config.max_wasm_stack(1 << 20);
    config
}
