//! Archives: opens the member or directory that a path names. A document of an office program, which is
//! an archive of its parts, is left to the nodes of documents, unless the path names a part.

use super::companion;
use super::lookup::{Candidates, Located, Wanted, leads_out, locate_member};
use super::node::{Next, Node};
use super::package::Package;
use super::table;
use super::way::{Way, allow, denied};
use crate::containers::archive::links::{LinkTarget, Links};
use crate::containers::archive::{Format, Index, Lookup, Member, normalized};
use crate::containers::shared::Shared;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::Suffix;
use crate::read::{self, Content, Context, Members};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{Container, Document};
use crate::sources::{no_part, read_once, too_deep};
use crate::subject::Step;
use crate::world::{FileError, Source as _};
use std::borrow::Cow;

/// An archive.
pub struct Archive {
    format: Format,
    /// Whether the format was detected. Otherwise it is a guess, because the path names a member, and the
    /// format has no signature at the start.
    is_detected: bool,
}

impl Node for Archive {
    fn detect(content: &mut Content, way: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        if let Some(Container::Archive(format)) = content.container {
            return Ok(Some(Self {
                format,
                is_detected: true,
            }));
        }
        let is_other = matches!(
            content.container,
            Some(Container::Document(_) | Container::Unreadable(_) | Container::Database)
        );
        let is_guess = !is_other
            && way.asks_inside()
            && !way.rest.as_ref().is_some_and(Suffix::is_root)
            && content.source.rewindable()
            && !way.is_closed()
            && way.depth() < limits::ARCHIVE_DEPTH
            && matches!(table::requested(way, &content.head), Ok(None))
            && !is_document(content, way);
        Ok(is_guess.then_some(Self {
            format: Format::APPENDED,
            is_detected: false,
        }))
    }

    fn consume(
        self,
        content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        if way.depth() >= limits::ARCHIVE_DEPTH {
            return Err(too_deep(&context.request.path));
        }
        self.member(content, way, context)
    }
}

impl Archive {
    /// Opens the member or directory that the path names.
    fn member(
        self,
        mut content: Content,
        way: &mut Way,
        context: &Context<'_>,
    ) -> Result<Next, Failure> {
        let Self {
            format,
            is_detected,
        } = self;
        let typed = &context.request.path;
        let candidates = self.names(way, typed)?;
        let wanted: Vec<String> = candidates.iter().map(|(name, _)| name.clone()).collect();
        let mut size = way.subject.bytes();
        if is_detected && format == Format::Zip && !content.source.rewindable() {
            // The directory is at the end, and a document is read again after it.
            let loaded = way.load(&mut content);
            size = Some(loaded.map_err(|error| failure(error, typed))?);
        }
        let shared = Shared::new(content.source);
        let content = Content {
            source: Box::new(shared.clone()),
            ..content
        };
        let stored = way.stored.take().unwrap_or_else(|| shared.clone());
        way.archive = Some(companion::Archive {
            format,
            source: shared.clone(),
            size,
            member: String::new(),
        });
        let mut index = match format.find_first(Box::new(shared.clone()), size, &wanted) {
            Ok(Lookup::NotFound(index)) => index,
            // The document engine states the damage of a document.
            Err(_)
                if shared.rewindable()
                    && is_detected
                    && let Some(document) =
                        package(format, &content, way).and_then(|package| package.damaged()) =>
            {
                return Ok(document_in(document, content));
            }
            // The path names no member, or the format was only guessed: the bytes are shown.
            Err(error) if (!is_detected || !way.asks_inside()) && shared.rewindable() => {
                if let Some(closed) = way.close() {
                    return Ok(Next::Child(Box::new(closed)));
                }
                way.notes.extend(is_detected.then(|| error.to_string()));
                return Ok(Next::NotMine(content));
            }
            lookup => return enter_member(lookup, candidates, None, way, context),
        };
        // The answer does not reveal whether a denied member exists.
        if let Some((name, _)) = candidates.last() {
            allow(name, context)?;
        }
        allow_links(&index, &candidates, context)?;
        let denied = remove_denied(&mut index, context);
        let document = package(format, &content, way).and_then(|it| it.document(&index));
        if let Some(document) = document {
            return Ok(document_in(document, content));
        }
        let arrived = locate_member(
            format,
            &index,
            &Wanted {
                subject: &way.subject,
                rest: way.rest.as_ref(),
                candidates: &candidates,
                typed,
            },
        );
        let arrived = match arrived {
            Ok(arrived) => arrived,
            Err(missing) => {
                // The path names a sheet.
                let package = package(format, &content, way);
                if let Some(book) = package.and_then(|it| it.workbook(&index)) {
                    return Ok(document_in(book, content));
                }
                index.members.extend(denied);
                let document = package.and_then(|it| it.kind(&index));
                return Err(match document {
                    Some(document) => no_part(missing, document, &way.subject),
                    None => missing,
                });
            }
        };
        let (target, place) = match arrived {
            Located::Directory(directory, place) => {
                enter_directory(&directory, candidates, place, way);
                if let Some(closed) = way.close() {
                    return Ok(Next::Child(Box::new(closed)));
                }
                let members = Members {
                    format,
                    index,
                    directory,
                    named: place.is_some(),
                    stored,
                };
                let subject = way.subject.clone();
                let answer = read::archive(members, subject, way.rest.as_ref(), context)?;
                return Ok(Next::Body(Box::new(answer)));
            }
            Located::Spelled(name, place) => (name, place),
            Located::Link(target, place) => {
                if shared.rewindable() {
                    way.notes.push(format!("a link to `{target}`"));
                }
                (target, place)
            }
        };
        if !shared.rewindable() {
            return Err(read_once(typed));
        }
        let lookup = format.find_first(Box::new(shared), size, &[target]);
        enter_member(lookup, candidates, Some(place), way, context)
    }

    /// The member names with which the rest of the path may start.
    fn names(&self, way: &Way, typed: &str) -> Result<Candidates, Failure> {
        let names = way.rest.as_ref().map_or(Vec::new(), Suffix::names);
        // The shortest candidate is always a name.
        let shortest = names.last().map_or("", |(name, _)| name.as_str());
        if self.is_detected && shortest.split('/').any(|part| part == "..") {
            return Err(leads_out(typed));
        }
        let mut spellings = Vec::new();
        for (name, rest) in names {
            let Some(plain) = normalized(&name).map(Cow::into_owned) else {
                continue;
            };
            // A member with exactly this spelling takes precedence.
            if plain != name && !name.ends_with('/') {
                spellings.push((name.clone(), rest.clone()));
            }
            let slashes = name.replace('\\', "/");
            let windows = (self.format == Format::Zip && slashes != name)
                .then(|| normalized(&slashes).map(Cow::into_owned))
                .flatten();
            spellings.push((plain, rest.clone()));
            spellings.extend(windows.map(|name| (name, rest)));
        }
        Ok(spellings)
    }
}

/// Adds a directory of an archive to the path of the subject. `place` is the index in `candidates` of
/// the name that matched. It is `None` if the path does not name a directory.
fn enter_directory(directory: &str, candidates: Candidates, place: Option<usize>, way: &mut Way) {
    way.subject.is_root = directory.is_empty();
    if let Some((name, after)) = place.and_then(|place| candidates.into_iter().nth(place)) {
        way.rest = after;
        if !name.is_empty() {
            way.subject.requested = format!("{}:{name}", way.subject.requested);
            way.subject
                .inner_path
                .push(Step::Member(format!("{name}/")));
        }
    }
}

/// Goes on in the member that `lookup` found. `place` is the index in `candidates` of the name that
/// matched. If it is `None`, the index in the result of the lookup is used.
fn enter_member(
    lookup: Result<Lookup, FileError>,
    candidates: Candidates,
    place: Option<usize>,
    way: &mut Way,
    context: &Context<'_>,
) -> Result<Next, Failure> {
    let typed = &context.request.path;
    let opened = match lookup {
        Ok(Lookup::Found(opened)) => opened,
        Ok(Lookup::Unreadable(member, why)) => {
            allow(&member.name, context)?;
            let message = format!(
                "cannot read `{}` of `{}`: {why}",
                member.name,
                way.subject.shown()
            );
            return Err(Failure::new(Reason::Unsupported(why), message));
        }
        // The archive has changed since the first lookup.
        Ok(Lookup::NotFound(_)) => return Err(failure(FileError::NotFound, typed)),
        Err(error) => return Err(failure(error, typed)),
    };
    let place = place.unwrap_or(opened.name);
    let (name, after) = candidates.into_iter().nth(place).unwrap_or_default();
    // Deny rules apply to the name of a link and to its target.
    allow(&name, context)?;
    allow(
        &normalized(&opened.member.name).unwrap_or_default(),
        context,
    )?;
    way.rest = after;
    way.notes.extend(opened.notes);
    if let Some(archive) = &mut way.archive {
        archive.member.clone_from(&opened.member.name);
    }
    way.subject.enter(Step::Member(name));
    way.subject.compression = None;
    way.subject.info = opened.member.info();
    Ok(Next::Child(opened.source))
}

/// An archive as a document that may be one. `None` if its format is not that of documents.
fn package<'s>(format: Format, content: &'s Content, way: &'s Way) -> Option<Package<'s>> {
    let package = Package {
        head: &content.head,
        name: way.subject.inner_name(),
        rest: way.rest.as_ref(),
    };
    (format == Format::Zip).then_some(package)
}

/// Whether content is a document that is not a zip archive. Such a document may have one in it, and the
/// path names a sheet or an attachment.
fn is_document(content: &mut Content, way: &Way) -> bool {
    let input = Input::new(&mut *content.source, way.subject.bytes());
    input.is_ok_and(|mut input| Document::of_bytes(&mut input, way.subject.hints().name).is_some())
}

/// Leaves the content to the nodes of documents.
fn document_in(document: Document, content: Content) -> Next {
    Next::NotMine(Content {
        container: Some(Container::Document(document)),
        ..content
    })
}

/// Checks the deny rules for the targets of links that the path may name. The answer does not reveal
/// whether a denied target exists. `index` has the denied members too.
fn allow_links(
    index: &Index,
    candidates: &[(String, Option<Suffix>)],
    context: &Context<'_>,
) -> Result<(), Failure> {
    if !context.world.denies_members() {
        return Ok(());
    }
    let links = Links::new(index);
    candidates
        .iter()
        .try_for_each(|(name, _)| match links.follow(name) {
            LinkTarget::To(target) => allow(&target, context),
            _ => Ok(()),
        })
}

/// Removes the denied members from an index, and returns them.
fn remove_denied(index: &mut Index, context: &Context<'_>) -> Vec<Member> {
    if !context.world.denies_members() {
        return Vec::new();
    }
    let is_denied = |member: &mut Member| {
        normalized(&member.name).is_some_and(|name| denied(&name, context).is_some())
    };
    let denied: Vec<Member> = index.members.extract_if(.., is_denied).collect();
    index.denied_members = denied.len() as u64;
    denied
}
