//! The keys and elements of YAML.

use super::super::lines::{Line, Lines};
use super::super::yaml::scalars::{Open, Value, key, value, without_properties};
use super::flow::{self, unquoted};
use super::strings::{At, Style};
use super::{Begin, Key, Keys};
use crate::limits;
use std::borrow::Cow;

/// A key or element that has not ended.
#[derive(Clone, Copy)]
struct Level {
    column: usize,
    /// The index of an element of a sequence. `None` for a key.
    element: Option<usize>,
}

struct Walker {
    levels: Vec<Level>,
    /// The number of open keys that are nested too deeply to be kept.
    /// The open scalar, and the minimum indentation of its lines.
    scalar: Option<(Open, usize)>,
    /// The line and the offset at which the last content ends.
    last: u32,
    end: usize,
    /// The first and last line of the last comment, and its column.
    comment: Option<(u32, u32, usize)>,
}

/// Reports the keys and elements of YAML. Each document of a stream has its own root.
pub fn walk<'t>(text: &'t str, keys: &mut Keys<'t, '_>) {
    let mut walker = Walker {
        levels: Vec::new(),
        scalar: None,
        last: 1,
        end: 0,
        comment: None,
    };
    // The offset before which lines belong to a flow collection.
    let mut after = 0usize;
    for line in Lines::new(text) {
        let end = line.start.saturating_add(line.text.trim_end().len());
        if end <= after || line.is_blank() {
            continue;
        }
        if line.start < after {
            (walker.last, walker.end) = (line.number, end);
            continue;
        }
        if walker.continues(&line) {
            (walker.last, walker.end) = (line.number, end);
            continue;
        }
        if line.text.starts_with("---") || line.text.starts_with("...") {
            walker.close(keys, 0);
            let rest = line.text.get(3..).unwrap_or_default();
            walker.comment = None;
            if line.text.starts_with("---") && rest.starts_with(' ') {
                after = walker.value(keys, &line, rest, 0);
            }
            continue;
        }
        if line.byte() == Some(b'#') {
            walker.comment = match walker.comment {
                Some((first, last, column))
                    if last.saturating_add(1) == line.number && column == line.indent() =>
                {
                    Some((first, line.number, column))
                }
                _ => Some((line.number, line.number, line.indent())),
            };
            continue;
        }
        if line.text.starts_with('%') {
            continue;
        }
        after = walker.entry(keys, &line);
        if after == 0 {
            (walker.last, walker.end) = (line.number, end);
        }
    }
    keys.leave_to(0, walker.last, walker.end);
}

impl Walker {
    /// Whether a line continues the open scalar.
    fn continues(&mut self, line: &Line<'_>) -> bool {
        let Some((open, indent)) = &mut self.scalar else {
            return false;
        };
        let outside = line.indent() < *indent;
        if matches!(open, Open::Block) {
            if outside {
                self.scalar = None;
            }
            return !outside;
        }
        if outside && (key(line.bare).is_some() || line.bare.starts_with("- ")) {
            self.scalar = None;
            return false;
        }
        if open.closes(line.bare) {
            self.scalar = None;
        }
        true
    }

    /// Ends all but the outermost `count` keys and elements.
    fn close(&mut self, keys: &mut Keys<'_, '_>, count: usize) {
        while self.levels.len() > count {
            self.levels.pop();
            keys.leave(self.last, self.end);
        }
    }

    /// Ends the keys and elements for which the condition holds, from the innermost on. Returns the
    /// last one that ended.
    fn close_while(
        &mut self,
        keys: &mut Keys<'_, '_>,
        ends: impl Fn(&Level) -> bool,
    ) -> Option<Level> {
        let mut ended = None;
        while let Some(level) = self.levels.pop_if(|level| ends(level)) {
            keys.leave(self.last, self.end);
            ended = Some(level);
        }
        ended
    }

    fn open<'t>(&mut self, keys: &mut Keys<'t, '_>, level: Level, key: Key<'t>, begin: Begin) {
        if self.levels.len() < limits::SECTION_DEPTH {
            self.levels.push(level);
            keys.enter(key, begin);
        }
    }

    /// Reads a line with dashes, a key or a part of a scalar. Returns the offset after a flow
    /// collection that began on the line, or 0.
    fn entry<'t>(&mut self, keys: &mut Keys<'t, '_>, line: &Line<'t>) -> usize {
        let mut rest = line.bare;
        let column = |rest: &str| line.text.len().saturating_sub(rest.len());
        let comment = self.comment.take();
        let first = comment
            .filter(|(_, last, column)| {
                last.saturating_add(1) == line.number && *column == line.indent()
            })
            .map_or(line.number, |(first, _, _)| first);
        let begin = |at: usize| Begin {
            first,
            line: line.number,
            start: line.start.saturating_add(at),
        };
        // The minimum indentation of the lines of a scalar that begins on this line.
        let mut indent = line.indent();
        while matches!(rest.as_bytes(), [b'-' | b'?', b' ' | b'\t', ..] | [b'-']) {
            let dash = column(rest);
            if rest.starts_with('-') {
                let ended = self.close_while(keys, |level| {
                    level.column > dash || (level.column == dash && level.element.is_some())
                });
                let index = ended
                    .filter(|level| level.column == dash)
                    .and_then(|level| level.element)
                    .map_or(0, |index| index.saturating_add(1));
                let level = Level {
                    column: dash,
                    element: Some(index),
                };
                self.open(keys, level, Key::Index(index), begin(dash));
            }
            indent = dash.saturating_add(1);
            rest = rest.get(1..).unwrap_or_default();
            rest = rest.trim_start_matches([' ', '\t']);
        }
        let at = column(rest);
        let Some((name, after)) = key(rest) else {
            return self.value(keys, line, rest, indent);
        };
        self.close_while(keys, |level| level.column >= at);
        let level = Level {
            column: at,
            element: None,
        };
        let name = Key::Name(Cow::Borrowed(unquoted(name)));
        self.open(keys, level, name, begin(at));
        self.value(keys, line, after, at.saturating_add(1))
    }

    /// Reads a value. Returns the offset after a flow collection, or 0 for other values.
    fn value<'t>(
        &mut self,
        keys: &mut Keys<'t, '_>,
        line: &Line<'t>,
        rest: &'t str,
        indent: usize,
    ) -> usize {
        let bare = without_properties(rest.trim());
        if bare.starts_with(['[', '{']) {
            let text = keys.text();
            let at = line.text.trim_end().len().saturating_sub(bare.len());
            let at = At {
                offset: line.start.saturating_add(at),
                line: line.number,
            };
            let (at, after) = flow::walk(keys, Style::Yaml, at, &mut |start| {
                let rest = text.get(start..).unwrap_or_default();
                let line = rest.split('\n').next().unwrap_or_default();
                let bare = line.trim_start_matches([' ', '\t']);
                let outside = line.len().saturating_sub(bare.len()) < indent;
                outside && (key(bare).is_some() || bare.starts_with("- "))
            });
            (self.last, self.end) = (at.line, at.offset);
            return after;
        }
        if let Value::Open(open) = value(rest) {
            self.scalar = Some((open, indent));
        }
        0
    }
}
