//! Resources and templates that a server lists, and the contents of a resource.
//!
//! Results are read leniently: an entry that has no URI is left out and counted, and a field of another type is
//! ignored.

use super::failure::{Failure, one_line};
use super::limits;
use super::template::Template;
use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;
use std::collections::BTreeSet;

/// A resource that a server lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The URI, or the template.
    pub uri: String,
    /// The name, or the title if there is one, in one line.
    pub name: String,
    /// The description, in one line.
    pub description: String,
    /// The MIME type, in one line.
    pub mime: String,
    /// The size in bytes, if the server states it.
    pub size: Option<u64>,
}

/// What one kind of list has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T> {
    /// The entries in the order of the server.
    pub entries: Vec<T>,
    /// What is left out, and why: one sentence each.
    pub notes: Vec<String>,
    /// Whether the server did not answer for all pages.
    pub is_partial: bool,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            notes: Vec::new(),
            is_partial: false,
        }
    }
}

/// What a server lists.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// The resources.
    pub resources: List<Entry>,
    /// The templates.
    pub templates: List<Entry>,
}

impl Lists {
    /// Whether a resource has exactly this URI.
    pub fn has(&self, uri: &str) -> bool {
        let mut entries = self.resources.entries.iter();
        entries.any(|entry| entry.uri == uri)
    }

    /// How well a template matches a URI, if one does.
    pub fn matches(&self, uri: &str) -> Option<usize> {
        if uri.len() > limits::URI {
            return None;
        }
        let templates = self.templates.entries.iter();
        let parsed = templates.filter_map(|entry| Template::new(&entry.uri));
        parsed.filter_map(|template| template.matches(uri)).max()
    }

    /// Whether a URI that is not listed is one that the server has, with a selector. `starts` are the texts
    /// before the selectors that it may end with.
    pub fn have_selected(&self, uri: &str, starts: &[&str]) -> bool {
        let is_resource = |start: &&str| start.is_empty() || self.has(start);
        starts.iter().any(is_resource)
            || self.matches(uri).is_none()
                && starts.iter().any(|start| self.matches(start).is_some())
    }
}

/// A list that is received in pages.
#[derive(Debug)]
pub struct Collected<T> {
    list: List<T>,
    pages: usize,
    cursors: BTreeSet<String>,
    skipped: usize,
    is_cut: bool,
}

impl<T> Default for Collected<T> {
    fn default() -> Self {
        Self {
            list: List::default(),
            pages: 0,
            cursors: BTreeSet::new(),
            skipped: 0,
            is_cut: false,
        }
    }
}

impl<T> Collected<T> {
    /// Adds a page, whose entries are in the field `field`. `entry` converts one, if it has a URI. Returns the
    /// cursor of the next page that should be requested.
    ///
    /// # Errors
    /// Fails with what is wrong if the page is not a list.
    pub fn page(
        &mut self,
        page: &Value,
        field: &str,
        entry: &dyn Fn(&Value) -> Option<T>,
    ) -> Result<Option<String>, String> {
        self.pages = self.pages.saturating_add(1);
        let entries = match page.get(field) {
            Some(Value::Array(entries)) => entries.as_slice(),
            None | Some(Value::Null) if self.pages > 1 => &[],
            _ => return Err(format!("it has no list `{field}`")),
        };
        for raw in entries {
            if self.list.entries.len() >= limits::ENTRIES {
                self.is_cut = true;
                return Ok(None);
            }
            match entry(raw) {
                Some(entry) => self.list.entries.push(entry),
                None => self.skipped = self.skipped.saturating_add(1),
            }
        }
        let Some(Value::String(cursor)) = page.get("nextCursor") else {
            return Ok(None);
        };
        if !self.cursors.insert(cursor.clone()) {
            let note = "the server repeats a page, so that the list ends here";
            self.list.notes.push(note.to_owned());
            return Ok(None);
        }
        if self.pages >= limits::PAGES {
            let most = limits::PAGES;
            let note = format!("the server has more pages than the {most} that are requested");
            self.list.notes.push(note);
            return Ok(None);
        }
        Ok(Some(cursor.clone()))
    }

    /// The list, with a note on why it ends early if there is one.
    pub fn end(mut self, early: Option<String>) -> List<T> {
        if self.is_cut {
            let most = limits::ENTRIES;
            let note = format!("there are more than these {most}, which can be read too");
            self.list.notes.push(note);
        }
        if self.skipped > 0 {
            let count = self.skipped;
            let note = format!("{count} without a usable URI are left out");
            self.list.notes.push(note);
        }
        self.list.is_partial = early.is_some();
        self.list.notes.extend(early);
        self.list
    }

    /// Whether a page has arrived.
    pub fn has_page(&self) -> bool {
        self.pages > 0
    }
}

/// A resource, or a template if `uri` is the field of one.
pub fn entry(entry: &Value, uri: &str) -> Option<Entry> {
    let uri = entry.get(uri)?.as_str()?;
    if uri.is_empty() || uri.len() > limits::URI {
        return None;
    }
    let text = |field: &str| {
        let text = entry.get(field).and_then(Value::as_str).unwrap_or_default();
        one_line(text, limits::DESCRIPTION)
    };
    let title = text("title");
    Some(Entry {
        uri: uri.to_owned(),
        name: if title.is_empty() {
            text("name")
        } else {
            title
        },
        description: text("description"),
        mime: text("mimeType"),
        size: entry.get("size").and_then(Value::as_u64),
    })
}

/// One content of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The URI that the server states for it.
    pub uri: String,
    /// The MIME type, if the server states it.
    pub mime: Option<String>,
    /// Whether it is text, and not a blob.
    pub is_text: bool,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The contents of a resource, and what is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The contents in the order of the server.
    pub parts: Vec<Content>,
    /// What is left out, and why: one sentence each.
    pub notes: Vec<String>,
}

/// The contents in a result.
///
/// # Errors
/// Fails if the result has no contents, or if they are larger than the limit.
pub fn contents(server: &str, result: Value) -> Result<Contents, Failure> {
    let wrong = |what: &str| Failure::Form {
        server: server.to_owned(),
        what: what.to_owned(),
    };
    let large = || Failure::Large {
        server: server.to_owned(),
        limit: limits::CONTENT,
    };
    let Value::Object(mut result) = result else {
        return Err(wrong("it is not an object"));
    };
    let Some(Value::Array(all)) = result.remove("contents") else {
        return Err(wrong("it has no list `contents`"));
    };
    let mut contents = Contents::default();
    let (mut total, mut skipped) = (0_usize, 0_usize);
    let count = all.len();
    for content in all.into_iter().take(limits::PARTS) {
        match self::content(content) {
            Ok(Some(content)) => {
                total = total.saturating_add(content.bytes.len());
                if total > limits::CONTENT {
                    return Err(large());
                }
                contents.parts.push(content);
            }
            Ok(None) => skipped = skipped.saturating_add(1),
            Err(what) => return Err(wrong(what)),
        }
    }
    if skipped > 0 {
        if contents.parts.is_empty() {
            return Err(wrong("its contents have neither text nor a blob"));
        }
        let note = format!("{skipped} contents have neither text nor a blob");
        contents.notes.push(note);
    }
    if count > limits::PARTS {
        let note = format!("the server sent {count} contents, of which these are the first");
        contents.notes.push(note);
    }
    Ok(contents)
}

/// The padding of base64 may be left out, as some servers do.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

fn content(content: Value) -> Result<Option<Content>, &'static str> {
    let Value::Object(mut content) = content else {
        return Ok(None);
    };
    let mut text = |field: &str| match content.remove(field) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let uri = text("uri").unwrap_or_default();
    let mime = text("mimeType").filter(|mime| !mime.is_empty());
    let (bytes, is_text) = match (text("text"), text("blob")) {
        (Some(text), _) => (text.into_bytes(), true),
        (None, Some(mut blob)) => {
            blob.retain(|c| !c.is_ascii_whitespace());
            let bytes = BASE64.decode(blob);
            (bytes.map_err(|_| "its blob is not base64")?, false)
        }
        (None, None) => return Ok(None),
    };
    Ok(Some(Content {
        uri,
        mime,
        is_text,
        bytes,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn list(pages: &[Value]) -> Result<List<Entry>, String> {
        let mut collected = Collected::default();
        for page in pages {
            let next = collected.page(page, "resources", &|raw| entry(raw, "uri"))?;
            if next.is_none() {
                break;
            }
        }
        Ok(collected.end(None))
    }

    #[test]
    fn entries_with_null_fields_and_wrong_types_are_listed() {
        let page = json!({"resources": [
            {"uri": "a:1", "name": null, "title": 7, "description": null, "mimeType": {}, "size": "x"},
            {"uri": "a:2", "name": "n", "title": "T", "description": "d\u{1b}\nd", "mimeType": "text/plain", "size": 3},
            {"uri": null}, {"name": "no uri"}, null, 7, {"uri": ""}, {"uri": "x".repeat(limits::URI + 1)},
        ]});
        let list = list(&[page]).unwrap();
        let uris: Vec<&str> = list
            .entries
            .iter()
            .map(|entry| entry.uri.as_str())
            .collect();
        assert_eq!(uris, ["a:1", "a:2"]);
        assert_eq!(list.entries[1].name, "T");
        assert_eq!(list.entries[1].description, "d⟨U+001B⟩ d");
        assert_eq!(list.notes, ["6 without a usable URI are left out"]);
    }

    #[test]
    fn results_without_a_list_are_wrong() {
        for page in [
            json!({}),
            json!({"resources": null}),
            json!([]),
            json!({"resources": {}}),
        ] {
            assert!(list(&[page]).is_err());
        }
    }

    #[test]
    fn repeated_cursors_and_many_pages_end_a_list() {
        let page = |cursor: &str| json!({"resources": [{"uri": "a:1"}], "nextCursor": cursor});
        let repeated = list(&[page("x"), page("y"), page("x"), page("z")]).unwrap();
        assert_eq!(repeated.entries.len(), 3);
        assert!(
            repeated.notes[0].contains("repeats"),
            "{:?}",
            repeated.notes
        );

        let pages: Vec<Value> = (0..limits::PAGES + 5)
            .map(|n| page(&n.to_string()))
            .collect();
        let many = list(&pages).unwrap();
        assert_eq!(many.entries.len(), limits::PAGES);
        assert!(many.notes[0].contains("more pages"), "{:?}", many.notes);

        let entries: Vec<Value> = (0..100_000)
            .map(|n| json!({"uri": format!("a:{n}")}))
            .collect();
        let long = list(&[json!({"resources": entries, "nextCursor": "x"})]).unwrap();
        assert_eq!(long.entries.len(), limits::ENTRIES);
        assert!(
            long.notes[0].contains("more than these"),
            "{:?}",
            long.notes
        );
    }

    #[test]
    fn contents_are_text_or_decoded() {
        let result = json!({"contents": [
            {"uri": "a:1", "mimeType": "text/plain", "text": "x"},
            {"uri": "a:2", "mimeType": null, "blob": "AAE"},
            {"uri": "a:3"}, null,
        ]});
        let all = contents("s", result).unwrap();
        assert_eq!(all.parts.len(), 2);
        assert!(all.parts[0].is_text && !all.parts[1].is_text);
        assert_eq!(all.parts[1].bytes, [0, 1]);
        assert_eq!(all.notes, ["2 contents have neither text nor a blob"]);
        assert!(
            contents("s", json!({"contents": []}))
                .unwrap()
                .parts
                .is_empty()
        );
    }

    #[test]
    fn wrong_contents_are_failures() {
        for result in [
            json!(null),
            json!({}),
            json!({"contents": null}),
            json!({"contents": [{}]}),
            json!({"contents": [{"blob": "!"}]}),
        ] {
            let failure = contents("s", result).unwrap_err();
            assert!(matches!(failure, Failure::Form { .. }), "{failure}");
        }
    }
}
