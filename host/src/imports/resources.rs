//! The import `resources`: internal URLs.

use crate::artifacts;
use crate::bindings::omniread::parts::resources::{Content, Error, Host};
use crate::handles::InputSource;
use crate::resources::{Resource, ResourceError};
use crate::sandbox::wait;
use crate::state::State;
use std::sync::Arc;
use wasmtime::Result;

impl Host for State {
    fn open(&mut self, url: String) -> Result<std::result::Result<Content, Error>> {
        if let Some(name) = artifacts::name(&url).filter(|_| self.keeps()) {
            let opened = artifacts::open(name, &self.session);
            return self.content(opened);
        }
        let Some(provider) = self.access.providers.of(&url) else {
            return Ok(Err(Error::Scheme(self.access.providers.schemes())));
        };
        let provider = Arc::clone(provider);
        let opened = wait(self.stop(), move || provider.open(&url))?;
        match opened {
            Ok(opened) => self.content(opened),
            Err(none) => Ok(Err(Error::Failed(none.message().to_owned()))),
        }
    }
}

impl State {
    /// The content of a resource that was opened, as the reader gets it.
    fn content(
        &mut self,
        opened: std::result::Result<Resource, ResourceError>,
    ) -> Result<std::result::Result<Content, Error>> {
        let resource = match opened {
            Ok(resource) => resource,
            Err(error) => return Ok(Err(error.into())),
        };
        Ok(Ok(Content {
            source: self.system.table.push(InputSource::Host(resource.source))?,
            mime: resource.mime,
            charset: resource.charset,
            modified: resource.modified,
            path: resource.path,
        }))
    }
}

impl From<ResourceError> for Error {
    fn from(error: ResourceError) -> Self {
        match error {
            ResourceError::NotFound(similar) => Self::NotFound(similar),
            ResourceError::Denied(rule) => Self::Denied(rule),
            ResourceError::Failed(why) => Self::Failed(why),
        }
    }
}
