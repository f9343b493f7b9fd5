//! The size of a text in any language.

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
    #[allow(
        clippy::cast_precision_loss,
        reason = "sizes are compared, not added up"
    )]
    let number = |number: u32| number as f32;
    Count {
        text: number(letters) + 2.5 * number(ideographs),
        words: number(words) + 0.5 * number(ideographs),
        marks: number(marks),
        ends: ends_sentence(last),
    }
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

/// Characters of languages without spaces between words.
fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
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
    fn ideographs_count_without_spaces() {
        let count = count("今天天气很好。我们去公园，好吗？");
        assert!((count.marks - 3.0).abs() < 0.1);
        assert!(count.words >= 6.0);
        assert!(count.text > 30.0);
    }
}
