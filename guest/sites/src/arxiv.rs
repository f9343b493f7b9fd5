//! arXiv: the abstract of an article is read from the API. The forms HTML and PDF are what they are.
//!
//! The API is described in <https://info.arxiv.org/help/api/user-manual.html>.

use crate::address::is_at;
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::html::{attribute, elements, unescape};
use crate::limits;
use crate::service::{Fault, Request, Service};
use crate::text::{block, line};
use crate::writer::{Writer, date};
use url::Url;

/// Abstracts.
pub struct Arxiv;

impl Handler for Arxiv {
    fn name(&self) -> &'static str {
        "arxiv"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        if !is_at(url, &["arxiv.org", "www.arxiv.org", "export.arxiv.org"]) {
            return None;
        }
        let id = url.path().strip_prefix("/abs/")?.trim_end_matches('/');
        Some(article(&Id::of(id)?, service))
    }
}

/// The identifier of an article (<https://info.arxiv.org/help/arxiv_identifier.html>).
struct Id<'a> {
    /// Without the version: `2401.00001` or `math.GT/0309136`.
    article: &'a str,
    version: Option<&'a str>,
}

impl<'a> Id<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (article, version) = match text.rsplit_once('v') {
            Some((article, version)) if !version.is_empty() && is_digits(version) => {
                (article, Some(version))
            }
            _ => (text, None),
        };
        let is_new = article.split_once('.').is_some_and(|(month, number)| {
            month.len() == 4
                && is_digits(month)
                && matches!(number.len(), 4 | 5)
                && is_digits(number)
        });
        let is_old = article.split_once('/').is_some_and(|(archive, number)| {
            let is_name = archive
                .chars()
                .all(|c| c.is_ascii_alphabetic() || c == '-' || c == '.');
            !archive.is_empty() && is_name && number.len() == 7 && is_digits(number)
        });
        (is_new || is_old).then_some(Self { article, version })
    }

    /// The identifier with its version.
    fn whole(&self) -> String {
        match self.version {
            Some(version) => format!("{}v{version}", self.article),
            None => self.article.to_owned(),
        }
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit())
}

/// The abstract of an article.
fn article(id: &Id<'_>, service: &mut dyn Service) -> Result<Found, Fault> {
    let url = format!("https://export.arxiv.org/api/query?id_list={}", id.whole());
    let accept = "application/atom+xml";
    let reply = service.get(&Request { url: &url, accept })?;
    let text = reply.text();
    if !text.contains("<feed") {
        let mime = reply.mime.as_deref().unwrap_or("an unknown type");
        return Err(Fault::Wrong(format!("{} instead of Atom", line(mime, 60))));
    }
    let Some((_, entry)) = elements(&text, "entry").into_iter().next() else {
        return Err(Fault::Missing(format!(
            "https://arxiv.org/abs/{}",
            id.whole()
        )));
    };
    let one = |name: &str| {
        let (_, content) = elements(entry, name).into_iter().next()?;
        let text = line(&unescape(content), limits::TEXT_BYTES);
        (!text.is_empty()).then_some(text)
    };
    let found = one("id").unwrap_or_default();
    let found = found.split_once("/abs/").map(|(_, id)| id.to_owned());
    let is_same = found.as_deref().and_then(Id::of).is_some_and(|it| {
        // The class of a subject is not part of old identifiers: `math.GT/0309136` is `math/0309136`.
        let bare = |text: &str| match text.split_once('/') {
            Some((archive, number)) => {
                format!("{}/{number}", archive.split('.').next().unwrap_or_default())
            }
            None => text.to_owned(),
        };
        bare(it.article) == bare(id.article) && (id.version.is_none() || it.version == id.version)
    });
    let Some(found) = found.filter(|_| is_same) else {
        let title = one("title").map(|it| line(&it, 100));
        return Err(fetch::other(&id.whole(), title.as_deref()));
    };

    let mut page = Writer::new(&one("title").unwrap_or_else(|| format!("arXiv {found}")));
    page.fact("arXiv", Some(found.clone()));
    let authors: Vec<String> = elements(entry, "author")
        .into_iter()
        .filter_map(|(_, it)| author(it))
        .collect();
    page.fact("Authors", some(&authors));
    page.fact("Published", date(one("published")));
    page.fact("Updated", date(one("updated")));
    let terms = |name: &str| -> Vec<String> {
        let all = elements(entry, name).into_iter();
        let terms = all.filter_map(|(attributes, _)| attribute(attributes, "term"));
        terms.map(|it| line(&it, limits::LINE_CHARS)).collect()
    };
    page.fact("Primary category", some(&terms("arxiv:primary_category")));
    page.fact("Categories", some(&terms("category")));
    page.fact("Comment", one("arxiv:comment"));
    page.fact("Journal", one("arxiv:journal_ref"));
    page.fact("DOI", one("arxiv:doi"));
    page.fact("HTML", Some(format!("https://arxiv.org/html/{found}")));
    page.fact("PDF", Some(format!("https://arxiv.org/pdf/{found}")));
    if let Some(version) = Id::of(&found).and_then(|it| it.version) {
        let article = id.article;
        page.fact(
            "Versions",
            Some(format!(
                "this is v{version}; https://arxiv.org/abs/{article}v1 is the first"
            )),
        );
    }
    page.section("Abstract");
    page.body(&block(
        &one("summary").unwrap_or_else(|| "The article has no abstract.".to_owned()),
    ));
    Ok(page.page())
}

/// Texts with commas. `None` if there are none.
fn some(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The name of an author, with the affiliation.
fn author(element: &str) -> Option<String> {
    let text = |name: &str| {
        let (_, content) = elements(element, name).into_iter().next()?;
        Some(line(&unescape(content), limits::LINE_CHARS))
    };
    let name = text("name").filter(|it| !it.is_empty())?;
    Some(match text("arxiv:affiliation") {
        Some(place) => format!("{name} ({place})"),
        None => name,
    })
}
