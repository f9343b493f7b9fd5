//! Where the files of skills are.

use crate::failure::Failure;
use crate::limits;
use crate::rooted_path::{RootedPath, failure};
use crate::world::{FileError, FileType, Stat, World};
use omniread_schemes::SKILL_FILE;

/// The scheme of skills.
pub(super) const SCHEME: &str = "skill";

/// The URL of a path in the mounts, for messages.
pub(super) fn url(path: &str) -> String {
    format!("{SCHEME}://{path}")
}

/// Whether a name is hidden. Hidden files, such as those of version control, are no part of a skill.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// A path in a skill.
pub(super) struct Located {
    /// The directory of the skill.
    pub place: RootedPath,
    /// The path of the skill: `NAME` or `NAMESPACE/NAME`.
    pub skill: String,
    /// The path in the skill. It is empty for the directory of the skill.
    rest: String,
}

impl Located {
    /// The place of the path.
    pub(super) fn file(&self) -> RootedPath {
        if self.rest.is_empty() {
            self.place.clone()
        } else {
            self.place.join(&self.rest)
        }
    }
}

/// Finds the skill in which a path is. The first mount that has the skill decides, so that all files are of
/// one skill.
///
/// # Errors
/// Fails if the path is in no skill.
pub(super) fn locate(path: &str, world: &mut dyn World) -> Result<Located, Failure> {
    let missing = || failure(FileError::NotFound, &url(path));
    let parts: Vec<&str> = path.split('/').collect();
    let is_wrong = |part: &&str| part.is_empty() || is_hidden(part) || part.contains('\0');
    if path.len() > limits::PATH_BYTES || parts.iter().any(is_wrong) {
        return Err(missing());
    }
    for root in world.mounts_of(SCHEME) {
        for length in 1..=2 {
            let Some((skill, rest)) = parts.split_at_checked(length) else {
                continue;
            };
            let place = RootedPath {
                root,
                path: skill.join("/"),
            };
            let file = place.join(SKILL_FILE);
            match file.stat(true, &url(path), world)? {
                Ok((_, stat)) if stat.file_type == FileType::File => {
                    return Ok(Located {
                        place,
                        skill: skill.join("/"),
                        rest: rest.join("/"),
                    });
                }
                Ok(_) | Err(FileError::NotFound) => {}
                Err(error) => return Err(failure(error, &url(path))),
            }
        }
    }
    Err(missing())
}

/// The place to which a path leads through links, and its metadata.
///
/// # Errors
/// Fails if it does not exist, or a link leads out of the mount.
pub(super) fn resolved(
    place: RootedPath,
    typed: &str,
    world: &mut dyn World,
) -> Result<(RootedPath, Stat), Failure> {
    place
        .stat(true, typed, world)?
        .map_err(|error| failure(error, typed))
}
