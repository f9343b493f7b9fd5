//! Cells in the form that spreadsheet programs write: the position first, and one value.
//!
//! A scan of a sheet needs of each cell only its column and whether it has a value. Nearly all cells
//! of real workbooks have one of a few forms, and these are compared byte by byte, which takes a
//! tenth of the time of reading their tags. All other cells are left to [`crate::xml::tags`].

use memchr::memchr;

/// A cell in a plain form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainCell {
    /// The column, from 1.
    pub column: u32,
    /// Whether it has a value.
    pub has_value: bool,
    /// The number of bytes up to the end of its end tag.
    pub length: usize,
}

/// The forms of a value: what is before the text, and what is after it up to the end of the cell.
const VALUES: [(&[u8], &[u8]); 2] = [(b"<v>", b"</v></c>"), (b"<is><t>", b"</t></is></c>")];

impl PlainCell {
    /// Reads a cell at the start of `bytes`. `None` if the bytes have another form.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let position = bytes.strip_prefix(b"<c r=\"")?;
        let mut column = 0_u32;
        let mut rest = position.iter();
        for byte in rest.by_ref() {
            match byte {
                b'A'..=b'Z' => {
                    let digit = u32::from(byte.wrapping_sub(b'A'));
                    column = column.checked_mul(26)?.checked_add(digit)?.checked_add(1)?;
                }
                b'0'..=b'9' if column > 0 => break,
                _ => return None,
            }
        }
        let mut is_quoted = true;
        let mut last = b'0';
        for byte in rest.by_ref() {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b'>' if !is_quoted => break,
                b'\'' | b'<' => return None,
                _ => {}
            }
            last = *byte;
        }
        let rest = rest.as_slice();
        let length = |rest: &[u8]| bytes.len().checked_sub(rest.len());
        if last == b'/' {
            return Some(Self {
                column,
                has_value: false,
                length: length(rest)?,
            });
        }
        let (value, end) = VALUES
            .iter()
            .find_map(|(start, end)| Some((rest.strip_prefix(*start)?, *end)))?;
        let text = match value.iter().take(16).position(|byte| *byte == b'<') {
            Some(0) => return None,
            Some(near) => near,
            None => memchr(b'<', value)?,
        };
        let rest = value.get(text..)?.strip_prefix(end)?;
        Some(Self {
            column,
            has_value: true,
            length: length(rest)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::tags::Tags;

    fn read(cell: &str) -> Option<PlainCell> {
        PlainCell::read(cell.as_bytes())
    }

    #[test]
    fn plain_forms() {
        for (cell, column, has_value) in [
            ("<c r=\"A1\"><v>1</v></c>", 1, true),
            (
                "<c r=\"AB12\" s=\"3\" t=\"s\"><v>1234567890123456789</v></c>",
                28,
                true,
            ),
            (
                "<c r=\"C7\" t=\"inlineStr\"><is><t>a &gt; b</t></is></c>",
                3,
                true,
            ),
            ("<c r=\"XFD1048576\" s=\"1\"/>", 16_384, false),
            ("<c r=\"A1\" s=\"a>b\"><v>1</v></c>", 1, true),
        ] {
            let more = format!("{cell}<c r=\"B1\"><v>2</v></c>");
            let expected = PlainCell {
                column,
                has_value,
                length: cell.len(),
            };
            assert_eq!(read(&more), Some(expected), "{cell}");
            // Reading the tags gives the same end.
            let last = Tags::new(cell, 0).last().expect("a tag");
            assert_eq!(last.end, cell.len());
        }
    }

    #[test]
    fn other_forms() {
        for cell in [
            "<c><v>1</v></c>",
            "<c s=\"1\" r=\"A1\"><v>1</v></c>",
            "<c r='A1'><v>1</v></c>",
            "<c r=\"A1\" t='s'><v>1</v></c>",
            "<c r=\"a1\"><v>1</v></c>",
            "<c r=\"1\"><v>1</v></c>",
            "<c r=\"AAAAAAAA1\"><v>1</v></c>",
            "<c r=\"A\"><v>1</v></c>",
            "<c r=\"A1\"><v></v></c>",
            "<c r=\"A1\"><v>1<!-- --></v></c>",
            "<c r=\"A1\"><f>B1</f><v>1</v></c>",
            "<c r=\"A1\"><is><r><t>a</t></r></is></c>",
            "<c r=\"A1\"><v>1</v></x>",
            "<col r=\"A1\"><v>1</v></c>",
        ] {
            assert_eq!(read(cell), None, "{cell}");
        }
        let cell = "<c r=\"A1\" s=\"1\"><v>12</v></c>";
        for end in 0..cell.len() {
            assert_eq!(PlainCell::read(&cell.as_bytes()[..end]), None, "{end}");
        }
    }
}
