//! The number of words of a text.

use crate::letters::is_ideograph;
use crate::limits;

/// The part of a text in which a character is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Text that is shown.
    Text,
    /// The address of a link: `](address)`.
    Destination,
    /// An address in the text itself.
    Url,
    /// The description of an image: `![description]`.
    Description,
    /// An HTML tag, or an address in angle brackets.
    Tag,
}

/// The schemes and names with which an address in a text starts.
const URLS: [&str; 5] = ["https://", "http://", "www.", "mailto:", "ftp://"];

/// Counts the words of plain text or Markdown, up to [`limits::COUNTED_WORDS`].
///
/// Words have a letter or a digit. Addresses, HTML tags and the descriptions of images do not count.
/// In languages without spaces between words, two characters are a word.
pub fn word_count(text: &str) -> usize {
    let (mut words, mut ideographs) = (0_usize, 0_usize);
    let mut part = Part::Text;
    // Whether the next letter starts a word.
    let mut starts = true;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let counted = words.saturating_add(ideographs / 2);
        if counted >= limits::COUNTED_WORDS {
            return limits::COUNTED_WORDS;
        }
        let rest = || text.get(at..).unwrap_or_default();
        let before = std::mem::replace(&mut previous, c);
        match part {
            Part::Destination if c == ')' => {
                part = Part::Text;
                continue;
            }
            Part::Destination | Part::Url if c.is_whitespace() => part = Part::Text,
            Part::Url if matches!(c, ']' | '<' | '>' | '"' | '|') => part = Part::Text,
            Part::Description if matches!(c, ']' | '\n') => part = Part::Text,
            Part::Tag if matches!(c, '>' | '\n') => {
                part = Part::Text;
                starts |= c == '\n';
                continue;
            }
            Part::Text => {}
            _ => continue,
        }
        if c.is_whitespace() {
            starts = true;
        } else if is_ideograph(c) {
            ideographs = ideographs.saturating_add(1);
            starts = true;
        } else if c.is_alphanumeric() {
            if starts && is_url(rest()) {
                part = Part::Url;
            } else {
                words = words.saturating_add(usize::from(starts));
            }
            starts = false;
        } else if c == '(' && before == ']' {
            part = Part::Destination;
        } else if c == '[' && before == '!' {
            part = Part::Description;
        } else if c == '<' && is_tag(rest()) {
            part = Part::Tag;
            starts |= starts_with(rest(), "<br");
        } else if c == '|' {
            starts = true;
        }
    }
    words.saturating_add(ideographs / 2)
}

/// Whether a text starts with an address.
fn is_url(text: &str) -> bool {
    URLS.iter().any(|start| starts_with(text, start))
}

/// Whether a text starts with an ASCII text, in any case.
fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len())
        .is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// Whether `<` at the start of a text starts a tag.
fn is_tag(text: &str) -> bool {
    let next = text.as_bytes().get(1);
    next.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_text_are_counted() {
        for (text, expected) in [
            ("", 0),
            (" \n\t", 0),
            ("One, two.  Three 3.5 don't!", 5),
            ("- * # > | --- | ...", 0),
            ("état naïve Straße", 3),
            ("한국어 문장", 2),
        ] {
            assert_eq!(word_count(text), expected, "{text:?}");
        }
    }

    #[test]
    fn languages_without_spaces_count_by_characters() {
        assert_eq!(word_count("今天天气很好。我们去公园，好吗？"), 6);
        assert_eq!(word_count("これは日本語"), 3);
        assert_eq!(word_count("Rust 语言 is good"), 4);
        assert_eq!(word_count(&"ไทย".repeat(10)), 15);
    }

    #[test]
    fn markdown_syntax_and_addresses_do_not_count() {
        for (text, expected) in [
            ("# One **two** *three*", 3),
            ("[one two](https://x.org/a/b-c) three", 3),
            ("[one](x.html \"two\") three", 3),
            ("https://x.org/a WWW.x.org/b one", 1),
            ("[https://x.org/a](https://x.org/a) one", 1),
            ("<https://x.org/a> one", 1),
            ("![one two](a.png) three", 1),
            ("vec![one] two", 2),
            ("one<br>two H<sub>2</sub>O", 3),
            ("| one | two |\n| --- | --- |\n|three|four|", 4),
            ("a < b", 2),
            ("a<b\nc d", 3),
        ] {
            assert_eq!(word_count(text), expected, "{text:?}");
        }
    }

    #[test]
    fn count_ends_at_its_limit() {
        assert_eq!(word_count(&"a ".repeat(5000)), limits::COUNTED_WORDS);
        assert_eq!(word_count(&"语".repeat(5000)), limits::COUNTED_WORDS);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(text in "[\\]\\[()!<>a\\n |h:/.]{0,40}|.{0,20}") {
            proptest::prop_assert!(word_count(&text) <= text.chars().count());
        }
    }
}
