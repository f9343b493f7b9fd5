//! The lengths of runs that a vocabulary has as one token.

/// All tokenizers that the crate was measured with split digits into groups of three.
pub const DIGITS_IN_A_TOKEN: usize = 3;

/// About one token for as many spaces in a run: 1000 spaces are 10 tokens in `o200k_base` and for Llama 3.
pub const SPACES_IN_A_TOKEN: usize = 112;

/// About one token for as many line ends or tabs in a run: 1000 line ends are 65 tokens in `o200k_base`, and 34
/// for Llama 3; 1000 tabs are 64 in both.
pub const BREAKS_IN_A_TOKEN: usize = 20;

/// Words and signs have at least one token for as many bytes: 1000 equals signs are 16 tokens in `o200k_base`,
/// and 17 for Llama 3.
pub const BYTES_IN_A_TOKEN: u64 = 64;
