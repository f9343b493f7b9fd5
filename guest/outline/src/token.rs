//! Tokens: words, strings, brackets and other signs.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word: a name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string, a regular expression or a part of markup such as JSX.
    Text,
    /// One character of punctuation.
    Punct(u8),
    /// `=>`
    Arrow,
    /// `->`
    ThinArrow,
    /// `::`
    Path,
    /// An operator of several characters.
    Operator,
    /// A line of the preprocessor, or a marker of a merge conflict.
    Directive,
    /// Brackets and everything between them, as one token. The byte is the opening bracket.
    Group(u8),
}

/// A part of the text: the byte offsets at which it starts and ends, and the number of its first line.
pub type Place = (usize, usize, u32);

/// A word, string, bracket or other sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: Kind,
    /// The offset of the first byte.
    pub start: usize,
    /// The offset of the byte after the token.
    pub end: usize,
    /// The line of the first byte, counted from 1.
    pub line: u32,
    /// The line of the last byte.
    pub last: u32,
    /// The indentation of its line in columns, if the token is the first one on the line.
    pub indent: Option<u32>,
    /// Whether the token is adjacent to the previous one, without a space between them.
    pub adjacent: bool,
    /// The roles of the word, if it is a keyword.
    pub roles: Roles,
}

impl Token {
    /// The offset of the first byte, the offset of the byte after the token, and the line.
    pub fn place(&self) -> Place {
        (self.start, self.end, self.line)
    }

    /// Whether the token is this punctuation character.
    pub fn is(&self, punct: u8) -> bool {
        self.kind == Kind::Punct(punct)
    }
}

/// The roles that a word has in a programming language, and its declaring keyword, if it is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    bits: u8,
    /// The position of the declaring keyword in the table of the language, counted from 1, or 0 if
    /// the word is not one.
    form: u8,
}

impl Roles {
    /// The word declares something.
    pub const FORM: Self = Self::of(1);
    /// The word may precede a declaring keyword.
    pub const MODIFIER: Self = Self::of(1 << 1);
    /// The word may precede brackets, but is not the name of a function.
    pub const CONTROL: Self = Self::of(1 << 2);
    /// The word begins an import.
    pub const IMPORT: Self = Self::of(1 << 3);
    /// The word begins, divides or ends a block.
    pub const BLOCK: Self = Self::of(1 << 4);

    const fn of(bits: u8) -> Self {
        Self { bits, form: 0 }
    }

    /// The role of a declaring keyword. `number` is its position in the table of the language,
    /// counted from 1.
    pub fn of_form(number: u8) -> Self {
        Self {
            form: number,
            ..Self::FORM
        }
    }

    /// Adds roles. A word keeps the declaring keyword that it has.
    pub fn add(&mut self, roles: Self) {
        self.bits |= roles.bits;
    }

    /// Whether the word has no role.
    pub fn is_none(self) -> bool {
        self.bits == 0
    }

    /// Whether the word has this role.
    pub fn has(self, role: Self) -> bool {
        self.bits & role.bits != 0
    }

    /// The index of the declaring keyword in the table of the language, if the word is one.
    pub fn form(self) -> Option<usize> {
        usize::from(self.form).checked_sub(1)
    }
}
