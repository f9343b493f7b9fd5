//! Markup in scripts.

use super::Lexer;
use memchr::{memchr, memmem};

/// Levels of markup in code in markup.
const MARKUP_DEPTH: u32 = 64;

impl Lexer<'_> {
    /// `<a>…</a>`, with code between braces in it.
    pub(super) fn markup(&self) -> Option<usize> {
        if !self.searches() || !self.begins_markup(self.at) {
            return None;
        }
        let end = self.element(self.at, 0);
        if end.is_none() {
            self.waste(self.bytes.len().saturating_sub(self.at));
        }
        end
    }

    fn begins_markup(&self, at: usize) -> bool {
        let rest = self.bytes.get(at.saturating_add(1)..).unwrap_or_default();
        if !matches!(rest.first(), Some(b'>' | b'_' | b'a'..=b'z' | b'A'..=b'Z')) {
            return false;
        }
        let name = rest
            .iter()
            .take_while(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':')
            })
            .count();
        // `<T,>(x) =>` and `<T extends U>(x) =>` are no markup.
        let behind = rest.get(name..).unwrap_or_default().trim_ascii_start();
        !behind.starts_with(b",") && !behind.starts_with(b"extends ")
    }

    /// Nothing in it is tried twice: what does not end here does not at all.
    fn element(&self, at: usize, depth: u32) -> Option<usize> {
        if depth > MARKUP_DEPTH {
            return None;
        }
        let mut level = 0u32;
        let mut at = at;
        loop {
            match self.bytes.get(at)? {
                b'<' => {
                    let closing = self.bytes.get(at.saturating_add(1)) == Some(&b'/');
                    let (end, alone) = self.tag(at.saturating_add(1), depth)?;
                    if closing {
                        level = level.checked_sub(1)?;
                    } else if !alone {
                        level = level.saturating_add(1);
                    }
                    at = end;
                    if level == 0 {
                        return Some(at);
                    }
                }
                b'{' => at = self.braces(at, depth)?,
                _ => at = at.saturating_add(1),
            }
        }
    }

    /// The place behind a tag, from behind `<`, and whether it stands alone.
    fn tag(&self, mut at: usize, depth: u32) -> Option<(usize, bool)> {
        loop {
            match self.bytes.get(at)? {
                b'>' => {
                    let before = at.checked_sub(1).and_then(|at| self.bytes.get(at));
                    return Some((at.saturating_add(1), before == Some(&b'/')));
                }
                b'{' => at = self.braces(at, depth)?,
                quote @ (b'"' | b'\'') => {
                    let text = self.bytes.get(at.saturating_add(1)..)?;
                    let length = memchr(*quote, text)?;
                    at = at.saturating_add(length).saturating_add(2);
                }
                // `a < b && c`
                b';' => return None,
                _ => at = at.saturating_add(1),
            }
        }
    }

    /// The place behind code between braces in markup.
    fn braces(&self, at: usize, depth: u32) -> Option<usize> {
        let mut at = at.saturating_add(1);
        let mut operand = true;
        let mut level = 1u32;
        loop {
            let byte = *self.bytes.get(at)?;
            let rest = self.bytes.get(at..)?;
            let mut next = at.saturating_add(1);
            match byte {
                b'{' => level = level.saturating_add(1),
                b'}' => {
                    level = level.saturating_sub(1);
                    if level == 0 {
                        return Some(next);
                    }
                }
                b'<' if operand && self.begins_markup(at) => {
                    next = self.element(at, depth.saturating_add(1))?;
                }
                b'/' if rest.starts_with(b"//") => next = at.saturating_add(memchr(b'\n', rest)?),
                b'/' if rest.starts_with(b"/*") => {
                    next = at
                        .saturating_add(memmem::find(rest, b"*/")?)
                        .saturating_add(2);
                }
                b'"' | b'\'' | b'`' => {
                    let quote = self
                        .lexis
                        .strings
                        .iter()
                        .find(|quote| rest.starts_with(quote.open.as_bytes()))?;
                    next = self.quoted(next, quote, 0)?;
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                let word =
                    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b')' | b']' | b'$');
                let returns = self
                    .bytes
                    .get(..next)
                    .is_some_and(|passed| passed.ends_with(b"return"));
                operand = !word || returns;
            }
            at = next;
        }
    }
}
