//! Accessors of replies and details.

use crate::bindings::exports::omniread::read::types::{
    Block, DatabaseDetails, Details, DocumentDetails, ImageDetails, Kind, Media, Reply, TextDetails,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::io;

impl Reply {
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

impl Kind {
    /// Returns the name of the kind as it is written in JSON, such as `text`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Directory(_) => "directory",
            Self::Archive(_) => "archive",
            Self::Database(_) => "database",
            Self::Document(_) => "document",
            Self::Image(_) => "image",
            Self::Attachment(_) => "attachment",
            Self::Binary(_) => "binary",
        }
    }
}

impl Details {
    /// Returns the details of the text, if the reply is text or a document.
    pub fn text(&self) -> Option<&TextDetails> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            Kind::Document(document) => Some(&document.text),
            _ => None,
        }
    }

    /// Returns the details of the database, if a database was read.
    pub fn database(&self) -> Option<&DatabaseDetails> {
        match &self.kind {
            Kind::Database(database) => Some(database),
            _ => None,
        }
    }

    /// Returns the details of the document, if a document was read.
    pub fn document(&self) -> Option<&DocumentDetails> {
        match &self.kind {
            Kind::Document(document) => Some(document),
            _ => None,
        }
    }

    /// Returns the details of the image, if an image was read.
    pub fn image(&self) -> Option<&ImageDetails> {
        match &self.kind {
            Kind::Image(image) => Some(image),
            _ => None,
        }
    }

    /// Returns the number of entries that deny rules removed from the listing of a directory or
    /// archive. The number is 0 for other replies.
    pub fn denied_entries(&self) -> u64 {
        match &self.kind {
            Kind::Directory(directory) => directory.denied_entries,
            Kind::Archive(archive) => archive.denied_entries,
            _ => 0,
        }
    }
}
