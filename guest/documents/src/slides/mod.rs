//! Presentations: what pptx, ppt and OpenDocument share.
//!
//! ```text
//! area       the positions of shapes
//! columns    headings of columns
//! direction  slides whose text is written from the right
//! order      the reading order of shapes
//! name       names of slides without a title
//! numbering  bullets and numbers of paragraphs
//! text       fonts of code, links and descriptions of shapes
//! code       paragraphs of code
//! page       the parts of a slide
//! ```

pub mod area;
pub mod code;
mod columns;
mod direction;
pub mod name;
pub mod numbering;
pub mod order;
pub mod page;
pub mod text;
