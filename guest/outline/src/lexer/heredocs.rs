//! Heredocs, and the start of code in PHP pages.

use super::Lexer;
use super::ahead::Heredoc;
use crate::lexis::LexFeature;
use crate::limits;
use memchr::{memchr, memmem};

impl Lexer<'_> {
    /// Records the heredoc whose `<<` is at the current position. Returns the offset after its tag,
    /// or `None` if the `<<` begins no heredoc.
    pub(super) fn heredoc(&mut self) -> Option<usize> {
        if !self.searches() {
            return None;
        }
        // `<<<` is followed by a string, not by the tag of a heredoc.
        if self.at.checked_sub(1).and_then(|at| self.bytes.get(at)) == Some(&b'<') {
            return None;
        }
        if self.lexis.has(LexFeature::Spaced) && self.in_arithmetic() {
            return None;
        }
        let rest = self.rest().get(2..)?;
        let indented = matches!(rest.first(), Some(b'-' | b'~'));
        let tag = rest.get(usize::from(indented)..)?;
        let tag = if self.lexis.has(LexFeature::Spaced) {
            let spaces = tag
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t'))
                .count();
            let next = tag.get(spaces)?;
            // In Perl, `<<` before a space is a shift operator, unless a quote follows the space.
            let quoted = matches!(next, b'"' | b'\'') || !self.lexis.has(LexFeature::PerlQuotes);
            tag.get(if quoted { spaces } else { 0 }..)?
        } else {
            tag
        };
        let quoted = tag
            .first()
            .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        let name = match quoted {
            Some(quote) => {
                let tag = tag.get(1..)?;
                tag.get(..memchr(*quote, tag)?)?
            }
            None => {
                let tag = tag.strip_prefix(b"\\").unwrap_or(tag);
                let length = tag
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
                    .count();
                // `1 << 2` and `a << b` are shift operators.
                if tag.first().is_some_and(u8::is_ascii_digit) {
                    return None;
                }
                tag.get(..length)?
            }
        };
        if name.is_empty() || name.len() > limits::TAG_BYTES || name.contains(&b'\n') {
            return None;
        }
        let length = (name.as_ptr() as usize)
            .saturating_sub(self.rest().as_ptr() as usize)
            .saturating_add(name.len())
            .saturating_add(usize::from(quoted.is_some()));
        self.heredocs.push(Heredoc {
            end: name,
            indented,
        });
        Some(self.at.saturating_add(length))
    }

    /// Whether the `<<` at the current position is a shift operator in shell arithmetic:
    /// `$((1 << n))`.
    fn in_arithmetic(&self) -> bool {
        let from = self
            .line_start
            .max(self.at.saturating_sub(limits::ARITHMETIC_BYTES));
        let before = self.bytes.get(from..self.at).unwrap_or_default();
        let opens = memmem::rfind(before, b"((");
        opens.is_some() && opens > memmem::rfind(before, b"))")
    }

    /// Skips the texts of the recorded heredocs. The first text begins at the current position.
    pub(super) fn skip_heredocs(&mut self) {
        for heredoc in std::mem::take(&mut self.heredocs) {
            let mut at = self.at;
            let end = loop {
                let rest = self.bytes.get(at..).unwrap_or_default();
                if rest.is_empty() {
                    break None;
                }
                let length = memchr(b'\n', rest).map_or(rest.len(), |end| end.saturating_add(1));
                let line = rest.get(..length).unwrap_or_default().trim_ascii_end();
                let line = if heredoc.indented {
                    line.trim_ascii_start()
                } else {
                    line
                };
                at = at.saturating_add(length);
                if line == heredoc.end {
                    break Some(at);
                }
            };
            match end {
                Some(end) => self.skip_to(end),
                // A heredoc without an end is read as code.
                None => {
                    self.waste(at.saturating_sub(self.at));
                    self.unended.get_or_insert(self.line.saturating_sub(1));
                    self.open_ended.set(true);
                    return;
                }
            }
        }
    }

    /// The offset after the PHP heredoc at the current position: `<<<END`. Its closing tag may be
    /// indented, and code may follow the tag on the same line. Returns `None` if no closing tag is
    /// found.
    pub(super) fn php_heredoc(&self) -> Option<usize> {
        if !self.searches() {
            return None;
        }
        let rest = self.rest();
        // The limit includes the quotes of the tag and spaces before it.
        let near = rest
            .get(..limits::TAG_BYTES.saturating_mul(2))
            .unwrap_or(rest);
        let line = memchr(b'\n', near)?;
        let tag = rest.get(3..line)?.trim_ascii();
        let tag = tag
            .strip_prefix(b"'")
            .or_else(|| tag.strip_prefix(b"\""))
            .unwrap_or(tag);
        let tag = tag
            .strip_suffix(b"'")
            .or_else(|| tag.strip_suffix(b"\""))
            .unwrap_or(tag);
        if tag.is_empty() || tag.len() > limits::TAG_BYTES {
            return None;
        }
        let mut at = line.saturating_add(1);
        while let Some(rest) = rest.get(at..).filter(|rest| !rest.is_empty()) {
            let spaces = rest.iter().take_while(|b| matches!(b, b' ' | b'\t'));
            let start = spaces.count();
            let after = rest.get(start..)?;
            if let Some(next) = after.strip_prefix(tag)
                && !next.first().is_some_and(|byte| self.is_inner(*byte))
            {
                let length = at.saturating_add(start).saturating_add(tag.len());
                return Some(self.at.saturating_add(length));
            }
            match memchr(b'\n', rest) {
                Some(end) => at = at.saturating_add(end).saturating_add(1),
                None => break,
            }
        }
        self.waste(rest.len());
        self.open_ended.set(true);
        None
    }

    /// The offset after the first opening tag of PHP, such as `<?php`, at or after the offset
    /// `from`. Without such a tag, returns the length of the text.
    pub(super) fn php_begins(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(rest) = self.bytes.get(at..) {
            let Some(length) = memmem::find(rest, b"<?") else {
                break;
            };
            at = at.saturating_add(length).saturating_add(2);
            let after = self.bytes.get(at..).unwrap_or_default();
            if after.starts_with(b"php") {
                return at.saturating_add(3);
            }
            if after
                .first()
                .is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'=')
            {
                return at.saturating_add(1);
            }
        }
        self.bytes.len()
    }
}
