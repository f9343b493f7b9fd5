//! Lists, their items, and definitions.

use super::renderer::Renderer;
use crate::dom::{Id, Name, Tag};
use crate::limits;
use omniread_document::markdown::{Gap, Line};
use omniread_document::numerals;

impl Renderer<'_> {
    /// Writes a list. The numbers are those of the page: a list may start at any number, count
    /// down, or count with letters.
    pub fn list(&mut self, id: Id, tag: Tag) {
        let mut numbers = (tag == Tag::Ol).then(|| Numbers::of(self, id));
        let mut line = Line::default();
        let mut next = self.document.first_child(id);
        // A list in a list continues its lines.
        if self
            .document
            .ancestors(id)
            .take(2)
            .any(|id| self.document.is(id, Tag::Li))
        {
            self.out.tighten_item();
        }
        while let Some(child) = next {
            next = self.document.next_sibling(child);
            if self.is_dropped(child) {
                continue;
            }
            match self.document.tag(child) {
                Some(Tag::Li) => {
                    self.flush(&mut line);
                    if let Some(note) = self.footnotes.definition(child) {
                        self.footnote(child, note);
                        continue;
                    }
                    let marker = match &mut numbers {
                        Some(numbers) => numbers.next(self.attribute(child, Name::Value)),
                        None => "- ".to_owned(),
                    };
                    // An item that starts with a list has no text for a marker of its own.
                    let marker = if self.starts_with_list(child) {
                        "  "
                    } else {
                        &marker
                    };
                    self.item(child, marker);
                }
                // A list directly in a list belongs to the item before it.
                Some(Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir) => {
                    self.flush(&mut line);
                    self.out.start_item("  ", 2);
                    self.node(child, &mut line);
                    self.out.end();
                    self.out.tighten();
                }
                _ => self.node(child, &mut line),
            }
        }
        self.flush(&mut line);
        self.out.gap(Gap::Blank);
    }

    /// Writes an item of a list.
    pub fn item(&mut self, id: Id, marker: &str) {
        self.out.start_item(marker, marker.len());
        let before = self.out.len();
        let link = self.link.take();
        self.children(id);
        self.link = link;
        self.out.end();
        // Items follow each other without empty lines, whatever they contain.
        if self.out.len() > before {
            self.out.tighten();
        }
    }

    /// Whether the first content of an item is a list.
    fn starts_with_list(&self, id: Id) -> bool {
        let mut children = self.document.children(id);
        let first = children.find(|child| {
            !self.is_dropped(*child)
                && self
                    .document
                    .text(*child)
                    .is_none_or(|text| !text.trim().is_empty())
        });
        let tag = first.and_then(|id| self.document.tag(id));
        matches!(
            tag,
            Some(Tag::Ul | Tag::Ol | Tag::Dl | Tag::Menu | Tag::Dir)
        )
    }

    /// Writes terms and their definitions as a list, with the definitions under each term.
    pub fn definitions(&mut self, id: Id) {
        let mut line = Line::default();
        // Terms and definitions may be in `div` elements.
        let mut nodes = self.document.subtree(id);
        nodes.next();
        let mut in_term = false;
        if self
            .document
            .ancestors(id)
            .take(2)
            .any(|id| matches!(self.document.tag(id), Some(Tag::Li | Tag::Dd)))
        {
            self.out.tighten_item();
        }
        while let Some(node) = nodes.next() {
            let tag = self.document.tag(node);
            if self.is_dropped(node) {
                nodes.skip_children_of(node);
                continue;
            }
            if tag == Some(Tag::Div) {
                continue;
            }
            nodes.skip_children_of(node);
            match tag {
                Some(Tag::Dt) => {
                    self.flush(&mut line);
                    if in_term {
                        self.out.end();
                    }
                    self.out.start_item("- ", 2);
                    in_term = true;
                    self.strong = self.strong.saturating_add(1);
                    self.children(node);
                    self.strong = self.strong.saturating_sub(1);
                    self.out.tighten();
                }
                Some(Tag::Dd) => {
                    self.flush(&mut line);
                    if self.starts_with_list(node) {
                        self.children(node);
                        self.out.tighten();
                    } else {
                        self.item(node, "- ");
                    }
                }
                _ => self.node(node, &mut line),
            }
        }
        self.flush(&mut line);
        if in_term {
            self.out.end();
        }
        self.out.gap(Gap::Blank);
    }
}

/// The numbers of the items of an ordered list.
struct Numbers {
    next: i64,
    step: i64,
    style: Style,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Decimal,
    Letters { upper: bool },
    Roman { upper: bool },
}

impl Numbers {
    fn of(renderer: &Renderer<'_>, list: Id) -> Self {
        let start = renderer
            .attribute(list, Name::Start)
            .and_then(|start| start.trim().parse().ok());
        let reversed = renderer.document.has(list, Name::Reversed);
        let items = || {
            let children = renderer.document.children(list);
            children
                .filter(|id| renderer.document.is(*id, Tag::Li))
                .count()
        };
        let first = if reversed {
            i64::try_from(items()).unwrap_or(1)
        } else {
            1
        };
        Self {
            next: start.unwrap_or(first),
            step: if reversed { -1 } else { 1 },
            style: match renderer.attribute(list, Name::Type) {
                Some("a") => Style::Letters { upper: false },
                Some("A") => Style::Letters { upper: true },
                Some("i") => Style::Roman { upper: false },
                Some("I") => Style::Roman { upper: true },
                _ => Style::Decimal,
            },
        }
    }

    /// The marker of the next item. `value` is the number that the item states.
    fn next(&mut self, value: Option<&str>) -> String {
        if let Some(value) = value.and_then(|value| value.trim().parse().ok()) {
            self.next = value;
        }
        let number = self.next;
        self.next = number.saturating_add(self.step);
        let text = match (self.style, usize::try_from(number)) {
            (Style::Decimal, _) | (_, Err(_)) => number.to_string(),
            (Style::Letters { upper: false }, Ok(number)) => numerals::letters(number),
            (Style::Letters { upper: true }, Ok(number)) => {
                numerals::letters(number).to_uppercase()
            }
            (Style::Roman { upper: false }, Ok(number)) => numerals::roman(number, limits::ROMAN),
            (Style::Roman { upper: true }, Ok(number)) => {
                numerals::roman(number, limits::ROMAN).to_uppercase()
            }
        };
        format!("{text}. ")
    }
}
