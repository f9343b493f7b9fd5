//! Wikipedia in all languages: articles are answered from the parser of `MediaWiki`, without the frame of the page.
//!
//! The API is described in <https://www.mediawiki.org/wiki/API:Parsing_wikitext> and
//! <https://en.wikipedia.org/w/api.php?action=help&modules=parse>. `mobileformat` leaves out the boxes with links
//! to related articles; infoboxes, tables and references stay.

use crate::address::{decode, encode, is_number, parameter};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::html::plain;
use crate::limits;
use crate::service::{Fault, Service};
use crate::text::line;
use crate::value::Fields;
use crate::writer::Writer;
use serde_json::Value;
use url::Url;

/// Articles.
pub struct Wikipedia;

impl Handler for Wikipedia {
    fn name(&self) -> &'static str {
        "wikipedia"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        let article = Article::of(url)?;
        Some(article.read(service))
    }
}

/// The name of a page in the query of the API.
enum Name {
    Title(String),
    Page(u64),
    Revision(u64),
}

/// An article.
struct Article {
    /// The language, as in the name of the host.
    language: String,
    name: Name,
    /// Whether redirects are followed.
    is_redirected: bool,
    /// The id of a section.
    section: Option<String>,
}

/// Prefixes of titles that are pages of text as articles are. All others that end in a colon without a space are
/// lists and forms that the parser does not have, such as those of files and categories.
const NAMESPACES: &[&str] = &["draft", "help", "portal", "project", "wikipedia", "wp"];

/// Parameters of the query that request something else than the article.
const OTHERS: &[&str] = &[
    "action",
    "diff",
    "printable",
    "search",
    "section",
    "type",
    "variant",
    "veaction",
];

impl Article {
    /// The article at a URL.
    fn of(url: &Url) -> Option<Self> {
        let host = url.host_str().filter(|_| url.port().is_none())?;
        let language = host.strip_suffix(".wikipedia.org")?;
        let language = language.strip_suffix(".m").unwrap_or(language);
        let is_name = language
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !is_name || matches!(language, "" | "www" | "m") {
            return None;
        }
        if OTHERS.iter().any(|it| parameter(url, it).is_some()) {
            return None;
        }
        let title = match url.path().strip_prefix("/wiki/") {
            Some(title) => Some(decode(title)),
            None if matches!(url.path(), "/w/index.php" | "/" | "/wiki") => parameter(url, "title"),
            None => return None,
        };
        let title = title.map(|it| line(&it.replace('_', " "), limits::LINE_CHARS));
        let title = title.filter(|it| !it.is_empty());
        if title.as_deref().is_some_and(|it| !is_article(it)) {
            return None;
        }
        let number = |name: &str| {
            parameter(url, name)
                .filter(|it| is_number(it))?
                .parse()
                .ok()
        };
        let name = match (number("oldid"), number("curid"), title) {
            (Some(revision), _, _) => Name::Revision(revision),
            (None, Some(page), _) => Name::Page(page),
            (None, None, Some(title)) => Name::Title(title),
            (None, None, None) => return None,
        };
        let section = url.fragment().map(decode).filter(|it| !it.is_empty());
        let is_redirected = parameter(url, "redirect").is_none_or(|it| it != "no");
        Some(Self {
            language: language.to_owned(),
            name,
            is_redirected,
            section,
        })
    }

    /// The article, or one section of it.
    fn read(&self, service: &mut dyn Service) -> Result<Found, Fault> {
        let mut note = None;
        if let Some(id) = &self.section {
            let facts = self.parse("revid|sections|displaytitle|properties", "", service)?;
            let sections = facts.list("sections").iter();
            let mut numbers = sections.filter(|it| it.line("anchor").as_deref() == Some(id));
            let section = numbers
                .next()
                .and_then(|it| it.line("index"))
                .filter(|it| is_number(it));
            if let Some(number) = section {
                let more = format!("&section={number}");
                let reply = self.parse("text|revid|displaytitle|properties", &more, service)?;
                let id = line(id, limits::LINE_CHARS);
                let note = format!(
                    "Only the section `#{id}` is shown. The URL without it is the whole article."
                );
                return self.page(&reply, Some(note), service);
            }
            let id = line(id, limits::LINE_CHARS);
            note = Some(format!(
                "There is no section `#{id}`: the whole article is shown."
            ));
        }
        let reply = self.parse("text|revid|displaytitle|properties", "", service)?;
        self.page(&reply, note, service)
    }

    /// The reply of the parser.
    fn parse(&self, props: &str, more: &str, service: &mut dyn Service) -> Result<Value, Fault> {
        let name = match &self.name {
            Name::Title(title) => format!("page={}", encode(title)),
            Name::Page(number) => format!("pageid={number}"),
            Name::Revision(number) => format!("oldid={number}"),
        };
        let redirects = match &self.name {
            Name::Title(_) | Name::Page(_) if self.is_redirected => "&redirects=1",
            _ => "",
        };
        let url = format!(
            "https://{}.wikipedia.org/w/api.php?action=parse&format=json&formatversion=2&{name}{redirects}&prop={}\
             &disableeditsection=1&disablelimitreport=1&disabletoc=1&mobileformat=1{more}",
            self.language,
            props.replace('|', "%7C"),
        );
        let mut reply = fetch::object(service, &url)?;
        if let Some(code) = reply.line("error.code") {
            return Err(match code.as_str() {
                "missingtitle" | "nosuchpageid" | "nosuchrevid" => Fault::Missing(url),
                "ratelimited" | "maxlag" => Fault::Limited(None),
                _ => Fault::Wrong(format!("the error `{code}`")),
            });
        }
        let parse = reply.get_mut("parse").map(Value::take).unwrap_or_default();
        if parse.is_object() {
            Ok(parse)
        } else {
            Err(fetch::other_type(&parse))
        }
    }

    /// The page of a reply.
    fn page(
        &self,
        reply: &Value,
        note: Option<String>,
        service: &mut dyn Service,
    ) -> Result<Found, Fault> {
        let title = self.check(reply)?;
        let text = reply.at("text");
        // Older versions of the format have the text in a field.
        let text = text.and_then(|it| it.as_str().or_else(|| it.get("*")?.as_str()));
        let Some(text) = text.filter(|it| !it.trim().is_empty()) else {
            return Err(Fault::Wrong("an article without a text".to_owned()));
        };
        let shown = reply
            .line("displaytitle")
            .map(|it| plain(&it))
            .filter(|it| !it.trim().is_empty());
        let mut page = Writer::new(&shown.unwrap_or_else(|| title.clone()));
        for redirect in reply.list("redirects").iter().take(limits::FILES) {
            if let (Some(from), Some(to)) = (redirect.line("from"), redirect.line("to")) {
                page.note(format!("“{from}” is a redirect to “{to}”."));
            }
        }
        if reply
            .get("properties")
            .is_some_and(|it| it.get("disambiguation").is_some())
        {
            page.note("This page lists articles with similar titles.".to_owned());
        }
        if let (Name::Title(_) | Name::Page(_), Some(revision)) =
            (&self.name, reply.number("revid"))
        {
            let language = &self.language;
            page.note(format!(
                "Revision: https://{language}.wikipedia.org/w/index.php?oldid={revision}"
            ));
        }
        if let Some(note) = note {
            page.note(note);
        }
        let base = format!(
            "https://{}.wikipedia.org/wiki/{}",
            self.language,
            encode(&title.replace(' ', "_"))
        );
        page.article(&service.markdown(text, &base));
        Ok(page.page())
    }

    /// The title of a reply about the page that was requested.
    fn check(&self, reply: &Value) -> Result<String, Fault> {
        let title = reply.line("title");
        let is_same = match &self.name {
            Name::Title(wanted) => {
                let redirects = reply.list("redirects").iter();
                let mut names = redirects
                    .filter_map(|it| it.line("from"))
                    .chain(title.clone());
                names.any(|it| same_title(&it, wanted))
            }
            Name::Page(wanted) => {
                let has_redirects = !reply.list("redirects").is_empty();
                has_redirects || reply.number("pageid") == Some(*wanted)
            }
            Name::Revision(wanted) => reply.number("revid") == Some(*wanted),
        };
        match title {
            Some(title) if is_same => Ok(title),
            title => {
                let wanted = match &self.name {
                    Name::Title(wanted) => wanted.clone(),
                    Name::Page(number) | Name::Revision(number) => number.to_string(),
                };
                Err(fetch::other(&wanted, title.as_deref()))
            }
        }
    }
}

/// Whether a title is that of an article or a page like it. `2001: A Space Odyssey` is one.
fn is_article(title: &str) -> bool {
    match title.split_once(':') {
        Some((prefix, rest)) if !rest.starts_with(' ') => {
            NAMESPACES.contains(&prefix.trim().to_lowercase().as_str())
        }
        _ => true,
    }
}

/// Whether two titles may be those of one page: the first letter and the namespace have no case.
fn same_title(a: &str, b: &str) -> bool {
    let plain = |text: &str| text.replace('_', " ").trim().to_lowercase();
    let (a, b) = (plain(a), plain(b));
    // The short name of a namespace is replaced by its long one. A space after a colon is not that of a namespace.
    let bare = |text: &str| {
        let (_, rest) = text.split_once(':')?;
        (!rest.starts_with(' ')).then(|| rest.to_owned())
    };
    a == b || (bare(&a).is_some() && bare(&a) == bare(&b))
}
