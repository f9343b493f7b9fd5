//! Unresolved merge conflicts in texts, as Git and Jujutsu write them.
//!
//! ```text
//! scanner  the bytes of a text, in chunks → blocks
//! frame    a block whose end is not certain yet: which markers it accepts
//! sides    a section → the text of a side or of the base
//! marker   one line → a marker
//! block    what is known of a block
//! ```
//!
//! Imports point downwards only.
//!
//! A marker is a run of seven or more signs at the start of a line, and the end of the line or a space
//! and a label. All markers of a block have the same length: Git writes as many signs as the attribute
//! `conflict-marker-size` says, and Jujutsu writes more signs than any line of the sides begins with.
//! A marker of another length is text.
//!
//! Git does not lengthen its markers, so that a line of a side may look like one. A block has the lines that
//! may be the same marker. Its end is certain at the next block, or at the end of the text.
//!
//! Invariants:
//!
//! * The scanner needs the same memory for a text of any size, with lines of any length.
//! * Blocks do not overlap, and come in the order of the text. The markers and sections of a block are
//!   all of its bytes.
//! * A block without an end does not hide the blocks after it.

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

mod block;
mod frame;
mod marker;
mod scanner;
mod sides;
#[cfg(test)]
mod tests;

pub use block::{Block, Candidates, Doubt, End, Kind, Label, Lines, Section, Style};
pub use scanner::Scanner;
pub use sides::{Part, Side};
