//! The value of a cell, from its attributes and its text.

use super::formula;
use super::skip::{Object, Skip};
use crate::workbook::hyperlink;
use crate::workbook::{LAST_COLUMN, LAST_ROW, Value};
use crate::xml::{Event, Events, Start};
use std::borrow::Cow;

/// A cell, which may be repeated to its right.
#[derive(Debug, Default)]
pub struct Found {
    /// The number of columns.
    pub repeated: u32,
    /// The number of columns and rows that it covers.
    pub span: (u32, u32),
    /// Whether it has a value.
    pub has_value: bool,
    /// The address of its first link to something outside of the workbook. A text with several links
    /// has one place in a cell.
    pub link: Option<String>,
    /// The value, the displayed text if it differs, and the formula. Only if they were requested.
    pub value: Option<(Value, Option<String>, Option<String>)>,
}

/// What is read of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Whether it has a value.
    Nothing,
    /// The value.
    Value,
    /// The value and the formula.
    Formula,
}

/// The attributes of a cell.
#[derive(Default)]
struct Attributes<'a> {
    kind: Cow<'a, str>,
    value: Option<Cow<'a, str>>,
    text: Option<Cow<'a, str>>,
    formula: Option<Cow<'a, str>>,
    error: bool,
}

/// Returns whether an element is a cell.
pub fn is_cell(name: &str) -> bool {
    matches!(name, "table-cell" | "covered-table-cell")
}

/// Reads a cell up to its end. `covered` means that another cell covers it.
pub fn read<'a>(
    events: &mut Events<'a>,
    start: &Start<'a>,
    keep: Keep,
    objects: &mut Vec<Object>,
) -> Found {
    let covered = start.name == "covered-table-cell";
    let mut found = Found {
        repeated: 1,
        span: (1, 1),
        ..Found::default()
    };
    let mut attributes = Attributes::default();
    for (name, value) in start.attributes() {
        let number = |most: u32| value.parse::<u32>().unwrap_or(1).clamp(1, most);
        match name {
            "number-columns-repeated" => found.repeated = number(LAST_COLUMN),
            "number-columns-spanned" => found.span.0 = number(LAST_COLUMN),
            "number-rows-spanned" => found.span.1 = number(LAST_ROW),
            "value-type" => {
                attributes.error |= value == "error";
                if attributes.kind.is_empty() {
                    attributes.kind = value;
                }
            }
            "value" | "date-value" | "time-value" | "boolean-value" => {
                attributes.value = Some(value);
            }
            "string-value" => attributes.text = Some(value),
            "formula" => attributes.formula = Some(value),
            _ => {}
        }
    }
    let mut text = Text {
        keep: keep != Keep::Nothing,
        ..Text::default()
    };
    text.read(events, objects);
    let formula = || hyperlink::address(attributes.formula.as_deref()?);
    found.link = text.link.take().or_else(formula);
    if covered {
        return found;
    }
    let typed = attributes.value.is_some() && attributes.kind != "string";
    let own = attributes.text.as_deref().unwrap_or_default();
    found.has_value = typed || text.is_filled || !own.is_empty();
    if keep == Keep::Nothing || !found.has_value {
        return found;
    }
    let (value, shown) = value(&attributes, text.content);
    let formula = attributes.formula.filter(|_| keep == Keep::Formula);
    found.value = Some((value, shown, formula.map(|it| formula::excel(&it))));
    found
}

/// Returns the value, and the displayed text if it differs.
fn value(attributes: &Attributes, text: String) -> (Value, Option<String>) {
    let text = if text.is_empty() {
        attributes.text.as_deref().unwrap_or_default().to_owned()
    } else {
        text
    };
    if attributes.error || is_error(&text) && attributes.formula.is_some() {
        return (Value::Error(text), None);
    }
    let stored = attributes.value.as_deref().unwrap_or_default().trim();
    let value = match &*attributes.kind {
        "float" | "percentage" | "currency" => stored.parse().ok().map(Value::Number),
        "date" => Some(Value::Date(date(stored))),
        "time" => time(stored).map(Value::Date),
        "boolean" => Some(Value::Bool(stored == "true")),
        _ => None,
    };
    let Some(value) = value else {
        return (Value::Text(text.into()), None);
    };
    let shown = (!text.is_empty() && text != value.plain()).then_some(text);
    (value, shown)
}

/// Returns whether a text is an error of a formula, such as `#DIV/0!` or `Err:502`.
fn is_error(text: &str) -> bool {
    text.starts_with("Err:")
        || matches!(
            text,
            "#N/A" | "#NAME?" | "#DIV/0!" | "#VALUE!" | "#REF!" | "#NUM!" | "#NULL!"
        )
}

/// Converts `2024-01-31T12:30:00.000` to `2024-01-31 12:30:00`.
fn date(stored: &str) -> String {
    let short = match stored.split_once('.') {
        Some((before, after)) if after.bytes().all(|it| it == b'0') => before,
        _ => stored,
    };
    short.replacen('T', " ", 1)
}

/// Converts a duration, such as `PT36H00M00S`, to `36:00:00`.
fn time(stored: &str) -> Option<String> {
    let (sign, rest) = match stored.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", stored),
    };
    let (days, rest) = rest.strip_prefix('P')?.split_once('T')?;
    let days: u64 = match days.strip_suffix('D') {
        Some(days) => days.parse().ok()?,
        None => 0,
    };
    let (hours, rest) = rest.split_once('H').unwrap_or(("0", rest));
    let (minutes, rest) = rest.split_once('M').unwrap_or(("0", rest));
    let (seconds, _) = rest.split_once('S').unwrap_or(("0", rest));
    let hours = hours
        .parse::<u64>()
        .ok()?
        .checked_add(days.checked_mul(24)?)?;
    let minutes = minutes.parse::<u64>().ok()?;
    let (whole, part) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let whole = whole.parse::<u64>().ok()?;
    let part = part.trim_end_matches('0');
    let dot = if part.is_empty() { "" } else { "." };
    Some(format!(
        "{sign}{hours:02}:{minutes:02}:{whole:02}{dot}{part}"
    ))
}

/// The text of a cell so far.
#[derive(Default)]
struct Text {
    content: String,
    /// Whether the text is kept.
    keep: bool,
    /// The address of the first link.
    link: Option<String>,
    is_filled: bool,
    paragraphs: usize,
    /// Whether the last character is a space that following ones repeat.
    space: bool,
}

impl Text {
    /// Reads the events of a cell up to its end.
    fn read(&mut self, events: &mut Events, objects: &mut Vec<Object>) {
        let mut depth = 0_usize;
        let mut skip = Skip::default();
        for event in events.by_ref() {
            match event {
                Event::Start(start) => {
                    depth = depth.saturating_add(1);
                    if skip.start(&start, depth, objects) {
                        continue;
                    }
                    match start.name {
                        "p" => self.paragraph(),
                        "s" => {
                            let count = start.attr("c").and_then(|it| it.parse::<usize>().ok());
                            self.literal(&" ".repeat(count.unwrap_or(1).min(SPACES)));
                        }
                        "tab" => self.literal("\t"),
                        "line-break" => self.literal("\n"),
                        "a" if self.link.is_none() => {
                            let url = start.attr("href").unwrap_or_default();
                            let url = url.trim();
                            let is_outside = !url.is_empty() && !url.starts_with('#');
                            self.link = is_outside.then(|| url.to_owned());
                        }
                        _ => {}
                    }
                }
                Event::End(_) => {
                    skip.end(depth);
                    let Some(rest) = depth.checked_sub(1) else {
                        return;
                    };
                    depth = rest;
                }
                Event::Text(piece) => {
                    // Text between paragraphs is the layout of the XML.
                    if skip.is_open() {
                        skip.text(&piece, objects);
                    } else if depth > 0 {
                        self.piece(&piece);
                    }
                }
            }
        }
    }

    fn paragraph(&mut self) {
        if self.paragraphs > 0 {
            self.literal("\n");
        }
        self.paragraphs = self.paragraphs.saturating_add(1);
        self.space = true;
    }

    fn literal(&mut self, text: &str) {
        if self.keep {
            self.content.push_str(text);
        }
        self.space = false;
    }

    fn piece(&mut self, piece: &str) {
        self.is_filled |= !piece.trim().is_empty();
        if !self.keep {
            return;
        }
        for char in piece.chars() {
            if matches!(char, ' ' | '\t' | '\r' | '\n') {
                if !self.space {
                    self.content.push(' ');
                }
                self.space = true;
            } else {
                self.content.push(char);
                self.space = false;
            }
        }
    }
}

/// The maximum number of spaces that `text:s` writes. More are no text.
const SPACES: usize = 200;

#[cfg(test)]
mod tests {
    use super::{date, time};

    #[test]
    fn dates_and_times_are_short() {
        assert_eq!(date("2024-01-31"), "2024-01-31");
        assert_eq!(date("2024-01-31T12:30:00.000000000"), "2024-01-31 12:30:00");
        assert_eq!(date("2024-01-31T12:30:00.5"), "2024-01-31 12:30:00.5");
        assert_eq!(time("PT36H00M00S").unwrap(), "36:00:00");
        assert_eq!(time("-P1DT1H2M3.50S").unwrap(), "-25:02:03.5");
        assert_eq!(time("PT5M").unwrap(), "00:05:00");
        assert_eq!(time("12:30"), None);
        assert_eq!(time("PT99999999999999999999H"), None);
    }
}
