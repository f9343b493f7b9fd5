//! Access to web addresses, and to internal URLs through the imported interface `resources`.

use super::files::add;
use super::http;
use super::preopened::WasiWorld;
use crate::bindings::omniread::parts::{inputs, resources};
use crate::world::{
    FileError, Http, Info, Network, Refusal, Resource, ResourceError, Source, Time,
};
use std::rc::Rc;

impl Network for WasiWorld {
    fn http(&mut self) -> Option<Rc<dyn Http>> {
        http::Outgoing::new().map(|http| Rc::new(http) as Rc<dyn Http>)
    }

    fn resource(&mut self, url: &str) -> Result<Resource, ResourceError> {
        let content = resources::open(url)?;
        Ok(Resource {
            info: Info {
                size: content.source.size(),
                modified: content.modified.map(Time::from_millis),
                mime: content.mime,
                charset: content.charset,
            },
            path: content.path,
            source: Box::new(HostBytes(content.source)),
        })
    }
}

impl From<resources::Error> for ResourceError {
    fn from(error: resources::Error) -> Self {
        match error {
            resources::Error::Scheme(_) => Self::Scheme,
            resources::Error::NotFound(similar) => Self::NotFound(similar),
            resources::Error::Denied(rule) => Self::File(FileError::Refused(Refusal::Denied(rule))),
            resources::Error::Failed(why) => Self::File(FileError::Other(why)),
        }
    }
}

/// The bytes of a resource. The host keeps them, and each read is a call to the host.
struct HostBytes(inputs::Source);

impl Source for HostBytes {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let bytes = self.0.read(offset, len as u64).map_err(FileError::Other)?;
        add(bytes, out);
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }

    fn info(&mut self) -> Info {
        Info {
            size: self.0.size(),
            ..Info::default()
        }
    }
}
