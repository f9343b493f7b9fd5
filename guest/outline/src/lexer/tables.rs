//! Kinds of tokens that each byte may begin, and words that precede operands.

use crate::lexis::{LexFeature, LexRules};

/// The length in bytes of the longest word that may be the prefix of a string: `u8R` in `u8R"…"`.
pub const PREFIX: usize = 3;

/// The length in bytes of the longest word that ends the code: `__DATA__`.
const END: usize = 8;

/// The maximum length in bytes of the words that need a closer check. Such a word may be the prefix
/// of a string (`r"…"`), end with a sign (`empty?`) or end the code (`__END__`).
pub(super) fn particular(lexis: &LexRules) -> usize {
    let prefixes = [
        LexFeature::RawHashes,
        LexFeature::RawDelimiters,
        LexFeature::PerlQuotes,
    ];
    if !lexis.last.is_empty() {
        usize::MAX
    } else if lexis.has(LexFeature::End) {
        END
    } else if prefixes.into_iter().any(|extra| lexis.has(extra)) {
        PREFIX
    } else {
        0
    }
}

/// The kind of token that a byte may begin.
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
    /// A comment. If no comment begins at the byte, a token of [`Class::Special`].
    Comment,
    /// A string or another token that needs a closer check.
    Special,
    /// Punctuation.
    Punct,
    /// Punctuation that is a token of its own, whatever follows it.
    Single,
}

/// Whether an operand is expected after this word, and not an operator: `return`.
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

/// A table that contains for each byte whether a word may contain the byte after its first
/// character.
pub(super) fn inner(lexis: &LexRules) -> [bool; 256] {
    std::array::from_fn(|byte| {
        let byte = u8::try_from(byte).unwrap_or_default();
        matches!(byte, b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..)
            || lexis.word.as_bytes().contains(&byte)
            || lexis.tails.as_bytes().contains(&byte)
    })
}

/// A table that contains for each byte the kind of token that it may begin.
pub(super) fn classes(lexis: &LexRules) -> [Class; 256] {
    std::array::from_fn(|byte| {
        let byte = u8::try_from(byte).unwrap_or_default();
        let begins = |open: &str| open.as_bytes().first() == Some(&byte);
        let extra = lexis.extras.iter().any(|extra| match extra {
            LexFeature::Preprocessor | LexFeature::Conditions | LexFeature::Hashes => byte == b'#',
            LexFeature::LongBrackets => byte == b'[',
            LexFeature::Heredocs | LexFeature::PhpHeredocs | LexFeature::Markup => byte == b'<',
            LexFeature::Regexes => byte == b'/',
            LexFeature::Percent => matches!(byte, b'%' | b'?'),
            LexFeature::Sigils => matches!(byte, b'~' | b'?'),
            LexFeature::PhpTags => byte == b'?',
            LexFeature::Dollars | LexFeature::PerlQuotes => byte == b'$',
            LexFeature::BackquotedWords => byte == b'`',
            LexFeature::Multiline | LexFeature::BackslashCharacters | LexFeature::Spaced => {
                byte == b'\\'
            }
            LexFeature::RawHashes
            | LexFeature::RawDelimiters
            | LexFeature::End
            | LexFeature::Backslashes
            | LexFeature::Snippets => false,
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
