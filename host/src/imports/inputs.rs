//! The import `inputs`: bytes of the host, for the reader and for engines.

use crate::bindings::omniread::parts::inputs::{Host, HostSource, HostSparse, Input, Range};
use crate::budget::Lease;
use crate::engines::Running;
use crate::handles::{Descriptor, InputSource};
use crate::sparse::Sparse;
use crate::system::System;
use std::sync::Arc;
use wasmtime::Result;
use wasmtime::component::{Resource, ResourceTable};

impl Host for System {}

impl HostSource for System {
    fn size(&mut self, source: Resource<InputSource>) -> Result<Option<u64>> {
        Ok(match self.table.get(&source)? {
            InputSource::Host(source) => source.size(),
            InputSource::Sparse(sparse) => Some(sparse.size()),
        })
    }

    fn read(
        &mut self,
        source: Resource<InputSource>,
        offset: u64,
        length: u64,
    ) -> Result<std::result::Result<Vec<u8>, String>> {
        let source = match self.table.get(&source)? {
            InputSource::Host(source) => source,
            InputSource::Sparse(sparse) => return Ok(sparse.read(offset, length)),
        };
        // Other engines may use the core of an engine that waits.
        let _paused = self.lease().map(Lease::pause);
        Ok(source.read(offset, length, self.stop())?)
    }

    fn drop(&mut self, source: Resource<InputSource>) -> Result<()> {
        self.table.delete(source)?;
        Ok(())
    }
}

impl HostSparse for System {
    fn new(&mut self, size: u64) -> Result<Resource<Sparse>> {
        let sparse = Sparse::new(size, self.known.clone());
        Ok(self.table.push(sparse)?)
    }

    fn add(
        &mut self,
        sparse: Resource<Sparse>,
        offset: u64,
        bytes: Vec<u8>,
    ) -> Result<std::result::Result<(), String>> {
        Ok(self.table.get(&sparse)?.add(offset, bytes))
    }

    fn open(&mut self, sparse: Resource<Sparse>) -> Result<Resource<InputSource>> {
        let source = InputSource::Sparse(self.table.get(&sparse)?.clone());
        Ok(self.table.push(source)?)
    }

    fn missing(&mut self, sparse: Resource<Sparse>) -> Result<Option<Range>> {
        let missing = self.table.get(&sparse)?.missing();
        Ok(missing.map(|(offset, length)| Range { offset, length }))
    }

    fn drop(&mut self, sparse: Resource<Sparse>) -> Result<()> {
        self.table.delete(sparse)?;
        Ok(())
    }
}

/// The maximum number of bytes in memory that are kept to be passed to an engine again.
const KEPT: usize = 8 << 20;

/// An input of an engine. The reader no longer has a handle for it.
pub(crate) enum Bytes {
    File(Descriptor),
    Source(InputSource),
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
            Self::File(Descriptor::File(file)) => {
                Some(Self::File(Descriptor::File(Arc::clone(file))))
            }
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
