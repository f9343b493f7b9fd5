//! Sections of XML: elements that span several lines.

use super::tree::{comment, item};
use crate::item::Parsed;
use crate::limits;
use memchr::{memchr, memchr_iter, memchr2, memmem};

/// The names of attributes that identify an element. Case is ignored.
const NAMES: [&str; 3] = ["id", "name", "key"];

/// Finds the elements of XML that span several lines.
pub fn parse(text: &str) -> Option<Parsed> {
    let marked = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !marked.trim_ascii_start().starts_with('<') {
        return None;
    }
    let mut scan = Scan {
        text,
        at: text.len().saturating_sub(marked.len()),
        line: 1,
        line_start: 0,
        open: Vec::new(),
        deeper: 0,
        dropped: false,
        parsed: Parsed::default(),
    };
    scan.run();
    let parsed = if scan.dropped {
        compact(scan.parsed)
    } else {
        scan.parsed
    };
    (!parsed.items.is_empty()).then_some(parsed)
}

/// An element that has not ended.
struct Open<'t> {
    name: &'t str,
    /// The attributes in the start tag.
    attributes: &'t str,
    item: Option<usize>,
    /// The index of the item that is the parent of the items in this element.
    parent: Option<usize>,
    line: u32,
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    /// The byte offset at which the current line begins.
    line_start: usize,
    open: Vec<Open<'t>>,
    /// The number of open elements that are ignored because they are nested too deeply.
    deeper: u32,
    /// Whether some items must be removed, because their elements have no end tag.
    dropped: bool,
    parsed: Parsed,
}

impl<'t> Scan<'t> {
    fn run(&mut self) {
        while let Some(next) = memchr(b'<', self.rest().as_bytes()) {
            self.pass(next);
            match self.rest().as_bytes() {
                [b'<', b'!', b'-', b'-', ..] => self.comment(),
                [b'<', b'!', b'[', ..] => self.past("]]>"),
                [b'<', b'!', ..] => self.doctype(),
                [b'<', b'?', ..] => self.past("?>"),
                [b'<', b'/', ..] => self.close(),
                [b'<', letter, ..]
                    if letter.is_ascii_alphabetic() || matches!(letter, b'_' | b':' | 0x80..) =>
                {
                    self.tag();
                }
                _ => self.pass(1),
            }
        }
        if self.open.is_empty() && self.deeper == 0 {
            return;
        }
        let content = self.rest().trim_ascii_end().len();
        self.pass(content);
        self.lost(self.line);
        while let Some(open) = self.open.pop() {
            self.ended(&open, self.line);
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn lost(&mut self, line: u32) {
        let lost = self.parsed.unbalanced_at.get_or_insert(line);
        *lost = line.min(*lost);
    }

    /// Advances by this number of bytes, and counts the line breaks among them.
    fn pass(&mut self, bytes: usize) {
        let to = self.at.saturating_add(bytes).min(self.text.len());
        let passed = self.text.as_bytes().get(self.at..to).unwrap_or_default();
        let mut lines = 0u32;
        for end in memchr_iter(b'\n', passed) {
            lines = lines.saturating_add(1);
            self.line_start = self.at.saturating_add(end).saturating_add(1);
        }
        self.line = self.line.saturating_add(lines);
        self.at = to;
    }

    /// Advances to the position after the next `end`, or to the end of the text.
    fn past(&mut self, end: &str) {
        let length = memmem::find(self.rest().as_bytes(), end.as_bytes());
        if length.is_none() {
            self.lost(self.line);
        }
        self.pass(length.map_or(self.text.len(), |length| length.saturating_add(end.len())));
    }

    fn comment(&mut self) {
        let before = self.text.get(self.line_start..self.at).unwrap_or_default();
        let first = self.line;
        let alone = before.trim_ascii().is_empty();
        self.past("-->");
        if alone {
            comment(&mut self.parsed, first, self.line);
        }
    }

    /// Advances over a document type declaration, which may contain other declarations in brackets.
    fn doctype(&mut self) {
        let mut depth = 0u32;
        let bytes = self.rest().as_bytes();
        let mut at = 1usize;
        while let Some(byte) = bytes.get(at) {
            let rest = bytes.get(at.saturating_add(1)..).unwrap_or_default();
            let passed = match byte {
                b'"' | b'\'' => memchr(*byte, rest).map(|end| end.saturating_add(1)),
                b'<' if rest.starts_with(b"!--") => {
                    memmem::find(rest, b"-->").map(|end| end.saturating_add(3))
                }
                b'[' => {
                    depth = depth.saturating_add(1);
                    Some(0)
                }
                b']' => {
                    depth = depth.saturating_sub(1);
                    Some(0)
                }
                b'>' if depth == 0 => return self.pass(at.saturating_add(1)),
                _ => Some(0),
            };
            let Some(passed) = passed else {
                break;
            };
            at = at.saturating_add(passed).saturating_add(1);
        }
        self.lost(self.line);
        self.pass(self.text.len());
    }

    /// The length in bytes of the tag that begins here, and whether its `>` was found. Without a
    /// `>` the tag ends before the next `<`.
    fn tag_length(&self) -> (usize, bool) {
        let bytes = self.rest().as_bytes();
        let mut at = 1usize;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let found = rest
                .iter()
                .position(|byte| matches!(byte, b'<' | b'>' | b'"' | b'\''));
            let Some(found) = found else {
                return (bytes.len(), false);
            };
            at = at.saturating_add(found);
            match bytes.get(at) {
                Some(b'>') => return (at.saturating_add(1), true),
                Some(quote @ (b'"' | b'\'')) => {
                    at = at.saturating_add(1);
                    let rest = bytes.get(at..).unwrap_or_default();
                    // Attribute values cannot contain `<`, so a quote is missing.
                    let end = memchr2(*quote, b'<', rest);
                    at = at.saturating_add(end.unwrap_or(rest.len()));
                    if bytes.get(at) == Some(quote) {
                        at = at.saturating_add(1);
                    }
                }
                _ => return (at, false),
            }
        }
    }

    fn tag(&mut self) {
        let (length, whole) = self.tag_length();
        let (start, line) = (self.at, self.line);
        let tag = self.rest().get(1..length).unwrap_or_default();
        if !whole {
            self.lost(line);
        }
        let tag = tag.strip_suffix('>').unwrap_or(tag);
        let (tag, empty) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let end = tag.find(|letter: char| letter.is_ascii_whitespace());
        let (name, attributes) = tag
            .split_at_checked(end.unwrap_or(tag.len()))
            .unwrap_or_default();
        self.pass(length);
        if self.deeper > 0 || self.open.len() >= limits::SECTION_DEPTH {
            self.deeper = self.deeper.saturating_add(u32::from(!empty));
            return;
        }
        let parent = self.open.last().and_then(|open| open.parent);
        let at = self.parsed.items.len();
        let room = at < limits::ITEMS;
        if room {
            let mut item = item("", line, start, parent);
            item.head = self.line;
            self.parsed.items.push(item);
        } else {
            self.lost(line);
        }
        let own = room.then_some(at);
        let open = Open {
            name,
            attributes,
            item: own,
            parent: own.or(parent),
            line,
        };
        if empty {
            self.ended(&open, self.line);
        } else {
            self.open.push(open);
        }
    }

    fn close(&mut self) {
        let line = self.line;
        let length = self
            .rest()
            .bytes()
            .position(|byte| byte == b'>')
            .unwrap_or(self.text.len());
        let bounded = self.rest().get(2..length).unwrap_or_default();
        let name = bounded.trim_ascii_end();
        self.pass(length.saturating_add(1));
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        let near = self.open.len().saturating_sub(limits::UNCLOSED_ELEMENTS);
        let open = self.open.get(near..).unwrap_or_default();
        let Some(found) = open.iter().rposition(|open| open.name == name) else {
            return self.lost(line);
        };
        let found = found.saturating_add(near);
        // Elements without an end tag contain nothing.
        while self.open.len() > found.saturating_add(1)
            && let Some(open) = self.open.pop()
        {
            self.lost(open.line);
            if let Some(item) = open.item.and_then(|item| self.parsed.items.get_mut(item)) {
                item.last = 0;
                self.dropped = true;
            }
        }
        if let Some(open) = self.open.pop() {
            self.ended(&open, self.line);
        }
    }

    /// Ends an element on this line. An element that began on the same line is removed from the
    /// items.
    fn ended(&mut self, open: &Open<'_>, line: u32) {
        let Some(own) = open.item else {
            return;
        };
        if open.line >= line {
            // The parts of an element on one line are not items.
            self.parsed.items.truncate(own);
        } else if let Some(found) = self.parsed.items.get_mut(own) {
            found.last = line;
            let named = item(&named(open), 0, 0, None);
            found.name = named.name;
        }
    }
}

/// The name of an element, with an identifying attribute: `target name=build`.
fn named(open: &Open<'_>) -> String {
    let mut rest = open.attributes;
    while let Some((attribute, after)) = rest.split_once('=') {
        let after = after.trim_ascii_start();
        let quote = after
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''));
        let Some((value, tail)) = quote.and_then(|quote| after.get(1..)?.split_once(quote)) else {
            break;
        };
        let attribute = attribute.trim_ascii();
        let local = attribute
            .rsplit_once(':')
            .map_or(attribute, |(_, local)| local);
        if NAMES.iter().any(|name| name.eq_ignore_ascii_case(local)) {
            return format!("{} {local}={value}", open.name);
        }
        rest = tail;
    }
    open.name.to_owned()
}

/// Removes the items whose elements have no end tag. Their children become children of the next
/// outer item.
fn compact(parsed: Parsed) -> Parsed {
    // The new index of each item, or that of its parent if the item was removed.
    let mut places: Vec<Option<usize>> = Vec::with_capacity(parsed.items.len());
    let mut items = Vec::with_capacity(parsed.items.len());
    for mut item in parsed.items {
        item.parent = item
            .parent
            .and_then(|parent| places.get(parent).copied().flatten());
        if item.last == 0 {
            places.push(item.parent);
        } else {
            places.push(Some(items.len()));
            items.push(item);
        }
    }
    Parsed { items, ..parsed }
}

#[cfg(test)]
mod tests {
    use super::super::tree::drawn;
    use super::*;

    #[test]
    fn xml_elements_of_several_lines_become_sections() {
        let cases: &[(&str, &[&str])] = &[
            (
                "<?xml version='1.0'?>\n<!-- <a> -->\n<!DOCTYPE p [\n<!ENTITY x \"]>\">\n<!-- don't -->\n]>\n<p>\n <target if='a>b' name=\"build\">\n  <x/><y>\n  </y>\n </target>\n <z k=''>1</z>\n</p>\n",
                &["p 7-13", "  target name=build 8-11", "    y 9-10"],
            ),
            (
                "<a>\n<![CDATA[<b>\n]]>\n<x:b x:Key='1'\n/>\n</a >",
                &["a 1-6", "  x:b Key=1 4-5"],
            ),
            ("\u{feff}<a><b>\n</b></a>", &["a 1-2", "  b 1-2"]),
            ("<a><b>1</b><c/></a>\n", &["none"]),
            // Damage.
            (
                "<a>\n<br>\n<b>\n</b>\n</a>\n",
                &["a 1-5", "  b 3-4", "lost 2"],
            ),
            (
                "<a>\n<b>\n<c>\n</c>\n\n",
                &["a 1-4", "  b 2-4", "    c 3-4", "lost 4"],
            ),
            ("<a>\n</b>\n</a>\n", &["a 1-3", "lost 2"]),
            ("<a b='x\n<c>\n</c>\n</a>", &["a 1-4", "  c 2-3", "lost 1"]),
            ("<a\n<b>\n</b>\n</a>", &["a 1-4", "  b 2-3", "lost 1"]),
            ("<a>\n1 < 2\n<!-- x\n</a>", &["a 1-4", "lost 3"]),
            ("a <b>\n</b>", &["none"]),
            ("<", &["none"]),
            ("", &["none"]),
        ];
        for (text, expected) in cases {
            assert_eq!(drawn(parse(text)), *expected, "{text}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(drawn(parse(&windows)), *expected, "{windows:?}");
        }
        let parsed = parse("<a\n b=''>\n<!-- c -->\n<b>x</b> <!-- d -->\n</a>").unwrap();
        assert_eq!(parsed.comments, [(3, 3)]);
        assert_eq!((parsed.items[0].sign, parsed.items[0].head), (1, 2));
    }

    #[test]
    fn xml_deeper_than_limit_is_ignored() {
        let deep = format!("{}{}", "<a>\n".repeat(500), "</a>\n".repeat(500));
        let parsed = parse(&deep).unwrap();
        assert_eq!(
            (parsed.items.len(), parsed.unbalanced_at),
            (limits::SECTION_DEPTH, None)
        );
    }
}
