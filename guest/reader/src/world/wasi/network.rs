//! Access to web addresses, and to internal URLs through the imported interface `resources`.

use super::files::add;
use super::http;
use super::preopened::WasiWorld;
use crate::bindings::omniread::parts::{inputs, resources};
use crate::world::{
    FileError, Http, Info, Network, Refusal, Resource, ResourceError, Source, Time,
};
use omniread_schemes::{Backing, Facts, Selectors};
use std::rc::Rc;

impl Network for WasiWorld {
    fn http(&mut self) -> Option<Rc<dyn Http>> {
        http::Outgoing::new().map(|http| Rc::new(http) as Rc<dyn Http>)
    }

    fn facts(&mut self, scheme: &str) -> Result<Facts, Vec<String>> {
        let stated = resources::facts(scheme)?;
        let mut facts = Facts::default();
        facts.backing = match stated.backing {
            resources::Backing::File => Backing::File,
            resources::Backing::Virtual => Backing::Virtual,
            resources::Backing::Remote => Backing::Remote,
        };
        facts.selectors = match stated.selectors {
            resources::Selectors::Lines => Selectors::Lines,
            resources::Selectors::None => Selectors::None,
            resources::Selectors::Opaque => Selectors::Opaque,
        };
        facts.host_colon = stated.host_colon;
        facts.editable = stated.editable;
        facts.paged = stated.paged;
        Ok(facts)
    }

    fn resource_names(
        &mut self,
        scheme: &str,
        most: usize,
    ) -> Result<Option<Vec<String>>, FileError> {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let names = resources::names(scheme, most);
        names.map_err(|error| match ResourceError::from(error) {
            ResourceError::File(error) => error,
            ResourceError::Scheme | ResourceError::NotFound(_) => FileError::NotFound,
        })
    }

    fn resource(&mut self, url: &str, is_remote: bool) -> Result<Resource, ResourceError> {
        let content = resources::open(url)?;
        Ok(Resource {
            info: Info {
                size: content.source.size(),
                modified: content.modified.map(Time::from_millis),
                mime: content.mime,
                charset: content.charset,
            },
            path: content.path,
            source: Box::new(HostBytes {
                source: content.source,
                is_remote,
            }),
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
struct HostBytes {
    source: inputs::Source,
    /// Whether each read may be a request over a network.
    is_remote: bool,
}

impl Source for HostBytes {
    fn read(&mut self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), FileError> {
        let bytes = self
            .source
            .read(offset, len as u64)
            .map_err(FileError::Other)?;
        add(bytes, out);
        Ok(())
    }

    fn seekable(&self) -> bool {
        true
    }

    fn remote(&self) -> bool {
        self.is_remote
    }

    fn info(&mut self) -> Info {
        Info {
            size: self.source.size(),
            ..Info::default()
        }
    }
}
