//! Directories of archives, as listings.

use super::kinds::Kinds;
use super::{hashed, listed};
use crate::answer::{Answer, Body, Inside, Listing};
use crate::containers::archive::{
    Catalogue, Child, Format, MemberKind, children, duplicates, normal,
};
use crate::failure::Failure;
use crate::limits;
use crate::pages::fill_text;
use crate::path::Rest;
use crate::request::Request;
use crate::sources::{self, Members};
use crate::subject::Subject;
use crate::units::bytes;
use crate::visible::visible;
use crate::window::{Total, Window};
use crate::world::World;
use std::fmt::Write as _;

/// Reads a directory of an archive: a listing, or what it contains where no
/// listing is asked for.
///
/// # Errors
/// If what follows the name of the archive is not a selector.
pub fn answer(
    mut members: Members,
    subject: Subject,
    rest: Option<&Rest>,
    request: &Request,
    world: &dyn World,
) -> Result<Answer, Failure> {
    if let Some(rest) = rest.filter(|_| subject.root)
        && !rest.is_selector()
        && !rest.as_str().starts_with('?')
    {
        return Err(sources::not_in_root(&subject, &request.path));
    }
    let selector = sources::selector(&subject, rest)?;
    let (body, notes) = if members.named || request.style.listings {
        let what = members.format.name();
        let window = listed(request, selector, what, limits::ARCHIVE_LINES)?;
        let (listing, notes) = read(&members, &window);
        (Body::Listing(listing), notes)
    } else {
        let (inside, notes) = inside(&members);
        (Body::Archive(inside), notes)
    };
    let digest = hashed(&mut members.stored, subject.info.size, request, world);
    Ok(Answer {
        subject,
        body,
        digest,
        notes,
    })
}

/// Reads a page of the listing of a directory of an archive, and what is to be
/// noted of the archive.
fn read(members: &Members, window: &Window) -> (Listing, Vec<String>) {
    let Members {
        format,
        catalogue,
        directory,
        ..
    } = members;
    let children = children(catalogue, directory);
    let mut text = String::new();
    for ((_, name), child) in &children {
        entry(name, child, &mut text);
        text.push('\n');
    }
    if text.is_empty() {
        text.push_str("(empty)\n");
    }
    let count = children.len() as u64;
    let mut page = fill_text(text, window);
    // Each has a line of its own.
    page.total = Total::Exact(count.max(1));
    let last = page.lines.last().filter(|_| page.rest.is_some());
    let last = last.and_then(|line| usize::try_from(line.number).ok());
    let mut left = Kinds::default();
    for ((_, name), child) in children.iter().skip(last.unwrap_or(usize::MAX)) {
        left.add(name, *child == Child::Directory);
    }
    let listing = Listing {
        window: window.clone(),
        page,
        archive: Some(format.name()),
        entries: Total::Exact(count),
        listed: count,
        limit: None,
        withheld: catalogue.withheld,
    };
    let mut notes = notes(*format, catalogue);
    notes.extend(left.note(listing.entries));
    (listing, notes)
}

/// What an archive is and holds, and what is to be noted of it.
fn inside(members: &Members) -> (Inside, Vec<String>) {
    let Members {
        format, catalogue, ..
    } = members;
    let children = children(catalogue, &members.directory);
    let first = children.iter().take(limits::ARCHIVE_NAMES);
    let first = first.map(|((_, name), child)| {
        let mut text = String::new();
        entry(name, child, &mut text);
        text
    });
    let named = |name: &str| normal(name).is_some_and(|name| !name.is_empty());
    let mut files = catalogue.members.iter();
    let member = files.find(|member| member.kind == MemberKind::File && named(&member.name));
    let inside = Inside {
        format: format.name(),
        first: first.collect(),
        entries: children.len() as u64,
        member: member.and_then(|member| Some(normal(&member.name)?.into_owned())),
    };
    (inside, notes(*format, catalogue))
}

/// Writes an entry as it is listed.
fn entry(name: &str, child: &Child, text: &mut String) {
    if name.is_empty() {
        text.push_str("(no name)");
    }
    text.push_str(&visible(name));
    let _ = match child {
        Child::Directory => write!(text, "/"),
        Child::File(0) => Ok(()),
        Child::File(size) => write!(text, " ({})", bytes(*size)),
        Child::Link(Some(target)) => write!(text, " -> {}", visible(target)),
        Child::Link(None) => write!(text, " (link)"),
        Child::HardLink(target) => write!(text, " (link to {})", visible(target)),
        Child::Other => write!(text, " (special)"),
    };
}

fn notes(format: Format, catalogue: &Catalogue) -> Vec<String> {
    let mut notes = vec![totals(format, catalogue)];
    notes.extend(match catalogue.withheld {
        0 => None,
        1 => Some("1 member hidden by deny rules".to_owned()),
        hidden => Some(format!("{hidden} members hidden by deny rules")),
    });
    notes.extend(oddities(catalogue));
    notes.extend(catalogue.notes.iter().cloned());
    notes
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
            "name belongs to several members; one of them is read",
            "names belong to several members; one of each is read",
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
