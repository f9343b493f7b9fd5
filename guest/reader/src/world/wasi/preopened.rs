//! The state of the world: the directories that the runtime preopened, and the environment.

use super::parts::Parts;
use crate::bindings::wasi::cli::environment;
use crate::bindings::wasi::filesystem::preopens;
use crate::bindings::wasi::filesystem::types::Descriptor;
use crate::world::{FileError, Mount};

/// The directories that the runtime preopened, and the environment.
pub struct WasiWorld {
    /// The names of the roots.
    pub(super) names: Vec<String>,
    /// The directories that are mounted for schemes.
    pub(super) mounts: Vec<Mount>,
    /// The directories: the roots, and the mounts after them.
    pub(super) roots: Vec<Descriptor>,
    /// For each root, the index of the first root that is the same directory.
    pub(super) same: Vec<usize>,
    environment: Vec<(String, String)>,
    /// The parts of a source on a server that were fetched for an engine.
    pub(super) parts: Option<Parts>,
}

impl WasiWorld {
    /// Creates the world from the preopened directories.
    pub fn preopened() -> Self {
        let (mut roots, mut names) = (Vec::new(), Vec::new());
        let (mut mounted, mut mounts) = (Vec::new(), Vec::new());
        for (directory, name) in preopens::get_directories() {
            match Mount::parse(&name) {
                Some(mount) => {
                    mounted.push(directory);
                    mounts.push(mount);
                }
                None => {
                    roots.push(directory);
                    names.push(name);
                }
            }
        }
        roots.extend(mounted);
        let first = |(place, root): (usize, &Descriptor)| {
            let mut before = roots.iter().take(place);
            before
                .position(|other| other.is_same_object(root))
                .unwrap_or(place)
        };
        let same = roots.iter().enumerate().map(first).collect();
        Self {
            names,
            mounts,
            roots,
            same,
            environment: environment::get_environment(),
            parts: None,
        }
    }

    /// The environment variables.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The preopened directory with this index.
    ///
    /// # Errors
    /// Fails if there is no such directory.
    pub(super) fn root(&self, root: usize) -> Result<&Descriptor, FileError> {
        self.roots.get(root).ok_or(FileError::NotFound)
    }
}
