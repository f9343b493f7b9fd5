//! The resources that handles of a sandbox refer to.

use crate::sandbox::{Listing, Source};
use crate::sparse::Sparse;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

/// An open file or directory.
#[derive(Debug)]
pub enum Descriptor {
    /// A regular file.
    File(Arc<File>),
    /// A directory.
    Directory(Arc<File>),
}

/// The entries of a directory, read on demand.
pub struct EntryStream {
    pub(crate) entries: Listing,
    /// The real path of the directory, if there are deny rules for its entries.
    pub(crate) directory: Option<PathBuf>,
    /// The error after the entries that were returned last.
    pub(crate) failed: Option<std::io::Error>,
}

/// Bytes that can be read at any offset.
#[derive(Clone, Debug)]
pub enum InputSource {
    /// Bytes that the host supplies.
    Host(Source),
    /// Bytes of which only parts are known.
    Sparse(Sparse),
}

/// The handle of an open database. The engine with the database belongs to the state of the read,
/// which has one engine at a time.
#[derive(Debug)]
pub struct Connection {
    /// The number of the engine instance in its read, counted from 1.
    pub(crate) engine: u64,
    /// Notes on how the database was opened.
    pub(crate) notes: Vec<String>,
}

/// The handle of a document that is open in the document engine.
#[derive(Debug)]
pub struct Document(pub(crate) OpenedDocument);

/// The handle of a document that is open in the PDF engine.
#[derive(Debug)]
pub struct PdfDocument(pub(crate) OpenedDocument);

/// An open document. The engine with the document and the facts about it belong to the state of the
/// read.
#[derive(Debug)]
pub struct OpenedDocument {
    /// The number of the engine instance in its read, counted from 1.
    pub(crate) engine: u64,
    /// Notes on the document as a whole.
    pub(crate) notes: Vec<String>,
}
