//! Tables of a reply, laid out for a terminal: columns by the width of their characters, numbers at
//! the right, and no line wider than the terminal.
//!
//! A reply has tables in the syntax of GFM (GitHub Flavored Markdown), in which the reader does not
//! know the terminal. Whatever a model gets is not changed: only the command line calls this.

mod layout;
mod parse;

use super::colour::Palette;
use parse::Table;

pub use parse::fence_after;

/// A text with its tables laid out.
pub struct Fitted {
    /// The text.
    pub text: String,
    /// What the tables lack because the terminal is too narrow.
    pub cut: Cut,
}

/// The parts of tables that a terminal is too narrow for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The number of columns that are left out.
    pub columns: usize,
    /// The number of columns of the tables of which some are left out.
    pub of_columns: usize,
    /// The number of values that are cut.
    pub values: usize,
}

impl Cut {
    /// Adds the parts that another table lacks.
    pub fn add(&mut self, other: Self) {
        self.columns += other.columns;
        self.of_columns += other.of_columns;
        self.values += other.values;
    }

    /// The notice on the parts that are missing on a terminal with this number of columns. `None`
    /// if nothing is missing.
    pub fn notice(self, columns: usize) -> Option<String> {
        let values = match self.values {
            0 => None,
            1 => Some("a part of 1 value".to_owned()),
            values => Some(format!("parts of {values} values")),
        };
        let hidden = (self.columns > 0).then(|| {
            let of = self.of_columns;
            let plural = if of == 1 { "" } else { "s" };
            format!("{} of {of} column{plural}", self.columns)
        });
        let parts: Vec<String> = hidden.into_iter().chain(values).collect();
        (!parts.is_empty()).then(|| {
            let does = if self.columns + self.values == 1 {
                "does"
            } else {
                "do"
            };
            format!(
                "[{} {does} not fit into the {columns} columns of the terminal. Add `| cat` to the command to see everything]",
                parts.join(" and ")
            )
        })
    }
}

/// Lays out the tables of a text for a terminal with this number of columns.
pub fn fit(text: &str, columns: usize, palette: Palette) -> Fitted {
    let mut fitted = Fitted {
        text: String::with_capacity(text.len()),
        cut: Cut::default(),
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let mut fence = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if at > 0 {
            fitted.text.push('\n');
        }
        fence = parse::fence_after(fence, line);
        let table = match fence {
            None => Table::parse(&lines[at..]),
            Some(_) => None,
        };
        match table {
            Some((table, count)) => {
                fitted
                    .cut
                    .add(layout::write(&table, columns, palette, &mut fitted.text));
                at += count;
            }
            None => {
                fitted.text.push_str(line);
                at += 1;
            }
        }
    }
    fitted
}

#[cfg(test)]
mod tests;
