//! Estimates of the tokens that texts and images cost a language model.

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
