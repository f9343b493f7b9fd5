//! What words mean in a language: most words mean nothing, which their first
//! letter and their length tell.

use super::grammar::{Form, Language, Nesting};

/// What a word may be in its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    bits: u8,
    /// Which of the forms it is, counted from 1.
    form: u8,
}

impl Roles {
    /// It declares something.
    pub const FORM: Self = Self::of(1);
    /// It stands before what declares something.
    pub const MODIFIER: Self = Self::of(1 << 1);
    /// It stands before brackets without being the name of a function.
    pub const CONTROL: Self = Self::of(1 << 2);
    /// It begins an import.
    pub const IMPORT: Self = Self::of(1 << 3);
    /// It begins or ends a block.
    pub const BLOCK: Self = Self::of(1 << 4);

    const fn of(bits: u8) -> Self {
        Self { bits, form: 0 }
    }

    /// Whether it is none.
    pub fn is_none(self) -> bool {
        self.bits == 0
    }

    /// Whether it is this.
    pub fn has(self, role: Self) -> bool {
        self.bits & role.bits != 0
    }

    /// What it declares in its language.
    pub fn form(self, language: &'static Language) -> Option<&'static Form> {
        language.forms.get(usize::from(self.form).checked_sub(1)?)
    }
}

/// First letters that are told apart; upper and lower case are one.
const FIRSTS: usize = 64;

/// Lengths that are told apart; those behind are one.
const LENGTHS: usize = 31;

/// The keywords of a language.
#[derive(Debug)]
pub struct Keywords {
    words: Vec<Keyword>,
    /// For each first letter the lengths of keywords, as bits.
    lengths: [u32; FIRSTS],
    /// For each first letter the last keyword, counted from 1.
    last: [u16; FIRSTS],
    caseless: bool,
}

#[derive(Debug)]
struct Keyword {
    word: &'static str,
    roles: Roles,
    /// The one before it with the same first letter.
    before: u16,
}

impl Keywords {
    /// Those of a language.
    pub fn of(language: &'static Language) -> Self {
        let mut keywords = Self {
            words: Vec::with_capacity(FIRSTS),
            lengths: [0; FIRSTS],
            last: [0; FIRSTS],
            caseless: language.caseless,
        };
        for (form, number) in language.forms.iter().zip(1..) {
            let roles = Roles {
                form: number,
                ..Roles::FORM
            };
            keywords.add(form.word, roles);
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

    /// Adds a role of a word. Of several forms the first one counts.
    fn add(&mut self, word: &'static str, roles: Roles) {
        if let Some(at) = self.position(word.as_bytes()) {
            if let Some(keyword) = self.words.get_mut(at) {
                keyword.roles.bits |= roles.bits;
            }
            return;
        }
        let first = first(word.as_bytes());
        let Some(last) = self.last.get_mut(first) else {
            return;
        };
        let before = *last;
        self.words.push(Keyword {
            word,
            roles,
            before,
        });
        *last = u16::try_from(self.words.len()).unwrap_or(before);
        if let Some(lengths) = self.lengths.get_mut(first) {
            *lengths |= length(word.as_bytes());
        }
    }

    /// What a word is.
    #[inline]
    pub fn roles(&self, word: &[u8]) -> Roles {
        let lengths = self.lengths.get(first(word)).copied().unwrap_or(0);
        if lengths & length(word) == 0 {
            return Roles::default();
        }
        let keyword = self.position(word).and_then(|at| self.words.get(at));
        keyword.map_or(Roles::default(), |keyword| keyword.roles)
    }

    #[inline(never)]
    fn position(&self, word: &[u8]) -> Option<usize> {
        let mut next = *self.last.get(first(word))?;
        loop {
            let at = usize::from(next).checked_sub(1)?;
            let keyword = self.words.get(at)?;
            let other = keyword.word.as_bytes();
            // Most differ in their length or their last letter, and need not be
            // compared.
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

fn first(word: &[u8]) -> usize {
    word.first()
        .map_or(0, |byte| usize::from(*byte | 0x20) % FIRSTS)
}

fn length(word: &[u8]) -> u32 {
    1u32 << word.len().min(LENGTHS)
}
