//! Front matter as JSON: the YAML that people write in it.
//!
//! Mappings, sequences, blocks, quotes, brackets and the core schema of YAML 1.2 are read as the
//! specification says. An anchor names a value without a change of it, and the only tag with an effect is
//! `!!str`. Keys that are not text are refused, and aliases of collections. A value that is not valid YAML,
//! such as `Use when: x` after its key, is text.

use super::scalar::{Properties, is_comment, properties};
use super::wrong::Wrong;
use super::{flow, scalar};
use crate::limits;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The keys and values of the lines of front matter, without the lines `---` around them.
///
/// # Errors
/// Fails if they are not YAML that is supported.
pub(super) fn object<'t>(
    lines: impl Iterator<Item = &'t str>,
) -> Result<Map<String, Value>, Wrong> {
    let mut parser = Parser {
        lines: lines.map(Line::new).collect(),
        at: 0,
        depth: 0,
        anchors: BTreeMap::new(),
        copied: 0,
    };
    let located = |wrong: Wrong, at: usize| Wrong {
        line: wrong.line.or(Some(at.saturating_add(2))),
        ..wrong
    };
    let first = parser.content();
    let Some(indent) = first.map(|line| line.indent) else {
        return Err(Wrong::new("it is empty"));
    };
    let object = parser.mapping(indent);
    let object = object.map_err(|wrong| located(wrong, parser.at))?;
    match parser.content() {
        None => Ok(object),
        Some(_) => Err(located(Wrong::INDENT, parser.at)),
    }
}

/// A line: its indentation, and the text after it.
struct Line<'t> {
    indent: usize,
    text: &'t str,
    /// The line as it is.
    raw: &'t str,
}

impl<'t> Line<'t> {
    fn new(raw: &'t str) -> Self {
        let text = raw.trim_start_matches(' ');
        Self {
            indent: raw.len().saturating_sub(text.len()),
            text: text.trim_end(),
            raw,
        }
    }
}

struct Parser<'t> {
    lines: Vec<Line<'t>>,
    /// The index of the next line.
    at: usize,
    depth: usize,
    /// The values that have a name, so that an alias may repeat them. `None` is a collection.
    anchors: BTreeMap<String, Option<Value>>,
    /// The number of bytes that aliases have repeated.
    copied: usize,
}

/// Whether a text is an element of a sequence.
fn is_item(text: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// A text without the comment at its end.
fn without_comment(text: &str) -> &str {
    let end = text.find(" #").or_else(|| text.find("\t#"));
    end.and_then(|end| text.get(..end))
        .unwrap_or(text)
        .trim_end()
}

/// The key at the start of a text, and the text after its colon. `None` if there is no key.
pub(super) fn key(text: &str) -> Option<(String, &str)> {
    let after = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    if text.starts_with(['"', '\'']) {
        let (key, rest) = flow::value(text).ok()?;
        let rest = rest.trim_start().strip_prefix(':')?;
        return after(rest).then(|| Some((scalar::key(key)?, rest)))?;
    }
    if is_comment(text) || is_item(text) || text.starts_with(['[', '{', '&', '!', '|', '>', '\t']) {
        return None;
    }
    let mut colons = text.match_indices(':').map(|(at, _)| at);
    let colon = colons.find(|at| {
        let rest = text.get(at.saturating_add(1)..);
        rest.is_some_and(after)
    })?;
    let (name, rest) = text.split_at_checked(colon)?;
    if name.contains(" #") {
        return None;
    }
    let name = scalar::key(scalar::value(name.trim_end()))?;
    Some((name, rest.get(1..)?))
}

impl<'t> Parser<'t> {
    /// The next line with content.
    fn content(&mut self) -> Option<&Line<'t>> {
        while self
            .lines
            .get(self.at)
            .is_some_and(|line| is_comment(line.text))
        {
            self.at = self.at.saturating_add(1);
        }
        self.lines.get(self.at)
    }

    fn next(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    /// The value whose lines are indented by at least `least`.
    fn value(&mut self, least: usize) -> Result<Value, Wrong> {
        loop {
            let Some(line) = self.content().filter(|line| line.indent >= least) else {
                return Ok(Value::Null);
            };
            let (indent, text) = (line.indent, line.text);
            if is_item(text) {
                return self.sequence(indent);
            }
            if key(text).is_some() {
                return self.mapping(indent).map(Value::Object);
            }
            self.next();
            let (before, text) = self.properties(text);
            if !is_comment(text) {
                return self.scalar(before, text, least);
            }
        }
    }

    /// The properties at the start of a text, and the text after them. A name is one of a collection until
    /// its value is read.
    fn properties(&mut self, text: &'t str) -> (Properties<'t>, &'t str) {
        let (before, rest) = properties(text, &[]);
        if let Some(name) = before.anchor {
            self.anchors.insert(name.to_owned(), None);
        }
        (before, rest)
    }

    fn enter(&mut self) -> Result<(), Wrong> {
        self.depth = self.depth.saturating_add(1);
        let is_deep = self.depth > limits::FRONT_MATTER_DEPTH;
        if is_deep { Err(Wrong::DEEP) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn mapping(&mut self, indent: usize) -> Result<Map<String, Value>, Wrong> {
        self.enter()?;
        let mut values = Map::new();
        while let Some(line) = self.content().filter(|line| line.indent >= indent) {
            if line.indent > indent {
                return Err(Wrong::INDENT);
            }
            let (name, rest) = key(line.text).ok_or(Wrong::KEY)?;
            if values.contains_key(&name) {
                return Err(Wrong::TWICE);
            }
            self.next();
            let (before, rest) = self.properties(rest.trim_start());
            let least = indent.saturating_add(1);
            let value = if !is_comment(rest) {
                self.scalar(before, rest, least)?
            } else if self
                .content()
                .is_some_and(|line| line.indent == indent && is_item(line.text))
            {
                self.sequence(indent)?
            } else {
                self.value(least)?
            };
            values.insert(name, value);
        }
        self.leave();
        Ok(values)
    }

    fn sequence(&mut self, indent: usize) -> Result<Value, Wrong> {
        self.enter()?;
        let mut values = Vec::new();
        while let Some(line) = self.content().filter(|line| line.indent >= indent) {
            if line.indent > indent {
                return Err(Wrong::INDENT);
            }
            if !is_item(line.text) {
                break;
            }
            let text = line.text;
            let node = text.get(1..).unwrap_or_default().trim_start();
            let (before, rest) = self.properties(node);
            let least = indent.saturating_add(1);
            values.push(if is_comment(rest) {
                self.next();
                self.value(least)?
            } else if is_item(rest) || key(rest).is_some() {
                // The rest of the line is the first line of a collection.
                let column = text.len().saturating_sub(node.len());
                let column = indent.saturating_add(column);
                if let Some(line) = self.lines.get_mut(self.at) {
                    line.indent = column;
                    line.text = rest;
                }
                self.value(column)?
            } else {
                self.next();
                self.scalar(before, rest, least)?
            });
        }
        self.leave();
        Ok(Value::Array(values))
    }

    /// The value that starts with `text`, and has these properties before it. The next line is the one after
    /// it, and the lines that are indented by at least `least` may continue it.
    fn scalar(&mut self, before: Properties<'_>, text: &str, least: usize) -> Result<Value, Wrong> {
        if let Some(value) = self.alias(text)? {
            return Ok(value);
        }
        let value = self.own(text, least, before.is_text)?;
        if let Some(name) = before.anchor
            && !matches!(value, Value::Array(_) | Value::Object(_))
        {
            self.anchors.insert(name.to_owned(), Some(value.clone()));
        }
        Ok(value)
    }

    /// The value that an alias such as `*name` repeats. `None` if the text is no alias of a known name.
    fn alias(&mut self, text: &str) -> Result<Option<Value>, Wrong> {
        let name = without_comment(text).strip_prefix('*');
        let Some(value) = name.and_then(|name| self.anchors.get(name)) else {
            return Ok(None);
        };
        let value = value.as_ref().ok_or(Wrong::ALIAS)?;
        let length = value.as_str().map_or(1, str::len);
        self.copied = self.copied.saturating_add(length);
        if self.copied > limits::FRONT_MATTER_BYTES {
            return Err(Wrong::ALIAS);
        }
        Ok(Some(value.clone()))
    }

    /// The value that starts with `text`. It is text if a tag says so, `is_text`.
    fn own(&mut self, text: &str, least: usize, is_text: bool) -> Result<Value, Wrong> {
        let first = text.chars().next();
        match first {
            Some('|' | '>') if scalar::is_block(text) => return Ok(self.block(text, least)),
            Some('"' | '\'' | '[' | '{') => match self.flow(text, least) {
                Err(wrong) if wrong.is_text => {}
                outcome => return outcome,
            },
            _ => {}
        }
        let reserved = ['"', '\'', '[', '{', '*', '&', '!', '|', '>', '%', '@', '`'];
        let is_valid = key(text).is_none() && !first.is_some_and(|first| reserved.contains(&first));
        let (text, is_valid) = self.plain(text, least, is_valid);
        Ok(if is_valid && !is_text {
            scalar::value(&text)
        } else {
            Value::String(text)
        })
    }

    /// Text without quotes, and whether it is valid YAML. Line ends in it are spaces.
    fn plain(&mut self, first: &str, least: usize, mut is_valid: bool) -> (String, bool) {
        // A comment in text that is not valid YAML is more likely a part of it.
        let own = if is_valid {
            without_comment(first)
        } else {
            first.trim_end()
        };
        let mut text = own.to_owned();
        let mut is_open = own.len() == first.trim_end().len();
        let mut empty = 0usize;
        let mut after = self.at;
        while is_open
            && let Some(line) = self.lines.get(after)
            && (line.text.is_empty() || (line.indent >= least && !line.text.starts_with('#')))
        {
            after = after.saturating_add(1);
            let more = line.text.trim_start();
            if more.is_empty() {
                empty = empty.saturating_add(1);
                continue;
            }
            is_valid &= key(more).is_none();
            let own = if is_valid {
                without_comment(more)
            } else {
                more
            };
            match empty {
                0 => text.push(' '),
                empty => text.extend(std::iter::repeat_n('\n', empty)),
            }
            text.push_str(own);
            is_open = own.len() == more.len();
            empty = 0;
            self.at = after;
        }
        (text, is_valid)
    }

    /// A value in brackets, braces or quotes.
    fn flow(&mut self, first: &str, least: usize) -> Result<Value, Wrong> {
        let mut text = first.to_owned();
        for line in self.lines.iter().skip(self.at) {
            // Most parsers take the end at any indentation.
            let is_inside = line.indent >= least || line.text.is_empty();
            if !is_inside && !line.text.starts_with([']', '}']) {
                break;
            }
            text.push('\n');
            text.push_str(line.raw);
        }
        let (value, rest) = flow::value(&text)?;
        let (same, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let comment = same.trim_start();
        let is_end = comment.is_empty() || (comment.starts_with('#') && comment.len() < same.len());
        if !is_end {
            return Err(Wrong::INVALID);
        }
        let lines = |text: &str| text.matches('\n').count();
        let left = if rest.contains('\n') {
            lines(after).saturating_add(1)
        } else {
            0
        };
        let read = lines(&text).saturating_sub(left);
        self.at = self.at.saturating_add(read);
        Ok(value)
    }

    /// A block (`|` or `>`).
    fn block(&mut self, header: &str, least: usize) -> Value {
        let mark = header.split_whitespace().next().unwrap_or_default();
        let digit = mark.chars().find_map(|c| c.to_digit(10));
        let explicit = digit.and_then(|digit| usize::try_from(digit).ok());
        let own = explicit.map(|digit| least.saturating_sub(1).saturating_add(digit));
        let first = self
            .lines
            .iter()
            .skip(self.at)
            .find(|line| !line.text.is_empty());
        let indent = own
            .or(first.map(|line| line.indent))
            .unwrap_or(least)
            .max(least);
        let mut lines = Vec::new();
        while let Some(line) = self.lines.get(self.at)
            && (line.text.is_empty() || line.indent >= indent)
        {
            lines.push(line.raw.get(indent..).unwrap_or_default());
            self.at = self.at.saturating_add(1);
        }
        let length = lines.iter().rposition(|line| !line.trim().is_empty());
        let length = length.map_or(0, |last| last.saturating_add(1));
        let (content, empty) = lines.split_at_checked(length).unwrap_or((&lines, &[]));
        let mut text = if mark.starts_with('>') {
            folded(content)
        } else {
            content.join("\n")
        };
        if mark.contains('+') {
            let ends = empty.len().saturating_add(usize::from(length > 0));
            text.extend(std::iter::repeat_n('\n', ends));
        } else if !mark.contains('-') && length > 0 {
            text.push('\n');
        }
        Value::String(text)
    }
}

/// The lines of a block in which line ends between texts are spaces.
fn folded(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut is_indented = None;
    let mut empty = 0usize;
    for line in lines {
        if line.is_empty() {
            empty = empty.saturating_add(1);
            continue;
        }
        let indented = line.starts_with([' ', '\t']);
        let ends = match is_indented {
            Some(before) if before || indented => empty.saturating_add(1),
            Some(_) if empty == 0 => {
                text.push(' ');
                0
            }
            None | Some(_) => empty,
        };
        text.extend(std::iter::repeat_n('\n', ends));
        text.push_str(line);
        is_indented = Some(indented);
        empty = 0;
    }
    text
}
