//! The titles of charts ([MS-XLS] 2.1.7.20.1).

use super::book::Biff;
use super::book::{END, begin};
use super::records::{Continued, Record, Records};
use crate::model::{Block, Inline, Style};
use encoding_rs::Encoding;

/// A chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The title. It may be empty.
    pub title: String,
    /// The kind, such as `pie chart`.
    kind: &'static str,
}

impl Chart {
    /// Returns the title and the kind. Values are those of the cells of the workbook.
    pub fn block(&self) -> Block {
        let mut content = Vec::new();
        if !self.title.is_empty() {
            content.push(Inline::Text {
                text: self.title.clone(),
                style: Style::BOLD,
            });
            content.push(Inline::plain(" "));
        }
        let kind = if self.kind.is_empty() {
            "chart"
        } else {
            self.kind
        };
        content.push(Inline::plain(format!("({kind})")));
        Block::Paragraph(content)
    }
}

/// Reads the chart that begins at a position, and returns the position after it.
pub fn read(stream: &[u8], at: usize, biff: Biff, encoding: &'static Encoding) -> (Chart, usize) {
    const TEXT: u16 = 0x1025;
    const CHARACTERS: u16 = 0x100d;
    const LINK: u16 = 0x1027;
    let mut chart = Chart::default();
    let mut last = String::new();
    let mut depth = 0_usize;
    let mut end = stream.len();
    for record in Records::new(stream, at) {
        match record.kind {
            TEXT => last.clear(),
            CHARACTERS => last = characters(stream, &record, biff, encoding).unwrap_or_default(),
            // The title of the chart is the object 1.
            LINK if record.data.starts_with(&[1, 0]) && chart.title.is_empty() => {
                chart.title = last.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            END => depth = depth.saturating_sub(1),
            _ if begin(&record).is_some() => depth = depth.saturating_add(1),
            other if chart.kind.is_empty() => chart.kind = kind(other),
            _ => {}
        }
        if depth == 0 {
            let size = record.data.len().saturating_add(4);
            end = record.at.saturating_add(size);
            break;
        }
    }
    (chart, end)
}

/// Returns the kind of a chart of the record that defines it.
fn kind(record: u16) -> &'static str {
    match record {
        0x1017 => "bar chart",
        0x1018 => "line chart",
        0x1019 => "pie chart",
        0x101a => "area chart",
        0x101b => "scatter chart",
        0x103e | 0x1040 => "radar chart",
        0x103f => "surface chart",
        _ => "",
    }
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
