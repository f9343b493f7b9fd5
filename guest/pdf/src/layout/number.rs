//! Conversions between counts and measures.

use crate::extremes::Extremes as _;

/// A count as a measure. Counts are small, so that nothing is lost that matters.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of a page are below 16 million"
)]
pub fn float(count: usize) -> f32 {
    count as f32
}

/// A measure as a count, rounded down. What is negative or no number is 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion saturates, and negative numbers are 0"
)]
pub fn count(measure: f32) -> usize {
    measure.greater(0.0) as usize
}
