//! XML as events.
//!
//! Tags and texts in the form in which programs write nearly all of them are read here, without a check of each piece
//! for UTF-8. All others, such as references, comments and damage, are left to the reader of XML.

use super::attributes::{List, is_space};
use super::set::Set;
use memchr::{memchr_iter, memchr2, memchr3, memmem};
use quick_xml::escape::resolve_predefined_entity;
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
        List::new(self.attributes).filter_map(move |attribute| {
            let name = attribute.name;
            if name == "xmlns" || name.starts_with("xmlns:") {
                return None;
            }
            Some((prefixes.name(name), attribute.decoded()))
        })
    }

    /// Returns the value of an attribute.
    pub fn attr(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut list = self.attributes();
        list.find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }
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
    /// The position after the last event, if there is no reader.
    at: usize,
    /// The reader of what is not simple.
    reader: Option<Other<'a>>,
    prefixes: Prefixes<'a>,
    /// The name of an empty element whose end is the next event.
    empty: Option<&'a str>,
    damage: Option<String>,
}

/// A reader of a part of the text.
struct Other<'a> {
    reader: Reader<&'a [u8]>,
    /// Where it started.
    start: usize,
    /// Whether it reads all that follows.
    stays: bool,
}

impl Other<'_> {
    /// Returns the offset after the last event.
    fn offset(&self) -> usize {
        let read = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        self.start.saturating_add(read)
    }
}

/// What follows.
enum Next<'a> {
    Event(Event<'a>),
    /// Something that is not simple.
    Other,
    End,
}

impl<'a> Events<'a> {
    /// Starts at the beginning of a decoded part.
    pub fn new(text: &'a str) -> Self {
        let mut events = Self {
            text,
            at: 0,
            reader: None,
            prefixes: Prefixes(None),
            empty: None,
            damage: None,
        };
        events.go_to(0);
        events
    }

    fn go_to(&mut self, at: usize) {
        self.at = at;
        self.reader = None;
        // The reader does not count the mark in its offset.
        let rest = self.text.get(at..).unwrap_or_default();
        if rest.starts_with('\u{feff}') {
            self.read_other(true);
        }
    }

    /// Continues with the reader of XML.
    fn read_other(&mut self, stays: bool) {
        self.reader = Some(Other {
            reader: reader(self.text.get(self.at..).unwrap_or_default()),
            start: self.at,
            stays,
        });
    }

    /// Returns what is wrong with the part, after the last event.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Returns the offset in bytes of the text after the last event.
    pub fn offset(&self) -> usize {
        self.reader.as_ref().map_or(self.at, Other::offset)
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
        self.go_to(self.offset().saturating_add(count));
    }

    /// Continues after the end tag of an element whose start tag is the last event. The element must
    /// not contain elements of its name. Does nothing if there is no end tag.
    pub fn skip_element(&mut self, start: &Start<'a>) {
        if self.empty.take().is_some() {
            return;
        }
        if let Some(end) = self.end_of(start.name) {
            self.go_to(end);
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

    /// Makes a start tag.
    fn start(&mut self, name: &'a str, attributes: &'a str) -> Start<'a> {
        // No shorter list declares the namespace.
        if attributes.len() > RELATIONSHIPS.len() && declares_prefix(attributes) {
            for attribute in List::new(attributes) {
                if let Some(prefix) = attribute.name.strip_prefix("xmlns:")
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

    /// Reads a simple event.
    fn simple(&mut self) -> Next<'a> {
        let text = self.text;
        let rest = text.get(self.at..).unwrap_or_default();
        match rest.bytes().next() {
            None => Next::End,
            Some(b'<') => self.tag(rest).map_or(Next::Other, Next::Event),
            Some(b'&') => Next::Other,
            Some(_) => Next::Event(Event::Text(self.content(rest))),
        }
    }

    /// Reads the tag at the start of a text. `None` if it is not simple.
    fn tag(&mut self, rest: &'a str) -> Option<Event<'a>> {
        let bytes = rest.as_bytes();
        let is_end = bytes.get(1) == Some(&b'/');
        let first = if is_end { 2 } else { 1 };
        let length = NAME_ENDS.find(bytes.get(first..)?)?;
        let after = first.checked_add(length)?;
        let name = rest.get(first..after).filter(|name| !name.is_empty())?;
        let (end, is_empty) = match (*bytes.get(after)?, is_end) {
            (b'>', _) => (after, false),
            (b'/', false) if bytes.get(after.checked_add(1)?) == Some(&b'>') => {
                (after.checked_add(1)?, true)
            }
            (byte, false) if is_space(byte) => {
                let end = tag_end(bytes, after)?;
                (end, bytes.get(end.checked_sub(1)?) == Some(&b'/'))
            }
            _ => return None,
        };
        self.at = self.at.checked_add(end)?.checked_add(1)?;
        if is_end {
            return Some(Event::End(local(name)));
        }
        let attributes = rest.get(after..end.saturating_sub(usize::from(is_empty)));
        let start = self.start(name, attributes.unwrap_or_default());
        self.empty = is_empty.then_some(start.name);
        Some(Event::Start(start))
    }

    /// Reads the text before the next tag or reference, with line feeds as its line ends.
    fn content(&mut self, rest: &'a str) -> Cow<'a, str> {
        // Most texts between tags are short.
        const NEAR: usize = 16;
        let bytes = rest.as_bytes();
        let near = bytes.get(..NEAR).unwrap_or(bytes);
        let found = near
            .iter()
            .position(|byte| matches!(byte, b'<' | b'&' | b'\r'));
        let found = found.or_else(|| {
            let found = memchr3(b'<', b'&', b'\r', bytes.get(NEAR..)?)?;
            found.checked_add(NEAR)
        });
        let mut end = found.unwrap_or(bytes.len());
        let has_return = bytes.get(end) == Some(&b'\r');
        if has_return {
            let others = bytes.get(end..).unwrap_or_default();
            let others = memchr2(b'<', b'&', others).unwrap_or(others.len());
            end = end.saturating_add(others);
        }
        self.at = self.at.saturating_add(end);
        let text = rest.get(..end).unwrap_or_default();
        if has_return {
            Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// Reads an event with the reader of XML. `None` for what is no event.
    fn other(&mut self) -> Option<Next<'a>> {
        use quick_xml::events::Event as Raw;
        let reader = &mut self.reader.as_mut()?.reader;
        let event = match reader.read_event() {
            Ok(Raw::Start(tag)) => {
                let (name, attributes) = self.parts(&tag);
                Event::Start(self.start(name, attributes))
            }
            Ok(Raw::Empty(tag)) => {
                let (name, attributes) = self.parts(&tag);
                let start = self.start(name, attributes);
                self.empty = Some(start.name);
                Event::Start(start)
            }
            Ok(Raw::End(tag)) => Event::End(local(self.borrowed(tag.name().0))),
            Ok(Raw::Text(text)) => return Some(Next::Event(Event::Text(text.xml10_content()))),
            Ok(Raw::CData(text)) => return Some(Next::Event(Event::Text(text.xml10_content()))),
            Ok(Raw::GeneralRef(name)) => {
                let text = if name.is_char_ref() {
                    let char = name.resolve_char_ref().ok().flatten();
                    char.map(|char| Cow::Owned(char.to_string()))
                } else {
                    resolve_predefined_entity(&name).map(Cow::Borrowed)
                };
                return Some(Next::Event(Event::Text(text?)));
            }
            Ok(Raw::Eof) => return Some(Next::End),
            Ok(_) => return None,
            Err(error) => {
                self.damage = Some(error.to_string());
                return Some(Next::End);
            }
        };
        // What follows a tag may be simple.
        if let Some(other) = self.reader.take_if(|other| !other.stays) {
            self.at = other.offset();
        }
        Some(Next::Event(event))
    }

    /// The name and the attributes of a tag.
    fn parts(&self, tag: &quick_xml::events::BytesStart<'_>) -> (&'a str, &'a str) {
        (
            self.borrowed(tag.name().0),
            self.borrowed(tag.attributes_raw()),
        )
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(name) = self.empty.take() {
            return Some(Event::End(name));
        }
        loop {
            let next = if self.reader.is_some() {
                self.other()
            } else {
                Some(self.simple())
            };
            match next {
                Some(Next::Event(event)) => return Some(event),
                Some(Next::Other) => self.read_other(false),
                Some(Next::End) => return None,
                None => {}
            }
        }
    }
}

/// Bytes that end the name of a tag, or that no name has.
static NAME_ENDS: Set = Set::of(b">/\"'!? \t\n\r");

/// The bytes that may end a start tag, and those around values.
static TAG_STOPS: Set = Set::of(b">\"'");

/// Whether attributes contain `xmlns:`. Lists have few colons, and the preparation of a search takes longer than they do.
fn declares_prefix(attributes: &str) -> bool {
    let bytes = attributes.as_bytes();
    memchr_iter(b':', bytes).any(|colon| {
        let before = bytes.get(..colon);
        before.is_some_and(|before| before.ends_with(b"xmlns"))
    })
}

/// Returns the position of the `>` that ends a start tag, after its name. One in the value of an attribute does not end
/// it.
fn tag_end(bytes: &[u8], after_name: usize) -> Option<usize> {
    let mut at = after_name;
    loop {
        let rest = bytes.get(at..)?;
        let stop = TAG_STOPS.find(rest)?;
        let place = at.checked_add(stop)?;
        let quote = *rest.get(stop)?;
        if quote == b'>' {
            return Some(place);
        }
        let first = place.checked_add(1)?;
        let value = bytes.get(first..)?;
        let close = value.iter().position(|byte| *byte == quote)?;
        at = first.checked_add(close)?.checked_add(1)?;
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

#[cfg(test)]
mod tests;
