//! The flags of the safepoints, which the build adds to the code and the library sets. Both use this module.

/// The name of the exported function that returns the flags of the safepoints of an instance.
pub const EXPORT: &str = "safepoints";

/// The number of flags of each of the two kinds of safepoints: those that ask the host come first, and then those that
/// end the instance. Each safepoint of a function has its own flag. The build fails if a function needs more.
pub const COUNT: usize = 256;

/// The number of bytes of all flags, each of which has 32 bits.
pub const BYTES: usize = 2 * 4 * COUNT;
