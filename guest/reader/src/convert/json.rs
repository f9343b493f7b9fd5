//! JSON with indentation.

use super::pretty::indented;
use crate::answer::DocumentFacts;
use crate::converted::{Conversion, Converted, Unit};
use serde::de::IgnoredAny;

/// Indents JSON. `None` if the text is not valid JSON.
pub fn convert(text: &str) -> Option<Converted> {
    let text = text.trim_start_matches('\u{feff}').trim();
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    Some(Converted {
        facts: DocumentFacts {
            format: "JSON".into(),
            units: None,
            metadata: Vec::new(),
            headed: false,
        },
        editable: false,
        numbered: true,
        outline: None,
        contents: false,
        notes: Vec::new(),
        text: Conversion::Whole(Unit {
            text: indented(text),
            ..Unit::default()
        }),
        figures: None,
        links: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> Option<String> {
        match convert(json)?.text {
            Conversion::Whole(unit) => Some(unit.text),
            Conversion::Units(_) => None,
        }
    }

    #[test]
    fn json_is_indented_and_otherwise_unchanged() {
        let json = r#"{"b":1.50,"a":["x: {y}",{"c":null}],"n":12345678901234567890}"#;
        let lines = "{\n  \"b\": 1.50,\n  \"a\": [\n    \"x: {y}\",\n    {\n      \"c\": null\n    }\n  ],\n  \"n\": 12345678901234567890\n}";
        assert_eq!(text(json).as_deref(), Some(lines));
        assert_eq!(text("\"a\"").as_deref(), Some("\"a\""));
        for other in ["", "{", "{\"a\":1} {\"a\":2}", "<html>"] {
            assert_eq!(text(other), None, "{other}");
        }
    }
}
