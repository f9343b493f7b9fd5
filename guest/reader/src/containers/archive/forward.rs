//! Archives that are read forward, as from a tape: headers, each before the
//! bytes of its member.
//!
//! They are read once, and no further than the member that is looked for; of
//! several of one name the first is taken. A second pass is for names that the
//! whole archive must be known for: their encoding is guessed, or a longer name
//! that was asked for may come later. The latter is looked for only where headers
//! are read without what is between them: in a compressed archive, the first
//! member that matches is taken.

use super::checked::Checked;
use super::sparse::{Holes, Map};
use super::tape::Tape;
use super::{Catalogue, Looked, Member, Opened, asked, names};
use crate::containers::shared::Shared;
use crate::limits;
use crate::world::{FileError, Source};

/// What a header says.
pub struct Entry {
    /// The member behind it.
    pub member: Member,
    /// Bytes that it takes in the archive.
    pub stored: u64,
    /// Bytes between them and the next header.
    pub padding: u64,
    /// Where its bytes belong, if there are holes between them.
    pub map: Map,
}

impl Entry {
    /// A member that is stored as it is.
    pub fn plain(member: Member, padding: u64) -> Self {
        Self {
            stored: member.size,
            member,
            padding,
            map: Map::None,
        }
    }
}

/// The headers of a format.
pub trait Headers {
    /// Reads the next header; `None` at the end. What is to be said of the
    /// archive goes to `notes`.
    ///
    /// # Errors
    /// If it cannot be read, and so nothing behind it.
    fn next(
        &mut self,
        tape: &mut Tape,
        notes: &mut Vec<String>,
    ) -> Result<Option<Entry>, FileError>;

    /// Adds what is known only once all headers are.
    fn finish(&mut self, _: &mut [Member]) {}
}

/// Looks for the first member that has one of these names.
///
/// # Errors
/// If not even the first header can be read.
pub fn look<H: Headers>(
    headers: impl Fn() -> H,
    source: Box<dyn Source>,
    wanted: &[String],
) -> Result<Looked, FileError> {
    let source = Shared::new(source);
    let mut catalogue = Catalogue::default();
    let tape = Tape::new(source.clone());
    let skips = source.seekable();
    // Where headers are cheap, a longer name may still come.
    let by_name = |member: &Member, _| asked(member, wanted).filter(|name| *name == 0 || !skips);
    if let Some(found) = walk(&mut headers(), tape, &mut catalogue, by_name)? {
        return Ok(found);
    }
    names::decode(&mut catalogue);
    // The longest name wins, and of several members of one name the first.
    let members = catalogue.members.iter().enumerate();
    let called = members.filter_map(|(at, member)| Some((at, asked(member, wanted)?)));
    if let Some((at, name)) = called.min_by_key(|(_, name)| *name) {
        if !source.rewindable() {
            let member = catalogue.members.swap_remove(at);
            let why = "its name was guessed from all names, and standard input can be read \
                only once; save it to a file first";
            return Ok(Looked::Closed(member, why.to_owned()));
        }
        let by_place = |_: &Member, place| (place == at).then_some(name);
        let tape = Tape::new(source);
        let again = walk(&mut headers(), tape, &mut Catalogue::default(), by_place)?;
        return Ok(again.unwrap_or(Looked::Missing(catalogue)));
    }
    Ok(Looked::Missing(catalogue))
}

/// Goes from header to header up to the member that is wanted: one that has a
/// number, by itself and its place.
fn walk(
    headers: &mut impl Headers,
    mut tape: Tape,
    catalogue: &mut Catalogue,
    wanted: impl Fn(&Member, usize) -> Option<usize>,
) -> Result<Option<Looked>, FileError> {
    // Where the bytes of the last member end.
    let mut end = 0;
    loop {
        let next = headers.next(&mut tape, &mut catalogue.notes);
        if catalogue.notes.len() > limits::ARCHIVE_NOTES {
            catalogue.notes.truncate(limits::ARCHIVE_NOTES);
            catalogue.cut(&"there is more that is odd; nothing is read behind it");
            break;
        }
        let entry = match next {
            Ok(Some(entry)) => entry,
            Ok(None) => {
                if !tape.reaches(end)? {
                    catalogue.cut(&"the archive is cut off in its last member");
                }
                break;
            }
            Err(error) if catalogue.members.is_empty() => return Err(error),
            Err(error) => {
                catalogue.cut(&error);
                break;
            }
        };
        if let Some(name) = wanted(&entry.member, catalogue.members.len()) {
            return Ok(Some(open(entry, name, tape)));
        }
        if catalogue.members.len() as u64 >= limits::ARCHIVE_MEMBERS {
            catalogue.cut_at_limit();
            break;
        }
        end = tape.at.saturating_add(entry.stored);
        catalogue.members.push(entry.member);
        if let Err(error) = tape.skip(entry.stored.saturating_add(entry.padding)) {
            catalogue.cut(&error);
            break;
        }
    }
    headers.finish(&mut catalogue.members);
    Ok(None)
}

/// Opens the member behind a header.
fn open(entry: Entry, name: usize, mut tape: Tape) -> Looked {
    let Entry {
        member,
        stored,
        map,
        ..
    } = entry;
    let segments = match map.read(&mut tape, stored) {
        Ok(segments) => segments,
        Err(why) => return Looked::Closed(member, why),
    };
    let source: Box<dyn Source> = match segments {
        None => Box::new(tape.span(stored)),
        Some((segments, map)) => {
            tape.at = tape.at.saturating_add(map);
            let stored = tape.span(stored.saturating_sub(map));
            let holes = Holes::new(Box::new(stored), segments, member.size);
            Box::new(Checked::new(Box::new(holes), &member, None))
        }
    };
    Looked::Found(Opened {
        member,
        name,
        source,
        notes: Vec::new(),
    })
}
