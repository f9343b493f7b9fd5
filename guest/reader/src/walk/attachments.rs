//! Mails, mailboxes and PDF documents, whose attachments are read like members of an archive. Attachments
//! of attached mails, and members of attached archives, are found too.

use super::node::{Next, Node};
use super::way::Way;
use crate::encoding;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Suffix, ends_in};
use crate::read::{Content, Context};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, Document, MAIL_NAMES};
use crate::sources::{
    self, denied_attachment, of_text, similar_names, there_is_in, too_deep, without_prefix,
};
use crate::subject::{Step, Subject};
use crate::world::{Bytes, DocumentError, DocumentFailure, FileError, Refusal, Source};
use memchr::memmem;
use omniread_document::Format;

/// A document with attachments, if the content is one.
pub struct Attachments;

impl Node for Attachments {
    fn detect(content: &mut Content, way: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        let is_possible = content.container.is_none() && may_name(way);
        Ok(is_possible.then_some(Self))
    }

    /// An attachment is found even if its name has the syntax of a selector, if the name or the type of
    /// the mail is that of a mail.
    fn consume(
        self,
        mut content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let path = &context.request.path;
        let is_document = |head: &mut Bytes, subject: &Subject| format(head, subject).is_some();
        let loaded = way.load_if(&mut content, is_document);
        if !loaded.map_err(|error| failure(error, path))? {
            return Ok(Next::NotMine(content));
        }
        let Some(rest) = &way.rest else {
            return Ok(Next::NotMine(content));
        };
        let Some(format) = format(&mut *content.source, &way.subject) else {
            return Ok(Next::NotMine(content));
        };
        if way.depth() >= limits::ARCHIVE_DEPTH {
            return Err(too_deep(path));
        }
        let is_selector = !matches!(rest.selector(), Ok(None));
        if is_selector && format != Format::Msg && !has_name(&mut *content.source, rest) {
            return Ok(Next::NotMine(content));
        }
        let (name, after, bytes) = match found(format, &mut *content.source, way, rest, context) {
            Err(failure) if is_selector && !matches!(failure.reason, Reason::Denied(..)) => {
                return Ok(Next::NotMine(content));
            }
            found => match found? {
                Found::Attachment { name, after, bytes } => (name, after, bytes),
                Found::Pages(pages) => {
                    way.rest = Some(pages);
                    return Ok(Next::NotMine(content));
                }
            },
        };
        let child = way.enter(Step::Member(name), bytes);
        way.rest = after;
        (way.archive, way.stored) = (None, None);
        way.is_start = true;
        Ok(Next::Child(Box::new(child)))
    }
}

/// Whether the rest of a path may name an attachment. The name of an attachment may be a selector,
/// such as `10-20`. Whether there is one is only checked in files that are named like mails, because
/// most other texts are none. The names of attachments in a mailbox start with the number of a mail,
/// and are no selectors.
fn may_name(way: &Way) -> bool {
    let Some(rest) = &way.rest else {
        return false;
    };
    if matches!(rest.selector(), Ok(None)) {
        return true;
    }
    let hints = way.subject.hints();
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

/// The format of a mail, a mailbox or a PDF document. `None` if the content is something else.
fn format(source: &mut dyn Source, subject: &Subject) -> Option<Format> {
    let mut input = Input::new(source, subject.bytes()).ok()?;
    let hints = subject.hints();
    let document = Document::of_bytes(&mut input, hints.name).or_else(|| {
        let encoding = encoding::detect(&mut input, subject.bytes(), sniff::is_known)?;
        of_text(&input, encoding, hints)
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
fn found(
    format: Format,
    source: &mut dyn Source,
    way: &Way,
    rest: &Suffix,
    context: &mut Context<'_>,
) -> Result<Found, Failure> {
    let Context { request, world, .. } = context;
    let (path, subject) = (&request.path, &way.subject);
    let mut input = Input::new(source, subject.bytes()).map_err(|error| failure(error, path))?;
    let unread = |error: DocumentError| {
        let why = escape_invisible(&error.to_string());
        Failure {
            reason: Reason::Unsupported(why),
            ..error.failure(&format!("cannot read `{}`", subject.requested))
        }
    };
    let mut document =
        sources::open_document(format, &mut input, subject, *world).map_err(unread)?;
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
            && let Some(pages) = sources::page_with_label(rest, &facts.list)
        {
            return Ok(Found::Pages(pages));
        }
        // Denied names are not suggested.
        let allowed = attachments
            .iter()
            .filter(|one| denied_attachment(one, *world).is_none());
        let names: Vec<&str> = allowed.map(|one| one.name.as_str()).collect();
        return Err(if format == Format::Pdf {
            sources::nothing_selected(subject, rest, facts, &names, request)
        } else {
            missing(subject, rest, names.into_iter(), path)
        });
    };
    if let Some(rule) = denied_attachment(found, *world) {
        return Err(failure(FileError::Refused(Refusal::Denied(rule)), path));
    }
    let bytes = document.attachment(index as u64).map_err(unread)?;
    let bytes = bytes.ok_or_else(|| failure(FileError::NotFound, path))?;
    Ok(Found::Attachment { name, after, bytes })
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
