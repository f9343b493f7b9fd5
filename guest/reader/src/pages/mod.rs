//! Fills pages: lines out of bytes, as many as a window asks for and a page
//! holds.
//!
//! ```text
//! Input   bytes by offset, over any source
//! scan    where lines end, by the width of the encoding's units
//! decode  bytes to text and undecodable bytes, in pieces of any size
//! line    text onto the page: cut, made visible, counted
//! fill    the window: what is skipped, shown, cut, and what comes next
//! left    what of the request is not on the page
//! ```
//!
//! Memory is that of a page; time is that of finding its first line and
//! filling it. Lines of any length are skipped and cut without being held.

mod cursor;
mod decode;
mod fill;
mod input;
mod left;
mod line;
mod scan;
mod tail;

pub use decode::{Coding, Decoder, Piece};
pub use fill::{fill, fill_from, fill_text};
pub use input::Input;
