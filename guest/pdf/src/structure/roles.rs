//! The types of structure elements (ISO 32000-2, 14.8.4), and the map from other names to them.

use crate::array;
use hayro_syntax::object::{Array, Dict, Name, Object};
use omniread_document::model::Style;
use std::collections::BTreeMap;

/// What an element is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A part of the document: its content is blocks.
    #[default]
    Group,
    /// A heading with its level.
    Heading(u8),
    /// A heading whose level is the depth of its section.
    SectionHeading,
    Paragraph,
    List,
    Item,
    Label,
    Body,
    Table,
    /// The head, the body or the foot of a table.
    Rows,
    Row,
    HeaderCell,
    Cell,
    Caption,
    Figure,
    Formula,
    Code,
    BlockQuote,
    /// A footnote or an endnote.
    Note,
    Link,
    /// Text with a format of its own.
    Inline(Style),
    /// Text above other text, as in Japanese.
    RubyText,
    Form,
    /// What a reader skips: artifacts, and marks around ruby text.
    Skipped,
}

impl Role {
    /// The role of a standard type. `None` for all others.
    pub fn standard(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"Document" | b"DocumentFragment" | b"Part" | b"Art" | b"Article" | b"Sect"
            | b"Div" | b"Aside" | b"TOC" | b"Index" | b"StructTreeRoot" => Self::Group,
            b"NonStruct" | b"Private" | b"Span" | b"Quote" | b"Reference" | b"BibEntry"
            | b"Annot" | b"Ruby" | b"RB" | b"Warichu" | b"WT" | b"Sub" => {
                Self::Inline(Style::default())
            }
            b"H" => Self::SectionHeading,
            b"H1" | b"Title" => Self::Heading(1),
            b"H2" => Self::Heading(2),
            b"H3" => Self::Heading(3),
            b"H4" => Self::Heading(4),
            b"H5" => Self::Heading(5),
            b"H6" => Self::Heading(6),
            b"P" | b"TOCI" => Self::Paragraph,
            b"L" => Self::List,
            b"LI" => Self::Item,
            b"Lbl" => Self::Label,
            b"LBody" => Self::Body,
            b"Table" => Self::Table,
            b"THead" | b"TBody" | b"TFoot" => Self::Rows,
            b"TR" => Self::Row,
            b"TH" => Self::HeaderCell,
            b"TD" => Self::Cell,
            b"Caption" => Self::Caption,
            b"Figure" => Self::Figure,
            b"Formula" => Self::Formula,
            b"Code" => Self::Code,
            b"BlockQuote" => Self::BlockQuote,
            b"Note" | b"FENote" => Self::Note,
            b"Link" => Self::Link,
            b"Em" => Self::Inline(Style::ITALIC),
            b"Strong" => Self::Inline(Style::BOLD),
            b"RT" => Self::RubyText,
            b"RP" | b"WP" | b"Artifact" => Self::Skipped,
            b"Form" => Self::Form,
            _ => return None,
        })
    }

    /// The level of a heading that PDF 2.0 allows beyond `H6`, such as `H7`.
    fn deep_heading(name: &[u8]) -> Option<Self> {
        let digits = std::str::from_utf8(name.strip_prefix(b"H")?).ok()?;
        let level = digits.parse::<u8>().ok()?;
        (level > 6).then_some(Self::Heading(6))
    }

    /// Whether its content is a paragraph of its own, or more.
    pub fn is_block(self) -> bool {
        !matches!(
            self,
            Self::Inline(_)
                | Self::Link
                | Self::Label
                | Self::RubyText
                | Self::Form
                | Self::Skipped
                | Self::Figure
                | Self::Formula
                | Self::Code
        )
    }
}

/// The names that a file maps to standard types.
#[derive(Debug, Default)]
pub struct Roles {
    pub(super) map: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Roles {
    /// Reads the map of the root of the tree, and those of its namespaces.
    pub fn new(root: &Dict<'_>) -> Self {
        let mut map = BTreeMap::new();
        let mut add = |dict: &Dict<'_>| {
            for key in dict.keys().take(5000) {
                let value = match dict.get::<Object<'_>>(key.as_ref()) {
                    Some(Object::Name(name)) => Some(name.as_ref().to_vec()),
                    Some(Object::Array(list)) => list
                        .iter::<Object<'_>>()
                        .next()
                        .and_then(Object::into_name)
                        .map(|name| name.as_ref().to_vec()),
                    _ => None,
                };
                if let Some(value) = value {
                    map.entry(key.as_ref().to_vec()).or_insert(value);
                }
            }
        };
        if let Some(dict) = root.get::<Dict<'_>>("RoleMap") {
            add(&dict);
        }
        if let Some(list) = root.get::<Array<'_>>("Namespaces") {
            for namespace in array::dicts(&list).take(64) {
                if let Some(dict) = namespace.get::<Dict<'_>>("RoleMapNS") {
                    add(&dict);
                }
            }
        }
        Self { map }
    }

    /// The role of a type. A type that maps to no standard one is a group.
    pub fn role(&self, name: &Name<'_>) -> Role {
        let mut name = name.as_ref();
        for _ in 0..8 {
            // Standard names that are mapped elsewhere keep their meaning.
            if let Some(role) = Role::standard(name).or_else(|| Role::deep_heading(name)) {
                return role;
            }
            match self.map.get(name) {
                Some(next) => name = next,
                None => break,
            }
        }
        Role::Group
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::object::FromBytes;

    #[test]
    fn names_are_followed() {
        let root = Dict::from_bytes(
            b"<< /RoleMap << /Body /Text /Text /P /Loop /Loop2 /Loop2 /Loop /P /H1 >> >>",
        )
        .unwrap();
        let roles = Roles::new(&root);
        let role = |name: &'static [u8]| roles.role(&Name::new_unescaped(name));
        assert_eq!(role(b"Body"), Role::Paragraph);
        assert_eq!(role(b"Loop"), Role::Group);
        assert_eq!(role(b"P"), Role::Paragraph);
        assert_eq!(role(b"H7"), Role::Heading(6));
        assert_eq!(role(b"Unknown"), Role::Group);
    }
}
