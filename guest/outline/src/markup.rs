//! Pages: headings, elements with an `id`, and embedded scripts and styles.
//!
//! The parser only moves forward. It does not search the bytes of a tag twice.

use crate::grammar::Kind;
use crate::item::{Item, Parsed};
use crate::language::Language;
use crate::languages;
use crate::lexis::LexFeature;
use crate::limits;
use crate::parse::{arrange, parse as code};
use memchr::{memchr, memchr_iter, memchr2, memmem};

/// The start of a snippet, which is a named template of Svelte.
const SNIPPET: &str = "{#snippet ";

/// Elements without an end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// A tag of a page.
struct Tag<'t> {
    name: String,
    /// The text between the name and the `>`.
    attributes: &'t str,
    /// Whether the tag is self-closing: `<a/>`.
    alone: bool,
    closing: bool,
    /// The offset after the tag.
    end: usize,
}

/// The state of parsing a page.
struct Page<'t> {
    text: &'t str,
    /// Whether the text is a complete HTML document, and not a component such as a Vue or Svelte
    /// file.
    document: bool,
    /// Whether there may be Svelte snippets between tags: `{#snippet …}`.
    snippets: bool,
    at: usize,
    line: u32,
    parsed: Parsed,
    /// The open elements, outermost first: the name, and the index of the item that the element
    /// declares, if there is one.
    open: Vec<(String, Option<usize>)>,
    /// The headings whose sections have not ended: the level, and the index of the item.
    headings: Vec<(u8, usize)>,
    /// Whether a comment, script or style without an end was found. Further ends are not searched.
    endless: bool,
}

/// Returns the headings, elements, scripts and styles of a page.
pub fn parse(text: &str, language: &'static Language) -> Parsed {
    let mut page = Page {
        text,
        document: language.name == "HTML",
        snippets: language.lex_rules.has(LexFeature::Snippets),
        at: 0,
        line: 1,
        parsed: Parsed::default(),
        open: Vec::new(),
        headings: Vec::new(),
        endless: false,
    };
    page.run();
    for (_, item) in std::mem::take(&mut page.headings) {
        page.end_item(Some(item));
    }
    let mut parsed = page.parsed;
    arrange::arrange(&mut parsed.items);
    parsed
}

impl<'t> Page<'t> {
    /// The text from the current position on.
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves forward to an offset, and counts the lines on the way.
    fn go(&mut self, end: usize) {
        let passed = self.text.as_bytes().get(self.at..end).unwrap_or_default();
        let lines = u32::try_from(memchr_iter(b'\n', passed).count()).unwrap_or(u32::MAX);
        self.line = self.line.saturating_add(lines);
        self.at = end;
    }

    fn run(&mut self) {
        while let Some(length) = self.next_sign() {
            self.go(self.at.saturating_add(length));
            if self.rest().starts_with('{') {
                self.snippet();
                continue;
            }
            if self.rest().starts_with("<!--") {
                let length = if self.endless {
                    None
                } else {
                    memmem::find(self.rest().as_bytes(), b"-->")
                };
                match length {
                    Some(length) => self.go(self.at.saturating_add(length).saturating_add(3)),
                    None => {
                        self.endless = true;
                        self.parsed.unbalanced_at.get_or_insert(self.line);
                        self.go(self.at.saturating_add(4));
                    }
                }
                continue;
            }
            match self.tag() {
                Ok(tag) => self.element(&tag),
                Err(end) => self.go(end.max(self.at.saturating_add(1)).min(self.text.len())),
            }
        }
        self.go(self.text.len());
    }

    /// The distance in bytes from the current position to the next `<`, or to the next `{` if there
    /// may be snippets.
    fn next_sign(&self) -> Option<usize> {
        let rest = self.rest().as_bytes();
        if self.snippets {
            memchr2(b'<', b'{', rest)
        } else {
            memchr(b'<', rest)
        }
    }

    /// Handles `{#snippet name(…)}` or `{/snippet}`, if one of them begins at the current position.
    /// Moves forward by one byte in any case.
    fn snippet(&mut self) {
        let rest = self.rest();
        if let Some(after) = rest.strip_prefix(SNIPPET) {
            let is_name = |sign: &char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
            let name: String = after.trim_start().chars().take_while(is_name).collect();
            let item = self.add(&name, self.at, self.line, self.line);
            if let Some(item) = self.parsed.items.get_mut(item) {
                item.kind = Kind::Function;
            }
            self.begin(SNIPPET, Some(item));
        } else if rest.starts_with("{/snippet") {
            self.close(SNIPPET);
        }
        self.go(self.at.saturating_add(1));
    }

    /// The tag that begins here.
    ///
    /// # Errors
    ///
    /// Fails with the offset at which the search stopped if no tag begins here.
    fn tag(&self) -> Result<Tag<'t>, usize> {
        let rest = self.rest().as_bytes();
        let closing = rest.get(1) == Some(&b'/');
        let from = if closing { 2 } else { 1 };
        let is_name =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.');
        let length = rest.iter().skip(from).take_while(is_name).count();
        let first = rest.get(from).filter(|byte| byte.is_ascii_alphabetic());
        if length == 0 || first.is_none() {
            return Err(self.at.saturating_add(1));
        }
        let after = from.saturating_add(length);
        let mut quote = None;
        let mut level = 0u32;
        for (at, byte) in rest
            .iter()
            .enumerate()
            .skip(after)
            .take(limits::ELEMENT_BYTES)
        {
            match (quote, byte) {
                (Some(open), byte) => quote = Some(open).filter(|open| open != byte),
                (None, b'"' | b'\'') => quote = Some(*byte),
                (None, b'{') => level = level.saturating_add(1),
                (None, b'}') => level = level.saturating_sub(1),
                (None, b'>') if level == 0 => {
                    let (start, end) = (self.at.saturating_add(after), self.at.saturating_add(at));
                    let attributes = self.text.get(start..end).unwrap_or_default();
                    let name = self
                        .text
                        .get(self.at.saturating_add(from)..start)
                        .unwrap_or_default();
                    return Ok(Tag {
                        name: name.to_ascii_lowercase(),
                        attributes,
                        alone: attributes.ends_with('/'),
                        closing,
                        end: end.saturating_add(1),
                    });
                }
                (None, b'<') if level == 0 => return Err(self.at.saturating_add(at)),
                _ => {}
            }
        }
        let end = self
            .at
            .saturating_add(after)
            .saturating_add(limits::ELEMENT_BYTES)
            .min(self.text.len());
        Err(self.text.ceil_char_boundary(end))
    }

    /// Adds an item. Returns its index.
    fn add(&mut self, name: &str, start: usize, line: u32, head: u32) -> usize {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.parsed.items.push(Item {
            head,
            last: head,
            ..Item::section(&name, line, start)
        });
        self.parsed.items.len().saturating_sub(1)
    }

    /// Ends an item on the current line.
    fn end_item(&mut self, item: Option<usize>) {
        let line = self.line;
        if let Some(item) = item.and_then(|item| self.parsed.items.get_mut(item)) {
            item.last = item.last.max(line);
        }
    }

    /// Handles the tag at the current position.
    fn element(&mut self, tag: &Tag<'t>) {
        let (start, line) = (self.at, self.line);
        self.go(tag.end);
        if tag.closing {
            return self.close(&tag.name);
        }
        let top = self.open.is_empty();
        if matches!(tag.name.as_str(), "script" | "style") && !tag.alone {
            return self.embedded(tag, start, line);
        }
        let mut item = None;
        if let Some(level) = level(&tag.name) {
            self.heading(level, start, line);
        } else if let Some(id) = attribute(tag.attributes, "id").filter(|id| !id.is_empty()) {
            item = Some(self.add(&format!("#{id}"), start, line, self.line));
        } else if top && !self.document && tag.name == "template" {
            item = Some(self.add("template", start, line, self.line));
        }
        if !tag.alone && !VOID.contains(&tag.name.as_str()) {
            self.begin(&tag.name, item);
        }
    }

    /// Records an open element or snippet. `item` is the index of the item that it declares, if
    /// there is one.
    fn begin(&mut self, name: &str, item: Option<usize>) {
        if self.open.len() >= limits::OPEN_ELEMENTS {
            // The oldest open elements are the least likely to be closed in order.
            self.open.remove(0);
        }
        self.open.push((name.to_owned(), item));
    }

    /// Closes the innermost element of this name.
    fn close(&mut self, name: &str) {
        let Some(at) = self.open.iter().rposition(|(open, _)| open == name) else {
            return;
        };
        let item = self.open.get(at).and_then(|(_, item)| *item);
        self.open.truncate(at);
        self.end_item(item);
    }

    /// Adds a heading. In a complete document, its section ends before the next heading of the same
    /// or a higher level.
    fn heading(&mut self, level: u8, start: usize, line: u32) {
        let rest = self.rest();
        // The name ends with the end tag.
        let end = memmem::find(
            rest.as_bytes()
                .get(..limits::HEADING_BYTES.min(rest.len()))
                .unwrap_or_default(),
            b"</h",
        );
        let name = plain(end.and_then(|end| rest.get(..end)).unwrap_or_default());
        while let Some((open, item)) = self.headings.last().copied() {
            if open < level {
                break;
            }
            self.headings.pop();
            if let Some(item) = self.parsed.items.get_mut(item) {
                item.last = item.last.max(line.saturating_sub(1));
            }
        }
        let item = self.add(&name, start, line, line);
        if self.document {
            self.headings.push((level, item));
        }
    }

    /// Handles a script or style element up to its end tag. `start` and `line` are the position of
    /// its start tag.
    fn embedded(&mut self, tag: &Tag<'t>, start: usize, line: u32) {
        let end = self.embedded_end(&tag.name);
        let (from, first) = (self.at, self.line);
        let to = end.unwrap_or(self.text.len());
        if end.is_none() {
            self.parsed.unbalanced_at.get_or_insert(line);
        }
        let label = format!("{} {}", tag.name, tag.attributes);
        let item = (!self.document
            || self
                .text
                .get(from..to)
                .is_some_and(|text| text.contains('\n')))
        .then(|| self.add(label.trim(), start, line, first));
        if let (Some(language), Some(text)) = (language_of(tag), self.text.get(from..to)) {
            let part = code(text, language);
            self.parsed
                .include(part, from, first.saturating_sub(1), None);
        }
        self.go(to);
        self.end_item(item);
    }

    /// The offset of the end tag of a script or style. Returns `None` if it is missing.
    fn embedded_end(&mut self, name: &str) -> Option<usize> {
        if self.endless {
            return None;
        }
        let bytes = self.rest().as_bytes();
        let found = memmem::find_iter(bytes, b"</").find(|at| {
            let after = bytes.get(at.saturating_add(2)..).unwrap_or_default();
            after
                .get(..name.len())
                .is_some_and(|one| one.eq_ignore_ascii_case(name.as_bytes()))
        });
        self.endless |= found.is_none();
        Some(self.at.saturating_add(found?))
    }
}

/// The text of an element without the tags in it.
fn plain(text: &str) -> String {
    let mut inside = false;
    text.chars()
        .filter(|c| {
            match c {
                '<' => inside = true,
                '>' if inside => {
                    inside = false;
                    return false;
                }
                _ => {}
            }
            !inside
        })
        .collect()
}

/// The level of a heading element: 1 to 6.
fn level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level.saturating_sub(b'0')),
        _ => None,
    }
}

/// The value of the attribute `name` in `attributes`, the text of a tag after its name.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    loop {
        let at = rest.find(name)?;
        let before = rest.get(..at)?.chars().next_back();
        rest = rest.get(at.saturating_add(name.len())..)?;
        if !before.is_some_and(char::is_whitespace) {
            continue;
        }
        let Some(value) = rest.trim_start().strip_prefix('=') else {
            continue;
        };
        let value = value.trim_start();
        return match value.chars().next()? {
            quote @ ('"' | '\'') => value.get(1..)?.split(quote).next(),
            _ => value.split(|c: char| c.is_whitespace()).next(),
        };
    }
}

/// The language of a script or style element.
fn language_of(tag: &Tag<'_>) -> Option<&'static Language> {
    let name = languages::named;
    if tag.name == "style" {
        let indented = matches!(
            attribute(tag.attributes, "lang"),
            Some("sass" | "stylus" | "styl")
        );
        return name("CSS").filter(|_| !indented);
    }
    match attribute(tag.attributes, "lang") {
        Some("ts" | "typescript") => return name("TypeScript"),
        Some("tsx") => return name("TSX"),
        _ => {}
    }
    let kind = attribute(tag.attributes, "type").unwrap_or_default();
    match kind {
        "text/typescript" => name("TypeScript"),
        "" | "module" | "text/babel" | "text/jsx" => name("JavaScript"),
        kind if kind.contains("javascript") || kind.contains("ecmascript") => name("JavaScript"),
        _ => None,
    }
}
