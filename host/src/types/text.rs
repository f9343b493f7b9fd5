//! Details of a text.

use serde::Serialize;
use wasmtime::component::{ComponentType, Lift};

/// Details of a text.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct TextDetails {
    /// The name of the encoding in the WHATWG Encoding Standard, in lower case, or `utf-32le`,
    /// `utf-32be`.
    pub encoding: String,
    /// Whether the encoding is a guess: the text has no byte order mark and is not UTF-8.
    #[serde(rename = "encoding_guessed")]
    pub guessed: bool,
    /// Whether the text starts with a byte order mark.
    pub bom: bool,
    /// The line endings of the text.
    #[component(name = "line-ending")]
    pub line_ending: LineEnding,
    /// Whether the last line of the text has a line ending. `None` if the page does not reach the
    /// end of the text, or has no lines.
    #[component(name = "final-newline")]
    pub final_newline: Option<bool>,
    /// Whether the text block contains the text unchanged, without line numbers and escape
    /// sequences.
    pub raw: bool,
    /// The tag: four hex digits of a hash of the text, as in the header of the reply.
    pub tag: Option<String>,
    /// The numbers of escape sequences in the shown lines.
    pub escapes: Escapes,
    /// The shown text without line numbers. `None` if the text block has no line numbers. Used by
    /// `omp`.
    #[serde(skip)]
    pub display: Option<Display>,
}

/// The line endings of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift)]
#[component(enum)]
#[repr(u8)]
#[non_exhaustive]
pub enum LineEnding {
    /// The examined part of the text has no line ending.
    #[component(name = "none")]
    None,
    /// `\n`
    #[component(name = "lf")]
    Lf,
    /// `\r\n`
    #[component(name = "crlf")]
    Crlf,
    /// Both `\n` and `\r\n`.
    #[component(name = "mixed")]
    Mixed,
    /// Only `\r`, which does not end a line: the text is one line.
    #[component(name = "cr")]
    Cr,
}

/// Numbers of hidden and undecodable characters in the shown lines. They are shown as escape
/// sequences: `⟨U+202E⟩`, and `⟨xFF⟩` for an undecodable byte. Raw text contains the characters
/// themselves, and U+FFFD for an undecodable byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Escapes {
    /// The number of bytes that are invalid in the encoding.
    pub invalid: u64,
    /// The number of control characters other than tab and line endings.
    pub control: u64,
    /// The number of zero-width, tag and other invisible characters.
    pub hidden: u64,
    /// The number of bidirectional controls, which reorder the text around them.
    pub bidi: u64,
}

/// The shown text without line numbers, which a program can display to a person.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Display {
    /// The lines, joined by `\n`.
    pub text: String,
    /// The number of the first line, as in [`Span`](crate::details::Span).
    #[serde(rename = "start_line")]
    pub start: i64,
}
