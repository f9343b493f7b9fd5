//! The tokens of markup, passed to the builder of the tree.

use super::build::Builder;
use super::{Document, Name, Tag};
use crate::limits;
use html5gum::{Emitter, Error, State, Tokenizer};
use std::convert::Infallible;

/// Parses a page or a fragment of HTML. Bad markup is repaired as browsers do.
pub fn parse(html: &str) -> Document {
    let mut builder = Builder::new(html.len());
    let tokens = Tokens::new(&mut builder);
    let Ok(()) = Tokenizer::new_with_emitter(html, tokens).finish();
    let is_cut = builder.ends_with_comment && !html.ends_with('>');
    let mut document = builder.finish();
    if is_cut {
        let note = "a comment has no end; the rest of the page is left out";
        document.notes.push(note.to_owned());
    }
    document
}

/// The attributes of one start tag.
#[derive(Default)]
pub struct Attributes {
    /// The name of each attribute, and the end of its value in `values`.
    list: Vec<(Name, usize)>,
    values: Vec<u8>,
}

impl Attributes {
    /// Whether the tag has no attributes.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The attributes in the order of the tag.
    pub fn iter(&self) -> impl Iterator<Item = (Name, &str)> {
        let starts = std::iter::once(0).chain(self.list.iter().map(|(_, end)| *end));
        starts.zip(&self.list).map(|(start, (name, end))| {
            let value = self.values.get(start..*end).unwrap_or_default();
            // A value that is not UTF-8 cannot be in a decoded text.
            (*name, str::from_utf8(value).unwrap_or_default())
        })
    }

    fn clear(&mut self) {
        self.list.clear();
        self.values.clear();
    }
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
    name: Vec<u8>,
    attribute: Vec<u8>,
    attributes: Attributes,
    text: Vec<u8>,
    last_start_tag: Vec<u8>,
}

impl<'b> Tokens<'b> {
    fn new(builder: &'b mut Builder) -> Self {
        Self {
            builder,
            current: Current::Ignored,
            is_end: false,
            self_closing: false,
            name: Vec::new(),
            attribute: Vec::new(),
            attributes: Attributes::default(),
            text: Vec::new(),
            last_start_tag: Vec::new(),
        }
    }

    fn flush_text(&mut self) {
        if self.text.is_empty() {
            return;
        }
        match str::from_utf8(&self.text) {
            Ok(text) => self.builder.text(text),
            Err(_) => self.builder.text(&String::from_utf8_lossy(&self.text)),
        }
        self.text.clear();
    }

    fn start_tag(&mut self, is_end: bool) {
        self.flush_text();
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
        let name = Name::of(&self.attribute).filter(|name| {
            let list = &self.attributes.list;
            list.len() < limits::ATTRIBUTES && !list.iter().any(|(known, _)| known == name)
        });
        self.current = match name {
            Some(name) if !self.is_end => {
                self.attributes
                    .list
                    .push((name, self.attributes.values.len()));
                Current::Value
            }
            _ => Current::Ignored,
        };
    }
}

impl Emitter for Tokens<'_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, tag: Option<&[u8]>) {
        self.last_start_tag.clear();
        self.last_start_tag
            .extend_from_slice(tag.unwrap_or_default());
    }

    fn emit_eof(&mut self) {
        self.flush_text();
    }

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.builder.ends_with_comment = false;
        self.text.extend_from_slice(text);
    }

    fn init_start_tag(&mut self) {
        self.start_tag(false);
    }

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
        self.flush_text();
        let tag = Tag::of(&self.name).unwrap_or(Tag::Other);
        if self.is_end {
            self.builder.end(tag);
            return None;
        }
        std::mem::swap(&mut self.last_start_tag, &mut self.name);
        let opened = self.builder.start(tag, &self.attributes, self.self_closing);
        opened.then(|| content(tag)).flatten()
    }

    fn set_self_closing(&mut self) {
        self.self_closing = true;
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend_from_slice(name);
    }

    fn init_attribute(&mut self) {
        self.end_attribute_name();
        self.attribute.clear();
        self.current = Current::Attribute;
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend_from_slice(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.end_attribute_name();
        if self.current == Current::Value {
            self.attributes.values.extend_from_slice(value);
            if let Some((_, end)) = self.attributes.list.last_mut() {
                *end = self.attributes.values.len();
            }
        }
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && !self.name.is_empty() && self.name == self.last_start_tag
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.flush_text();
        self.builder.is_foreign()
    }

    fn init_comment(&mut self) {
        self.builder.ends_with_comment = true;
    }

    fn emit_current_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn init_doctype(&mut self) {}
    fn emit_current_doctype(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
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
