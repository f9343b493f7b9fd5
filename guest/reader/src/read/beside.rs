//! Other forms of a web page, and what it links to.
//!
//! A page that declares a Markdown form is shown in that form, and a page without text of its own is
//! shown as its feed. If a page has few words, the Markdown at its address with `.md`, the only document
//! to which it links, or the `llms.txt` of the site is shown after it. Only servers of the same site are
//! asked. The reply says what was tried.

use super::content::{Context, Walk};
use super::reading::Reading;
use crate::answer::Body;
use crate::encoding;
use crate::limits;
use crate::pages::Input;
use crate::path::Lines;
use crate::request::Request;
use crate::sniff;
use crate::subject::Subject;
use crate::units::thousands;
use crate::web::{Budget, Facts, Fetched, Method, fetch_beside};
use crate::world::World;
use omniread_markup::html::{AlternateKind, Links};
use omniread_markup::{feed, word_count};
use url::Url;

/// Another form of a page, or what it links to.
pub struct Beside {
    /// How it was found.
    pub method: Method,
    /// Its text.
    pub text: String,
    /// Whether it is shown instead of the page, and not after it.
    pub replaces: bool,
}

/// Finds another form of a page, or what it links to, if that has more text than the page. Adds notes on
/// what was tried.
pub fn find(links: &Links, reading: &mut Reading<'_>) -> Option<Beside> {
    let Reading {
        subject,
        selector,
        request,
        walk,
        world,
        web,
        ..
    } = reading;
    let (facts, notes) = (subject.page()?, &mut web.notes);
    let url = Url::parse(&facts.final_url).ok()?;
    if let Some(target) = links.refresh.as_deref().and_then(|it| Url::parse(it).ok()) {
        notes.push(format!("a browser goes on to `{target}`"));
    }
    let mut search = Search {
        url,
        is_fresh: facts.is_fresh,
        is_later: request.is_later() || selector.lines != Lines::All,
        budget: facts.budget,
        words: links.words,
        request,
        walk: *walk,
        world: &mut **world,
        tried: Vec::new(),
        notes,
    };
    let mut found = search.alternate(links, facts);
    if found.is_none() && search.words < limits::FEW_WORDS {
        found = search
            .suffixed()
            .or_else(|| search.linked(links))
            .or_else(|| search.llms());
        if found.is_none() {
            search.name_feed(links);
        }
    }
    if !search.tried.is_empty() {
        let tried = format!("tried {}", search.tried.join(", "));
        search.notes.push(tried);
    }
    found
}

/// A text at another address.
struct Other {
    text: String,
    /// What its server states about it.
    stated: Vec<String>,
}

struct Search<'a> {
    /// The URL of the page.
    url: Url,
    is_later: bool,
    is_fresh: bool,
    budget: Budget,
    /// The number of words of the page.
    words: usize,
    request: &'a Request,
    walk: Walk,
    world: &'a mut dyn World,
    /// The addresses without a better text, each with the reason.
    tried: Vec<String>,
    notes: &'a mut Vec<String>,
}

impl Search<'_> {
    /// The form of the page that the page declares.
    fn alternate(&mut self, links: &Links, facts: &Facts) -> Option<Beside> {
        for alternate in &links.alternates {
            let is_feed = alternate.kind == AlternateKind::Feed;
            if is_feed && self.words > 0 {
                continue;
            }
            let Ok(url) = Url::parse(&alternate.url) else {
                continue;
            };
            if !self.is_same_site(&url) || url.as_str() == facts.final_url {
                continue;
            }
            let Some(Other { text, stated }) = self.text(&url) else {
                continue;
            };
            let text = if is_feed {
                feed::convert(&text, Some(url.as_str())).map(|feed| feed.text)
            } else {
                Some(text)
            };
            let Some(text) = text.filter(|text| word_count(text) > 0) else {
                self.give_up(&url, "no text");
                continue;
            };
            let what = if is_feed { "feed" } else { "Markdown form" };
            self.notes.push(format!(
                "this is the {what} that the page declares, {url}; `:full` shows the page itself"
            ));
            self.notes.extend(stated);
            return Some(Beside {
                method: if is_feed {
                    Method::AlternateFeed
                } else {
                    Method::AlternateMarkdown
                },
                text,
                replaces: true,
            });
        }
        None
    }

    /// Names the feed that a page with few words declares, if it was not requested.
    fn name_feed(&mut self, links: &Links) {
        let mut feeds = links.alternates.iter();
        let feed = feeds.find(|alternate| alternate.kind == AlternateKind::Feed);
        let Some(url) = feed.and_then(|feed| Url::parse(&feed.url).ok()) else {
            return;
        };
        if self.words > 0 || !self.is_same_site(&url) {
            self.notes.push(format!("the page declares the feed {url}"));
        }
    }

    /// The Markdown at the address of the page with `.md` after it.
    fn suffixed(&mut self) -> Option<Beside> {
        let path = self.url.path().trim_end_matches('/');
        let stem = match path.rsplit_once('.') {
            Some((stem, "html" | "htm")) => stem,
            // Any other file has no other form.
            Some((_, extension)) if !extension.contains('/') => return None,
            _ => path,
        };
        if stem.is_empty() {
            return None;
        }
        let mut url = self.url.clone();
        url.set_path(&format!("{stem}.md"));
        url.set_query(None);
        let text = self.text(&url)?;
        self.after(&url, Method::MdSuffix, text, "its Markdown form")
    }

    /// The only document to which the page links.
    fn linked(&mut self, links: &Links) -> Option<Beside> {
        let [document] = links.documents.as_slice() else {
            return None;
        };
        let url = Url::parse(document).ok()?;
        if !self.is_same_site(&url) {
            self.notes
                .push(format!("the page links to the document {url}"));
            return None;
        }
        let fetched = self.fetch(&url)?;
        // The rest of a large document takes more requests than a read may send for this.
        if !fetched.content.has_arrived() {
            self.notes
                .push(format!("the page links to the document {url}"));
            return None;
        }
        let stated = fetched.stated();
        let opened = fetched.into_opened(&url);
        let subject = Subject::web(&opened.typed, opened.facts, opened.info);
        let mut request = self.request.clone();
        request.path = url.to_string();
        request.slice = None;
        let mut context = Context {
            request: &request,
            walk: self.walk,
            world: &mut *self.world,
        };
        let read = (self.walk)(opened.source, subject, None, &mut context);
        let answer = match read {
            Ok(answer) => answer,
            Err(failure) => {
                self.give_up(&url, &failure.message);
                return None;
            }
        };
        let (Body::Text(_) | Body::Listing(_) | Body::Database(_), Some(page)) =
            (&answer.body, answer.page())
        else {
            self.notes
                .push(format!("the page links to the document {url}"));
            return None;
        };
        let mut text = page.plain();
        if page.remaining.is_some() {
            text.push_str(&format!("\n\n[The document goes on; read {url}]"));
        }
        let what = "the document to which it links";
        self.after(&url, Method::LinkedDocument, Other { text, stated }, what)
    }

    /// The `llms.txt` of the site.
    fn llms(&mut self) -> Option<Beside> {
        let url = self.url.join("/llms.txt").ok()?;
        let text = self.text(&url)?;
        self.after(&url, Method::LlmsTxt, text, "the `llms.txt` of its site")
    }

    /// A text that is shown after the page.
    fn after(&mut self, url: &Url, method: Method, other: Other, what: &str) -> Option<Beside> {
        let Other { text, stated } = other;
        let words = word_count(&text);
        if words <= self.words {
            self.give_up(url, "no more text than the page");
            return None;
        }
        let few = match self.words {
            0 => "the page has no text".to_owned(),
            1 => "the page has only 1 word".to_owned(),
            few => format!("the page has only {} words", thousands(few as u64)),
        };
        self.notes
            .push(format!("{few}; after it follows {what}, {url}"));
        self.notes.extend(stated);
        Some(Beside {
            method,
            text,
            replaces: false,
        })
    }

    /// The text at an address. `None` if no text arrives, or if it is a web page.
    fn text(&mut self, url: &Url) -> Option<Other> {
        let fetched = self.fetch(url)?;
        let stated = fetched.stated();
        let is_html = fetched.is_html();
        let opened = fetched.into_opened(url);
        let mut source = opened.source;
        let size = opened.info.size;
        let mut input = Input::new(&mut *source, size).ok()?;
        let label = opened.info.charset.as_deref();
        let encoding = label
            .and_then(|label| encoding::of_label(label, input.head()))
            .or_else(|| encoding::detect(&mut input, size, sniff::is_known));
        let Some(encoding) = encoding.filter(|_| input.complete()) else {
            self.give_up(url, "not a text, or too large");
            return None;
        };
        if is_html {
            self.give_up(url, "a web page");
            return None;
        }
        let text = encoding.decoded(input.head(), true);
        Some(Other {
            text: String::from_utf8_lossy(&text).trim_end().to_owned(),
            stated,
        })
    }

    /// The response at an address. `None` if no request is left, or if the server has no such page.
    fn fetch(&mut self, url: &Url) -> Option<Fetched> {
        let (later, fresh) = (self.is_later, self.is_fresh);
        let why = match fetch_beside(url, later, fresh, &mut self.budget, self.world)? {
            Ok(fetched) if fetched.head.status < 400 => return Some(fetched),
            Ok(fetched) => format!("status {}", fetched.head.status),
            Err(unanswered) => unanswered.failure.error.to_string(),
        };
        self.give_up(url, &why);
        None
    }

    fn give_up(&mut self, url: &Url, why: &str) {
        self.tried.push(format!("{url} ({why})"));
    }

    /// Whether an address is on a server of the same site: the same host, or one below the other, with
    /// the same scheme and port. A page must not decide that a token is sent without encryption.
    fn is_same_site(&self, other: &Url) -> bool {
        if other.scheme() != self.url.scheme()
            || other.port_or_known_default() != self.url.port_or_known_default()
        {
            return false;
        }
        let host = |url: &Url| {
            let host = url.host_str().unwrap_or_default();
            host.strip_prefix("www.").unwrap_or(host).to_owned()
        };
        let (own, other) = (host(&self.url), host(other));
        let below = |inner: &str, outer: &str| {
            inner
                .strip_suffix(outer)
                .is_some_and(|rest| rest.ends_with('.'))
        };
        own == other || below(&own, &other) || below(&other, &own)
    }
}
