//! Numbers of list items and headings, as programs show them.

use super::styles::{ListReference, Styles};
use crate::limits;
use crate::roman::roman;
use crate::xml::Element;
use std::collections::{BTreeMap, BTreeSet};

/// The number of levels of a list.
const LEVELS: usize = 9;

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
    /// The style whose list replaces this definition.
    link: Option<String>,
    counters: [Option<u32>; LEVELS],
}

/// A list: a definition with changes.
#[derive(Default)]
struct List {
    definition: String,
    starts: BTreeMap<usize, u32>,
    levels: BTreeMap<usize, Level>,
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
    /// Reads the part of lists.
    pub fn read(root: Element, styles: &Styles) -> Self {
        let mut numbering = Self::default();
        for child in root.children() {
            match child.name() {
                "abstractNum" => {
                    let Some(id) = child.attr("abstractNumId") else {
                        continue;
                    };
                    let definition = Definition {
                        levels: child.children().filter_map(level).collect(),
                        link: child.val("numStyleLink").map(str::to_owned),
                        counters: [None; LEVELS],
                    };
                    numbering.definitions.insert(id.to_owned(), definition);
                }
                "num" => {
                    let Some(id) = child.attr("numId") else {
                        continue;
                    };
                    let mut list = List {
                        definition: child.val("abstractNumId").unwrap_or_default().to_owned(),
                        ..List::default()
                    };
                    for change in child.children().filter(|at| at.name() == "lvlOverride") {
                        let at = change.attr("ilvl").and_then(|level| level.parse().ok());
                        let start = change.val("startOverride").and_then(|it| it.parse().ok());
                        if let (Some(at), Some(start)) = (at, start) {
                            list.starts.insert(at, start);
                        }
                        list.levels.extend(change.children().filter_map(level));
                    }
                    numbering.lists.insert(id.to_owned(), list);
                }
                _ => {}
            }
        }
        numbering.follow_links(styles);
        numbering
    }

    /// Adds a definition that lists share.
    pub fn add_definition(&mut self, id: String, levels: BTreeMap<usize, Level>) {
        let definition = Definition {
            levels,
            ..Definition::default()
        };
        self.definitions.insert(id, definition);
    }

    /// Adds a list: its definition, its own first numbers, and its own levels.
    pub fn add_list(
        &mut self,
        id: String,
        definition: String,
        starts: BTreeMap<usize, u32>,
        levels: BTreeMap<usize, Level>,
    ) {
        let list = List {
            definition,
            starts,
            levels,
        };
        self.lists.insert(id, list);
    }

    /// Replaces the definitions that refer to the list of a style.
    fn follow_links(&mut self, styles: &Styles) {
        let mut targets = BTreeMap::new();
        for (id, definition) in &self.definitions {
            let mut at = definition;
            let mut target = None;
            for _ in 0..limits::STYLE_CHAIN {
                let Some(style) = &at.link else { break };
                let list = styles.paragraph(Some(style)).list;
                let list = list.and_then(|list| self.lists.get(&list.list?));
                let Some(list) = list else { break };
                let Some(next) = self.definitions.get(&list.definition) else {
                    break;
                };
                target = Some(list.definition.clone());
                at = next;
            }
            if let Some(target) = target {
                targets.insert(id.clone(), target);
            }
        }
        for list in self.lists.values_mut() {
            if let Some(target) = targets.get(&list.definition) {
                list.definition.clone_from(target);
            }
        }
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

/// Reads `lvl`.
fn level(element: Element) -> Option<(usize, Level)> {
    if element.name() != "lvl" {
        return None;
    }
    let at: usize = element.attr("ilvl")?.parse().ok()?;
    let number = |name| element.val(name).and_then(|value| value.parse().ok());
    let format = element.child("numFmt").or_else(|| element.find("numFmt"));
    let level = Level {
        start: number("start").unwrap_or(0),
        format: format
            .and_then(|format| format.attr("val"))
            .unwrap_or("decimal")
            .to_owned(),
        text: element.val("lvlText").unwrap_or_default().to_owned(),
        restart: element
            .val("lvlRestart")
            .and_then(|value| value.parse().ok()),
        legal: element.child("isLgl").is_some_and(super::styles::is_on),
        style: element.val("pStyle").map(str::to_owned),
    };
    (at < LEVELS).then_some((at, level))
}

/// Writes a number in a format.
pub fn number(value: u32, format: &str) -> String {
    match format {
        "none" => String::new(),
        "upperRoman" => small_roman(value).to_uppercase(),
        "lowerRoman" => small_roman(value),
        "upperLetter" => letters(value, &LATIN).to_uppercase(),
        "lowerLetter" => letters(value, &LATIN),
        "russianUpper" => letters(value, &RUSSIAN).to_uppercase(),
        "russianLower" => letters(value, &RUSSIAN),
        "decimalZero" => format!("{value:02}"),
        "hex" => format!("{value:X}"),
        "numberInDash" => format!("- {value} -"),
        "ordinal" => format!("{value}{}", ordinal(value)),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => match value {
            1..=20 => char::from_u32(0x245f_u32.saturating_add(value))
                .map_or_else(|| value.to_string(), String::from),
            _ => value.to_string(),
        },
        "chineseCounting"
        | "chineseCountingThousand"
        | "ideographDigital"
        | "japaneseCounting"
        | "japaneseDigitalTenThousand"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand"
        | "koreanDigital2" => chinese(value),
        _ => value.to_string(),
    }
}

const LATIN: [char; 26] = [
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's',
    't', 'u', 'v', 'w', 'x', 'y', 'z',
];

/// The letters that Word uses for lists.
const RUSSIAN: [char; 28] = [
    'а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у',
    'ф', 'х', 'ц', 'ч', 'ш', 'щ', 'э', 'ю', 'я',
];

/// Writes a number as letters: `z` is followed by `aa`, and `zz` by `aaa`.
fn letters(value: u32, alphabet: &[char]) -> String {
    let Some(place) = usize::try_from(value).ok().and_then(|it| it.checked_sub(1)) else {
        return "0".to_owned();
    };
    let letter = place.checked_rem(alphabet.len()).unwrap_or_default();
    let count = place.checked_div(alphabet.len()).unwrap_or_default();
    if count > 30 {
        return value.to_string();
    }
    let letter = alphabet.get(letter).copied().unwrap_or('a');
    std::iter::repeat_n(letter, count.saturating_add(1)).collect()
}

fn small_roman(value: u32) -> String {
    /// The largest number in Roman digits. Larger ones are decimal.
    const MOST: usize = 10_000;
    roman(usize::try_from(value).unwrap_or(usize::MAX), MOST)
}

fn ordinal(value: u32) -> &'static str {
    match (value % 10, value % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

/// Writes a number below 100 in Chinese signs.
fn chinese(value: u32) -> String {
    const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let digit = |value: u32| {
        let place = usize::try_from(value).unwrap_or_default();
        DIGITS.get(place).copied().unwrap_or_default()
    };
    match value {
        1..=9 => digit(value).to_owned(),
        10..=19 => format!("十{}", digit(value % 10)),
        20..=99 => format!("{}十{}", digit(value / 10), digit(value % 10)),
        _ => value.to_string(),
    }
}
