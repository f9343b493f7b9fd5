//! The attachments of mails and mailboxes, which are read like members of an archive.

use super::enter::{Content, Denies, Inside, enter};
use super::misdirected::too_deep;
use super::peeked::Peeked;
use super::repair::{similar_names, there_is_in};
use super::{document, package};
use crate::encoding;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::Suffix;
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, Document};
use crate::subject::{Step, Subject};
use crate::world::{Bytes, DocumentFormat, FileError, Info, Refusal, Source, World};

/// Opens the attachment that the rest of a path names, if the content is a mail or a mailbox.
/// Attachments of attached mails, and members of attached archives, are opened too. All other
/// content is returned unchanged.
///
/// # Errors
/// Returns [`Reason::NotFound`] with similar names if there is no such attachment. Fails if it is
/// denied or cannot be read.
pub fn enter_attachment(
    mut inside: Inside,
    request: &Request,
    world: &mut dyn World,
) -> Result<Inside, Failure> {
    if !inside
        .rest
        .as_ref()
        .is_some_and(|rest| matches!(rest.selector(), Ok(None)))
    {
        return Ok(inside);
    }
    inside = buffered(inside, request)?;
    loop {
        let (Content::Bytes(source, None), Some(rest)) = (&mut inside.content, &inside.rest) else {
            return Ok(inside);
        };
        if !matches!(rest.selector(), Ok(None)) {
            return Ok(inside);
        }
        let Some(mail) = mail(&mut **source, &inside.subject) else {
            return Ok(inside);
        };
        let members = inside.subject.inner_path.iter();
        let depth = members
            .filter(|step| matches!(step, Step::Member(_)))
            .count();
        if depth >= limits::ARCHIVE_DEPTH {
            return Err(too_deep(&request.path));
        }
        let (name, after, bytes) =
            attachment(mail, &mut **source, &inside.subject, rest, request, world)?;
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

/// Reads a mail in a stream, such as standard input, into memory.
///
/// # Errors
/// Fails if it is too large or cannot be read.
fn buffered(mut inside: Inside, request: &Request) -> Result<Inside, Failure> {
    let source = match inside.content {
        Content::Bytes(source, None) if !source.rewindable() => source,
        content => {
            inside.content = content;
            return Ok(inside);
        }
    };
    let cannot = |error| failure(error, &request.path);
    let mut peeked = Peeked::new(source, inside.subject.bytes()).map_err(cannot)?;
    let mut head = Bytes::new(peeked.head().to_vec());
    let source: Box<dyn Source> = if mail(&mut head, &inside.subject).is_some() {
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
    Ok(inside)
}

/// The format of a mail or a mailbox. `None` if the content is something else.
fn mail(source: &mut dyn Source, subject: &Subject) -> Option<DocumentFormat> {
    let mut input = Input::new(source, subject.bytes()).ok()?;
    let hints = subject.hints();
    let document = Document::of_bytes(&mut input, hints.name).or_else(|| {
        let encoding = encoding::detect(&mut input, subject.bytes(), sniff::is_known)?;
        document::of_text(&input, encoding, hints)
    });
    document?.engine().filter(|format| {
        matches!(
            format,
            DocumentFormat::Eml | DocumentFormat::Msg | DocumentFormat::Mbox
        )
    })
}

/// Reads the attachment that `rest` names. Returns its name, the text of the path after it, and its
/// bytes.
fn attachment(
    format: DocumentFormat,
    source: &mut dyn Source,
    subject: &Subject,
    rest: &Suffix,
    request: &Request,
    world: &mut dyn World,
) -> Result<(String, Option<Suffix>, Vec<u8>), Failure> {
    let path = &request.path;
    let mut input = Input::new(source, subject.bytes()).map_err(|error| failure(error, path))?;
    let unread = |error: &dyn std::fmt::Display| {
        let why = escape_invisible(&error.to_string());
        let message = format!("cannot read `{}`: {why}", subject.requested);
        Failure::new(Reason::Unsupported(why), message)
    };
    let mut mail =
        document::open(format, &mut input, subject, world).map_err(|error| unread(&error))?;
    let attachments = mail.attachments();
    let candidates = rest.names();
    let found = candidates.into_iter().find_map(|(name, after)| {
        let index = attachments.iter().position(|one| one.name == name)?;
        Some((name, after, index))
    });
    let Some((name, after, index)) = found else {
        let mut names: Vec<&str> = attachments.iter().map(|one| one.name.as_str()).collect();
        // Denied names are not suggested.
        names.retain(|name| !world.denies_members() || world.denies(name).is_none());
        return Err(missing(subject, rest, names.into_iter(), path));
    };
    if let Some(rule) = world.denies(&name).filter(|_| world.denies_members()) {
        return Err(failure(FileError::Refused(Refusal::Denied(rule)), path));
    }
    let bytes = mail
        .attachment(index as u64)
        .map_err(|error| unread(&error))?;
    let bytes = bytes.ok_or_else(|| failure(FileError::NotFound, path))?;
    Ok((name, after, bytes))
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
