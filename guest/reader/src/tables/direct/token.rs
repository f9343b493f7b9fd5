//! Tokens of the part of SQL that this module evaluates.

/// A token of an SQL text.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name without quotes, or a keyword.
    Word(String),
    /// A name in quotes.
    Name(String),
    /// A text in single quotes.
    Text(String),
    /// A number without a sign.
    Number(String),
    /// An operator or a mark.
    Mark(&'static str),
}

/// A token with its place: the index of its first byte, and that after its last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

/// The operators and marks, longer ones first.
const MARKS: [&str; 19] = [
    "==", "!=", "<>", "<=", ">=", "||", "<", ">", "=", "(", ")", ",", "*", "-", "+", ";", "/", "%",
    ".",
];

/// The maximum number of tokens. A longer text is for the engine.
const TOKENS: usize = 2000;

/// The tokens of a text. `None` if it has others, such as comments and other operators.
pub fn tokens(sql: &str) -> Option<Vec<Placed>> {
    let mut tokens = Vec::new();
    let mut at = 0usize;
    loop {
        let rest = sql.get(at..)?;
        let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        at = at.saturating_add(rest.len().saturating_sub(trimmed.len()));
        let Some(first) = trimmed.bytes().next() else {
            return Some(tokens);
        };
        if tokens.len() >= TOKENS || trimmed.starts_with("--") || trimmed.starts_with("/*") {
            return None;
        }
        let (token, length) = match first {
            b'\'' => {
                let (text, length) = quoted(trimmed, '\'')?;
                (Token::Text(text), length)
            }
            b'"' | b'`' => {
                let (name, length) = quoted(trimmed, char::from(first))?;
                (Token::Name(name), length)
            }
            _ if starts_number(trimmed.as_bytes()) => {
                let length = number(trimmed.as_bytes())?;
                (Token::Number(trimmed.get(..length)?.to_owned()), length)
            }
            _ if is_word(first) => {
                let is_end = |byte: u8| !(is_word(byte) || byte.is_ascii_digit() || byte == b'$');
                let length = trimmed.bytes().position(is_end).unwrap_or(trimmed.len());
                // A text in hexadecimal form, `x'00'`.
                if trimmed.get(length..)?.starts_with('\'') {
                    return None;
                }
                (Token::Word(trimmed.get(..length)?.to_owned()), length)
            }
            _ => {
                let mark = MARKS.into_iter().find(|mark| trimmed.starts_with(mark))?;
                (Token::Mark(mark), mark.len())
            }
        };
        let end = at.saturating_add(length);
        tokens.push(Placed {
            token,
            start: at,
            end,
        });
        at = end;
    }
}

fn starts_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b".").unwrap_or(text);
    text.first().is_some_and(u8::is_ascii_digit)
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic() || byte >= 0x80
}

/// The text in quotes at the start of a text, and its size with the quotes.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut rest = text.get(1..)?;
    loop {
        let (before, after) = rest.split_once(quote)?;
        out.push_str(before);
        match after.strip_prefix(quote) {
            Some(more) => {
                out.push(quote);
                rest = more;
            }
            None => return Some((out, text.len().saturating_sub(after.len()))),
        }
    }
}

/// The size of the number at the start of a text: digits, at most one point, and no exponent.
fn number(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let length = text.iter().take_while(is_part).count();
    let number = text.get(..length)?;
    let points = memchr::memchr_iter(b'.', number).count();
    let follows = text
        .get(length)
        .is_some_and(|byte| is_word(*byte) || *byte == b'$');
    (points <= 1 && length > points && !follows).then_some(length)
}

impl Token {
    /// Whether it is this keyword, in lower case.
    pub fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    /// The name that it is, if it is not a keyword of SQLite.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Word(word) if !is_keyword(word) => Some(word),
            _ => None,
        }
    }
}

/// The keywords of SQLite in alphabetical order, and names with a meaning of their own.
const KEYWORDS: &str = " abort action add after all alter always analyze and as asc attach autoincrement before begin \
    between by cascade case cast check collate column commit conflict constraint create cross current current_date \
    current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each else \
    end escape except exclude exclusive exists explain fail false filter first following for foreign from full generated \
    glob group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull \
    join key last left like limit match materialized natural no not nothing notnull null nulls of offset oid on or order \
    others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex \
    release rename replace restrict returning right rollback row rowid rows savepoint select set table temp temporary \
    then ties to transaction trigger true unbounded union unique update using vacuum values view virtual when where \
    window with within without _rowid_ ";

/// Whether a word has a meaning for SQLite, so that it may not be the name of a column.
fn is_keyword(word: &str) -> bool {
    word.is_ascii() && KEYWORDS.contains(&format!(" {} ", word.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_divided_into_tokens() {
        let found = tokens("select \"a b\",x from T where y>=-1.5 and z='it''s' or ü<>.5").unwrap();
        let found: Vec<String> = found
            .into_iter()
            .map(|placed| match placed.token {
                Token::Word(word) => word,
                Token::Name(name) => format!("[{name}]"),
                Token::Text(text) => format!("<{text}>"),
                Token::Number(number) => format!("#{number}"),
                Token::Mark(mark) => mark.to_owned(),
            })
            .collect();
        let expected = "select [a b] , x from T where y >= - #1.5 and z = <it's> or ü <> #.5";
        assert_eq!(found.join(" "), expected);
        for text in [
            "a -- b",
            "a /* b */",
            "x'00'",
            "1e5",
            "0x10",
            "'open",
            "[a]",
            "1.2.3",
            "?",
            "5a",
        ] {
            assert_eq!(tokens(text), None, "{text}");
        }
    }

    #[test]
    fn keyword_is_not_a_name() {
        assert_eq!(Token::Word("Order".to_owned()).name(), None);
        assert_eq!(Token::Word("orders".to_owned()).name(), Some("orders"));
        assert_eq!(Token::Name("order".to_owned()).name(), Some("order"));
    }
}
