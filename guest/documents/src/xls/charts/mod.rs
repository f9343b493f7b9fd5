//! Charts ([MS-XLS] 2.1.7.20.1): their title, their kinds and their series.
//!
//! ```text
//! mod     the records of a chart → what it shows
//! areas   formulas → the cells that a series refers to
//! values  cells → the values of a series
//! ```
//!
//! A chart refers to cells, and has a copy of their values. The cells are read, because only they have
//! number formats. The copy is for cells of other workbooks.

mod areas;
mod values;

pub use values::{Book, series};

use super::book::{Biff, END, Globals, begin};
use super::records::{Continued, Record, Records};
use crate::chart::Points;
use crate::codepage::CodePage;
use crate::limits;
use crate::workbook::binary::{Fields, error};
use areas::Area;

/// The types of records of charts ([MS-XLS] 2.3).
mod kind {
    pub const SERIES: u16 = 0x1003;
    pub const CHARACTERS: u16 = 0x100d;
    pub const TEXT: u16 = 0x1025;
    pub const OBJECT_LINK: u16 = 0x1027;
    pub const BEGIN: u16 = 0x1033;
    pub const END: u16 = 0x1034;
    pub const TREND_LINE: u16 = 0x104b;
    pub const REFERENCE: u16 = 0x1051;
    pub const ERROR_BARS: u16 = 0x105b;
    pub const COPY: u16 = 0x1065;
    pub const BLANK: u16 = 0x201;
    pub const NUMBER: u16 = 0x203;
    pub const LABEL: u16 = 0x204;
    pub const BOOL: u16 = 0x205;
}

/// The parts of a series, as references number them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Name,
    Values,
    Categories,
    Sizes,
}

/// The source of the values of a part of a series.
#[derive(Debug, Default)]
struct Source {
    /// The cells. `None` if they cannot be read.
    areas: Option<Vec<Area>>,
    /// The copy of the values.
    copy: Points,
}

/// A series.
#[derive(Debug, Default)]
pub struct Series {
    /// The copy of the name.
    title: String,
    name: Source,
    values: Source,
    categories: Source,
    sizes: Source,
    /// Whether it is a line that a program calculates from another series.
    is_derived: bool,
}

impl Series {
    fn part(&mut self, part: Part) -> &mut Source {
        match part {
            Part::Name => &mut self.name,
            Part::Values => &mut self.values,
            Part::Categories => &mut self.categories,
            Part::Sizes => &mut self.sizes,
        }
    }
}

/// A chart.
#[derive(Debug, Default)]
pub struct Chart {
    /// The title. It may be empty.
    pub title: String,
    /// Whether there is a title, even if it has no text.
    pub has_title: bool,
    /// The kinds, such as `pie chart`.
    pub kinds: Vec<&'static str>,
    /// The series.
    pub series: Vec<Series>,
}

/// Reads the title of the chart that begins at a position, and returns the position after it.
pub fn title(stream: &[u8], at: usize, biff: Biff, page: CodePage) -> (String, usize) {
    let mut titles = Titles::default();
    let end = walk(stream, at, |record| {
        titles.record(stream, record, biff, page);
    });
    (titles.title.unwrap_or_default(), end)
}

/// Calls `each` for the records of the part that begins at a position, and returns the position after
/// it.
fn walk<'a>(stream: &'a [u8], at: usize, mut each: impl FnMut(&Record<'a>)) -> usize {
    let mut depth = 0_usize;
    for record in Records::new(stream, at) {
        match record.kind {
            END => depth = depth.saturating_sub(1),
            _ if begin(&record).is_some() => depth = depth.saturating_add(1),
            _ => each(&record),
        }
        if depth == 0 {
            let size = record.data.len().saturating_add(4);
            return record.at.saturating_add(size);
        }
    }
    stream.len()
}

/// Finds the title of a chart.
#[derive(Default)]
struct Titles {
    last: String,
    title: Option<String>,
}

impl Titles {
    fn record(&mut self, stream: &[u8], record: &Record, biff: Biff, page: CodePage) {
        match record.kind {
            kind::TEXT => self.last.clear(),
            kind::CHARACTERS => {
                let found = characters(stream, record, biff, page);
                self.last = found.unwrap_or_default();
            }
            // The title of the chart is the object 1.
            kind::OBJECT_LINK if record.data.starts_with(&[1, 0]) && self.title.is_none() => {
                self.title = Some(self.last.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            _ => {}
        }
    }
}

impl Chart {
    /// Reads the chart that begins at a position.
    pub fn read(stream: &[u8], at: usize, globals: &Globals) -> Self {
        let mut reader = Reader {
            stream,
            globals,
            titles: Titles::default(),
            chart: Self::default(),
            count: 0,
            depth: 0,
            open: None,
            last: None,
            copy: None,
        };
        walk(stream, at, |record| {
            let (biff, page) = (globals.biff, globals.code_page);
            reader.titles.record(stream, record, biff, page);
            reader.record(record);
        });
        let mut chart = reader.chart;
        chart.has_title = reader.titles.title.is_some();
        chart.title = reader.titles.title.unwrap_or_default();
        chart.series.retain(|series| !series.is_derived);
        chart
    }
}

struct Reader<'r> {
    stream: &'r [u8],
    globals: &'r Globals,
    titles: Titles,
    chart: Chart,
    /// The number of series that were found.
    count: usize,
    /// The number of open records.
    depth: usize,
    /// The depth of the open series.
    open: Option<usize>,
    /// The part of the last reference, whose text may follow.
    last: Option<Part>,
    /// The part of which copies of values follow.
    copy: Option<Part>,
}

impl Reader<'_> {
    fn record(&mut self, record: &Record) {
        match record.kind {
            kind::SERIES => {
                // One more than is shown tells that series are left out.
                self.count = self.count.saturating_add(1);
                self.open = (self.count <= limits::CHART_SERIES.saturating_add(1)).then(|| {
                    self.chart.series.push(Series::default());
                    self.depth.saturating_add(1)
                });
            }
            kind::BEGIN => self.depth = self.depth.saturating_add(1),
            kind::END => {
                self.depth = self.depth.saturating_sub(1);
                if self.open.is_some_and(|open| self.depth < open) {
                    self.open = None;
                }
            }
            kind::TREND_LINE | kind::ERROR_BARS if self.open.is_some() => {
                if let Some(series) = self.chart.series.last_mut() {
                    series.is_derived = true;
                }
            }
            kind::REFERENCE if self.open == Some(self.depth) => {
                self.last = self.reference(record);
            }
            kind::CHARACTERS if self.open == Some(self.depth) => {
                let (biff, page) = (self.globals.biff, self.globals.code_page);
                if self.last == Some(Part::Name)
                    && let Some(series) = self.chart.series.last_mut()
                {
                    let name = characters(self.stream, record, biff, page);
                    series.title = name.unwrap_or_default();
                }
            }
            kind::COPY => {
                self.copy = Fields(record.data).u16().and_then(part);
            }
            kind::NUMBER | kind::LABEL | kind::BOOL | kind::BLANK => {
                self.value(record);
            }
            other => {
                if let Some(name) = name(other, record.data)
                    && !self.chart.kinds.contains(&name)
                {
                    self.chart.kinds.push(name);
                }
            }
        }
    }

    /// Reads a reference of a series ([MS-XLS] 2.4.29).
    fn reference(&mut self, record: &Record) -> Option<Part> {
        let mut fields = Fields(record.data);
        let part = part(fields.u8()?.into())?;
        let is_formula = fields.u8()? == 2;
        fields.skip(4)?;
        let size = usize::from(fields.u16()?);
        if is_formula {
            let tokens = fields.take(size)?;
            let series = self.chart.series.last_mut()?;
            series.part(part).areas = areas::read(self.globals, tokens);
        }
        Some(part)
    }

    /// Reads a copy of a value ([MS-XLS] 2.4.267). The row is the point, the column is the series.
    fn value(&mut self, record: &Record) -> Option<()> {
        let part = self.copy?;
        let mut fields = Fields(record.data);
        let (point, series) = (usize::from(fields.u16()?), usize::from(fields.u16()?));
        fields.skip(2)?;
        let series = self.chart.series.get_mut(series)?;
        let points = &mut series.part(part).copy;
        if points.len() > limits::CHART_POINTS {
            return None;
        }
        let text = match record.kind {
            kind::NUMBER => crate::chart::number(&fields.f64()?.to_string(), ""),
            kind::LABEL => {
                let mut fields = Continued::new(self.stream, record, 6);
                let count = usize::from(fields.u16()?).min(limits::METADATA_BYTES);
                if self.globals.biff == Biff::V8 {
                    fields.rich(count)?
                } else {
                    fields.bytes(count, self.globals.code_page)
                }
            }
            kind::BOOL => match (fields.u8()?, fields.u8()?) {
                (code, 1) => error(code).to_owned(),
                (0, _) => "FALSE".to_owned(),
                _ => "TRUE".to_owned(),
            },
            _ => return None,
        };
        points.insert(point, text);
        Some(())
    }
}

fn part(number: u16) -> Option<Part> {
    Some(match number {
        0 => Part::Name,
        1 => Part::Values,
        2 => Part::Categories,
        3 => Part::Sizes,
        _ => return None,
    })
}

/// Returns the kind of a chart of the record that defines it.
fn name(record: u16, data: &[u8]) -> Option<&'static str> {
    Some(match record {
        0x1017 => "bar chart",
        0x1018 => "line chart",
        // The size of the hole.
        0x1019 if data.get(2..4).is_some_and(|hole| hole != [0, 0]) => "doughnut chart",
        0x1019 => "pie chart",
        0x101a => "area chart",
        0x101b if data.get(4).is_some_and(|flags| flags & 1 != 0) => "bubble chart",
        0x101b => "scatter chart",
        0x103e | 0x1040 => "radar chart",
        0x103f => "surface chart",
        _ => return None,
    })
}

fn characters(stream: &[u8], record: &Record, biff: Biff, page: CodePage) -> Option<String> {
    let mut fields = Continued::new(stream, record, 2);
    let count = usize::from(fields.u8()?);
    if biff == Biff::V8 {
        let flags = fields.u8()?;
        return Some(fields.characters(count, flags));
    }
    Some(fields.bytes(count, page))
}
