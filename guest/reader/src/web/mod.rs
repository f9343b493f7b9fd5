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
mod ranges;
mod sites;

pub use address::Address;
pub use copy::Mode;
pub use exchange::{Budget, Unanswered};
pub use facts::{Facts, Method, age as age_in_words};
pub use fetch::{Fetched, fetch_beside};
pub use sites::{Requests, enterprise};

use crate::failure::{Failure, Reason, Unreachable};
use crate::world::{Info, Source, World};
use fetch::{Content, Wish};
use omniread_options::GitHubOptions;
use url::Url;

/// An open web address.
pub struct Opened {
    /// The address as the user typed it, without its suffix and its fragment.
    pub typed: String,
    /// The facts about the response.
    pub facts: Facts,
    /// The body.
    pub source: Box<dyn Source>,
    /// The metadata that the server reports.
    pub info: Info,
    /// The text after the URL: a selector or a member.
    pub suffix: Option<String>,
}

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
        return Err(no_network(path));
    };
    let unhandled = match sites::read(&http, &address, is_later, github, world) {
        sites::Handled::Opened(opened) => return Ok(*opened),
        sites::Handled::Failed(why) => Some(why),
        sites::Handled::Unknown => None,
    };
    let mut budget = Budget::NEW;
    let wish = Wish::of(&address, is_later);
    let fetched = fetch::fetch(&http, &address.url, wish, &mut budget, world);
    let mut fetched = fetched.map_err(|unread| failure(unread, path))?;
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

fn opened(address: Address, fetched: Fetched, budget: Budget) -> Opened {
    let Fetched {
        url,
        redirects,
        fragment,
        head,
        content,
        age,
        is_kept,
        mut notes,
    } = fetched;
    let is_empty = matches!(&content, Content::Whole(bytes) if bytes.is_empty());
    let failed = head.status >= 400 || is_empty || matches!(head.status, 204 | 205 | 304);
    let mut all: Vec<String> = facts::redirected(&redirects).into_iter().collect();
    if head.status != 200 {
        all.push(format!("status {}", facts::status(head.status)));
    } else if is_empty {
        all.push("the body is empty".to_owned());
    }
    if matches!(head.status, 429 | 503)
        && let Some(value) = &head.retry_after
    {
        all.extend(facts::retry(value));
    }
    all.extend(facts::stated(&head));
    all.extend(facts::copied(age));
    all.append(&mut notes);
    let name = head.name(&url);
    let mut suffix = address.suffix.clone();
    let mut kept = None;
    // The fragment of a redirect replaces that of the request (RFC 9110, 10.2.2).
    if let Some(id) = fragment.or_else(|| address.fragment.clone()) {
        match section(&id, &name, &head, &content, suffix.as_deref()) {
            Section::Suffix(of_id, is_section) => {
                kept = is_section.then_some(id);
                suffix = Some(of_id);
            }
            Section::Whole => {}
            Section::Ignored => all.push(format!("`#{id}` was ignored: this is not a web page")),
        }
    }
    let info = Info {
        size: content.size(),
        modified: None,
        mime: head.mime(),
        charset: head.charset(),
    };
    Opened {
        typed: address.typed,
        facts: Facts {
            url: address.url.into(),
            final_url: url.into(),
            redirects,
            status: head.status,
            content_type: head.content_type,
            name,
            fragment: kept,
            is_fresh: address.fresh,
            is_kept,
            age,
            failed,
            method: None,
            notes: all,
            budget,
        },
        source: content.source(),
        info,
        suffix,
    }
}

/// What the fragment of an address selects.
enum Section {
    /// The suffix, and whether it selects a section of a web page.
    Suffix(String, bool),
    /// Everything, because the suffix requests that.
    Whole,
    /// Nothing, because the content has no sections.
    Ignored,
}

fn section(
    id: &str,
    name: &str,
    head: &head::Head,
    content: &Content,
    suffix: Option<&str>,
) -> Section {
    if crate::path::ends_in(name, &["pdf"]) {
        // RFC 8118, 3.
        let page = id
            .strip_prefix("page=")
            .and_then(|page| page.parse::<u32>().ok());
        let Some(page) = page.filter(|page| *page > 0) else {
            return Section::Ignored;
        };
        let selector = format!("page:{page}");
        return match suffix {
            None => Section::Suffix(selector, false),
            // Lines of the page.
            Some(lines) if is_lines(lines) => Section::Suffix(format!("{selector}:{lines}"), false),
            Some(_) => Section::Ignored,
        };
    }
    if !content.is_html(name, head) {
        return Section::Ignored;
    }
    let lines = match suffix {
        None | Some("") => String::new(),
        Some(lines) => {
            let selector = crate::path::Selector::parse(lines).ok().flatten();
            match selector {
                Some(it) if it.part == crate::path::Part::Whole && !it.raw => format!(":{lines}"),
                _ => return Section::Whole,
            }
        }
    };
    let decoded = percent_encoding::percent_decode_str(id).decode_utf8();
    let id = decoded.unwrap_or_else(|_| id.into());
    Section::Suffix(format!("#{id}{lines}"), true)
}

/// Whether a suffix selects lines or the exact text.
fn is_lines(suffix: &str) -> bool {
    use crate::path::{Part, Selector};
    let selector = Selector::parse(suffix).ok().flatten();
    selector.is_some_and(|it| it.part == Part::Whole)
}

/// The failure for a path if there is no network.
fn no_network(path: &str) -> Failure {
    let error =
        crate::failure::NetworkError::Refused("this reader has no network access".to_owned());
    let message = format!("cannot read `{path}`: {error}");
    let unreachable = Unreachable {
        url: path.to_owned(),
        error,
    };
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
