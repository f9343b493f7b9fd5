//! Logs: which texts are logs, and which of their lines report errors.
//!
//! ```text
//! scan     the lines of a log → messages that report errors, each with its first and last line
//! detect   a name and samples → whether a text is a log
//! name     what the name of a file says
//! suspects places in a text whose lines may report errors
//! line     one line → its form and its level
//! json     one line of JSON → its level
//! words    words that report an error in a message without a level
//! stamp    time stamps at the start of a line
//! mask     a message without its numbers, by which messages are compared
//! level    levels and their names
//! ascii    bytes of a line: letters, digits, control sequences
//! limits   every limit, with its reason
//! ```
//!
//! Imports point downwards only.
//!
//! Invariants:
//!
//! * The time is linear in the size of the text. The memory is bounded by the number of messages that are kept.
//! * A line is bytes in any encoding that contains ASCII. Nothing is decoded.
//! * A line without a level reports an error only by words that state one: `0 errors` and `error_log` do not.
//! * Nothing panics on data: no indexing, no unchecked arithmetic, no `unwrap`.

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

mod ascii;
mod detect;
mod json;
mod level;
pub mod limits;
mod line;
mod mask;
mod name;
mod scan;
mod stamp;
mod suspects;
mod words;

pub use detect::{Shape, detect};
pub use level::Level;
pub use line::{Form, Parsed, parse};
pub use name::{Named, named};
pub use scan::{Message, Report, Scanner};

#[cfg(test)]
mod tests;
