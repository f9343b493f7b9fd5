//! Sections of YAML, by indentation: keys, and elements that are mappings.

pub mod scalars;

use super::lines::{Line, Lines};
use super::tree::Tree;
use crate::item::{Parsed, cut};
use crate::limits;
use memchr::memmem;
use scalars::{Open, Value, entries, key, value};

/// Finds the keys of YAML, and the elements of sequences that are mappings.
pub fn parse(text: &str) -> Option<Parsed> {
    let mut scan = Scan {
        tree: Tree::default(),
        within: None,
        elements: Vec::new(),
        several: several(text),
        documents: 0,
        document: None,
    };
    for line in Lines::new(text) {
        scan.line(&line);
    }
    if let Some(Within {
        line,
        what: Open::Flow { .. } | Open::Quoted(_),
        ..
    }) = scan.within
    {
        scan.tree.lost(line);
    }
    scan.tree.finish()
}

/// A scalar or flow collection that continues on the next line.
struct Within {
    what: Open,
    /// The minimum indentation of lines that belong to it.
    indent: usize,
    line: u32,
}

/// An open element of a sequence. A later key may provide a better name.
struct Element {
    level: u32,
    /// The indentation of its keys, if known.
    column: Option<usize>,
    item: usize,
    /// The rank of its name. A key with a higher rank replaces the name.
    rank: u8,
}

struct Scan {
    tree: Tree,
    within: Option<Within>,
    elements: Vec<Element>,
    /// Whether the text contains several documents. In this case, each document is an item.
    several: bool,
    documents: u32,
    document: Option<usize>,
}

impl Scan {
    fn line(&mut self, line: &Line<'_>) {
        if line.is_blank() {
            return;
        }
        if self.continues_scalar(line) {
            return self.tree.content(line.number);
        }
        let marker = |mark| {
            line.text.strip_prefix(mark).is_some_and(|rest: &str| {
                rest.trim_ascii_start().len() < rest.len() || rest.is_empty()
            })
        };
        if marker("---") {
            self.end(0);
            self.document(line);
        } else if marker("...") {
            self.end(0);
            self.document = None;
        } else if line.byte() == Some(b'#') {
            return self.tree.comment(line.number, line.number);
        } else if !line.text.starts_with('%') {
            if self.document.is_none() {
                self.document(line);
            }
            if line
                .text
                .get(..line.indent())
                .is_some_and(|indent| indent.contains('\t'))
            {
                self.tree.lost(line.number);
            }
            self.entry(line);
        }
        self.tree.content(line.number);
    }

    /// Begins the item of a document, if the text contains several documents.
    fn document(&mut self, line: &Line<'_>) {
        if self.several {
            self.documents = self.documents.saturating_add(1);
            let name = format!("document {}", self.documents);
            self.document = self.tree.begin(0, &name, line, line.number);
        }
    }

    /// Whether a line continues the open scalar or flow collection.
    fn continues_scalar(&mut self, line: &Line<'_>) -> bool {
        let Some(within) = &mut self.within else {
            return false;
        };
        let outside = line.indent() < within.indent;
        match &mut within.what {
            Open::Block => {
                if outside {
                    self.within = None;
                }
                !outside
            }
            what => {
                // Closing brackets may be indented less than the collection. A key or element there
                // means that a bracket is missing.
                if outside && (key(line.bare).is_some() || line.bare.starts_with("- ")) {
                    self.tree.lost(within.line);
                    self.within = None;
                    return false;
                }
                if what.closes(line.bare) {
                    self.within = None;
                }
                true
            }
        }
    }

    /// Ends the sections of this level and of inner levels. Returns the level of the outermost
    /// section that ended, or `None` if no section ended.
    fn end(&mut self, level: u32) -> Option<u32> {
        while self
            .elements
            .pop_if(|element| element.level >= level)
            .is_some()
        {}
        self.tree.end(level)
    }

    /// Interprets a line with a key, an element or a part of a scalar.
    fn entry(&mut self, line: &Line<'_>) {
        let (dashes, column, rest) = entries(line);
        let mut indent = column;
        let mut what = value(rest);
        if let Some((first, dash)) = dashes {
            let level = level(first).saturating_add(1);
            self.ends_with(level, first, line);
            indent = dash.saturating_add(1);
            if what == Value::Empty || key(rest).is_some() {
                self.element(level, column, rest, line);
            }
        }
        if let Some((name, after)) = key(rest) {
            what = value(after);
            indent = column.saturating_add(1);
            // The first key of an element is part of its name, not a separate item.
            if dashes.is_none() || what == Value::Empty {
                self.ends_with(level(column), column, line);
                self.tree.begin(level(column), name, line, line.number);
            }
            if what != Value::Empty {
                self.named(name, column, rest);
                self.kind(name, column, after);
            }
        }
        if let Value::Open(what) = what {
            let line = line.number;
            self.within = Some(Within { what, indent, line });
        }
    }

    /// Ends the sections of this level and of inner levels. Records damage if the outermost section
    /// that ended did not begin in the column `column`.
    fn ends_with(&mut self, level: u32, column: usize, line: &Line<'_>) {
        let ended = self.end(level);
        if ended.is_some_and(|ended| ended.saturating_sub(1) / 2 != self::level(column) / 2) {
            self.tree.lost(line.number);
        }
    }

    fn element(&mut self, level: u32, column: usize, rest: &str, line: &Line<'_>) {
        let Some(item) = self.tree.begin(level, "-", line, line.number) else {
            return;
        };
        let column = key(rest).map(|_| column);
        let rank = u8::from(column.is_some());
        self.elements.push(Element {
            level,
            column,
            item,
            rank,
        });
        if column.is_some() {
            self.name(item, rest);
        }
    }

    /// Uses a key and its value as the name of the enclosing element, if the rank of the key is
    /// higher than the rank of the present name.
    fn named(&mut self, name: &str, column: usize, rest: &str) {
        let Some(element) = self.elements.last_mut() else {
            return;
        };
        let rank = match name {
            "name" => 3,
            "id" => 2,
            _ => 1,
        };
        let level = element.level;
        let inside = level < self::level(column);
        if inside && rank > element.rank && *element.column.get_or_insert(column) == column {
            element.rank = rank;
            let item = element.item;
            self.name(item, rest);
        }
    }

    fn name(&mut self, item: usize, rest: &str) {
        if let Some(item) = self.tree.item(item) {
            let name = format!("- {}", cut(rest, limits::SEQUENCE_NAME_BYTES));
            cut(&name, limits::SEQUENCE_NAME_BYTES)
                .trim_ascii_end()
                .clone_into(&mut item.name);
        }
    }

    /// Adds the value of a key to the name of the document, if the key is `kind` in the first
    /// column.
    fn kind(&mut self, name: &str, column: usize, after: &str) {
        if name == "kind"
            && column == 0
            && let Some(item) = self.document.and_then(|document| self.tree.item(document))
        {
            item.name = format!(
                "document {}: {}",
                self.documents,
                cut(after.trim_ascii(), limits::SEQUENCE_NAME_BYTES)
            );
        }
    }
}

/// The section level of a key in this column. An element of a sequence in this column has the next
/// level, which is an inner one.
fn level(column: usize) -> u32 {
    let column = u32::try_from(column).unwrap_or(u32::MAX);
    column.saturating_mul(2).saturating_add(1)
}

/// Whether a text contains several documents.
fn several(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut markers = memmem::find_iter(text.as_bytes(), b"\n---").filter(|at| {
        let after = text.as_bytes().get(at.saturating_add(4));
        after.is_none_or(u8::is_ascii_whitespace)
    });
    let Some(first) = markers.next() else {
        return false;
    };
    let content = |line: Line<'_>| !line.is_blank() && !matches!(line.byte(), Some(b'#' | b'%'));
    markers.next().is_some()
        || text
            .get(..first)
            .is_some_and(|before| Lines::new(before).any(content))
}

#[cfg(test)]
mod tests {
    use super::super::tree::drawn;
    use super::*;

    #[test]
    fn yaml_keys_and_elements_become_sections() {
        let cases: &[(&str, &[&str])] = &[
            (
                "# c\n---\non: push\njobs:\n  \"a: b\":\n    steps:\n    - uses: x\n      with:\n        y: 1\n\n    # c\n    - id: i\n      name: N\n    - run: |\n        k: v\n\n       - z: 1\n    - plain\n  'c': {\n    d: 1 }\nlast:\n",
                &[
                    "on 3-3",
                    "jobs 4-20",
                    "  a: b 5-18",
                    "    steps 6-18",
                    "      - uses: x 7-9",
                    "        with 8-9",
                    "          y 9-9",
                    "      - name: N 12-13",
                    "        name 13-13",
                    "      - run: | 14-17",
                    "  c 19-20",
                    "last 21-21",
                ],
            ),
            // Elements.
            (
                "- a:\n    b: 1\n  c: 2\n-\n  name: x\n- - d: 1\n- 'q': 1 # c\n",
                &[
                    "- a: 1-3",
                    "  a 1-2",
                    "    b 2-2",
                    "  c 3-3",
                    "- name: x 4-5",
                    "  name 5-5",
                    "- d: 1 6-6",
                    "- 'q': 1 # c 7-7",
                ],
            ),
            (
                "a:\n- b: 1\n- c\nd: 1\n",
                &["a 1-3", "  - b: 1 2-2", "d 4-4"],
            ),
            // Scalars.
            (
                "a: >-  # c\n\n  b: 1\n\n c: 1\nd: \"x\n  e: 1\\\"\n  \" \nf: it's\n  g\nh: '\n  i: 1'\n",
                &["a 1-5", "d 6-8", "f 9-10", "h 11-12"],
            ),
            (
                "a: &x !!str |2\n  b: 1\nc: &y\n  d: *x\n  <<: *y\n  e: http://f # g: h\n",
                &["a 1-2", "c 3-6", "  d 4-4", "  << 5-5", "  e 6-6"],
            ),
            (
                "a: [1, {b: 1,\n  c: \"]\"}, # ]\n  d]\ne: 1\n",
                &["a 1-3", "e 4-4"],
            ),
            (
                "a: [\n  b\n]\ne: 1\n{{- if x }}\nf: 1\n{{- end }}",
                &["a 1-3", "e 4-5", "f 6-7"],
            ),
            // Documents.
            (
                "%YAML 1.2\n---\na: 1\n---\nb: 1\nkind: K\n...\n---\n",
                &[
                    "document 1 2-3",
                    "  a 3-3",
                    "document 2: K 4-6",
                    "  b 5-5",
                    "  kind 6-6",
                    "document 3 8-8",
                ],
            ),
            (
                "a: 1\n---\nb: 1\n",
                &["document 1 1-1", "  a 1-1", "document 2 2-3", "  b 3-3"],
            ),
            // Damage.
            ("a: [1,\nb: 2\n", &["a 1-1", "b 2-2", "lost 1"]),
            ("a: \"x\nb: 2\n", &["a 1-1", "b 2-2", "lost 1"]),
            (
                "a:\n    b: 1\n  c: 1\n",
                &["a 1-3", "  b 2-2", "  c 3-3", "lost 3"],
            ),
            ("a:\n\tb: 1\n", &["a 1-2", "  b 2-2", "lost 2"]),
            ("a: {\n b: 1\n", &["a 1-2", "lost 1"]),
            ("{\"a\":\n 1}\n", &["none"]),
            ("- a\n- b\nc d\n# e: f\n", &["none"]),
            ("", &["none"]),
        ];
        for (text, expected) in cases {
            assert_eq!(drawn(parse(text)), *expected, "{text}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(drawn(parse(&windows)), *expected, "{windows:?}");
        }
        let long = format!("- name: {}ä\n", "x".repeat(51));
        assert_eq!(parse(&long).unwrap().items[0].name.len(), 59);
    }
}
