//! A value in JSON, which an internal URL selects: `agent://ID/findings/0`.

use super::content::Context;
use super::kept::{self, Pieces};
use super::text;
use crate::answer::{Answer, Body, Text};
use crate::convert::each_indented;
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Extraction, Key, Selector, Suffix};
use crate::rooted_path::failure;
use crate::sources::similar_names;
use crate::subject::{Origin, Rest, Subject};
use crate::units;
use crate::window::Total;
use crate::world::{Bytes, Source, World};
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt::{self, Write as _};
use std::ops::ControlFlow;

/// The largest number of keys that a failure lists.
const LISTED_KEYS: usize = 20;

/// The largest number of keys on the way to a value. Each key reads the text of the value in which it is.
const KEYS: usize = 64;

/// The largest number of keys of an object among which a failure looks for similar ones.
const SEARCHED_KEYS: usize = 1000;

/// Reads a value: a string as it is, and any other value as indented JSON. Of a value that is longer than a reply, the
/// start is shown. The session may keep all of it as an artifact.
///
/// # Errors
/// Fails if the file is not JSON or too large, if it has no such value, or if lines of the value are selected.
pub(crate) fn extract(
    mut source: Box<dyn Source>,
    mut subject: Subject,
    extraction: &Extraction,
    rest: Option<&Suffix>,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let request = context.request;
    let path = &request.path;
    let is_raw = |rest: &Suffix| rest.as_str().eq_ignore_ascii_case("raw");
    let selector = rest.filter(|rest| !is_raw(rest));
    if selector.is_some() || request.slice.is_some() {
        let message = "Cannot combine query extraction with offset/limit".to_owned();
        let text = selector.map_or("", Suffix::as_str).to_owned();
        let failure = Failure::new(Reason::InvalidSelector(text), message);
        return Err(match selector {
            Some(_) => failure.hint("write a colon in a key as `%3A`"),
            None => failure,
        });
    }
    if extraction.0.len() > KEYS {
        let message = format!("cannot extract from `{path}`: it has more than {KEYS} keys");
        return Err(Failure::new(
            Reason::limit("extraction-keys", KEYS as u64),
            message,
        ));
    }
    let text = load(&mut *source, path)?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let root: &RawValue = serde_json::from_str(text).map_err(|error| {
        let message = format!("cannot extract from `{path}`: it is not JSON: {error}");
        Failure::new(Reason::Unsupported(path.clone()), message)
    })?;
    let value = walk(root, extraction, path)?;
    let value = Value {
        string: serde_json::from_str(value.get()).ok(),
        json: value.get(),
        is_line: rest.is_none(),
    };
    let (start, is_longer) = kept::start(&value);
    subject.info.size = (!is_longer).then_some(start.len() as u64);
    let selector = Selector {
        raw: rest.is_some(),
        ..Selector::NONE
    };
    let window = request
        .style
        .window(selector, request.style.numbering_plain);
    let mut shown = Bytes::new(start.into_bytes());
    let mut input =
        Input::new(&mut shown, subject.info.size).map_err(|error| failure(error, path))?;
    // The text is not looked at: it is text, whatever its first characters are.
    let mut text = Text {
        is_edit_text: false,
        ..text::read(&mut input, Encoding::VALID_UTF8, &window, false)
    };
    let mut notes = Vec::new();
    if let Some(left) = text.page.remaining.take() {
        text.page.following = None;
        // No selector of this path reads the rest, so that no notice of a dialect may name one.
        text.page.total = Total::AtLeast(text.page.lines.len() as u64);
        let mime = if value.string.is_some() {
            "text/plain"
        } else {
            "application/json"
        };
        notes.push(keep(&value, mime, &left, &mut subject, context.world));
    }
    Ok(Answer {
        subject,
        body: Body::Text(text),
        digest: None,
        notes,
    })
}

/// Keeps a value of which a reply shows the start, if the session stores artifacts. `left` selects the rest of its text.
/// Returns the note on how to read the rest.
fn keep(
    value: &Value<'_>,
    mime: &str,
    left: &Selector,
    subject: &mut Subject,
    world: &mut dyn World,
) -> String {
    if let Some((id, size)) = kept::text(value, &subject.absolute(), mime, world) {
        let rest = format!("artifact://{id}:{left}");
        let note = format!(
            "the value has {} and is cut here: `{rest}` reads the rest, and `artifact://{id}` has all of it",
            units::bytes(size)
        );
        subject.info.size = Some(size);
        subject.artifact = Some(id);
        subject.rest = Rest::Path(rest);
        return note;
    }
    subject.rest = Rest::Unreachable;
    let mut note =
        "the value is longer than a reply, and is cut here; add a key for a part of it".to_owned();
    let scheme = subject.path.split_once("://").map(|(scheme, _)| scheme);
    if let (Some(scheme), Origin::Mounted { place, .. }) = (scheme, &subject.origin) {
        let _ = write!(
            note,
            ", or read its file with `{scheme}://{}`",
            escape_invisible(&place.path)
        );
    }
    note
}

/// A value as text.
struct Value<'v> {
    /// The string that it is.
    string: Option<String>,
    json: &'v str,
    /// Whether the text ends in a line feed.
    is_line: bool,
}

impl Pieces for Value<'_> {
    fn each(&self, sink: &mut dyn FnMut(&str) -> ControlFlow<()>) {
        let mut is_ended = false;
        let mut over = false;
        let mut pass = |piece: &str| {
            is_ended = piece.ends_with('\n');
            let flow = sink(piece);
            over = flow.is_break();
            flow
        };
        match &self.string {
            Some(string) => {
                let _ = pass(string);
            }
            None => each_indented(self.json, &mut pass),
        }
        if self.is_line && !is_ended && !over {
            let _ = sink("\n");
        }
    }
}

fn load(source: &mut dyn Source, path: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    loop {
        let length = bytes.len();
        source
            .read(length as u64, limits::CHUNK_BYTES, &mut bytes)
            .map_err(|error| failure(error, path))?;
        if bytes.len() == length {
            break;
        }
        if bytes.len() as u64 > limits::EXTRACTED_JSON_BYTES {
            let limit = units::bytes(limits::EXTRACTED_JSON_BYTES);
            return Err(Failure::new(
                Reason::limit("extracted-json-bytes", limits::EXTRACTED_JSON_BYTES),
                format!("cannot extract from `{path}`: the JSON is larger than {limit}"),
            ));
        }
    }
    String::from_utf8(bytes).map_err(|_| {
        let message = format!("cannot extract from `{path}`: the JSON is not UTF-8");
        Failure::new(Reason::Unsupported(path.to_owned()), message)
    })
}

/// Follows the keys to a value. What is not on the way to it is read over, so that numbers stay as they are
/// written, and nothing else is kept.
fn walk<'t>(
    root: &'t RawValue,
    extraction: &Extraction,
    path: &str,
) -> Result<&'t RawValue, Failure> {
    let mut value = root;
    let mut way = String::new();
    for key in &extraction.0 {
        let found = if value.get().starts_with('[') {
            element(value, key)
        } else if value.get().starts_with('{') {
            field(value, key)
        } else {
            Ok(Err(("is neither an object nor an array".to_owned(), None)))
        };
        let found = found.map_err(|error| {
            let message = format!("cannot extract from `{path}`: {error}");
            Failure::new(Reason::Unsupported(path.to_owned()), message)
        })?;
        value = found.map_err(|(why, hint)| {
            let inside = if way.is_empty() {
                "the JSON".to_owned()
            } else {
                format!("`{way}`")
            };
            let message = format!("Path '{path}' not found: {inside} {why}");
            let failure = Failure::new(Reason::NotFound(Vec::new()), message);
            match hint {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        })?;
        match key {
            Key::Index(index) => {
                let _ = write!(way, "[{index}]");
            }
            Key::Name(name) => {
                let _ = write!(way, ".{name}");
            }
        }
    }
    Ok(value)
}

/// A value, or why there is none, with a hint.
type Found<'t> = Result<&'t RawValue, (String, Option<String>)>;

/// The element of an array.
fn element<'t>(array: &'t RawValue, key: &Key) -> serde_json::Result<Found<'t>> {
    struct Elements(Option<usize>);

    impl<'t> Visitor<'t> for Elements {
        type Value = (Option<&'t RawValue>, usize);

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let (mut found, mut count) = (None, 0usize);
            loop {
                if Some(count) == self.0 {
                    found = items.next_element::<&'t RawValue>()?;
                    if found.is_none() {
                        break;
                    }
                } else if items.next_element::<IgnoredAny>()?.is_none() {
                    break;
                }
                count = count.saturating_add(1);
            }
            Ok((found, count))
        }
    }

    let (found, count) = reading(array).deserialize_seq(Elements(key.index()))?;
    Ok(found.ok_or_else(|| match count.checked_sub(1) {
        None => ("is an empty array".to_owned(), None),
        Some(last) => {
            let hint = format!("use an index from 0 to {last}");
            (format!("is an array of {count}"), Some(hint))
        }
    }))
}

/// The value of a key of an object. The last one of equal keys counts.
fn field<'t>(object: &'t RawValue, key: &Key) -> serde_json::Result<Found<'t>> {
    struct Fields<'k>(&'k str);

    impl<'t> Visitor<'t> for Fields<'_> {
        type Value = (Option<&'t RawValue>, Vec<String>, usize);

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
            let (mut found, mut keys, mut count) = (None, Vec::new(), 0usize);
            while let Some(key) = fields.next_key::<String>()? {
                if key == self.0 {
                    found = Some(fields.next_value::<&'t RawValue>()?);
                } else {
                    fields.next_value::<IgnoredAny>()?;
                }
                count = count.saturating_add(1);
                if keys.len() < SEARCHED_KEYS {
                    keys.push(key);
                }
            }
            Ok((found, keys, count))
        }
    }

    let name = match key {
        Key::Index(index) => index.to_string(),
        Key::Name(name) => name.clone(),
    };
    let (found, keys, count) = reading(object).deserialize_map(Fields(&name))?;
    Ok(found.ok_or_else(|| {
        let hint = keys_hint(&name, &keys, count);
        (format!("has no key `{name}`"), Some(hint))
    }))
}

/// The text of a value, to be read again. Its nesting was checked when the whole text was read.
fn reading(value: &RawValue) -> serde_json::Deserializer<serde_json::de::StrRead<'_>> {
    serde_json::Deserializer::from_str(value.get())
}

/// The hint that names the keys that an object has: the similar ones, or else the first.
fn keys_hint(name: &str, keys: &[String], count: usize) -> String {
    let similar = similar_names(name, &mut keys.iter().map(String::as_str));
    if !similar.is_empty() {
        let keys: Vec<String> = similar.iter().map(|key| format!("`{key}`")).collect();
        return format!("similar keys: {}", keys.join(", "));
    }
    let first: Vec<String> = keys
        .iter()
        .take(LISTED_KEYS)
        .map(|key| format!("`{key}`"))
        .collect();
    match count {
        0 => "the object is empty".to_owned(),
        more if more > LISTED_KEYS => {
            format!(
                "its first {LISTED_KEYS} of {more} keys: {}",
                first.join(", ")
            )
        }
        _ => format!("its keys: {}", first.join(", ")),
    }
}
