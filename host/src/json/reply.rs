//! Replies as JSON.

use super::parsed;
use crate::types::{Block, Details, Kind, LineEnding, Media, Part, Reply, Tokens, Window};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// Serializes as `{"blocks": […], "details": {…}, "structured": {…}}`.
///
/// `details` also contains the fields of `structured`, with their names converted to `snake_case`,
/// unless it already has a field of that name.
impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let structured = parsed(&self.structured);
        let details = Fields {
            details: &self.details,
            tokens: Some(self.tokens()),
            structured: &structured,
            display: true,
        };
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("blocks", &self.blocks)?;
        out.serialize_entry("details", &details)?;
        out.serialize_entry("structured", &structured)?;
        out.end()
    }
}

impl Reply {
    /// Returns the `details` of the reply as they are in its JSON, but without the text that is in its
    /// blocks. The MCP server passes them to clients beside the blocks.
    pub fn facts(&self) -> impl Serialize {
        Facts(self)
    }
}

/// The details of a reply without its text.
struct Facts<'r>(&'r Reply);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = Fields {
            details: &self.0.details,
            tokens: Some(self.0.tokens()),
            structured: &parsed(&self.0.structured),
            display: false,
        };
        fields.serialize(serializer)
    }
}

/// Serializes as `{"type": "text", "text": …}`, or with `mime` and `data`.
impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        let mut media = |kind: &str, Media { mime, data }: &Media| {
            out.serialize_entry("type", kind)?;
            out.serialize_entry("mime", mime)?;
            out.serialize_entry("data", data)
        };
        match self {
            Self::Text(text) | Self::Notice(text) => {
                out.serialize_entry("type", "text")?;
                out.serialize_entry("text", text)?;
            }
            Self::Image(image) => media("image", image)?,
            Self::Attachment(file) => media("attachment", file)?,
        }
        out.end()
    }
}

impl Serialize for LineEnding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = match self {
            Self::None => None,
            Self::Lf => Some("lf"),
            Self::Crlf => Some("crlf"),
            Self::Mixed => Some("mixed"),
            Self::Cr => Some("cr"),
        };
        name.serialize(serializer)
    }
}

/// Serializes as the `details` of a reply without the fields of `structured`, and without `tokens`.
impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = Fields {
            details: self,
            // Only a reply has the texts that are counted.
            tokens: None,
            structured: &Map::new(),
            display: true,
        };
        fields.serialize(serializer)
    }
}

/// The details of a reply, and the fields of `structured` that they lack.
struct Fields<'d> {
    details: &'d Details,
    tokens: Option<Tokens>,
    structured: &'d Map<String, Value>,
    /// Whether the shown text is contained once more, without line numbers.
    display: bool,
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let details = self.details;
        let kind = details.kind.name();
        let mut out = Named {
            map: serializer.serialize_map(None)?,
            names: Vec::with_capacity(24),
        };
        out.field("kind", kind)?;
        out.field("path", &details.path)?;
        out.field("resolved_path", &details.resolved_path)?;
        let is_directory = matches!(details.kind, Kind::Directory(_));
        out.field("is_directory", &is_directory)?;
        out.field("next", &details.next)?;
        out.field("size", &details.size)?;
        out.field("modified", &details.modified)?;
        out.field("notes", &details.notes)?;
        out.field("suffix_resolution", &details.suffix_resolution)?;
        out.field("sha256", &details.sha256)?;
        if let Some(tokens) = &self.tokens {
            out.field("tokens", tokens)?;
        }
        if let Some(web) = &details.web {
            out.field("web", web)?;
        }
        if let Some(repeats) = &details.repeats {
            out.field("repeats", repeats)?;
        }
        if details.parts.is_empty() {
            out.field(kind, &details.kind)?;
        } else {
            out.field("parts", &details.parts)?;
        }
        if let Some(window) = &details.window {
            out.window(window)?;
        }
        if let Some(display) = details.text().and_then(|text| text.display.as_ref()) {
            // The name is taken even if the text is left out.
            out.names.push("display_content");
            if self.display {
                out.map.serialize_entry("display_content", display)?;
            }
        }
        for (name, value) in self.structured {
            let name = snake_case(name);
            if !out.names.contains(&name.as_str()) {
                out.map.serialize_entry(&name, &snake_cased(value))?;
            }
        }
        out.map.end()
    }
}

/// Serializes as the `details` of the path, without the fields of `structured`, or with the `error` of its failure.
impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = Named {
            map: serializer.serialize_map(None)?,
            names: Vec::new(),
        };
        let kind = self.kind.as_ref();
        out.field("kind", &kind.map(Kind::name))?;
        out.field("path", &self.path)?;
        if let Some(failure) = &self.failure {
            out.field("error", &failure.facts())?;
        }
        if let Some(kind) = kind {
            out.field("resolved_path", &self.resolved_path)?;
            out.field("next", &self.next)?;
            out.field("size", &self.size)?;
            out.field("modified", &self.modified)?;
            out.field("notes", &self.notes)?;
            out.field("suffix_resolution", &self.suffix_resolution)?;
            out.field(kind.name(), kind)?;
        }
        if let Some(web) = &self.web {
            out.field("web", web)?;
        }
        if let Some(repeats) = &self.repeats {
            out.field("repeats", repeats)?;
        }
        if let Some(window) = &self.window {
            out.window(window)?;
        }
        out.map.end()
    }
}

/// The fields of an object that is serialized, with their names.
struct Named<M> {
    map: M,
    names: Vec<&'static str>,
}

impl<M: SerializeMap> Named<M> {
    fn window(&mut self, window: &Window) -> Result<(), M::Error> {
        self.field("shown", &window.shown)?;
        self.field("total_lines", &window.total)?;
        self.field("limit", &window.limit)?;
        self.field("cut_lines", &window.cuts)?;
        self.field("skipped", &window.skipped)
    }

    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        self.names.push(name);
        self.map.serialize_entry(name, value)
    }
}

fn snake_cased(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (snake_case(name), snake_cased(value)))
            .collect(),
        other => other.clone(),
    }
}

/// Converts a field name to `snake_case`: `contentType` becomes `content_type`.
fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
