//! Built-in styles: what their names imply, and the formats that amounts imply.

use crate::model::Style;

/// The kind of a paragraph, by the names of its style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParagraphKind {
    /// Text.
    #[default]
    Text,
    /// The title of the document.
    Title,
    /// An entry of the table of contents.
    Contents,
    /// Code.
    Code,
    /// The heading of the table of contents.
    ContentsHeading,
    /// A quotation.
    Quote,
}

/// The properties that the name of a built-in style implies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The outline level, from 0. Levels from 9 are text.
    pub outline: Option<u8>,
    /// The kind.
    pub kind: ParagraphKind,
    /// Whether runs are code.
    pub code: bool,
}

/// Adds the properties that the name of a built-in style implies. Programs do not translate these
/// names in files.
pub fn by_name(name: &str, mut named: Named) -> Named {
    let key: String = name
        .chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if let Some(level) = key.strip_prefix("heading")
        && let Ok(level @ 1..=9) = level.parse::<u8>()
    {
        named.outline = named.outline.or(level.checked_sub(1));
    }
    let kind = match key.as_str() {
        "title" => ParagraphKind::Title,
        "tocheading" | "contentsheading" => ParagraphKind::ContentsHeading,
        "quote" | "intensequote" | "blocktext" | "quotations" => ParagraphKind::Quote,
        "sourcecode" | "code" | "htmlpreformatted" | "preformattedtext" | "codeblock"
        | "plaincode" | "sourcecodeblock" => ParagraphKind::Code,
        "verbatimchar" | "htmlcode" | "sourcetext" | "inlinecode" | "codechar" => {
            named.code = true;
            ParagraphKind::Text
        }
        _ if key.strip_prefix("toc").is_some_and(|level| {
            level.len() == 1 && level.bytes().all(|byte| byte.is_ascii_digit())
        }) =>
        {
            ParagraphKind::Contents
        }
        _ => ParagraphKind::Text,
    };
    if named.kind == ParagraphKind::Text {
        named.kind = kind;
    }
    named
}

/// Returns the format of a text that is moved up or down by an amount of half points. Small amounts only
/// adjust the text.
pub fn raised(amount: i32) -> Option<Style> {
    match amount {
        4..=20 => Some(Style::SUP),
        -20..=-4 => Some(Style::SUB),
        _ => None,
    }
}
