//! Archives and compressed files that other programs can open, but not the reader.

use super::node::{Next, Node};
use super::way::Way;
use crate::failure::{Failure, Reason};
use crate::read::{Content, Context};
use crate::request::Request;
use crate::sniff::{self, Container};

/// An archive that is not supported: a binary file with a note, unless the path names a member.
pub struct Unreadable(&'static sniff::Unreadable);

impl Node for Unreadable {
    fn detect(content: &mut Content, _: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        Ok(match content.container {
            Some(Container::Unreadable(format)) => Some(Self(format)),
            _ => None,
        })
    }

    fn consume(
        self,
        content: Content,
        way: &mut Way,
        _: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let (name, tool) = (self.0.name, self.0.tool);
        if !way.asks_inside() {
            way.notes.push(format!(
                "{name}: this format is not supported; unpack it with `{tool}`"
            ));
            return Ok(Next::NotMine(content));
        }
        let failure = Failure::new(
            Reason::Unsupported(name.to_owned()),
            format!("`{}` is not opened: {name}", way.subject.shown()),
        );
        Err(failure.hint(format!(
            "unpack it with `{tool}`, or read a zip or tar archive of the same files"
        )))
    }
}
