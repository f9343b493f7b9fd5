//! Converters: bytes → text, with images and notes beside its lines. Each is pure
//! and knows no other.

pub mod notebook;
