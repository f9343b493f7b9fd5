//! The providers of a reader, and the built-in guide as one of them.

use crate::guide::{self, Guide};
use crate::resources::{Facts, Provider, ResourceError};
use std::fmt;
use std::sync::Arc;

/// A provider with the facts that it stated.
#[derive(Clone)]
pub(crate) struct Provided {
    pub(crate) provider: Arc<dyn Provider>,
    pub(crate) facts: Facts,
}

impl Provided {
    fn new(provider: impl Provider + 'static) -> Self {
        Self {
            facts: provider.facts(),
            provider: Arc::new(provider),
        }
    }

    /// The names that start with `start`, at most `most`. The call may block.
    ///
    /// # Errors
    /// Fails if the provider fails.
    pub(crate) fn names(
        &self,
        start: &str,
        most: usize,
    ) -> Result<Option<Vec<String>>, ResourceError> {
        let names = self.provider.names(start, most)?;
        Ok(names.map(|names| {
            let names = names.into_iter().filter(|name| name.starts_with(start));
            names.take(most).collect()
        }))
    }
}

/// The providers of a reader.
#[derive(Clone, Default)]
pub(crate) struct Providers(Vec<Provided>);

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.schemes()).finish()
    }
}

impl Providers {
    /// Adds a provider. It replaces an earlier provider of the same scheme.
    pub(crate) fn add(&mut self, provider: impl Provider + 'static) {
        self.0
            .retain(|other| other.provider.scheme() != provider.scheme());
        self.0.push(Provided::new(provider));
    }

    /// The schemes of all providers, without the built-in guide.
    pub(crate) fn schemes(&self) -> Vec<String> {
        let schemes = self.0.iter().map(|own| own.provider.scheme().to_owned());
        schemes.collect()
    }

    /// The provider of a scheme, if there is one. The built-in guide is one unless another has its scheme.
    pub(crate) fn of_scheme(&self, scheme: &str) -> Option<Provided> {
        let answers = |own: &&Provided| own.provider.scheme().eq_ignore_ascii_case(scheme);
        let guide = || scheme.eq_ignore_ascii_case(guide::SCHEME);
        let found = self.0.iter().find(answers).cloned();
        found.or_else(|| guide().then(|| Provided::new(Guide)))
    }

    /// The provider of the scheme of a URL, if there is one.
    pub(crate) fn of(&self, url: &str) -> Option<Provided> {
        let (scheme, _) = url.split_once("://")?;
        self.of_scheme(scheme)
    }
}
