//! Converters: bytes → text, with images and notes that follow its lines. Each converter
//! is pure and independent of the others.

pub mod json;
pub mod markup;
pub mod notebook;
pub mod office;
mod pretty;

pub use pretty::each_indented;

use std::borrow::Cow;

/// A text from a document. If it has more than `chars` characters, it is cut and ends with `…`.
fn shortened(text: &str, chars: usize) -> Cow<'_, str> {
    let end = text.char_indices().nth(chars);
    match end.and_then(|(end, _)| text.get(..end)) {
        Some(start) => format!("{start}…").into(),
        None => text.into(),
    }
}
