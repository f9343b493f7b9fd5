//! The words of a document, which tell whether a hyphen at the end of a line is a part of a word.

use super::limits;
use super::words::Word;
use crate::language;
use crate::script;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// A set of words in lower case, and of compounds with hyphens. Few pages ask for it, so that the set is made when the
/// first word is looked for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Vocabulary {
    /// The texts of the words that were added, one after the other.
    text: String,
    added: Vec<Added>,
    #[serde(skip)]
    words: OnceCell<BTreeSet<Box<str>>>,
}

/// A word that was added.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Added {
    /// The end of its text.
    end: usize,
    /// Whether it is the first one of a page.
    first: bool,
    /// Whether the next word follows without a space.
    touches: bool,
}

impl Vocabulary {
    /// Adds the words of a page, in the order of the stream. Parts of divided words are left out.
    pub fn add(&mut self, words: &[Word]) {
        self.words.take();
        let length: usize = words.iter().map(|it| it.text.len()).sum();
        self.text.reserve(length);
        self.added.reserve(words.len());
        for (place, word) in words.iter().enumerate() {
            self.text.push_str(&word.text);
            self.added.push(Added {
                end: self.text.len(),
                first: place == 0,
                touches: word.space == Some(false),
            });
        }
    }

    fn has(&self, text: &str) -> bool {
        self.words.get_or_init(|| self.set()).contains(text)
    }

    /// The set of the words that were added.
    fn set(&self) -> BTreeSet<Box<str>> {
        let mut words: BTreeSet<Box<str>> = BTreeSet::new();
        let mut divided = false;
        let mut start = 0_usize;
        let mut lower = String::new();
        for word in &self.added {
            let text = self.text.get(start..word.end).unwrap_or_default();
            start = word.end;
            let text =
                text.trim_matches(|it: char| !it.is_alphanumeric() && !script::is_hyphen(it));
            let was = std::mem::replace(&mut divided, text.ends_with(script::is_hyphen));
            if was && !word.first || divided || word.touches || text.chars().count() < 2 {
                continue;
            }
            if words.len() >= limits::VOCABULARY || text.len() > 64 {
                continue;
            }
            lower.clear();
            if text.is_ascii() {
                lower.push_str(text);
                lower.make_ascii_lowercase();
            } else {
                let text = text.replace('\u{2010}', "-").replace('\u{ad}', "");
                lower.push_str(&text.to_lowercase());
            }
            if !words.contains(lower.as_str()) {
                words.insert(Box::from(lower.as_str()));
            }
        }
        words
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
