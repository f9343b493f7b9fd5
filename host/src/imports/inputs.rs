//! The import `inputs`: bytes of the host, for the reader and for engines.

use crate::bindings::omniread::read::inputs::{Host, HostSource, Input};
use crate::budget::Lease;
use crate::engines::Running;
use crate::handles::Descriptor;
use crate::sandbox::Source;
use crate::system::System;
use wasmtime::Result;
use wasmtime::component::{Resource, ResourceTable};

impl Host for System {}

impl HostSource for System {
    fn size(&mut self, source: Resource<Source>) -> Result<Option<u64>> {
        Ok(self.table.get(&source)?.size())
    }

    fn read(
        &mut self,
        source: Resource<Source>,
        offset: u64,
        length: u64,
    ) -> Result<std::result::Result<Vec<u8>, String>> {
        let source = self.table.get(&source)?;
        // Other engines may use the core of an engine that waits.
        let _paused = self.lease().map(Lease::pause);
        Ok(source.read(offset, length, self.stop())?)
    }

    fn drop(&mut self, source: Resource<Source>) -> Result<()> {
        self.table.delete(source)?;
        Ok(())
    }
}

/// The maximum number of bytes in memory that are kept to be passed to an engine again.
const KEPT: usize = 8 << 20;

/// An input of an engine. The reader no longer has a handle for it.
pub(crate) enum Bytes {
    File(Descriptor),
    Source(Source),
    InMemory(Vec<u8>),
}

impl Bytes {
    /// Removes an input from the handles of the reader.
    ///
    /// # Errors
    /// Fails if there is no such handle, which would be a defect.
    pub(super) fn take(input: Input, table: &mut ResourceTable) -> Result<Self> {
        Ok(match input {
            Input::File(handle) => Self::File(table.delete(handle)?),
            Input::Source(handle) => Self::Source(table.delete(handle)?),
            Input::Bytes(bytes) => Self::InMemory(bytes),
        })
    }

    /// Whether this is a directory. An engine must not get one, because it could open files in it
    /// that deny rules forbid.
    pub(super) fn is_directory(&self) -> bool {
        matches!(self, Self::File(Descriptor::Directory(_)))
    }

    /// The same input once more. `None` if the file cannot be shared, or for many bytes in memory.
    pub(super) fn again(&self) -> Option<Self> {
        match self {
            Self::File(Descriptor::File(file)) => file
                .try_clone()
                .ok()
                .map(|file| Self::File(Descriptor::File(file))),
            Self::Source(source) => Some(Self::Source(source.clone())),
            Self::InMemory(bytes) if bytes.len() <= KEPT => Some(Self::InMemory(bytes.clone())),
            Self::File(Descriptor::Directory(_)) | Self::InMemory(_) => None,
        }
    }

    /// Gives the engine a handle for these bytes, and returns the input with that handle.
    ///
    /// # Errors
    /// Fails if the engine has too many handles.
    pub(super) fn hand_over(self, running: &mut Running) -> Result<Input> {
        let table = &mut running.system().table;
        Ok(match self {
            Self::File(file) => Input::File(table.push(file)?),
            Self::Source(source) => Input::Source(table.push(source)?),
            Self::InMemory(bytes) => Input::Bytes(bytes),
        })
    }
}
