//! From an open file to what a path names inside it: compressed streams and
//! archives, one in another.

use super::archive::{
    Catalogue, Foreign, Format, Led, Looked, Member, MemberKind, follow, is_directory, normal,
};
use super::inflate::{Codec, Inflated};
use super::near::{likely, there_is};
use super::place::failure;
use super::shared::Shared;
use super::sniffed::Sniffed;
use crate::answer::Subject;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::visible;
use crate::path::{Selector, unescape};
use crate::world::{FileError, FileType, Source, Stat};

/// What a path led to.
pub struct Inside {
    /// What it is.
    pub subject: Subject,
    /// What there is to read.
    pub content: Content,
    /// What the path says behind it.
    pub rest: Option<String>,
    /// What is to be said of the way.
    pub notes: Vec<String>,
}

/// What there is to read.
pub enum Content {
    /// The bytes of a file.
    Bytes(Box<dyn Source>),
    /// A directory of an archive; the root is the empty name.
    Members(Format, Catalogue, String),
}

/// Goes into a file as far as the path does. `bare` tells whether one is looked
/// into that no member is asked of.
///
/// # Errors
/// What stands in the way, with `typed` as the path.
pub fn enter(
    mut source: Box<dyn Source>,
    mut subject: Subject,
    mut rest: Option<String>,
    bare: bool,
    typed: &str,
) -> Result<Inside, Failure> {
    let mut notes = Vec::new();
    let mut depth = 0usize;
    loop {
        let selected = match rest.as_deref() {
            None => true,
            Some(rest) => !matches!(Selector::parse(rest), Ok(None)),
        };
        if !bare && depth == 0 && selected {
            return Ok(Inside::new(subject, Content::Bytes(source), rest, notes));
        }
        let sniffed = inflate(source, &mut subject).map_err(|error| failure(error, typed))?;
        let foreign = Foreign::of(sniffed.head());
        if let Some(foreign) = foreign {
            if !selected {
                return Err(unreadable(&subject, foreign));
            }
            let Foreign { name, tool, .. } = foreign;
            notes.push(format!("{name}: it is not looked into; `{tool}` reads it"));
        }
        let told = Format::of(sniffed.head());
        // Who asks for a member may know better.
        let Some(format) = told.or(Some(Format::BEHIND).filter(|_| !selected)) else {
            let content = Content::Bytes(Box::new(sniffed));
            return Ok(Inside::new(subject, content, rest, notes));
        };
        if depth >= limits::ARCHIVE_DEPTH {
            return Err(too_deep(typed));
        }
        depth = depth.saturating_add(1);
        let asked = names(rest.as_deref(), typed)?;
        let mut wanted: Vec<String> = asked.iter().map(|(name, _)| name.clone()).collect();
        let size = subject.bytes();
        let shared = Shared::new(Box::new(sniffed));
        let mut looked = format.look(Box::new(shared.clone()), size, &wanted);
        // Which of the names is that of a link.
        let mut link = None;
        if let Ok(Looked::Missing(catalogue)) = looked {
            match arrive(&subject, format, catalogue, &asked, rest.as_deref(), typed)? {
                Arrived::Directory(catalogue, directory, place) => {
                    rest = match asked.into_iter().nth(place) {
                        Some((name, behind)) => {
                            subject.typed = format!("{}:{name}", subject.typed);
                            subject.members.push(format!("{name}/"));
                            behind
                        }
                        None => rest.filter(|rest| !is_root(rest)),
                    };
                    let content = Content::Members(format, catalogue, directory);
                    return Ok(Inside::new(subject, content, rest, notes));
                }
                Arrived::Link(target, place) => {
                    link = Some(place);
                    notes.push(format!("a link to `{}`", visible(&target)));
                    wanted = vec![target];
                    looked = format.look(Box::new(shared.clone()), size, &wanted);
                }
            }
        }
        match looked {
            Ok(Looked::Found(opened)) => {
                let place = link.unwrap_or(opened.name);
                let (name, behind) = asked.into_iter().nth(place).unwrap_or_default();
                go_in(&mut subject, &opened.member, name);
                notes.extend(opened.notes);
                rest = behind;
                source = opened.source;
            }
            Ok(Looked::Closed(member, why)) => {
                return Err(Failure::new(
                    Reason::Unsupported(why.clone()),
                    format!(
                        "cannot read `{}` of `{}`: {why}",
                        visible(&member.name),
                        visible(&subject.shown())
                    ),
                ));
            }
            // What was just there is there no more.
            Ok(Looked::Missing(_)) => return Err(failure(FileError::NotFound, typed)),
            // Nobody asked for a member, or there is no archive: it is shown as
            // what it is.
            Err(error) if (selected || told.is_none()) && shared.rewindable() => {
                notes.extend(told.map(|_| error.to_string()));
                let content = Content::Bytes(Box::new(shared));
                return Ok(Inside::new(subject, content, rest, notes));
            }
            Err(error) => return Err(failure(error, typed)),
        }
    }
}

impl Inside {
    fn new(subject: Subject, content: Content, rest: Option<String>, notes: Vec<String>) -> Self {
        Self {
            subject,
            content,
            rest,
            notes,
        }
    }
}

/// What a compressed file holds, or the file as it is. One layer: what is
/// compressed twice is shown as what it is then.
fn inflate(source: Box<dyn Source>, subject: &mut Subject) -> Result<Sniffed, FileError> {
    let sniffed = Sniffed::new(source, subject.bytes())?;
    let Some(codec) = Codec::of(sniffed.head()) else {
        return Ok(sniffed);
    };
    subject.compression = Some(codec.name());
    let inflated = Inflated::new(Box::new(sniffed), vec![codec]);
    Sniffed::new(Box::new(inflated), None)
}

/// The failure of an archive that is known by name alone.
fn unreadable(subject: &Subject, foreign: &Foreign) -> Failure {
    let Foreign { name, tool, .. } = foreign;
    let failure = Failure::new(
        Reason::Unsupported((*name).to_owned()),
        format!(
            "`{}` is of a kind that is not looked into: {name}",
            visible(&subject.shown())
        ),
    );
    failure.hint(format!(
        "`{tool}` reads it; a zip or tar of what it holds can be read here"
    ))
}

fn too_deep(typed: &str) -> Failure {
    let limit = limits::ARCHIVE_DEPTH;
    let reason = Reason::Limit {
        name: "archive-depth".to_owned(),
        value: limit as u64,
    };
    let typed = visible(typed);
    Failure::new(
        reason,
        format!("`{typed}` lies in more than {limit} archives, one in another"),
    )
}

/// The names that the start of what follows an archive may mean, the longest
/// first, each with what would follow it.
fn names(rest: Option<&str>, typed: &str) -> Result<Vec<(String, Option<String>)>, Failure> {
    let Some(rest) = rest else {
        return Ok(Vec::new());
    };
    // Its first part is a name in any case.
    let first = rest.split(':').next().unwrap_or_default();
    if first.split('/').any(|part| part == "..") {
        return Err(Failure::new(
            Reason::Path(typed.to_owned()),
            format!("`{}` leads out of the archive", visible(typed)),
        ));
    }
    if let Some((name, behind)) = unescape(rest) {
        let name = normal(&name).map(|name| (name.into_owned(), behind.map(str::to_owned)));
        return Ok(name.into_iter().collect());
    }
    let ends = rest.match_indices(':').map(|(at, _)| at);
    let ends: Vec<usize> = ends.chain([rest.len()]).collect();
    let split = |end: usize| {
        let (name, behind) = rest.split_at_checked(end)?;
        let behind = behind.strip_prefix(':').map(str::to_owned);
        Some((normal(name)?.into_owned(), behind))
    };
    Ok(ends.into_iter().rev().filter_map(split).collect())
}

/// Makes a subject that of a member.
fn go_in(subject: &mut Subject, member: &Member, name: String) {
    subject.typed = format!("{}:{name}", subject.typed);
    subject.members.push(name);
    subject.compression = None;
    subject.stat = Some(Stat {
        file_type: FileType::File,
        size: member.size,
        modified: member.modified,
    });
}

/// Where a path leads in an archive that has no such file.
enum Arrived {
    /// To a directory, by the name in this place; the root is behind the last.
    Directory(Catalogue, String, usize),
    /// To a file that the link in this place leads to.
    Link(String, usize),
}

/// Whether what is said behind an archive is its root.
fn is_root(rest: &str) -> bool {
    matches!(rest, "" | "/" | ".")
}

/// Looks for a directory, and for links on the way.
fn arrive(
    subject: &Subject,
    format: Format,
    catalogue: Catalogue,
    asked: &[(String, Option<String>)],
    rest: Option<&str>,
    typed: &str,
) -> Result<Arrived, Failure> {
    let mut outcome = None;
    let names = asked.iter().map(|(name, _)| name).enumerate();
    for (place, name) in names.filter(|(_, name)| !name.is_empty()) {
        if is_directory(&catalogue, name) {
            outcome = Some((name.clone(), place));
            break;
        }
        match follow(&catalogue, name) {
            Led::Nowhere => {}
            Led::To(target) if is_directory(&catalogue, &target) => {
                outcome = Some((target, place));
                break;
            }
            Led::To(target) if has_file(&catalogue, &target) => {
                return Ok(Arrived::Link(target, place));
            }
            Led::To(target) => {
                return Err(astray(
                    typed,
                    &format!("`{target}`, which it does not hold"),
                ));
            }
            Led::Out(target) => {
                return Err(astray(
                    typed,
                    &format!("`{target}`, which lies outside of it"),
                ));
            }
            Led::Round => return Err(astray(typed, "itself")),
        }
    }
    if let Some((directory, place)) = outcome {
        return Ok(Arrived::Directory(catalogue, directory, place));
    }
    let root = match rest {
        None => true,
        Some(rest) => is_root(rest) || Selector::parse(rest)?.is_some(),
    };
    if root {
        return Ok(Arrived::Directory(catalogue, String::new(), asked.len()));
    }
    let archive = subject.shown();
    let member = asked.last().map_or("", |(name, _)| name.as_str());
    let near = likely(member, catalogue.members.iter().map(|m| m.name.as_str()));
    let paths: Vec<String> = near.iter().map(|name| subject.inside(name)).collect();
    let failure = Failure::new(
        Reason::NotFound(paths.clone()),
        format!("Path '{}' not found", visible(typed)),
    );
    Err(failure.hint(if paths.is_empty() {
        format!("`{}` is a {} without it", visible(&archive), format.name())
    } else {
        there_is(&paths)
    }))
}

/// Whether an archive has a file of this name.
fn has_file(catalogue: &Catalogue, name: &str) -> bool {
    let mut files = catalogue.members.iter();
    files.any(|member| {
        member.kind == MemberKind::File && normal(&member.name).as_deref() == Some(name)
    })
}

/// The failure of a link that leads to no member.
fn astray(typed: &str, to: &str) -> Failure {
    let failure = Failure::new(
        Reason::NotFound(Vec::new()),
        format!("Path '{}' not found", visible(typed)),
    );
    failure.hint(format!("the archive has a link there, to {}", visible(to)))
}
