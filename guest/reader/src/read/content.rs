//! What a read of bytes is given, from the walk that found them to the reader that shows them.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::path::Suffix;
use crate::request::Request;
use crate::sniff::Container;
use crate::sources::OpenDocument;
use crate::subject::Subject;
use crate::world::{Source, World};

/// The request of a read, and the machine that it may reach.
pub struct Context<'w> {
    pub request: &'w Request,
    pub world: &'w mut dyn World,
    /// Reads another content, for a web page whose text is in a document to which it links. The walk
    /// imports the readers, so they cannot import it.
    pub walk: Walk,
}

/// A function that reads the content that a path names in a source. The third argument is the text of
/// the path after the name of the source.
pub type Walk =
    fn(Box<dyn Source>, Subject, Option<Suffix>, &mut Context<'_>) -> Result<Answer, Failure>;

/// The bytes of a file or of a member, and what is known of them.
pub struct Content {
    pub source: Box<dyn Source>,
    /// The first bytes, at most [`Content::HEAD`] of them.
    pub head: Vec<u8>,
    /// The format of an archive, document or other container that the bytes are. `None` for other
    /// bytes, and if the container is not to be opened.
    pub container: Option<Container>,
    /// The document that the bytes are, if the engine has opened it already.
    pub opened: Option<OpenDocument>,
}

impl Content {
    /// The number of the first bytes that are kept.
    pub const HEAD: usize = 256;

    /// Bytes of which nothing is known but their container.
    pub fn of(source: Box<dyn Source>, container: Option<Container>) -> Self {
        Self {
            source,
            head: Vec::new(),
            container,
            opened: None,
        }
    }
}
