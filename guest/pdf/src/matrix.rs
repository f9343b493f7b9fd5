//! Transforms of positions.

/// A transform: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix(pub [f32; 6]);

impl Matrix {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// A move.
    pub const fn moved(x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// The transform that does the other one first, then this one.
    #[must_use]
    pub fn after(self, first: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [fa, fb, fc, fd, fe, ff] = first.0;
        Self([
            a * fa + c * fb,
            b * fa + d * fb,
            a * fc + c * fd,
            b * fc + d * fd,
            a * fe + c * ff + e,
            b * fe + d * ff + f,
        ])
    }

    /// Transforms a point.
    pub fn point(self, x: f32, y: f32) -> (f32, f32) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Transforms a vector.
    pub fn vector(self, x: f32, y: f32) -> (f32, f32) {
        let [a, b, c, d, ..] = self.0;
        (a * x + c * y, b * x + d * y)
    }

    /// The factor by which lengths grow: the mean of both directions.
    pub fn scale(self) -> f32 {
        let [a, b, c, d, ..] = self.0;
        (a * d - b * c).abs().sqrt()
    }

    /// Whether all numbers are finite.
    pub fn is_finite(self) -> bool {
        self.0.iter().all(|it| it.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_transform_is_inside() {
        let double = Matrix([2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        assert_eq!(
            double.after(Matrix::moved(1.0, 2.0)).point(0.0, 0.0),
            (2.0, 4.0)
        );
        assert_eq!(
            Matrix::moved(1.0, 2.0).after(double).point(1.0, 1.0),
            (3.0, 4.0)
        );
        assert!((double.scale() - 2.0).abs() < 1e-6);
    }
}
