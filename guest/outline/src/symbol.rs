//! A declaration that was found by its name or by a line, and the result of such a search.

use crate::grammar::Kind;

/// A declaration, heading or key. Line numbers start at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name with the names of what contains it: `Outer.inner`, `scripts.build`, `users.0.id`.
    pub name: String,
    /// The name as a query that reads only this key, with parts in quotes, if a query that is the name may
    /// also read another one: `"a".b` beside a key `a.b`.
    pub quoted: Option<String>,
    /// The kind.
    pub kind: Kind,
    /// The keyword that declares it, such as `struct`, or else the word for its kind: `function`,
    /// `heading`, `key`.
    pub word: &'static str,
    /// The first line, including the documentation comment and attributes before the declaration.
    pub first: u32,
    /// The first line of the signature, after any attributes.
    pub sign: u32,
    /// The line of the name.
    pub line: u32,
    /// The last line of the signature.
    pub head: u32,
    /// The last line of the body.
    pub last: u32,
    /// The byte offsets in the text at which the declaration starts and ends, without the
    /// documentation comment. They matter if other code is on the same lines.
    pub bytes: (usize, usize),
    /// The line from which brackets do not match, if the declaration ends on it or after it: its lines are
    /// uncertain.
    pub unsure_from: Option<u32>,
}

impl Symbol {
    /// The query that reads this declaration.
    pub fn query(&self) -> &str {
        self.quoted.as_deref().unwrap_or(&self.name)
    }
}

/// The lines of a declaration, heading or key, and how deep it is nested. Line numbers start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first line, including the documentation comment and attributes before the declaration.
    pub first: u32,
    /// The first line of the signature, after any attributes.
    pub sign: u32,
    /// The last line of the body.
    pub last: u32,
    /// The number of declarations around it.
    pub depth: u32,
    /// Whether it is inside a function.
    pub local: bool,
}

/// The result of a search for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Exactly one declaration has the name.
    One(Symbol),
    /// Several declarations have the name.
    Several {
        /// The first ones in the order of the text, at most [`crate::limits::SYMBOLS`].
        symbols: Vec<Symbol>,
        /// The number of all declarations with the name.
        total: usize,
    },
    /// No declaration has the name.
    None {
        /// Names that are similar, the most similar first, at most [`crate::limits::SIMILAR`].
        similar: Vec<String>,
        /// The line from which brackets do not match: the name may be hidden after it.
        unsure_from: Option<u32>,
    },
}

impl Found {
    /// The declarations that were found.
    pub fn symbols_mut(&mut self) -> &mut [Symbol] {
        match self {
            Self::One(symbol) => std::slice::from_mut(symbol),
            Self::Several { symbols, .. } => symbols,
            Self::None { .. } => &mut [],
        }
    }
}

/// The declarations with a name, while a text is searched.
#[derive(Debug, Default)]
pub struct Matches {
    /// The first declarations.
    pub symbols: Vec<Symbol>,
    /// The number of all declarations.
    pub total: usize,
}

impl Matches {
    /// Counts a declaration, and keeps it if there are not too many.
    pub fn add(&mut self, symbol: impl FnOnce() -> Option<Symbol>) {
        self.total = self.total.saturating_add(1);
        if self.symbols.len() < crate::limits::SYMBOLS {
            self.symbols.extend(symbol());
        }
    }

    /// The result, if a declaration has the name.
    pub fn found(mut self) -> Option<Found> {
        if self.total == 1 {
            return self.symbols.pop().map(Found::One);
        }
        let Self { symbols, total } = self;
        (total > 1).then_some(Found::Several { symbols, total })
    }
}
