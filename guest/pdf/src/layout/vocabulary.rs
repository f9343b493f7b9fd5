//! The words of a document, which tell whether a hyphen at the end of a line is a part of a word.

use super::limits;
use super::words::Word;
use crate::language;
use crate::script;
use std::collections::BTreeSet;

/// A set of words in lower case, and of compounds with hyphens.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    words: BTreeSet<Box<str>>,
}

impl Vocabulary {
    /// Adds the words of a page, in the order of the stream. Parts of divided words are left out.
    pub fn add(&mut self, words: &[Word]) {
        let mut divided = false;
        for word in words {
            let text = word
                .text
                .trim_matches(|it: char| !it.is_alphanumeric() && !script::is_hyphen(it));
            let was = std::mem::replace(&mut divided, text.ends_with(script::is_hyphen));
            if was || divided || word.space == Some(false) || text.chars().count() < 2 {
                continue;
            }
            if self.words.len() >= limits::VOCABULARY || text.len() > 64 {
                continue;
            }
            let text = text.replace('\u{2010}', "-").replace('\u{ad}', "");
            self.words.insert(text.to_lowercase().into_boxed_str());
        }
    }

    fn has(&self, text: &str) -> bool {
        self.words.contains(text)
    }
}

/// What becomes of a hyphen at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// The hyphen is removed, and the parts are one word.
    Join,
    /// The hyphen stays, without a space.
    Keep,
    /// There is a space.
    Space,
}

/// Decides about two parts of a text, the end of a line and the start of the next one.
pub fn joint(before: &str, after: &str, known: &[&Vocabulary]) -> Joint {
    let Some(hyphen) = before
        .chars()
        .next_back()
        .filter(|it| script::is_hyphen(*it))
    else {
        return Joint::Space;
    };
    let token = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let stem = token.trim_end_matches(script::is_hyphen);
    let Some(first) = after.chars().next() else {
        return Joint::Space;
    };
    if hyphen == '\u{ad}' {
        return Joint::Join;
    }
    let ends_with_letter = stem.chars().next_back().is_some_and(char::is_alphanumeric);
    // A dash between words, or an option such as `-` itself.
    if !ends_with_letter || !first.is_alphanumeric() {
        return if stem.is_empty() || !ends_with_letter {
            Joint::Space
        } else {
            Joint::Keep
        };
    }
    if stem.contains('/')
        || stem
            .chars()
            .next_back()
            .is_some_and(|it| it.is_ascii_digit())
    {
        return Joint::Keep;
    }
    if !first.is_lowercase() {
        // Scripts without cases are divided as well.
        return if first.is_alphabetic() && !first.is_uppercase() {
            Joint::Join
        } else {
            Joint::Keep
        };
    }
    let left: String = tail(stem).to_lowercase();
    let right: String = after
        .chars()
        .take_while(|it| it.is_alphanumeric() || script::is_hyphen(*it))
        .collect::<String>()
        .to_lowercase();
    let right_word = right.trim_end_matches(script::is_hyphen);
    let has = |text: &str| known.iter().any(|it| it.has(text));
    if has(&format!("{left}{right_word}")) {
        return Joint::Join;
    }
    if has(&format!("{left}-{right_word}")) {
        return Joint::Keep;
    }
    // A part of a compound may be divided: `state-of-the-art`, and `in-be-` before `tween`.
    let last = left.rsplit('-').next().unwrap_or_default();
    let compound = last.len() < left.len();
    if compound && has(&format!("{last}{right_word}")) {
        return Joint::Join;
    }
    // A compound that goes on with a compound: `man-in-` before `the-middle`.
    if compound && right_word.contains(script::is_hyphen) {
        return Joint::Keep;
    }
    if language::keeps_hyphen(&left, right_word) {
        return Joint::Keep;
    }
    // A compound of two words, which the document uses on their own.
    let long = last.chars().count() >= 4 && right_word.chars().count() >= 4;
    if (long || compound) && has(last) && has(right_word) {
        return Joint::Keep;
    }
    Joint::Join
}

/// The letters and hyphens at the end of a text.
fn tail(text: &str) -> &str {
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, it)| it.is_alphanumeric() || script::is_hyphen(*it))
        .last()
        .map_or(text.len(), |(at, _)| at);
    text.get(start..).unwrap_or_default()
}
