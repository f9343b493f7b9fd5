//! The lesser and the greater of two numbers.

/// In WebAssembly, `f32::min` and `f32::max` are calls of functions of C, because no instruction ignores what is not a
/// number. The layout of a page compares so many positions that the calls took a tenth of its time.
pub trait Extremes {
    /// The lesser one, as `f32::min` chooses it.
    #[must_use]
    fn lesser(self, other: Self) -> Self;

    /// The greater one, as `f32::max` chooses it.
    #[must_use]
    fn greater(self, other: Self) -> Self;
}

impl Extremes for f32 {
    #[inline]
    #[expect(
        clippy::disallowed_methods,
        reason = "zeros with signs, and what is not a number, are rare"
    )]
    fn lesser(self, other: Self) -> Self {
        if self < other || self.to_bits() == other.to_bits() {
            self
        } else if self > other {
            other
        } else {
            self.min(other)
        }
    }

    #[inline]
    #[expect(
        clippy::disallowed_methods,
        reason = "zeros with signs, and what is not a number, are rare"
    )]
    fn greater(self, other: Self) -> Self {
        if self > other || self.to_bits() == other.to_bits() {
            self
        } else if self < other {
            other
        } else {
            self.max(other)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "they are compared")]
    fn numbers_are_compared_as_by_the_standard_library() {
        let all = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            f32::MAX,
            f32::MIN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        for a in all {
            for b in all {
                // Zeros of both signs are equal.
                let same = |own: f32, known: f32| {
                    own.partial_cmp(&known) == Some(Ordering::Equal)
                        || own.is_nan() && known.is_nan()
                };
                assert!(same(a.lesser(b), a.min(b)), "{a} {b}");
                assert!(same(a.greater(b), a.max(b)), "{a} {b}");
            }
        }
    }
}
