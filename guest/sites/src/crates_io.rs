//! The Rust crate registry: crates.io. Its pages are programs; the API that they call has the content.
//!
//! The API is described in <https://crates.io/api/openapi.json>.

use crate::address::{encode, is_at, is_number, parameter, parts, segments};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::limits;
use crate::service::{Fault, Service};
use crate::value::Fields;
use crate::writer::{Writer, date, length};
use omniread_document::order;
use serde_json::Value;
use url::Url;

/// Pages of crates and of their versions, and lists of crates.
pub struct CratesIo;

const API: &str = "https://crates.io/api/v1/crates";

impl Handler for CratesIo {
    fn name(&self) -> &'static str {
        "crates.io"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        if !is_at(url, &["crates.io", "www.crates.io"]) {
            return None;
        }
        let segments = segments(url);
        match parts(&segments).as_slice() {
            ["search"] => {
                let query = parameter(url, "q")?;
                let terms = format!("q={}", encode(&query));
                Some(list(
                    &format!("Crates that match “{query}”"),
                    &terms,
                    url,
                    service,
                ))
            }
            ["keywords", keyword] => {
                let terms = format!("keyword={}", encode(keyword));
                Some(list(
                    &format!("Crates with the keyword {keyword}"),
                    &terms,
                    url,
                    service,
                ))
            }
            ["categories", category] => {
                let terms = format!("category={}", encode(category));
                Some(list(
                    &format!("Crates in the category {category}"),
                    &terms,
                    url,
                    service,
                ))
            }
            ["crates", name, "versions"] => Some(versions(name, service)),
            ["crates", name] | ["crates", name, "dependencies"] => {
                Some(package(name, None, service))
            }
            ["crates", name, version] | ["crates", name, version, "dependencies"]
                if version.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                Some(package(name, Some(version), service))
            }
            _ => None,
        }
    }
}

/// The page of a crate in its default version or another one.
fn package(name: &str, version: Option<&str>, service: &mut dyn Service) -> Result<Found, Fault> {
    let address = format!("{API}/{}", encode(name));
    let url = format!("{address}?include=keywords,categories,downloads,default_version");
    let reply = fetch::object(service, &url)?;
    let krate = reply.at("crate").unwrap_or(&Value::Null);
    let found = same_name(krate, name)?;
    let asked = match version {
        Some(version) => Some(fetch::object(
            service,
            &format!("{address}/{}", encode(version)),
        )?),
        None => None,
    };
    let details = match &asked {
        Some(reply) => reply.at("version"),
        None => reply.list("versions").first(),
    };
    let details = details.unwrap_or(&Value::Null);
    let number = details
        .line("num")
        .or_else(|| krate.line("default_version"));
    if let Some(version) = version
        && number.as_deref() != Some(version)
    {
        return Err(fetch::other(version, number.as_deref()));
    }

    let title = format!("{found} {}", number.as_deref().unwrap_or_default());
    let mut page = Writer::new(title.trim_end());
    let either = |path: &str| details.line(path).or_else(|| krate.line(path));
    page.body(&either("description").unwrap_or_default());
    if details.is("yanked") {
        let why = details.line("yank_message").unwrap_or_default();
        page.item(format!("This version is yanked. {why}").trim_end());
    }
    page.fact(
        "Default version",
        krate.line("default_version").filter(|_| version.is_some()),
    );
    page.fact("Licence", details.line("license"));
    page.fact(
        "Rust",
        details
            .line("rust_version")
            .map(|it| format!("{it} or later")),
    );
    page.fact("Edition", details.line("edition"));
    page.fact("Repository", either("repository"));
    page.fact("Documentation", either("documentation"));
    page.fact("Homepage", either("homepage"));
    page.fact("Published", published(details));
    page.fact("Downloads", downloads(krate, details));
    page.fact(
        "Size",
        details.number("crate_size").map(|it| format!("{it} bytes")),
    );
    page.fact("Programs", joined(&names(details.list("bin_names"))));
    page.fact("Keywords", joined(&reply.lines("keywords", "keyword")));
    page.fact("Categories", joined(&reply.lines("categories", "category")));
    let versions = krate.number("num_versions");
    page.fact(
        "Versions",
        versions.map(|it| format!("{it}: https://crates.io/crates/{found}/versions")),
    );

    features(&mut page, details);
    if let Some(number) = number {
        let address = format!("{address}/{}", encode(&number));
        dependencies(&mut page, &address, service);
        readme(&mut page, &address, service);
    }
    Ok(page.page())
}

/// The name of the crate of a reply.
fn same_name(krate: &Value, wanted: &str) -> Result<String, Fault> {
    let canonical = |name: &str| name.to_ascii_lowercase().replace('_', "-");
    let found = krate.line("name").or_else(|| krate.line("id"));
    match found {
        Some(found) if canonical(&found) == canonical(wanted) => Ok(found),
        found => Err(fetch::other(wanted, found.as_deref())),
    }
}

/// When a version was published, and by whom.
fn published(details: &Value) -> Option<String> {
    let date = date(details.line("created_at"))?;
    Some(match details.line("published_by.login") {
        Some(login) => format!("{date} by {login}"),
        None => date,
    })
}

/// The downloads of all versions, and of one.
fn downloads(krate: &Value, details: &Value) -> Option<String> {
    let all = krate.number("downloads")?;
    let recent = krate.number("recent_downloads");
    let one = details.number("downloads");
    let recent = recent.map_or_else(String::new, |it| format!(", {it} in the last 90 days"));
    let one = one.map_or_else(String::new, |it| format!(", {it} of this version"));
    Some(format!("{all}{recent}{one}"))
}

/// The texts of a list.
fn names(list: &[Value]) -> Vec<String> {
    let texts = list.iter().filter_map(Value::as_str);
    texts
        .map(|it| crate::text::line(it, limits::LINE_CHARS))
        .collect()
}

/// Texts with commas. `None` if there are none.
fn joined(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// The features of a version.
fn features(page: &mut Writer, details: &Value) {
    let Some(features) = details.at("features").and_then(Value::as_object) else {
        return;
    };
    let mut features: Vec<_> = features.iter().collect();
    // The ones that a crate has without further words come first.
    let key = |name: &String| name != "default";
    order::by(&mut features, |(a, _), (b, _)| {
        key(a).cmp(&key(b)).then_with(|| a.cmp(b))
    });
    let lines: Vec<String> = features
        .into_iter()
        .map(|(name, enables)| {
            let name = crate::text::line(name, limits::LINE_CHARS);
            let enables = enables.as_array().map_or(&[][..], Vec::as_slice);
            match joined(&names(enables)) {
                Some(enables) => format!("{name}: {enables}"),
                None => name,
            }
        })
        .collect();
    if !lines.is_empty() {
        page.section(&format!("Features ({})", lines.len()));
        page.items(&lines, limits::LIST_ITEMS, "Cargo.toml of the crate");
    }
}

/// The dependencies of a version.
fn dependencies(page: &mut Writer, address: &str, service: &mut dyn Service) {
    let url = format!("{address}/dependencies");
    let reply = match fetch::object(service, &url) {
        Ok(reply) => reply,
        Err(fault) => return page.note(format!("The dependencies are missing: {fault}.")),
    };
    let all = reply.list("dependencies");
    for (kind, title) in [
        ("normal", "Dependencies"),
        ("build", "Build dependencies"),
        ("dev", "Development dependencies"),
    ] {
        let of_kind = all
            .iter()
            .filter(|it| it.line("kind").as_deref().unwrap_or("normal") == kind);
        let lines: Vec<String> = of_kind.filter_map(dependency).collect();
        if !lines.is_empty() {
            page.section(&format!("{title} ({})", length(&lines)));
            page.items(&lines, limits::LIST_ITEMS, &url);
        }
    }
}

/// A dependency in one line: `serde ^1 (optional; features: derive; cfg(unix))`.
fn dependency(value: &Value) -> Option<String> {
    let mut line = value.line("crate_id")?;
    if let Some(req) = value.line("req") {
        line.push_str(&format!(" {req}"));
    }
    let mut details = Vec::new();
    if value.is("optional") {
        details.push("optional".to_owned());
    }
    if value.at("default_features").and_then(Value::as_bool) == Some(false) {
        details.push("no default features".to_owned());
    }
    if let Some(features) = joined(&names(value.list("features"))) {
        details.push(format!("features: {features}"));
    }
    details.extend(value.line("target"));
    if !details.is_empty() {
        line.push_str(&format!(" ({})", details.join("; ")));
    }
    Some(line)
}

/// The README of a version, which the registry has as HTML. It answers with a redirect to the host of its files.
fn readme(page: &mut Writer, address: &str, service: &mut dyn Service) {
    let url = format!("{address}/readme");
    match fetch::html(service, &url) {
        Ok(reply) => {
            let text = service.markdown(&reply.text(), &reply.url);
            if !text.trim().is_empty() {
                page.section("README");
                page.body(&crate::text::block(&text));
            }
        }
        // A crate without a README: the store of the files answers 403 or 404.
        Err(Fault::Missing(_) | Fault::Refused(_)) => page.note("There is no README.".to_owned()),
        Err(fault) => page.note(format!("The README at {url} is missing: {fault}.")),
    }
}

/// The newest versions of a crate.
fn versions(name: &str, service: &mut dyn Service) -> Result<Found, Fault> {
    let most = limits::VERSIONS;
    let url = format!("{API}/{}/versions?per_page={most}&sort=date", encode(name));
    let reply = fetch::object(service, &url)?;
    let all = reply.list("versions");
    if let Some(found) = all.first().and_then(|it| it.line("crate")) {
        same_name(&serde_json::json!({ "name": found }), name)?;
    }
    let mut page = Writer::new(&format!("Versions of {name}"));
    let lines: Vec<String> = all.iter().filter_map(version_line).collect();
    page.items(&lines, most, &url);
    if lines.is_empty() {
        page.block("The registry lists no versions.");
    }
    let total = reply.number("meta.total").unwrap_or(0);
    let left = total.saturating_sub(length(all));
    if left > 0 {
        let next = reply.line("meta.next_page").unwrap_or_default();
        page.note(format!("{left} more versions: {API}/{name}/versions{next}"));
    }
    Ok(page.page())
}

/// A version in one line.
fn version_line(version: &Value) -> Option<String> {
    let mut line = version.line("num")?;
    let details = [
        date(version.line("created_at")),
        version.line("rust_version").map(|it| format!("Rust {it}")),
        version.line("license"),
        version
            .number("downloads")
            .map(|it| format!("{it} downloads")),
        version.is("yanked").then(|| "yanked".to_owned()),
    ];
    for detail in details.into_iter().flatten() {
        line.push_str(&format!(", {detail}"));
    }
    Some(line)
}

/// A list of crates (<https://doc.rust-lang.org/cargo/reference/registry-web-api.html#search>), with the page and the
/// order that the URL has.
fn list(title: &str, terms: &str, page: &Url, service: &mut dyn Service) -> Result<Found, Fault> {
    let number = parameter(page, "page").filter(|it| is_number(it));
    let number = number
        .and_then(|it| it.parse::<u64>().ok())
        .unwrap_or(1)
        .max(1);
    let sort =
        parameter(page, "sort").map_or_else(String::new, |it| format!("&sort={}", encode(&it)));
    let most = limits::VERSIONS;
    let start = format!("{API}?per_page={most}&{terms}{sort}&page=");
    let reply = fetch::object(service, &format!("{start}{number}"))?;
    let mut page = Writer::new(title);
    let lines: Vec<String> = reply.list("crates").iter().filter_map(crate_line).collect();
    page.items(&lines, most, &start);
    if lines.is_empty() {
        page.block("The registry lists no crates.");
    }
    let total = reply.number("meta.total").unwrap_or(0);
    let before = number.saturating_mul(u64::try_from(most).unwrap_or(u64::MAX));
    let left = total.saturating_sub(before);
    if left > 0 && !lines.is_empty() {
        page.note(format!(
            "{left} more crates of {total}: {start}{}",
            number.saturating_add(1)
        ));
    }
    Ok(page.page())
}

/// A crate in one line.
fn crate_line(value: &Value) -> Option<String> {
    let mut line = value.line("name").or_else(|| value.line("id"))?;
    let version = value
        .line("default_version")
        .or_else(|| value.line("max_version"));
    line.push_str(&version.map_or_else(String::new, |it| format!(" {it}")));
    line.push_str(
        &value
            .number("downloads")
            .map_or_else(String::new, |it| format!(", {it} downloads")),
    );
    line.push_str(
        &value
            .line("description")
            .map_or_else(String::new, |it| format!(": {it}")),
    );
    Some(line)
}
