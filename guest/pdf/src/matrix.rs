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
        let [first_a, first_b, first_c, first_d, first_e, first_f] = first.0;
        let right = self.vector(first_a, first_b);
        let up = self.vector(first_c, first_d);
        let start = self.point(first_e, first_f);
        Self([right.0, right.1, up.0, up.1, start.0, start.1])
    }

    /// Whether both differ in nothing but the move, to the last bit.
    pub fn has_same_shape(&self, other: &Self) -> bool {
        let [a, b, c, d, ..] = self.0.map(f32::to_bits);
        let [other_a, other_b, other_c, other_d, ..] = other.0.map(f32::to_bits);
        (a, b, c, d) == (other_a, other_b, other_c, other_d)
    }

    /// The same transform with another move.
    #[must_use]
    pub fn at(mut self, (x, y): (f32, f32)) -> Self {
        let [.., right, down] = &mut self.0;
        (*right, *down) = (x, y);
        self
    }

    /// Transforms a point.
    pub fn point(self, x: f32, y: f32) -> (f32, f32) {
        let by = self.vector(x, y);
        let [.., right, down] = self.0;
        (by.0 + right, by.1 + down)
    }

    /// Transforms a vector.
    pub fn vector(self, x: f32, y: f32) -> (f32, f32) {
        let [across_x, across_y, up_x, up_y, ..] = self.0;
        (across_x * x + up_x * y, across_y * x + up_y * y)
    }

    /// The factor by which lengths grow: the mean of both directions.
    pub fn scale(self) -> f32 {
        let [a, b, c, d, ..] = self.0;
        (a * d - b * c).abs().sqrt()
    }

    /// Whether horizontal and vertical lines stay horizontal or vertical.
    pub fn is_straight(self) -> bool {
        let [a, b, c, d, ..] = self.0;
        let near = 1e-3 * self.scale();
        b.abs() <= near && c.abs() <= near || a.abs() <= near && d.abs() <= near
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
