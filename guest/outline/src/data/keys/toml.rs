//! The tables and keys of TOML.

use super::super::lines::Lines;
use super::super::toml::{key, table};
use super::flow;
use super::strings::{At, Style, dotted, string};
use super::{Begin, Key, Keys};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A part of the path of the current table.
struct Part<'t> {
    name: Cow<'t, str>,
    /// Whether the header of exactly this table was read. Otherwise only tables in it were.
    explicit: bool,
    /// Whether an element of an array of tables is open in it.
    element: bool,
}

struct Walker<'t> {
    parts: Vec<Part<'t>>,
    /// The number of elements so far of each array of tables, by its path.
    elements: BTreeMap<String, usize>,
    /// The line and the offset at which the last header or value ends.
    last: u32,
    end: usize,
    /// The first and last line of the last comment.
    comment: Option<(u32, u32)>,
}

/// Reports the tables, keys and elements of TOML.
pub fn walk<'t>(text: &'t str, keys: &mut Keys<'t, '_>) {
    let mut walker = Walker {
        parts: Vec::new(),
        elements: BTreeMap::new(),
        last: 1,
        end: 0,
        comment: None,
    };
    // The offset before which lines belong to a value.
    let mut after = 0usize;
    for line in Lines::new(text) {
        if line.start < after || line.is_blank() {
            continue;
        }
        let begin = |first: u32| Begin {
            first,
            line: line.number,
            start: line.start.saturating_add(line.indent()),
        };
        if line.byte() == Some(b'#') {
            walker.comment = match walker.comment {
                Some((first, last)) if last.saturating_add(1) == line.number => {
                    Some((first, line.number))
                }
                _ => Some((line.number, line.number)),
            };
            continue;
        }
        let first = walker
            .comment
            .take()
            .filter(|(_, last)| last.saturating_add(1) == line.number)
            .map_or(line.number, |(first, _)| first);
        if line.byte() == Some(b'[') {
            if let Some(path) = table(line.bare) {
                walker.table(keys, path, line.bare.starts_with("[["), begin(first));
            }
        } else if let Some((name, value)) = key(line.bare) {
            let bare = value.trim_start();
            let offset = line.start.saturating_add(line.text.len());
            let offset = offset.saturating_sub(bare.len());
            let depth = keys.depth();
            if name.contains(['.', '"', '\'']) {
                for part in dotted(name) {
                    keys.enter(Key::Name(part), begin(first));
                }
            } else {
                keys.enter(Key::Name(Cow::Borrowed(name.trim())), begin(first));
            }
            let at = At {
                offset,
                line: line.number,
            };
            let (at, next) = read_value(keys, at, bare);
            (walker.last, walker.end, after) = (at.line, at.offset, next);
            keys.leave_to(depth, at.line, at.offset);
            continue;
        }
        walker.last = line.number;
        walker.end = line.start.saturating_add(line.text.len());
    }
    keys.leave_to(0, walker.last, walker.end);
}

impl<'t> Walker<'t> {
    /// Begins a table. Tables whose path is not a part of its path end.
    fn table(&mut self, keys: &mut Keys<'t, '_>, path: &'t str, array: bool, begin: Begin) {
        let path = dotted(path);
        let same = self
            .parts
            .iter()
            .zip(&path)
            .take_while(|(open, part)| open.name == **part)
            .count();
        // A table that is declared again begins again. An array of tables has a further element.
        let again = same == path.len()
            && !array
            && self
                .parts
                .get(same.saturating_sub(1))
                .is_some_and(|part| part.explicit);
        let kept = same.saturating_sub(usize::from(again));
        while self.parts.len() > kept {
            self.end_part(keys);
        }
        if array
            && same == path.len()
            && let Some(part) = self.parts.last_mut()
            && std::mem::take(&mut part.element)
        {
            keys.leave(self.last, self.end);
        }
        for name in path.iter().skip(kept) {
            keys.enter(Key::Name(name.clone()), begin);
            self.parts.push(Part {
                name: name.clone(),
                explicit: false,
                element: false,
            });
        }
        if let Some(part) = self.parts.last_mut() {
            part.explicit = true;
            if array {
                part.element = true;
                let count = self.elements.entry(path.join("\n")).or_default();
                keys.enter(Key::Index(*count), begin);
                *count = count.saturating_add(1);
            }
        }
    }

    /// Ends the innermost part of the path of the current table.
    fn end_part(&mut self, keys: &mut Keys<'t, '_>) {
        if let Some(part) = self.parts.pop() {
            if part.element {
                keys.leave(self.last, self.end);
            }
            keys.leave(self.last, self.end);
        }
    }
}

/// Reads a value. Returns the position after it, and the offset from which the text goes on.
fn read_value(keys: &mut Keys<'_, '_>, at: At, bare: &str) -> (At, usize) {
    let bytes = keys.text().as_bytes();
    let text = keys.text();
    let at = match bare.bytes().next() {
        Some(b'[' | b'{') => {
            return flow::walk(keys, Style::Toml, at, &mut |start| {
                // Values contain no keys or headers at the start of a line, so a bracket is missing.
                let rest = text.get(start..).unwrap_or_default();
                let line = rest.split('\n').next().unwrap_or_default();
                line.starts_with(|c: char| c.is_alphanumeric()) && key(line).is_some()
            });
        }
        Some(b'"' | b'\'') => {
            let (offset, line) = string(bytes, at, Style::Toml);
            At { offset, line }
        }
        _ => {
            let end = bare.find('#').unwrap_or(bare.len());
            let length = bare.get(..end).unwrap_or_default().trim_end().len();
            At {
                offset: at.offset.saturating_add(length),
                ..at
            }
        }
    };
    (at, at.offset)
}
