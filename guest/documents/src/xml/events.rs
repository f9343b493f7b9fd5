//! XML as events.

use memchr::{memchr, memmem};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::Attributes;
use quick_xml::reader::Reader;
use std::borrow::Cow;

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The local name.
    pub name: &'a str,
    attributes: &'a str,
    prefixes: Prefixes<'a>,
}

impl<'a> Start<'a> {
    /// Lists the attributes with their decoded values, except declarations of namespaces.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> + use<'a> {
        let prefixes = self.prefixes;
        let mut list = Attributes::new(self.attributes, 0);
        list.with_checks(false);
        list.filter_map(Result::ok).filter_map(move |attribute| {
            let name = attribute.key.0;
            if name == "xmlns" || name.starts_with("xmlns:") {
                return None;
            }
            Some((prefixes.name(name), value(&attribute)))
        })
    }

    /// Returns the value of an attribute.
    pub fn attr(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut list = self.attributes();
        list.find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }
}

/// Decodes the value of an attribute.
fn value<'a>(attribute: &quick_xml::events::attributes::Attribute<'a>) -> Cow<'a, str> {
    let known = |name: &str| Some(resolve_predefined_entity(name).unwrap_or_default());
    let value = attribute.normalized_value_with(XmlVersion::Implicit1_0, 1, known);
    value.unwrap_or_else(|_| attribute.value.clone())
}

/// The end of the namespace of relationships, which has a transitional and a strict form.
const RELATIONSHIPS: &str = "/relationships";

/// The prefixes of the namespace of relationships. Documents have one.
#[derive(Clone, Copy, Debug)]
struct Prefixes<'a>(Option<&'a str>);

impl<'a> Prefixes<'a> {
    /// Returns the local name, or the name with `r:` in the namespace of relationships.
    fn name(self, name: &'a str) -> &'a str {
        let colon = name.bytes().position(|byte| byte == b':');
        let Some((prefix, local)) = colon.and_then(|colon| parted(name, colon)) else {
            return name;
        };
        if prefix == "r" && self.0.is_none_or(|own| own == "r") {
            return name;
        }
        if Some(prefix) != self.0 {
            return local;
        }
        match local {
            "id" => "r:id",
            "embed" => "r:embed",
            "link" => "r:link",
            "pict" => "r:pict",
            "dm" => "r:dm",
            "lo" => "r:lo",
            "href" => "r:href",
            _ => local,
        }
    }
}

/// An event of a part.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A start tag.
    Start(Start<'a>),
    /// An end tag, or the end of a tag such as `<w:tab/>`. Contains the local name.
    End(&'a str),
    /// Text. A text with references is several events.
    Text(Cow<'a, str>),
}

/// Reads the events of a part.
pub struct Events<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    /// Where the reader started.
    start: usize,
    prefixes: Prefixes<'a>,
    /// The name of an empty element whose end is the next event.
    empty: Option<&'a str>,
    damage: Option<String>,
}

impl<'a> Events<'a> {
    /// Starts at the beginning of a decoded part.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            reader: reader(text),
            start: 0,
            prefixes: Prefixes(None),
            empty: None,
            damage: None,
        }
    }

    /// Returns what is wrong with the part, after the last event.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Returns the offset in bytes of the text after the last event.
    pub fn offset(&self) -> usize {
        let read = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        self.start.saturating_add(read)
    }

    /// Returns the text after the last event. `None` after the tag of an element without content.
    pub fn rest(&self) -> Option<&'a str> {
        if self.empty.is_some() {
            return None;
        }
        self.text.get(self.offset()..)
    }

    /// Continues after a number of bytes of [`Self::rest`], which end with a tag.
    pub fn skip_bytes(&mut self, count: usize) {
        self.start = self.offset().saturating_add(count);
        self.reader = reader(self.text.get(self.start..).unwrap_or_default());
    }

    /// Continues after the end tag of an element whose start tag is the last event. The element must
    /// not contain elements of its name. Does nothing if there is no end tag.
    pub fn skip_element(&mut self, start: &Start<'a>) {
        if self.empty.take().is_some() {
            return;
        }
        if let Some(end) = self.end_of(start.name) {
            self.start = end;
            self.reader = reader(self.text.get(end..).unwrap_or_default());
        }
    }

    /// Reads the events of an element whose start tag is the last event up to its end, and checks them.
    /// Returns the offset of its end tag.
    pub fn skip_content(&mut self) -> usize {
        let mut depth = 0_usize;
        let mut before = self.offset();
        while let Some(event) = self.next() {
            match event {
                Event::Start(_) => depth = depth.saturating_add(1),
                Event::End(_) if depth == 0 => break,
                Event::End(_) => depth = depth.saturating_sub(1),
                Event::Text(_) => {}
            }
            before = self.offset();
        }
        before
    }

    /// Reads the text of an element whose start tag is the last event, up to its end. Elements inside
    /// of it are left out with their texts.
    pub fn own_text(&mut self) -> String {
        let mut text = String::new();
        while let Some(event) = self.next() {
            match event {
                Event::Text(piece) => text.push_str(&piece),
                Event::Start(_) => {
                    self.skip_content();
                }
                Event::End(_) => break,
            }
        }
        text
    }

    /// Returns the position after the next end tag of the name that a start tag borrows.
    fn end_of(&self, name: &'a str) -> Option<usize> {
        let at = name
            .as_ptr()
            .addr()
            .checked_sub(self.text.as_ptr().addr())?;
        let open = self.text.get(..at)?.rfind('<')?;
        let qualified = self
            .text
            .get(open.checked_add(1)?..at.checked_add(name.len())?)?;
        let tag = format!("</{qualified}>");
        let from = self.offset();
        let found = memmem::find(self.text.get(from..)?.as_bytes(), tag.as_bytes())?;
        from.checked_add(found)?.checked_add(tag.len())
    }

    /// Returns the part of the text that an event borrows.
    fn borrowed(&self, piece: &str) -> &'a str {
        let start = piece.as_ptr().addr();
        let offset = start.wrapping_sub(self.text.as_ptr().addr());
        let rest = self.text.get(offset..).unwrap_or_default();
        rest.get(..piece.len()).unwrap_or_default()
    }

    /// Reads a start tag.
    fn start(&mut self, tag: &quick_xml::events::BytesStart<'_>) -> Start<'a> {
        let name = self.borrowed(tag.name().0);
        let attributes = self.borrowed(tag.attributes_raw());
        // No shorter list declares the namespace.
        if attributes.len() > RELATIONSHIPS.len()
            && memchr(b':', attributes.as_bytes()).is_some()
            && attributes.contains("xmlns:")
        {
            let mut list = Attributes::new(attributes, 0);
            list.with_checks(false);
            for attribute in list.filter_map(Result::ok) {
                if let Some(prefix) = attribute.key.0.strip_prefix("xmlns:")
                    && attribute.value.ends_with(RELATIONSHIPS)
                    && attribute.value.contains("officeDocument")
                {
                    self.prefixes = Prefixes(Some(prefix));
                }
            }
        }
        Start {
            name: local(name),
            attributes,
            prefixes: self.prefixes,
        }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        use quick_xml::events::Event as Raw;
        if let Some(name) = self.empty.take() {
            return Some(Event::End(name));
        }
        loop {
            match self.reader.read_event() {
                Ok(Raw::Start(tag)) => return Some(Event::Start(self.start(&tag))),
                Ok(Raw::Empty(tag)) => {
                    let start = self.start(&tag);
                    self.empty = Some(start.name);
                    return Some(Event::Start(start));
                }
                Ok(Raw::End(tag)) => {
                    return Some(Event::End(local(self.borrowed(tag.name().0))));
                }
                Ok(Raw::Text(text)) => return Some(Event::Text(text.xml10_content())),
                Ok(Raw::CData(text)) => return Some(Event::Text(text.xml10_content())),
                Ok(Raw::GeneralRef(name)) => {
                    if name.is_char_ref() {
                        if let Ok(Some(char)) = name.resolve_char_ref() {
                            return Some(Event::Text(Cow::Owned(char.to_string())));
                        }
                    } else if let Some(text) = resolve_predefined_entity(&name) {
                        return Some(Event::Text(Cow::Borrowed(text)));
                    }
                }
                Ok(Raw::Eof) => return None,
                Ok(_) => {}
                Err(error) => {
                    self.damage = Some(error.to_string());
                    return None;
                }
            }
        }
    }
}

/// Returns a reader that accepts damage.
fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

/// Returns a name without its prefix.
fn local(name: &str) -> &str {
    let colon = name.bytes().rposition(|byte| byte == b':');
    let parts = colon.and_then(|colon| parted(name, colon));
    parts.map_or(name, |(_, local)| local)
}

/// Returns what is before and after a colon. Names are short, so that a loop over their bytes finds
/// it faster than a search.
fn parted(name: &str, colon: usize) -> Option<(&str, &str)> {
    Some((name.get(..colon)?, name.get(colon.checked_add(1)?..)?))
}
