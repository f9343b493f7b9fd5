//! Handlers of sites: a page that is made for people is answered from a better URL of the same service, such as
//! its API.
//!
//! ```text
//! limits    how much is requested and shown, with reasons
//! service   requests to a service, their replies, and how they fail
//! address   the parts of a URL
//! fetch     replies in parts, and faults for replies about another thing
//! html      entities and elements
//! code      code as Markdown
//! nested    the Markdown of strangers, whose headings are below those of the page
//! writer    the Markdown of a page
//! value     the fields of a reply in JSON, which may be missing, null or of another type
//! text      the text of a service in one line, as a block, or as a list
//! handler   the trait of handlers, and what they find
//! ```
//!
//! Each other module is one site. No handler knows how requests are sent, which hosts may be reached, and what
//! is kept: that is the business of the reader, which implements [`Service`]. A handler never decides that a
//! read fails: the page itself is read if it finds nothing.

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

mod address;
mod arxiv;
#[cfg(test)]
mod canned;
mod code;
mod crates_io;
mod docs_rs;
mod fetch;
pub mod github;
mod gitlab;
mod hacker_news;
mod handler;
mod html;
mod limits;
mod mdn;
mod nested;
mod npm;
mod pypi;
mod rfc;
mod service;
mod stack_exchange;
#[cfg(test)]
mod tests;
mod text;
mod value;
mod wikipedia;
mod writer;

pub use handler::{Found, Handler, Page};
pub use service::{Fault, JSON, Reply, Request, Service};

use url::Url;

/// Lists the handlers that need no settings, in the order in which they are asked. The first one that knows a URL
/// handles it. [`github::GitHub`] is asked before them.
///
/// Each is called by its own type. An instance prepares each function that it calls through a table, which takes
/// longer than the answer of a handler that does not know a URL.
macro_rules! handlers {
    ($($handler:expr,)*) => {
        /// Asks the handlers that need no settings in turn.
        fn ask_all(url: &Url, service: &mut dyn Service) -> Option<Named> {
            $(
                if let Some(found) = ask(&$handler, url, service) {
                    return Some(found);
                }
            )*
            None
        }
    };
}

handlers! {
    gitlab::GitLab,
    crates_io::CratesIo,
    docs_rs::DocsRs,
    npm::Npm,
    pypi::Pypi,
    stack_exchange::StackExchange,
    wikipedia::Wikipedia,
    arxiv::Arxiv,
    rfc::Rfc,
    mdn::Mdn,
    hacker_news::HackerNews,
}

/// The name of a handler, and what it found or why it failed.
pub type Named = (&'static str, Result<Found, Fault>);

fn ask(handler: &impl Handler, url: &Url, service: &mut dyn Service) -> Option<Named> {
    let found = handler.read(url, service)?;
    Some((handler.name(), found))
}

/// What a user sets for handlers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The base of the API of `github.com`, if it is not `https://api.github.com`.
    pub github_api: Option<String>,
    /// The hosts of GitHub Enterprise, such as `ghe.example.com` or `127.0.0.1:8080`. The base of the API of each is
    /// that which [`github::Forge::new`] documents, or has the scheme that is before the host: `http://ghe.example.com`.
    pub github_hosts: Vec<String>,
}

/// Finds a better form of a page. Returns the name of the handler, and what it found or why it failed; `None`
/// if no handler knows the URL.
pub fn read(url: &Url, settings: &Settings, service: &mut dyn Service) -> Option<Named> {
    let github = github::GitHub {
        api: settings.github_api.clone(),
        hosts: settings.github_hosts.clone(),
    };
    ask(&github, url, service).or_else(|| ask_all(url, service))
}
