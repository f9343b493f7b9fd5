//! Relationships: the parts and addresses to which a part refers.

use super::part::Part;
use crate::limits;
use crate::xml::{Tree, decode};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The note on links whose addresses are longer than [`limits::URL_BYTES`], or together longer than
/// [`limits::LINK_BYTES`].
pub const LONG_LINKS: &str = "Addresses of links that are too long are left out.";

/// A relationship of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relationship {
    /// The last segment of the type, such as `image`.
    pub kind: String,
    /// The name of a part, or an address if the target is external.
    pub target: String,
    /// Whether the target is outside of the package.
    pub external: bool,
}

/// The relationships of a part by their identifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relationships {
    list: BTreeMap<String, Relationship>,
    /// The bytes of the addresses of links so far.
    linked: Cell<usize>,
    /// Whether an address was left out, because it or all are too long.
    unlinked: Cell<bool>,
    /// Whether the part has more relationships than the limits.
    is_cut: bool,
}

impl Relationships {
    /// Reads the part with the relationships of a part. `resolve` returns the name of the part that a
    /// target names.
    pub fn read(part: &Part, resolve: impl Fn(&str) -> String) -> Self {
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        let mut found = Self {
            is_cut: part.damage.is_some(),
            ..Self::default()
        };
        let mut entries = tree.root().children();
        for entry in entries.by_ref().take(limits::RELATIONSHIPS) {
            let (Some(id), Some(target)) = (entry.attr("Id"), entry.attr("Target")) else {
                continue;
            };
            let kind = entry.attr("Type").unwrap_or_default();
            let kind = kind.rsplit('/').next().unwrap_or_default();
            let external = entry.attr("TargetMode") == Some("External");
            let target = if external {
                target.trim().to_owned()
            } else {
                resolve(target)
            };
            let relationship = || Relationship {
                kind: kind.to_owned(),
                target,
                external,
            };
            found.list.entry(id.to_owned()).or_insert_with(relationship);
        }
        found.is_cut |= entries.next().is_some();
        found
    }

    /// Returns the relationship with the identifier.
    pub fn get(&self, id: &str) -> Option<&Relationship> {
        self.list.get(id)
    }

    /// Returns the name of the part with the identifier.
    pub fn part(&self, id: &str) -> Option<&str> {
        let found = self.list.get(id).filter(|found| !found.external)?;
        Some(&found.target)
    }

    /// Returns the address outside of the package with the identifier. `None` also if it is too long,
    /// or if all addresses so far are too long together.
    pub fn link(&self, id: &str) -> Option<&str> {
        let found = self.list.get(id).filter(|found| found.external)?;
        let linked = self.linked.get().saturating_add(found.target.len());
        if found.target.len() > limits::URL_BYTES || linked > limits::LINK_BYTES {
            self.unlinked.set(true);
            return None;
        }
        self.linked.set(linked);
        Some(&found.target)
    }

    /// Returns an address as [`Self::link`] does, with a place in its document, which may be empty.
    pub fn link_to(&self, id: &str, place: &str) -> Option<String> {
        let mut url = self.link(id)?.to_owned();
        if !place.is_empty() && !url.contains('#') {
            if place.len() > limits::URL_BYTES {
                self.unlinked.set(true);
                return None;
            }
            url.push('#');
            url.push_str(place);
        }
        Some(url)
    }

    /// Writes notes on what is left out, after all links are read.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.is_cut {
            let note = "There are too many links and images. The last ones are left out.";
            notes.push(note.to_owned());
        }
        if self.unlinked.get() {
            notes.push(LONG_LINKS.to_owned());
        }
        notes
    }

    /// Gives addresses to the relationships of a kind whose part has one.
    pub fn address(&mut self, kind: &str, address: impl Fn(&str) -> Option<String>) {
        for found in self.list.values_mut().filter(|found| found.kind == kind) {
            if let Some(address) = address(&found.target) {
                found.target = address;
                found.external = true;
            }
        }
    }

    /// Returns the first relationship of a kind, in the order of the identifiers.
    pub fn first(&self, kind: &str) -> Option<&Relationship> {
        self.list.values().find(|found| found.kind == kind)
    }

    /// Lists the relationships in the order of the identifiers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Relationship)> {
        self.list.iter().map(|(id, found)| (id.as_str(), found))
    }
}
