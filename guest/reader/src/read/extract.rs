//! A value in JSON, which an internal URL selects: `agent://ID/findings/0`.

use crate::convert::indented;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Extraction, Key, Suffix};
use crate::request::{Request, Slice, SliceOrigin};
use crate::rooted_path::failure;
use crate::sources::similar_names;
use crate::subject::Subject;
use crate::units;
use crate::world::{Bytes, Source};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The largest number of keys that a failure lists.
const LISTED_KEYS: usize = 20;

/// Returns the value as a source of text: a string as it is, and any other value as indented JSON. The
/// subject then describes this text, and no longer the file.
///
/// # Errors
/// Fails if the file is not JSON or too large, if it has no such value, or if lines of the value are
/// selected: a value is shown as a whole.
pub(crate) fn extract(
    mut source: Box<dyn Source>,
    subject: &mut Subject,
    extraction: &Extraction,
    rest: Option<&Suffix>,
    request: &Request,
) -> Result<Box<dyn Source>, Failure> {
    let path = &request.path;
    let by_argument = |slice: &Slice| matches!(slice.origin, SliceOrigin::Argument(_));
    let is_raw = |rest: &Suffix| rest.as_str().eq_ignore_ascii_case("raw");
    if rest.is_some_and(|rest| !is_raw(rest)) || request.slice.as_ref().is_some_and(by_argument) {
        let selector = rest.map_or("", Suffix::as_str).to_owned();
        let message = "Cannot combine query extraction with offset/limit".to_owned();
        return Err(Failure::new(Reason::InvalidSelector(selector), message));
    }
    let text = load(&mut *source, path)?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let root: &RawValue = serde_json::from_str(text).map_err(|error| {
        let message = format!("cannot extract from `{path}`: it is not JSON: {error}");
        Failure::new(Reason::Unsupported(path.clone()), message)
    })?;
    let value = walk(root, extraction, path)?;
    let mut shown = match serde_json::from_str::<String>(value.get()) {
        Ok(text) => text,
        Err(_) => indented(value.get()),
    };
    if rest.is_none() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    subject.info.size = Some(shown.len() as u64);
    subject.info.mime = Some("text/plain".to_owned());
    Ok(Box::new(Bytes::new(shown.into_bytes())))
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

/// Follows the keys to a value. Values are not parsed until a key leads into them, so that numbers stay as
/// they are written.
fn walk<'t>(
    root: &'t RawValue,
    extraction: &Extraction,
    path: &str,
) -> Result<&'t RawValue, Failure> {
    let mut value = root;
    let mut way = String::new();
    for key in &extraction.0 {
        let inside = if way.is_empty() {
            "the JSON".to_owned()
        } else {
            format!("`{way}`")
        };
        let missing = |why: String, hint: Option<String>| {
            let message = format!("Path '{path}' not found: {inside} {why}");
            let failure = Failure::new(Reason::NotFound(Vec::new()), message);
            match hint {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        };
        let is_array = value.get().starts_with('[');
        let index = match key {
            Key::Index(index) => Some(*index),
            Key::Name(name) => name.parse().ok(),
        };
        if is_array {
            let items: Vec<&RawValue> = parsed(value, path)?;
            let length = items.len();
            let item = index.and_then(|index| items.get(index).copied());
            value = item.ok_or_else(|| match length {
                0 => missing("is an empty array".to_owned(), None),
                _ => missing(
                    format!("is an array of {length}"),
                    Some(format!(
                        "use an index from 0 to {}",
                        length.saturating_sub(1)
                    )),
                ),
            })?;
        } else if value.get().starts_with('{') {
            let mut fields: BTreeMap<String, &RawValue> = parsed(value, path)?;
            let name = match key {
                Key::Index(index) => index.to_string(),
                Key::Name(name) => name.clone(),
            };
            value = match fields.remove(&name) {
                Some(field) => field,
                None => {
                    let hint = keys_hint(&name, &fields);
                    return Err(missing(format!("has no key `{name}`"), Some(hint)));
                }
            };
        } else {
            return Err(missing(
                "is neither an object nor an array".to_owned(),
                None,
            ));
        }
        match key {
            Key::Index(index) => way.push_str(&format!("[{index}]")),
            Key::Name(name) => way.push_str(&format!(".{name}")),
        }
    }
    Ok(value)
}

fn parsed<'t, T: serde::Deserialize<'t>>(value: &'t RawValue, path: &str) -> Result<T, Failure> {
    serde_json::from_str(value.get()).map_err(|error| {
        let message = format!("cannot extract from `{path}`: {error}");
        Failure::new(Reason::Unsupported(path.to_owned()), message)
    })
}

/// The hint that names the keys that an object has: the similar ones, or else the first.
fn keys_hint(name: &str, fields: &BTreeMap<String, &RawValue>) -> String {
    let similar = similar_names(name, &mut fields.keys().map(String::as_str));
    if !similar.is_empty() {
        let keys: Vec<String> = similar.iter().map(|key| format!("`{key}`")).collect();
        return format!("similar keys: {}", keys.join(", "));
    }
    let keys: Vec<String> = fields
        .keys()
        .take(LISTED_KEYS)
        .map(|key| format!("`{key}`"))
        .collect();
    match fields.len() {
        0 => "the object is empty".to_owned(),
        more if more > LISTED_KEYS => {
            format!(
                "its first {LISTED_KEYS} of {more} keys: {}",
                keys.join(", ")
            )
        }
        _ => format!("its keys: {}", keys.join(", ")),
    }
}
