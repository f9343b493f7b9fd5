//! Links in archives: they lead to other members, or nowhere.

use super::names::{absolute, normal};
use super::{Catalogue, MemberKind};
use crate::limits;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Where a name leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Led {
    /// There is no link on the way.
    Nowhere,
    /// To another name.
    To(String),
    /// Out of the archive, by this target.
    Out(String),
    /// Round and round.
    Round,
}

/// Follows the links on the way to a member.
pub fn follow(catalogue: &Catalogue, name: &str) -> Led {
    let members = catalogue.members.iter();
    let links: BTreeMap<Cow<'_, str>, &MemberKind> = members
        .filter(|member| matches!(member.kind, MemberKind::Link(_) | MemberKind::HardLink(_)))
        .filter_map(|member| Some((normal(&member.name)?, &member.kind)))
        .collect();
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
        let target = match links.get(done.join("/").as_str()) {
            Some(MemberKind::Link(target)) => {
                done.pop();
                target
            }
            Some(MemberKind::HardLink(target)) => {
                done.clear();
                target
            }
            _ => continue,
        };
        if absolute(target) {
            return Led::Out(target.clone());
        }
        followed = followed.saturating_add(1);
        if followed > limits::MAX_LINKS {
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
        let soft = |target: &str| MemberKind::Link(target.to_owned());
        let hard = |target: &str| MemberKind::HardLink(target.to_owned());
        let catalogue = Catalogue {
            members: vec![
                link("a/current", soft("v1")),
                link("a/b/up", soft("../v1/./x")),
                link("copy", hard("a/v1/x")),
                link("./chain", soft("a/current/x")),
                link("loop", soft("loop")),
                link("here", soft("pool")),
                link("pool", soft("here")),
                link("out", soft("a/../../x")),
                link("etc", soft("/etc/passwd")),
            ],
            ..Catalogue::default()
        };
        let to = |name: &str| Led::To(name.to_owned());
        let out = |target: &str| Led::Out(target.to_owned());
        for (name, expected) in [
            ("a/v1/x", Led::Nowhere),
            ("a/current", to("a/v1")),
            ("a/current/x", to("a/v1/x")),
            ("a/b/up", to("a/v1/x")),
            ("copy", to("a/v1/x")),
            ("chain", to("a/v1/x")),
            ("loop", Led::Round),
            ("here", Led::Round),
            ("out", out("a/../../x")),
            ("etc", out("/etc/passwd")),
            ("etc/more", out("/etc/passwd")),
        ] {
            assert_eq!(follow(&catalogue, name), expected, "{name}");
        }
    }
}
