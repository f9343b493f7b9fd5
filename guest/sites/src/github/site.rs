//! The handler of the pages of GitHub and of GitHub Enterprise.

use super::address::{self, Page, Route};
use super::files::{self, Place};
use super::forge::{Forge, Links, PUBLIC_HOST};
use super::thread::{Ask, thread};
use super::{comments, commits, list, pages};
use crate::handler::{Found, Handler};
use crate::service::{Fault, Service};
use url::Url;

/// The handler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitHub {
    /// The base of the API of `github.com`, if it is not `https://api.github.com`.
    pub api: Option<String>,
    /// The hosts of GitHub Enterprise whose pages are handled, with a port if it is not the default. The base of
    /// the API of each is that which [`Forge::new`] documents. With `http://` before it, the API has that scheme.
    pub hosts: Vec<String>,
}

impl Handler for GitHub {
    fn name(&self) -> &'static str {
        "github"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        let (host, page) = self.page(url)?;
        let base = match &self.api {
            Some(api) if host == PUBLIC_HOST => Some(api.clone()),
            _ => self.enterprise(&host),
        };
        let forge = Forge::new(&host, &page.owner, &page.repo, base.as_deref());
        if !forge.is_public() && matches!(page.route, Route::Wiki(_)) {
            return None;
        }
        Some(found(service, &forge, page.route, url.fragment()))
    }
}

impl GitHub {
    /// The base of the API of a host of Enterprise whose scheme was set.
    fn enterprise(&self, host: &str) -> Option<String> {
        let mut known = self
            .hosts
            .iter()
            .filter_map(|known| known.split_once("://"));
        let (scheme, _) = known.find(|(_, name)| name.eq_ignore_ascii_case(host))?;
        Some(format!("{scheme}://{host}/api/v3"))
    }

    /// The host of a page with what it shows. The host of a gist is that of its API.
    fn page(&self, url: &Url) -> Option<(String, Page)> {
        let name = url.host_str()?.to_ascii_lowercase();
        match (name.as_str(), url.port()) {
            ("github.com" | "www.github.com", None) => {
                Some((PUBLIC_HOST.to_owned(), address::page(url)?))
            }
            ("gist.github.com", None) => Some((PUBLIC_HOST.to_owned(), address::gist(url)?)),
            _ if self.hosts.is_empty() => None,
            (_, port) => {
                let host = port.map_or_else(|| name.clone(), |port| format!("{name}:{port}"));
                let is_known = |known: &String| name_of(known).eq_ignore_ascii_case(&host);
                self.hosts.iter().find(|known| is_known(known))?;
                let page = address::page(url)?;
                Some((host, page))
            }
        }
    }
}

/// The name of a host of Enterprise, without its scheme.
fn name_of(host: &str) -> &str {
    host.split_once("://").map_or(host, |(_, name)| name)
}

fn found(
    service: &mut dyn Service,
    forge: &Forge,
    route: Route,
    fragment: Option<&str>,
) -> Result<Found, Fault> {
    let place = |segments| Place {
        forge,
        segments,
        fragment,
    };
    let page = match route {
        Route::Blob(segments) => return files::blob(service, place(&segments)),
        Route::Tree(segments) => return files::tree(service, place(&segments)),
        Route::Wiki(name) => return pages::wiki(service, forge, &name),
        Route::Gist(revision) => return pages::gist(service, forge, revision.as_deref()),
        Route::Repository => pages::repository(service, forge),
        Route::Commit(sha) => commits::commit(service, forge, &sha),
        Route::Commits(segments, page) => commits::commits(service, forge, &segments, page),
        Route::Compare(spec) => commits::compare(service, forge, &spec),
        Route::List(kind, filter) => list::list(service, forge, kind, &filter),
        Route::Search(kind, q, page) => list::search(service, forge, (kind, &q), page),
        Route::Thread(kind, number, comments) => {
            let ask = Ask {
                kind,
                number,
                comments,
                links: Links::Site,
            };
            let page = thread(service, forge, &ask).map(super::thread::Thread::page);
            page.map(|page| {
                with_linked(service, forge, page, (number, fragment.unwrap_or_default()))
            })
        }
        Route::Diff(number) => commits::diff_of_pull(service, forge, number),
        Route::PullCommits(number, page) => commits::of_pull(service, forge, number, page),
        Route::Releases(page) => pages::releases(service, forge, page),
        Route::Release(tag) => pages::release(service, forge, tag.as_deref()),
        Route::Run(id) => pages::run(service, forge, id),
    };
    page.map(Found::Page)
}

/// Adds the comment that the fragment names, if it is on another page of comments.
fn with_linked(
    service: &mut dyn Service,
    forge: &Forge,
    mut page: crate::handler::Page,
    linked: (u64, &str),
) -> crate::handler::Page {
    match comments::linked(service, forge, linked, &page.markdown) {
        None => {}
        Some(Ok(section)) => {
            page.markdown.push('\n');
            page.markdown.push_str(&section);
            page.notes
                .push("the last comment is the one that the fragment names".to_owned());
        }
        Some(Err(fault)) => page.notes.push(format!(
            "the comment that the fragment names is left out: {fault}"
        )),
    }
    page
}
