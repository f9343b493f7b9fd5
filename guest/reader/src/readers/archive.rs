//! Archives as listings: what stands in one directory of them.

use crate::answer::Listing;
use crate::pages::{fill_text, visible};
use crate::sources::archive::{Catalogue, Child, Format, MemberKind, children, duplicates, normal};
use crate::units::bytes;
use crate::window::{Total, Window};
use std::fmt::Write as _;

/// Reads a page of the listing of a directory of an archive, and what is to be
/// noted of the archive.
pub fn read(
    format: Format,
    catalogue: &Catalogue,
    directory: &str,
    window: &Window,
) -> (Listing, Vec<String>) {
    let children = children(catalogue, directory);
    let mut text = String::new();
    for ((_, name), child) in &children {
        if name.is_empty() {
            text.push_str("(no name)");
        }
        text.push_str(&visible(name));
        let _ = match child {
            Child::Directory => writeln!(text, "/"),
            Child::File(0) => writeln!(text),
            Child::File(size) => writeln!(text, " ({})", bytes(*size)),
            Child::Link(Some(target)) => writeln!(text, " -> {}", visible(target)),
            Child::Link(None) => writeln!(text, " (link)"),
            Child::HardLink(target) => writeln!(text, " (link to {})", visible(target)),
            Child::Other => writeln!(text, " (special)"),
        };
    }
    if text.is_empty() {
        text.push_str("(empty)\n");
    }
    let count = children.len() as u64;
    let mut page = fill_text(text, window);
    // Each has a line of its own.
    page.total = Total::Exact(count.max(1));
    let listing = Listing {
        window: window.clone(),
        page,
        archive: Some(format.name()),
        entries: Total::Exact(count),
        listed: count,
        limit: None,
        withheld: 0,
    };
    let mut notes = vec![totals(format, catalogue)];
    notes.extend(oddities(catalogue));
    notes.extend(catalogue.notes.iter().map(|note| visible(note)));
    (listing, notes)
}

/// Names that do not lead to one member.
fn oddities(catalogue: &Catalogue) -> Vec<String> {
    let (mut out, mut nameless, mut rooted) = (0usize, 0usize, 0usize);
    for member in &catalogue.members {
        if member.name.starts_with('/') {
            rooted = rooted.saturating_add(1);
        }
        match normal(&member.name) {
            None => out = out.saturating_add(1),
            Some(name) if name.is_empty() && member.kind != MemberKind::Directory => {
                nameless = nameless.saturating_add(1);
            }
            Some(_) => {}
        }
    }
    let count = |number: usize, one: &str, many: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{number} {many}")),
    };
    let oddities = [
        count(
            duplicates(catalogue),
            "name stands for several members; one of them is read",
            "names stand for several members; one of each is read",
        ),
        count(
            rooted,
            "name starts with a slash, which is left out here",
            "names start with a slash, which is left out here",
        ),
        count(
            out,
            "name leads out of the archive; it opens nothing",
            "names lead out of the archive; they open nothing",
        ),
        count(
            nameless,
            "member has no name and cannot be read",
            "members have no name and cannot be read",
        ),
    ];
    oddities.into_iter().flatten().collect()
}

/// What there is in the whole archive.
fn totals(format: Format, catalogue: &Catalogue) -> String {
    let files = catalogue.members.iter();
    let files = files.filter(|member| member.kind == MemberKind::File);
    let size = files
        .clone()
        .fold(0u64, |sum, m| sum.saturating_add(m.size));
    let files = files.count();
    let name = if files == 1 { "file" } else { "files" };
    format!("{}: {files} {name}, {}", format.name(), bytes(size))
}
