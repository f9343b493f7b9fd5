//! Opens the member or directory that a path names in an archive.

use super::companion::Archive;
use super::enter::{Content, Members, Step, Way};
use super::lookup::{Located, leads_out, locate_member};
use super::misdirected::{no_part, read_once};
use super::package::{self, Package};
use super::peeked::Peeked;
use crate::containers::archive::links::{LinkTarget, Links};
use crate::containers::archive::{Format, Index, Lookup, Member, normalized};
use crate::containers::shared::Shared;
use crate::failure::{Failure, Reason};
use crate::path::Suffix;
use crate::rooted_path::failure;
use crate::sniff::{Container, Document};
use crate::subject::Step as Entered;
use crate::world::{FileError, Refusal, Source};
use std::borrow::Cow;

impl<'t> Way<'t> {
    /// Opens the member or directory that the path names in an archive. `container` is the detected
    /// format of the bytes. If it is not that of an archive, `format` was guessed.
    ///
    /// # Errors
    /// Fails if there is no such member, or if it is denied or cannot be opened.
    pub fn member(
        mut self,
        peeked: Peeked,
        format: Format,
        container: Option<Container>,
    ) -> Result<Step<'t>, Failure> {
        let is_detected = matches!(container, Some(Container::Archive(_)));
        let candidates = self.names(is_detected, format)?;
        let wanted: Vec<String> = candidates.iter().map(|(name, _)| name.clone()).collect();
        let mut size = self.subject.bytes();
        let head = peeked.head();
        let head = head.get(..package::HEAD).unwrap_or(head).to_vec();
        let mut source: Box<dyn Source> = Box::new(peeked);
        if is_detected && format == Format::Zip && !source.rewindable() {
            // The directory is at the end, and a document is read again after it.
            source = package::in_memory(&mut *source, &mut size)
                .map_err(|error| failure(error, self.typed))?;
        }
        let shared = Shared::new(source);
        let stored = self.stored.take().unwrap_or_else(|| shared.clone());
        self.archive = Some(Archive {
            format,
            source: shared.clone(),
            size,
            member: String::new(),
        });
        match format.find_first(Box::new(shared.clone()), size, &wanted) {
            Ok(Lookup::NotFound(mut index)) => {
                // The answer does not reveal whether a denied member exists.
                if let Some((name, _)) = candidates.last() {
                    self.allow(name)?;
                }
                self.allow_links(&index, &candidates)?;
                let denied = self.remove_denied(&mut index);
                let package = self.package(format, &head);
                let document = package.as_ref().and_then(|it| it.document(&index));
                if let Some(document) = document {
                    return Ok(self.document(document, shared));
                }
                let arrived = |index: &Index| {
                    let rest = self.rest.as_ref();
                    locate_member(format, index, &self.subject, &candidates, rest, self.typed)
                };
                let arrived = match arrived(&index) {
                    Ok(arrived) => arrived,
                    // The path names a sheet.
                    Err(_)
                        if let Some(book) = self
                            .package(format, &head)
                            .and_then(|it| it.workbook(&index)) =>
                    {
                        return Ok(self.document(book, shared));
                    }
                    Err(missing) => {
                        index.members.extend(denied);
                        let package = self.package(format, &head);
                        let document = package.and_then(|it| it.kind(&index));
                        return Err(match document {
                            Some(document) => no_part(missing, document, &self.subject),
                            None => missing,
                        });
                    }
                };
                match arrived {
                    Located::Directory(directory, place) => {
                        self.enter_directory(&directory, candidates, place);
                        let content = Content::Members(Members {
                            format,
                            index,
                            directory,
                            named: place.is_some(),
                            stored,
                        });
                        Ok(Step::End(self.end(content)))
                    }
                    Located::Spelled(name, place) => {
                        if !shared.rewindable() {
                            return Err(read_once(self.typed));
                        }
                        let lookup = format.find_first(Box::new(shared), size, &[name]);
                        self.enter_member(lookup, candidates, Some(place))
                    }
                    Located::Link(target, place) => {
                        if !shared.rewindable() {
                            return Err(read_once(self.typed));
                        }
                        let note = format!("a link to `{target}`");
                        self.notes.push(note);
                        let lookup = format.find_first(Box::new(shared), size, &[target]);
                        self.enter_member(lookup, candidates, Some(place))
                    }
                }
            }
            // The document engine states the damage of a document.
            Err(_)
                if shared.rewindable()
                    && is_detected
                    && let Some(document) = self
                        .package(format, &head)
                        .and_then(|package| package.damaged()) =>
            {
                Ok(self.document(document, shared))
            }
            // The path names no member, or the format was only guessed: the bytes are shown.
            Err(error) if (!is_detected || !self.asks_inside()) && shared.rewindable() => {
                self.notes.extend(is_detected.then(|| error.to_string()));
                let content = Content::Bytes(Box::new(shared), container);
                Ok(Step::End(self.end(content)))
            }
            lookup => self.enter_member(lookup, candidates, None),
        }
    }

    /// The member names with which the rest of the path may start, the longest first, each with the
    /// text of the path after it. `archive` is true if the format of the archive was detected, and
    /// false if it was guessed.
    fn names(
        &self,
        archive: bool,
        format: Format,
    ) -> Result<Vec<(String, Option<Suffix>)>, Failure> {
        let names = self.rest.as_ref().map_or(Vec::new(), Suffix::names);
        // The shortest candidate is always a name.
        let shortest = names.last().map_or("", |(name, _)| name.as_str());
        if archive && shortest.split('/').any(|part| part == "..") {
            return Err(leads_out(self.typed));
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
            let windows = (format == Format::Zip && slashes != name)
                .then(|| normalized(&slashes).map(Cow::into_owned))
                .flatten();
            spellings.push((plain, rest.clone()));
            spellings.extend(windows.map(|name| (name, rest)));
        }
        Ok(spellings)
    }

    /// Adds a directory of an archive to the path of the subject. `place` is the index in
    /// `candidates` of the name that matched. It is `None` if the path does not name a directory.
    fn enter_directory(
        &mut self,
        directory: &str,
        candidates: Vec<(String, Option<Suffix>)>,
        place: Option<usize>,
    ) {
        self.subject.is_root = directory.is_empty();
        if let Some((name, after)) = place.and_then(|place| candidates.into_iter().nth(place)) {
            self.rest = after;
            if !name.is_empty() {
                self.subject.requested = format!("{}:{name}", self.subject.requested);
                self.subject
                    .inner_path
                    .push(Entered::Member(format!("{name}/")));
            }
        }
    }

    /// Continues with the member that `lookup` found. `place` is the index in `candidates` of the
    /// name that matched. If it is `None`, the index in the result of the lookup is used.
    fn enter_member(
        mut self,
        lookup: Result<Lookup, FileError>,
        candidates: Vec<(String, Option<Suffix>)>,
        place: Option<usize>,
    ) -> Result<Step<'t>, Failure> {
        let opened = match lookup {
            Ok(Lookup::Found(opened)) => opened,
            Ok(Lookup::Unreadable(member, why)) => {
                self.allow(&member.name)?;
                let message = format!(
                    "cannot read `{}` of `{}`: {why}",
                    member.name,
                    self.subject.shown()
                );
                return Err(Failure::new(Reason::Unsupported(why), message));
            }
            // The archive has changed since the first lookup.
            Ok(Lookup::NotFound(_)) => return Err(failure(FileError::NotFound, self.typed)),
            Err(error) => return Err(failure(error, self.typed)),
        };
        let place = place.unwrap_or(opened.name);
        let (name, after) = candidates.into_iter().nth(place).unwrap_or_default();
        // Deny rules apply to the name of a link and to its target.
        self.allow(&name)?;
        self.allow(&normalized(&opened.member.name).unwrap_or_default())?;
        self.rest = after;
        self.notes.extend(opened.notes);
        if let Some(archive) = &mut self.archive {
            archive.member.clone_from(&opened.member.name);
        }
        self.subject.requested = format!("{}:{name}", self.subject.requested);
        self.subject.inner_path.push(Entered::Member(name));
        self.subject.compression = None;
        self.subject.info = opened.member.info();
        Ok(Step::On(self, opened.source))
    }

    /// An archive as a document that may be one. `None` if its format is not that of documents.
    fn package<'s>(&'s self, format: Format, head: &'s [u8]) -> Option<Package<'s>> {
        let package = Package {
            head,
            name: self.subject.inner_name(),
            rest: self.rest.as_ref(),
        };
        (format == Format::Zip).then_some(package)
    }

    /// Ends at a document.
    fn document(self, document: Document, bytes: Shared) -> Step<'t> {
        let container = Some(Container::Document(document));
        Step::End(self.end(Content::Bytes(Box::new(bytes), container)))
    }

    /// Checks the deny rules for a member.
    ///
    /// # Errors
    /// Fails if a deny rule matches the member.
    pub fn allow(&self, member: &str) -> Result<(), Failure> {
        match self.denied(member) {
            Some(rule) => Err(failure(
                FileError::Refused(Refusal::Denied(rule)),
                self.typed,
            )),
            None => Ok(()),
        }
    }

    /// Checks the deny rules for the targets of links that the path may name. The answer does not reveal
    /// whether a denied target exists. `index` has the denied members too.
    fn allow_links(
        &self,
        index: &Index,
        candidates: &[(String, Option<Suffix>)],
    ) -> Result<(), Failure> {
        if self.denies.is_none() {
            return Ok(());
        }
        let links = Links::new(index);
        candidates
            .iter()
            .try_for_each(|(name, _)| match links.follow(name) {
                LinkTarget::To(target) => self.allow(&target),
                _ => Ok(()),
            })
    }

    /// The deny rule that matches a member. Backslashes, as Windows writes them, are separators too.
    fn denied(&self, member: &str) -> Option<String> {
        let denies = self.denies?;
        denies(member).or_else(|| {
            let separated = member.contains('\\').then(|| member.replace('\\', "/"))?;
            denies(&separated)
        })
    }

    /// Removes the denied members from an index, and returns them.
    fn remove_denied(&self, index: &mut Index) -> Vec<Member> {
        if self.denies.is_none() {
            return Vec::new();
        }
        let denied = |member: &mut Member| {
            normalized(&member.name).is_some_and(|name| self.denied(&name).is_some())
        };
        let denied: Vec<Member> = index.members.extract_if(.., denied).collect();
        index.denied_members = denied.len() as u64;
        denied
    }
}
