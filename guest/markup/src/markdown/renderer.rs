//! The state of a conversion of a tree to Markdown.

use super::elements::{is_math_script, is_never_shown, is_shadow_root, with_blocks};
use super::footnotes::Footnotes;
use super::settings::Settings;
use super::words::has_class;
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::hidden::Summary;
use crate::{limits, url};
use omniread_document::markdown::{Budget, Line, Writer};
use std::borrow::Cow;
use std::collections::BTreeSet;

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
        spans: Budget::of(repeated_bytes(document.bytes())),
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
pub struct Renderer<'d> {
    pub(super) document: &'d Document,
    pub(super) settings: Settings<'d>,
    pub(super) out: Writer,
    /// Empty lines, whose memory is used again.
    pub(super) lines: Vec<Line>,
    /// Elements that are not blocks but contain blocks.
    pub(super) with_blocks: Marks,
    pub(super) footnotes: Footnotes<'d>,
    /// The ids to which a link of the page leads.
    pub(super) linked_ids: BTreeSet<&'d str>,
    /// The number of open elements around the current block that make its text bold.
    pub(super) strong: usize,
    /// The number of open elements around the current block that make its text italic.
    pub(super) emphasis: usize,
    /// The link around the next block.
    pub(super) link: Option<&'d str>,
    /// Whether the text of a footnote is written, without the links back to its references.
    pub(super) in_footnote: bool,
    /// The repeated text of spanning cells that may still be added.
    pub(super) spans: Budget,
    /// Whether a table was written.
    pub(super) has_table: bool,
    /// The hidden text of frames.
    pub(super) hidden: Summary,
}

impl<'d> Renderer<'d> {
    /// Whether a node is left out.
    pub(super) fn is_dropped(&self, id: Id) -> bool {
        self.settings.dropped.contains(id)
            || self.document.tag(id).is_some_and(|tag| {
                is_never_shown(tag)
                    && !is_math_script(self.document, id)
                    && !is_shadow_root(self.document, id)
            })
    }

    /// The address of a link or image, absolute if the base is known. `None` if it is not an
    /// address that a reader can use, such as a script or data.
    pub(super) fn address(&self, address: &'d str) -> Option<Cow<'d, str>> {
        match self.settings.addresses {
            Some(addresses) => shown(&addresses.link(address)?),
            None => url::for_reader(address, self.settings.base),
        }
    }

    /// The address of an image, as [`Self::address`].
    pub(super) fn image_address(&self, address: &'d str) -> Option<Cow<'d, str>> {
        match self.settings.addresses {
            Some(addresses) => shown(&addresses.image(address)?),
            None => self.address(address),
        }
    }

    pub(super) fn attribute(&self, id: Id, name: Name) -> Option<&'d str> {
        self.document.attribute(id, name)
    }

    /// Whether an element has one of these words in its class.
    pub(super) fn has_class(&self, id: Id, words: &[&str]) -> bool {
        has_class(self.document, id, words)
    }
}

/// An address as it is written in Markdown. `None` if a reader cannot use it.
fn shown<'a>(address: &str) -> Option<Cow<'a, str>> {
    let address = url::for_reader(address, None)?.into_owned();
    Some(address.into())
}

/// The ids to which links lead.
fn linked_ids(document: &Document) -> BTreeSet<&str> {
    let links = document.with_tag(Tag::A);
    let ids = links
        .filter_map(|id| document.attribute(id, Name::Href)?.strip_prefix('#'))
        .filter(|id| !id.is_empty());
    let mut linked = BTreeSet::new();
    // Unlike `collect`, this does not sort them first, which takes 5 KB of code.
    linked.extend(ids);
    linked
}

/// The number of bytes that the repeated text of spanning cells may add to the text of a page of
/// `bytes` bytes.
fn repeated_bytes(bytes: usize) -> usize {
    bytes
        .saturating_mul(limits::SPANNED_PER_BYTE)
        .saturating_add(limits::SPANNED_BYTES)
        .min(limits::MAX_SPANNED_BYTES)
}
