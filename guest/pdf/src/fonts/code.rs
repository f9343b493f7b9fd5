//! What the codes of a font show.

use super::symbols;
use crate::decode;
use crate::forms;
use crate::limits;
use crate::page::Text;
use hayro_syntax::object::Stream;
use std::borrow::Cow;
use std::rc::Rc;

/// What a code shows.
#[derive(Clone, Debug)]
pub struct Code {
    /// The characters.
    pub text: Text,
    /// The advance in thousandths of the font size: to the right, or downwards for a vertical font
    /// (where it is negative).
    pub advance: f32,
    /// Whether it is the code of a word space: one byte with the value 32.
    pub word_space: bool,
}

/// The bytes of a small stream of a font.
pub fn bytes<'a>(stream: &Stream<'a>) -> Option<Cow<'a, [u8]>> {
    decode::data(stream, limits::STREAM_BYTES).map(|(bytes, _)| bytes)
}

/// Changes characters that no reader means: separators of lines and the compatibility forms of
/// ligatures. Other compatibility forms stay.
pub fn normal(text: Text, name: &str) -> Text {
    let one = match &text {
        Text::One(one) => *one,
        _ => return text,
    };
    match one {
        '\u{fb00}'..='\u{fb06}' => {
            forms::letters(one).map_or(text, |letters| Text::Many(Rc::from(letters)))
        }
        '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{a0}' => Text::One(' '),
        '\u{f000}'..='\u{f0ff}' => symbols::usual(one, name).unwrap_or(text),
        '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}' => Text::Unmapped,
        _ => text,
    }
}
