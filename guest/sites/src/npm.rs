//! npm: the pages of packages on npmjs.com are answered from the registry.
//!
//! The API is described in <https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md> and
//! <https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md>.

use crate::address::{encode, is_at, parameter, parts, segments};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::limits;
use crate::service::{Fault, JSON, Request, Service};
use crate::text::{block, line};
use crate::value::Fields;
use crate::writer::{Writer, date, length};
use omniread_document::order;
use serde_json::Value;
use url::Url;

/// Pages of packages and of their versions.
pub struct Npm;

const API: &str = "https://registry.npmjs.org";

impl Handler for Npm {
    fn name(&self) -> &'static str {
        "npm"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        if !is_at(url, &["www.npmjs.com", "npmjs.com"]) {
            return None;
        }
        let segments = segments(url);
        let parts = parts(&segments);
        let ["package", rest @ ..] = parts.as_slice() else {
            return None;
        };
        let (name, rest) = match rest {
            [scope, name, rest @ ..] if scope.starts_with('@') => (format!("{scope}/{name}"), rest),
            [name, rest @ ..] => ((*name).to_owned(), rest),
            [] => return None,
        };
        let version = match rest {
            [] => None,
            ["v", version] => Some(*version),
            _ => return None,
        };
        let tab = parameter(url, "activeTab").unwrap_or_else(|| "readme".to_owned());
        let most = match tab.as_str() {
            "readme" | "dependencies" => limits::VERSIONS,
            "versions" => limits::ALL_VERSIONS,
            // The files and the dependents of a package are not in the registry's documents.
            _ => return None,
        };
        Some(package(&name, version, most, service))
    }
}

/// The page of a package in its latest version or another one, with at most `most` other versions.
fn package(
    name: &str,
    version: Option<&str>,
    most: usize,
    service: &mut dyn Service,
) -> Result<Found, Fault> {
    let address = format!("{API}/{}", encode(name).replacen("%40", "@", 1));
    let url = format!("{address}/{}", encode(version.unwrap_or("latest")));
    let manifest = fetch::object(service, &url)?;
    let found = manifest.line("name");
    if found.as_deref() != Some(name) {
        return Err(fetch::other(name, found.as_deref()));
    }
    let number = manifest.line("version");
    if let (Some(version), Some(number)) = (version, &number)
        && version != number
        && version.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(fetch::other(version, Some(number)));
    }

    // The document of the whole package has the README, the times and the tags.
    let request = Request {
        url: &address,
        accept: JSON,
    };
    let whole = service.get(&request);
    let whole =
        whole.and_then(|reply| fetch::fields(&reply, &["name", "readme", "time", "dist-tags"]));
    let (whole, fault) = match whole {
        Ok(whole) if whole.line("name").as_deref().unwrap_or(name) == name => (whole, None),
        Ok(whole) => (
            Value::Null,
            Some(fetch::other(name, whole.line("name").as_deref())),
        ),
        Err(fault) => (Value::Null, Some(fault)),
    };

    let title = format!("{name} {}", number.as_deref().unwrap_or_default());
    let mut page = Writer::new(title.trim_end());
    page.body(&manifest.line("description").unwrap_or_default());
    page.fact("Deprecated", deprecated(&manifest));
    facts(&mut page, &manifest);
    let times = whole.at("time");
    let time = |number: &str| date(times?.get(number)?.as_str().map(str::to_owned));
    page.fact("Published", number.as_deref().and_then(time));
    page.fact("Tags", joined(&whole, "dist-tags"));
    for (field, title) in [
        ("dependencies", "Dependencies"),
        ("peerDependencies", "Peer dependencies"),
        ("optionalDependencies", "Optional dependencies"),
        ("devDependencies", "Development dependencies"),
    ] {
        let lines = pairs(&manifest, field);
        if !lines.is_empty() {
            page.section(&format!("{title} ({})", lines.len()));
            page.items(&lines, limits::LIST_ITEMS, &url);
        }
    }
    versions(&mut page, &whole, most, &address);
    readme(&mut page, &manifest, &whole, number.as_deref());
    if let Some(fault) = fault {
        page.note(format!(
            "The README and the times of {address} are missing: {fault}."
        ));
    }
    Ok(page.page())
}

/// The reason why a version is deprecated.
fn deprecated(manifest: &Value) -> Option<String> {
    let why = manifest.line("deprecated");
    why.or_else(|| manifest.is("deprecated").then(|| "yes".to_owned()))
}

/// The facts of a manifest. Fields may be a text or an object.
fn facts(page: &mut Writer, manifest: &Value) {
    let either = |field: &str, inner: &str| {
        let value = manifest.line(field);
        value.or_else(|| manifest.line(&format!("{field}.{inner}")))
    };
    page.fact("Licence", either("license", "type"));
    page.fact("Repository", either("repository", "url"));
    page.fact("Homepage", manifest.line("homepage"));
    page.fact("Issues", either("bugs", "url"));
    page.fact("Author", either("author", "name"));
    let maintainers = manifest.lines("maintainers", "name").join(", ");
    page.fact(
        "Maintainers",
        (!maintainers.is_empty()).then_some(maintainers),
    );
    page.fact("Engines", joined(manifest, "engines"));
    page.fact("Type", manifest.line("type"));
    page.fact(
        "Types",
        manifest.line("types").or_else(|| manifest.line("typings")),
    );
    page.fact(
        "Programs",
        either("bin", "").or_else(|| joined(manifest, "bin")),
    );
    let scripts = ["preinstall", "install", "postinstall"].into_iter();
    let scripts: Vec<String> = scripts
        .filter_map(|it| {
            Some(format!(
                "{it}: {}",
                manifest.line(&format!("scripts.{it}"))?
            ))
        })
        .collect();
    page.fact(
        "Runs at installation",
        (!scripts.is_empty()).then(|| scripts.join("; ")),
    );
    page.fact(
        "Size",
        manifest
            .number("dist.unpackedSize")
            .map(|it| format!("{it} bytes")),
    );
    page.fact("Archive", manifest.line("dist.tarball"));
}

/// The entries of an object in one line each.
fn pairs(value: &Value, field: &str) -> Vec<String> {
    let Some(object) = value.at(field).and_then(Value::as_object) else {
        return Vec::new();
    };
    let pairs = object.iter().map(|(name, value)| {
        let value = value.as_str().unwrap_or_default();
        line(&format!("{name} {value}"), limits::LINE_CHARS)
    });
    pairs.collect()
}

/// The entries of an object in one line. `None` if there are none.
fn joined(value: &Value, field: &str) -> Option<String> {
    let pairs = pairs(value, field);
    (!pairs.is_empty()).then(|| line(&pairs.join(", "), limits::LINE_CHARS))
}

/// The newest versions.
fn versions(page: &mut Writer, whole: &Value, most: usize, address: &str) {
    let Some(times) = whole.at("time").and_then(Value::as_object) else {
        return;
    };
    let mut versions: Vec<(&str, &str)> = times
        .iter()
        .filter(|(number, _)| number.starts_with(|c: char| c.is_ascii_digit()))
        .filter_map(|(number, time)| Some((time.as_str()?, number.as_str())))
        .collect();
    order::by(&mut versions, |a, b| b.cmp(a));
    let lines: Vec<String> = versions
        .iter()
        .map(|(time, number)| {
            let date = date(Some(line(time, 30))).unwrap_or_default();
            format!("{}, {date}", line(number, limits::LINE_CHARS))
        })
        .collect();
    if !lines.is_empty() {
        page.section(&format!("Versions ({})", length(&lines)));
        page.items(&lines, most, &format!("{address} (`time`)"));
    }
}

/// The README: of the version if its manifest has one, otherwise of the package, which is that of the latest
/// version.
fn readme(page: &mut Writer, manifest: &Value, whole: &Value, number: Option<&str>) {
    let missing = "ERROR: No README data found!";
    let own = manifest.block("readme").filter(|it| it != missing);
    let latest = whole.line("dist-tags.latest");
    let readme = match own {
        Some(readme) => readme,
        None => {
            let Some(readme) = whole.block("readme").filter(|it| it != missing) else {
                return;
            };
            if latest.as_deref() != number {
                let latest = latest.unwrap_or_else(|| "the latest version".to_owned());
                page.note(format!("The README is that of {latest}."));
            }
            readme
        }
    };
    page.section("README");
    page.body(&block(&readme));
}
