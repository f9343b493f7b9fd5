//! Reads the tokens of each kind.

use super::Lexer;
use super::tables::{self, Class, PREFIX};
use crate::lexis::LexFeature;
use crate::spans;
use crate::token::{Kind, Token};

impl Lexer<'_> {
    /// Returns a token for the word that consists of the first `length` bytes of `rest`.
    #[inline]
    pub(super) fn plain_word(&mut self, rest: &[u8], length: usize, glued: bool) -> Token {
        let word = rest.get(..length).unwrap_or_default();
        Token {
            roles: self.keywords.roles(word),
            ..self.sign(Kind::Word, length, glued)
        }
    }

    /// Returns the token that begins with the first `length` bytes of `rest`, which are a word. The
    /// word may be the prefix of a string, end with a sign such as `?`, or end the code.
    #[inline(never)]
    pub(super) fn particular_word(&mut self, rest: &[u8], mut length: usize, glued: bool) -> Token {
        let word = rest.get(..length).unwrap_or_default();
        if !self.lexis.last.is_empty() && self.ends_word(rest, length) {
            length = length.saturating_add(1);
        }
        if let Some(token) = self.particular(word, length, glued) {
            return token;
        }
        // `r#type`
        if word == b"r" && self.lexis.has(LexFeature::RawHashes) {
            let name = rest.get(2..).unwrap_or_default();
            let begins = name
                .first()
                .is_some_and(|byte| self.class(*byte) == Class::Word);
            if begins && rest.get(1) == Some(&b'#') {
                length = self.word_length(name).saturating_add(2);
            }
        }
        self.plain_word(rest, length, glued)
    }

    /// Returns the string whose prefix is `word`. If the word is `__END__` or `__DATA__`, returns
    /// all of the text from the word on. Returns `None` for any other word.
    fn particular(&mut self, word: &[u8], length: usize, glued: bool) -> Option<Token> {
        if word.len() <= PREFIX
            && let Some(end) = self.prefixed(word, self.at.saturating_add(length))
        {
            return Some(self.token(Kind::Text, end, glued));
        }
        if self.fresh && matches!(word, b"__END__" | b"__DATA__") && self.lexis.has(LexFeature::End)
        {
            return Some(self.token(Kind::Text, self.bytes.len(), glued));
        }
        None
    }

    /// The length in bytes of the word at the start of a text.
    #[inline]
    pub(super) fn word_length(&self, text: &[u8]) -> usize {
        let letters = spans::letters(text);
        let rest = text.get(letters..).unwrap_or_default();
        if !rest.first().is_some_and(|byte| self.is_inner(*byte)) {
            return letters;
        }
        let more = rest.iter().position(|byte| !self.is_inner(*byte));
        letters.saturating_add(more.unwrap_or(rest.len()))
    }

    /// Whether a sign such as `?` or `!` directly after a word is the last character of the word.
    /// In `a!=b` it is part of an operator instead.
    fn ends_word(&self, rest: &[u8], length: usize) -> bool {
        let mut after = rest.iter().skip(length);
        let sign = after
            .next()
            .is_some_and(|sign| self.lexis.last.as_bytes().contains(sign));
        let next = (after.next(), after.next());
        let compares = matches!(next.0, Some(b'=')) && !matches!(next.1, Some(b'=' | b'>'));
        let inside = next.0.is_some_and(|byte| self.is_inner(*byte));
        sign && !compares && !inside
    }

    /// The length in bytes of the number at the start of a text, if it consists of digits and nothing that may belong to
    /// it follows.
    #[inline]
    pub(super) fn plain_digits(&self, text: &[u8]) -> Option<usize> {
        let length = text.iter().position(|byte| !byte.is_ascii_digit())?;
        let next = *text.get(length)?;
        (!self.is_inner(next) && !matches!(next, b'.' | b'\'')).then_some(length)
    }

    /// Returns the token for the number at the current position.
    pub(super) fn number(&mut self, glued: bool) -> Token {
        // `1..2` is a range, and `1.method` a call.
        let start = self.at;
        let mut bytes = self.rest().iter().peekable();
        let mut end = start;
        while let Some(byte) = bytes.next() {
            let digit = bytes.peek().is_some_and(|next| next.is_ascii_digit());
            if !(self.is_inner(*byte) || *byte == b'.' && digit) {
                break;
            }
            end = end.saturating_add(1);
        }
        // C++ has digit separators: `1'000'000`.
        while self.bytes.get(end) == Some(&b'\'')
            && self.lexis.has(LexFeature::Preprocessor)
            && self
                .bytes
                .get(end.saturating_add(1))
                .is_some_and(u8::is_ascii_hexdigit)
        {
            let more = self.bytes.get(end.saturating_add(1)..).unwrap_or_default();
            let digits = more.iter().take_while(|byte| byte.is_ascii_hexdigit());
            end = end.saturating_add(1).saturating_add(digits.count());
        }
        self.sign(Kind::Number, end.saturating_sub(start).max(1), glued)
    }

    /// Returns the token for the punctuation or operator at the current position.
    pub(super) fn punct(&mut self, byte: u8, glued: bool) -> Token {
        if !self.stops.is_empty()
            && let Some((kind, end)) = self.stop(byte)
        {
            return self.token(kind, end, glued);
        }
        // Most punctuation is a single character.
        if !self.peek(1).is_some_and(tables::continues_operator) {
            return self.sign(Kind::Punct(byte), 1, glued);
        }
        let (kind, length) = match (byte, self.peek(1)) {
            (b'=', Some(b'>')) => (Kind::Arrow, 2),
            (b'-', Some(b'>')) => (Kind::ThinArrow, 2),
            (b':', Some(b':')) => (Kind::Path, 2),
            (b'=' | b'!', Some(b'=')) if self.peek(2) == Some(b'=') => (Kind::Operator, 3),
            (b'.', Some(b'.')) if self.peek(2) == Some(b'.') => (Kind::Operator, 3),
            (b'&', Some(b'&'))
            | (b'|', Some(b'|' | b'>'))
            | (b'/', Some(b'/'))
            | (b'=', Some(b'=' | b'~'))
            | (
                b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|' | b'?' | b':' | b'~'
                | b'.' | b'<' | b'>',
                Some(b'='),
            )
            | (b'<' | b'-', Some(b'-'))
            | (b'+', Some(b'+'))
            | (b'?', Some(b'?' | b'.'))
            | (b'.', Some(b'.')) => (Kind::Operator, 2),
            _ => (Kind::Punct(byte), 1),
        };
        self.sign(kind, length, glued)
    }

    /// Whether the byte at the current position, directly after a sign, belongs to a name or is an
    /// operator and begins no literal: the variables `$'` and `$/` and the symbol `:/` of Ruby, and `a'`
    /// in Julia.
    pub(super) fn is_sign_of_name(&self, byte: u8) -> bool {
        let (kind, _, end) = self.before;
        if end != self.at || self.fresh {
            return false;
        }
        if self.lexis.has(LexFeature::Transposes) {
            let operand = matches!(kind, Kind::Punct(b'}' | b'\'')) || !self.awaits_operand();
            return byte == b'\'' && operand;
        }
        if !self.lexis.has(LexFeature::Percent) {
            return false;
        }
        match kind {
            Kind::Punct(b'$') => true,
            // `inject(:/)`, but not `a ?1:/b/`
            Kind::Punct(b':') => {
                matches!(byte, b'/' | b'%' | b'<' | b'`')
                    && self.peek(1).is_none_or(|next| {
                        next.is_ascii_whitespace()
                            || matches!(next, b')' | b',' | b']' | b'}' | b';')
                    })
            }
            _ => false,
        }
    }

    /// Returns a token that ends at the offset `end` and is an operand, like a number. A `/` after
    /// it is an operator.
    fn operand(&mut self, kind: Kind, end: usize, glued: bool) -> Token {
        let token = self.token(kind, end, glued);
        self.before.0 = Kind::Number;
        token
    }

    /// Returns the token at the current position. Its first byte is `byte`, which may begin a
    /// string or another token that needs a closer check.
    pub(super) fn special(&mut self, byte: u8, glued: bool) -> Token {
        if byte == b'#' && self.fresh && self.begins_directive() {
            let end = self.directive_end();
            return self.token(Kind::Directive, end, glued);
        }
        if byte == b'?' && self.peek(1) == Some(b'>') && self.lexis.has(LexFeature::PhpTags) {
            let end = self.php_begins(self.at.saturating_add(2));
            return self.token(Kind::Punct(b';'), end, glued);
        }
        // In a shell, a backslash and the next character are part of a word.
        if byte == b'\\'
            && self.lexis.has(LexFeature::Spaced)
            && !self.lexis.has(LexFeature::PerlQuotes)
            && self.peek(1) != Some(b'\n')
        {
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
        if byte == b'$' && self.lexis.has(LexFeature::PerlQuotes) {
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
            return self.operand(Kind::Punct(b'$'), end, glued);
        }
        if byte == b'`'
            && self.lexis.has(LexFeature::BackquotedWords)
            && let Some(length) = self.rest().iter().skip(1).position(|byte| *byte == b'`')
        {
            let end = self.at.saturating_add(length).saturating_add(2);
            return self.operand(Kind::Word, end, glued);
        }
        if self.is_inner(byte) && !self.lexis.tails.as_bytes().contains(&byte) {
            let rest = self.rest();
            return self.particular_word(rest, self.word_length(rest), glued);
        }
        self.punct(byte, glued)
    }
}
