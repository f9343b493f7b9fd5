//! The search for a member by all names that a path may mean.

use super::index::{Index, Member, MemberKind};
use super::names::normalized;
use crate::world::Source;
use std::cmp::Ordering;

/// A member that was found and opened.
pub struct Opened {
    /// The member as the archive lists it.
    pub member: Member,
    /// The index of the matching name in the list of requested names.
    pub name: usize,
    /// The bytes of the member.
    pub source: Box<dyn Source>,
    /// Notes about the member.
    pub notes: Vec<String>,
}

/// The result of a search for a member.
pub enum Lookup {
    /// The member was found and opened.
    Found(Opened),
    /// The member was found, but it cannot be read. Contains the reason.
    Unreadable(Member, String),
    /// No file has any of the requested names. Contains the list of all members.
    NotFound(Index),
}

impl Index {
    /// Finds the file with the longest possible name of `names`, which are sorted by length,
    /// longest first. Returns the index of the file in `members`, and the index of the name in
    /// `names`.
    pub fn find(&self, names: &[String]) -> Option<(usize, usize)> {
        let mut found: Option<(usize, (usize, bool))> = None;
        for (place, member) in self.members.iter().enumerate() {
            let Some(name) = matching_name(member, names) else {
                continue;
            };
            // Of two spellings of a name, the requested one is used.
            let spelled = names
                .get(name)
                .is_none_or(|requested| *requested != member.name);
            let better = |(_, other)| match (name, spelled).cmp(&other) {
                Ordering::Less => true,
                Ordering::Equal => self.last_duplicate_wins,
                Ordering::Greater => false,
            };
            if found.is_none_or(better) {
                found = Some((place, (name, spelled)));
            }
        }
        found.map(|(place, (name, _))| (place, name))
    }
}

/// The index in `names` of the first name that the member has. `None` if the member has none of the
/// names, or is not a file.
pub fn matching_name(member: &Member, names: &[String]) -> Option<usize> {
    if names.is_empty() || member.kind != MemberKind::File {
        return None;
    }
    names
        .iter()
        .position(|name| may_be(&member.name, name) && is_called(&member.name, name))
}

/// Whether the member has this name, either as it is spelled or in its normal form.
fn is_called(member: &str, name: &str) -> bool {
    // A member without a name does not match an empty name.
    normalized(member)
        .filter(|normal| !normal.is_empty())
        .is_some_and(|normal| *normal == *name || *member == *name)
}

/// Whether the member can have this name: a cheap test before [`is_called`]. There may be
/// a million members, and the last part of the name excludes most of them.
fn may_be(member: &str, name: &str) -> bool {
    member.ends_with(last_part(name)) || matches!(member.as_bytes().last(), Some(b'/' | b'.'))
}

/// The part of a name after its last slash.
pub fn last_part(name: &str) -> &str {
    match memchr::memrchr(b'/', name.as_bytes()) {
        Some(at) => name.get(at.saturating_add(1)..).unwrap_or_default(),
        None => name,
    }
}
