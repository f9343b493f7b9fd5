//! Blocks: everything that has lines of its own.

use super::renderer::Renderer;
use super::words::has_epub_type;
use crate::dom::{Id, Name, Tag};
use crate::letters::normalized;
use omniread_document::markdown::escape::{self, TypedLists};
use omniread_document::markdown::{Context, Gap, Line};

impl<'d> Renderer<'d> {
    /// Renders the nodes in an element. Text between blocks becomes paragraphs.
    pub fn children(&mut self, id: Id) {
        let mut line = self.lines.pop().unwrap_or_default();
        self.children_into(id, &mut line);
        self.flush(&mut line);
        self.lines.push(line);
    }

    fn children_into(&mut self, id: Id, line: &mut Line) {
        let mut next = self.document.first_child(id);
        while let Some(child) = next {
            next = self.document.next_sibling(child);
            self.node(child, line);
        }
    }

    /// Renders a node. Inline text is added to `line`, and a block is written after it.
    pub fn node(&mut self, id: Id, line: &mut Line) {
        if self.is_dropped(id) {
            return;
        }
        let Some(tag) = self.document.tag(id) else {
            self.inline(id, line);
            return;
        };
        if tag == Tag::Iframe && self.document.has(id, Name::Srcdoc) {
            self.flush(line);
            if self.inner_page(id) {
                return;
            }
        }
        if tag.is_block() {
            self.flush(line);
            self.block(id, tag);
        } else if self.with_blocks.contains(id) && !self.is_math(id, tag) {
            if tag == Tag::Object {
                self.embedded(id, "embedded file", line);
            }
            self.around_blocks(id, tag, line);
        } else {
            self.inline(id, line);
        }
    }

    /// Writes the text of a line as a paragraph.
    pub fn flush(&mut self, line: &mut Line) {
        if line.is_empty() {
            line.take();
            return;
        }
        let mut text = line.take();
        // A check box that opens a menu has no text.
        if matches!(text.as_str(), "[ ]" | "[x]") {
            return;
        }
        if self.strong > 0 && !text.contains("**") {
            text = format!("**{text}**");
        }
        if self.emphasis > 0 && !text.contains('*') {
            text = format!("*{text}*");
        }
        if let Some(href) = self.link.take() {
            text = self.linked(text, href);
        }
        self.out.block(&text);
        line.reuse(text);
    }

    fn linked(&mut self, text: String, href: &'d str) -> String {
        match self.address(href) {
            Some(address) if !text.contains("](") || text.starts_with("![") => {
                let mut link = format!("[{text}");
                escape::link(&mut link, 1, &address);
                link
            }
            _ => text,
        }
    }

    /// Renders an inline element that contains blocks, such as a link around a heading and a
    /// paragraph. The formatting applies to each block, and the link to the first one.
    fn around_blocks(&mut self, id: Id, tag: Tag, line: &mut Line) {
        match tag {
            Tag::A => {
                self.flush(line);
                let outer = self.link.take();
                self.link = self.attribute(id, Name::Href);
                self.children(id);
                self.link = outer;
            }
            Tag::B | Tag::Strong => {
                self.strong = self.strong.saturating_add(1);
                self.children_into(id, line);
                self.flush(line);
                self.strong = self.strong.saturating_sub(1);
            }
            Tag::I | Tag::Em => {
                self.emphasis = self.emphasis.saturating_add(1);
                self.children_into(id, line);
                self.flush(line);
                self.emphasis = self.emphasis.saturating_sub(1);
            }
            Tag::Code | Tag::Samp | Tag::Kbd | Tag::Tt => {
                self.flush(line);
                self.preformatted(id);
            }
            Tag::Select | Tag::Svg => {}
            _ => self.children_into(id, line),
        }
    }

    fn block(&mut self, id: Id, tag: Tag) {
        if has_epub_type(self.document, id, &["pagebreak"]) {
            return;
        }
        if let Some(note) = self.footnotes.definition(id) {
            self.footnote(id, note);
            return;
        }
        if super::gutter::is_beside_code(self.document, id, tag) {
            return;
        }
        match tag {
            tag if tag.heading().is_some() => self.heading(id, tag.heading().unwrap_or(1)),
            Tag::Hr => self.out.rule(),
            Tag::Blockquote => {
                self.out.start_quote();
                self.children(id);
                self.out.end();
                self.out.gap(Gap::Blank);
            }
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => self.preformatted(id),
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => self.list(id, tag),
            // An item outside of a list.
            Tag::Li => {
                self.item(id, "- ");
                self.out.tighten();
            }
            Tag::Dl => self.definitions(id),
            Tag::Table => self.table(id),
            Tag::Summary | Tag::Dt => {
                self.strong = self.strong.saturating_add(1);
                self.children(id);
                self.strong = self.strong.saturating_sub(1);
            }
            Tag::Option | Tag::Optgroup => {}
            _ if self.attribute(id, Name::Role) == Some("heading") => {
                let level = self.attribute(id, Name::AriaLevel);
                let level = level.and_then(|level| level.trim().parse::<u8>().ok());
                self.heading(id, level.unwrap_or(2).clamp(1, 6));
            }
            _ if super::elements::is_code_block(self.document, id) => self.preformatted(id),
            _ => self.children(id),
        }
    }

    fn heading(&mut self, id: Id, level: u8) {
        let mut line = Line::new(Context::Heading, TypedLists::Text);
        self.flat(id, &mut line);
        let mut text = line.take();
        if text.is_empty() {
            return;
        }
        if let Some(href) = self.link.take() {
            text = self.linked(text, href);
        }
        let anchor = self.anchor(id, &text);
        self.out.heading(level, &text, anchor);
    }

    /// The id of a heading, if a link of the page leads to it and the text of the heading does not
    /// give it.
    fn anchor(&self, heading: Id, text: &str) -> Option<&'d str> {
        let own = self.attribute(heading, Name::Id);
        let inner = || {
            let mut nodes = self.document.subtree(heading);
            nodes.find_map(|id| {
                self.attribute(id, Name::Id)
                    .or(self.attribute(id, Name::Name))
            })
        };
        let outer = || {
            // Documentation generators put the id on the section.
            let section = self.document.parent(heading)?;
            let is_first = self
                .document
                .children(section)
                .find(|id| self.document.tag(*id).is_some());
            (is_first == Some(heading)).then(|| self.attribute(section, Name::Id))?
        };
        let id = own.or_else(inner).or_else(outer)?;
        // The number of a section is not in its id.
        let unnumbered =
            text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
        let of_id = normalized(id);
        let same = of_id == normalized(text) || of_id == normalized(unnumbered);
        (self.linked_ids.contains(id) && !same && !id.contains(['{', '}', ' '])).then_some(id)
    }

    /// Whether a link is that from a heading or a term to itself that many pages add: `¶` or `#`.
    /// Other texts than `¶` are such a link only in a heading.
    pub fn is_permalink(&self, id: Id, context: Context) -> bool {
        const CLASSES: &[&str] = &[
            "anchor",
            "anchor-link",
            "hash-link",
            "header-anchor",
            "headerlink",
            "heading-anchor",
        ];
        const TEXTS: &[&str] = &[
            "#",
            "§",
            "\u{f0c1}",
            "🔗",
            "permalink",
            "Permalink",
            "link",
            "Anchor",
            "anchor",
        ];
        let href = self.attribute(id, Name::Href).unwrap_or_default();
        if memchr::memchr(b'#', href.as_bytes()).is_none() {
            return false;
        }
        let is_heading = context == Context::Heading;
        if !is_heading && !self.has_class(id, CLASSES) {
            let mut children = self.document.children(id);
            let only = children.next().and_then(|child| self.document.text(child));
            return only == Some("¶");
        }
        let mut text = String::new();
        self.document.raw_text(id, &mut text);
        let text = text.trim();
        let has_image = || {
            self.document
                .children(id)
                .any(|child| self.document.is(child, Tag::Img))
        };
        (text.is_empty() && !has_image())
            || text == "¶"
            || (is_heading && TEXTS.contains(&text))
            || (self.has_class(id, CLASSES) && text.chars().count() <= 2)
    }

    /// Whether a block contains other blocks.
    pub fn with_blocks_in(&self, id: Id) -> bool {
        self.document.children(id).any(|child| {
            self.with_blocks.contains(child) || self.document.tag(child).is_some_and(Tag::is_block)
        })
    }

    /// Adds the text of an element to one line, with the blocks in it.
    pub fn flat(&mut self, id: Id, line: &mut Line) {
        let mut next = self.document.first_child(id);
        while let Some(child) = next {
            next = self.document.next_sibling(child);
            if self.is_dropped(child) {
                continue;
            }
            match self.document.tag(child) {
                Some(tag) if tag.is_block() => self.flat_block(child, tag, line),
                Some(tag) if self.with_blocks.contains(child) && !self.is_math(child, tag) => {
                    self.flat(child, line);
                }
                _ => self.inline(child, line),
            }
        }
    }

    fn flat_block(&mut self, id: Id, tag: Tag, line: &mut Line) {
        match tag {
            Tag::Hr | Tag::Option | Tag::Optgroup => line.space(),
            Tag::Pre | Tag::Listing | Tag::Xmp => {
                line.space();
                self.code_in_line(id, line);
                line.space();
            }
            Tag::Li => {
                between_blocks(line);
                line.exactly("- ");
                self.flat(id, line);
                between_blocks(line);
            }
            Tag::Td | Tag::Th => {
                line.space();
                let start = line.len();
                self.flat(id, line);
                if line.len() > start {
                    line.entry();
                }
            }
            Tag::Thead | Tag::Tbody | Tag::Tfoot => {
                line.space();
                self.flat(id, line);
                line.space();
            }
            _ if line.context() == Context::Cell => {
                line.line_break();
                self.flat(id, line);
                line.line_break();
            }
            _ => {
                line.space();
                self.flat(id, line);
                line.space();
            }
        }
    }
}

/// Adds what is between two blocks on one line.
fn between_blocks(line: &mut Line) {
    match line.context() {
        Context::Cell => line.line_break(),
        Context::Paragraph | Context::Heading => line.space(),
    }
}
