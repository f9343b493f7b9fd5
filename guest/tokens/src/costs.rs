//! The tables of costs, which `tests/tokens/fit.py` wrote.
//!
//! A table has one signed byte for each hash of some bytes of a piece, in units of 1/64 token. The tables are
//! the solution of a linear least squares problem with regularisation. Its equations are the tokens of each
//! distinct piece in the texts of half of the corpus: the mean of `o200k_base` and of the tokenizer of Llama 3.
//! A piece has the weight of its share of the tokens of each text. [The page of the crate](crate) names the corpus.

/// The units in a token.
pub const UNITS: u64 = 64;

/// The bits of a hash of three bytes.
pub const THREE_BITS: u32 = 14;

/// The bits of a hash of six bytes.
pub const SIX_BITS: u32 = 13;

/// What a byte and the two before it add.
pub static THREE: &[u8; 1 << THREE_BITS] = include_bytes!("three.bin");

/// What a character outside ASCII adds, with the bytes before it, six bytes in all.
pub static SIX: &[u8; 1 << SIX_BITS] = include_bytes!("six.bin");
