//! The characters of a font: bytes → text.

use crate::codepage::{self, CodePage};
use crate::symbols;

/// What the bytes of a font are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Characters {
    /// Characters of a code page.
    Page(CodePage),
    /// Symbols in place of letters.
    Symbols,
}

/// The characters of texts that specify no code page.
pub const DEFAULT: Characters = Characters::Page(codepage::DEFAULT);

impl Characters {
    /// Returns the characters of a code page by its number. `None` if it is not known.
    pub fn numbered(number: i32) -> Option<Self> {
        let page = CodePage::numbered(u16::try_from(number).ok()?)?;
        Some(Self::Page(page))
    }

    /// Returns the characters of a font by its `\fcharset`. `None` if the font has those of the
    /// document.
    pub fn of_charset(charset: i32) -> Option<Self> {
        match charset {
            2 => Some(Self::Symbols),
            charset => CodePage::of_charset(u8::try_from(charset).ok()?).map(Self::Page),
        }
    }

    /// Decodes bytes. `font` is the name of the font, which matters only for symbols.
    pub fn decode(self, bytes: &[u8], font: &str, out: &mut String) {
        match self {
            Self::Page(page) => page.decode(bytes, out),
            Self::Symbols => {
                let symbol = |byte: &u8| symbols::symbol(font, u32::from(*byte));
                out.extend(bytes.iter().filter_map(symbol));
            }
        }
    }
}
