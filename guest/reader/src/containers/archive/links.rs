//! Links in archives: they lead to other members, or nowhere.

use super::names::{absolute, normal, text};
use super::{Catalogue, MemberKind};
use crate::limits;
use crate::sort;
use crate::world::Source;
use std::borrow::Cow;

/// Where a name leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Led {
    /// There is no link on the way.
    Nowhere,
    /// To another name.
    To(String),
    /// Out of the archive, by this target.
    Out(String),
    /// To what could not be read.
    Unread,
    /// Round and round.
    Round,
}

/// The links of an archive, by name. Of those that have one name the last counts.
pub struct Links<'c>(Vec<(Cow<'c, str>, &'c MemberKind)>);

impl<'c> Links<'c> {
    /// Those of these members.
    pub fn new(catalogue: &'c Catalogue) -> Self {
        let members = catalogue.members.iter();
        let links = members.filter(|member| member.kind.is_link());
        let mut links: Vec<_> = links
            .filter_map(|member| Some((normal(&member.name)?, &member.kind)))
            .collect();
        sort::by_name(&mut links, |(name, _)| (0, 0, name));
        Self(links)
    }

    /// The link of a name.
    fn get(&self, name: &str) -> Option<&'c MemberKind> {
        let end = self.0.partition_point(|(other, _)| &**other <= name);
        let (other, kind) = self.0.get(end.checked_sub(1)?)?;
        (other == name).then_some(*kind)
    }

    /// Follows the links on the way to a member.
    pub fn follow(&self, name: &str) -> Led {
        let mut last: Option<&String> = None;
        let mut followed = 0usize;
        let mut done: Vec<&str> = Vec::new();
        let mut left: Vec<&str> = name.split('/').rev().collect();
        while let Some(part) = left.pop() {
            match (part, last) {
                ("..", Some(target)) if done.pop().is_none() => return Led::Out(target.clone()),
                ("" | "." | "..", _) => continue,
                _ => done.push(part),
            }
            let target = match self.get(&done.join("/")) {
                Some(MemberKind::Link(Some(target))) if absolute(target) => {
                    return Led::Out(target.clone());
                }
                Some(MemberKind::Link(Some(target))) => {
                    done.pop();
                    target
                }
                // The name of another member, of which a leading slash is not
                // part.
                Some(MemberKind::HardLink(target)) => {
                    done.clear();
                    target
                }
                Some(MemberKind::Link(None)) => return Led::Unread,
                _ => continue,
            };
            followed = followed.saturating_add(1);
            if followed > limits::MAX_LINKS || target.len() > limits::PATH_BYTES {
                return Led::Round;
            }
            left.extend(target.split('/').rev());
            last = Some(target);
        }
        match last {
            None => Led::Nowhere,
            Some(_) => Led::To(done.join("/")),
        }
    }
}

/// Looks up where links lead whose targets are what they hold: those on the way
/// to these names, and of others so many. Notes how many were left out.
pub fn read_targets(
    catalogue: &mut Catalogue,
    names: &[String],
    others: usize,
    mut open: impl FnMut(usize, &mut Catalogue) -> Option<Box<dyn Source>>,
) {
    let on_the_way = |link: &str| {
        names.iter().any(|name| {
            let rest = name.strip_prefix(link);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let mut left = others;
    let mut unread = 0usize;
    for place in 0..catalogue.members.len() {
        let Some(member) = catalogue.members.get(place) else {
            break;
        };
        if member.kind != MemberKind::Link(None) {
            continue;
        }
        if !normal(&member.name).is_some_and(|name| on_the_way(&name)) {
            if left == 0 {
                unread = unread.saturating_add(1);
                continue;
            }
            left = left.saturating_sub(1);
        }
        let mut target = Vec::new();
        let read = open(place, catalogue)
            .is_some_and(|mut source| source.read(0, limits::PATH_BYTES, &mut target).is_ok());
        if let Some(member) = catalogue.members.get_mut(place).filter(|_| read) {
            member.kind = MemberKind::Link(Some(text(&target).0));
        }
    }
    match unread {
        0 => {}
        1 => catalogue
            .notes
            .push("where 1 link leads was not looked up".to_owned()),
        _ => catalogue
            .notes
            .push(format!("where {unread} links lead was not looked up")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Member;
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
    fn links_lead_to_members() {
        let soft = |target: &str| MemberKind::Link(Some(target.to_owned()));
        let hard = |target: &str| MemberKind::HardLink(target.to_owned());
        let catalogue = Catalogue {
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
                link("secret", MemberKind::Link(None)),
            ],
            ..Catalogue::default()
        };
        let links = Links::new(&catalogue);
        let to = |name: &str| Led::To(name.to_owned());
        let out = |target: &str| Led::Out(target.to_owned());
        for (name, expected) in [
            ("a/v1/x", Led::Nowhere),
            ("a/current", to("a/v1")),
            ("a/current/x", to("a/v1/x")),
            ("a/b/up", to("a/v1/x")),
            ("copy", to("a/v1/x")),
            ("absolute", to("a/v1/x")),
            ("chain", to("a/v1/x")),
            ("loop", Led::Round),
            ("here", Led::Round),
            ("out", out("a/../../x")),
            ("etc", out("/etc/passwd")),
            ("etc/more", out("/etc/passwd")),
            ("secret", Led::Unread),
        ] {
            assert_eq!(links.follow(name), expected, "{name}");
        }
    }
}
