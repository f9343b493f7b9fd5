//! A revision and a path in one text: `feature/x~2/src/lib.rs`.
//!
//! The names of branches have slashes too. The longest one that exists is the name.

use crate::error::Error;
use crate::files::{Kind, join};
use crate::limits;
use crate::references::{DIRECTORIES, is_valid};
use crate::repository::Repository;
use crate::revision::split;

/// The revision and the path in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<'t> {
    /// The revision.
    pub revision: &'t str,
    /// The path in its tree, without a slash at its start. `None` if there was no slash.
    pub path: Option<&'t str>,
}

impl Repository<'_> {
    /// Divides a text into a revision and a path. If no reference has a name with a slash, the first slash is the end
    /// of the revision.
    ///
    /// # Errors
    /// Fails if the references cannot be read.
    pub fn locate<'t>(&mut self, text: &'t str) -> Result<Located<'t>, Error> {
        let mut longest = 1;
        for directory in DIRECTORIES {
            longest = longest.max(self.parts(directory, text)?);
        }
        // The full name of a reference.
        longest = longest.max(self.parts("", text)?);
        let slash = text
            .match_indices('/')
            .nth(longest.saturating_sub(1))
            .and_then(|(at, _)| Some((text.get(..at)?, text.get(at.saturating_add(1)..)?)));
        Ok(match slash {
            Some((revision, path)) => Located {
                revision,
                path: Some(path),
            },
            None => Located {
                revision: text,
                path: None,
            },
        })
    }

    /// The number of parts of a text that are the name of a reference in a directory, at most. 0 if there is none.
    fn parts(&mut self, directory: &str, text: &str) -> Result<usize, Error> {
        let mut full = directory.to_owned();
        let mut longest = 0;
        let parts = text.split('/').take(limits::REVISION_PARTS);
        for (index, part) in parts.enumerate() {
            let (name, steps) = split(part);
            full.push_str(name);
            // A file of git that is not a reference is not one of these names.
            let is_other = directory.is_empty() && index == 0 && name != "refs";
            if is_other || !is_valid(&full) {
                break;
            }
            let path = join(&self.common, &full);
            let kind = self.files.kind(&path);
            let kind = kind.map_err(|error| Error::file(&path, error))?;
            let (is_packed, has_packed) = self.is_packed_prefix(&full)?;
            if kind == Some(Kind::File) || is_packed {
                longest = index.saturating_add(1);
            }
            if !steps.is_empty() || !(has_packed || kind == Some(Kind::Directory)) {
                break;
            }
            full.push('/');
        }
        Ok(longest)
    }
}
