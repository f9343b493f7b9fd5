//! The attachments of mails, mailboxes and PDF documents, which are read like members of an archive.

use super::enter::{Content, Denies, Inside, enter};
use super::labels::{self, without_prefix};
use super::misdirected::too_deep;
use super::peeked::Peeked;
use super::repair::{similar_names, there_is_in};
use super::{document, package};
use crate::encoding;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Suffix, ends_in};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, Document, MAIL_NAMES};
use crate::subject::{Step, Subject};
use crate::world::{Bytes, DocumentError, FileError, Info, Refusal, Source, World};
use memchr::memmem;
use omniread_document::{Attachment, Format};

/// Opens the attachment that the rest of a path names, if the content is a document with attachments.
/// Attachments of attached mails, and members of attached archives, are opened too. All other
/// content is returned unchanged. An attachment is found even if its name has the syntax of a
/// selector, if the name or the type of the mail is that of a mail.
///
/// # Errors
/// Returns [`Reason::NotFound`] with similar names if there is no such attachment. Fails if it is
/// denied or cannot be read.
pub fn enter_attachment(
    inside: Inside,
    request: &Request,
    world: &mut dyn World,
) -> Result<Inside, Failure> {
    if !may_name(&inside) {
        return Ok(inside);
    }
    let (mut inside, is_other) = buffered(inside, request)?;
    if is_other {
        return Ok(inside);
    }
    loop {
        if !may_name(&inside) {
            return Ok(inside);
        }
        let (Content::Bytes(source, None), Some(rest)) = (&mut inside.content, &inside.rest) else {
            return Ok(inside);
        };
        let Some(format) = format(&mut **source, &inside.subject) else {
            return Ok(inside);
        };
        let members = inside.subject.inner_path.iter();
        let depth = members
            .filter(|step| matches!(step, Step::Member(_)))
            .count();
        if depth >= limits::ARCHIVE_DEPTH {
            return Err(too_deep(&request.path));
        }
        let is_selector = !matches!(rest.selector(), Ok(None));
        if is_selector && format != Format::Msg && !has_name(&mut **source, rest) {
            return Ok(inside);
        }
        let found = attachment(format, &mut **source, &inside.subject, rest, request, world);
        let (name, after, bytes) = match found {
            Err(failure) if is_selector && !matches!(failure.reason, Reason::Denied(..)) => {
                return Ok(inside);
            }
            found => match found? {
                Found::Attachment { name, after, bytes } => (name, after, bytes),
                Found::Pages(pages) => {
                    inside.rest = Some(pages);
                    return Ok(inside);
                }
            },
        };
        let mut subject = inside.subject;
        subject.requested = format!("{}:{name}", subject.requested);
        subject.inner_path.push(Step::Member(name));
        subject.compression = None;
        subject.info = Info {
            size: Some(bytes.len() as u64),
            modified: subject.info.modified,
            ..Info::default()
        };
        let notes = inside.notes;
        inside = {
            let denies = |member: &str| world.denies(member);
            let denies = world.denies_members().then_some(&denies as &Denies<'_>);
            let source = Box::new(Bytes::new(bytes));
            enter(
                source,
                subject,
                after,
                request.style.bare_path(),
                &request.path,
                denies,
            )?
        };
        inside.notes.splice(0..0, notes);
    }
}

/// Whether the rest of a path may name an attachment. The name of an attachment may be a selector,
/// such as `10-20`. Whether there is one is only checked in files that are named like mails, because
/// most other texts are none. The names of attachments in a mailbox start with the number of a mail,
/// and are no selectors.
fn may_name(inside: &Inside) -> bool {
    let Some(rest) = &inside.rest else {
        return false;
    };
    if matches!(rest.selector(), Ok(None)) {
        return true;
    }
    let hints = inside.subject.hints();
    let is_name = !rest.is_root() && !rest.as_str().starts_with(':');
    let is_mail = ends_in(hints.name, MAIL_NAMES) || ends_in(hints.name, &["msg"]);
    is_name && (is_mail || hints.mime == Some("message/rfc822"))
}

/// Whether a mail contains the text that `rest` names. Lines of a mail are read without the document
/// engine if it does not. Attachments whose names are selectors are not looked for in large mails.
fn has_name(source: &mut dyn Source, rest: &Suffix) -> bool {
    let limit = limits::SEARCHED_MAIL_BYTES;
    let Ok(mut input) = Input::new(source, None) else {
        return false;
    };
    let bytes = input.first(limit.saturating_add(1));
    let contains = |name: &str| memmem::find(&bytes, name.as_bytes()).is_some();
    bytes.len() as u64 <= limit && rest.names().iter().any(|(name, _)| contains(name))
}

/// Reads a document with attachments in a stream, such as standard input, into memory. Also returns
/// whether the stream is something else, whose start must not be examined again.
///
/// # Errors
/// Fails if it is too large or cannot be read.
fn buffered(mut inside: Inside, request: &Request) -> Result<(Inside, bool), Failure> {
    let source = match inside.content {
        Content::Bytes(source, None) if !source.rewindable() => source,
        content => {
            inside.content = content;
            return Ok((inside, false));
        }
    };
    let cannot = |error| failure(error, &request.path);
    let mut peeked = Peeked::new(source, inside.subject.bytes()).map_err(cannot)?;
    let mut head = Bytes::new(peeked.head().to_vec());
    let is_other = format(&mut head, &inside.subject).is_none();
    let source: Box<dyn Source> = if !is_other {
        let mut size = None;
        let bytes = package::in_memory(&mut peeked, &mut size).map_err(cannot)?;
        if inside.subject.compression.is_none() {
            inside.subject.info.size = size;
        }
        bytes
    } else {
        Box::new(peeked)
    };
    inside.content = Content::Bytes(source, None);
    Ok((inside, is_other))
}

/// The format of a mail, a mailbox or a PDF document. `None` if the content is something else.
fn format(source: &mut dyn Source, subject: &Subject) -> Option<Format> {
    let mut input = Input::new(source, subject.bytes()).ok()?;
    let hints = subject.hints();
    let document = Document::of_bytes(&mut input, hints.name).or_else(|| {
        let encoding = encoding::detect(&mut input, subject.bytes(), sniff::is_known)?;
        document::of_text(&input, encoding, hints)
    });
    document?.engine().filter(|format| {
        matches!(
            format,
            Format::Eml | Format::Msg | Format::Mbox | Format::Pdf
        )
    })
}

/// What the rest of a path names in a document.
enum Found {
    /// An attachment: its name, the text of the path after it, and its bytes.
    Attachment {
        name: String,
        after: Option<Suffix>,
        bytes: Vec<u8>,
    },
    /// Pages that the path selects by their labels: the suffix with their numbers.
    Pages(Suffix),
}

/// Reads the attachment that `rest` names. A page of a PDF document that has this label is found too.
fn attachment(
    format: Format,
    source: &mut dyn Source,
    subject: &Subject,
    rest: &Suffix,
    request: &Request,
    world: &mut dyn World,
) -> Result<Found, Failure> {
    let path = &request.path;
    let mut input = Input::new(source, subject.bytes()).map_err(|error| failure(error, path))?;
    let unread = |error: DocumentError| {
        let why = escape_invisible(&error.to_string());
        Failure {
            reason: Reason::Unsupported(why),
            ..error.failure(&format!("cannot read `{}`", subject.requested))
        }
    };
    let mut document = document::open(format, &mut input, subject, world).map_err(unread)?;
    let attachments = document.attachments();
    let candidates = rest.names();
    // The failure does not reveal whether there is a denied attachment.
    if let Some((name, _)) = candidates.last()
        && let Some(rule) = world
            .denies(without_prefix(name))
            .filter(|_| world.denies_members())
    {
        return Err(failure(FileError::Refused(Refusal::Denied(rule)), path));
    }
    let found = candidates.into_iter().find_map(|(name, after)| {
        let mut all = attachments.iter().enumerate();
        let (index, attachment) =
            all.find(|(_, one)| one.name == name || one.name == without_prefix(&name))?;
        Some((name, after, index, attachment))
    });
    let Some((name, after, index, found)) = found else {
        let facts = document.facts();
        if format == Format::Pdf
            && let Some(pages) = labels::with_number(rest, &facts.list)
        {
            return Ok(Found::Pages(pages));
        }
        // Denied names are not suggested.
        let allowed = attachments
            .iter()
            .filter(|one| denied(one, world).is_none());
        let names: Vec<&str> = allowed.map(|one| one.name.as_str()).collect();
        return Err(if format == Format::Pdf {
            labels::nothing_selected(subject, rest, facts, &names, request)
        } else {
            missing(subject, rest, names.into_iter(), path)
        });
    };
    if let Some(rule) = denied(found, world) {
        return Err(failure(FileError::Refused(Refusal::Denied(rule)), path));
    }
    let bytes = document.attachment(index as u64).map_err(unread)?;
    let bytes = bytes.ok_or_else(|| failure(FileError::NotFound, path))?;
    Ok(Found::Attachment { name, after, bytes })
}

/// A note that names the attachments of a document, except those that are denied. `None` if there are
/// none.
pub fn note(attachments: &[Attachment], subject: &Subject, world: &dyn World) -> Option<String> {
    let allowed = attachments
        .iter()
        .filter(|one| denied(one, world).is_none());
    let names: Vec<&str> = allowed.map(|one| one.name.as_str()).collect();
    let first = names.iter().take(limits::NAMED_ATTACHMENTS);
    let first: Vec<String> = first
        .map(|name| format!("`{}`", labels::path_of(subject, name)))
        .collect();
    let more = match names.len().saturating_sub(first.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match first.as_slice() {
        [] => None,
        [one] => Some(format!("The file has an attachment: {one} reads it.")),
        _ => Some(format!(
            "The file has {} attachments, which these paths read: {}{more}.",
            names.len(),
            first.join(", ")
        )),
    }
}

/// The deny rule that matches an attachment, if one does. The name that the document declares is matched
/// too, as a path and by its last component, because the name that is shown differs from it: in
/// `dir/.env`, and in the second of two attachments called `.env`.
fn denied(attachment: &Attachment, world: &dyn World) -> Option<String> {
    if !world.denies_members() {
        return None;
    }
    let declared = attachment.declared.replace('\\', "/");
    let last = declared.rsplit('/').next().unwrap_or_default().trim();
    let names = [attachment.name.as_str(), &declared, last];
    let mut names = names.into_iter().filter(|name| !name.is_empty());
    names.find_map(|name| world.denies(name))
}

/// The failure for an attachment that does not exist.
fn missing<'n>(
    subject: &Subject,
    rest: &Suffix,
    mut names: impl Iterator<Item = &'n str>,
    path: &str,
) -> Failure {
    let wanted = rest.unescaped();
    let near = similar_names(&wanted, &mut names);
    let paths: Vec<String> = near.iter().map(|name| subject.member_path(name)).collect();
    let hint = match paths.as_slice() {
        [] => format!(
            "`{}` has no attachment of this name; read `{}` for the list",
            subject.shown(),
            escape_invisible(&subject.member_path(""))
        ),
        paths => there_is_in(&subject.member_path(""), paths),
    };
    Failure {
        reason: Reason::NotFound(paths),
        ..failure(FileError::NotFound, path).hint(hint)
    }
}
