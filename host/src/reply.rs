//! What callers ask a reply for.

use crate::bindings::exports::omniread::read::types::{
    Block, DatabaseDetails, Details, DocumentDetails, ImageDetails, Kind, Reply, TextDetails,
};

impl Reply {
    /// The text of all blocks, notices included.
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
}

impl Kind {
    /// The name of the kind, as in JSON: `text`.
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
    /// What is particular to a text, also to the text of a document.
    pub fn text(&self) -> Option<&TextDetails> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            Kind::Document(document) => Some(&document.text),
            _ => None,
        }
    }

    /// What is particular to a database.
    pub fn database(&self) -> Option<&DatabaseDetails> {
        match &self.kind {
            Kind::Database(database) => Some(database),
            _ => None,
        }
    }

    /// What is particular to a document.
    pub fn document(&self) -> Option<&DocumentDetails> {
        match &self.kind {
            Kind::Document(document) => Some(document),
            _ => None,
        }
    }

    /// What is particular to an image.
    pub fn image(&self) -> Option<&ImageDetails> {
        match &self.kind {
            Kind::Image(image) => Some(image),
            _ => None,
        }
    }

    /// Entries that deny rules kept out of a listing.
    pub fn withheld(&self) -> u64 {
        match &self.kind {
            Kind::Directory(directory) => directory.withheld,
            Kind::Archive(archive) => archive.withheld,
            _ => 0,
        }
    }
}
