//! The tables of costs, which `fit/fit.py` wrote.
//!
//! A table has one signed byte for each hash of some bytes of a piece, in units of 1/64 token. The tables are
//! the solution of a linear least squares problem with regularisation: the tokens of each distinct piece of the
//! texts of half of the corpus, as the mean of o200k_base and of the tokenizer of Llama 3, weighted by the
//! number of texts with the piece. [The page of the crate](crate) names the corpus.

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
