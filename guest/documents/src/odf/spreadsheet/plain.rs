//! Rows of plain cells, of which only the places of values are needed.
//!
//! Reading the tags of a row takes a fraction of the time of reading its events. All other rows are left
//! to [`super::cell`]: those with links, comments, drawings, merged cells, and references to characters.

use super::cell::is_cell;
use crate::workbook::LAST_COLUMN;
use crate::xml::tags::{Tag, Tags, attributes};

/// A row of plain cells.
#[derive(Debug, PartialEq, Eq)]
pub struct PlainRow {
    /// The first and the last column with a value. `None` if the row is empty.
    pub used: Option<(u32, u32)>,
    /// The number of bytes up to the end of the row.
    pub length: usize,
}

/// A cell so far.
struct Cell {
    repeated: u32,
    has_value: bool,
}

impl PlainRow {
    /// Reads the content of a row, and its end tag. `None` if a cell is not plain.
    pub fn read(text: &str) -> Option<Self> {
        let mut used = None;
        let mut column = 1_u32;
        let mut cell: Option<Cell> = None;
        let mut depth = 0_usize;
        let mut end = 0;
        for tag in Tags::new(text, 0) {
            if depth > 0
                && let Some(cell) = &mut cell
            {
                cell.has_value |= is_filled(text.get(end..tag.start)?)?;
            }
            end = tag.end;
            match (tag.name, tag.is_end) {
                ("table-row", true) => {
                    return Some(Self { used, length: end });
                }
                (name, false) if is_cell(name) && cell.is_none() => {
                    cell = Some(Cell::read(&tag)?);
                    depth = 0;
                }
                (name, true) if is_cell(name) => {}
                ("p" | "span" | "s" | "tab" | "line-break", false) if cell.is_some() => {
                    depth = depth.saturating_add(usize::from(!tag.is_empty));
                }
                ("p" | "span" | "s" | "tab" | "line-break", true) => {
                    depth = depth.saturating_sub(1);
                }
                _ => return None,
            }
            if is_cell(tag.name)
                && (tag.is_end || tag.is_empty)
                && let Some(cell) = cell.take()
            {
                let last = column.saturating_add(cell.repeated).saturating_sub(1);
                let last = last.min(LAST_COLUMN);
                if cell.has_value && tag.name == "table-cell" && column <= LAST_COLUMN {
                    used = Some((used.map_or(column, |(first, _)| first), last));
                }
                column = column.saturating_add(cell.repeated);
            }
        }
        None
    }
}

impl Cell {
    /// Reads the attributes of a cell. `None` if it is not plain.
    fn read(tag: &Tag) -> Option<Self> {
        let mut is_plain = true;
        let (mut repeated, mut kind, mut is_typed, mut is_filled) = (1, "", false, false);
        attributes(tag.attributes, |name, value| {
            let local = name.rsplit(':').next().unwrap_or_default();
            match local {
                "number-columns-repeated" => {
                    repeated = value.parse().unwrap_or(1).clamp(1, LAST_COLUMN);
                }
                "number-columns-spanned" | "number-rows-spanned" => is_plain &= value == "1",
                "value-type" if kind.is_empty() => kind = value,
                "value" | "date-value" | "time-value" | "boolean-value" => is_typed = true,
                "string-value" => is_filled |= !value.is_empty(),
                "formula" => is_plain &= !value.to_ascii_uppercase().contains("HYPERLINK"),
                _ => {}
            }
        });
        is_plain.then_some(Self {
            repeated,
            has_value: is_typed && kind != "string" || is_filled,
        })
    }
}

/// Returns whether a text is more than white space. `None` if only reading it as events tells that.
fn is_filled(text: &str) -> Option<bool> {
    let text = text.trim();
    let is_plain = !text.contains('<') && !text.contains("&#");
    is_plain.then_some(!text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::PlainRow;

    #[test]
    fn rows_of_plain_cells_have_places() {
        for (text, used) in [
            (
                "<c:table-cell/><c:table-cell v:value-type='float' v:value='1'><p>1</p></c:table-cell>",
                Some((2, 2)),
            ),
            (
                "<table-cell/><table-cell><p>a</p></table-cell><table-cell number-columns-repeated='9'/>",
                Some((2, 2)),
            ),
            (
                "<table-cell number-columns-repeated='3'><p><span>a</span></p></table-cell>",
                Some((1, 3)),
            ),
            ("<table-cell> <p> <s/> </p> </table-cell>", None),
            ("<covered-table-cell><p>a</p></covered-table-cell>", None),
            ("<table-cell value-type='string' value='1'/>", None),
            (
                "<table-cell value-type='string' string-value='1'/>",
                Some((1, 1)),
            ),
            ("", None),
        ] {
            let row = format!("{text}</t:table-row>");
            let plain = PlainRow::read(&format!("{row}<more/>")).unwrap();
            assert_eq!((plain.used, plain.length), (used, row.len()), "{text}");
        }
    }

    #[test]
    fn other_rows_are_not_plain() {
        for text in [
            "<table-cell><p><a href='u'>a</a></p></table-cell></table-row>",
            "<table-cell><annotation><p>a</p></annotation></table-cell></table-row>",
            "<table-cell number-columns-spanned='2'/></table-row>",
            "<table-cell formula='of:=HyperLink(1)'/></table-row>",
            "<table-cell><p>&#32;</p></table-cell></table-row>",
            "<table-cell><p><![CDATA[ ]]></p></table-cell></table-row>",
            "<table-cell><p>a</p></table-cell>",
            "<table-cell><p>a",
        ] {
            assert_eq!(PlainRow::read(text), None, "{text}");
        }
    }
}
