//! Where a path leads in an archive that has no such file: to a directory, over
//! a link, or nowhere.

use super::repair::{likely, there_is_in};
use crate::containers::archive::links::{Led, Links};
use crate::containers::archive::{Catalogue, Format, MemberKind, is_directory, normal};
use crate::failure::{Failure, Reason, Special};
use crate::path::Rest;
use crate::place::failure;
use crate::subject::Subject;
use crate::world::FileError;

/// Where a path leads.
pub enum Arrived {
    /// To a directory, by the name in this place; none is that of the root of
    /// which nothing is said.
    Directory(String, Option<usize>),
    /// To the file that the link in this place leads to.
    Link(String, usize),
    /// To the file whose name is the one in this place with other separators.
    Spelled(String, usize),
}

/// Looks for a directory, and for links on the way. `asked` are the names that
/// may be meant, the longest first, and `rest` is what they were made from.
///
/// # Errors
/// What there is instead.
pub fn arrive(
    format: Format,
    catalogue: &Catalogue,
    subject: &Subject,
    asked: &[(String, Option<Rest>)],
    rest: Option<&Rest>,
    typed: &str,
) -> Result<Arrived, Failure> {
    let Some(rest) = rest else {
        return Ok(Arrived::Directory(String::new(), None));
    };
    let links = Links::new(catalogue);
    let mut astray = None;
    for (place, (name, _)) in asked.iter().enumerate() {
        if name.is_empty() || is_directory(catalogue, name) {
            return Ok(Arrived::Directory(name.clone(), Some(place)));
        }
        // A shorter name may still be one.
        let to = match links.follow(name) {
            Led::Nowhere => match kind(catalogue, name) {
                Some(MemberKind::Other) => return Err(special(typed)),
                _ => continue,
            },
            Led::To(target) if target.is_empty() || is_directory(catalogue, &target) => {
                return Ok(Arrived::Directory(target, Some(place)));
            }
            Led::To(target) => match kind(catalogue, &target) {
                Some(MemberKind::File) => return Ok(Arrived::Link(target, place)),
                _ => format!("`{target}`, which it does not hold"),
            },
            Led::Out(target) => format!("`{target}`, which lies outside of it"),
            Led::Unread => "a place that could not be read".to_owned(),
            Led::Round => "itself".to_owned(),
        };
        astray.get_or_insert(to);
    }
    if format == Format::Zip
        && let Some((name, place)) = other_separators(catalogue, asked)
    {
        return Ok(Arrived::Spelled(name, place));
    }
    if rest.is_selector() {
        return Ok(Arrived::Directory(String::new(), None));
    }
    let wanted = asked.last().map_or("", |(name, _)| name.as_str());
    if format == Format::Zip && wanted.split('\\').any(|part| part == "..") {
        return Err(leads_out(typed));
    }
    let failure = failure(FileError::NotFound, typed);
    if let Some(to) = astray {
        return Err(failure.hint(format!("the archive has a link there, to {to}")));
    }
    let members = catalogue.members.iter();
    let mut names = members
        .filter(|member| member.kind != MemberKind::Other)
        .filter(|member| normal(&member.name).is_some_and(|name| !name.is_empty()))
        .map(|member| member.name.as_str());
    let near = likely(wanted, &mut names);
    let paths: Vec<String> = near.iter().map(|name| subject.inside(name)).collect();
    let mut hint = match paths.as_slice() {
        [] => format!("`{}` is a {} without it", subject.shown(), format.name()),
        paths => there_is_in(&subject.inside(""), paths),
    };
    if catalogue.cut {
        hint.push_str(", as far as it can be read");
        for note in &catalogue.notes {
            hint.push_str("; ");
            hint.push_str(note);
        }
    }
    Err(Failure {
        reason: Reason::NotFound(paths),
        ..failure.hint(hint)
    })
}

/// The first of the names that a file has if the backslashes of its name are
/// taken for separators, as programs of Windows write them: what that file is
/// called, and the place of the name.
fn other_separators(
    catalogue: &Catalogue,
    asked: &[(String, Option<Rest>)],
) -> Option<(String, usize)> {
    let files = catalogue.members.iter();
    let mut files = files
        .filter(|member| member.kind == MemberKind::File && member.name.contains('\\'))
        .peekable();
    files.peek()?;
    let mut found: Option<(usize, &str)> = None;
    for member in files {
        let slashes = member.name.replace('\\', "/");
        let name = normal(&slashes);
        let place = asked
            .iter()
            .position(|(asked, _)| Some(asked.as_str()) == name.as_deref());
        if let Some(place) = place
            && found.is_none_or(|(other, _)| place < other)
        {
            found = Some((place, member.name.as_str()));
        }
    }
    found.map(|(place, name)| (name.to_owned(), place))
}

/// The failure of a path that goes up from the root of an archive.
pub fn leads_out(typed: &str) -> Failure {
    Failure::new(
        Reason::Path(typed.to_owned()),
        format!("`{typed}` leads out of the archive"),
    )
}

/// What the member of a name is.
fn kind<'c>(catalogue: &'c Catalogue, name: &str) -> Option<&'c MemberKind> {
    let mut members = catalogue.members.iter();
    let found = members.find(|member| normal(&member.name).as_deref() == Some(name));
    found.map(|member| &member.kind)
}

/// The failure of a member that is neither file, directory nor link.
fn special(typed: &str) -> Failure {
    let what = Special::Other;
    Failure::new(
        Reason::Special(what),
        format!("`{typed}` is {what} in the archive, which has no bytes"),
    )
}
