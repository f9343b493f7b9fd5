//! Items of a notebook that was converted to text. Every cell follows a marker line and has its own
//! language.

use super::data::{self, Scanned};
use super::declarations::parse;
use super::item::{Item, Parsed};
use super::language::Language;
use super::languages;
use super::parse::Undeclared;
use memchr::{memchr_iter, memmem};

/// The prefix of a marker line, which precedes each cell: `# %% [code] cell:1`.
const MARKER: &str = "# %% [";

/// The same prefix, after the end of the line before.
const NEXT_MARKER: &str = "\n# %% [";

/// Finds the declarations and headings in the cells of a notebook. `language` is the language of
/// the code cells, as the kernel names it. Returns `None` if the text has no cells.
pub fn cells(text: &str, language: Option<&str>) -> Option<Parsed> {
    let code = language.and_then(languages::by_mode).map(Code::new);
    let code = code.as_ref();
    let mut parsed = Parsed::default();
    let mut start = 0usize;
    let mut line = 1u32;
    let mut cell: Option<Cell> = None;
    let first = text.starts_with(MARKER).then_some(0);
    let others = memmem::find_iter(text.as_bytes(), NEXT_MARKER);
    let others = others.map(|end| end.saturating_add(1));
    let lines = |text: &str| {
        let lines = memchr_iter(b'\n', text.as_bytes()).count();
        u32::try_from(lines).unwrap_or(u32::MAX)
    };
    for next in first.into_iter().chain(others) {
        line = line.saturating_add(lines(text.get(start..next)?));
        start = next;
        if let Some(cell) = cell.take() {
            cell.add(text.get(cell.start..start)?, line, code, &mut parsed);
        }
        let row = text.get(start..)?.lines().next().unwrap_or_default();
        let kind = row.strip_prefix(MARKER).unwrap_or_default();
        cell = Some(Cell {
            start,
            line,
            markdown: kind.starts_with("markdown]"),
            code: kind.starts_with("code]"),
            name: row.trim_end().to_owned(),
        });
    }
    line = line.saturating_add(lines(text.get(start..)?));
    if !text.ends_with('\n') {
        line = line.saturating_add(1);
    }
    if let Some(cell) = cell {
        cell.add(text.get(cell.start..)?, line, code, &mut parsed);
    }
    (!parsed.items.is_empty()).then_some(parsed)
}

/// The language of code cells.
struct Code {
    language: &'static Language,
    undeclared: Option<Undeclared>,
}

impl Code {
    fn new(language: &'static Language) -> Self {
        Self {
            language,
            undeclared: Undeclared::new(language),
        }
    }

    fn parsed(&self, source: &str) -> Parsed {
        let undeclared = self.undeclared.as_ref();
        let undeclared = undeclared.and_then(|it| it.parsed(source));
        undeclared.unwrap_or_else(|| parse(source, self.language))
    }
}

struct Cell {
    /// The byte offset of the marker line in the text of the notebook.
    start: usize,
    /// The line number of the marker.
    line: u32,
    markdown: bool,
    code: bool,
    name: String,
}

impl Cell {
    /// Adds this cell, and the declarations or headings in it, to `all`. `text` is the text of the
    /// cell with its marker line. `end` is the number of the line after the cell. `code` is the
    /// language of code cells.
    fn add(&self, text: &str, end: u32, code: Option<&Code>, all: &mut Parsed) {
        let at = all.items.len();
        all.items.push(Item {
            last: end.saturating_sub(1),
            ..Item::section(&self.name, self.line, self.start)
        });
        let Some((marker, source)) = text.split_once('\n') else {
            return;
        };
        let inside = match code {
            _ if self.markdown => match data::by_name("cell.md").and_then(|scan| scan(source)) {
                Some(Scanned::Items(parsed)) => Some(parsed),
                _ => None,
            },
            Some(code) if self.code => Some(code.parsed(source)),
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
    fn notebook_cells_contain_their_declarations() {
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
