//! A tree as Markdown.
//!
//! ```text
//! blocks    paragraphs, headings, quotes, and everything else that has lines of its own
//! list      lists, items and definitions
//! table     tables with data, and those that only arrange a page
//! code      preformatted text and its language
//! inline    formatted text, links, images and math in a line
//! notes     footnotes, and references to them
//! footnotes which elements are footnotes, and which links refer to them
//! math      MathML → LaTeX
//! settings  what is left out, and how links are written
//! words     the words in a class
//! ```
//!
//! Blocks, lines and tables are written by [`omniread_document::markdown`], as those of documents are.
//! Functions call each other along the tree, whose depth is limited when it is built.

mod blocks;
mod code;
mod footnotes;
mod frame;
mod gutter;
mod inline;
mod list;
mod math;
mod notes;
mod raised;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub use code::{is_code_block, is_math_script};
pub use settings::{Addresses, Settings};

use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::hidden::Summary;
use crate::url;
use footnotes::Footnotes;
use omniread_document::markdown::{Budget, Line, Writer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use words::has_class;

/// The Markdown of nodes, and facts about it.
#[derive(Debug)]
pub struct Rendered {
    /// The Markdown.
    pub text: String,
    /// Whether the text contains a table.
    pub has_table: bool,
    /// Whether the text of some cells is not repeated in each row and column that they span.
    pub has_cut_spans: bool,
    /// The hidden text of frames whose markup is in an attribute.
    pub hidden: Summary,
}

/// Renders nodes, and the nodes in them, as Markdown.
pub fn render(document: &Document, roots: &[Id], settings: Settings<'_>) -> Rendered {
    let mut renderer = Renderer {
        document,
        settings,
        out: Writer::with_capacity(document.node_count().saturating_mul(16)),
        lines: Vec::new(),
        with_blocks: with_blocks(document),
        footnotes: Footnotes::of(document, &settings),
        linked_ids: match settings.addresses {
            // The links of a package do not lead to headings of the Markdown.
            Some(_) => BTreeSet::new(),
            None => linked_ids(document),
        },
        strong: 0,
        emphasis: 0,
        link: None,
        in_footnote: false,
        spans: Budget::of(table::repeated_bytes(document.bytes())),
        has_table: false,
        hidden: Summary::default(),
    };
    let mut line = Line::default();
    for root in roots {
        if !settings.dropped.contains(*root) {
            renderer.node(*root, &mut line);
        }
    }
    renderer.flush(&mut line);
    Rendered {
        text: renderer.out.finish(),
        has_table: renderer.has_table,
        has_cut_spans: renderer.spans.is_cut,
        hidden: renderer.hidden,
    }
}

/// The state of a conversion to Markdown.
struct Renderer<'d> {
    document: &'d Document,
    settings: Settings<'d>,
    out: Writer,
    /// Empty lines, whose memory is used again.
    lines: Vec<Line>,
    /// Elements that are not blocks but contain blocks.
    with_blocks: Marks,
    footnotes: Footnotes<'d>,
    /// The ids to which a link of the page leads.
    linked_ids: BTreeSet<&'d str>,
    /// The number of open elements around the current block that make its text bold.
    strong: usize,
    /// The number of open elements around the current block that make its text italic.
    emphasis: usize,
    /// The link around the next block.
    link: Option<&'d str>,
    /// Whether the text of a footnote is written, without the links back to its references.
    in_footnote: bool,
    /// The repeated text of spanning cells that may still be added.
    spans: Budget,
    /// Whether a table was written.
    has_table: bool,
    /// The hidden text of frames.
    hidden: Summary,
}

impl<'d> Renderer<'d> {
    /// Whether a node is left out.
    fn is_dropped(&self, id: Id) -> bool {
        self.settings.dropped.contains(id)
            || self.document.tag(id).is_some_and(|tag| {
                is_never_shown(tag)
                    && !code::is_math_script(self.document, id)
                    && !is_shadow_root(self.document, id)
            })
    }

    /// The address of a link or image, absolute if the base is known. `None` if it is not an
    /// address that a reader can use, such as a script or data.
    fn address(&self, address: &'d str) -> Option<Cow<'d, str>> {
        match self.settings.addresses {
            Some(addresses) => shown(&addresses.link(address)?),
            None => url::for_reader(address, self.settings.base),
        }
    }

    /// The address of an image, as [`Self::address`].
    fn image_address(&self, address: &'d str) -> Option<Cow<'d, str>> {
        match self.settings.addresses {
            Some(addresses) => shown(&addresses.image(address)?),
            None => self.address(address),
        }
    }

    fn attribute(&self, id: Id, name: Name) -> Option<&'d str> {
        self.document.attribute(id, name)
    }

    /// Whether an element has one of these words in its class.
    fn has_class(&self, id: Id, words: &[&str]) -> bool {
        has_class(self.document, id, words)
    }
}

/// An address as it is written in Markdown. `None` if a reader cannot use it.
fn shown<'a>(address: &str) -> Option<Cow<'a, str>> {
    let address = url::for_reader(address, None)?.into_owned();
    Some(address.into())
}

/// Whether an element is a template whose content is shown in place of that of the element around
/// it: a declarative shadow root.
pub fn is_shadow_root(document: &Document, id: Id) -> bool {
    document.is(id, Tag::Template) && document.has(id, Name::Shadowrootmode)
}

/// Whether the content of an element is not shown on a page.
pub fn is_never_shown(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Head
            | Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Noframes
            | Tag::Noembed
            | Tag::Datalist
            | Tag::Param
            | Tag::Source
            | Tag::Track
            | Tag::Meta
            | Tag::Link
            | Tag::Base
            | Tag::Title
            | Tag::Rp
    )
}

/// The elements that are not blocks themselves, but contain blocks.
fn with_blocks(document: &Document) -> Marks {
    let mut marks = Marks::default();
    for id in document.subtree(Id::ROOT) {
        let Some(tag) = document.tag(id) else {
            continue;
        };
        let has_page = tag == Tag::Iframe && document.has(id, Name::Srcdoc);
        if has_page {
            marks.insert(id);
        }
        let is_block = tag.is_block() || has_page;
        if !is_block || matches!(tag, Tag::Option | Tag::Optgroup | Tag::Title) {
            continue;
        }
        for ancestor in document.ancestors(id) {
            if marks.contains(ancestor) {
                break;
            }
            match document.tag(ancestor) {
                Some(tag) if tag.is_block() => break,
                _ => marks.insert(ancestor),
            }
        }
    }
    marks
}

/// The ids to which links lead.
fn linked_ids(document: &Document) -> BTreeSet<&str> {
    let links = document.with_tag(Tag::A);
    links
        .filter_map(|id| document.attribute(id, Name::Href)?.strip_prefix('#'))
        .filter(|id| !id.is_empty())
        .collect()
}
