//! Compressed files, such as gzip data. The path goes on in the decompressed bytes. Only one layer of
//! compression is removed.

use super::node::{Next, Node};
use super::way::{Way, allow};
use crate::containers::inflate::{Compression, Inflated};
use crate::containers::shared::Shared;
use crate::failure::Failure;
use crate::path::Suffix;
use crate::read::{Content, Context};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::Container;
use crate::sources::Peeked;
use crate::world::Source as _;

/// A compressed file.
pub struct Compressed(Compression);

impl Node for Compressed {
    fn detect(content: &mut Content, way: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        Ok(match content.container {
            Some(Container::Compressed(compression)) if way.subject.compression.is_none() => {
                Some(Self(compression))
            }
            _ => None,
        })
    }

    fn consume(
        self,
        content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let Self(compression) = self;
        let cannot = |error| failure(error, &context.request.path);
        let stored = Shared::new(content.source);
        let inflated = Inflated::new(Box::new(stored.clone()), vec![compression.codec()]);
        let peeked = match Peeked::new(Box::new(inflated), None) {
            Ok(peeked) => peeked,
            // No byte can be decompressed, so the compressed bytes are shown.
            Err(error) if stored.rewindable() && !way.asks_inside() => {
                way.notes.push(error.to_string());
                let source = Box::new(stored);
                return Ok(Next::NotMine(Content { source, ..content }));
            }
            Err(error) => return Err(cannot(error)),
        };
        way.subject.compression = Some(compression.name());
        // `key.pem.gz` contains `key.pem`, as an archive does.
        allow(way.subject.inner_name(), context)?;
        way.stored = Some(stored);
        let is_file = matches!(
            Container::of(peeked.head()),
            None | Some(Container::Compressed(_))
        );
        if is_file {
            skip_own_name(way);
            // `a.gz:/` requests the decompressed content in dialects that do not open bare paths. So
            // does `a.gz:`, unless the content has a converted form.
            let is_slash = |rest: &Suffix| rest.is_root() && !rest.as_str().is_empty();
            way.rest = way.rest.take().filter(|rest| !is_slash(rest));
        }
        Ok(Next::Child(Box::new(peeked)))
    }
}

/// Follows a path that names the decompressed file as if it were a member: `a.log.gz:a.log`.
fn skip_own_name(way: &mut Way) {
    let Some(rest) = &way.rest else {
        return;
    };
    let name = way.subject.inner_name();
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let mut names = rest.names().into_iter();
    if let Some((_, after)) = names.find(|(first, _)| first == name) {
        way.rest = after;
    }
}
