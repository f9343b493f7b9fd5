//! Web pages, feeds and XML as Markdown.

use crate::answer::DocumentFacts;
use crate::converted::{Conversion, ConversionError, Converted, Outlined, Unit};
use crate::limits;
use crate::path::View;
use crate::sniff::Document;
use omniread_markup::html::{Extent, Options};
use omniread_markup::{feed, html, nul_note, xml};
use std::borrow::Cow;

/// Converts markup to Markdown. `document` is its format, and `view` the requested part of a web
/// page. `url` is the address of the source, to which links are relative.
///
/// # Errors
/// Fails if the page has no section with the requested id, or if the text is not a feed.
pub fn convert(
    document: Document,
    text: Cow<'_, str>,
    view: &View,
    url: Option<&str>,
) -> Result<Converted, ConversionError> {
    let (document, converted) = match document {
        Document::Html => {
            let extent = match view {
                View::Main => Extent::Main,
                View::Full => Extent::Full,
                View::Section(id) => Extent::Section(id),
            };
            let page = html::page(&text, &Options { extent, url });
            let page = page.map_err(|missing| ConversionError::NoSection(missing.sections))?;
            (document, page)
        }
        Document::Feed | Document::Xml => {
            let (text, note) = without_nul(text);
            let feed = (document == Document::Feed).then(|| feed::convert(&text, url));
            let (document, mut converted) = match feed.flatten() {
                Some(feed) => (document, feed),
                None if document == Document::Xml || text.trim_start().starts_with('<') => {
                    (Document::Xml, xml::convert(&text))
                }
                None => return Err(unreadable(document)),
            };
            converted.notes.extend(note);
            (document, converted)
        }
        // An image is drawn from its XML, so that every line of it counts.
        Document::Svg | Document::Notebook | Document::Engine(_) => {
            let text = omniread_markup::Converted {
                text: text.into_owned(),
                ..omniread_markup::Converted::default()
            };
            (document, text)
        }
    };
    Ok(of(document, view, converted))
}

/// Removes NULs, which neither XML nor JSON may contain, and returns a note that counts them.
fn without_nul(text: Cow<'_, str>) -> (Cow<'_, str>, Option<String>) {
    match nul_note(&text) {
        Some(note) => (text.replace('\0', "").into(), Some(note)),
        None => (text, None),
    }
}

fn unreadable(document: Document) -> ConversionError {
    ConversionError::Unreadable(format!("not a {}", document.word()))
}

fn of(document: Document, view: &View, converted: omniread_markup::Converted) -> Converted {
    let omniread_markup::Converted {
        text,
        mut metadata,
        notes,
        links,
    } = converted;
    // Feeds have their format and its version as a fact: `RSS 2.0`.
    let format = metadata
        .extract_if(.., |(name, _)| *name == "format")
        .last();
    let format = format.map_or(document.name().into(), |(_, format)| format.into());
    let metadata = metadata.into_iter();
    let value = |value: &str| super::shortened(value, limits::METADATA_CHARS).into_owned();
    let metadata = metadata.map(|(name, text)| (name, value(&text)));
    Converted {
        facts: DocumentFacts {
            format,
            units: None,
            metadata: metadata.collect(),
            // A section does not start where the page does.
            headed: !matches!(view, View::Section(_)),
        },
        editable: false,
        numbered: true,
        outline: (document == Document::Xml).then_some(Outlined::Elements),
        contents: false,
        notes,
        text: Conversion::Whole(Unit {
            text,
            ..Unit::default()
        }),
        figures: None,
        links: (document == Document::Html).then(|| Box::new(links)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_value_is_cut_at_a_character() {
        let long = "é".repeat(limits::METADATA_CHARS + 1);
        let cut = super::super::shortened(&long, limits::METADATA_CHARS);
        assert_eq!(cut.chars().count(), limits::METADATA_CHARS + 1);
        assert!(cut.ends_with("é…"));
        assert_eq!(
            super::super::shortened("short", limits::METADATA_CHARS),
            "short"
        );
    }

    #[test]
    fn svg_is_shown_as_it_is() {
        let svg = "<svg>\n <path d='M0'/>\n</svg>\n";
        let svg = convert(Document::Svg, svg.into(), &View::Main, None).unwrap();
        let Conversion::Whole(unit) = svg.text else {
            panic!("a whole text");
        };
        assert_eq!(unit.text, "<svg>\n <path d='M0'/>\n</svg>\n");
        assert_eq!(svg.facts.format, "SVG image");
    }
}
