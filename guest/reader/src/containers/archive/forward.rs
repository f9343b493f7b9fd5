//! Archives that are read forward, as from a tape: each member follows its header.
//!
//! If several members have one name, the last is used, as programs do that extract all of them: a
//! program that updates an archive appends the new version. The headers after the requested member are
//! read for that. In a compressed archive, which has no headers to jump to, a limit applies, and
//! standard input is read only up to the requested member.
//!
//! A second pass is needed in two cases: the encoding of the names is guessed from all
//! names, or a longer requested name may come later. The second case applies only to
//! seekable sources, where only the headers are read. In a compressed archive, the first name that
//! matches is used.

use super::checked::Checked;
use super::index::{Index, Member};
use super::lookup::{Lookup, Opened, matching_name};
use super::names;
use super::sparse::{Holes, Map};
use super::tape::Tape;
use crate::containers::shared::Shared;
use crate::limits;
use crate::world::{FileError, Source};

/// A member that was found by its header, and its layout in the archive.
pub struct Entry {
    /// The member that the header describes.
    pub member: Member,
    /// Size in bytes of the member as it is stored, without the holes of a sparse file.
    pub stored: u64,
    /// The number of bytes between the end of the member and the next header.
    pub padding: u64,
    /// Positions of the stored bytes in the file, if it is a sparse file.
    pub map: Map,
}

impl Entry {
    /// An entry whose member is stored without holes.
    pub fn plain(member: Member, padding: u64) -> Self {
        Self {
            stored: member.size,
            member,
            padding,
            map: Map::None,
        }
    }
}

/// A parser for the headers of one archive format.
pub trait Headers {
    /// Whether the last of several members with one name is used.
    const LAST_WINS: bool = true;

    /// Reads the next header. Returns `None` at the end of the archive. Notes about the archive are
    /// added to `notes`.
    ///
    /// # Errors
    /// Fails if the header cannot be read. The headers after it cannot be read either.
    fn next(
        &mut self,
        tape: &mut Tape,
        notes: &mut Vec<String>,
    ) -> Result<Option<Entry>, FileError>;

    /// Adds facts to the members that are known only after all headers were read.
    fn finish(&mut self, _: &mut [Member]) {}
}

/// Finds a file by one of several possible names, and opens it. `wanted` contains the names,
/// longest first. In a seekable source, the longest name that a file has is used. In other sources,
/// the first file with any of the names is used.
///
/// # Errors
/// Fails if the first header cannot be read.
pub fn find_first<H: Headers>(
    headers: impl Fn() -> H,
    source: Box<dyn Source>,
    wanted: &[String],
) -> Result<Lookup, FileError> {
    let source = Shared::new(source);
    let mut index = Index {
        last_duplicate_wins: H::LAST_WINS,
        ..Index::default()
    };
    let tape = Tape::new(source.clone());
    let skips = source.seekable();
    // Headers are cheap to read in a seekable source, so a longer name is searched for to
    // the end.
    let by_name =
        |member: &Member, _| matching_name(member, wanted).filter(|name| *name == 0 || !skips);
    let searched = match (H::LAST_WINS && source.rewindable(), skips) {
        (false, _) => 0,
        (true, false) => limits::DUPLICATE_BYTES,
        (true, true) => u64::MAX,
    };
    if let Some(found) = walk(&mut headers(), tape, &mut index, (by_name, searched))? {
        return Ok(found);
    }
    names::decode(&mut index);
    // The longest name wins.
    let members = index.members.iter().enumerate();
    let called = members.filter_map(|(at, member)| Some((at, matching_name(member, wanted)?)));
    let found = if H::LAST_WINS {
        called.rev().min_by_key(|(_, name)| *name)
    } else {
        called.min_by_key(|(_, name)| *name)
    };
    if let Some((at, name)) = found {
        if !source.rewindable() {
            let member = index.members.swap_remove(at);
            let why = "its name was guessed from all names, and standard input can be read \
                only once; save it to a file first";
            return Ok(Lookup::Unreadable(member, why.to_owned()));
        }
        let by_place = |_: &Member, place| (place == at).then_some(name);
        let tape = Tape::new(source);
        let again = walk(&mut headers(), tape, &mut Index::default(), (by_place, 0))?;
        return Ok(again.unwrap_or(Lookup::NotFound(index)));
    }
    Ok(Lookup::NotFound(index))
}

/// Reads headers up to the first member for which `wanted` returns a value, and opens that member, or
/// the last one with the same value in the first `searched` bytes. The other members are added to
/// `index`. `wanted` receives a member and its index among the members, and returns the index of its name
/// among the requested names.
fn walk(
    headers: &mut impl Headers,
    mut tape: Tape,
    index: &mut Index,
    (wanted, searched): (impl Fn(&Member, usize) -> Option<usize>, u64),
) -> Result<Option<Lookup>, FileError> {
    // End of the bytes of the last member.
    let mut end = 0;
    let mut found: Option<(Entry, usize, Tape)> = None;
    loop {
        let next = headers.next(&mut tape, &mut index.notes);
        if index.notes.len() > limits::ARCHIVE_NOTES {
            index.notes.truncate(limits::ARCHIVE_NOTES);
            index.mark_incomplete(&"there is more damage; nothing after it is read");
            break;
        }
        let entry = match next {
            Ok(Some(entry)) => entry,
            Ok(None) => {
                if !tape.reaches(end)? {
                    index.mark_incomplete(&"the archive is cut off in its last member");
                }
                break;
            }
            Err(error) if index.members.is_empty() && found.is_none() => return Err(error),
            Err(error) => {
                index.mark_incomplete(&error);
                break;
            }
        };
        let name = wanted(&entry.member, index.members.len());
        let name = name.filter(|name| found.as_ref().is_none_or(|found| found.1 == *name));
        let length = entry.stored.saturating_add(entry.padding);
        if let Some(name) = name {
            let start = tape.clone();
            found = Some((entry, name, start));
            if tape.at.saturating_add(length) > searched || tape.skip(length).is_err() {
                break;
            }
            continue;
        }
        if found.is_some() && tape.at.saturating_add(length) > searched {
            break;
        }
        if index.members.len() as u64 >= limits::ARCHIVE_MEMBERS {
            index.cut_at_limit();
            break;
        }
        end = tape.at.saturating_add(entry.stored);
        index.members.push(entry.member);
        if let Err(error) = tape.skip(length) {
            index.mark_incomplete(&error);
            break;
        }
    }
    if let Some((entry, name, tape)) = found {
        return Ok(Some(open(entry, name, tape)));
    }
    headers.finish(&mut index.members);
    Ok(None)
}

/// Opens the member of `entry`. `tape` is at the end of its header, and `name` is the index of its
/// name among the requested names.
fn open(entry: Entry, name: usize, mut tape: Tape) -> Lookup {
    let Entry {
        member,
        stored,
        map,
        ..
    } = entry;
    let segments = match map.read(&mut tape, stored) {
        Ok(segments) => segments,
        Err(why) => return Lookup::Unreadable(member, why),
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
    Lookup::Found(Opened {
        member,
        name,
        source,
        notes: Vec::new(),
    })
}
