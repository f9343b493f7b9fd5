//! Better forms of pages, from the handlers of sites.
//!
//! A handler knows other URLs of a service. Requests to them are those of the reader: the host decides what may
//! be reached, a header is sent to its own host only, and the session keeps copies.

use super::address::Address;
use super::copy::Mode;
use super::exchange::{Budget, Unanswered};
use super::facts::{self, Facts, Method};
use super::fetch::{Content, Fetched, Wish, fetch};
use super::opened::{Opened, opened};
use super::share::Share;
use crate::limits;
use crate::path::{Part, View};
use crate::world::{Bytes, Http, Info, RequestFailure, World};
use omniread_markup::html::{Extent, Options};
use omniread_options::GitHubOptions;
use omniread_sites::{Fault, Found, Page, Reply, Request, Service, Settings};
use std::rc::Rc;
use url::Url;

/// Requests to a service, as the reader sends them.
pub struct Requests<'w> {
    http: Rc<dyn Http>,
    /// The requests for a file in place of the page.
    files: Rc<dyn Http>,
    budget: Budget,
    /// Whether copies of the session are used without a request.
    copies: bool,
    fresh: bool,
    /// The age in seconds of the oldest copy that was used.
    age: Option<u64>,
    /// The URL that was not reached, and why.
    unreached: Option<(String, RequestFailure)>,
    /// What the read wants of the page, and so of a file in its place.
    wish: Wish,
    /// A file whose start a handler has seen.
    peeked: Option<Peeked>,
    world: &'w mut dyn World,
}

/// A file whose start a handler has seen.
struct Peeked {
    url: Url,
    accept: &'static str,
    fetched: Fetched,
}

/// What the handlers say of an address.
pub enum Handled {
    /// No handler knows it.
    Unknown,
    /// The content.
    Opened(Box<Opened>),
    /// The handler failed: why, for a note.
    Failed(String),
}

/// Reads an address with the handler of its site, if there is one.
///
/// The exact body and the whole page are those of the page itself. `is_later` is true if arguments request lines
/// after the first page.
pub fn read(
    http: &Rc<dyn Http>,
    address: &Address,
    is_later: bool,
    github: &GitHubOptions,
    world: &mut dyn World,
) -> Handled {
    let selector = address.selector();
    let is_exact = |selector: &crate::path::Selector| {
        selector.raw || matches!(selector.part, Part::Converted(View::Full))
    };
    if selector.as_ref().is_some_and(is_exact) {
        return Handled::Unknown;
    }
    let wish = Wish::of(address, is_later);
    // The page itself is read if the handler fails, and needs a part of the time.
    let share = Share::new(http);
    let files: Rc<dyn Http> = Rc::new(share.of_file());
    let shared: Rc<dyn Http> = Rc::new(share);
    let mut requests = Requests::new(&shared, wish, world);
    requests.files = files;
    let (github_api, host) = match github.api.as_deref() {
        Some(api) => match enterprise(api) {
            Some(host) => {
                let scheme = api.split_once("://").map_or("https", |(scheme, _)| scheme);
                (None, Some(format!("{scheme}://{host}")))
            }
            None => (Some(api.to_owned()), None),
        },
        None => (None, None),
    };
    let settings = Settings {
        github_api,
        github_hosts: host.into_iter().collect(),
    };
    let mut url = address.url.clone();
    url.set_fragment(address.fragment.as_deref());
    let Some((name, found)) = omniread_sites::read(&url, &settings, &mut requests) else {
        return Handled::Unknown;
    };
    let failed = |why: &str| Handled::Failed(format!("the handler `{name}` was not used: {why}"));
    match found {
        Ok(Found::Page(_)) if address.has_member => {
            failed("the path names a member, and the page is a text")
        }
        Ok(Found::Page(page)) => {
            let (age, budget) = (requests.age, requests.budget);
            Handled::Opened(Box::new(of_page(address, name, page, (age, budget))))
        }
        Ok(Found::File { url, accept, notes }) => match requests.file(&url, accept) {
            Ok(fetched) => {
                let mut of_file = address.clone();
                of_file.fragment = url.fragment().map(str::to_owned);
                let budget = requests.budget;
                let mut opened = opened(of_file, fetched, budget);
                opened.facts.method = Some(Method::Handler(name));
                opened.facts.notes.extend(notes);
                // An API labels each file as its own type. The name and the bytes say more.
                if opened.info.mime.as_deref().is_some_and(is_of_api) {
                    opened.info.mime = Some("text/plain".to_owned());
                }
                Handled::Opened(Box::new(opened))
            }
            Err(fault) => failed(&fault.to_string()),
        },
        Err(fault) => failed(&fault.to_string()),
    }
}

/// The host of GitHub Enterprise in the address of its API, `https://HOST/api/v3`.
pub fn enterprise(api: &str) -> Option<&str> {
    let host = api.trim_end_matches('/').strip_suffix("/api/v3")?;
    let host = host.split_once("://").map_or(host, |(_, host)| host);
    Some(host).filter(|host| !host.contains('/'))
}

fn is_of_api(mime: &str) -> bool {
    mime.starts_with("application/vnd.github")
}

/// A page that a handler wrote, as the response for an address. `state` is the age of the oldest copy that was
/// used, and the requests that are left.
fn of_page(
    address: &Address,
    handler: &'static str,
    page: Page,
    (age, budget): (Option<u64>, Budget),
) -> Opened {
    let mut notes = page.notes;
    notes.extend(facts::copied(age));
    let info = Info {
        size: Some(page.markdown.len() as u64),
        modified: None,
        mime: Some("text/markdown".to_owned()),
        charset: Some("utf-8".to_owned()),
    };
    Opened {
        typed: address.typed.clone(),
        facts: Facts {
            url: address.url.to_string(),
            final_url: address.url.to_string(),
            redirects: Vec::new(),
            status: 200,
            content_type: Some("text/markdown".to_owned()),
            name: "page.md".to_owned(),
            fragment: None,
            is_fresh: address.fresh,
            is_kept: true,
            age,
            failed: false,
            method: Some(Method::Handler(handler)),
            notes,
            budget,
        },
        source: Box::new(Bytes::new(page.markdown.into_bytes())),
        info,
        suffix: address.suffix.clone(),
    }
}

impl<'w> Requests<'w> {
    /// Requests of one read. `wish` is what it wants of the page.
    fn new(http: &Rc<dyn Http>, wish: Wish, world: &'w mut dyn World) -> Self {
        Self {
            http: Rc::clone(http),
            files: Rc::clone(http),
            budget: Budget {
                requests: limits::SERVICE_REQUESTS,
                redirects: limits::REDIRECTS,
            },
            copies: wish.copy,
            fresh: wish.fresh,
            age: None,
            unreached: None,
            wish,
            peeked: None,
            world,
        }
    }

    /// Requests to the API of a service. `copies` states whether copies of the session are used without a request,
    /// and `fresh` that none is.
    pub fn of_api(
        http: &Rc<dyn Http>,
        copies: bool,
        fresh: bool,
        world: &'w mut dyn World,
    ) -> Self {
        let wish = Wish {
            mode: Mode::Plain,
            copy: copies,
            fresh,
            parts: false,
        };
        Self::new(http, wish, world)
    }

    /// The same without requests: only copies of the session answer.
    #[must_use]
    pub fn without_network(mut self) -> Self {
        self.budget.requests = 0;
        self.copies = true;
        self
    }

    /// The age in seconds of the oldest copy that was used. `None` if none was.
    pub fn age(&self) -> Option<u64> {
        self.age
    }

    /// The URL that was not reached last, and why.
    pub fn unreached(&self) -> Option<(&str, &RequestFailure)> {
        let (url, failure) = self.unreached.as_ref()?;
        Some((url, failure))
    }

    /// Fetches a file of a service, unless a handler has seen its start already.
    fn file(&mut self, url: &Url, accept: &'static str) -> Result<Fetched, Fault> {
        let mut plain = url.clone();
        plain.set_fragment(None);
        match self.peeked.take() {
            Some(peeked) if peeked.url == plain && peeked.accept == accept => {
                return Ok(peeked.fetched);
            }
            _ => {}
        }
        let wish = Wish {
            mode: Mode::Api(accept),
            ..self.wish
        };
        let fetched = fetch(&self.files, &plain, wish, &mut self.budget, self.world);
        let fetched = fetched.map_err(|unanswered| self.fault_of(unanswered))?;
        self.check(url, &fetched)?;
        Ok(fetched)
    }

    fn fault_of(&mut self, unanswered: Unanswered) -> Fault {
        let Unanswered { url, failure, .. } = unanswered;
        let fault = Fault::Unanswered(failure.to_string());
        self.unreached = Some((url, failure));
        fault
    }

    /// Fails if a reply states that there is no content.
    fn check(&mut self, url: &Url, fetched: &Fetched) -> Result<(), Fault> {
        let head = &fetched.head;
        let host = url.host_str().unwrap_or_default();
        match head.status {
            200..=299 => Ok(()),
            // GitHub states its second limit by `Retry-After` alone.
            403 | 429
                if head.status == 429
                    || head.rate_reset.is_some()
                    || head.retry_after.is_some() =>
            {
                let wait = head
                    .retry_after
                    .as_deref()
                    .and_then(|it| it.parse::<u64>().ok());
                let after = wait.map(|wait| self.world.now().seconds.saturating_add(wait));
                Err(Fault::Limited(after.or(head.rate_reset)))
            }
            401 | 403 => Err(Fault::Refused(host.to_owned())),
            404 | 410 => Err(Fault::Missing(url.to_string())),
            status => Err(Fault::Failed(status)),
        }
    }

    /// Requests a URL. `errors` states whether a reply with status 400 is one.
    fn request(&mut self, request: &Request<'_>, errors: bool) -> Result<Reply, Fault> {
        let Ok(url) = Url::parse(request.url) else {
            return Err(wrong_address());
        };
        let wish = Wish {
            mode: Mode::Api(request.accept),
            copy: self.copies,
            fresh: self.fresh,
            parts: false,
        };
        if self.budget.requests == 0 && !(self.copies && is_kept(&wish, &url, self.world)) {
            let most = limits::SERVICE_REQUESTS;
            return Err(Fault::Unanswered(format!(
                "a read sends at most {most} requests to a service"
            )));
        }
        let fetched = fetch(&self.http, &url, wish, &mut self.budget, self.world);
        let fetched = fetched.map_err(|unanswered| self.fault_of(unanswered))?;
        if !(errors && fetched.head.status == 400) {
            self.check(&url, &fetched)?;
        }
        self.age = self.age.max(fetched.age);
        if !fetched.notes.is_empty() {
            return Err(Fault::Unanswered(fetched.notes.join("; ")));
        }
        let Content::Whole(body) = fetched.content else {
            return Err(Fault::TooLarge(limits::WHOLE_BYTES));
        };
        Ok(Reply {
            url: fetched.url.to_string(),
            mime: fetched.head.mime(),
            has_next: fetched.head.has_next,
            body,
        })
    }
}

impl Service for Requests<'_> {
    fn get(&mut self, request: &Request<'_>) -> Result<Reply, Fault> {
        self.request(request, false)
    }

    fn get_with_errors(&mut self, request: &Request<'_>) -> Result<Reply, Fault> {
        self.request(request, true)
    }

    fn peek(&mut self, request: &Request<'_>) -> Result<Reply, Fault> {
        let Ok(url) = Url::parse(request.url) else {
            return Err(wrong_address());
        };
        let fetched = self.file(&url, request.accept)?;
        let start = fetched.content.start();
        let reply = Reply {
            url: fetched.url.to_string(),
            mime: fetched.head.mime(),
            has_next: fetched.head.has_next,
            body: start.get(..limits::PEEKED_BYTES).unwrap_or(start).to_vec(),
        };
        self.peeked = Some(Peeked {
            url,
            accept: request.accept,
            fetched,
        });
        Ok(reply)
    }

    fn markdown(&mut self, html: &str, base: &str) -> String {
        let options = Options {
            extent: Extent::Full,
            url: Some(base),
        };
        // Only a section that is requested can be missing.
        omniread_markup::html::page(html, &options).map_or_else(|_| String::new(), |page| page.text)
    }

    fn now(&mut self) -> u64 {
        self.world.now().seconds
    }
}

fn wrong_address() -> Fault {
    Fault::Wrong("an address that is not valid".to_owned())
}

/// Whether the session has a copy that answers a request.
fn is_kept(wish: &Wish, url: &Url, world: &mut dyn World) -> bool {
    !wish.fresh && super::copy::find(wish.mode, url, world).is_some()
}
