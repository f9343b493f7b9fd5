//! Lists and their numbers ([ODF 1.3] part 3, 5.3 and 16.30).

use crate::word::numbering::Marker;
use crate::xml::Element;
use omniread_document::numerals::roman;
use std::collections::BTreeMap;

/// The number of levels of a list.
const LEVELS: usize = 10;

/// The largest number in Roman digits. Larger ones are decimal.
const ROMAN: usize = 10_000;

/// The maximum number of lists whose numbers are kept, for lists that continue others.
const LISTS: usize = 100_000;

/// A level of a list style.
#[derive(Clone, Debug, Default)]
struct Level {
    bullet: Option<bool>,
    format: String,
    prefix: String,
    suffix: String,
    /// The text with `%1%` for the number of the first level.
    pattern: Option<String>,
    start: u32,
    /// The number of levels whose numbers are shown.
    shown: usize,
    /// Whether `a` is repeated after `z`: `aa`, `bb`.
    sync: bool,
}

/// A list style: its levels.
#[derive(Clone, Debug, Default)]
pub struct ListStyle {
    levels: Vec<Option<Level>>,
}

impl ListStyle {
    /// Reads `text:list-style` or `text:outline-style`.
    pub fn read(element: Element) -> Self {
        let mut style = Self::default();
        for child in element.children() {
            let Some(at) = child.attr("level").and_then(|it| it.parse::<usize>().ok()) else {
                continue;
            };
            let Some(at) = at.checked_sub(1).filter(|at| *at < LEVELS) else {
                continue;
            };
            let text = |name| child.attr(name).unwrap_or_default().to_owned();
            let number = |name| child.attr(name).and_then(|it| it.parse().ok());
            let bullet = match child.name() {
                "list-level-style-bullet" => Some(
                    child
                        .attr("bullet-char")
                        .is_some_and(|it| !it.trim().is_empty()),
                ),
                "list-level-style-image" => Some(true),
                _ => None,
            };
            let level = Level {
                bullet,
                format: text("num-format"),
                prefix: text("num-prefix"),
                suffix: text("num-suffix"),
                pattern: child.attr("num-list-format").map(str::to_owned),
                start: child
                    .attr("start-value")
                    .and_then(|it| it.parse().ok())
                    .unwrap_or(1),
                shown: number("display-levels").unwrap_or(1_usize).clamp(1, LEVELS),
                sync: child.attr("num-letter-sync") == Some("true"),
            };
            if style.levels.len() <= at {
                style.levels.resize(at.saturating_add(1), None);
            }
            if let Some(slot) = style.levels.get_mut(at) {
                *slot = Some(level);
            }
        }
        style
    }

    fn level(&self, at: usize) -> Option<&Level> {
        self.levels.get(at)?.as_ref()
    }

    /// Counts an item of a level, from 0, and returns its marker. `None` if it has no visible one.
    pub fn next(&self, counters: &mut Counters, at: usize, start: Option<u32>) -> Option<Marker> {
        let at = at.min(LEVELS.saturating_sub(1));
        let start_at = |at: usize| self.level(at).map_or(1, |level| level.start);
        let counter = counters.0.get_mut(at)?;
        *counter = Some(match (start, *counter) {
            (Some(start), _) => start,
            (None, Some(value)) => value.saturating_add(1),
            (None, None) => start_at(at),
        });
        for counter in counters.0.iter_mut().skip(at.saturating_add(1)) {
            *counter = None;
        }
        // Levels above that have no item yet count from their start.
        for (above, counter) in counters.0.iter_mut().enumerate().take(at) {
            if counter.is_none() {
                *counter = Some(start_at(above));
            }
        }
        let level = self.level(at)?;
        if let Some(visible) = level.bullet {
            return visible.then_some(Marker::Bullet);
        }
        let text = self.number(level, at, counters);
        let text = text.trim();
        (!text.is_empty()).then(|| Marker::Number(text.to_owned()))
    }

    fn number(&self, level: &Level, at: usize, counters: &Counters) -> String {
        let value = |at: usize| {
            let value = counters.0.get(at).copied().flatten().unwrap_or(1);
            let own = self.level(at);
            let format = own.map_or("1", |own| own.format.as_str());
            digits(value, format, own.is_some_and(|own| own.sync))
        };
        let mut out = String::new();
        if let Some(pattern) = &level.pattern {
            let mut rest = pattern.as_str();
            while let Some((before, after)) = rest.split_once('%') {
                out.push_str(before);
                let place = after.split_once('%').and_then(|(place, after)| {
                    Some((place.parse::<usize>().ok()?.checked_sub(1)?, after))
                });
                match place {
                    Some((place, after)) if place <= at => {
                        out.push_str(&value(place));
                        rest = after;
                    }
                    Some((_, after)) => rest = after,
                    None => {
                        out.push('%');
                        rest = after;
                    }
                }
            }
            out.push_str(rest);
            return out;
        }
        if level.format.is_empty() {
            return format!("{}{}", level.prefix, level.suffix);
        }
        out.push_str(&level.prefix);
        let first = at.saturating_add(1).saturating_sub(level.shown);
        let mut empty = true;
        for place in first..=at {
            let number = value(place);
            if number.is_empty() {
                continue;
            }
            if !empty {
                out.push('.');
            }
            empty = false;
            out.push_str(&number);
        }
        out.push_str(&level.suffix);
        out
    }
}

/// The number of the last item of each level.
#[derive(Clone, Debug, Default)]
pub struct Counters([Option<u32>; LEVELS]);

/// The numbers of the lists of a document.
#[derive(Default)]
pub struct Lists {
    counters: Vec<Counters>,
    /// The counters of each list by its identifier.
    by_id: BTreeMap<String, usize>,
    /// The counters of the last list of each style.
    by_style: BTreeMap<String, usize>,
    /// The numbers of headings.
    pub outline: Counters,
}

impl Lists {
    /// Starts an outermost list, and returns the place of its counters.
    pub fn start(&mut self, list: Element, style: &str) -> usize {
        let continued = match list.attr("continue-list") {
            Some(id) => self.by_id.get(id),
            None if list.attr("continue-numbering") == Some("true") => self.by_style.get(style),
            None => None,
        };
        let place = continued.copied();
        let place = place.unwrap_or_else(|| self.fresh());
        if let Some(id) = list.attr("id") {
            self.by_id.insert(id.to_owned(), place);
        }
        self.by_style.insert(style.to_owned(), place);
        place
    }

    /// Returns the place of the counters of a list with an identifier.
    pub fn named(&mut self, id: &str) -> usize {
        if let Some(place) = self.by_id.get(id) {
            return *place;
        }
        let place = self.fresh();
        self.by_id.insert(id.to_owned(), place);
        place
    }

    /// Adds counters. Beyond the limit, all lists share the last ones.
    fn fresh(&mut self) -> usize {
        if self.counters.len() < LISTS {
            self.counters.push(Counters::default());
        } else if let Some(last) = self.counters.last_mut() {
            *last = Counters::default();
        }
        self.counters.len().saturating_sub(1)
    }

    /// Returns the counters at a place.
    pub fn counters(&mut self, place: usize) -> Option<&mut Counters> {
        self.counters.get_mut(place)
    }
}

/// Writes a number in a format ([ODF 1.3] part 3, 19.500).
fn digits(value: u32, format: &str, sync: bool) -> String {
    let value = usize::try_from(value).unwrap_or(usize::MAX);
    match format {
        "" => String::new(),
        "i" => roman(value, ROMAN),
        "I" => roman(value, ROMAN).to_uppercase(),
        "a" => letters(value, sync),
        "A" => letters(value, sync).to_uppercase(),
        "01, 02, 03, ..." => format!("{value:02}"),
        "①, ②, ③, ..." => match u32::try_from(value) {
            Ok(value @ 1..=20) => char::from_u32(0x245f_u32.saturating_add(value))
                .map_or_else(|| value.to_string(), String::from),
            _ => value.to_string(),
        },
        _ => value.to_string(),
    }
}

/// Writes a number as letters: `z` is followed by `aa`, and then by `ab`, or by `bb` if the letters
/// are the same.
fn letters(value: usize, sync: bool) -> String {
    let Some(place) = value.checked_sub(1) else {
        return "0".to_owned();
    };
    let letter = |place: usize| {
        let place = u8::try_from(place % 26).unwrap_or_default();
        char::from(b'a'.saturating_add(place))
    };
    if sync {
        let count = (place / 26).min(30).saturating_add(1);
        return std::iter::repeat_n(letter(place), count).collect();
    }
    let mut out = Vec::new();
    let mut rest = value;
    while let Some(place) = rest.checked_sub(1) {
        out.push(letter(place));
        rest = place / 26;
    }
    out.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_format() {
        for (value, format, expected) in [
            (3, "1", "3"),
            (4, "i", "iv"),
            (4, "I", "IV"),
            (28, "a", "ab"),
            (702, "A", "ZZ"),
            (5, "", ""),
            (0, "a", "0"),
        ] {
            assert_eq!(digits(value, format, false), expected);
        }
        assert_eq!(digits(28, "a", true), "bb");
        assert!(digits(u32::MAX, "a", true).len() < 40);
    }
}
