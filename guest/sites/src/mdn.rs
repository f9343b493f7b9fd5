//! MDN: a document is read from its `index.json`, which has the sections of the page without its frame.
//!
//! The format is described in <https://github.com/mdn/yari/blob/main/libs/types/document.ts>.

use crate::address::{encode, is_at, parts, segments};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::html::plain;
use crate::limits;
use crate::service::{Fault, JSON, Request, Service};
use crate::text::line;
use crate::value::Fields;
use crate::writer::{Writer, date};
use serde_json::Value;
use url::Url;

/// Documents.
pub struct Mdn;

const SITE: &str = "https://developer.mozilla.org";

impl Handler for Mdn {
    fn name(&self) -> &'static str {
        "mdn"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        if !is_at(url, &["developer.mozilla.org"]) {
            return None;
        }
        let segments = segments(url);
        let (language, path) = match parts(&segments).as_slice() {
            // The service chooses the language by the request.
            ["docs", path @ ..] => ("en-US", path.join("/")),
            [language, "docs", path @ ..] => (*language, path.join("/")),
            _ => return None,
        };
        // The parts of a document, such as its data and its images.
        let is_file = matches!(
            path.rsplit('.').next(),
            Some("json" | "md" | "png" | "svg" | "jpg")
        );
        if path.is_empty() || is_file {
            return None;
        }
        let path: Vec<String> = path.split('/').map(encode).collect();
        let path = format!("/{language}/docs/{}", path.join("/"));
        Some(document(
            &path,
            url.fragment().filter(|it| !it.is_empty()),
            service,
        ))
    }
}

/// The page of a document, or one section of it.
fn document(path: &str, section: Option<&str>, service: &mut dyn Service) -> Result<Found, Fault> {
    let url = format!("{SITE}{path}/index.json");
    let reply = service.get(&Request {
        url: &url,
        accept: JSON,
    })?;
    let value = fetch::fields(&reply, &["doc"])?;
    let doc = value.at("doc").unwrap_or(&Value::Null);
    let address = doc.line("mdn_url");
    // A document that moved is a redirect to another one.
    let final_path = reply
        .url
        .strip_prefix(SITE)
        .and_then(|it| it.strip_suffix("/index.json"));
    let is_same = address.as_deref().is_some_and(|it| {
        let same = |path: &str| {
            crate::address::decode(path).eq_ignore_ascii_case(&crate::address::decode(it))
        };
        same(path) || final_path.is_some_and(same)
    });
    let Some(address) = address.filter(|_| is_same) else {
        return Err(fetch::other(path, doc.line("mdn_url").as_deref()));
    };

    let all = doc.list("body");
    let id = section.map(crate::address::decode);
    let start = all
        .iter()
        .position(|it| id.is_some() && it.line("value.id") == id);
    let shown = match start {
        Some(start) => {
            let rest = all.get(start..).unwrap_or_default();
            let level = rest.first().is_some_and(|it| it.is("value.isH3"));
            let after = rest.get(1..).unwrap_or_default().iter();
            let parts = after.take_while(|it| !level && it.is("value.isH3")).count();
            rest.get(..parts.saturating_add(1)).unwrap_or_default()
        }
        None => all,
    };
    if shown.is_empty() {
        return Err(Fault::Wrong("a document without sections".to_owned()));
    }
    let title = doc.line("title").unwrap_or_else(|| address.clone());
    let mut page = Writer::new(&title);
    if let Some(id) = &id {
        let id = line(id, limits::LINE_CHARS);
        page.note(match start {
            Some(_) => format!(
                "Only the section `#{id}` is shown. The URL without it is the whole document."
            ),
            None => format!("There is no section `#{id}`: the whole document is shown."),
        });
    }
    if start.is_none() {
        baseline(&mut page, doc);
        page.fact("Modified", date(doc.line("modified")));
        if let Some(source) = doc.line("source.github_url") {
            page.note(format!("Source: {source}"));
        }
    }
    let base = format!("{SITE}{address}");
    for part in shown {
        write(&mut page, part, &base, service);
    }
    Ok(page.page())
}

/// The browsers that have a feature (<https://web-platform-dx.github.io/web-features/>).
fn baseline(page: &mut Writer, doc: &Value) {
    let Some(baseline) = doc.at("baseline") else {
        return;
    };
    let state = match baseline.line("baseline").as_deref() {
        Some("high") => "widely available",
        Some("low") => "newly available",
        _ if baseline.at("baseline").and_then(Value::as_bool) == Some(false) => {
            "limited availability"
        }
        _ => return,
    };
    let since = baseline
        .line("baseline_high_date")
        .or_else(|| baseline.line("baseline_low_date"));
    let since = since.map_or_else(String::new, |it| format!(" since {it}"));
    page.fact("Baseline", Some(format!("{state}{since}")));
    let support = baseline.at("support").and_then(Value::as_object);
    let support = support
        .into_iter()
        .flatten()
        .filter_map(|(browser, version)| {
            Some(line(
                &format!("{browser} {}", version.as_str()?),
                limits::LINE_CHARS,
            ))
        });
    let support: Vec<String> = support.take(limits::LIST_ITEMS).collect();
    page.fact(
        "Browsers",
        (!support.is_empty()).then(|| support.join(", ")),
    );
}

/// Writes a section.
fn write(page: &mut Writer, section: &Value, base: &str, service: &mut dyn Service) {
    if let Some(title) = section.line("value.title").map(|it| plain(&it)) {
        if section.is("value.isH3") {
            page.part(&title);
        } else {
            page.section(&title);
        }
    }
    if let Some(html) = section.block("value.content") {
        page.body(&service.markdown(&html, base));
    }
    match section.line("type").as_deref() {
        Some("specifications") => {
            for one in section
                .list("value.specifications")
                .iter()
                .take(limits::LIST_ITEMS)
            {
                if let Some(url) = one.line("bcdSpecificationURL") {
                    let title = one.line("title").unwrap_or_default();
                    page.item(format!("{title}: {url}").trim_start_matches(": "));
                }
            }
        }
        Some("browser_compatibility") => {
            let query = section
                .line("value.query")
                .unwrap_or_else(|| "this document".to_owned());
            page.block(&format!(
                "[The table of browsers for `{query}` is loaded by the page: {base}]"
            ));
            page.note(format!(
                "The table of browsers for `{query}` is left out: {base}#browser_compatibility"
            ));
        }
        _ => {}
    }
}
