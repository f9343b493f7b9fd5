//! What each byte may begin, and each word.

use crate::outline::lexis::{Extra, Lexis};

/// What a byte may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// White space.
    Space,
    /// The end of a line.
    Newline,
    /// A word.
    Word,
    /// A number.
    Digit,
    /// What may begin a comment, or what [`Class::Special`] may.
    Comment,
    /// What may begin a string or something else.
    Special,
    /// Punctuation.
    Punct,
    /// Punctuation that is a token of its own, whatever follows it.
    Single,
}

/// Whether an operand comes behind this word, and not an operator.
pub(super) fn awaits_operand(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"typeof"
            | b"case"
            | b"in"
            | b"of"
            | b"delete"
            | b"void"
            | b"throw"
            | b"new"
            | b"else"
            | b"do"
            | b"yield"
            | b"await"
            | b"and"
            | b"or"
            | b"not"
            | b"if"
            | b"unless"
            | b"when"
            | b"while"
            | b"until"
            | b"then"
            | b"default"
            | b"extends"
            | b"split"
            | b"grep"
            | b"elsif"
            | b"elif"
            | b"foreach"
            | b"puts"
            | b"unlike"
            | b"like"
    )
}

pub(super) fn inner(lexis: &Lexis) -> [bool; 256] {
    std::array::from_fn(|byte| {
        let byte = u8::try_from(byte).unwrap_or_default();
        matches!(byte, b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..)
            || lexis.word.as_bytes().contains(&byte)
            || lexis.tails.as_bytes().contains(&byte)
    })
}

pub(super) fn classes(lexis: &Lexis) -> [Class; 256] {
    std::array::from_fn(|byte| {
        let byte = u8::try_from(byte).unwrap_or_default();
        let begins = |open: &str| open.as_bytes().first() == Some(&byte);
        let extra = lexis.extras.iter().any(|extra| match extra {
            Extra::Preprocessor | Extra::Conditions | Extra::Hashes => byte == b'#',
            Extra::LongBrackets => byte == b'[',
            Extra::Heredocs | Extra::PhpHeredocs | Extra::Markup => byte == b'<',
            Extra::Regexes => byte == b'/',
            Extra::Percent => matches!(byte, b'%' | b'?'),
            Extra::Sigils => matches!(byte, b'~' | b'?'),
            Extra::PhpTags => byte == b'?',
            Extra::Dollars | Extra::PerlQuotes => byte == b'$',
            Extra::BackquotedWords => byte == b'`',
            Extra::Multiline | Extra::BackslashCharacters | Extra::Spaced => byte == b'\\',
            Extra::RawHashes | Extra::RawDelimiters | Extra::End | Extra::Snippets => false,
        });
        let comment = lexis.line_comments.iter().any(|open| begins(open))
            || lexis.block_comments.iter().any(|block| begins(block.open));
        let special = extra || lexis.strings.iter().any(|quote| begins(quote.open));
        match byte {
            b'\n' => Class::Newline,
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'0'..=b'9' => Class::Digit,
            _ if comment => Class::Comment,
            _ if special => Class::Special,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Class::Word,
            _ if lexis.word.as_bytes().contains(&byte) => Class::Word,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' => Class::Single,
            _ => Class::Punct,
        }
    })
}
