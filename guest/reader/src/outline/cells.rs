//! Notebooks as text: cells below markers, each in a language of its own.

use super::data::{self, Found};
use super::grammar::Language;
use super::item::{Item, Parsed};
use super::languages;
use super::parse::parse;

/// What a marker of a cell begins with.
const MARKER: &str = "# %% [";

/// What the cells of a notebook declare, each below its marker. `language` is that
/// of its code.
pub fn cells(text: &str, language: Option<&str>) -> Option<Parsed> {
    let code = language.and_then(languages::by_mode);
    let mut parsed = Parsed::default();
    let mut start = 0usize;
    let mut line = 1u32;
    let mut cell: Option<Cell> = None;
    for row in text.split_inclusive('\n') {
        if row.starts_with(MARKER) {
            if let Some(cell) = cell.take() {
                cell.add(text.get(cell.start..start)?, line, code, &mut parsed);
            }
            cell = Some(Cell {
                start,
                line,
                markdown: row.contains("[markdown]"),
                code: row.contains("[code]"),
                name: row.trim_end().to_owned(),
            });
        }
        start = start.saturating_add(row.len());
        line = line.saturating_add(1);
    }
    if let Some(cell) = cell {
        cell.add(text.get(cell.start..)?, line, code, &mut parsed);
    }
    (!parsed.items.is_empty()).then_some(parsed)
}

struct Cell {
    /// The first byte of its marker.
    start: usize,
    /// The line of it.
    line: u32,
    markdown: bool,
    code: bool,
    name: String,
}

impl Cell {
    /// Adds a cell of this text, behind which a line follows.
    fn add(&self, text: &str, behind: u32, code: Option<&'static Language>, all: &mut Parsed) {
        let at = all.items.len();
        all.items.push(Item {
            last: behind.saturating_sub(1),
            ..Item::section(&self.name, self.line, self.start)
        });
        let Some((marker, source)) = text.split_once('\n') else {
            return;
        };
        let inside = match code {
            _ if self.markdown => match data::by_name("cell.md").and_then(|scan| scan(source)) {
                Some(Found::Items(parsed)) => Some(parsed),
                _ => None,
            },
            Some(language) if self.code => Some(parse(source, language)),
            _ => None,
        };
        let Some(inside) = inside else {
            return;
        };
        let start = self.start.saturating_add(marker.len()).saturating_add(1);
        all.include(inside, start, self.line, Some(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_declarations() {
        let text = "# %% [markdown] cell:0\n# Title\n\ntext\n\n# %% [code] cell:1\nimport os\ndef f():\n    return 1\n# %% [raw] cell:2\nx\n";
        let parsed = cells(text, Some("python")).unwrap();
        let found: Vec<_> = parsed
            .items
            .iter()
            .map(|item| (item.line, item.last, item.name.as_str(), item.parent))
            .collect();
        assert_eq!(
            found,
            [
                (1, 5, "# %% [markdown] cell:0", None),
                (2, 4, "Title", Some(0)),
                (6, 9, "# %% [code] cell:1", None),
                (8, 9, "f", Some(2)),
                (10, 11, "# %% [raw] cell:2", None),
            ]
        );
        assert_eq!(parsed.imports, [(7, 7)]);
    }
}
