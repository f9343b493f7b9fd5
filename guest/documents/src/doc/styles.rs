//! The styles of a document, with what they inherit ([MS-DOC] 2.9.271, 2.9.260).

use super::sprms::{Characters, Paragraph};
use crate::codepage;
use crate::limits;
use crate::model::Style;
use crate::ole::u16_at;
use crate::word::styles::{Named, by_name};

/// A style without those on which it is based.
#[derive(Default)]
struct Entry<'a> {
    name: String,
    base: u16,
    paragraph: &'a [u8],
    characters: &'a [u8],
}

/// A style.
#[derive(Default)]
pub struct Class {
    /// The outline level, the kind, and whether it is code.
    pub named: Named,
    /// The list, from 1.
    pub list: Option<u16>,
    /// The level in the list.
    pub level: Option<u8>,
    /// The format and the font of characters.
    pub characters: Characters,
}

/// The styles by their numbers.
#[derive(Default)]
pub struct Styles {
    list: Vec<Class>,
}

impl Styles {
    /// Reads the styles.
    pub fn read(table: &[u8]) -> Self {
        let header = u16_at(table, 0).map_or(0, usize::from);
        let base = u16_at(table, 4).map_or(10, usize::from);
        let mut at = header.saturating_add(2);
        let mut entries = Vec::new();
        while let Some(size) = u16_at(table, at).map(usize::from) {
            let start = at.saturating_add(2);
            let end = start.saturating_add(size).min(table.len());
            entries.push(entry(table.get(start..end).unwrap_or_default(), base));
            // Styles begin at even positions.
            at = end.next_multiple_of(2);
        }
        let list = (0..entries.len()).map(|index| resolve(&entries, index));
        Self {
            list: list.collect(),
        }
    }

    /// Returns a style.
    pub fn get(&self, number: u16) -> Option<&Class> {
        self.list.get(usize::from(number))
    }
}

fn entry(bytes: &[u8], base: usize) -> Entry<'_> {
    let mut entry = Entry {
        base: 0xfff,
        ..Entry::default()
    };
    let (Some(first), Some(second), Some(third)) =
        (u16_at(bytes, 0), u16_at(bytes, 2), u16_at(bytes, 4))
    else {
        return entry;
    };
    entry.base = second >> 4;
    let count = third & 15;
    let length = u16_at(bytes, base).map_or(0, usize::from);
    let start = base.saturating_add(2);
    let end = start.saturating_add(length.saturating_mul(2));
    let own = codepage::utf16(bytes.get(start..end).unwrap_or_default());
    // Programs translate the names of built-in styles, but not their numbers.
    entry.name = match first & 0xfff {
        level @ 1..=9 => format!("heading {level}"),
        number @ 19..=27 => format!("toc {}", number.saturating_sub(18)),
        62 => "title".to_owned(),
        84 => "block text".to_owned(),
        _ => own.split(',').next().unwrap_or_default().to_owned(),
    };
    let mut at = end.saturating_add(2);
    let mut parts = Vec::new();
    for _ in 0..count {
        at = at.next_multiple_of(2);
        let Some(size) = u16_at(bytes, at).map(usize::from) else {
            break;
        };
        let start = at.saturating_add(2);
        let end = start.saturating_add(size).min(bytes.len());
        parts.push(bytes.get(start..end).unwrap_or_default());
        at = end;
    }
    match (second & 15, &parts[..]) {
        (1, [paragraph, rest @ ..]) => {
            // The number of the style is before its properties.
            entry.paragraph = paragraph.get(2..).unwrap_or_default();
            entry.characters = rest.first().copied().unwrap_or_default();
        }
        (2, [characters, ..]) => entry.characters = characters,
        _ => {}
    }
    entry
}

/// Follows the styles on which a style is based.
fn resolve(entries: &[Entry], index: usize) -> Class {
    let mut chain = Vec::new();
    let mut next = entries.get(index);
    while let Some(entry) = next
        && chain.len() < limits::STYLE_CHAIN
    {
        chain.push(entry);
        next = entries.get(usize::from(entry.base));
    }
    let mut paragraph = Paragraph::default();
    let mut class = Class::default();
    for entry in chain.iter().rev() {
        paragraph.apply(entry.paragraph, &[]);
        let inherited = class.characters;
        class.characters.apply(entry.characters, &inherited);
    }
    class.named.outline = paragraph.outline;
    class.list = paragraph.list;
    class.level = paragraph.level;
    for entry in &chain {
        class.named = by_name(&entry.name, class.named);
    }
    if class.named.code {
        class.characters.style = class.characters.style.with(Style::CODE);
    }
    class
}
