//! Archives that are read forward, as from a tape: each member follows its header.
//!
//! If several members have one name, the last is used, as programs do that extract all of them: a
//! program that updates an archive appends the new version. The headers after the requested member are
//! read for that. In a compressed archive and in standard input, which have no headers to jump to, a limit
//! applies. Standard input can be read only once, so the member is kept in memory meanwhile.
//!
//! A second pass is needed in two cases: the encoding of the names is guessed from all
//! names, or a longer requested name may come later. The second case applies only to
//! seekable sources, where only the headers are read. In a compressed archive, the first name that
//! matches is used.

use super::checked::Checked;
use super::index::{Index, Member};
use super::kept::Kept;
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
    let searched = match (H::LAST_WINS, skips) {
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
    let skips = tape.seekable();
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
            let goes_on = tape.at.saturating_add(length) <= searched;
            // To decompress a small member again takes longer than to keep it.
            let keeps = !skips && entry.stored <= limits::KEPT_BYTES || !tape.rewindable();
            if goes_on && keeps {
                let kept = Kept::read(&mut tape, entry.stored);
                let (is_sound, padding) = (kept.is_sound(), entry.padding);
                let start = Tape::new(Shared::new(Box::new(kept)));
                found = Some((entry, name, start));
                if !is_sound || tape.skip(padding).is_err() {
                    break;
                }
                continue;
            }
            found = Some((entry, name, tape.clone()));
            if !goes_on || tape.skip(length).is_err() {
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

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::*;
    use ::tar::{Builder, EntryType, Header};

    /// Bytes that are read only once, and the error that ends them.
    struct Once {
        bytes: Vec<u8>,
        at: u64,
        error: Option<FileError>,
        rewindable: bool,
    }

    impl Source for Once {
        fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
            assert_eq!(offset, self.at);
            // A pipe returns less than was requested.
            let start = usize::try_from(offset).unwrap();
            let end = start.saturating_add(len.min(700)).min(self.bytes.len());
            match &self.error {
                Some(error) if start == end => return Err(error.clone()),
                _ => out.extend(&self.bytes[start..end]),
            }
            self.at = end as u64;
            Ok(())
        }

        fn seekable(&self) -> bool {
            false
        }

        fn rewindable(&self) -> bool {
            self.rewindable
        }
    }

    /// The content of the member `a` in a stream, or the error that ends it.
    fn member(bytes: &[u8], error: Option<FileError>) -> (Vec<u8>, Option<FileError>) {
        member_of(bytes, error, false)
    }

    fn member_of(
        bytes: &[u8],
        error: Option<FileError>,
        rewindable: bool,
    ) -> (Vec<u8>, Option<FileError>) {
        let source = Once {
            bytes: bytes.to_vec(),
            at: 0,
            error,
            rewindable,
        };
        let found = Format::Tar.find_first(Box::new(source), None, &["a".to_owned()]);
        let Ok(Lookup::Found(mut opened)) = found else {
            panic!("the member was not found");
        };
        let mut content = Vec::new();
        loop {
            let before = content.len();
            let read = opened.source.read(before as u64, 1000, &mut content);
            if read.is_err() || content.len() == before {
                return (content, read.err());
            }
        }
    }

    fn tape(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = Builder::new(Vec::new());
        for (name, bytes) in members {
            let mut header = Header::new_ustar();
            header.set_entry_type(EntryType::Regular);
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, name, *bytes).unwrap();
        }
        archive.into_inner().unwrap()
    }

    #[test]
    fn last_of_several_members_in_a_stream_is_read() {
        let long = vec![b'z'; 5000];
        let members: &[(&str, &[u8])] = &[("a", b"first"), ("b", b"x"), ("a", &long), ("c", b"y")];
        let archive = tape(members);
        assert_eq!(member(&archive, None), (long.clone(), None));
        assert_eq!(member(&tape(&members[..2]), None).0, b"first");
        // The archive is cut off after the first member, and in the last one.
        assert_eq!(member(&archive[..1100], None), (b"first".to_vec(), None));
        let (content, error) = member(&archive[..4096], None);
        assert_eq!(content.len(), 4096 - 2560);
        assert!(matches!(error, Some(FileError::Other(_))), "{error:?}");
        let damage = FileError::Other("damage".to_owned());
        let (content, error) = member(&archive[..4096], Some(damage.clone()));
        assert_eq!((content.len(), error), (4096 - 2560, Some(damage)));
    }

    #[test]
    fn small_member_of_a_compressed_archive_is_decompressed_once() {
        let long = vec![b'z'; 5000];
        let members: &[(&str, &[u8])] = &[("a", b"first"), ("b", b"x"), ("a", &long), ("c", b"y")];
        let archive = tape(members);
        assert_eq!(member_of(&archive, None, true), (long, None));
        let damage = FileError::Other("damage".to_owned());
        let (content, error) = member_of(&archive[..4096], Some(damage.clone()), true);
        assert_eq!((content.len(), error), (4096 - 2560, Some(damage)));
    }

    #[test]
    fn member_after_the_limit_does_not_count() {
        let large = vec![b'z'; usize::try_from(limits::DUPLICATE_BYTES).unwrap()];
        let members: &[(&str, &[u8])] = &[("a", b"first"), ("b", &large), ("a", b"last")];
        assert_eq!(member(&tape(members), None).0, b"first");
        // A large member is not kept in memory.
        let members: &[(&str, &[u8])] = &[("a", &large), ("a", b"last")];
        assert_eq!(member(&tape(members), None).0.len(), large.len());
    }
}
