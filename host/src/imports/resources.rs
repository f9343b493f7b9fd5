//! The import `resources`: internal URLs.

use crate::bindings::omniread::parts::resources::{Content, Error, Host};
use crate::handles::InputSource;
use crate::resources::ResourceError;
use crate::sandbox::wait;
use crate::state::State;
use std::sync::Arc;
use wasmtime::Result;

impl Host for State {
    fn open(&mut self, url: String) -> Result<std::result::Result<Content, Error>> {
        let Some(provider) = self.access.providers.of(&url) else {
            return Ok(Err(Error::Scheme(self.access.providers.schemes())));
        };
        let provider = Arc::clone(provider);
        let opened = wait(self.stop(), move || provider.open(&url))?;
        let resource = match opened {
            Ok(Ok(resource)) => resource,
            Ok(Err(error)) => return Ok(Err(error.into())),
            Err(none) => return Ok(Err(Error::Failed(none.message().to_owned()))),
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
