//! What the words, strings and comments of a language look like.

/// How a language is cut into words.
#[derive(Debug)]
pub struct Lexis {
    /// What begins a comment that ends with its line.
    pub line_comments: &'static [&'static str],
    /// Comments with an end of their own.
    pub block_comments: &'static [Block],
    /// Strings; what begins as another one does comes first.
    pub strings: &'static [Quote],
    /// Characters of words beside letters, digits and `_`.
    pub word: &'static str,
    /// Characters of words behind their first.
    pub tails: &'static str,
    /// Characters that a word may end with.
    pub last: &'static str,
    /// What else there is.
    pub extras: &'static [Extra],
}

impl Lexis {
    /// Nothing but words and punctuation.
    pub const BARE: Self = Self {
        line_comments: &[],
        block_comments: &[],
        strings: &[],
        word: "",
        tails: "",
        last: "",
        extras: &[],
    };

    /// As in C: `//`, `/* */`, `"` and `'` with backslashes.
    pub const C: Self = Self {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        ..Self::BARE
    };

    /// As in scripts: `#`, `"` and `'` with backslashes, over several lines.
    pub const SCRIPT: Self = Self {
        line_comments: &["#"],
        strings: &[Quote::DOUBLE.over_lines(), Quote::SINGLE.over_lines()],
        ..Self::BARE
    };

    /// Whether there is this as well.
    pub fn has(&self, extra: Extra) -> bool {
        self.extras.contains(&extra)
    }
}

/// A comment with an end of its own.
#[derive(Debug)]
pub struct Block {
    /// What begins it.
    pub open: &'static str,
    /// What ends it.
    pub close: &'static str,
    /// One may hold others.
    pub nested: bool,
    /// It begins and ends at the start of a line.
    pub at_line_start: bool,
}

impl Block {
    /// `/* */`.
    pub const C: Self = Self::new("/*", "*/");

    /// One that ends where its end first stands.
    pub const fn new(open: &'static str, close: &'static str) -> Self {
        Self {
            open,
            close,
            nested: false,
            at_line_start: false,
        }
    }

    /// One that may hold others.
    pub const fn nested(open: &'static str, close: &'static str) -> Self {
        Self {
            nested: true,
            ..Self::new(open, close)
        }
    }

    /// One that begins and ends at the start of a line.
    pub const fn of_lines(open: &'static str, close: &'static str) -> Self {
        Self {
            at_line_start: true,
            ..Self::new(open, close)
        }
    }
}

/// A kind of string.
#[derive(Debug)]
pub struct Quote {
    /// What begins it.
    pub open: &'static str,
    /// What ends it.
    pub close: &'static str,
    /// What takes its meaning from the next character.
    pub escape: Option<u8>,
    /// The end stands twice where it is meant as it is.
    pub doubled: bool,
    /// It may go on behind its line.
    pub lines: bool,
    /// What begins code in it, the last character of which is the bracket that
    /// begins it.
    pub code: Option<&'static str>,
    /// It holds one character, or is none.
    pub character: bool,
}

impl Quote {
    /// `"`, with backslashes, on one line.
    pub const DOUBLE: Self = Self::new("\"", "\"");

    /// `'`, with backslashes, on one line.
    pub const SINGLE: Self = Self::new("'", "'");

    /// One character between `'`; else `'` is part of something else.
    pub const CHARACTER: Self = Self {
        character: true,
        ..Self::SINGLE
    };

    /// With backslashes, on one line.
    pub const fn new(open: &'static str, close: &'static str) -> Self {
        Self {
            open,
            close,
            escape: Some(b'\\'),
            doubled: false,
            lines: false,
            code: None,
            character: false,
        }
    }

    /// The same without backslashes.
    pub const fn raw(self) -> Self {
        Self {
            escape: None,
            ..self
        }
    }

    /// The same, which may go on behind its line.
    pub const fn over_lines(self) -> Self {
        Self {
            lines: true,
            ..self
        }
    }

    /// The same, in which its end stands twice where it is meant as it is.
    pub const fn doubled(self) -> Self {
        Self {
            doubled: true,
            ..self.raw()
        }
    }

    /// The same, with code in it.
    pub const fn code(self, open: &'static str) -> Self {
        Self {
            code: Some(open),
            ..self
        }
    }
}

/// What only some languages have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Lines with `#`: those of a preprocessor.
    Preprocessor,
    /// `r"…"` and `r#"…"#`, with any number of `#`.
    RawHashes,
    /// `R"x(…)x"`.
    RawDelimiters,
    /// `#"…"#`, with any number of `#`.
    Hashes,
    /// `[[…]]` and `[==[…]==]`, also behind `--`.
    LongBrackets,
    /// `<<END`, `<<-END`, `<<~END`, also in quotes.
    Heredocs,
    /// `<<<END`.
    PhpHeredocs,
    /// `/…/` where an operand stands.
    Regexes,
    /// `<a>…</a>` where an operand stands.
    Markup,
    /// `%w[…]`, `%q(…)` and others, and `?a`.
    Percent,
    /// `~r/…/`, and `?a`.
    Sigils,
    /// `\\a`
    BackslashCharacters,
    /// A comment begins behind a blank, and a heredoc may.
    Spaced,
    /// Lines with `#if`, `#else` and their like.
    Conditions,
    /// Code stands between `<?php` and `?>`.
    PhpTags,
    /// `q{…}`, `qw(…)`, `m/…/`, `s/…/…/` and others.
    PerlQuotes,
    /// `$tag$…$tag$`.
    Dollars,
    /// `` `…` `` stands for a word.
    BackquotedWords,
    /// `\\…` to the end of the line.
    Multiline,
    /// `__END__` ends the code.
    End,
    /// `{#snippet name(…)}` and `{/snippet}` stand between tags.
    Snippets,
}
