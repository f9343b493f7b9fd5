//! Lookup of a path in an archive that has no file of that name: directories, links, names with
//! other separators, and similar names.

use crate::containers::archive::links::{LinkTarget, Links};
use crate::containers::archive::{Format, Index, MemberKind, is_directory, normalized};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason, SpecialFile};
use crate::path::Suffix;
use crate::rooted_path::failure;
use crate::sources::{members_matching, similar_names, there_is_in};
use crate::subject::Subject;
use crate::world::FileError;

/// The member names with which the rest of a path may start, the longest first, each with the text of
/// the path after it.
pub type Candidates = Vec<(String, Option<Suffix>)>;

/// The result of a lookup in an archive. The number is the index of the candidate name that
/// matched.
pub enum Located {
    /// A directory, by its name. The index is `None` if the path does not name a directory, so
    /// that the root is listed.
    Directory(String, Option<usize>),
    /// A link, by the name of the file to which it leads.
    Link(String, usize),
    /// A file whose name in the archive has backslashes as separators, by this name.
    Spelled(String, usize),
}

/// The member that is looked up.
pub struct Wanted<'w> {
    /// The archive.
    pub subject: &'w Subject,
    /// The text of the path after the name of the archive.
    pub rest: Option<&'w Suffix>,
    /// The names of members with which `rest` may start.
    pub candidates: &'w Candidates,
    /// The path as the user typed it.
    pub typed: &'w str,
}

/// Looks up a member in an archive that has no file with exactly this name. Follows links.
///
/// # Errors
/// Returns [`Reason::NotFound`] with similar names if there is no such member. Fails if the member
/// is a special file, or if the name leads out of the archive.
pub fn locate_member(
    format: Format,
    index: &Index,
    wanted: &Wanted<'_>,
) -> Result<Located, Failure> {
    let Wanted {
        subject,
        rest,
        candidates,
        typed,
    } = *wanted;
    let Some(rest) = rest else {
        return Ok(Located::Directory(String::new(), None));
    };
    let links = Links::new(index);
    let mut broken_link = None;
    for (place, (name, _)) in candidates.iter().enumerate() {
        if name.is_empty() || is_directory(index, name) {
            return Ok(Located::Directory(name.clone(), Some(place)));
        }
        // If this name is a broken link, a shorter name may still match.
        let to = match links.follow(name) {
            LinkTarget::NoLink => match kind(index, name) {
                Some(MemberKind::Other) => return Err(special(typed)),
                _ => continue,
            },
            LinkTarget::To(target) if target.is_empty() || is_directory(index, &target) => {
                return Ok(Located::Directory(target, Some(place)));
            }
            LinkTarget::To(target) => match kind(index, &target) {
                Some(MemberKind::File) => return Ok(Located::Link(target, place)),
                _ => format!("`{target}`, which is not in the archive"),
            },
            LinkTarget::Outside(target) => format!("`{target}`, which is outside the archive"),
            LinkTarget::Unread => "a place that could not be read".to_owned(),
            LinkTarget::Loop => "itself".to_owned(),
        };
        broken_link.get_or_insert(to);
    }
    if format == Format::Zip
        && let Some((name, place)) = other_separators(index, candidates)
    {
        return Ok(Located::Spelled(name, place));
    }
    // A link with the name of a selector is meant, even if it leads nowhere.
    if rest.is_selector() && broken_link.is_none() {
        return Ok(Located::Directory(String::new(), None));
    }
    let wanted = candidates.last().map_or("", |(name, _)| name.as_str());
    if format == Format::Zip && wanted.split('\\').any(|part| part == "..") {
        return Err(leads_out(typed));
    }
    let failure = failure(FileError::NotFound, typed);
    if let Some(to) = broken_link {
        return Err(failure.hint(format!("the archive has a link there, to {to}")));
    }
    let members = index.members.iter();
    let mut names = members
        .filter(|member| member.kind != MemberKind::Other)
        .filter(|member| normalized(&member.name).is_some_and(|name| !name.is_empty()))
        .map(|member| member.name.as_str());
    let patterns: Vec<&str> = candidates.iter().map(|(name, _)| name.as_str()).collect();
    // The paths are for programs too. Only the message of a hint escapes invisible characters.
    let path_of = |name: &str| subject.member_path(name);
    if let Some((paths, hint)) = members_matching(&patterns, &names, path_of) {
        return Err(Failure {
            reason: Reason::NotFound(paths),
            ..failure.hint(hint)
        });
    }
    let near = similar_names(wanted, &mut names);
    let paths: Vec<String> = near.iter().map(|name| subject.member_path(name)).collect();
    let mut hint = match paths.as_slice() {
        [] => format!(
            "`{}` is a {} without this member; list it with `{}`",
            subject.shown(),
            format.name(),
            escape_invisible(&subject.member_path(""))
        ),
        paths => there_is_in(&subject.member_path(""), paths),
    };
    if index.incomplete {
        hint.push_str(", as far as it can be read");
        for note in &index.notes {
            hint.push_str("; ");
            hint.push_str(note);
        }
    }
    Err(Failure {
        reason: Reason::NotFound(paths),
        ..failure.hint(hint)
    })
}

/// Finds a file whose name in the archive has backslashes as separators, as some Windows programs
/// write it. Returns this name, and the index of the candidate that matched.
fn other_separators(
    index: &Index,
    candidates: &[(String, Option<Suffix>)],
) -> Option<(String, usize)> {
    let files = index.members.iter();
    let mut files = files
        .filter(|member| member.kind == MemberKind::File && member.name.contains('\\'))
        .peekable();
    files.peek()?;
    let mut found: Option<(usize, &str)> = None;
    for member in files {
        let slashes = member.name.replace('\\', "/");
        let name = normalized(&slashes);
        let place = candidates
            .iter()
            .position(|(candidate, _)| Some(candidate.as_str()) == name.as_deref());
        if let Some(place) = place
            && found.is_none_or(|(other, _)| place < other)
        {
            found = Some((place, member.name.as_str()));
        }
    }
    found.map(|(place, name)| (name.to_owned(), place))
}

/// The failure for a path that leads above the root of an archive.
pub fn leads_out(typed: &str) -> Failure {
    Failure::new(
        Reason::InvalidPath(typed.to_owned()),
        format!("`{typed}` leads out of the archive"),
    )
}

/// The kind of the member with this normalized name.
fn kind<'c>(index: &'c Index, name: &str) -> Option<&'c MemberKind> {
    let mut members = index.members.iter();
    let found = members.find(|member| normalized(&member.name).as_deref() == Some(name));
    found.map(|member| &member.kind)
}

/// The failure for a member that is not a file, a directory or a link.
fn special(typed: &str) -> Failure {
    let what = SpecialFile::Other;
    Failure::new(
        Reason::SpecialFile(what),
        format!("`{typed}` is {what} in the archive, which has no bytes"),
    )
}
