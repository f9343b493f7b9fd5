//! The titles of charts ([MS-XLS] 2.1.7.20.1).

use super::book::Biff;
use super::book::{END, begin};
use super::records::{Continued, Record, Records};
use encoding_rs::Encoding;

/// Reads the title of the chart that begins at a position, and returns the position after it.
pub fn title(stream: &[u8], at: usize, biff: Biff, encoding: &'static Encoding) -> (String, usize) {
    const TEXT: u16 = 0x1025;
    const CHARACTERS: u16 = 0x100d;
    const LINK: u16 = 0x1027;
    let mut title = String::new();
    let mut last = String::new();
    let mut depth = 0_usize;
    let mut end = stream.len();
    for record in Records::new(stream, at) {
        match record.kind {
            TEXT => last.clear(),
            CHARACTERS => last = characters(stream, &record, biff, encoding).unwrap_or_default(),
            // The title of the chart is the object 1.
            LINK if record.data.starts_with(&[1, 0]) && title.is_empty() => {
                title = last.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            END => depth = depth.saturating_sub(1),
            _ if begin(&record).is_some() => depth = depth.saturating_add(1),
            _ => {}
        }
        if depth == 0 {
            let size = record.data.len().saturating_add(4);
            end = record.at.saturating_add(size);
            break;
        }
    }
    (title, end)
}

fn characters(
    stream: &[u8],
    record: &Record,
    biff: Biff,
    encoding: &'static Encoding,
) -> Option<String> {
    let mut fields = Continued::new(stream, record, 2);
    let count = usize::from(fields.u8()?);
    if biff == Biff::V8 {
        let flags = fields.u8()?;
        return Some(fields.characters(count, flags));
    }
    Some(fields.bytes(count, encoding))
}
