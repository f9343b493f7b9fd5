//! Symbolic and hard links in archives. A link target is another member, or it is outside
//! the archive.

use super::index::{Index, MemberKind};
use super::names::{absolute, normalized, text};
use crate::limits;
use crate::world::Source;
use omniread_outline::sort;
use std::borrow::Cow;

/// The result of following the links in the name of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// No part of the name is a link.
    NoLink,
    /// A part of the name is a link. Contains the name after all links are followed.
    To(String),
    /// A link leads out of the archive. Contains the target of that link.
    Outside(String),
    /// The target of a link could not be read.
    Unread,
    /// There are too many links, or the links form a loop.
    Loop,
}

/// The links of an archive, sorted by name. Of several links with one name, the last
/// applies.
pub struct Links<'c>(Vec<(Cow<'c, str>, &'c MemberKind)>);

impl<'c> Links<'c> {
    /// Collects the links of an index.
    pub fn new(index: &'c Index) -> Self {
        let members = index.members.iter();
        let links = members.filter(|member| member.kind.is_link());
        let mut links: Vec<_> = links
            .filter_map(|member| Some((normalized(&member.name)?, &member.kind)))
            .collect();
        sort::by_name(&mut links, |(name, _)| (0, 0, name));
        Self(links)
    }

    /// The link with this name.
    fn get(&self, name: &str) -> Option<&'c MemberKind> {
        let end = self.0.partition_point(|(other, _)| &**other <= name);
        let (other, kind) = self.0.get(end.checked_sub(1)?)?;
        (other == name).then_some(*kind)
    }

    /// Follows all links in the name of a member.
    pub fn follow(&self, name: &str) -> LinkTarget {
        let mut last: Option<&String> = None;
        let mut followed = 0usize;
        let mut done: Vec<&str> = Vec::new();
        let mut left: Vec<&str> = name.split('/').rev().collect();
        while let Some(part) = left.pop() {
            match (part, last) {
                ("..", Some(target)) if done.pop().is_none() => {
                    return LinkTarget::Outside(target.clone());
                }
                ("" | "." | "..", _) => continue,
                _ => done.push(part),
            }
            let target = match self.get(&done.join("/")) {
                Some(MemberKind::Symlink(Some(target))) if absolute(target) => {
                    return LinkTarget::Outside(target.clone());
                }
                Some(MemberKind::Symlink(Some(target))) => {
                    done.pop();
                    target
                }
                // A hard link names another member. A leading slash is not part of that
                // name.
                Some(MemberKind::HardLink(target)) => {
                    done.clear();
                    target
                }
                Some(MemberKind::Symlink(None)) => return LinkTarget::Unread,
                _ => continue,
            };
            followed = followed.saturating_add(1);
            if followed > limits::MAX_LINKS || target.len() > limits::PATH_BYTES {
                return LinkTarget::Loop;
            }
            left.extend(target.split('/').rev());
            last = Some(target);
        }
        match last {
            None => LinkTarget::NoLink,
            Some(_) => LinkTarget::To(done.join("/")),
        }
    }
}

/// Reads the targets of those symbolic links whose target is stored as the content of the member.
/// All links that are a leading part of one of `names` are read, and at most `others` further
/// links. `open` opens the member with the given index. A note states the number of links that were
/// not read.
pub fn read_targets(
    index: &mut Index,
    names: &[String],
    others: usize,
    mut open: impl FnMut(usize, &mut Index) -> Option<Box<dyn Source>>,
) {
    let on_the_way = |link: &str| {
        names.iter().any(|name| {
            let rest = name.strip_prefix(link);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let mut left = others;
    let mut unread = 0usize;
    for place in 0..index.members.len() {
        let Some(member) = index.members.get(place) else {
            break;
        };
        if member.kind != MemberKind::Symlink(None) {
            continue;
        }
        if !normalized(&member.name).is_some_and(|name| on_the_way(&name)) {
            if left == 0 {
                unread = unread.saturating_add(1);
                continue;
            }
            left = left.saturating_sub(1);
        }
        let mut target = Vec::new();
        let read = open(place, index)
            .is_some_and(|mut source| source.read(0, limits::PATH_BYTES, &mut target).is_ok());
        if let Some(member) = index.members.get_mut(place).filter(|_| read) {
            member.kind = MemberKind::Symlink(Some(text(&target).0));
        }
    }
    match unread {
        0 => {}
        1 => index
            .notes
            .push("the target of 1 link was not read".to_owned()),
        _ => index
            .notes
            .push(format!("the targets of {unread} links were not read")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::Member;
    use super::*;

    fn link(name: &str, kind: MemberKind) -> Member {
        Member {
            name: name.to_owned(),
            raw: None,
            kind,
            size: 0,
            modified: None,
        }
    }

    #[test]
    fn links_resolve_to_members() {
        let soft = |target: &str| MemberKind::Symlink(Some(target.to_owned()));
        let hard = |target: &str| MemberKind::HardLink(target.to_owned());
        let index = Index {
            members: vec![
                link("a/current", soft("v1")),
                link("a/b/up", soft("../v1/./x")),
                link("copy", hard("a/v1/x")),
                link("/absolute", hard("/a/v1/x")),
                link("./chain", soft("a/current/x")),
                link("loop", soft("loop")),
                link("here", soft("pool")),
                link("pool", soft("here")),
                link("out", soft("a/../../x")),
                link("etc", soft("/etc/passwd")),
                link("secret", MemberKind::Symlink(None)),
            ],
            ..Index::default()
        };
        let links = Links::new(&index);
        let to = |name: &str| LinkTarget::To(name.to_owned());
        let out = |target: &str| LinkTarget::Outside(target.to_owned());
        for (name, expected) in [
            ("a/v1/x", LinkTarget::NoLink),
            ("a/current", to("a/v1")),
            ("a/current/x", to("a/v1/x")),
            ("a/b/up", to("a/v1/x")),
            ("copy", to("a/v1/x")),
            ("absolute", to("a/v1/x")),
            ("chain", to("a/v1/x")),
            ("loop", LinkTarget::Loop),
            ("here", LinkTarget::Loop),
            ("out", out("a/../../x")),
            ("etc", out("/etc/passwd")),
            ("etc/more", out("/etc/passwd")),
            ("secret", LinkTarget::Unread),
        ] {
            assert_eq!(links.follow(name), expected, "{name}");
        }
    }
}
