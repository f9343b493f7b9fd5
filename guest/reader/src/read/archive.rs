//! Listings of directories in archives.

use super::Context;
use super::kinds::Kinds;
use super::{hashed, listed};
use crate::answer::{Answer, ArchiveSummary, Body, Listing};
use crate::containers::archive::{
    Child, Format, Index, MemberKind, children, duplicates, normalized,
};
use crate::containers::shared::Shared;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::fill_text;
use crate::path::Suffix;
use crate::sources;
use crate::subject::Subject;
use crate::units::bytes;
use crate::window::{Total, Window};
use std::fmt::Write as _;

/// A directory of an archive.
pub struct Members {
    /// The format of the archive.
    pub format: Format,
    /// The index of all members of the archive.
    pub index: Index,
    /// The name of the directory; empty for the root.
    pub directory: String,
    /// Whether the path names the directory. A colon after the name of the archive names its root
    /// directory.
    pub named: bool,
    /// The stored bytes of the archive, before decompression.
    pub stored: Shared,
}

/// Reads a directory of an archive. The answer is a listing of the directory. It is a summary of
/// the archive if the path names no directory in it and the dialect (the read tool of an agent)
/// does not list directories.
///
/// # Errors
/// Fails if the text after the name of the directory is not a selector such as `:50-80`, or if this
/// selector does not apply to a listing.
pub fn answer(
    mut members: Members,
    subject: Subject,
    rest: Option<&Suffix>,
    context: &Context<'_>,
) -> Result<Answer, Failure> {
    let Context { request, world, .. } = context;
    if let Some(rest) = rest.filter(|_| subject.is_root)
        && !rest.is_selector()
        && !rest.as_str().starts_with('?')
    {
        return Err(sources::not_in_root(&subject, &request.path));
    }
    let selector = sources::selector(&subject, rest).map_err(|failure| {
        let is_directory = subject.last_step().is_some_and(|name| name.ends_with('/'));
        let list = if is_directory {
            subject.whole()
        } else {
            subject.member_path("")
        };
        match failure.reason {
            Reason::NotFound(_) | Reason::Unsupported(_) => failure.hint(format!(
                "list the members with `{}`",
                escape_invisible(&list)
            )),
            _ => failure,
        }
    })?;
    let (body, notes) = if members.named || request.style.listings {
        let what = members.format.name();
        let window = listed(&subject, request, selector, what, limits::ARCHIVE_LINES)?;
        let (listing, notes) = read(&members, &window);
        (Body::Listing(listing), notes)
    } else {
        let (summary, notes) = summarize(&members);
        (Body::Archive(summary), notes)
    };
    let digest = hashed(&mut members.stored, subject.info.size, request, *world);
    Ok(Answer {
        subject,
        body,
        digest,
        notes,
    })
}

/// Returns a page of the listing of a directory in an archive, and notes on the archive and on the
/// entries after the page.
fn read(members: &Members, window: &Window) -> (Listing, Vec<String>) {
    let Members {
        format,
        index,
        directory,
        ..
    } = members;
    let children = children(index, directory);
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
    // Each entry has one line.
    page.total = Total::Exact(count.max(1));
    let last = page.lines.last().filter(|_| page.following.is_some());
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
        denied_entries: index.denied_members,
    };
    let mut notes = notes(*format, index);
    notes.extend(left.note(listing.entries));
    (listing, notes)
}

/// Builds the summary of an archive, and the notes on it.
fn summarize(members: &Members) -> (ArchiveSummary, Vec<String>) {
    let Members { format, index, .. } = members;
    let children = children(index, &members.directory);
    let first = children.iter().take(limits::ARCHIVE_NAMES);
    let first = first.map(|((_, name), child)| {
        let mut text = String::new();
        entry(name, child, &mut text);
        text
    });
    let named = |name: &str| normalized(name).is_some_and(|name| !name.is_empty());
    let mut files = index.members.iter();
    let member = files.find(|member| member.kind == MemberKind::File && named(&member.name));
    let summary = ArchiveSummary {
        format: format.name(),
        first: first.collect(),
        entries: children.len() as u64,
        member: member.and_then(|member| Some(normalized(&member.name)?.into_owned())),
    };
    (summary, notes(*format, index))
}

/// Appends an entry of the listing to `text`, without a line ending.
fn entry(name: &str, child: &Child, text: &mut String) {
    if name.is_empty() {
        text.push_str("(no name)");
    }
    text.push_str(&escape_invisible(name));
    let _ = match child {
        Child::Directory => write!(text, "/"),
        Child::File(0) => Ok(()),
        Child::File(size) => write!(text, " ({})", bytes(*size)),
        Child::Link(Some(target)) => write!(text, " -> {}", escape_invisible(target)),
        Child::Link(None) => write!(text, " (link)"),
        Child::HardLink(target) => write!(text, " (link to {})", escape_invisible(target)),
        Child::Other => write!(text, " (special)"),
    };
}

fn notes(format: Format, index: &Index) -> Vec<String> {
    let mut notes = vec![totals(format, index)];
    notes.extend(match index.denied_members {
        0 => None,
        1 => Some("1 member hidden by deny rules".to_owned()),
        hidden => Some(format!("{hidden} members hidden by deny rules")),
    });
    notes.extend(unusual_names(index));
    notes.extend(index.notes.iter().cloned());
    notes
}

/// Notes on the numbers of unusual names: names of several members, names that start with a slash,
/// names that lead out of the archive, and empty names.
fn unusual_names(index: &Index) -> Vec<String> {
    let (mut out, mut nameless, mut rooted) = (0usize, 0usize, 0usize);
    for member in &index.members {
        if member.name.starts_with('/') {
            rooted = rooted.saturating_add(1);
        }
        match normalized(&member.name) {
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
    let notes = [
        count(
            duplicates(index),
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
    notes.into_iter().flatten().collect()
}

/// The note with the number of files and their total size in the whole archive.
fn totals(format: Format, index: &Index) -> String {
    let files = index.members.iter();
    let files = files.filter(|member| member.kind == MemberKind::File);
    let size = files
        .clone()
        .fold(0u64, |sum, m| sum.saturating_add(m.size));
    let files = files.count();
    let name = if files == 1 { "file" } else { "files" };
    format!(
        "{}: {files} {name}, {} unpacked",
        format.name(),
        bytes(size)
    )
}
