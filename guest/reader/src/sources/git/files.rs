//! The files of the world, for the crate that reads repositories.

use crate::rooted_path::RootedPath;
use crate::world::{FileError, FileType, Refusal, Source, World};
use omniread_git as git;

/// The files of the roots. Paths are those of requests: absolute, or relative to the first root.
pub struct WorldFiles<'w> {
    pub world: &'w mut dyn World,
}

impl WorldFiles<'_> {
    /// The place of a path after symlinks were followed, what is there, and its size. `None` if there is nothing.
    fn find(&mut self, path: &str) -> Result<Option<(RootedPath, FileType, u64)>, git::FileError> {
        let name = if path.is_empty() { "." } else { path };
        let outside = |_| git::FileError::Outside;
        let place = RootedPath::of(name, self.world).map_err(outside)?;
        match place.stat(true, name, self.world).map_err(outside)? {
            Ok((place, stat)) => Ok(Some((place, stat.file_type, stat.size))),
            Err(FileError::NotFound) => Ok(None),
            Err(failed) => Err(error(failed)),
        }
    }
}

impl git::Files for WorldFiles<'_> {
    fn kind(&mut self, path: &str) -> Result<Option<git::Kind>, git::FileError> {
        Ok(match self.find(path)? {
            Some((_, FileType::File, _)) => Some(git::Kind::File),
            Some((_, FileType::Directory, _)) => Some(git::Kind::Directory),
            _ => None,
        })
    }

    fn open(&mut self, path: &str) -> Result<Option<Box<dyn git::File>>, git::FileError> {
        let Some((place, FileType::File, size)) = self.find(path)? else {
            return Ok(None);
        };
        let source = self.world.open(place.root, &place.path).map_err(error)?;
        Ok(Some(Box::new(WorldFile { source, size })))
    }

    fn names(&mut self, path: &str, most: usize) -> Result<Vec<git::Name>, git::FileError> {
        let Some((place, FileType::Directory, _)) = self.find(path)? else {
            return Ok(Vec::new());
        };
        let mut directory = self.world.list(place.root, &place.path).map_err(error)?;
        let mut names = Vec::new();
        while names.len() < most {
            let Some(entry) = directory.next() else {
                break;
            };
            let entry = entry.map_err(error)?;
            let is_directory = match entry.file_type {
                FileType::Symlink => {
                    let path = format!("{path}/{}", entry.name);
                    self.kind(&path)? == Some(git::Kind::Directory)
                }
                file_type => file_type == FileType::Directory,
            };
            names.push(git::Name {
                name: entry.name,
                is_directory,
            });
        }
        Ok(names)
    }
}

struct WorldFile {
    source: Box<dyn Source>,
    size: u64,
}

impl git::File for WorldFile {
    fn size(&mut self) -> u64 {
        self.size
    }

    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), git::FileError> {
        self.source.read(offset, len, out).map_err(error)
    }
}

fn error(error: FileError) -> git::FileError {
    match error {
        FileError::OutsideRoot => git::FileError::Outside,
        FileError::Refused(Refusal::Denied(rule)) => git::FileError::Denied(rule),
        other => git::FileError::Other(other.to_string()),
    }
}
