//! Opens the file or directory that was found for a path.

use crate::failure::{Failure, Reason};
use crate::path::{Extraction, Suffix, query};
use crate::rooted_path::{RootedPath, failure};
use crate::subject::{Origin, Repair, Rest, Subject};
use crate::world::{Directory, FileError, FileType, Source, Stat, World};

/// An open file, stream or directory.
pub enum Opened {
    /// A file or a stream.
    Bytes(Box<dyn Source>),
    /// A directory.
    Directory(Box<dyn Directory>),
}

/// The open file, stream or directory that a path names, and the rest of the path.
pub struct Resolved {
    /// The origin, the metadata and the path of the file, stream or directory.
    pub subject: Subject,
    /// The open file, stream or directory.
    pub node: Opened,
    /// The text of the path after the file name, such as a selector.
    pub suffix: Option<Suffix>,
    /// The value to extract from the file, which is JSON, in place of its text.
    pub extraction: Option<Extraction>,
}

/// The suffix of a URL in a mounted directory, with its members decoded. `None` if they are not encoded.
pub fn decoded_members(resolved: &Resolved) -> Option<Suffix> {
    let is_mounted = matches!(resolved.subject.origin, Origin::Mounted { .. });
    let suffix = resolved.suffix.as_ref()?;
    let has_members = is_mounted && resolved.extraction.is_none();
    query::decoded_members(suffix).filter(|_| has_members)
}

/// The name of an existing file or directory in a path, and the suffix after it.
pub(super) struct Named<'p> {
    /// The path of the file name, before any symlink was followed.
    pub(super) unfollowed: RootedPath,
    /// The path at which the metadata was found.
    pub(super) place: RootedPath,
    pub(super) stat: Stat,
    pub(super) name: &'p str,
    pub(super) rest: Option<Suffix>,
}

/// Opens a file or directory whose metadata is known. `repair` is what was done to the path to find it.
///
/// # Errors
/// Fails if it cannot be opened, or is not a file or directory.
pub(super) fn open(
    named: Named<'_>,
    repair: Option<Repair>,
    world: &mut dyn World,
) -> Result<Resolved, Failure> {
    let Named {
        unfollowed,
        place,
        stat,
        name: typed,
        rest,
    } = named;
    // Messages show the name of a symlink. The file at its end is opened.
    let shown = place.shown(world);
    let resolved = place.absolute(world);
    let (place, stat) = match stat.file_type {
        FileType::Symlink => match place.clone().stat(true, typed, world)? {
            Err(FileError::NotFound) => return Err(dangling(&place, typed, world)),
            outcome => outcome.map_err(|error| failure(error, typed))?,
        },
        _ => (place, stat),
    };
    let node = match stat.file_type {
        FileType::File => Opened::Bytes(
            world
                .open(place.root, &place.path)
                .map_err(|error| failure(error, typed))?,
        ),
        FileType::Directory => Opened::Directory(
            world
                .list(place.root, &place.path)
                .map_err(|error| failure(error, typed))?,
        ),
        FileType::Special(special) => {
            return Err(Failure::new(
                Reason::SpecialFile(special),
                format!("`{typed}` is {special}, which cannot be read like a file"),
            ));
        }
        FileType::Symlink => return Err(failure(FileError::SymlinkLoop, typed)),
    };
    Ok(Resolved {
        subject: Subject {
            requested: typed.to_owned(),
            path: shown,
            resolved,
            origin: Origin::File(unfollowed),
            info: stat.into(),
            compression: None,
            inner_path: Vec::new(),
            is_root: false,
            repair,
            web: None,
            artifact: None,
            rest: Rest::Selected,
        },
        node,
        suffix: rest,
        extraction: None,
    })
}

fn dangling(place: &RootedPath, typed: &str, world: &mut dyn World) -> Failure {
    let not_found = failure(FileError::NotFound, typed);
    match world.read_link(place.root, &place.path) {
        Ok(target) => not_found.hint(format!("it is a link to `{target}`, which does not exist")),
        Err(_) => not_found,
    }
}
