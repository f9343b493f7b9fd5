//! The construction of the tree: which elements a tag opens and closes.
//!
//! It follows the HTML standard (13.2.6, tree construction) where the result differs in the text,
//! its order or its structure, and it is simpler elsewhere: frames, templates and quirks do not
//! matter to a reader. The number of open elements is limited, so that the time for a tag is too.

use super::attributes::Attributes;
use super::{Boundary, Data, Document, Id, Marks, Node, Span, Tag};
use crate::limits;

/// The builder of a tree. It receives the tags and the text of a page in order.
pub struct Builder {
    document: Document,
    /// The text and the values of attributes, which become the text of the document.
    buffer: Vec<u8>,
    /// The start in `buffer` of the text that is not in a node yet.
    text_start: usize,
    /// The open elements, from the outermost to the innermost.
    open: Vec<(Id, Tag)>,
    /// Formatting elements that were closed by the end of a block, and continue in the next one.
    reopen: Vec<Id>,
    /// The open element whose content is left out, because the tree has too many nodes for it.
    skipped: Option<Tag>,
    /// The index in `open` of the outermost element of SVG or MathML.
    foreign: Option<usize>,
    /// The number of open paragraphs.
    paragraphs: usize,
    max_nodes: usize,
    /// Whether the last token was a comment.
    pub ends_with_comment: bool,
    pub damage: Damage,
}

/// Damage of a page, and the limits that it exceeds.
#[derive(Default)]
pub struct Damage {
    /// Whether there are frames in a page that has a body.
    pub ignored_frames: bool,
    /// Whether elements are nested too deep.
    deep: bool,
    /// Whether there are too many nodes.
    full: bool,
}

impl Damage {
    fn notes(&self, notes: &mut Vec<String>) {
        if self.ignored_frames {
            notes.push(
                "`<frameset>` and `<frame>` after the start of a body are ignored".to_owned(),
            );
        }
        if self.deep {
            let depth = limits::DEPTH;
            notes.push(format!(
                "elements are nested more than {depth} deep; deeper ones follow each other"
            ));
        }
        if self.full {
            notes.push(
                "the page has too many elements; the rest is read as text, also where it is hidden"
                    .to_owned(),
            );
        }
    }
}

/// The place in the tree at which the next node is inserted.
struct Place {
    parent: Id,
    before: Option<Id>,
}

impl Builder {
    /// A builder for markup of this number of bytes.
    pub fn new(bytes: usize) -> Self {
        let root = Node {
            parent: None,
            first: None,
            last: None,
            previous: None,
            next: None,
            data: Data::Element {
                tag: Tag::Other,
                attributes: (0, 0),
            },
        };
        let max_nodes = limits::NODES
            .saturating_add(bytes / limits::BYTES_PER_NODE)
            .min(limits::MAX_NODES);
        // Room that is not used costs nothing, and a list that grows is copied.
        let mut nodes = Vec::with_capacity((bytes / 12).min(max_nodes).saturating_add(1));
        nodes.push(root);
        Self {
            document: Document {
                nodes,
                attributes: Vec::new(),
                text: String::new(),
                hidden: Marks::default(),
                preformatted: Marks::default(),
                notes: Vec::new(),
                boundaries: Vec::new(),
            },
            buffer: Vec::with_capacity(bytes / 2),
            text_start: 0,
            open: Vec::new(),
            reopen: Vec::new(),
            skipped: None,
            foreign: None,
            paragraphs: 0,
            max_nodes,
            ends_with_comment: false,
            damage: Damage::default(),
        }
    }

    /// Returns the tree.
    pub fn finish(mut self) -> Document {
        let open = self.current();
        if matches!(
            open,
            Tag::Script | Tag::Style | Tag::Title | Tag::Textarea | Tag::Iframe | Tag::Xmp
        ) {
            let name = open.name();
            self.document.notes.push(format!(
                "`<{name}>` has no end; the rest of the page is its content"
            ));
        }
        self.damage.notes(&mut self.document.notes);
        // The markup is UTF-8, and so are its parts.
        self.document.text = String::from_utf8(self.buffer)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        self.document
    }

    /// Whether the innermost open element belongs to SVG or MathML. These may contain HTML, such as
    /// in `foreignObject`.
    pub fn is_foreign(&self) -> bool {
        let inner = self.foreign.and_then(|outer| self.open.get(outer..));
        inner.is_some_and(|inner| {
            !inner.iter().rev().any(|(_, tag)| {
                matches!(
                    tag,
                    Tag::ForeignObject | Tag::Desc | Tag::Title | Tag::AnnotationXml
                )
            })
        })
    }

    /// Opens an element. Returns whether its content follows.
    pub fn start(&mut self, tag: Tag, attributes: &Attributes, self_closing: bool) -> bool {
        if self.skipped.is_some() {
            return true;
        }
        if self.foreign.is_some() && breaks_out(tag) && self.is_foreign() {
            self.close_foreign();
        }
        let foreign = self.is_foreign() || matches!(tag, Tag::Svg | Tag::Math);
        if !foreign {
            match tag {
                Tag::Html | Tag::Body => {
                    if let Some(id) = self.opened(tag) {
                        self.add_attributes(id, attributes);
                        return false;
                    }
                    self.close_head();
                }
                Tag::Head if self.document.find_near_top(Tag::Head) => return false,
                _ => self.prepare(tag),
            }
        }
        // A form in the structure of a table does not contain its rows.
        let is_loose_form = tag == Tag::Form && self.current().is_table_structure();
        let void = tag.is_void() || is_loose_form || (foreign && self_closing);
        if !void && self.open.len() >= limits::DEPTH {
            // The element follows the innermost one, in place of being in it, as in browsers.
            self.damage.deep = true;
            self.pop();
        }
        if !foreign && !tag.is_special() && !self.reopen.is_empty() && !matches!(tag, Tag::Option) {
            self.reopen_formatting();
        }
        let Some(id) = self.insert(tag, attributes) else {
            // What is never shown is no text without its element either.
            let is_shown = !matches!(
                tag,
                Tag::Script | Tag::Style | Tag::Template | Tag::Title | Tag::Noframes
            );
            self.skipped = (!void && !is_shown).then_some(tag);
            return !void;
        };
        if void {
            return false;
        }
        if foreign && self.foreign.is_none() {
            self.foreign = Some(self.open.len());
        }
        self.push(id, tag);
        !foreign
    }

    /// Closes the elements that the start of another one ends, and opens those that it implies.
    fn prepare(&mut self, tag: Tag) {
        let in_head = matches!(
            tag,
            Tag::Title
                | Tag::Meta
                | Tag::Link
                | Tag::Script
                | Tag::Style
                | Tag::Base
                | Tag::Noscript
                | Tag::Template
                | Tag::Head
        );
        if !in_head {
            self.close_head();
        }
        match tag {
            Tag::Td | Tag::Th if self.in_table() => {
                self.pop_to_table(&[Tag::Tr]);
                if self.current().is_table_structure() && self.current() != Tag::Tr {
                    let _ = self.start(Tag::Tr, &Attributes::default(), false);
                }
            }
            Tag::Tr if self.in_table() => {
                self.pop_to_table(&[Tag::Tbody, Tag::Thead, Tag::Tfoot]);
            }
            Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Caption | Tag::Colgroup | Tag::Col
                if self.in_table() =>
            {
                self.pop_to_table(&[]);
            }
            Tag::Table => {
                self.close_paragraph();
                // A table directly in the structure of another one ends it.
                if self.current().is_table_structure() {
                    self.end(Tag::Table);
                }
            }
            Tag::Li => {
                self.close_item(&[Tag::Li]);
                self.close_paragraph();
            }
            Tag::Dd | Tag::Dt => {
                self.close_item(&[Tag::Dd, Tag::Dt]);
                self.close_paragraph();
            }
            Tag::Option | Tag::Optgroup => {
                if self.current() == Tag::Option {
                    self.pop();
                }
                if tag == Tag::Optgroup && self.current() == Tag::Optgroup {
                    self.pop();
                }
            }
            Tag::Rt | Tag::Rp | Tag::Rb | Tag::Rtc => {
                while matches!(self.current(), Tag::Rt | Tag::Rp | Tag::Rb) {
                    self.pop();
                }
            }
            Tag::A => {
                self.reopen.retain(|id| !self.document.is(*id, Tag::A));
                if self.scoped(Tag::A).is_some() {
                    self.end(Tag::A);
                }
            }
            Tag::Button => {
                if let Some(at) = self.scoped(Tag::Button) {
                    self.pop_until(at);
                }
            }
            tag if tag.heading().is_some() => {
                self.close_paragraph();
                if self.current().heading().is_some() {
                    self.pop();
                }
            }
            tag if tag.is_block() && !matches!(tag, Tag::Td | Tag::Th | Tag::Title | Tag::Tr) => {
                self.close_paragraph();
            }
            _ => {}
        }
    }

    /// Closes an element.
    pub fn end(&mut self, tag: Tag) {
        if self.skipped.is_some() {
            self.skipped = self.skipped.filter(|skipped| *skipped != tag);
            return;
        }
        match tag {
            Tag::Br => {
                self.start(tag, &Attributes::default(), false);
            }
            // Text after the end of the body belongs to it.
            Tag::Body | Tag::Html => {}
            tag if tag.heading().is_some() => {
                let found = self.find(|open| open.heading().is_some(), is_scope);
                self.pop_found(found);
            }
            Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr => {
                let found = self.find(
                    |open| open == tag,
                    |open| matches!(open, Tag::Template) || (open == Tag::Table && tag != open),
                );
                self.pop_found(found);
            }
            tag if tag.is_formatting() => self.end_formatting(tag),
            tag if tag.is_special() => {
                let found = self.find(|open| open == tag, |open| is_scope(open) && open != tag);
                self.pop_found(found);
            }
            tag => {
                let found = self.find(|open| open == tag, Tag::is_special);
                self.pop_found(found);
            }
        }
    }

    /// Appends a part of a text.
    pub fn text(&mut self, part: &[u8]) {
        self.buffer.extend_from_slice(part);
    }

    /// Adds the parts of a text to the innermost open element.
    pub fn end_text(&mut self) {
        let start = self.text_start;
        if self.buffer.len() <= start {
            return;
        }
        if self.skipped.is_some() {
            self.buffer.truncate(start);
            return;
        }
        self.drop_nul(start);
        let text = self.buffer.get(start..).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        let space = text.iter().all(u8::is_ascii_whitespace);
        if !space {
            if self.current() == Tag::Head {
                self.close_head();
            }
            if !self.reopen.is_empty() {
                self.reopen_formatting();
            }
        }
        let place = self.place(space);
        self.text_start = self.buffer.len();
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(self.buffer.len())) else {
            return;
        };
        let before = match place.before {
            Some(before) => self.document.previous_sibling(before),
            None => self.document.last_child(place.parent),
        };
        // Text that follows a text continues it, if it does so in the buffer too.
        if let Some(node) = before.and_then(|id| self.document.nodes.get_mut(id.index()))
            && let Data::Text(span) = &mut node.data
            && span.end == start
        {
            span.end = end;
            return;
        }
        self.add(Data::Text(Span { start, end }), &place);
    }

    /// Notes the place of a boundary, after the last node. Text after it is another node.
    pub fn boundary(&mut self, boundary: Boundary) {
        self.end_text();
        if self.skipped.is_some() || self.document.boundaries.len() >= limits::STREAMED_BOUNDARIES {
            return;
        }
        let place = self.place(true);
        let Some(after) = self.document.last_child(place.parent) else {
            return;
        };
        self.document.boundaries.push((after, boundary));
        self.buffer.push(b' ');
        self.text_start = self.buffer.len();
    }

    /// Removes NUL from the text from `start` on, which the standard ignores.
    fn drop_nul(&mut self, start: usize) {
        let text = self.buffer.get(start..).unwrap_or_default();
        if memchr::memchr(0, text).is_some() {
            let kept: Vec<u8> = text.iter().copied().filter(|byte| *byte != 0).collect();
            self.buffer.truncate(start);
            self.buffer.extend_from_slice(&kept);
        }
    }

    /// Whether the innermost open element is in the head, or is one whose text is not text of the
    /// page.
    pub fn is_in_head(&self) -> bool {
        matches!(
            self.current(),
            Tag::Title | Tag::Script | Tag::Style | Tag::Noscript | Tag::Template | Tag::Noframes
        )
    }

    fn current(&self) -> Tag {
        self.open.last().map_or(Tag::Other, |(_, tag)| *tag)
    }

    fn push(&mut self, id: Id, tag: Tag) {
        self.open.push((id, tag));
        if tag == Tag::P {
            self.paragraphs = self.paragraphs.saturating_add(1);
        }
    }

    fn pop(&mut self) -> Option<(Id, Tag)> {
        let (id, tag) = self.open.pop()?;
        if tag == Tag::P {
            self.paragraphs = self.paragraphs.saturating_sub(1);
        }
        if self.foreign.is_some_and(|outer| outer >= self.open.len()) {
            self.foreign = None;
        }
        Some((id, tag))
    }

    /// The index of the innermost open element for which `wanted` is true. `stop` ends the search.
    fn find(&self, wanted: impl Fn(Tag) -> bool, stop: impl Fn(Tag) -> bool) -> Option<usize> {
        for (at, (_, open)) in self.open.iter().enumerate().rev() {
            if wanted(*open) {
                return Some(at);
            }
            if stop(*open) {
                return None;
            }
        }
        None
    }

    fn scoped(&self, tag: Tag) -> Option<usize> {
        self.find(|open| open == tag, is_scope)
    }

    fn opened(&self, tag: Tag) -> Option<Id> {
        let found = self.open.iter().find(|(_, open)| *open == tag);
        found.map(|(id, _)| *id)
    }

    /// Closes the open element at this index, and those in it. Formatting elements among them
    /// continue in the next block.
    fn pop_until(&mut self, at: usize) {
        while self.open.len() > at {
            if let Some((id, tag)) = self.pop()
                && self.open.len() > at
                && tag.is_formatting()
                && self.reopen.len() < limits::REOPENED
            {
                self.reopen.push(id);
            }
        }
    }

    fn pop_found(&mut self, found: Option<usize>) {
        if let Some(at) = found {
            self.pop_until(at);
        }
    }

    fn close_paragraph(&mut self) {
        if self.paragraphs == 0 {
            return;
        }
        let found = self.find(
            |open| open == Tag::P,
            |open| is_scope(open) || open == Tag::Button,
        );
        self.pop_found(found);
    }

    fn close_head(&mut self) {
        if let Some(at) = self
            .open
            .iter()
            .take(4)
            .position(|(_, open)| *open == Tag::Head)
        {
            while self.open.len() > at {
                self.pop();
            }
            self.reopen.clear();
        }
    }

    fn close_foreign(&mut self) {
        while self.foreign.is_some() && self.pop().is_some() {}
    }

    /// Closes the list item or the term of a definition that the next one ends.
    fn close_item(&mut self, items: &[Tag]) {
        let found = self.find(
            |open| items.contains(&open),
            |open| open.is_special() && !matches!(open, Tag::Address | Tag::Div | Tag::P),
        );
        self.pop_found(found);
    }

    fn in_table(&self) -> bool {
        let found = self.find(|open| open == Tag::Table, |open| open == Tag::Template);
        found.is_some()
    }

    /// Closes the elements in the innermost table, up to the table itself or one of `groups`.
    fn pop_to_table(&mut self, groups: &[Tag]) {
        let found = self.find(
            |open| open == Tag::Table || groups.contains(&open),
            |open| open == Tag::Template,
        );
        if let Some(at) = found {
            while self.open.len() > at.saturating_add(1) {
                self.pop();
            }
            self.reopen.clear();
        }
    }

    /// Closes a formatting element. If a block that it contains is open, the block leaves the
    /// element, and its content so far is formatted.
    fn end_formatting(&mut self, tag: Tag) {
        if let Some(at) = self
            .reopen
            .iter()
            .rposition(|id| self.document.is(*id, tag))
        {
            self.reopen.remove(at);
            return;
        }
        let Some(at) = self.scoped(tag) else { return };
        let inner = self
            .open
            .get(at.saturating_add(1)..)
            .unwrap_or_default()
            .iter()
            .position(|(_, open)| open.is_special());
        let Some(inner) = inner else {
            self.pop_until(at);
            return;
        };
        let (format, _) = self.open.remove(at);
        if let Some(outer) = &mut self.foreign
            && *outer > at
        {
            *outer = outer.saturating_sub(1);
        }
        if inner > 0 {
            // Other formatting elements are between them: the block stays formatted.
            return;
        }
        let Some((block, _)) = self.open.get(at).copied() else {
            return;
        };
        self.move_out(format, block, tag);
    }

    /// Moves `block` from the end of the formatting element `format` to the place after it, and
    /// puts the content of the block into a new formatting element.
    fn move_out(&mut self, format: Id, block: Id, tag: Tag) {
        let Some(parent) = self.document.parent(format) else {
            return;
        };
        let attributes = match self.document.node(format).map(|node| node.data) {
            Some(Data::Element { attributes, .. }) => attributes,
            _ => (0, 0),
        };
        let content: Vec<Id> = self.document.children(block).collect();
        let after = self.document.next_sibling(format);
        self.document.detach(block);
        self.document.insert(block, parent, after);
        if content.is_empty() {
            return;
        }
        let place = Place {
            parent: block,
            before: None,
        };
        let Some(copy) = self.add(Data::Element { tag, attributes }, &place) else {
            return;
        };
        for child in content {
            self.document.detach(child);
            self.document.insert(child, copy, None);
        }
    }

    fn reopen_formatting(&mut self) {
        for id in std::mem::take(&mut self.reopen).into_iter().rev() {
            let Some(node) = self.document.node(id).copied() else {
                continue;
            };
            let Data::Element { tag, .. } = node.data else {
                continue;
            };
            if self.open.len() >= limits::DEPTH {
                return;
            }
            let place = self.place(false);
            if let Some(copy) = self.add(node.data, &place) {
                self.push(copy, tag);
            }
        }
    }

    /// The place of the next node. In the structure of a table, text and other elements are put
    /// before the table.
    fn place(&self, fits_into_table: bool) -> Place {
        let Some((parent, tag)) = self.open.last().copied() else {
            return Place {
                parent: Id::ROOT,
                before: None,
            };
        };
        if tag.is_table_structure() && !fits_into_table {
            let table = self.open.iter().rev().find(|(_, tag)| *tag == Tag::Table);
            if let Some((table, _)) = table
                && let Some(parent) = self.document.parent(*table)
            {
                return Place {
                    parent,
                    before: Some(*table),
                };
            }
        }
        Place {
            parent,
            before: None,
        }
    }

    fn insert(&mut self, tag: Tag, attributes: &Attributes) -> Option<Id> {
        let fits = matches!(
            tag,
            Tag::Caption
                | Tag::Col
                | Tag::Colgroup
                | Tag::Form
                | Tag::Script
                | Tag::Style
                | Tag::Tbody
                | Tag::Td
                | Tag::Template
                | Tag::Tfoot
                | Tag::Th
                | Tag::Thead
                | Tag::Tr
        );
        // The attributes of an element that is not added must not be in the buffer of the text.
        if self.is_full() {
            return None;
        }
        let place = self.place(fits);
        let attributes = self.store(attributes);
        self.add(Data::Element { tag, attributes }, &place)
    }

    /// Stores attributes, and returns their index and number.
    fn store(&mut self, attributes: &Attributes) -> (u32, u16) {
        let Ok(first) = u32::try_from(self.document.attributes.len()) else {
            return (0, 0);
        };
        let mut count: u16 = 0;
        for (name, value) in attributes.iter() {
            let start = self.buffer.len();
            self.buffer.extend_from_slice(value);
            let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(self.buffer.len()))
            else {
                break;
            };
            self.document.attributes.push((name, Span { start, end }));
            count = count.saturating_add(1);
        }
        self.text_start = self.buffer.len();
        (first, count)
    }

    /// Adds attributes to an element that does not have any, such as a `body` that was implied.
    fn add_attributes(&mut self, id: Id, added: &Attributes) {
        if added.is_empty() || !self.document.attributes(id).is_empty() {
            return;
        }
        let stored = self.store(added);
        if let Some(node) = self.document.nodes.get_mut(id.index())
            && let Data::Element { attributes, .. } = &mut node.data
        {
            *attributes = stored;
        }
    }

    /// Whether the tree has no room for another element. The reply then says so.
    fn is_full(&mut self) -> bool {
        let is_full = self.document.nodes.len() >= self.max_nodes;
        self.damage.full |= is_full;
        is_full
    }

    fn add(&mut self, data: Data, place: &Place) -> Option<Id> {
        // Text is kept whatever the number of nodes is.
        if matches!(data, Data::Element { .. }) && self.is_full() {
            return None;
        }
        match place.before {
            None => self.document.append(data, place.parent),
            Some(before) => {
                let id = self.document.loose(data)?;
                self.document.insert(id, place.parent, Some(before));
                Some(id)
            }
        }
    }
}

/// Whether an element ends the search for the element that an end tag closes: "scope" in the HTML
/// standard, 13.2.4.2.
fn is_scope(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Applet
            | Tag::Caption
            | Tag::Html
            | Tag::Table
            | Tag::Td
            | Tag::Th
            | Tag::Marquee
            | Tag::Object
            | Tag::Template
            | Tag::ForeignObject
            | Tag::Desc
            | Tag::AnnotationXml
    )
}

/// Whether a start tag in SVG or MathML ends it, because the element belongs to HTML (13.2.6.5).
fn breaks_out(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::B
            | Tag::Big
            | Tag::Blockquote
            | Tag::Body
            | Tag::Br
            | Tag::Center
            | Tag::Code
            | Tag::Dd
            | Tag::Div
            | Tag::Dl
            | Tag::Dt
            | Tag::Em
            | Tag::Embed
            | Tag::Head
            | Tag::Hr
            | Tag::I
            | Tag::Img
            | Tag::Li
            | Tag::Listing
            | Tag::Menu
            | Tag::Meta
            | Tag::Nobr
            | Tag::Ol
            | Tag::P
            | Tag::Pre
            | Tag::Ruby
            | Tag::S
            | Tag::Small
            | Tag::Span
            | Tag::Strike
            | Tag::Strong
            | Tag::Sub
            | Tag::Sup
            | Tag::Table
            | Tag::Tt
            | Tag::U
            | Tag::Ul
            | Tag::Var
    ) || tag.heading().is_some()
}
