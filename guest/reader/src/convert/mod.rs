//! Converters: bytes → text, with images and notes that follow its lines. Each converter
//! is pure and independent of the others.

pub mod markup;
pub mod notebook;
