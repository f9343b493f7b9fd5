//! RTF as tokens: groups, control words and text (RTF 1.9.1, "Basic Entities").

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// A control word, such as `\fs24`. The parameter is within the range of an `i32`.
    Word(&'a str, Option<i32>),
    /// A control symbol, such as `\~`.
    Symbol(u8),
    /// A byte as `\'hh`.
    Hex(u8),
    /// Text up to the next token. Line ends in it have no meaning.
    Text(&'a [u8]),
    /// The bytes after `\bin`.
    Binary(&'a [u8]),
}

/// Reads tokens.
#[derive(Clone)]
pub struct Tokens<'a> {
    bytes: &'a [u8],
    position: usize,
}

/// The maximum length of a control word. RTF allows 32 letters.
const WORD: usize = 64;

impl<'a> Tokens<'a> {
    /// Starts at the beginning of a document.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Returns the position after the last token.
    pub fn position(&self) -> usize {
        self.position
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    fn advance(&mut self, count: usize) {
        self.position = self.position.saturating_add(count).min(self.bytes.len());
    }

    /// Skips the rest of the group whose start is read. Its end is the next token.
    pub fn skip_group(&mut self) {
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            let special = |byte: &u8| matches!(byte, b'{' | b'}' | b'\\');
            let Some(offset) = rest.iter().position(special) else {
                self.position = self.bytes.len();
                return;
            };
            let before = self.position.saturating_add(offset);
            self.position = before;
            match self.next() {
                Some(Token::Open) => depth = depth.saturating_add(1),
                Some(Token::Close) => match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => {
                        self.position = before;
                        return;
                    }
                },
                Some(_) => {}
                None => return,
            }
        }
    }

    /// Reads what follows a backslash.
    fn control(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let first = *rest.first()?;
        if first == b'\'' {
            let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
            let (Some(high), Some(low)) = (digit(1), digit(2)) else {
                self.advance(1);
                return Some(Token::Text(b""));
            };
            self.advance(3);
            let value = high.saturating_mul(16).saturating_add(low);
            return Some(Token::Hex(u8::try_from(value).unwrap_or_default()));
        }
        if !first.is_ascii_alphabetic() {
            self.advance(1);
            return Some(Token::Symbol(first));
        }
        let letters = rest.iter().take(WORD);
        let length = letters.take_while(|it| it.is_ascii_alphabetic()).count();
        let name = rest.get(..length).unwrap_or_default();
        self.advance(length);
        let parameter = self.parameter();
        if self.rest().first() == Some(&b' ') {
            self.advance(1);
        }
        let name = str::from_utf8(name).unwrap_or_default();
        if name == "bin" {
            let count = usize::try_from(parameter.unwrap_or_default()).unwrap_or_default();
            // A length beyond the end is damage: the text after it is kept.
            let data = self.rest().get(..count).unwrap_or_default();
            self.advance(data.len());
            return Some(Token::Binary(data));
        }
        Some(Token::Word(name, parameter))
    }

    /// Reads the number after a control word.
    fn parameter(&mut self) -> Option<i32> {
        let rest = self.rest();
        let negative = rest.first() == Some(&b'-');
        let digits = rest.get(usize::from(negative)..).unwrap_or_default();
        let length = digits.iter().take_while(|it| it.is_ascii_digit()).count();
        if length == 0 {
            return None;
        }
        self.advance(length.saturating_add(usize::from(negative)));
        let mut value = 0_i32;
        for digit in digits.iter().take(length) {
            let digit = i32::from(digit.wrapping_sub(b'0'));
            value = value.saturating_mul(10).saturating_add(digit);
        }
        Some(if negative {
            value.saturating_neg()
        } else {
            value
        })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let first = *rest.first()?;
        match first {
            b'{' => {
                self.advance(1);
                Some(Token::Open)
            }
            b'}' => {
                self.advance(1);
                Some(Token::Close)
            }
            b'\\' => {
                self.advance(1);
                self.control()
            }
            _ => {
                let special = |byte: &u8| matches!(byte, b'{' | b'}' | b'\\');
                let length = rest.iter().position(special).unwrap_or(rest.len());
                self.advance(length);
                Some(Token::Text(rest.get(..length).unwrap_or_default()))
            }
        }
    }
}
