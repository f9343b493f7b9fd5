//! The words of a line → their order of reading.

use super::text::space_between;
use super::words::Word;
use crate::bidi::levels::{self, Class};
use crate::script;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A word of a line in the order of reading, or a part of it.
pub struct Part<'w> {
    /// The index of the word.
    index: usize,
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
    let mut seen = BTreeSet::new();
    let order = parts(words, line).into_iter().map(|it| it.index);
    order.filter(|it| seen.insert(*it)).collect()
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
    let own = || line.iter().filter_map(|it| Some((*it, words.get(*it)?)));
    let spaced = |before: Option<&Word>, word| before.is_some_and(|it| space_between(it, word));
    let mut out: Vec<Part<'w>> = Vec::with_capacity(line.len());
    let mut before: Option<&Word> = None;
    if !has_rtl(words, line) {
        for (index, word) in own() {
            out.push(Part {
                index,
                word: Cow::Borrowed(word),
                space: spaced(before, word),
            });
            before = Some(word);
        }
        return out;
    }
    let mut elements: Vec<Element<'w>> = Vec::new();
    let mut classes: Vec<Class> = Vec::new();
    for (index, word) in own() {
        if spaced(before, word) {
            elements.push(Element::Space);
            classes.push(Class::Neutral);
        }
        before = Some(word);
        let mut all = word.text.chars().map(Class::of_character);
        if word.rtl {
            elements.push(Element::Word(index, word));
            classes.push(all.find(|it| it.is_right()).unwrap_or(Class::Right));
        } else {
            let each = word.text.chars();
            elements.extend(each.map(|it| Element::Character(index, word, it)));
            classes.extend(all);
        }
    }
    let mut space = false;
    for (place, mirrored) in levels::reading(&classes, from_right(words, line)) {
        match elements.get(place) {
            Some(Element::Word(index, word)) => out.push(Part {
                index: *index,
                word: Cow::Borrowed(word),
                space: std::mem::take(&mut space),
            }),
            Some(Element::Character(index, word, character)) => {
                let character = if mirrored {
                    script::mirrored(*character)
                } else {
                    *character
                };
                if let Some(last) = out.last_mut()
                    && last.index == *index
                    && !space
                {
                    last.word.to_mut().text.push(character);
                    continue;
                }
                let mut word = Word::clone(word);
                word.text = character.to_string();
                out.push(Part {
                    index: *index,
                    word: Cow::Owned(word),
                    space: std::mem::take(&mut space),
                });
            }
            Some(Element::Space) | None => space = true,
        }
    }
    out
}

/// An element of a line with letters from the right, with the index of its word.
enum Element<'w> {
    /// A word with letters from the right.
    Word(usize, &'w Word),
    /// A character of another word.
    Character(usize, &'w Word, char),
    /// The space between two words.
    Space,
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
