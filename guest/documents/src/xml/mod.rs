//! XML as events and as a tree, without copies of the text.
//!
//! Names are local names, so that the strict and the transitional namespaces of Office Open XML are
//! the same. Only attributes in the namespace of relationships have a prefix, which is always `r`:
//! `r:id` is not `id`. Entities other than the predefined and the numeric ones are ignored, so they
//! cannot expand.
//!
//! Damaged XML is read up to the damage. A [`Tree`] has any depth: code that recurses over it has to
//! limit the depth.

mod attributes;
mod decode;
mod events;
mod set;
pub mod tags;
mod tree;

pub use decode::{CUT, decode, decode_declared, into_text, is_xml};
pub use events::{Event, Events, Start};
pub use tree::{Children, Content, Element, Tree};
