//! How sizes of text are compared.

/// The size from which text is large, relative to running text. Programs round sizes and change them a little to
/// fill pages, which is less.
pub const LARGE: f32 = 1.08;

/// The difference below which two sizes are one, relative to the size. Programs round sizes.
pub const SAME: f32 = 0.04;

/// The difference below which sizes of headings are one, for a size.
pub fn tolerance(size: f32) -> f32 {
    0.03 * size + 0.1
}
