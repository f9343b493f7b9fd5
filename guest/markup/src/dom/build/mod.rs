//! The construction of the tree: which elements a tag opens and closes.
//!
//! It follows the HTML standard (13.2.6, tree construction), without scripts and with
//! `body` as the context of a fragment. Comments have no nodes, and the content of a template is in its element.
//! Other differences:
//!
//! * The number of open elements, of formatting elements and of nodes is limited, so that the time
//!   for a tag is too.
//! * `<noframes>` in a page of frames is read as markup, because its text is for readers without
//!   frames.
//! * Formatting elements are equal if they have the same attributes among those that are kept.
//!
//! ```text
//! open        an open element, and its language
//! stack       the open elements, and searches in them
//! insert      nodes → the tree, in or before a table
//! formatting  elements that continue in the next block, and misnested end tags
//! text        text, by insertion mode
//! head        tags before the body, in templates and in pages of frames
//! body        tags in the body
//! table       tags in tables
//! foreign     tags in SVG and MathML
//! ```

/// A pattern of several tags.
macro_rules! tags {
    ($($name:ident)*) => {
        $(crate::dom::Tag::$name)|*
    };
}

mod body;
mod foreign;
mod formatting;
mod head;
mod insert;
mod open;
mod stack;
mod table;
#[cfg(test)]
mod tests;
mod text;

use super::attributes::Attributes;
use super::{Data, Document, Id, Marks, Node, Tag};
use crate::limits;
use open::{Open, Space};

/// The attributes of a tag that has none.
static NO_ATTRIBUTES: Attributes = Attributes::NONE;

/// A start tag.
#[derive(Clone, Copy)]
pub struct Token<'t> {
    pub tag: Tag,
    /// The number of the name: [`Tag::number`].
    pub key: u32,
    pub attributes: &'t Attributes,
    pub self_closing: bool,
}

impl Token<'static> {
    /// The start tag of an element that a page may leave out.
    fn implied(tag: Tag) -> Self {
        Self {
            tag,
            key: tag.number(&[]),
            attributes: &NO_ATTRIBUTES,
            self_closing: false,
        }
    }
}

/// The effect of a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The tag is ignored, or the element has no content.
    Closed,
    /// The content of the element follows.
    Open,
    /// The content of the element follows, and it is text.
    Raw,
}

/// The insertion mode: the part of the page that decides how a token is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
}

/// The builder of a tree. It receives the tags and the text of a page in order.
#[allow(
    clippy::struct_excessive_bools,
    reason = "the flags of the standard do not depend on each other"
)]
pub struct Builder {
    document: Document,
    /// The text and the values of attributes, which become the text of the document.
    buffer: Vec<u8>,
    /// The start in `buffer` of the text that is not in a node yet.
    text_start: usize,
    mode: Mode,
    /// The mode after the text of an element such as `title`.
    mode_after_text: Mode,
    /// The open elements, from the outermost to the innermost.
    open: Vec<Open>,
    /// The active formatting elements. `None` starts a part of the page, such as a cell.
    formatting: Vec<Option<Open>>,
    /// The insertion modes of the open templates.
    templates: Vec<Mode>,
    head: Option<Open>,
    form: Option<Id>,
    /// The index in `open` of the text for browsers without frames.
    noframes: Option<usize>,
    /// The open element whose content is left out, because the tree has too many nodes for it.
    skipped: Option<Tag>,
    /// The number of open paragraphs.
    paragraphs: usize,
    max_nodes: usize,
    /// Whether what does not fit into the structure of a table is put before it.
    foster: bool,
    /// Whether the page may still consist of frames.
    frames_allowed: bool,
    /// Whether paragraphs may contain tables, as in pages without a document type.
    quirks: bool,
    /// Whether a line break at the start of the next text is ignored.
    skips_newline: bool,
    /// Whether the markup is a part of a body.
    is_fragment: bool,
    /// Whether the last token was a comment.
    pub ends_with_comment: bool,
    damage: Damage,
}

/// Damage of a page, and the limits that it exceeds.
#[derive(Default)]
struct Damage {
    /// Whether there are frames in a page that has a body.
    ignored_frames: bool,
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
        let mut nodes = Vec::with_capacity((bytes / 12).min(max_nodes).saturating_add(4));
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
            mode: Mode::BeforeHtml,
            mode_after_text: Mode::InBody,
            open: Vec::new(),
            formatting: Vec::new(),
            templates: Vec::new(),
            head: None,
            form: None,
            noframes: None,
            skipped: None,
            paragraphs: 0,
            max_nodes,
            foster: false,
            frames_allowed: true,
            quirks: true,
            skips_newline: false,
            is_fragment: false,
            ends_with_comment: false,
            damage: Damage::default(),
        }
    }

    /// A builder for a fragment of this number of bytes, such as the content of a feed item. It has no
    /// head, and no document type.
    pub fn of_fragment(bytes: usize) -> Self {
        let mut builder = Self::new(bytes);
        builder.push(Open {
            id: Id::ROOT,
            key: Tag::Html.number(&[]),
            tag: Tag::Html,
            space: Space::Html,
            depth: 0,
        });
        builder.mode = Mode::InBody;
        builder.quirks = false;
        builder.is_fragment = true;
        builder
    }

    /// Returns the tree.
    pub fn finish(mut self) -> Document {
        let open = self.current();
        if matches!(open, tags!(Script Style Title Textarea Iframe Xmp)) {
            let name = open.name();
            self.document.notes.push(format!(
                "`<{name}>` has no end; the rest of the page is its content"
            ));
        }
        self.end_page();
        self.damage.notes(&mut self.document.notes);
        // The markup is UTF-8, and so are its parts.
        self.document.text = String::from_utf8(self.buffer)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        self.document
    }

    /// Inserts the elements that every page has, if nothing has needed them yet.
    fn end_page(&mut self) {
        if self.mode == Mode::Text {
            self.pop();
            self.mode = self.mode_after_text;
        }
        while !self.templates.is_empty() && self.end_template() {}
        if self.mode == Mode::BeforeHtml {
            self.insert_implied(Tag::Html);
            self.mode = Mode::BeforeHead;
        }
        if self.mode == Mode::BeforeHead {
            self.start_head();
        }
        while matches!(
            self.mode,
            Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead
        ) {
            self.leave_head();
        }
    }

    /// Receives the document type. `quirks` states whether it is one of old pages.
    pub fn document_type(&mut self, quirks: bool) {
        if self.mode == Mode::BeforeHtml {
            self.quirks = quirks;
        }
    }

    /// Receives a comment.
    pub fn comment(&mut self) {
        self.ends_with_comment = true;
        self.skips_newline = false;
    }

    /// Opens an element.
    pub fn start(&mut self, token: &Token) -> Start {
        self.skips_newline = false;
        if self.skipped.is_some() {
            return Start::Open;
        }
        if self.is_full() {
            if token.tag.is_void() {
                return Start::Closed;
            }
            // What is never shown is no text without its element either.
            let is_hidden = matches!(token.tag, tags!(Script Style Template Title Noframes));
            self.skipped = is_hidden.then_some(token.tag);
            return Start::Raw;
        }
        if self.is_foreign_start(token) {
            self.start_foreign(token)
        } else {
            self.start_in(self.mode, token)
        }
    }

    /// Handles a start tag by the rules of an insertion mode. Each mode passes it on to a few others.
    fn start_in(&mut self, mode: Mode, token: &Token) -> Start {
        match mode {
            Mode::InBody | Mode::Text => self.start_in_body(token),
            Mode::BeforeHtml | Mode::BeforeHead | Mode::InHeadNoscript | Mode::AfterHead => {
                self.start_around_head(mode, token)
            }
            Mode::InHead => self.start_in_head(token),
            Mode::InTable => self.start_in_table(token),
            Mode::InColumnGroup => self.start_in_column_group(token),
            Mode::InCaption | Mode::InTableBody | Mode::InRow | Mode::InCell => {
                self.start_in_part(mode, token)
            }
            Mode::InTemplate => self.start_in_template(token),
            Mode::AfterBody => {
                if token.tag != Tag::Html {
                    self.mode = Mode::InBody;
                }
                self.start_in_body(token)
            }
            Mode::InFrameset | Mode::AfterFrameset => self.start_in_frames(token),
        }
    }

    /// Handles a start tag again, after the mode has changed.
    fn again(&mut self, token: &Token) -> Start {
        self.start_in(self.mode, token)
    }

    /// Closes an element. `key` is the number of its name.
    pub fn end(&mut self, tag: Tag, key: u32) {
        self.skips_newline = false;
        if self.skipped.is_some() {
            self.skipped = self.skipped.filter(|skipped| *skipped != tag);
            return;
        }
        if tag == Tag::Noframes
            && let Some(at) = self.noframes.take()
        {
            self.end_noframes(at);
            return;
        }
        if self.is_foreign() && self.end_foreign(tag, key) {
            return;
        }
        self.end_in(self.mode, tag, key);
    }

    /// Handles an end tag by the rules of an insertion mode.
    fn end_in(&mut self, mode: Mode, tag: Tag, key: u32) {
        match mode {
            Mode::InBody => self.end_in_body(tag, key),
            Mode::Text => {
                self.pop();
                self.mode = self.mode_after_text;
            }
            Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::InHeadNoscript
            | Mode::AfterHead => self.end_around_head(mode, tag, key),
            Mode::InTable => self.end_in_table(tag, key),
            Mode::InColumnGroup => self.end_in_column_group(tag, key),
            Mode::InCaption | Mode::InTableBody | Mode::InRow | Mode::InCell => {
                self.end_in_part(mode, tag, key);
            }
            Mode::InTemplate => {
                if tag == Tag::Template {
                    self.end_template();
                }
            }
            Mode::AfterBody => {
                if tag != Tag::Html {
                    self.mode = Mode::InBody;
                    self.end_in_body(tag, key);
                }
            }
            Mode::InFrameset | Mode::AfterFrameset => self.end_in_frames(tag),
        }
    }

    /// Handles an end tag again, after the mode has changed.
    fn end_again(&mut self, tag: Tag, key: u32) {
        self.end_in(self.mode, tag, key);
    }
}
