//! Builds pages: decodes the requested lines of a source, up to the limits of a page.
//!
//! ```text
//! input   buffered access to the bytes of a source by offset
//! scan    line ends in code units of one, two or four bytes
//! decode  bytes to text and undecodable bytes, in chunks of any size
//! line    one line onto the page: cuts and escape sequences
//! cursor  a position in a text: byte offset and line number
//! marks   byte offsets of lines of a large text, which a session keeps
//! tokens  the tokens of a page, and of a line that is over the budget
//! tail    the start of the last lines of a text
//! runs    the runs of lines that a window requests
//! fill    the page: skipped, shown and cut lines, and the next path
//! left    the part of the request that is not on the page
//! ```
//!
//! Invariants: memory use depends on the size of a page and not of the source. Time depends on
//! the position of the first line and the size of the page. Lines of any length are skipped and
//! cut without being in memory as a whole.

mod cursor;
mod decode;
mod fill;
mod input;
mod left;
mod line;
mod marks;
mod runs;
mod scan;
mod tail;
mod tokens;

pub use decode::{Charset, Decoder, Piece};
pub use fill::{fill, fill_from, fill_text};
pub use input::Input;
pub use marks::Marks;
pub use scan::CodeUnit;
