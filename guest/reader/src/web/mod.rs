//! Web addresses: requests, and responses as sources of bytes.
//!
//! ```text
//! address   the URL and the suffix of a path
//! exchange  one request with its redirects
//! head      the headers of a response
//! body      a body: decoded, and read as far as it is needed
//! ranges    a file that is read by ranges
//! fetch     the response for an address: a copy, a body or ranges
//! copy      copies that the session keeps
//! facts     what a reply states about a response
//! opened    a response as an open address
//! share     the share of the time that a handler may use
//! sites     better forms of pages, from the handlers of sites
//! ```
//!
//! The host decides what may be reached. The meaning of a body is decided where all other bytes are
//! read.

mod address;
mod body;
mod copy;
mod exchange;
mod facts;
mod fetch;
mod head;
mod opened;
mod ranges;
mod share;
mod sites;

pub use address::Address;
pub use copy::Mode;
pub use exchange::{Budget, Unanswered};
pub use facts::{Facts, Method, age as age_in_words};
pub use fetch::{Fetched, fetch_beside};
pub use opened::Opened;
pub use sites::{Requests, enterprise};

use crate::failure::{Failure, Reason, Unreachable};
use crate::world::World;
use fetch::Wish;
use omniread_options::GitHubOptions;
use opened::opened;
use url::Url;

/// Opens a web address. `path` is the path as the user typed it. `is_later` is true if arguments
/// request lines after the first page. `github` has the options for
/// the handler of GitHub.
///
/// # Errors
/// Fails if there is no network, if no response arrives, or if the host or a redirect refuses the
/// request.
pub fn open(
    address: Address,
    path: &str,
    is_later: bool,
    github: &GitHubOptions,
    world: &mut dyn World,
) -> Result<Opened, Failure> {
    let Some(http) = world.http() else {
        return Err(no_network(path, path.to_owned()));
    };
    let unhandled = match sites::read(&http, &address, is_later, github, world) {
        sites::Handled::Opened(opened) => return Ok(*opened),
        sites::Handled::Failed(why) => Some(why),
        sites::Handled::Unknown => None,
    };
    let mut budget = Budget::NEW;
    let wish = Wish::of(&address, is_later);
    let fetched = fetch::fetch(&http, &address.url, wish, &mut budget, world);
    let mut fetched = fetched.map_err(|unread| match (failure(unread, path), &unhandled) {
        (failed, Some(why)) if failed.hint.is_none() => failed.hint(why.clone()),
        (failed, _) => failed,
    })?;
    let mut address = address;
    if matches!(fetched.head.status, 404 | 410)
        && let Some(inside) = address.at_colon()
    {
        let wish = Wish::of(&inside, is_later);
        // The first answer is shown if there is no second one.
        if let Ok(mut found) = fetch::fetch(&http, &inside.url, wish, &mut budget, world)
            && found.head.status < 400
            && found.content.has_members()
        {
            let status = fetched.head.status;
            let note = format!(
                "{} has status {status}, so the text after the colon is a member",
                address.url
            );
            found.notes.insert(0, note);
            (address, fetched) = (inside, found);
        }
    }
    fetched.notes.splice(0..0, unhandled);
    Ok(opened(address, fetched, budget))
}

impl Fetched {
    /// Whether the content is a web page.
    pub fn is_html(&self) -> bool {
        let name = self.head.name(&self.url);
        self.content.is_html(&name, &self.head)
    }

    /// What the server states about the content besides its type.
    pub fn stated(&self) -> Vec<String> {
        facts::stated(&self.head)
    }

    /// Opens a response that belongs to a page. `url` is the URL that was requested. The read sends no
    /// more requests for it.
    pub fn into_opened(self, url: &Url) -> Opened {
        let address = Address {
            url: url.clone(),
            typed: url.to_string(),
            suffix: None,
            has_member: false,
            fragment: None,
            fresh: false,
        };
        let budget = Budget {
            requests: 0,
            redirects: 0,
        };
        opened(address, self, budget)
    }
}

/// The failure for a path if there is no network. `url` is the address that would be requested.
pub fn no_network(path: &str, url: String) -> Failure {
    let error =
        crate::failure::NetworkError::Refused("this reader has no network access".to_owned());
    let message = format!("cannot read `{path}`: {error}");
    let unreachable = Unreachable { url, error };
    Failure::new(Reason::Network(unreachable), message).hint(
        "use a build of omniread with the feature `net`, or the component `omniread-net.wasm`",
    )
}

/// The failure for an address that cannot be read.
fn failure(unread: Unanswered, path: &str) -> Failure {
    let Unanswered {
        redirects,
        url,
        failure,
    } = unread;
    let mut message = format!("cannot read `{path}`: ");
    if !redirects.is_empty() {
        message.push_str(&format!("it redirects to `{url}`: "));
    }
    message.push_str(&failure.error.to_string());
    let error = failure.error;
    let found = Failure::new(Reason::Network(Unreachable { url, error }), message);
    match failure.hint {
        Some(hint) => found.hint(hint),
        None => found,
    }
}
