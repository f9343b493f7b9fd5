//! Quote operators of Perl.

use super::Lexer;

impl Lexer<'_> {
    /// The offset after the quote operator of Perl at the current position: `q{…}`, `s/…/…/`.
    /// `word` is its first word, such as `q`, and `end` is the offset after this word. Returns
    /// `None` if the word is an ordinary name.
    pub(super) fn perl_quote(&self, word: &[u8], end: usize) -> Option<usize> {
        // The word is a key, a variable or a method.
        let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
        if matches!(before, Some(b'$' | b'@' | b'%' | b'&' | b'>' | b'{' | b':')) {
            return None;
        }
        // The word is the name of a function: `sub y {`.
        let passed = self.bytes.get(..self.at)?.trim_ascii_end();
        if passed.ends_with(b"sub") || passed.ends_with(b"->") {
            return None;
        }
        let rest = self.bytes.get(end..)?;
        let spaces = rest.iter().take_while(|byte| matches!(byte, b' ')).count();
        let open = end.saturating_add(spaces);
        let sign = *self.bytes.get(open)?;
        let next = self.bytes.get(open.saturating_add(1)).copied();
        let usual = matches!(
            sign,
            b'(' | b'[' | b'{' | b'<' | b'/' | b'|' | b'!' | b'"' | b'\'' | b'~' | b'@'
        ) || (sign == b'#' && spaces == 0);
        // The word is a name: `s = …`, `y => …`, `q, …`.
        if !usual || (spaces > 0 && !sign.is_ascii_punctuation()) || next == Some(b'>') {
            return None;
        }
        let first = self.bracketed(open)?;
        if !matches!(word, b"s" | b"tr" | b"y") {
            return Some(first);
        }
        let second = if matches!(sign, b'(' | b'[' | b'{' | b'<') {
            let rest = self.bytes.get(first..)?;
            let spaces = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
            self.bracketed(first.saturating_add(spaces.count()))
        } else {
            self.bracketed(first.saturating_sub(1))
        };
        if second.is_none() {
            self.waste(first.saturating_sub(open));
        }
        second
    }
}
