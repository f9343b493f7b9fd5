//! The Python Package Index: the pages of projects and releases are answered from the JSON API.
//!
//! The API is described in <https://docs.pypi.org/api/json/>.

use crate::address::{encode, is_at, parts, segments};
use crate::code::fenced;
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::limits;
use crate::service::{Fault, JSON, Request, Service};
use crate::text::line;
use crate::value::Fields;
use crate::writer::{Writer, date, length};
use omniread_document::order;
use serde_json::Value;
use url::Url;

/// Pages of projects and of their releases.
pub struct Pypi;

impl Handler for Pypi {
    fn name(&self) -> &'static str {
        "pypi"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        if !is_at(url, &["pypi.org", "www.pypi.org", "pypi.python.org"]) {
            return None;
        }
        let segments = segments(url);
        match parts(&segments).as_slice() {
            ["project", name] => Some(project(name, None, service)),
            ["project", name, version] => Some(project(name, Some(version), service)),
            _ => None,
        }
    }
}

/// The page of a project in its newest version or another one.
fn project(name: &str, version: Option<&str>, service: &mut dyn Service) -> Result<Found, Fault> {
    let address = format!("https://pypi.org/pypi/{}", encode(name));
    let url = match version {
        Some(version) => format!("{address}/{}/json", encode(version)),
        None => format!("{address}/json"),
    };
    let reply = service.get(&Request {
        url: &url,
        accept: JSON,
    })?;
    let value = fetch::fields(&reply, &["info", "urls", "vulnerabilities"])?;
    let info = value.at("info").unwrap_or(&Value::Null);
    let found = info.line("name");
    let found = match found {
        Some(found) if canonical(&found) == canonical(name) => found,
        found => return Err(fetch::other(name, found.as_deref())),
    };
    let number = info.line("version");
    if let (Some(version), Some(number)) = (version, &number)
        && !is_same_version(version, number)
    {
        return Err(fetch::other(version, Some(number)));
    }

    let title = format!("{found} {}", number.as_deref().unwrap_or_default());
    let mut page = Writer::new(title.trim_end());
    page.body(&info.line("summary").unwrap_or_default());
    if info.is("yanked") {
        let why = info.line("yanked_reason").unwrap_or_default();
        page.item(format!("This version is yanked. {why}").trim_end());
    }
    page.fact("Python", info.line("requires_python"));
    page.fact("Licence", licence(info));
    page.fact(
        "Author",
        info.line("author").or_else(|| info.line("author_email")),
    );
    page.fact(
        "Maintainer",
        info.line("maintainer")
            .or_else(|| info.line("maintainer_email")),
    );
    page.fact("Keywords", info.line("keywords"));
    let files = value.list("urls");
    page.fact(
        "Published",
        date(files.first().and_then(|it| it.line("upload_time_iso_8601"))),
    );
    let extras = texts(info.list("provides_extra"));
    page.fact("Extras", (!extras.is_empty()).then(|| extras.join(", ")));
    links(&mut page, info);

    let lines = texts(info.list("requires_dist"));
    if !lines.is_empty() {
        page.section(&format!("Dependencies ({})", lines.len()));
        page.items(&lines, limits::LIST_ITEMS, &url);
    }
    let lines: Vec<String> = value
        .list("vulnerabilities")
        .iter()
        .filter_map(vulnerability)
        .collect();
    if !lines.is_empty() {
        page.section(&format!("Known vulnerabilities ({})", lines.len()));
        page.items(&lines, limits::LIST_ITEMS, &url);
    }
    let lines: Vec<String> = files.iter().filter_map(file).collect();
    if !lines.is_empty() {
        page.section(&format!("Files ({})", lines.len()));
        page.items(&lines, limits::FILES, &url);
    }
    releases(&mut page, fetch::names(&reply, "releases"), &found);
    description(&mut page, info);
    Ok(page.page())
}

/// A name as the registry compares it
/// (<https://packaging.python.org/en/latest/specifications/name-normalization/>).
fn canonical(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let parts = lower.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-")
}

/// Whether two versions may be the same: the service answers `1.0` for `1.0.0`, and spells it as the project does.
fn is_same_version(a: &str, b: &str) -> bool {
    let plain = |text: &str| {
        let text = text.to_ascii_lowercase();
        let kept = text
            .trim_start_matches('v')
            .split(['.', '-', '_'])
            .filter(|part| *part != "0");
        kept.collect::<String>()
    };
    plain(a) == plain(b)
}

/// The licence: an expression, or the first line of a text, or classifiers.
fn licence(info: &Value) -> Option<String> {
    let text = info
        .line("license_expression")
        .or_else(|| info.line("license"));
    text.or_else(|| {
        let classifiers = texts(info.list("classifiers"));
        let mut names = classifiers
            .iter()
            .filter_map(|it| it.strip_prefix("License :: "));
        names.next().map(str::to_owned)
    })
}

/// The links of a project.
fn links(page: &mut Writer, info: &Value) {
    let urls = info.at("project_urls").and_then(Value::as_object);
    let links: Vec<String> = urls
        .into_iter()
        .flatten()
        .filter_map(|(name, url)| {
            Some(line(
                &format!("{name}: {}", url.as_str()?),
                limits::LINE_CHARS,
            ))
        })
        .collect();
    page.items(&links, limits::FILES, "`project_urls` of the API");
    if links.is_empty() {
        page.fact("Homepage", info.line("home_page"));
    }
}

/// The texts of a list.
fn texts(list: &[Value]) -> Vec<String> {
    let texts = list.iter().filter_map(Value::as_str);
    texts.map(|it| line(it, limits::LINE_CHARS)).collect()
}

/// A vulnerability in one line.
fn vulnerability(value: &Value) -> Option<String> {
    let mut text = value.line("id")?;
    for part in [value.line("summary"), value.line("link")]
        .into_iter()
        .flatten()
    {
        text.push_str(&format!(": {part}"));
    }
    let fixed = texts(value.list("fixed_in"));
    if !fixed.is_empty() {
        text.push_str(&format!(" (fixed in {})", fixed.join(", ")));
    }
    Some(text)
}

/// A file in one line.
fn file(value: &Value) -> Option<String> {
    let name = value.line("filename")?;
    let size = value
        .number("size")
        .map_or_else(String::new, |it| format!(", {it} bytes"));
    let yanked = if value.is("yanked") { ", yanked" } else { "" };
    let url = value
        .line("url")
        .map_or_else(String::new, |it| format!(": {it}"));
    Some(format!("{name}{size}{yanked}{url}"))
}

/// The versions of a project, the newest first. They are sorted by their numbers, because their times would need
/// the files of each.
fn releases(page: &mut Writer, versions: Vec<String>, name: &str) {
    let numbered = |version: String| (numbers(&version), version);
    let mut versions: Vec<_> = versions.into_iter().map(numbered).collect();
    order::by(&mut versions, |a, b| b.0.cmp(&a.0));
    let lines: Vec<String> = versions
        .iter()
        .map(|(_, it)| line(it, limits::LINE_CHARS))
        .collect();
    if !lines.is_empty() {
        let total = length(&lines);
        let shown = lines.iter().take(limits::VERSIONS).map(String::as_str);
        let shown = shown.collect::<Vec<_>>().join(", ");
        let left = total.saturating_sub(u64::try_from(limits::VERSIONS).unwrap_or(u64::MAX));
        page.section(&format!("Versions ({total})"));
        page.block(&shown);
        if left > 0 {
            page.block(&format!(
                "… and {left} more: https://pypi.org/simple/{}/",
                canonical(name)
            ));
        }
    }
}

/// The numbers in a version, and whether it is a final one.
fn numbers(version: &str) -> (Vec<u64>, bool) {
    let numbers = version.split('.').map(|part| {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    });
    let is_final = !version.contains(|c: char| c.is_ascii_alphabetic());
    (numbers.collect(), is_final)
}

/// The description: Markdown, reStructuredText or plain text.
fn description(page: &mut Writer, info: &Value) {
    let Some(text) = info.block("description") else {
        return;
    };
    if text == "UNKNOWN" {
        return;
    }
    page.section("Description");
    let kind = info.line("description_content_type").unwrap_or_default();
    if kind.starts_with("text/markdown") {
        page.body(&text);
    } else if kind.starts_with("text/plain") {
        page.block(&fenced(&text, ""));
    } else {
        // The service takes a text without a type as reStructuredText.
        page.block(&fenced(&text, "rst"));
    }
}
