//! SQLite databases. A database that is not a file on disk is loaded into memory, unless it is on a
//! server and large.

use super::node::{Next, Node};
use super::way::{Way, allow};
use crate::failure::Failure;
use crate::limits;
use crate::read::{self, Content, Context};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::Container;
use crate::sources::{self, LOG, MemoryCompanions};
use crate::world::FileError;

/// A SQLite database.
pub struct Database;

impl Node for Database {
    fn detect(content: &mut Content, _: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        let is_database = content.container == Some(Container::Database);
        Ok(is_database.then_some(Self))
    }

    fn consume(
        self,
        content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let (database, file) = match way.subject.origin.on_disk() {
            Some(place) if way.subject.is_whole() && content.source.seekable() => {
                let typed = &way.subject.requested;
                let database = sources::Database::on_disk(place, typed, context.world)?;
                (database, Some(content.source))
            }
            _ => match content.source.shared() {
                Some(remote)
                    if way.subject.is_whole() && remote.size() > limits::SMALL_REMOTE_BYTES =>
                {
                    (sources::Database::on_server(remote), None)
                }
                _ => (in_memory(content, way, context)?, None),
            },
        };
        let subject = way.subject.clone();
        let answer = read::database(&database, file, subject, way.rest.as_ref(), context)?;
        Ok(Next::Body(Box::new(answer)))
    }
}

/// Loads a database into memory, with the log or journal next to it in its archive.
fn in_memory(
    mut content: Content,
    way: &mut Way,
    context: &Context<'_>,
) -> Result<sources::Database, Failure> {
    let suffix = sources::companion(&content.head);
    let main = sources::to_memory(&mut *content.source)
        .map_err(|error| failure(error, &context.request.path))?;
    let archive = way.archive.take();
    let archive = archive.filter(|_| way.subject.compression.is_none());
    let mut companions = MemoryCompanions::default();
    let mut notes = Vec::new();
    if let Some(archive) = archive {
        let found = match allow(&format!("{}{suffix}", archive.member), context) {
            Ok(()) => archive.beside(suffix),
            Err(denied) => Err(FileError::Other(denied.message.into())),
        };
        match found {
            Ok(found) if suffix == LOG => companions.wal = found,
            Ok(found) => companions.journal = found,
            Err(why) => notes.push(format!(
                "`{}{suffix}` in the archive is not used: {why}",
                archive.member
            )),
        }
    }
    Ok(sources::Database::in_memory(main, companions, notes))
}
