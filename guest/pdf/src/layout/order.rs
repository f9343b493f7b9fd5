//! The words of a line → their order of reading.

use super::words::{Word, space_between};
use crate::bidi::levels::{self, Class};
use crate::script;
use std::borrow::Cow;

/// A word of a line in the order of reading, or a part of it.
pub struct Part<'w> {
    /// The word, with the text of the part.
    pub word: Cow<'w, Word>,
    /// Whether a space is before it on the line.
    pub space: bool,
}

/// The words of a line in the order of reading, given from the left.
pub fn words(words: &[Word], line: &[usize]) -> Vec<usize> {
    if !has_rtl(words, line) {
        return line.to_vec();
    }
    let (elements, order) = reading(words, line);
    let mut out: Vec<usize> = Vec::with_capacity(line.len());
    let mut seen = vec![false; elements.len()];
    for (place, _) in order {
        // A word comes where its first part is.
        if let Some(element) = elements.get(place)
            && let Some((index, _)) = element.word
            && let Some(seen) = seen.get_mut(element.first)
            && !std::mem::replace(seen, true)
        {
            out.push(index);
        }
    }
    out
}

fn has_rtl(words: &[Word], line: &[usize]) -> bool {
    line.iter()
        .any(|it| words.get(*it).is_some_and(|it| it.rtl))
}

/// The parts of the words of a line in the order of reading. The words are given from the left.
///
/// A word with letters from the right is in the order of reading already. The signs at the ends of other
/// words may have another direction than these words, such as brackets around a Latin word in Arabic text.
pub fn parts<'w>(words: &'w [Word], line: &[usize]) -> Vec<Part<'w>> {
    let mut out: Vec<Part<'w>> = Vec::with_capacity(line.len());
    if !has_rtl(words, line) {
        for word in line.iter().filter_map(|it| words.get(*it)) {
            let before = out.last().map(|it| it.word.as_ref());
            out.push(Part {
                space: before.is_some_and(|it| space_between(it, word)),
                word: Cow::Borrowed(word),
            });
        }
        return out;
    }
    let (elements, order) = reading(words, line);
    let mut space = false;
    // The first element of the word of the last part.
    let mut last = None;
    for (place, mirrored) in order {
        let Some(element) = elements.get(place) else {
            continue;
        };
        let Some((_, word)) = element.word else {
            space = true;
            continue;
        };
        let Some(character) = element.character else {
            last = None;
            out.push(Part {
                word: Cow::Borrowed(word),
                space: std::mem::take(&mut space),
            });
            continue;
        };
        let character = if mirrored {
            script::mirrored(character)
        } else {
            character
        };
        if !space
            && last == Some(element.first)
            && let Some(part) = out.last_mut()
        {
            part.word.to_mut().text.push(character);
            continue;
        }
        last = Some(element.first);
        let mut word = Word::clone(word);
        word.text.clear();
        word.text.push(character);
        out.push(Part {
            word: Cow::Owned(word),
            space: std::mem::take(&mut space),
        });
    }
    out
}

/// An element of a line with letters from the right: a word with such letters, a character of another
/// word, or a space.
struct Element<'w> {
    /// The word and its index. `None` for a space.
    word: Option<(usize, &'w Word)>,
    /// The character. `None` for a whole word.
    character: Option<char>,
    /// The place of the first element of the word.
    first: usize,
}

/// The elements of a line from left to right, and their order of reading: their places, and whether they
/// are mirrored.
fn reading<'w>(words: &'w [Word], line: &[usize]) -> (Vec<Element<'w>>, Vec<(usize, bool)>) {
    let mut elements: Vec<Element<'w>> = Vec::with_capacity(line.len().saturating_mul(2));
    let mut classes: Vec<Class> = Vec::with_capacity(line.len().saturating_mul(2));
    let mut before: Option<&Word> = None;
    for index in line {
        let Some(word) = words.get(*index) else {
            continue;
        };
        if before.is_some_and(|it| space_between(it, word)) {
            elements.push(Element {
                word: None,
                character: None,
                first: elements.len(),
            });
            classes.push(Class::Neutral);
        }
        before = Some(word);
        let first = elements.len();
        let element = |character| Element {
            word: Some((*index, word)),
            character,
            first,
        };
        let mut own = word.text.chars().map(Class::of_character);
        if word.rtl {
            elements.push(element(None));
            classes.push(own.find(|it| it.is_right()).unwrap_or(Class::Right));
        } else {
            elements.extend(word.text.chars().map(|it| element(Some(it))));
            classes.extend(own);
        }
    }
    let order = levels::reading(&classes, from_right(words, line));
    (elements, order)
}

/// Whether a line is read from the right.
fn from_right(words: &[Word], line: &[usize]) -> bool {
    let own = line.iter().filter_map(|it| words.get(*it));
    let classes = own.flat_map(|it| it.text.chars().map(Class::of_character));
    levels::is_from_right(classes).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of words that are given from left to right, with their places in the order of reading.
    fn read(line: &[&str]) -> (String, Vec<usize>) {
        let mut x = 0.0;
        let all: Vec<Word> = line
            .iter()
            .map(|text| {
                let x0 = x + 5.0;
                x = x0 + 10.0;
                Word {
                    text: (*text).to_owned(),
                    x0,
                    x1: x,
                    size: 10.0,
                    rtl: text.chars().any(script::is_rtl),
                    ..Word::default()
                }
            })
            .collect();
        let places: Vec<usize> = (0..all.len()).collect();
        let mut out = String::new();
        for part in parts(&all, &places) {
            if part.space {
                out.push(' ');
            }
            out.push_str(&part.word.text);
        }
        (out, words(&all, &places))
    }

    #[test]
    fn lines_from_the_left_stay() {
        assert_eq!(
            read(&["a", "(b)", "1"]),
            ("a (b) 1".to_owned(), vec![0, 1, 2])
        );
    }

    #[test]
    fn brackets_around_latin_words_are_read_from_the_right() {
        let (text, order) = read(&[".(version", "3.2)", "דגבא"]);
        assert_eq!(text, "דגבא (version 3.2).");
        assert_eq!(order.first(), Some(&2));
    }

    #[test]
    fn signs_of_numbers_depend_on_the_letters_before_them() {
        assert_eq!(read(&["12.5%", "אב"]).0, "אב 12.5%");
        assert_eq!(read(&["%12.5", "بت"]).0, "بت 12.5%");
    }

    #[test]
    fn words_from_the_right_in_a_line_from_the_left_are_turned() {
        assert_eq!(
            read(&["one", "two", "אב", "גד", "three"]).0,
            "one two גד אב three"
        );
    }
}
