//! The tables at the start of a document: fonts, styles and lists.

use super::characters::Characters;
use crate::fonts::is_fixed;
use crate::limits;
use crate::word::numbering::{Level, List, Numbering};
use crate::word::styles::{Named, ParagraphKind, by_name};
use std::collections::{BTreeMap, BTreeSet};

/// A font.
#[derive(Clone, Debug, Default)]
pub struct Font {
    name: String,
    /// Whether all characters have the same width.
    pub is_fixed: bool,
    /// The code page, if the font has one of its own.
    pub code: Option<Characters>,
}

impl Font {
    /// Returns the name.
    pub fn name(&self) -> &str {
        self.name.trim()
    }
}

/// The fonts by their numbers.
#[derive(Default)]
pub struct Fonts {
    map: BTreeMap<i32, Font>,
    /// The font that is being read.
    current: Option<i32>,
}

impl Fonts {
    /// Returns a font.
    pub fn get(&self, number: i32) -> Option<&Font> {
        self.map.get(&number)
    }

    /// Reads a control word of the table.
    pub fn word(&mut self, name: &str, value: i32) {
        match name {
            "f" if self.map.len() < limits::RTF_TABLE => {
                self.current = Some(value);
                self.map.insert(value, Font::default());
            }
            "fcharset" => {
                if let Some(font) = self.current() {
                    font.code = Characters::of_charset(value);
                }
            }
            "cpg" => {
                if let Some(font) = self.current() {
                    font.code = Characters::numbered(value).or(font.code);
                }
            }
            _ => {}
        }
    }

    fn current(&mut self) -> Option<&mut Font> {
        self.map.get_mut(&self.current?)
    }

    /// Reads text of the table: the name of the font up to `;`.
    pub fn text(&mut self, text: &str) {
        if let Some(font) = self.current()
            && font.name.len() < limits::RTF_NAME
        {
            let end = text.find(';').unwrap_or(text.len());
            font.name.push_str(text.get(..end).unwrap_or_default());
            font.is_fixed = is_fixed(font.name());
        }
    }
}

/// A style without that on which it is based.
#[derive(Clone, Debug, Default)]
struct Style {
    name: String,
    base: Option<i32>,
    outline: Option<u8>,
}

impl Style {
    /// Returns the name without the sign at its end.
    fn name(&self) -> &str {
        self.name.trim().trim_end_matches(';')
    }
}

/// The styles by their numbers. Those of characters have other numbers.
#[derive(Default)]
pub struct Styles {
    paragraphs: BTreeMap<i32, Style>,
    /// The outline level and the kind of the paragraph styles that are used.
    resolved: BTreeMap<i32, (Option<u8>, ParagraphKind)>,
    /// The character styles that are code.
    codes: BTreeSet<i32>,
    /// The style that is being read: its number, and whether it is one of characters.
    current: (i32, bool),
    entry: Style,
}

impl Styles {
    /// Starts a style.
    pub fn start(&mut self) {
        self.current = (0, false);
        self.entry = Style::default();
    }

    /// Reads a control word of the table.
    pub fn word(&mut self, name: &str, value: i32) {
        match name {
            "s" => self.current = (value, false),
            "cs" => self.current = (value, true),
            "sbasedon" => self.entry.base = Some(value),
            "outlinelevel" => self.entry.outline = u8::try_from(value).ok(),
            _ => {}
        }
    }

    /// Reads text of the table: the name of the style.
    pub fn text(&mut self, text: &str) {
        if self.entry.name.len() < limits::RTF_NAME {
            self.entry.name.push_str(text);
        }
    }

    /// Ends a style.
    pub fn end(&mut self) {
        let entry = std::mem::take(&mut self.entry);
        let (number, is_character) = self.current;
        if self.paragraphs.len() >= limits::RTF_TABLE || entry.name.is_empty() {
            return;
        }
        if !is_character {
            self.paragraphs.insert(number, entry);
            self.resolved.remove(&number);
        } else if self.codes.len() < limits::RTF_TABLE
            && by_name(entry.name(), Named::default()).code
        {
            self.codes.insert(number);
        }
    }

    /// Returns the outline level and the kind of a paragraph style.
    pub fn paragraph(&mut self, number: i32) -> (Option<u8>, ParagraphKind) {
        if let Some(known) = self.resolved.get(&number) {
            return *known;
        }
        let mut resolved = Named::default();
        let mut next = Some(number);
        let mut names = Vec::new();
        for _ in 0..limits::STYLE_CHAIN {
            let Some(style) = next.and_then(|next| self.paragraphs.get(&next)) else {
                break;
            };
            resolved.outline = resolved.outline.or(style.outline);
            names.push(style.name());
            // LibreOffice has names of its own.
            let is_entry = style.name().strip_prefix("Contents ");
            if is_entry.is_some_and(|level| level.parse::<u8>().is_ok()) {
                resolved.kind = ParagraphKind::Contents;
            }
            next = style.base.filter(|base| Some(*base) != next);
        }
        for name in names {
            resolved = by_name(name, resolved);
        }
        let found = (resolved.outline, resolved.kind);
        if self.resolved.len() < limits::RTF_TABLE {
            self.resolved.insert(number, found);
        }
        found
    }

    /// Returns whether a character style is code.
    pub fn is_code(&self, number: i32) -> bool {
        self.codes.contains(&number)
    }
}

/// The definitions of lists while they are read.
#[derive(Default)]
pub struct Lists {
    /// The numbers of the lists.
    pub numbering: Numbering,
    levels: Vec<Level>,
    /// Whether the length at the start of the text of a level is read.
    has_length: bool,
    count: usize,
    definition: i32,
    starts: BTreeMap<usize, u32>,
    /// The level whose start is overridden, from 1.
    overridden: usize,
}

impl Lists {
    /// Reads a control word of the definitions.
    pub fn word(&mut self, name: &str, value: i32) {
        match name {
            "list" => self.levels.clear(),
            "listlevel" if self.levels.len() < limits::LIST_DEPTH => self.levels.push(Level {
                start: 1,
                format: "decimal".to_owned(),
                ..Level::default()
            }),
            "levelnfc" | "levelnfcn" => {
                if let Some(level) = self.levels.last_mut() {
                    format(value).clone_into(&mut level.format);
                }
            }
            "levelstartat" => {
                if let Some(level) = self.levels.last_mut() {
                    level.start = u32::try_from(value).unwrap_or_default();
                }
            }
            "levellegal" => {
                if let Some(level) = self.levels.last_mut() {
                    level.legal = value != 0;
                }
            }
            "levelnorestart" => {
                if let Some(level) = self.levels.last_mut() {
                    level.restart = (value != 0).then_some(0);
                }
            }
            "leveltext" => self.has_length = false,
            "listid" if self.count < limits::RTF_TABLE => {
                self.count = self.count.saturating_add(1);
                let levels = std::mem::take(&mut self.levels);
                self.numbering
                    .add_definition(value.to_string(), levels.into_iter().enumerate().collect());
            }
            _ => {}
        }
    }

    /// Reads a byte of the text of a level: the length, or the place of a number.
    pub fn level_byte(&mut self, byte: u8) -> bool {
        if !self.has_length {
            self.has_length = true;
            return true;
        }
        if byte >= 9 {
            return false;
        }
        let place = byte.saturating_add(b'1');
        self.level_text(&format!("%{}", char::from(place)));
        true
    }

    /// Reads the text of a level.
    pub fn level_text(&mut self, text: &str) {
        if let Some(level) = self.levels.last_mut()
            && level.text.len() < limits::RTF_NAME
        {
            level.text.push_str(text.trim_end_matches(';'));
        }
    }

    /// Reads a control word of the lists that use the definitions.
    pub fn override_word(&mut self, name: &str, value: i32) {
        match name {
            "listoverride" => {
                self.definition = 0;
                self.starts.clear();
                self.overridden = 0;
            }
            "lfolevel" => self.overridden = self.overridden.saturating_add(1),
            "listid" => self.definition = value,
            "levelstartat" => {
                if let Some(level) = self.overridden.checked_sub(1)
                    && level < limits::LIST_DEPTH
                    && let Ok(start) = u32::try_from(value)
                {
                    self.starts.insert(level, start);
                }
            }
            "ls" if self.count < limits::RTF_TABLE.saturating_mul(2) => {
                self.count = self.count.saturating_add(1);
                let list = List {
                    definition: self.definition.to_string(),
                    starts: std::mem::take(&mut self.starts),
                    levels: BTreeMap::new(),
                };
                self.numbering.add_list(value.to_string(), list);
            }
            _ => {}
        }
    }
}

/// Returns the name of the format of a number: `\levelnfc`.
fn format(code: i32) -> &'static str {
    match code {
        1 => "upperRoman",
        2 => "lowerRoman",
        3 => "upperLetter",
        4 => "lowerLetter",
        5 => "ordinal",
        18 => "decimalEnclosedCircle",
        22 => "decimalZero",
        23 => "bullet",
        37 | 39 => "chineseCounting",
        58 => "russianLower",
        59 => "russianUpper",
        255 => "none",
        _ => "decimal",
    }
}
