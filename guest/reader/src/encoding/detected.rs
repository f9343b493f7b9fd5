//! An encoding, and the conversion of text in it to UTF-8.

use crate::pages::{Charset, Decoder, Piece};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// An encoding, and how it was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The encoding.
    pub charset: Charset,
    /// Length of the byte order mark in bytes.
    pub bom_len: u64,
    /// Whether the encoding is guessed from the content. UTF-8, and an encoding that a byte order
    /// mark or a server states, are not guesses.
    pub guessed: bool,
    /// Whether all examined bytes are valid UTF-8.
    pub valid: bool,
}

impl Encoding {
    /// UTF-8 without a byte order mark. The bytes may be invalid.
    pub const UTF8: Self = Self {
        charset: Charset::Utf8,
        bom_len: 0,
        guessed: false,
        valid: false,
    };

    /// UTF-8 without a byte order mark. All examined bytes are valid.
    pub const VALID_UTF8: Self = Self {
        valid: true,
        ..Self::UTF8
    };

    /// An encoding that a byte order mark of `mark` bytes states.
    pub fn marked(coding: Charset, mark: u64) -> Self {
        Self {
            charset: coding,
            bom_len: mark,
            ..Self::UTF8
        }
    }

    /// Whether each byte is a character, and those of ASCII are themselves. There is no byte order mark.
    pub fn is_single_byte(self) -> bool {
        match self.charset {
            Charset::Web(encoding) => encoding.is_single_byte() && self.bom_len == 0,
            Charset::Cp437 => true,
            Charset::Utf8 | Charset::Utf32(_) => false,
        }
    }

    /// Converts `bytes` to UTF-8 without a byte order mark. `complete` states whether `bytes` is
    /// the whole text.
    pub fn decoded(self, bytes: &[u8], complete: bool) -> Cow<'_, [u8]> {
        let mark = usize::try_from(self.bom_len).unwrap_or(0);
        let bytes = bytes.get(mark..).unwrap_or_default();
        if self.valid {
            return Cow::Borrowed(bytes);
        }
        // Letters that are not ASCII become longer. With room for them the text is not copied as a whole.
        let mut text = String::with_capacity(bytes.len().saturating_add(bytes.len() / 8));
        let _ = Decoder::new(self.charset).decode(bytes, complete, &mut |piece| {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Invalid(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
            ControlFlow::Continue(())
        });
        Cow::Owned(text.into_bytes())
    }
}
