//! Tokens of each kind, each from its first byte on.

use super::{Before, Kind, Lexer, Token};
use crate::outline::lexis::Extra;

/// Bytes of the longest word that a string begins with: `u8R"…"`.
const PREFIX: usize = 3;

impl Lexer<'_> {
    pub(super) fn word(&mut self, glued: bool) -> Token {
        let rest = self.rest();
        let length = rest
            .iter()
            .position(|byte| !self.is_inner(*byte))
            .unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let mut end = self.at.saturating_add(length);
        if !self.lexis.last.is_empty() && self.ends_word(rest, length) {
            end = end.saturating_add(1);
        }
        if self.prefixes
            && length <= PREFIX
            && let Some(end) = self.prefixed(word, end)
        {
            return self.token(Kind::Text, end, glued);
        }
        if self.fresh && matches!(word, b"__END__" | b"__DATA__") && self.lexis.has(Extra::End) {
            return self.token(Kind::Text, self.bytes.len(), glued);
        }
        let keyword = self.keywords.may_hold(word);
        Token {
            keyword,
            ..self.sign(Kind::Word, end, glued)
        }
    }

    /// Whether a word goes on with `?` or `!`, which is no operator: `a != b`.
    fn ends_word(&self, rest: &[u8], length: usize) -> bool {
        let mut behind = rest.iter().skip(length);
        let sign = behind
            .next()
            .is_some_and(|sign| self.lexis.last.as_bytes().contains(sign));
        let next = (behind.next(), behind.next());
        let compares = matches!(next.0, Some(b'=')) && !matches!(next.1, Some(b'=' | b'>'));
        let inside = next.0.is_some_and(|byte| self.is_inner(*byte));
        sign && !compares && !inside
    }

    pub(super) fn number(&mut self, glued: bool) -> Token {
        // `1..2` is a range, and `1.method` a call.
        let mut bytes = self.rest().iter().peekable();
        let mut end = self.at;
        while let Some(byte) = bytes.next() {
            let digit = bytes.peek().is_some_and(|next| next.is_ascii_digit());
            if !(self.is_inner(*byte) || *byte == b'.' && digit) {
                break;
            }
            end = end.saturating_add(1);
        }
        // `1'000'000`
        while self.bytes.get(end) == Some(&b'\'')
            && self.lexis.has(Extra::Preprocessor)
            && self
                .bytes
                .get(end.saturating_add(1))
                .is_some_and(u8::is_ascii_hexdigit)
        {
            let more = self.bytes.get(end.saturating_add(1)..).unwrap_or_default();
            let digits = more.iter().take_while(|byte| byte.is_ascii_hexdigit());
            end = end.saturating_add(1).saturating_add(digits.count());
        }
        self.sign(Kind::Number, end, glued)
    }

    pub(super) fn punct(&mut self, byte: u8, glued: bool) -> Token {
        if let Some((kind, end)) = self.stop(byte) {
            return self.token(kind, end, glued);
        }
        let (kind, length) = match (byte, self.peek(1), self.peek(2)) {
            (b'=', Some(b'>'), _) => (Kind::Arrow, 2),
            (b'-', Some(b'>'), _) => (Kind::Thin, 2),
            (b':', Some(b':'), _) => (Kind::Path, 2),
            (b'=' | b'!', Some(b'='), Some(b'=')) => (Kind::Operator, 3),
            (b'&', Some(b'&'), _)
            | (b'|', Some(b'|' | b'>'), _)
            | (b'/', Some(b'/'), _)
            | (b'=', Some(b'=' | b'~'), _)
            | (
                b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|' | b'?' | b':' | b'~'
                | b'.' | b'<' | b'>',
                Some(b'='),
                _,
            )
            | (b'<' | b'-', Some(b'-'), _)
            | (b'+', Some(b'+'), _)
            | (b'?', Some(b'?' | b'.'), _)
            | (b'.', Some(b'.'), _) => (Kind::Operator, 2),
            _ => (Kind::Punct(byte), 1),
        };
        let end = self.at.saturating_add(length);
        self.sign(kind, end, glued)
    }

    /// What begins with a character that may begin something of its own.
    pub(super) fn special(&mut self, byte: u8, glued: bool) -> Token {
        if byte == b'#' && self.fresh && self.begins_directive() {
            let end = self.directive_end();
            return self.token(Kind::Directive, end, glued);
        }
        if byte == b'?' && self.peek(1) == Some(b'>') && self.lexis.has(Extra::PhpTags) {
            let end = self.php_begins(self.at.saturating_add(2));
            return self.token(Kind::Punct(b';'), end, glued);
        }
        // What stands behind a backslash is a character of a word.
        let perl = self.lexis.has(Extra::PerlQuotes);
        if byte == b'\\' && self.lexis.has(Extra::Spaced) && !perl && self.peek(1) != Some(b'\n') {
            let sign = self.peek(1).map_or(0, |byte| byte.leading_ones().max(1));
            let end = self.at.saturating_add(1).saturating_add(sign as usize);
            return self.token(Kind::Word, end.min(self.bytes.len()), glued);
        }
        if let Some((kind, end)) = self.stop(byte) {
            return self.token(kind, end, glued);
        }
        if let Some(end) = self.text_end(byte) {
            return self.token(Kind::Text, end, glued);
        }
        if byte == b'$' && self.lexis.has(Extra::PerlQuotes) {
            // `$'` and others are variables.
            let sign = self.peek(1).unwrap_or_default();
            let named = matches!(
                sign,
                b'\''
                    | b'"'
                    | b'`'
                    | b'#'
                    | b'/'
                    | b'&'
                    | b';'
                    | b'!'
                    | b'@'
                    | b'\\'
                    | b','
                    | b'.'
                    | b'^'
            );
            let end = self
                .at
                .saturating_add(if named { 2 } else { 1 })
                .min(self.bytes.len());
            let token = self.token(Kind::Punct(b'$'), end, glued);
            self.before = Before::Operand;
            return token;
        }
        if byte == b'`'
            && self.lexis.has(Extra::BackquotedWords)
            && let Some(length) = self.rest().iter().skip(1).position(|byte| *byte == b'`')
        {
            let end = self.at.saturating_add(length).saturating_add(2);
            let token = self.token(Kind::Word, end, glued);
            self.before = Before::Operand;
            return token;
        }
        if self.is_inner(byte) && !self.lexis.tails.as_bytes().contains(&byte) {
            return self.word(glued);
        }
        self.punct(byte, glued)
    }
}
