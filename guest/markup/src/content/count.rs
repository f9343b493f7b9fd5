//! The size of a text in any language.

use crate::letters::is_ideograph;

/// Counts of the characters of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// Characters that are not white space. An ideograph says as much as a few letters.
    pub text: f32,
    /// Words. Two ideographs are a word.
    pub words: f32,
    /// Marks that end sentences or separate parts of them.
    pub marks: f32,
    /// Whether the last character ends a sentence.
    pub ends: bool,
}

impl Count {
    pub fn add(&mut self, other: Self) {
        self.text += other.text;
        self.words += other.words;
        self.marks += other.marks;
        if other.text > 0.0 {
            self.ends = other.ends;
        }
    }
}

/// Counts a text.
pub fn count(text: &str) -> Count {
    if text.is_ascii() {
        return count_ascii(text.as_bytes());
    }
    let (mut letters, mut ideographs, mut words, mut marks) = (0_u32, 0_u32, 0_u32, 0_u32);
    let mut space = true;
    let mut last = ' ';
    for character in text.chars() {
        if character.is_ascii() {
            if character.is_ascii_whitespace() {
                // A mark counts if the sentence continues after white space: `3.5` has none.
                marks = marks.saturating_add(u32::from(is_mark(last) && !space));
                space = true;
                continue;
            }
        } else if character.is_whitespace() {
            space = true;
            continue;
        } else if is_ideograph(character) {
            ideographs = ideographs.saturating_add(1);
            space = true;
            last = character;
            continue;
        } else if is_wide_mark(character) {
            marks = marks.saturating_add(1);
        }
        letters = letters.saturating_add(1);
        words = words.saturating_add(u32::from(space && character.is_alphanumeric()));
        space = space && !character.is_alphanumeric();
        last = character;
    }
    marks = marks.saturating_add(u32::from(is_mark(last)));
    Count {
        text: number(letters) + 2.5 * number(ideographs),
        words: number(words) + 0.5 * number(ideographs),
        marks: number(marks),
        ends: ends_sentence(last),
    }
}

/// Counts a text of ASCII characters, as [`count`] does.
fn count_ascii(text: &[u8]) -> Count {
    let (mut letters, mut words, mut marks) = (0_u32, 0_u32, 0_u32);
    let mut space = true;
    let mut last = b' ';
    for byte in text {
        let class = CLASSES.get(usize::from(*byte)).copied().unwrap_or(0);
        if class == SPACE {
            marks = marks.wrapping_add(u32::from(!space && is_mark(char::from(last))));
            space = true;
        } else {
            letters = letters.wrapping_add(1);
            let starts = space && class == WORD;
            words = words.wrapping_add(u32::from(starts));
            space &= class != WORD;
            last = *byte;
        }
    }
    let last = char::from(last);
    marks = marks.wrapping_add(u32::from(is_mark(last)));
    Count {
        text: number(letters),
        words: number(words),
        marks: number(marks),
        ends: ends_sentence(last),
    }
}

/// White space in [`CLASSES`].
const SPACE: u8 = 1;

/// Letters and digits in [`CLASSES`].
const WORD: u8 = 2;

/// The class of each ASCII character. 0 for marks and other characters.
static CLASSES: [u8; 128] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "it is evaluated when this is compiled"
)]
const fn classes() -> [u8; 128] {
    let mut classes = [0; 128];
    let mut byte: u8 = 0;
    while byte < 128 {
        if byte.is_ascii_whitespace() {
            classes[byte as usize] = SPACE;
        } else if byte.is_ascii_alphanumeric() {
            classes[byte as usize] = WORD;
        }
        byte = byte.wrapping_add(1);
    }
    classes
}

#[allow(
    clippy::cast_precision_loss,
    reason = "sizes are compared, not added up"
)]
fn number(number: u32) -> f32 {
    number as f32
}

fn is_mark(character: char) -> bool {
    matches!(character, '.' | ',' | '!' | '?' | ';')
}

/// Marks of languages that do not write white space after them, or write other marks.
fn is_wide_mark(character: char) -> bool {
    matches!(
        character,
        '。' | '！' | '？' | '、' | '，' | '；' | '،' | '؟' | '؛' | '۔' | '।' | '…'
    )
}

/// Whether a text may end with this character at the end of a sentence.
pub fn ends_sentence(character: char) -> bool {
    matches!(
        character,
        '.' | '!'
            | '?'
            | '…'
            | '"'
            | '”'
            | '’'
            | '»'
            | '。'
            | '！'
            | '？'
            | '」'
            | '؟'
            | '۔'
            | '।'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_count_words_and_marks() {
        let count = count("One, two.  Three 3.5 four!");
        assert!((count.words - 5.0).abs() < 0.1);
        assert!((count.marks - 3.0).abs() < 0.1);
        assert!(count.ends);
    }

    #[test]
    fn ascii_counts_as_other_text_does() {
        for text in [
            "",
            " ",
            "a",
            "One, two.  Three 3.5 four!",
            "\n. , x\u{b}y ;",
            "(a) b.c \u{1}",
        ] {
            let mut other = count(&format!("\u{2003}{text}"));
            if text.trim_ascii().is_empty() {
                other.ends = false;
            }
            assert_eq!(count(text), other, "{text:?}");
        }
    }

    #[test]
    fn ideographs_count_without_spaces() {
        let count = count("今天天气很好。我们去公园，好吗？");
        assert!((count.marks - 3.0).abs() < 0.1);
        assert!(count.words >= 6.0);
        assert!(count.text > 30.0);
    }
}
