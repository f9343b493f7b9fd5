//! The size of the image of a page.

use crate::limits;
use hayro::kurbo::Affine;
use hayro_syntax::page::Page;

/// The size of an image in pixels, and the factor from points (1/72 inch) to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The width in pixels.
    pub width: u16,
    /// The height in pixels.
    pub height: u16,
    /// Pixels per point.
    pub scale: f64,
}

impl Size {
    /// The largest size for a page of `width × height` points whose longer side has at most `longest`
    /// pixels, and which has at most `pixels` pixels and [`limits::RENDER_SCALE`] pixels per point. `None`
    /// if the page has no area, or if there is room for no pixel.
    pub fn fit(width: f32, height: f32, longest: u32, pixels: u64) -> Option<Self> {
        let longest = f64::from(longest.min(limits::RENDER_SIDE));
        let pixels = f64::from(u32::try_from(pixels).unwrap_or(u32::MAX));
        let (width, height) = (f64::from(width), f64::from(height));
        let side = width.max(height);
        if !(side.is_finite() && width > 0.0 && height > 0.0 && longest >= 1.0 && pixels >= 1.0) {
            return None;
        }
        let scale = (longest / side)
            .min((pixels / (width * height)).sqrt())
            .min(limits::RENDER_SCALE);
        let mut size = Self {
            width: side_of(width * scale),
            height: side_of(height * scale),
            scale,
        };
        // Rounding may add a row or a column.
        if f64::from(size.width) * f64::from(size.height) > pixels {
            size.width = side_of((width * scale).floor());
            size.height = side_of((height * scale).floor().min(pixels / f64::from(size.width)));
        }
        Some(size)
    }

    /// The number of pixels, as a number for estimates.
    pub fn area(self) -> f64 {
        f64::from(self.width) * f64::from(self.height)
    }

    /// The transform from the space of a page to pixels.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "products of floating-point numbers do not panic"
    )]
    pub fn place(self, page: &Page<'_>) -> Affine {
        Affine::scale(self.scale) * Affine::new(page.initial_transform(true).as_coeffs())
    }

    /// The number of pixels.
    pub fn pixels(self) -> u64 {
        u64::from(self.width).saturating_mul(u64::from(self.height))
    }
}

/// A length as a number of pixels, at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the length is clamped"
)]
fn side_of(length: f64) -> u16 {
    length.round().clamp(1.0, f64::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(width: f32, height: f32, longest: u32, pixels: u64) -> (u16, u16) {
        let size = Size::fit(width, height, longest, pixels).unwrap();
        (size.width, size.height)
    }

    #[test]
    fn longer_side_is_the_maximum() {
        assert_eq!(fit(612.0, 792.0, 1568, u64::MAX), (1212, 1568));
        assert_eq!(fit(792.0, 612.0, 1568, u64::MAX), (1568, 1212));
        // A line of text on a long strip keeps a pixel.
        assert_eq!(fit(10_000.0, 0.5, 1000, u64::MAX), (1000, 1));
    }

    #[test]
    fn pixels_are_at_most_the_maximum() {
        let (width, height) = fit(612.0, 792.0, 1568, 100_000);
        assert!(u32::from(width) * u32::from(height) <= 100_000);
        assert!(u32::from(width) * u32::from(height) > 98_000);
        assert_eq!(fit(612.0, 792.0, 1568, 1), (1, 1));
        assert_eq!(fit(100.0, 100.0, 1568, 3), (1, 1));
    }

    #[test]
    fn small_pages_are_not_blown_up() {
        let size = Size::fit(72.0, 36.0, 1568, u64::MAX).unwrap();
        assert_eq!((size.width, size.height), (300, 150));
    }

    #[test]
    fn pages_without_an_area_have_no_size() {
        assert_eq!(Size::fit(0.0, 10.0, 100, 100), None);
        assert_eq!(Size::fit(f32::NAN, 10.0, 100, 100), None);
        assert_eq!(Size::fit(f32::INFINITY, 10.0, 100, 100), None);
        assert_eq!(Size::fit(10.0, 10.0, 0, 100), None);
        assert_eq!(Size::fit(10.0, 10.0, 100, 0), None);
    }
}
