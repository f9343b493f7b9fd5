//! Lists as texts: servers, the resources of a server, and a resource with several contents.

use super::address::SCHEME;
use super::failure::one_line;
use super::limits;
use super::lists::{Contents, Entry, Lists};
use std::fmt::Write as _;

/// The line of a server in the list of servers.
pub fn server(name: &str, state: &str) -> String {
    format!("{SCHEME}://{name}: {state}\n")
}

/// The list of what a server has.
pub fn lists(server: &str, lists: &Lists) -> String {
    let mut text = String::new();
    for entry in &lists.resources.entries {
        line(&mut text, server, entry);
    }
    if lists.resources.entries.is_empty() {
        text.push_str("(no resources)\n");
    }
    notes(&mut text, &lists.resources.notes);
    if !lists.templates.entries.is_empty() {
        text.push_str("\nTemplates, whose parts in braces are variables:\n");
        for entry in &lists.templates.entries {
            line(&mut text, server, entry);
        }
    }
    notes(&mut text, &lists.templates.notes);
    text
}

fn line(text: &mut String, server: &str, entry: &Entry) {
    let uri = one_line(&entry.uri, limits::URI);
    let _ = write!(text, "{SCHEME}://{server}/{uri}");
    let is_new = |part: &&str| !part.is_empty() && *part != entry.uri;
    let about = [entry.name.as_str(), entry.description.as_str()];
    let about: Vec<&str> = about.into_iter().filter(is_new).collect();
    if !about.is_empty() {
        let _ = write!(text, ": {}", about.join(". "));
    }
    let size = entry.size.map(size);
    let kind = [Some(entry.mime.clone()), size];
    let kind: Vec<String> = kind
        .into_iter()
        .flatten()
        .filter(|it| !it.is_empty())
        .collect();
    if !kind.is_empty() {
        let _ = write!(text, " ({})", kind.join(", "));
    }
    text.push('\n');
}

fn notes(text: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(text, "[{note}]");
    }
}

/// Several contents of a resource. Texts are shown, and blobs are named with the URL that reads them.
pub fn parts(url: &str, contents: &Contents) -> String {
    let count = contents.parts.len();
    let mut text = String::new();
    for (index, part) in contents.parts.iter().enumerate() {
        let number = index.saturating_add(1);
        if index > 0 {
            text.push('\n');
        }
        let uri = one_line(&part.uri, limits::DESCRIPTION);
        let mime = one_line(
            part.mime.as_deref().unwrap_or_default(),
            limits::DESCRIPTION,
        );
        let about = [uri, mime, size(part.bytes.len() as u64)];
        let about: Vec<String> = about.into_iter().filter(|it| !it.is_empty()).collect();
        let _ = writeln!(
            text,
            "[Part {number} of {count}: {}. `{url}#part={number}` reads it alone]",
            about.join(", ")
        );
        if part.is_text {
            text.push_str(&String::from_utf8_lossy(&part.bytes));
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
    }
    notes(&mut text, &contents.notes);
    text
}

/// A size as in lists of archives.
fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let in_units = |unit: u64| bytes as f64 / unit as f64;
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..1_048_576 => format!("{:.1}KB", in_units(1 << 10)),
        _ => format!("{:.1}MB", in_units(1 << 20)),
    }
}
