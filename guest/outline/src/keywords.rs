//! Lookup of keywords. Most words of a text are not keywords. The first letter and the length of a
//! word are sufficient to reject most of them.

use crate::grammar::Nesting;
use crate::language::Language;
use crate::token::Roles;

/// The number of slots of the hash table. The hash of a word consists of five bits of its first
/// letter, which ignore case, and the last two bits of its length.
const SLOTS: usize = 128;

/// The number of keywords that most languages have no more of.
const WORDS: usize = 64;

/// The keywords of a language, as a hash table.
#[derive(Debug)]
pub struct Keywords {
    words: Vec<Entry>,
    /// For each slot, the position in `words` of the keyword that was added last, counted from 1.
    /// An empty slot has 0.
    slots: [u16; SLOTS],
    caseless: bool,
}

#[derive(Debug)]
struct Entry {
    word: &'static str,
    roles: Roles,
    /// The position in `words` of the keyword that was added to the same slot before this one,
    /// counted from 1. The first keyword of a slot has 0.
    before: u16,
}

impl Keywords {
    /// Collects the keywords of a language.
    pub fn of(language: &'static Language) -> Self {
        let mut keywords = Self {
            words: Vec::with_capacity(WORDS),
            slots: [0; SLOTS],
            caseless: language.case_insensitive,
        };
        for (form, number) in language.keywords.iter().zip(1..=u8::MAX) {
            keywords.add(form.word, Roles::of_form(number));
        }
        let mut add = |words: &[&'static str], role| {
            for word in words {
                keywords.add(word, role);
            }
        };
        add(language.modifiers, Roles::MODIFIER);
        add(language.control, Roles::CONTROL);
        add(language.imports, Roles::IMPORT);
        if let Nesting::Ends(ends) = &language.nesting {
            for words in ends.all() {
                add(words, Roles::BLOCK);
            }
        }
        keywords
    }

    /// Adds a word, or adds roles to a word that was added before. A word keeps the declaring
    /// keyword with which it was added.
    fn add(&mut self, word: &'static str, roles: Roles) {
        if let Some(at) = self.position(word.as_bytes()) {
            if let Some(keyword) = self.words.get_mut(at) {
                keyword.roles.add(roles);
            }
            return;
        }
        let Some(slot) = self.slots.get_mut(slot(word.as_bytes())) else {
            return;
        };
        let before = *slot;
        self.words.push(Entry {
            word,
            roles,
            before,
        });
        *slot = u16::try_from(self.words.len()).unwrap_or(before);
    }

    /// The roles of a word. A word that is not a keyword has no roles.
    #[inline]
    pub fn roles(&self, word: &[u8]) -> Roles {
        if self.slots.get(slot(word)).is_none_or(|slot| *slot == 0) {
            return Roles::default();
        }
        let keyword = self.position(word).and_then(|at| self.words.get(at));
        keyword.map_or(Roles::default(), |keyword| keyword.roles)
    }

    #[inline(never)]
    fn position(&self, word: &[u8]) -> Option<usize> {
        let mut next = *self.slots.get(slot(word))?;
        loop {
            let at = usize::from(next).checked_sub(1)?;
            let keyword = self.words.get(at)?;
            let other = keyword.word.as_bytes();
            // Most words differ in length or last letter, which is cheaper to check than equality.
            let alike = other.len() == word.len() && last(other) == last(word);
            if alike && (other == word || self.caseless && other.eq_ignore_ascii_case(word)) {
                return Some(at);
            }
            next = keyword.before;
        }
    }
}

fn last(word: &[u8]) -> Option<u8> {
    word.last().map(|byte| byte | 0x20)
}

fn slot(word: &[u8]) -> usize {
    let first = word.first().map_or(0, |byte| usize::from(*byte) % 32);
    first | (word.len() % 4) << 5
}
