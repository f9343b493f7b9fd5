//! Replies: blocks for the model, and details for programs.

use super::details::Details;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::io;
use wasmtime::component::{ComponentType, Lift};

/// A successful read.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift)]
#[component(record)]
#[non_exhaustive]
pub struct Reply {
    /// The content of the reply for the model.
    pub blocks: Vec<Block>,
    /// Facts about the reply, as data.
    pub details: Details,
    /// Facts about the reply as one JSON object, with the field names of the dialect. The text for
    /// the model, and the bytes of images and attachments, are only in `blocks`.
    pub structured: String,
}

/// A part of a reply. The parts are in the order in which a model should see them.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift)]
#[component(variant)]
#[non_exhaustive]
pub enum Block {
    /// Text.
    #[component(name = "text")]
    Text(String),
    /// A notice about the text block before it, such as which lines were left out. Only notices
    /// about exact text (`:raw`) are blocks of their own.
    #[component(name = "notice")]
    Notice(String),
    /// An image.
    #[component(name = "image")]
    Image(Media),
    /// A file that is passed to the model unchanged, such as a PDF.
    #[component(name = "attachment")]
    Attachment(Media),
}

/// The bytes of an image or attachment, ready for a model API.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Serialize)]
#[component(record)]
#[non_exhaustive]
pub struct Media {
    /// The MIME type, detected from the bytes, such as `image/png`.
    pub mime: String,
    /// The bytes in standard base64 with padding.
    pub data: String,
}

/// The tokens that a reply costs a language model, as estimates. Attachments are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Tokens {
    /// The tokens of all text blocks and notices.
    pub text: u64,
    /// The tokens of all images.
    pub images: u64,
}

impl Reply {
    /// Estimates the tokens of the reply. The estimates of 95 % of files are within 6 % of the mean of two
    /// tokenizers: see `guest/tokens`.
    ///
    /// The reply does not contain the estimate, because few callers need it: 50 KB of text take 100 to 250
    /// microseconds, and a read of them takes 75 to 150. The JSON of a reply contains it.
    pub fn tokens(&self) -> Tokens {
        let texts = self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
            Block::Image(_) | Block::Attachment(_) => None,
        });
        Tokens {
            text: texts.map(omniread_tokens::estimate).sum(),
            images: self.details.image_tokens,
        }
    }

    /// Returns the text of all text blocks and notices, joined by newlines.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
                Block::Image(_) | Block::Attachment(_) => None,
            })
            .collect();
        texts.join("\n")
    }

    /// Returns the images of the reply, in the order in which a model should see them.
    pub fn images(&self) -> impl Iterator<Item = &Media> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Image(image) => Some(image),
            Block::Text(_) | Block::Notice(_) | Block::Attachment(_) => None,
        })
    }
}

impl Media {
    /// Creates an image or attachment from its bytes.
    pub fn new(mime: impl Into<String>, bytes: &[u8]) -> Self {
        Self {
            mime: mime.into(),
            data: STANDARD.encode(bytes),
        }
    }

    /// Returns the bytes of the image or attachment.
    ///
    /// A reply contains them as Base64, in [`data`](Self::data), because model APIs take Base64.
    /// Each call decodes all of it. Call this once, and keep the bytes.
    ///
    /// # Errors
    /// Fails with [`io::ErrorKind::InvalidData`] if `data` is not Base64. The reader returns no such
    /// data.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        STANDARD
            .decode(&self.data)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
    }
}
