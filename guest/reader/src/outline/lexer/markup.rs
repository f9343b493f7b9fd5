//! Markup in scripts.
//!
//! It is looked through once, up to its end. What stands in it is a text, but
//! for code between braces that may declare something: the braces around that
//! are handed on as parentheses, and the code as it is.

use super::{Kind, Lexer};
use memchr::{memchr, memmem};

/// Levels of markup in code in markup.
const MARKUP_DEPTH: u32 = 64;

/// A place in markup at which code begins or ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// Where it is.
    at: usize,
    /// Up to where nothing follows that is code.
    to: usize,
}

/// What was found of markup.
#[derive(Default)]
struct Found {
    stops: Vec<Stop>,
    /// The stop behind which text has begun.
    text: usize,
    /// How far it was looked.
    looked: usize,
}

impl Found {
    /// It is looked at this byte.
    fn look(&mut self, at: usize) {
        self.looked = self.looked.max(at);
    }

    /// Text begins.
    fn begin(&mut self, at: usize) {
        self.text = self.stops.len();
        self.stops.push(Stop { at, to: at });
    }

    /// Text ends.
    fn end(&mut self, at: usize) {
        if let Some(stop) = self.stops.get_mut(self.text) {
            stop.to = at;
        }
    }
}

impl Lexer<'_> {
    /// What begins here if it is a stop in markup, and the place behind it.
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

    /// The place behind `<a>…</a>`, or up to code in it that may declare
    /// something.
    pub(super) fn markup(&mut self) -> Option<usize> {
        // What stands in markup was looked through.
        if !self.stops.is_empty() || !self.searches() || !self.begins_markup(self.at) {
            return None;
        }
        let mut found = Found::default();
        if self.element(self.at, 0, &mut found).is_none() {
            self.waste(found.looked.saturating_sub(self.at));
            return None;
        }
        self.stops = found.stops.into();
        self.stops.pop_front().map(|first| first.to)
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
        // `<T>(x: T) =>` of Flow; elements have longer names.
        let short = name == 1 && rest.first().is_some_and(u8::is_ascii_uppercase);
        let generic = short && behind.starts_with(b">(");
        !generic && !behind.starts_with(b",") && !behind.starts_with(b"extends ")
    }

    /// Nothing in it is tried twice: what does not end here does not at all.
    fn element(&self, at: usize, depth: u32, found: &mut Found) -> Option<usize> {
        if depth > MARKUP_DEPTH {
            return None;
        }
        let mut level = 0u32;
        let mut at = at;
        found.begin(at);
        loop {
            found.look(at);
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

    /// The place behind a tag, from behind `<`, and whether it stands alone.
    fn tag(&self, mut at: usize, depth: u32, found: &mut Found) -> Option<(usize, bool)> {
        // `<Name<type> …>`
        let mut angles = 0u32;
        loop {
            found.look(at);
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
                        found.look(self.bytes.len());
                        return None;
                    };
                    next.saturating_add(length).saturating_add(1)
                }
                b'/' => {
                    let Some(end) = self.remark(at) else {
                        found.look(self.bytes.len());
                        return None;
                    };
                    end.unwrap_or(next)
                }
                // `a < b && c`
                b';' => return None,
                _ => next,
            };
        }
    }

    /// The place behind a comment in markup, if one begins here; the other `None`
    /// stands for one that does not end.
    #[expect(clippy::option_option, reason = "it tells `none` from `lost`")]
    fn remark(&self, at: usize) -> Option<Option<usize>> {
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

    /// The place behind code between braces in markup. It is kept if there are
    /// braces in it: nothing else declares anything.
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

    /// The place behind code between braces in markup, from behind the first one,
    /// and whether there are braces in it.
    fn braces(&self, mut at: usize, depth: u32, found: &mut Found) -> Option<(usize, bool)> {
        let mut operand = true;
        let mut level = 1u32;
        let mut kept = false;
        loop {
            found.look(at);
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
                    let Some(end) = self.remark(at) else {
                        found.look(self.bytes.len());
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
