//! What all nodes of a walk have in common.

use super::way::Way;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::read::{Content, Context};
use crate::request::Request;
use crate::world::Source;

/// A kind of content in which a path can go on.
pub trait Node: Sized {
    /// Whether the content is of this kind, and the path may go on in it.
    ///
    /// # Errors
    /// Fails if the rest of the path is malformed for content of this kind.
    fn detect(content: &mut Content, way: &Way, request: &Request)
    -> Result<Option<Self>, Failure>;

    /// Follows the rest of the path in the content.
    ///
    /// # Errors
    /// Fails if the path names something that does not exist, is denied or cannot be read.
    fn consume(
        self,
        content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure>;
}

/// Where the rest of a path leads.
pub enum Next {
    /// The path goes on in this content.
    Child(Box<dyn Source>),
    /// The path ends in the content.
    Body(Box<Answer>),
    /// The path does not mean this node, so the next one is asked. The bytes are unchanged.
    NotMine(Content),
}

/// A function that asks a node.
pub type Visit = fn(Content, &mut Way, &mut Context<'_>) -> Result<Next, Failure>;

/// Asks a node.
///
/// # Errors
/// Fails as the node does.
pub fn visit<N: Node>(
    mut content: Content,
    way: &mut Way,
    context: &mut Context<'_>,
) -> Result<Next, Failure> {
    match N::detect(&mut content, way, context.request)? {
        Some(node) => node.consume(content, way, context),
        None => Ok(Next::NotMine(content)),
    }
}
