//! Lexical rules of a language: its words, strings and comments.

/// The lexical rules of a language.
#[derive(Debug)]
pub struct LexRules {
    /// Signs that begin a comment up to the end of the line.
    pub line_comments: &'static [&'static str],
    /// The kinds of comments that end with a closing sign: `/* */`.
    pub block_comments: &'static [Block],
    /// The kinds of strings. A longer opening sign comes before its prefix: `"""` before `"`.
    pub strings: &'static [Quote],
    /// Characters that may be anywhere in a word, in addition to letters, digits and `_`.
    pub word: &'static str,
    /// Characters that may be in a word, but not at its start.
    pub tails: &'static str,
    /// Characters that may only be the last one of a word: `?` in `empty?`.
    pub last: &'static str,
    /// Additional lexical features.
    pub extras: &'static [LexFeature],
}

impl LexRules {
    /// Rules without comments, strings and additional features.
    pub const BARE: Self = Self {
        line_comments: &[],
        block_comments: &[],
        strings: &[],
        word: "",
        tails: "",
        last: "",
        extras: &[],
    };

    /// The rules of C: comments `//` and `/* */`, and strings in `"` and `'` with backslash
    /// escapes.
    pub const C: Self = Self {
        line_comments: &["//"],
        block_comments: &[Block::C],
        strings: &[Quote::DOUBLE, Quote::SINGLE],
        ..Self::BARE
    };

    /// The rules of most scripting languages: comments after `#`, and strings in `"` and `'` with
    /// backslash escapes. Strings may span lines.
    pub const SCRIPT: Self = Self {
        line_comments: &["#"],
        strings: &[Quote::DOUBLE.over_lines(), Quote::SINGLE.over_lines()],
        ..Self::BARE
    };

    /// Whether the language has this lexical feature.
    pub fn has(&self, extra: LexFeature) -> bool {
        self.extras.contains(&extra)
    }
}

/// A comment with a closing sign.
#[derive(Debug)]
pub struct Block {
    /// The opening sign.
    pub open: &'static str,
    /// The closing sign.
    pub close: &'static str,
    /// Whether the comments may be nested.
    pub nested: bool,
    /// Whether both signs must be at the start of a line.
    pub at_line_start: bool,
}

impl Block {
    /// A comment of C: `/* */`.
    pub const C: Self = Self::new("/*", "*/");

    /// A comment that ends at the first closing sign.
    pub const fn new(open: &'static str, close: &'static str) -> Self {
        Self {
            open,
            close,
            nested: false,
            at_line_start: false,
        }
    }

    /// A comment that may contain comments of the same kind.
    pub const fn nested(open: &'static str, close: &'static str) -> Self {
        Self {
            nested: true,
            ..Self::new(open, close)
        }
    }

    /// A comment whose opening and closing signs must be at the start of a line.
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
    /// The opening sign.
    pub open: &'static str,
    /// The closing sign.
    pub close: &'static str,
    /// The character that escapes the next one.
    pub escape: Option<u8>,
    /// Whether a doubled closing sign, such as `''`, is part of the contents and does not end the
    /// string.
    pub doubled: bool,
    /// Whether the string may span lines.
    pub lines: bool,
    /// The sign that begins code embedded in the string: `${`. It contains the opening bracket of
    /// the code.
    pub code: Option<&'static str>,
    /// Whether the string is a character literal, which contains exactly one character. If other
    /// text follows the opening sign, the sign begins no string.
    pub character: bool,
}

impl Quote {
    /// A string in `"` with backslash escapes, on one line.
    pub const DOUBLE: Self = Self::new("\"", "\"");

    /// A string in `'` with backslash escapes, on one line.
    pub const SINGLE: Self = Self::new("'", "'");

    /// A character literal: one character between `'`. Any other `'` is part of something else,
    /// such as a lifetime.
    pub const CHARACTER: Self = Self {
        character: true,
        ..Self::SINGLE
    };

    /// A string with backslash escapes, on one line.
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

    /// This kind of string without backslash escapes.
    pub const fn raw(self) -> Self {
        Self {
            escape: None,
            ..self
        }
    }

    /// This kind of string, with the change that it may span lines.
    pub const fn over_lines(self) -> Self {
        Self {
            lines: true,
            ..self
        }
    }

    /// This kind of string without backslash escapes. A doubled closing sign is part of the
    /// contents.
    pub const fn doubled(self) -> Self {
        Self {
            doubled: true,
            ..self.raw()
        }
    }

    /// This kind of string, with embedded code that begins with `open`.
    pub const fn code(self, open: &'static str) -> Self {
        Self {
            code: Some(open),
            ..self
        }
    }
}

/// A lexical feature that only some languages have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexFeature {
    /// Preprocessor directives: lines that begin with `#`.
    Preprocessor,
    /// Raw strings with any number of `#`: `r"…"` and `r#"…"#`.
    RawHashes,
    /// Raw strings with a delimiter: `R"x(…)x"`.
    RawDelimiters,
    /// Raw strings with one or more `#`: `#"…"#`.
    Hashes,
    /// Long brackets, as strings or as comments after `--`: `[[…]]` and `[==[…]==]`.
    LongBrackets,
    /// Heredocs, with or without quotes around the tag: `<<END`, `<<-END`, `<<~END`.
    Heredocs,
    /// Heredocs of PHP: `<<<END`.
    PhpHeredocs,
    /// Regular expressions where an operand is expected: `/…/`.
    Regexes,
    /// Markup where an operand is expected: `<a>…</a>`.
    Markup,
    /// Percent literals, such as `%w[…]` and `%q(…)`, and character literals, such as `?a`.
    Percent,
    /// An operator `'` directly after its operand: `a'`.
    Transposes,
    /// Sigils, such as `~r/…/`, and character literals, such as `?a`.
    Sigils,
    /// Character literals that begin with a backslash: `\a`, `\space`.
    BackslashCharacters,
    /// A comment begins only after white space or a separator. Spaces may precede the tag of a
    /// heredoc.
    Spaced,
    /// Conditional compilation: lines with `#if`, `#else` and others.
    Conditions,
    /// Code between `<?php` and `?>`.
    PhpTags,
    /// Quote operators of Perl: `q{…}`, `qw(…)`, `m/…/`, `s/…/…/` and others.
    PerlQuotes,
    /// Dollar-quoted strings: `$tag$…$tag$`.
    Dollars,
    /// Backslashes before quotes in strings without escapes, as `MySQL` writes them: `'it\'s'`.
    Backslashes,
    /// Words between backquotes.
    BackquotedWords,
    /// Strings that begin with two backslashes and end at the end of the line.
    Multiline,
    /// A line that begins with `__END__` or `__DATA__` ends the code.
    End,
    /// Snippets (named templates of Svelte) between tags: `{#snippet name(…)}` and `{/snippet}`.
    Snippets,
}
