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

/// Whether an operator of several characters may go on with this byte.
#[inline]
pub(super) fn continues_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'=' | b'>' | b':' | b'&' | b'|' | b'/' | b'~' | b'-' | b'+' | b'?' | b'.'
    )
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

/// Sets the entries of bytes in a table.
fn set<T: Copy>(table: &mut [T; 256], bytes: impl IntoIterator<Item = u8>, value: T) {
    for byte in bytes {
        if let Some(entry) = table.get_mut(usize::from(byte)) {
            *entry = value;
        }
    }
}

/// A table that contains for each byte whether a word may contain the byte after its first
/// character.
pub(super) fn inner(lexis: &LexRules) -> [bool; 256] {
    let mut table = INNER;
    set(
        &mut table,
        lexis.word.bytes().chain(lexis.tails.bytes()),
        true,
    );
    table
}

/// Whether a byte is a character of words in all languages, or a digit.
const fn is_common(byte: u8) -> bool {
    byte == b'_' || byte >= 0x80 || byte.is_ascii_alphanumeric()
}

/// The characters of words in all languages. The cells of a notebook are short texts, for each of which tables are
/// made from these.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_lossless,
    reason = "it is computed by the compiler"
)]
static INNER: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    loop {
        table[byte as usize] = is_common(byte);
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// The kinds of tokens in all languages, before what the rules of a language replace.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_lossless,
    reason = "it is computed by the compiler"
)]
static CLASSES: [Class; 256] = {
    let mut table = [Class::Punct; 256];
    let mut byte = 0u8;
    loop {
        table[byte as usize] = match byte {
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' => Class::Single,
            b'0'..=b'9' => Class::Digit,
            _ if is_common(byte) => Class::Word,
            _ => Class::Punct,
        };
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// The first bytes of tokens that need a closer check because of a feature.
fn special(feature: LexFeature) -> &'static [u8] {
    match feature {
        LexFeature::Preprocessor | LexFeature::Conditions | LexFeature::Hashes => b"#",
        LexFeature::LongBrackets => b"[",
        LexFeature::Heredocs | LexFeature::PhpHeredocs | LexFeature::Markup => b"<",
        LexFeature::Regexes => b"/",
        LexFeature::Percent => b"%?",
        LexFeature::Sigils => b"~?",
        LexFeature::PhpTags => b"?",
        LexFeature::Dollars | LexFeature::PerlQuotes => b"$",
        LexFeature::BackquotedWords => b"`",
        LexFeature::Multiline | LexFeature::BackslashCharacters | LexFeature::Spaced => b"\\",
        LexFeature::RawHashes
        | LexFeature::RawDelimiters
        | LexFeature::End
        | LexFeature::Backslashes
        | LexFeature::Transposes
        | LexFeature::Snippets => b"",
    }
}

/// A table that contains for each byte the kind of token that it may begin. Later entries replace earlier ones.
pub(super) fn classes(lexis: &LexRules) -> [Class; 256] {
    let first = |open: &str| open.bytes().next();
    let mut table = CLASSES;
    set(&mut table, lexis.word.bytes(), Class::Word);
    for feature in lexis.extras {
        set(
            &mut table,
            special(*feature).iter().copied(),
            Class::Special,
        );
    }
    let strings = lexis.strings.iter().filter_map(|quote| first(quote.open));
    set(&mut table, strings, Class::Special);
    let lines = lexis.line_comments.iter().filter_map(|open| first(open));
    let blocks = lexis.block_comments.iter();
    let blocks = blocks.filter_map(|block| first(block.open));
    set(&mut table, lines.chain(blocks), Class::Comment);
    set(&mut table, b'0'..=b'9', Class::Digit);
    set(&mut table, *b" \t\r\x0b\x0c", Class::Space);
    set(&mut table, *b"\n", Class::Newline);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::ALL;

    /// The class of a byte, by the first rule that applies.
    fn class(lexis: &LexRules, byte: u8) -> Class {
        let begins = |open: &str| open.as_bytes().first() == Some(&byte);
        let extra = lexis.extras.iter().any(|it| special(*it).contains(&byte));
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
    }

    #[test]
    fn entries_of_tables_are_those_of_the_first_rule_that_applies() {
        for language in ALL {
            let lexis = &language.lex_rules;
            let (classes, inner) = (classes(lexis), inner(lexis));
            for byte in 0..=u8::MAX {
                let at = usize::from(byte);
                assert_eq!(classes[at], class(lexis, byte), "{} {byte}", lexis.word);
                let is_inner = matches!(byte, b'_' | 0x80..) || byte.is_ascii_alphanumeric();
                let own = [lexis.word, lexis.tails].concat().into_bytes();
                assert_eq!(inner[at], is_inner || own.contains(&byte));
            }
        }
    }
}
