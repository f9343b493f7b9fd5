//! The RFC editor: a document of the RFC series is its plain text, with notes on what replaced it.
//!
//! The facts are those of `https://www.rfc-editor.org/rfc/rfcN.json`, which the pages of documents link
//! (<https://www.rfc-editor.org/info/rfc9110>).

use crate::address::{is_at, is_number, parts, segments};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::limits;
use crate::service::{Fault, Service};
use crate::text::line;
use crate::value::Fields;
use serde_json::Value;
use url::Url;

/// Documents of the RFC series.
pub struct Rfc;

impl Handler for Rfc {
    fn name(&self) -> &'static str {
        "rfc-editor"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        // The plain text has no sections that a fragment could select. The page has.
        if url.fragment().is_some_and(|it| !it.is_empty()) {
            return None;
        }
        let of_editor = is_at(url, &["www.rfc-editor.org", "rfc-editor.org"]);
        let of_tracker = is_at(url, &["datatracker.ietf.org"]);
        let of_ietf = is_at(url, &["tools.ietf.org", "www.ietf.org", "ietf.org"]);
        if !(of_editor || of_tracker || of_ietf) {
            return None;
        }
        let segments = segments(url);
        let parts = parts(&segments);
        let name = if of_editor {
            match parts.as_slice() {
                ["info", name] => name,
                // The text and the other files of a document are what they are.
                ["rfc", name] => match name.split_once('.') {
                    None => name,
                    Some((name, "html")) => name,
                    Some(_) => return None,
                },
                _ => return None,
            }
        } else if of_tracker {
            match parts.as_slice() {
                ["doc", name] | ["doc", "html", name] => name.strip_suffix(".html").unwrap_or(name),
                _ => return None,
            }
        } else {
            match parts.as_slice() {
                ["html" | "rfc", name] => match name.split_once('.') {
                    None => name,
                    Some((name, "html")) => name,
                    Some(_) => return None,
                },
                _ => return None,
            }
        };
        let number = name.to_ascii_lowercase();
        let number = number.strip_prefix("rfc").filter(|it| is_number(it))?;
        Some(document(number.parse().ok()?, service))
    }
}

/// The text of a document.
fn document(number: u64, service: &mut dyn Service) -> Result<Found, Fault> {
    let address = format!("https://www.rfc-editor.org/rfc/rfc{number}");
    let value = fetch::object(service, &format!("{address}.json"))?;
    let id = value.line("doc_id");
    let found = id.as_deref().and_then(|it| it.strip_prefix("RFC"));
    if found.and_then(|it| it.parse().ok()) != Some(number) {
        return Err(fetch::other(&format!("RFC{number}"), id.as_deref()));
    }
    let formats = texts(&value, "format");
    let has = |names: &[&str]| formats.iter().any(|it| names.contains(&it.as_str()));
    let is_text = formats.is_empty() || has(&["ASCII", "TEXT", "TXT"]) || !has(&["PDF"]);
    let file = if is_text { "txt" } else { "pdf" };
    let url = Url::parse(&format!("{address}.{file}"));
    let url = url.map_err(|_| Fault::Wrong("no address".to_owned()))?;
    Ok(Found::File {
        url,
        accept: "*/*",
        notes: notes(&value, number),
    })
}

/// Notes on a document: what replaced it first.
fn notes(value: &Value, number: u64) -> Vec<String> {
    let mut notes = Vec::new();
    for (field, verb) in [
        ("obsoleted_by", "is obsoleted by"),
        ("updated_by", "is updated by"),
        ("obsoletes", "obsoletes"),
        ("updates", "updates"),
        ("see_also", "is also"),
    ] {
        let others = texts(value, field);
        if !others.is_empty() {
            notes.push(format!("RFC {number} {verb} {}.", others.join(", ")));
        }
    }
    let status = value.line("status").or_else(|| value.line("pub_status"));
    if let Some(status) = status {
        let date = value
            .line("pub_date")
            .map_or_else(String::new, |it| format!(", {it}"));
        notes.push(format!("Status: {status}{date}."));
    }
    if let Some(url) = value.line("errata_url") {
        notes.push(format!("Errata: {url}"));
    }
    notes
}

/// The texts of a list.
fn texts(value: &Value, field: &str) -> Vec<String> {
    let texts = value
        .list(field)
        .iter()
        .take(limits::LIST_ITEMS)
        .filter_map(Value::as_str);
    texts
        .map(|it| line(it, 60))
        .filter(|it| !it.is_empty())
        .collect()
}
