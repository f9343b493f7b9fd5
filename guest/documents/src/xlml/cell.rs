//! A cell: its attributes, its value and its comment.

use crate::limits;
use crate::workbook::iso::iso;
use crate::workbook::number_format::{Epoch, NumberFormat};
use crate::workbook::{LAST_COLUMN, LAST_ROW, Value};
use crate::xml::{Event, Events, Start};

/// The parts of a cell as they are in the file.
#[derive(Debug, Default)]
pub struct Found {
    /// The column, from 1.
    pub column: u32,
    /// The number of further columns and rows that are merged with it.
    pub merged: (u32, u32),
    /// The name of its style.
    pub style: Option<String>,
    /// The formula, without `=`.
    pub formula: Option<String>,
    /// The address of its link. Empty if it has none, or one to a place in the workbook.
    pub link: String,
    /// Whether the address of its link is too long, and left out.
    pub has_long_link: bool,
    /// The type of the value. It may be empty.
    kind: String,
    /// The text of the value.
    pub text: String,
    /// Whether the text is cut.
    pub is_cut: bool,
    /// The author and the text of the comment.
    pub comment: Option<(String, String)>,
}

/// Whether an element is hidden.
pub fn is_hidden(start: &Start) -> bool {
    matches!(start.attr("Hidden").as_deref(), Some("1" | "true"))
}

/// Reads a number of an attribute.
pub fn number(start: &Start, name: &str) -> Option<u32> {
    start.attr(name)?.trim().parse().ok()
}

/// The name of the style of an element.
pub fn style(start: &Start) -> Option<String> {
    let name = start.attr("StyleID").filter(|name| !name.is_empty())?;
    Some(name.into_owned())
}

impl Found {
    /// Reads a cell up to its end. `before` is the last column of the cell before. `keep` states
    /// whether its text is read, or only whether it has one.
    pub fn read<'a>(events: &mut Events<'a>, start: &Start<'a>, before: u32, keep: bool) -> Self {
        let mut found = Self {
            column: number(start, "Index").unwrap_or(before.saturating_add(1)),
            merged: (
                number(start, "MergeAcross").unwrap_or(0).min(LAST_COLUMN),
                number(start, "MergeDown").unwrap_or(0).min(LAST_ROW),
            ),
            style: style(start),
            ..Self::default()
        };
        if let Some(formula) = start.attr("Formula") {
            let formula = formula.trim();
            let formula = formula.strip_prefix('=').unwrap_or(formula);
            let end = formula.floor_char_boundary(limits::FORMULA_BYTES);
            let formula = formula.get(..end).unwrap_or_default();
            found.formula = (!formula.is_empty()).then(|| formula.to_owned());
        }
        let link = start.attr("HRef").unwrap_or_default();
        let link = link.trim();
        if !link.starts_with('#') {
            found.has_long_link = link.len() > limits::URL_BYTES;
            if !found.has_long_link {
                link.clone_into(&mut found.link);
            }
        }
        found.content(events, if keep { limits::CELL_BYTES } else { 1 });
        found
    }

    /// Reads what is in the element, up to its end. `most` is the maximum size of the text of the value.
    fn content(&mut self, events: &mut Events, most: usize) {
        // The depths of the open elements, from 1. 0 means none.
        let (mut depth, mut data, mut comment) = (0_usize, 0_usize, 0_usize);
        for event in events.by_ref() {
            match event {
                Event::Start(start) => {
                    depth = depth.saturating_add(1);
                    match start.name {
                        "Comment" if comment == 0 => {
                            comment = depth;
                            let author = start.attr("Author").unwrap_or_default();
                            self.comment = Some((author.trim().to_owned(), String::new()));
                        }
                        "Data" if data == 0 => {
                            data = depth;
                            if comment == 0 {
                                self.kind = start.attr("Type").unwrap_or_default().into_owned();
                            }
                        }
                        _ => {}
                    }
                }
                Event::End(_) => {
                    let Some(rest) = depth.checked_sub(1) else {
                        return;
                    };
                    data = if data == depth { 0 } else { data };
                    comment = if comment == depth { 0 } else { comment };
                    depth = rest;
                }
                Event::Text(piece) if data > 0 => {
                    let (text, most) = match &mut self.comment {
                        Some((_, text)) if comment > 0 => (text, limits::CELL_BYTES),
                        _ => (&mut self.text, most),
                    };
                    if text.len().saturating_add(piece.len()) <= most {
                        text.push_str(&piece);
                    } else if !text.ends_with('…') {
                        let room = most.saturating_sub(text.len());
                        let end = piece.floor_char_boundary(room);
                        text.push_str(piece.get(..end).unwrap_or_default());
                        text.push('…');
                        self.is_cut |= comment == 0;
                    }
                }
                Event::Text(_) => {}
            }
        }
    }

    /// The last column that it covers.
    pub fn last_column(&self) -> u32 {
        self.column.saturating_add(self.merged.0)
    }

    /// The value and its displayed text, in a format. `None` if there is no value.
    pub fn value(&self, format: Option<&NumberFormat>) -> Option<(Value, Option<String>)> {
        let text = self.text.as_str();
        let stored = text.trim();
        if text.is_empty() {
            return None;
        }
        match self.kind.as_str() {
            "Number" => {
                let number = stored.parse::<f64>().ok().filter(|it| it.is_finite());
                let general = NumberFormat::default();
                let format = format.unwrap_or(&general);
                number.map(|number| format.number(number, Epoch::Y1900))
            }
            "DateTime" => Some((Value::Date(date(stored)), None)),
            "Boolean" => Some((Value::Bool(matches!(stored, "1" | "true")), None)),
            "Error" => Some((Value::Error(stored.to_owned()), None)),
            _ => None,
        }
        .or_else(|| {
            let shown = format.and_then(|format| format.text(text));
            Some((Value::Text(text.into()), shown))
        })
    }
}

/// A date in the form of ISO 8601. A time without a date is stored with the day before the first one.
fn date(stored: &str) -> String {
    let date = iso(stored);
    match date.strip_prefix("1899-12-31 ") {
        Some(time) => time.to_owned(),
        None => date,
    }
}
