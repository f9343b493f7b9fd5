//! The bytes of a document, which are read as they are needed.

use omniread_document::Error;
use omniread_document_engine::bindings::omniread::parts::inputs::{self, Input};
use omniread_document_engine::bindings::wasi::filesystem::types::Descriptor;
use omniread_pdf::ranges::Source;

/// The maximum number of bytes that are requested from the host at a time.
const CHUNK: u64 = 1 << 20;

/// The bytes of a document.
pub enum Bytes {
    InMemory(Vec<u8>),
    Source(Box<dyn Source>),
}

/// The bytes of an input. Bytes of unknown size are read whole.
///
/// # Errors
/// Fails if the size of a file is unknown, or if the bytes cannot be read.
pub fn source(input: Input) -> Result<Bytes, Error> {
    Ok(match input {
        Input::File(file) => {
            let size = file
                .stat()
                .map_err(|error| Error::Io(error.name().to_owned()))?;
            Bytes::Source(Box::new(File {
                size: size.size,
                file,
            }))
        }
        Input::Source(source) => match source.size() {
            Some(size) => Bytes::Source(Box::new(Remote { source, size })),
            None => Bytes::InMemory(omniread_document_engine::bytes(Input::Source(source))?),
        },
        Input::Bytes(_) => Bytes::InMemory(omniread_document_engine::bytes(input)?),
    })
}

/// A file on disk.
struct File {
    file: Descriptor,
    size: u64,
}

impl Source for File {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        match self.file.read(length.min(CHUNK), offset) {
            Ok((bytes, _)) => Ok(bytes),
            Err(error) => Err(error.name().to_owned()),
        }
    }

    fn is_local(&self) -> bool {
        true
    }
}

/// Bytes that the host reads, such as the body of a web page.
struct Remote {
    source: inputs::Source,
    size: u64,
}

impl Source for Remote {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, offset: u64, length: u64) -> Result<Vec<u8>, String> {
        self.source.read(offset, length.min(CHUNK))
    }

    fn is_local(&self) -> bool {
        false
    }
}
