//! Sections of JSON: keys, and elements of arrays. Comments, trailing commas and unquoted keys are
//! accepted.

pub mod tokens;
mod value;

pub use value::find;

use super::tree::item;
use crate::item::{Item, Parsed};
use crate::limits;
use tokens::{Kind, Token, Tokens};

/// Finds the keys of objects, and the elements of arrays that are objects or arrays of several
/// lines.
pub fn parse(text: &str) -> Option<Parsed> {
    let mut scan = Scan {
        text,
        frames: Vec::new(),
        deeper: 0,
        open: [0; 2],
        parsed: Parsed::default(),
        keyed: 0,
        last: 1,
    };
    let mut tokens = Tokens::new(text);
    let mut begun = false;
    for token in tokens.by_ref() {
        match token.kind {
            Kind::Open { object } => scan.begin(object, &token),
            // JSON without an outer object or array has no keys.
            _ if !begun => return None,
            Kind::Close { object } => scan.end(object, &token),
            Kind::Colon => scan.colon(),
            Kind::Comma => scan.comma(),
            Kind::Value => scan.value(token),
        }
        begun = true;
        scan.last = token.last;
    }
    if !scan.frames.is_empty() {
        scan.lost(scan.last);
    }
    while scan.pop(scan.last) {}
    let mut parsed = Parsed {
        unbalanced_at: [scan.parsed.unbalanced_at, tokens.parsed.unbalanced_at]
            .into_iter()
            .flatten()
            .min(),
        comments: tokens.parsed.comments,
        ..scan.parsed
    };
    name_elements(&mut parsed.items);
    (!parsed.items.is_empty()).then_some(parsed)
}

/// Lets the outline show an array element by the line of its first key, if that key is a name such
/// as `id`. The first line of the element itself is only a bracket.
fn name_elements(items: &mut [Item]) {
    for at in 1usize..items.len() {
        let Some((before, [key, ..])) = items.split_at_mut_checked(at) else {
            return;
        };
        let Some(element) = before.last_mut() else {
            continue;
        };
        let names = matches!(
            &*key.name,
            "name" | "id" | "key" | "title" | "label" | "type" | "path"
        );
        if names
            && key.parent == at.checked_sub(1)
            && element.name.starts_with('[')
            && element.head < key.line
            && key.head == key.line
        {
            element.sign = key.line;
            element.head = key.line;
        }
    }
}

/// A key whose value is being read.
#[derive(Clone, Copy, Debug)]
struct Key {
    token: Token,
    /// The index in [`Parsed::items`] of the item for this key. Only the first key of a line has
    /// one.
    item: Option<usize>,
}

/// An object or array that has not ended.
#[derive(Debug)]
struct Frame {
    object: bool,
    /// The indentation of the line on which it began.
    indent: usize,
    /// The line on which it began.
    line: u32,
    /// The number of items in [`Parsed::items`] when this object or array began, including its own
    /// item.
    before: usize,
    /// The index of the item that represents this object or array, if there is one.
    own: Option<usize>,
    /// Whether that item was added when a key was read. Such an item is kept even if the object or
    /// array ends on the line on which it began.
    keyed: bool,
    /// The index of the item that is the parent of the items in this object or array.
    parent: Option<usize>,
    /// The number of commas in this object or array so far. In an array, this is the index of the
    /// current element.
    next: u32,
    /// The index of this object or array in the enclosing array.
    number: u32,
    key: Option<Key>,
    /// The most recent string, number or word, which is a key if a colon follows.
    value: Option<Token>,
}

struct Scan<'t> {
    text: &'t str,
    frames: Vec<Frame>,
    /// The number of open objects and arrays that are ignored because they are nested too deeply.
    deeper: u32,
    /// The numbers of open arrays and open objects.
    open: [u32; 2],
    parsed: Parsed,
    /// The line number of the most recent key. It shows whether another key is the first one of its
    /// line.
    keyed: u32,
    /// The line number at which the previous token ends.
    last: u32,
}

impl Scan<'_> {
    fn lost(&mut self, line: u32) {
        self.parsed.unbalanced_at.get_or_insert(line);
    }

    /// The innermost open object or array. Returns `None` if it is nested too deeply.
    fn frame(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut().filter(|_| self.deeper == 0)
    }

    fn value(&mut self, token: Token) {
        if let Some(frame) = self.frame() {
            frame.value = Some(token);
        }
    }

    /// Handles a colon: the previous value becomes a key.
    fn colon(&mut self) {
        let Some(frame) = self.frame().filter(|frame| frame.object) else {
            return;
        };
        let Some(token) = frame.value.take() else {
            return;
        };
        let parent = frame.parent;
        if let Some(before) = frame.key.take() {
            // A comma is missing.
            self.end_key(before, token.line.saturating_sub(1));
            self.lost(token.line);
        }
        let first = token.line != self.keyed;
        self.keyed = token.line;
        let item = first.then(|| self.add(&token, parent)).flatten();
        if let Some(frame) = self.frame() {
            frame.key = Some(Key { token, item });
        }
    }

    fn add(&mut self, token: &Token, parent: Option<usize>) -> Option<usize> {
        let at = self.parsed.items.len();
        if at >= limits::ITEMS {
            self.lost(token.line);
            return None;
        }
        let (from, to) = token.inner;
        let name = self.text.get(from..to).unwrap_or_default();
        self.parsed
            .items
            .push(item(name, token.line, token.start, parent));
        Some(at)
    }

    fn end_key(&mut self, key: Key, last: u32) {
        if let Some(item) = key.item.and_then(|item| self.parsed.items.get_mut(item)) {
            item.last = item.last.max(last);
        }
    }

    fn comma(&mut self) {
        let last = self.last;
        let Some(frame) = self.frame() else {
            return;
        };
        frame.next = frame.next.saturating_add(1);
        frame.value = None;
        if let Some(key) = frame.key.take() {
            self.end_key(key, last);
        }
    }

    fn begin(&mut self, object: bool, token: &Token) {
        if self.deeper > 0 || self.frames.len() >= limits::SECTION_DEPTH {
            self.deeper = self.deeper.saturating_add(1);
            return;
        }
        let above = self.frames.last();
        let (parent, number) = above.map_or((None, 0), |above| (above.parent, above.next));
        let key = above.and_then(|above| above.key);
        let element = above.is_some_and(|above| !above.object);
        let keyed = key.is_some_and(|key| key.item.is_some());
        let own = match key {
            Some(key) => key.item.or_else(|| self.add(&key.token, parent)),
            // The name is set when the element ends, if it is kept.
            None if element => self.add(token, parent),
            None => None,
        };
        self.frames.push(Frame {
            object,
            indent: token.indent,
            line: token.line,
            before: self.parsed.items.len(),
            own,
            keyed,
            parent: own.or(parent),
            next: 0,
            number,
            key: None,
            value: None,
        });
        if let Some(open) = self.open.get_mut(usize::from(object)) {
            *open = open.saturating_add(1);
        }
    }

    fn end(&mut self, object: bool, token: &Token) {
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        let Some(top) = self.frames.last() else {
            return self.lost(token.line);
        };
        // If a bracket is missing, this one closes the block that began on a line of the same
        // indentation.
        let same = |frame: &Frame| frame.object == object && frame.indent == token.indent;
        let outer = (token.leads && token.indent < top.indent)
            .then(|| self.frames.iter().rposition(same))
            .flatten();
        let found = match outer {
            Some(outer) => Some(outer),
            None if top.object == object => self.frames.len().checked_sub(1),
            None if self.open.get(usize::from(object)) == Some(&0) => None,
            None => self.frames.iter().rposition(|frame| frame.object == object),
        };
        let Some(found) = found else {
            return self.lost(token.line);
        };
        if found.saturating_add(1) < self.frames.len() {
            self.lost(token.line);
        }
        // Blocks without a closing bracket end before this one.
        while self.frames.len() > found.saturating_add(1) && self.pop(self.last) {}
        self.pop(token.line);
    }

    /// Ends the innermost object or array at `line`. Returns `false` if no object or array is open.
    fn pop(&mut self, line: u32) -> bool {
        let Some(frame) = self.frames.pop() else {
            return false;
        };
        if let Some(open) = self.open.get_mut(usize::from(frame.object)) {
            *open = open.saturating_sub(1);
        }
        if let Some(key) = frame.key {
            self.end_key(key, self.last);
        }
        let own = frame.own.and_then(|own| self.parsed.items.get_mut(own));
        if own.as_ref().map_or(frame.line, |item| item.line) == line {
            // The parts of a block on one line are not items.
            let own = usize::from(frame.own.is_some() && !frame.keyed);
            self.parsed.items.truncate(frame.before.saturating_sub(own));
        } else if let Some(item) = own {
            item.last = line;
            if self.frames.last().is_some_and(|above| !above.object) {
                item.name = format!("[{}]", frame.number);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::drawn;
    use super::*;

    #[test]
    fn json_keys_become_sections() {
        let cases: &[(&str, &[&str])] = &[
            (
                "{\n \"a\": 1,\n \"b\": {\n  \"c\": [1,\n   2]\n },\n \"d\":\n  3\n}\n",
                &["a 2-2", "b 3-6", "  c 4-5", "d 7-8"],
            ),
            (
                "[\n {\"a\": 1},\n {\n  \"a\": 2\n },\n [\n ]\n]",
                &["[1] 3-5", "  a 4-4", "[2] 6-7"],
            ),
            // Several keys on one line: only the first one, and those with values of several lines.
            (
                "{\"a\": 1, \"b\": {\"c\": 2}, \"d\": {\n\"e\": 1}}",
                &["a 1-1", "d 1-2", "  e 2-2"],
            ),
            ("{\n \"a\": {\"b\": 1}, \"c\": 1\n}", &["a 2-2"]),
            (
                "{\"f\": [{\n \"a\": 1\n}]}",
                &["f 1-3", "  [0] 1-3", "    a 2-2"],
            ),
            // JSON5.
            (
                "// c\n{\n a: 'x\\'\\\ny', /* } */ # c\n 'b': [ // ]\n  +1,\n ],\n}\n",
                &["a 3-4", "b 5-7"],
            ),
            ("\u{feff}{\"a\\\"}\":\n1}", &["a\\\"} 1-2"]),
            // Damage.
            (
                "{\n \"a\": {\n  \"b\": 1\n",
                &["a 2-3", "  b 3-3", "lost 3"],
            ),
            (
                "{\n \"a\": {\n  \"b\": [1\n },\n \"c\": 1\n}\n",
                &["a 2-4", "  b 3-3", "c 5-5", "lost 4"],
            ),
            (
                "{\n \"a\": {\n  \"b\": {\n   \"x\": 1\n },\n \"c\": 1\n}\n",
                &["a 2-5", "  b 3-4", "    x 4-4", "c 6-6", "lost 5"],
            ),
            (
                "{\n \"a\": 1\n \"b\": 2\n}\n",
                &["a 2-2", "b 3-3", "lost 3"],
            ),
            (
                "{\n \"a\": \"x,\n \"b\": 2\n}}]\n",
                &["a 2-2", "b 3-3", "lost 2"],
            ),
            ("{\n \"a\": 1 /* \n", &["a 2-2", "lost 2"]),
            ("[1,\n2]", &["none"]),
            ("{\"a\": 1}\n{\"a\": {\"b\": 2}}\n", &["none"]),
            ("x: {\n}", &["none"]),
            ("\"a\"\n{\n}", &["none"]),
            ("", &["none"]),
        ];
        for (text, expected) in cases {
            assert_eq!(drawn(parse(text)), *expected, "{text}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(drawn(parse(&windows)), *expected, "{windows:?}");
        }
        assert_eq!(
            parse("// a\n/* b\n*/\n{\"a\":\n1}").unwrap().comments,
            [(1, 3)]
        );
    }

    #[test]
    fn json_deeper_than_limit_is_ignored() {
        let deep = format!("{}\"a\":\n1{}", "{\"k\":\n".repeat(500), "}".repeat(500));
        let parsed = parse(&deep).unwrap();
        assert_eq!(
            (parsed.items.len(), parsed.unbalanced_at),
            (limits::SECTION_DEPTH, None)
        );
    }
}
