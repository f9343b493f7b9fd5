//! Tables of slides.

use super::bullets::Levels;
use super::text;
use crate::limits;
use crate::model::{Cell, Table};
use crate::package::Relationships;
use crate::xml::Element;

/// Converts the element `tbl`.
pub fn convert(table: Element, related: &Relationships) -> Table {
    let mut rows = Vec::new();
    for row in table.children().filter(|it| it.name() == "tr") {
        let mut cells = Vec::new();
        for cell in row.children().filter(|it| it.name() == "tc") {
            let is_on = |name| matches!(cell.attr(name), Some("1" | "true"));
            // A merged cell is a part of the one at its left or above.
            let merged = (is_on("hMerge") && !cells.is_empty())
                || (is_on("hMerge") && is_on("vMerge"))
                || (is_on("vMerge") && !rows.is_empty());
            if merged {
                continue;
            }
            let span = |name| cell.attr(name).and_then(|it| it.parse::<usize>().ok());
            let body = cell.child("txBody");
            let blocks = body.map(|it| text::blocks(it, &Levels::default(), related));
            cells.push(Cell {
                blocks: blocks.unwrap_or_default(),
                columns: span("gridSpan").unwrap_or(1).clamp(1, limits::COLUMNS),
                rows: span("rowSpan").unwrap_or(1).max(1),
            });
        }
        rows.push(cells);
    }
    Table { rows }
}
