//! Archives as listings: what stands in one directory of them.

use crate::answer::Listing;
use crate::pages::{fill_text, visible};
use crate::sources::archive::{Catalogue, Child, Format, MemberKind, children, duplicates, normal};
use crate::units::bytes;
use crate::window::{Total, Window};

/// Reads a page of the listing of a directory of an archive, and what is to be
/// noted of the archive.
pub fn read(
    format: Format,
    catalogue: &Catalogue,
    directory: &str,
    window: &Window,
) -> (Listing, Vec<String>) {
    let children = children(catalogue, directory);
    let mut lines: Vec<(bool, String)> = children
        .iter()
        .map(|(name, child)| {
            let name = visible(name);
            match child {
                Child::Directory => (false, format!("{name}/")),
                Child::File(0) | Child::Other => (true, name),
                Child::File(size) => (true, format!("{name} ({})", bytes(*size))),
                Child::Link(target) => (true, format!("{name} -> {}", visible(target))),
                Child::HardLink(target) => (true, format!("{name} (link to {})", visible(target))),
            }
        })
        .collect();
    // Directories first; each kind is in order by now.
    lines.sort_by_key(|(file, _)| *file);
    let mut text = lines.iter().fold(String::new(), |mut text, (_, line)| {
        text.push_str(line);
        text.push('\n');
        text
    });
    if text.is_empty() {
        text.push_str("(empty)\n");
    }
    let count = children.len() as u64;
    let listing = Listing {
        window: window.clone(),
        page: fill_text(text, window),
        archive: Some(format.name()),
        entries: Total::Exact(count),
        listed: count,
        withheld: 0,
    };
    let mut notes = vec![totals(format, catalogue)];
    notes.extend(match duplicates(catalogue) {
        0 => None,
        1 => Some("1 name stands for several members; one of them is read".to_owned()),
        names => Some(format!(
            "{names} names stand for several members; one of each is read"
        )),
    });
    let members = catalogue.members.iter();
    notes.extend(
        match members.filter(|m| normal(&m.name).is_none()).count() {
            0 => None,
            1 => Some("1 name leads out of the archive; it opens nothing".to_owned()),
            names => Some(format!(
                "{names} names lead out of the archive; they open nothing"
            )),
        },
    );
    notes.extend(catalogue.notes.iter().map(|note| visible(note)));
    (listing, notes)
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
