//! The import `inputs`: bytes of the host, for the reader and for engines.

use crate::bindings::omniread::read::inputs::{Host, HostSource};
use crate::budget::Lease;
use crate::sandbox::Source;
use crate::system::System;
use wasmtime::Result;
use wasmtime::component::Resource;

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
