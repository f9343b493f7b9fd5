//! The tokens of markup, passed to the builder of the tree.

use super::attributes::Attributes;
use super::build::{Builder, Start, Token};
use super::doctype::Doctype;
use super::{Boundary, Document, Tag};
use crate::nul_note;
use html5gum::{Emitter, Error, State, Tokenizer};
use std::convert::Infallible;

/// Parses a page of HTML. Bad markup is repaired as browsers do.
pub fn parse(html: &str) -> Document {
    parse_as(html, Builder::new(html.len()), false)
}

/// Parses a part of a page, which is in the body.
pub fn parse_fragment(html: &str) -> Document {
    parse_as(html, Builder::of_fragment(html.len()), false)
}

/// Parses XHTML: as HTML, but any tag that ends with `/>` is a whole element.
pub fn parse_xhtml(xhtml: &str) -> Document {
    parse_as(xhtml, Builder::new(xhtml.len()), true)
}

fn parse_as(html: &str, mut builder: Builder, is_xml: bool) -> Document {
    let mut tokens = Tokens::new(&mut builder);
    tokens.is_xml = is_xml;
    let Ok(()) = Tokenizer::new_with_emitter(html, tokens).finish();
    let is_cut = builder.ends_with_comment && !html.ends_with('>');
    let mut document = builder.finish();
    document.notes.extend(nul_note(html));
    if is_cut {
        let note = "a comment has no end; the rest of the page is left out";
        document.notes.push(note.to_owned());
    }
    document
}

/// The token that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Current {
    StartTag,
    EndTag,
    Attribute,
    /// The value of an attribute that is kept.
    Value,
    /// A part of a tag that is not kept.
    Ignored,
}

/// The state between the parts of a token.
struct Tokens<'b> {
    builder: &'b mut Builder,
    current: Current,
    is_end: bool,
    self_closing: bool,
    /// Whether any element may have no end tag, as in XHTML.
    is_xml: bool,
    name: Vec<u8>,
    attribute: Vec<u8>,
    attributes: Attributes,
    last_start_tag: Vec<u8>,
    /// The start of a comment.
    comment: Vec<u8>,
    doctype: Doctype,
}

/// The bytes of a comment that are read: one more than those of a boundary.
const BOUNDARY: usize = 3;

impl<'b> Tokens<'b> {
    fn new(builder: &'b mut Builder) -> Self {
        Self {
            builder,
            current: Current::Ignored,
            is_end: false,
            self_closing: false,
            is_xml: false,
            name: Vec::new(),
            attribute: Vec::new(),
            attributes: Attributes::default(),
            last_start_tag: Vec::new(),
            comment: Vec::new(),
            doctype: Doctype::default(),
        }
    }

    fn start_tag(&mut self, is_end: bool) {
        self.builder.end_text();
        self.is_end = is_end;
        self.self_closing = false;
        self.name.clear();
        self.attributes.clear();
        self.current = if is_end {
            Current::EndTag
        } else {
            Current::StartTag
        };
    }

    /// Ends the name of an attribute. Only those that a conversion uses are kept, and only the first
    /// of several with the same name.
    fn end_attribute_name(&mut self) {
        if self.current != Current::Attribute {
            return;
        }
        let is_kept = !self.is_end && self.attributes.push(&self.attribute);
        self.current = if is_kept {
            Current::Value
        } else {
            Current::Ignored
        };
    }
}

// The states of the tokenizer call these functions at several hundred places. Copies at each would be
// 4 KB of the component.
impl Emitter for Tokens<'_> {
    type Token = Infallible;

    #[inline(never)]
    fn set_last_start_tag(&mut self, tag: Option<&[u8]>) {
        self.last_start_tag.clear();
        self.last_start_tag
            .extend_from_slice(tag.unwrap_or_default());
    }

    #[inline(never)]
    fn emit_eof(&mut self) {
        self.builder.end_text();
    }

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.builder.text(text);
    }

    #[inline(never)]
    fn init_start_tag(&mut self) {
        self.start_tag(false);
    }

    #[inline(never)]
    fn init_end_tag(&mut self) {
        // Text that looks like an end tag, as in a script, is not one until its name is known.
        self.is_end = true;
        self.self_closing = false;
        self.name.clear();
        self.attributes.clear();
        self.current = Current::EndTag;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.builder.ends_with_comment = false;
        self.end_attribute_name();
        self.builder.end_text();
        let tag = Tag::of(&self.name).unwrap_or(Tag::Other);
        let key = tag.number(&self.name);
        if self.is_end {
            self.builder.end(tag, key);
            return None;
        }
        std::mem::swap(&mut self.last_start_tag, &mut self.name);
        let start = self.builder.start(&Token {
            tag,
            key,
            attributes: &self.attributes,
            self_closing: self.self_closing,
        });
        if start != Start::Closed && self.is_xml && self.self_closing {
            self.builder.end(tag, key);
            return None;
        }
        (start == Start::Raw).then(|| content(tag)).flatten()
    }

    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    #[inline(never)]
    fn init_attribute(&mut self) {
        self.end_attribute_name();
        self.attribute.clear();
        self.current = Current::Attribute;
    }

    #[inline(never)]
    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.end_attribute_name();
        if self.current == Current::Value {
            self.attributes.push_value(value);
        }
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.name.is_empty() && self.name == self.last_start_tag
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.builder.end_text();
        self.is_xml || self.builder.is_foreign()
    }

    #[inline(never)]
    fn init_comment(&mut self) {
        self.builder.end_text();
        self.builder.comment();
        self.comment.clear();
    }

    fn emit_current_comment(&mut self) {
        match self.comment.as_slice() {
            b"$" | b"$?" | b"$!" | b"$~" => self.builder.boundary(Boundary::Start),
            b"/$" => self.builder.boundary(Boundary::End),
            _ => {}
        }
    }

    fn push_comment(&mut self, part: &[u8]) {
        // Longer comments are no boundaries.
        let kept = BOUNDARY.saturating_sub(self.comment.len());
        self.comment
            .extend_from_slice(part.get(..kept).unwrap_or(part));
    }

    #[inline(never)]
    fn init_doctype(&mut self) {
        self.builder.end_text();
        self.doctype = Doctype::default();
    }

    #[inline(never)]
    fn emit_current_doctype(&mut self) {
        self.builder.document_type(self.doctype.is_old());
    }

    fn set_force_quirks(&mut self) {
        self.doctype.is_damaged = true;
    }

    #[inline(never)]
    fn push_doctype_name(&mut self, name: &[u8]) {
        self.doctype.name.extend_from_slice(name);
    }

    #[inline(never)]
    fn set_doctype_public_identifier(&mut self, public: &[u8]) {
        self.doctype.public = public.to_vec();
    }

    #[inline(never)]
    fn set_doctype_system_identifier(&mut self, system: &[u8]) {
        self.doctype.system = Some(system.to_vec());
    }

    #[inline(never)]
    fn push_doctype_public_identifier(&mut self, public: &[u8]) {
        self.doctype.public.extend_from_slice(public);
    }

    #[inline(never)]
    fn push_doctype_system_identifier(&mut self, system: &[u8]) {
        if let Some(known) = &mut self.doctype.system {
            known.extend_from_slice(system);
        }
    }
}

/// The state in which the tokenizer reads the content of an element, if it is not markup.
fn content(tag: Tag) -> Option<State> {
    Some(match tag {
        Tag::Textarea | Tag::Title => State::RcData,
        Tag::Plaintext => State::PlainText,
        Tag::Script => State::ScriptData,
        Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed | Tag::Noframes => State::RawText,
        _ => return None,
    })
}
