//! Markup in scripts, such as JSX.
//!
//! One pass scans an element up to its end. The markup becomes string tokens. Code between braces
//! is part of a string too. Code that may declare something is split into tokens instead, and the
//! braces around it become parentheses.

use super::Lexer;
use super::ahead::Stop;
use crate::limits;
use crate::token::Kind;
use memchr::{memchr, memmem};

/// The result of a scan of markup.
#[derive(Default)]
struct Found {
    stops: Vec<Stop>,
    /// The index in `stops` of the string token that is being scanned.
    text: usize,
    /// The largest offset that was scanned.
    scanned: usize,
}

impl Found {
    /// Records that the byte at `at` was scanned.
    fn scan_to(&mut self, at: usize) {
        self.scanned = self.scanned.max(at);
    }

    /// Begins a string token at the offset `at`.
    fn begin(&mut self, at: usize) {
        self.text = self.stops.len();
        self.stops.push(Stop { at, to: at });
    }

    /// Ends the current string token at the offset `at`.
    fn end(&mut self, at: usize) {
        if let Some(stop) = self.stops.get_mut(self.text) {
            stop.to = at;
        }
    }
}

impl Lexer<'_> {
    /// The kind of the token at the current position and the offset after it, if a scan of markup
    /// recorded a token there. `byte` is the byte at this position.
    pub(super) fn stop(&mut self, byte: u8) -> Option<(Kind, usize)> {
        while self.stops.front()?.at < self.at {
            self.stops.pop_front();
        }
        if self.stops.front()?.at != self.at {
            return None;
        }
        let stop = self.stops.pop_front()?;
        let kind = match byte {
            b'{' => Kind::Punct(b'('),
            b'}' => Kind::Punct(b')'),
            _ => Kind::Text,
        };
        Some((kind, stop.to))
    }

    /// The offset after the element `<a>…</a>` at the current position. If the element contains
    /// code that may declare something, it is the offset at which the first such code begins.
    /// Returns `None` if no complete element begins at this position.
    pub(super) fn markup(&mut self) -> Option<usize> {
        // Markup inside markup was scanned before.
        if !self.stops.is_empty() || !self.searches() || !self.begins_markup(self.at) {
            return None;
        }
        let mut found = Found::default();
        if self.element(self.at, 0, &mut found).is_none() {
            self.waste(found.scanned.saturating_sub(self.at));
            return None;
        }
        self.stops = found.stops.into();
        self.stops.pop_front().map(|first| first.to)
    }

    /// Whether `<` at the offset `at` begins an element, and not type parameters.
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
        // `<T,>(x) =>` and `<T extends U>(x) =>` begin with type parameters.
        let after = rest.get(name..).unwrap_or_default().trim_ascii_start();
        // `<T>(x: T) =>` of Flow begins with a type parameter. Elements have longer names.
        let short = name == 1 && rest.first().is_some_and(u8::is_ascii_uppercase);
        let generic = short && after.starts_with(b">(");
        !generic && !after.starts_with(b",") && !after.starts_with(b"extends ")
    }

    /// The offset after the element that begins at the offset `at`. Returns `None` if the element,
    /// or any tag or code in it, has no end.
    fn element(&self, at: usize, depth: u32, found: &mut Found) -> Option<usize> {
        if depth > limits::ELEMENT_DEPTH {
            return None;
        }
        let mut level = 0u32;
        let mut at = at;
        found.begin(at);
        loop {
            found.scan_to(at);
            match self.bytes.get(at)? {
                b'<' => {
                    let closing = self.bytes.get(at.saturating_add(1)) == Some(&b'/');
                    let (end, alone) = self.tag(at.saturating_add(1), depth, found)?;
                    if closing {
                        level = level.checked_sub(1)?;
                    } else if !alone {
                        level = level.saturating_add(1);
                    }
                    at = end;
                    if level == 0 {
                        found.end(at);
                        return Some(at);
                    }
                }
                b'{' => at = self.inserted(at, depth, found)?,
                _ => at = at.saturating_add(1),
            }
        }
    }

    /// The offset after a tag, and whether the tag is self-closing: `<a/>`. `at` is the offset
    /// after the `<` of the tag. Returns `None` if the tag has no end.
    fn tag(&self, mut at: usize, depth: u32, found: &mut Found) -> Option<(usize, bool)> {
        // `<Name<type> …>`
        let mut angles = 0u32;
        loop {
            found.scan_to(at);
            let byte = *self.bytes.get(at)?;
            let next = at.saturating_add(1);
            let before = at.checked_sub(1).and_then(|at| self.bytes.get(at));
            at = match byte {
                b'<' => {
                    angles = angles.saturating_add(1);
                    next
                }
                b'>' if angles > 0 => {
                    let arrow = before == Some(&b'=');
                    angles = angles.saturating_sub(u32::from(!arrow));
                    next
                }
                b'>' => return Some((next, before == Some(&b'/'))),
                b'{' => self.inserted(at, depth, found)?,
                quote @ (b'"' | b'\'') => {
                    let Some(length) = memchr(quote, self.bytes.get(next..)?) else {
                        found.scan_to(self.bytes.len());
                        return None;
                    };
                    next.saturating_add(length).saturating_add(1)
                }
                b'/' => {
                    let Some(end) = self.comment_in_markup(at) else {
                        found.scan_to(self.bytes.len());
                        return None;
                    };
                    end.unwrap_or(next)
                }
                // A semicolon is not part of a tag: `a < b && c;`.
                b';' => return None,
                _ => next,
            };
        }
    }

    /// The offset after a comment in markup. Returns `Some(None)` if no comment begins at `at`, and
    /// `None` if the comment does not end.
    #[expect(
        clippy::option_option,
        reason = "`None` and `Some(None)` have different meanings"
    )]
    fn comment_in_markup(&self, at: usize) -> Option<Option<usize>> {
        let rest = self.bytes.get(at..)?;
        let length = if rest.starts_with(b"//") {
            memchr(b'\n', rest)?
        } else if rest.starts_with(b"/*") {
            memmem::find(rest, b"*/")?.saturating_add(2)
        } else {
            return Some(None);
        };
        Some(Some(at.saturating_add(length)))
    }

    /// The offset after the code in braces that begins at the offset `at` in markup. The code is
    /// split into tokens if it contains further braces. Code without them declares nothing.
    fn inserted(&self, at: usize, depth: u32, found: &mut Found) -> Option<usize> {
        let (outer, first) = (found.text, found.stops.len());
        let inside = at.saturating_add(1);
        found.stops.push(Stop { at, to: inside });
        let (end, kept) = self.braces(inside, depth, found)?;
        found.text = outer;
        if kept {
            found.end(at);
            found.begin(end.saturating_sub(1));
        } else {
            found.stops.truncate(first);
        }
        Some(end)
    }

    /// The offset after the brace that ends code in markup, and whether the code contains further
    /// braces. `at` is the offset after the brace that begins the code.
    fn braces(&self, mut at: usize, depth: u32, found: &mut Found) -> Option<(usize, bool)> {
        let mut operand = true;
        let mut level = 1u32;
        let mut kept = false;
        loop {
            found.scan_to(at);
            let byte = *self.bytes.get(at)?;
            let mut next = at.saturating_add(1);
            match byte {
                b'{' => {
                    level = level.saturating_add(1);
                    kept = true;
                }
                b'}' => {
                    level = level.saturating_sub(1);
                    if level == 0 {
                        return Some((next, kept));
                    }
                }
                b'<' if operand && self.begins_markup(at) => {
                    let before = found.stops.len().saturating_add(1);
                    next = self.element(at, depth.saturating_add(1), found)?;
                    kept |= found.stops.len() > before;
                }
                b'/' => {
                    let Some(end) = self.comment_in_markup(at) else {
                        found.scan_to(self.bytes.len());
                        return None;
                    };
                    let end = end.or_else(|| self.inner_regex(at));
                    next = end.unwrap_or(next);
                }
                b'"' | b'\'' | b'`' => {
                    let rest = self.bytes.get(at..)?;
                    let mut quotes = self.lexis.strings.iter();
                    let quote = quotes.find(|quote| rest.starts_with(quote.open.as_bytes()))?;
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
