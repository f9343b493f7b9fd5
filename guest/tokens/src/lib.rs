//! Estimates of the tokens that texts and images cost a language model.
//!
//! ```text
//! text    a text → tokens: pieces, and the costs of their bytes
//! costs   the tables of costs
//! image   the size of an image → tokens, by the rules that the makers of models publish
//! limits  the lengths of runs that are one token
//! ```
//!
//! A vocabulary has some megabytes, and the models of an agent have different ones. An estimate needs 24 KB. It
//! splits a text nearly as `o200k_base` does: words with the space or sign before them, three digits, signs,
//! white space. Digits and white space have fixed costs. A word, or signs, cost one token, and what two tables
//! add: one for each byte with the two before it, one for each character outside ASCII with the bytes
//! before it, six in all. So the tables know common and rare letters of each script, and code, prose and data
//! need no separate rules.
//!
//! # Error
//!
//! The estimate is that of two tokenizers at once: `o200k_base` of `OpenAI` (GPT-4o and later), and that of Llama 3.
//! They differ by more than 20 % for 1 % of the files, so that no number is within 10 % of both.
//! `tests/tokens/quality.py` printed this table, for files that the tables were not fitted to:
//!
//! TABLE
//!
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

mod costs;
mod image;
mod limits;
#[cfg(test)]
mod tests;
mod text;

pub use image::{ImageRule, image};
pub use text::estimate;
