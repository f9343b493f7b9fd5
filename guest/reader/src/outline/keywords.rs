//! What words mean in a language: most mean nothing, which their first letter and
//! their length tell.

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

/// Words that are told apart at once: by 32 first letters, of which upper and lower
/// case are one, and by the last two bits of their length.
const SLOTS: usize = 128;

/// The keywords of a language.
#[derive(Debug)]
pub struct Keywords {
    words: Vec<Keyword>,
    /// For each first letter and length the last keyword, counted from 1.
    slots: [u16; SLOTS],
    caseless: bool,
}

#[derive(Debug)]
struct Keyword {
    word: &'static str,
    roles: Roles,
    /// The one before it in its slot.
    before: u16,
}

impl Keywords {
    /// Those of a language.
    pub fn of(language: &'static Language) -> Self {
        let mut keywords = Self {
            words: Vec::new(),
            slots: [0; SLOTS],
            caseless: language.caseless,
        };
        for (form, number) in language.forms.iter().zip(1..=u8::MAX) {
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
        let Some(slot) = self.slots.get_mut(slot(word.as_bytes())) else {
            return;
        };
        let before = *slot;
        self.words.push(Keyword {
            word,
            roles,
            before,
        });
        *slot = u16::try_from(self.words.len()).unwrap_or(before);
    }

    /// What a word is.
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

fn slot(word: &[u8]) -> usize {
    let first = word.first().map_or(0, |byte| usize::from(*byte) % 32);
    first | (word.len() % 4) << 5
}
