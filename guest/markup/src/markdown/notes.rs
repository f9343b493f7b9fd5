//! Footnotes, and references to them.

use super::renderer::Renderer;
use crate::dom::{Id, Name};

impl Renderer<'_> {
    /// Writes a note: `[^1]: text`.
    pub fn footnote(&mut self, id: Id, label: &str) {
        self.out.start_footnote(label);
        let outer = std::mem::replace(&mut self.in_footnote, true);
        self.children(id);
        self.in_footnote = outer;
        self.out.end();
    }

    /// Whether a link in a note leads back to its reference.
    pub fn leads_back(&self, id: Id, href: &str) -> bool {
        const CLASSES: &[&str] = &[
            "footnote-back",
            "footnote-backref",
            "reversefootnote",
            "fn-backref",
            "data-footnote-backref",
        ];
        if memchr::memchr(b'#', href.as_bytes()).is_none() {
            return false;
        }
        let mut text = String::new();
        self.document.raw_text(id, &mut text);
        let text = text.trim();
        self.has_class(id, CLASSES)
            || self.attribute(id, Name::Role) == Some("doc-backlink")
            || text.chars().count() <= 2 && !text.chars().all(|c| c.is_ascii_digit())
    }
}
