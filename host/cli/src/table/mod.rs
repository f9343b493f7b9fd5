//! Tables of a reply, laid out for a terminal: columns by the width of their characters, numbers at
//! the right, and no line wider than the terminal.
//!
//! A reply has tables in the syntax of GFM (GitHub Flavored Markdown), in which the reader does not
//! know the terminal. Whatever a model gets is not changed: only the command line calls this.

mod cut;
mod layout;
mod parse;

use super::colour::Palette;
use parse::Table;

pub use cut::Cut;
pub use parse::fence_after;

/// A text with its tables laid out.
pub struct Fitted {
    /// The text.
    pub text: String,
    /// What the tables lack because the terminal is too narrow.
    pub cut: Cut,
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
