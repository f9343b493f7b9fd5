//! Cells in the form that spreadsheet programs write: the position first, and one value.
//!
//! Nearly all cells of real workbooks have one of a few forms, and these are compared byte by byte, which takes a
//! tenth of the time of reading their tags. A scan of a sheet needs of each cell only its column and whether it has
//! a value. All other cells are left to [`crate::xml::tags`].

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
    /// The end of its attributes, which start after the name.
    attributes: usize,
    /// Where the text of its value is.
    value: (usize, usize),
    /// Whether the value is a text in the cell itself.
    pub is_inline: bool,
}

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
        let tag = length(rest)?;
        if last == b'/' {
            return Some(Self {
                column,
                has_value: false,
                length: tag,
                attributes: tag.checked_sub(2)?,
                value: (tag, tag),
                is_inline: false,
            });
        }
        // Comparisons with constants need no call of `memcmp`.
        let (value, is_inline) = match rest.strip_prefix(b"<v>") {
            Some(value) => (value, false),
            None => (rest.strip_prefix(b"<is><t>")?, true),
        };
        let text = match value.iter().take(16).position(|byte| *byte == b'<') {
            Some(0) => return None,
            Some(near) => near,
            None => memchr(b'<', value)?,
        };
        let end = value.get(text..)?;
        let rest = if is_inline {
            end.strip_prefix(b"</t></is></c>")?
        } else {
            end.strip_prefix(b"</v></c>")?
        };
        let start = length(value)?;
        Some(Self {
            column,
            has_value: true,
            length: length(rest)?,
            attributes: tag.checked_sub(1)?,
            value: (start, start.checked_add(text)?),
            is_inline,
        })
    }

    /// The attributes after the position as they are in the file. `text` starts with the cell.
    pub fn others<'t>(&self, text: &'t str) -> &'t str {
        const POSITION: usize = " r=\"".len();
        let list = self.attributes(text).get(POSITION..).unwrap_or_default();
        let end = list.bytes().position(|byte| byte == b'"');
        let others = end.and_then(|end| list.get(end.checked_add(1)?..));
        others.unwrap_or_default()
    }

    /// The attributes of the cell as they are in the file. `text` starts with the cell.
    pub fn attributes<'t>(&self, text: &'t str) -> &'t str {
        text.get(2..self.attributes).unwrap_or_default()
    }

    /// The value of the cell as it is in the file. `text` starts with the cell.
    pub fn value<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.value.0..self.value.1).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xlsx::sheet::CellTag;
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
            ("<c r=\"B1\" t=\"n\" s=\"7\" ><v>1</v></c>", 2, true),
        ] {
            let more = format!("{cell}<c r=\"B1\"><v>2</v></c>");
            let found = read(&more).expect("a cell");
            let expected = (column, has_value, cell.len());
            assert_eq!((found.column, found.has_value, found.length), expected);
            // The attributes and the value are those of the tags.
            let mut tags = Tags::new(cell, 0);
            let tag = tags.next().expect("a tag");
            assert_eq!(found.attributes(&more), tag.attributes);
            let others = CellTag::of(found.others(&more), column - 1);
            assert_eq!(others, CellTag::read(&tag, 77));
            let inner = tags.find(|tag| matches!(tag.name, "v" | "t"));
            assert_eq!(found.is_inline, inner.is_some_and(|tag| tag.name == "t"));
            let start = inner.map_or(0, |tag| tag.end);
            assert!(
                cell.get(start..)
                    .expect("a place")
                    .starts_with(found.value(&more))
            );
            assert_eq!(found.value(&more).is_empty(), !has_value);
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
