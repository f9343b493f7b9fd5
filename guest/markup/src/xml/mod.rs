//! XML, indented.
//!
//! ```text
//! indent      tokens → indented XML
//! shapes      the content of each element: elements, text or both
//! nesting     the open elements
//! entities    references → characters
//! attributes  the attributes of a tag
//! tokens      text → tokens
//! ```

pub mod attributes;
pub mod entities;
mod indent;
pub mod nesting;
mod shapes;
pub mod tokens;

use crate::Converted;
use tokens::{Kind, Tokens};

/// Indents an XML document. An SVG image is returned as it is.
pub fn convert(text: &str) -> Converted {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let root = root(text);
    let mut metadata = Vec::new();
    if let Some(root) = root {
        metadata.push(("root", root.to_owned()));
    }
    if root.is_some_and(|root| local(root).1.eq_ignore_ascii_case("svg")) {
        return Converted {
            text: text.to_owned(),
            metadata,
            ..Converted::default()
        };
    }
    let (text, notes) = indent::indented(text);
    Converted {
        text,
        metadata,
        notes,
        ..Converted::default()
    }
}

/// The name of the root element.
pub fn root(text: &str) -> Option<&str> {
    Tokens::new(text).find_map(|token| match token.kind {
        Kind::Start { name, .. } => Some(name),
        _ => None,
    })
}

/// The prefix of a name, which may be empty, and its local part.
pub fn local(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}
