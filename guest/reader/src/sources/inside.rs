//! From an open file to what a path names inside it: compressed streams and
//! archives, one in another.

use super::archive::{Catalogue, Format, Looked, Member, Tree, normal};
use super::inflate::{Compression, Inflated};
use super::near::{likely, there_is};
use super::place::failure;
use super::shared::Shared;
use super::sniffed::Sniffed;
use crate::answer::Subject;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::visible;
use crate::path::{Selector, unescape};
use crate::world::{FileType, Source, Stat};

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
    let mut depth = 0usize;
    loop {
        let selected = match rest.as_deref() {
            None => true,
            Some(rest) => !matches!(Selector::parse(rest), Ok(None)),
        };
        if !bare && depth == 0 && selected {
            let content = Content::Bytes(source);
            return Ok(Inside {
                subject,
                content,
                rest,
                notes: Vec::new(),
            });
        }
        let cannot = |error| failure(error, typed);
        let mut sniffed = Sniffed::new(source, subject.bytes()).map_err(cannot)?;
        // One layer: what is compressed twice is shown as what it is then.
        if let Some(compression) = Compression::of(sniffed.head()) {
            subject.compression = Some(compression.name());
            let inflated = Inflated::new(Box::new(sniffed), compression);
            sniffed = Sniffed::new(Box::new(inflated), None).map_err(cannot)?;
        }
        let format = Format::of(sniffed.head())
            .or_else(|| Format::behind_program(sniffed.head()).filter(|_| !selected));
        let Some(format) = format else {
            let content = Content::Bytes(Box::new(sniffed));
            return Ok(Inside {
                subject,
                content,
                rest,
                notes: Vec::new(),
            });
        };
        if depth >= limits::ARCHIVE_DEPTH {
            return Err(Failure::new(
                Reason::Limit {
                    name: "archive-depth".to_owned(),
                    value: limits::ARCHIVE_DEPTH as u64,
                },
                format!(
                    "`{}` lies in more than {} archives, one in another",
                    visible(typed),
                    limits::ARCHIVE_DEPTH
                ),
            ));
        }
        depth = depth.saturating_add(1);
        let names = names(rest.as_deref(), typed)?;
        let wanted: Vec<String> = names.iter().map(|(name, _)| name.clone()).collect();
        let size = subject.bytes();
        let shared = Shared::new(Box::new(sniffed));
        match format.look(Box::new(shared.clone()), size, &wanted) {
            Ok(Looked::Found(opened)) => {
                let (name, behind) = names.into_iter().nth(opened.name).unwrap_or_default();
                go_in(&mut subject, &opened.member, name);
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
            Ok(Looked::Missing(catalogue)) => {
                return directory(subject, format, catalogue, &names, rest, typed);
            }
            // Nobody asked for a member: it is shown as what it is.
            Err(error) if selected && shared.seekable() => {
                return Ok(Inside {
                    subject,
                    content: Content::Bytes(Box::new(shared)),
                    rest,
                    notes: vec![error.to_string()],
                });
            }
            Err(error) => return Err(failure(error, typed)),
        }
    }
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
        let name = normal(&name).map(|name| (name, behind.map(str::to_owned)));
        return Ok(name.into_iter().collect());
    }
    let ends = rest.match_indices(':').map(|(at, _)| at);
    let ends: Vec<usize> = ends.chain([rest.len()]).collect();
    let split = |end: usize| {
        let (name, behind) = rest.split_at_checked(end)?;
        let behind = behind.strip_prefix(':').map(str::to_owned);
        Some((normal(name)?, behind))
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

/// A directory of an archive, where there is no such file.
fn directory(
    mut subject: Subject,
    format: Format,
    catalogue: Catalogue,
    names: &[(String, Option<String>)],
    rest: Option<String>,
    typed: &str,
) -> Result<Inside, Failure> {
    let tree = Tree::new(&catalogue);
    let found = names
        .iter()
        .find(|(name, _)| !name.is_empty() && tree.children(name).is_some());
    if let Some((name, behind)) = found.cloned() {
        subject.typed = format!("{}:{name}", subject.typed);
        subject.members.push(format!("{name}/"));
        let content = Content::Members(format, catalogue, name);
        return Ok(Inside {
            subject,
            content,
            rest: behind,
            notes: Vec::new(),
        });
    }
    let root = match rest.as_deref() {
        None | Some("" | "/" | ".") => true,
        Some(rest) => Selector::parse(rest)?.is_some(),
    };
    if root {
        let rest = rest.filter(|rest| !matches!(rest.as_str(), "" | "/" | "."));
        let content = Content::Members(format, catalogue, String::new());
        return Ok(Inside {
            subject,
            content,
            rest,
            notes: Vec::new(),
        });
    }
    let archive = subject.shown();
    let member = names.last().map_or("", |(name, _)| name.as_str());
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
