//! A component whose functions never end. The host has to stop them.

/// The machine code of `endless.wat` for the machine that has built it.
pub static ENDLESS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/endless.bin"));

/// The same code for processes with a limited address space.
pub static ENDLESS_UNRESERVED: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/endless-unreserved.bin"));

/// The functions of the component that never end, or only after some thousand years.
pub const FUNCTIONS: [&str; 10] = [
    "loop",
    "second-loop",
    "nested-loops",
    "loop-with-panic",
    "loop-around-long-loop",
    "loop-with-writes",
    "loop-with-calls",
    "recursion",
    "mutual-recursion",
    "indirect-recursion",
];

/// A function of the component that ends at once, with a safepoint of each kind.
pub const ENDS: &str = "ends";
