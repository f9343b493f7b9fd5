//! Which words may be keywords of a language, told by their first character and
//! their length: most words are none, and need not be compared with any.

use super::grammar::{Language, Nesting};

/// Characters that are told apart: letters of both cases, and few others with them.
const FIRSTS: usize = 64;

/// Lengths that are told apart; those behind are one.
const LENGTHS: usize = 31;

/// Words that may be keywords: for each first character the lengths of them.
#[derive(Debug)]
pub struct Keywords([u32; FIRSTS]);

impl Keywords {
    /// No words.
    pub const NONE: Self = Self([0; FIRSTS]);

    /// Those of a language.
    pub fn of(language: &Language) -> Self {
        let mut keywords = Self::NONE;
        let mut add = |words: &[&str]| {
            for word in words {
                keywords.add(word.as_bytes());
                if language.caseless {
                    keywords.add(word.to_ascii_uppercase().as_bytes());
                    keywords.add(word.to_ascii_lowercase().as_bytes());
                }
            }
        };
        for form in language.forms {
            add(&[form.word]);
        }
        add(language.modifiers);
        add(language.control);
        add(language.imports);
        if let Nesting::Ends(ends) = &language.nesting {
            for words in ends.all() {
                add(words);
            }
        }
        keywords
    }

    fn add(&mut self, word: &[u8]) {
        if let Some(lengths) = self.0.get_mut(first(word)) {
            *lengths |= length(word);
        }
    }

    /// Whether a word may be one.
    pub fn may_hold(&self, word: &[u8]) -> bool {
        let lengths = self.0.get(first(word)).copied().unwrap_or(0);
        lengths & length(word) != 0
    }
}

fn first(word: &[u8]) -> usize {
    word.first().map_or(0, |byte| usize::from(*byte) % FIRSTS)
}

fn length(word: &[u8]) -> u32 {
    1u32 << word.len().min(LENGTHS)
}
