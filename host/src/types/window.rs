//! The lines on a page.

use serde::Serialize;
use wasmtime::component::{ComponentType, Lift};

/// The lines on a page, and facts about the whole text.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Window {
    /// The lines that were shown. Empty if the text does not have the requested lines.
    pub shown: Vec<Span>,
    /// The number of lines of the whole text.
    #[serde(rename = "total_lines")]
    pub total: Total,
    /// The size of the content in bytes, as its source reports it. `None` if the source reports
    /// none, if the content is decompressed, or if it is not text.
    pub bytes: Option<u64>,
    /// The limit at which the page ended. `None` if it ends with the last requested line.
    pub limit: Option<Limit>,
    /// The lines of which only a part was shown.
    #[serde(rename = "cut_lines")]
    pub cuts: Vec<Cut>,
    /// The requested ranges that start after the end of the text.
    pub skipped: Vec<Span>,
}

/// A range of consecutive lines, counted from 1. Both ends belong to it. If the lines of the text
/// were not counted, the numbers are negative and count from the end: -1 is the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
pub struct Span {
    /// The first line.
    pub first: i64,
    /// The last line.
    pub last: i64,
}

/// The number of lines, entries or rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(variant)]
#[serde(rename_all = "snake_case")]
pub enum Total {
    /// The exact number.
    #[component(name = "exact")]
    Exact(u64),
    /// A lower bound: counting stopped at this number.
    #[component(name = "at-least")]
    AtLeast(u64),
}

/// A line that was cut.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Cut {
    /// The number of the line, as in [`Span`].
    pub line: i64,
    /// The number of characters of the line that were shown.
    pub shown: u64,
    /// The path, with a selector, to read the rest of the line.
    pub path: String,
}

/// The limit at which a page ended before the end of the requested lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(enum)]
#[repr(u8)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// The maximum number of lines of a page.
    #[component(name = "lines")]
    Lines,
    /// The maximum number of bytes of a page: the next line did not fit.
    #[component(name = "bytes")]
    Bytes,
    /// The maximum number of tokens of a page: the next line did not fit.
    #[component(name = "tokens")]
    Tokens,
}
