//! The import `resources`: internal URLs.

use crate::CancelToken;
use crate::artifacts;
use crate::bindings::omniread::parts::resources::{self, Content, Error, Host};
use crate::guide;
use crate::handles::InputSource;
use crate::resources::{Backing, Facts, Resource, ResourceError, Selectors};
use crate::sandbox::{NoResult, wait, wait_within};
use crate::state::State;
use wasmtime::Result;

impl Host for State {
    fn facts(
        &mut self,
        scheme: String,
    ) -> Result<std::result::Result<resources::SchemeFacts, Vec<String>>> {
        let facts = match self.access.providers.of_scheme(&scheme) {
            Some(provided) => Some(provided.facts),
            None if scheme == artifacts::SCHEME && self.keeps() => Some(Facts::of(&scheme)),
            None => None,
        };
        Ok(facts.map(Into::into).ok_or_else(|| {
            let mut schemes = self.access.providers.schemes();
            schemes.push(guide::SCHEME.to_owned());
            schemes
        }))
    }

    fn names(
        &mut self,
        scheme: String,
        most: u32,
    ) -> Result<std::result::Result<Option<Vec<String>>, Error>> {
        let Some(provided) = self.access.providers.of_scheme(&scheme) else {
            return Ok(Ok(None));
        };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let names = wait(self.stop(), move || provided.names("", most))?;
        Ok(match names {
            Ok(names) => names.map_err(Error::from),
            Err(none) => Err(Error::Failed(none.message().to_owned())),
        })
    }

    fn open(&mut self, url: String) -> Result<std::result::Result<Content, Error>> {
        if let Some(name) = artifacts::name(&url).filter(|_| self.keeps()) {
            let opened = artifacts::open(name, &self.session, &self.system.filesystem.policy);
            return self.content(opened);
        }
        let Some(provider) = self.access.providers.of(&url) else {
            return Ok(Err(Error::Scheme(self.access.providers.schemes())));
        };
        let provider = provider.provider;
        let cancelled = CancelToken::new();
        let (limit, token) = (provider.longest_wait(), cancelled.clone());
        let opened = wait_within(self.stop(), limit, move || {
            provider.open_until(&url, &token)
        });
        if let Ok(Ok(opened)) = opened {
            return self.content(opened);
        }
        // Nobody waits for the provider any more.
        cancelled.cancel();
        let message = opened?.err().map_or("", NoResult::message);
        Ok(Err(Error::Failed(message.to_owned())))
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

impl From<Facts> for resources::SchemeFacts {
    fn from(facts: Facts) -> Self {
        Self {
            backing: match facts.backing {
                Backing::File => resources::Backing::File,
                Backing::Remote => resources::Backing::Remote,
                _ => resources::Backing::Virtual,
            },
            selectors: match facts.selectors {
                Selectors::None => resources::Selectors::None,
                Selectors::Opaque => resources::Selectors::Opaque,
                _ => resources::Selectors::Lines,
            },
            host_colon: facts.host_colon,
            editable: facts.editable,
            paged: facts.paged,
        }
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
