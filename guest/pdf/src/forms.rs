//! Presentation forms of Latin, Hebrew and Arabic letters → the letters of text.
//!
//! Fonts have a form of a letter for each place in a word, and for some groups of letters. Programs
//! write these forms as characters. Readers and searches expect the letters, which are the compatibility
//! decompositions of the forms (NFKC).

use std::iter;
use unicode_normalization::UnicodeNormalization as _;

/// The letters of a presentation form. `None` for all other characters.
///
/// U+FDFA and U+FDFB, which are sentences, stay, and so do the forms of punctuation in vertical text.
pub fn letters(form: char) -> Option<String> {
    // Most letters are before all of them.
    if form < '\u{fb00}' {
        return None;
    }
    if !matches!(
        form,
        '\u{fb00}'..='\u{fb06}'
            | '\u{fb1d}'..='\u{fdf9}'
            | '\u{fdfc}'
            | '\u{fe70}'..='\u{fefc}'
    ) {
        return None;
    }
    let letters: String = iter::once(form).nfkc().collect();
    (!letters.starts_with(form)).then_some(letters)
}

/// Adds a character to a text. A presentation form is written as its letters.
pub fn push(character: char, out: &mut String) {
    match letters(character) {
        Some(letters) => out.push_str(&letters),
        None => out.push(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_letters() {
        for (form, expected) in [
            ('\u{fefb}', "\u{644}\u{627}"),
            ('\u{fe8e}', "\u{627}"),
            ('\u{fb2a}', "\u{5e9}\u{5c1}"),
            ('\u{fb4f}', "\u{5d0}\u{5dc}"),
            ('\u{fdf2}', "\u{627}\u{644}\u{644}\u{647}"),
            ('\u{fb03}', "ffi"),
        ] {
            assert_eq!(letters(form).as_deref(), Some(expected));
        }
    }

    #[test]
    fn other_characters_stay() {
        for other in [
            'a', '\u{fb07}', '\u{fb13}', '\u{fb1e}', '\u{fdfa}', '\u{fe30}', '\u{fefd}',
        ] {
            assert_eq!(letters(other), None);
        }
    }
}
