//! Numbers of list items and headings, as programs show them.

use crate::numerals;
use std::collections::{BTreeMap, BTreeSet};

/// The number of levels of a list.
pub const LEVELS: usize = 9;

/// The sign before an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A bullet.
    Bullet,
    /// A number in its own format, such as `1.` or `iv)`.
    Number(String),
}

/// A level of a list.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The first number.
    pub start: u32,
    /// The format in WordprocessingML, such as `lowerRoman` or `bullet`.
    pub format: String,
    /// The text with `%1` for the number of the first level.
    pub text: String,
    /// The level, from 1, whose items restart this one. `0` means none.
    pub restart: Option<usize>,
    /// Whether the numbers of all levels are decimal.
    pub legal: bool,
    /// The style whose paragraphs have this level.
    pub style: Option<String>,
}

/// A definition that lists share, with their counters.
#[derive(Default)]
struct Definition {
    levels: BTreeMap<usize, Level>,
    counters: [Option<u32>; LEVELS],
}

/// A list: a definition with changes.
#[derive(Default)]
pub struct List {
    /// The identifier of the definition.
    pub definition: String,
    /// Its own first numbers, by the level.
    pub starts: BTreeMap<usize, u32>,
    /// Its own levels.
    pub levels: BTreeMap<usize, Level>,
}

/// A list to which a paragraph belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListReference {
    /// The identifier of the list. `0` means none.
    pub list: Option<String>,
    /// The level, from 0.
    pub level: Option<usize>,
}

/// The lists of a document.
#[derive(Default)]
pub struct Numbering {
    definitions: BTreeMap<String, Definition>,
    lists: BTreeMap<String, List>,
    /// The lists and levels whose own start is applied.
    started: BTreeSet<(String, usize)>,
}

impl Numbering {
    /// Adds a definition that lists share.
    pub fn add_definition(&mut self, id: String, levels: BTreeMap<usize, Level>) {
        let definition = Definition {
            levels,
            ..Definition::default()
        };
        self.definitions.insert(id, definition);
    }

    /// Adds a list.
    pub fn add_list(&mut self, id: String, list: List) {
        self.lists.insert(id, list);
    }

    /// Returns the level of a paragraph whose style, and not the paragraph, specifies the list.
    pub fn level_of_style(&self, list: &str, style: &str) -> Option<usize> {
        let list = self.lists.get(list)?;
        let definition = self.definitions.get(&list.definition)?;
        let mut levels = list.levels.iter().chain(&definition.levels);
        let (level, _) = levels.find(|(_, level)| level.style.as_deref() == Some(style))?;
        Some(*level)
    }

    /// Counts an item, and returns its marker. `None` if it has no visible one.
    pub fn next(&mut self, reference: &ListReference) -> Option<Marker> {
        let id = reference.list.as_deref().filter(|id| *id != "0")?;
        let at = reference
            .level
            .unwrap_or_default()
            .min(LEVELS.saturating_sub(1));
        let list = self.lists.get(id)?;
        let definition = self.definitions.get_mut(&list.definition)?;
        let level_at = |at: usize| list.levels.get(&at).or_else(|| definition.levels.get(&at));
        let level = level_at(at)?;
        let start_at = |at: usize| {
            let own = list.starts.get(&at).copied();
            own.or_else(|| level_at(at).map(|level| level.start))
                .unwrap_or(1)
        };
        let mut counters = definition.counters;
        let fresh = self.started.insert((id.to_owned(), at)) && list.starts.contains_key(&at);
        let counter = counters.get_mut(at)?;
        *counter = Some(match *counter {
            Some(value) if !fresh => value.saturating_add(1),
            _ => start_at(at),
        });
        for (deeper, counter) in counters.iter_mut().enumerate().skip(at.saturating_add(1)) {
            let restart = level_at(deeper).and_then(|level| level.restart);
            if restart.is_none_or(|restart| restart > at) {
                *counter = None;
            }
        }
        // Levels above that have no item yet count from their start.
        for (above, counter) in counters.iter_mut().enumerate().take(at) {
            if counter.is_none() {
                *counter = Some(start_at(above));
            }
        }
        let marker = if level.format == "bullet" {
            (!level.text.trim().is_empty()).then_some(Marker::Bullet)
        } else {
            let mut text = String::new();
            let mut chars = level.text.chars().peekable();
            while let Some(char) = chars.next() {
                let digit = chars.peek().and_then(|next| next.to_digit(10));
                let place = digit
                    .filter(|_| char == '%')
                    .and_then(|digit| usize::try_from(digit).ok()?.checked_sub(1));
                let Some(place) = place else {
                    text.push(if char.is_whitespace() { ' ' } else { char });
                    continue;
                };
                chars.next();
                let value = counters.get(place).copied().flatten().unwrap_or_default();
                let format = level_at(place).map_or("decimal", |level| &level.format);
                let legal = level.legal && format != "none";
                text.push_str(&number(value, if legal { "decimal" } else { format }));
            }
            let text = text.trim();
            (!text.is_empty()).then(|| Marker::Number(text.to_owned()))
        };
        definition.counters = counters;
        marker
    }
}

/// Writes a number in a format.
pub fn number(value: u32, format: &str) -> String {
    numerals::number(usize::try_from(value).unwrap_or(usize::MAX), format)
}
