//! Pictures of documents: their images, and images of their pages.

use super::lines::{mistake, number};
use super::units::UnitKind;
use crate::failure::Failure;
use std::fmt;

/// A picture of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Picture {
    /// The image with this number, counted from 1.
    Image(u64),
    /// An image of the page with this number, counted from 1.
    Page(u64),
}

/// The word before the number of an image in a selector.
pub const FIGURE: &str = "image";

/// The word for an image of something that is not one.
pub const IMAGE: &str = "img";

/// Parses the number of an image in a document.
pub fn parse_image(text: &str) -> Result<Option<Picture>, Failure> {
    match number(text) {
        None => Ok(None),
        Some(0) => {
            let message = "Image selector 0 is invalid; images are 1-indexed.";
            Err(mistake(text, message.to_owned()))
        }
        Some(number) => Ok(Some(Picture::Image(number))),
    }
}

impl fmt::Display for Picture {
    /// Writes the selector: `image:3` or `page:3:img`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(number) => write!(f, "{FIGURE}:{number}"),
            Self::Page(number) => write!(f, "{}:{number}:{IMAGE}", UnitKind::Page.word()),
        }
    }
}
