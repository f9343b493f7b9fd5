//! Hidden elements that a click on a visible control opens, such as the answers of an accordion. They
//! are text of the page for a person.

use super::beside;
use super::controls::{self, Key};
use super::css::Method;
use super::popups::Popups;
use super::walk::{Closed, Walk};
use crate::dom::{Document, Marks};
use crate::limits;
use std::collections::{BTreeMap, BTreeSet};

/// The elements that a click opens.
#[derive(Default)]
pub struct Opened {
    pub all: Marks,
    /// Those with visible text outside of others.
    pub with_text: Marks,
}

/// Opens the hidden elements for which the page has a control, and walks over them. They may contain
/// the controls of others.
pub fn open(document: &Document, walk: &mut Walk<'_>) -> Opened {
    let mut opened = Opened::default();
    let mut popups = Popups::default();
    let mut keys: BTreeSet<Key<'_>> = BTreeSet::new();
    // The elements that an unknown control may open. Those with several names are listed for each.
    let mut closed: BTreeMap<Key<'_>, Vec<Closed>> = BTreeMap::new();
    let mut next: Vec<Closed> = Vec::new();
    loop {
        for one in std::mem::take(&mut walk.closed) {
            let Some(names) = controls::parts(document, one.id, &mut popups) else {
                continue;
            };
            if is_whole_panel(document, &one, &opened.all)
                || names.iter().any(|name| keys.contains(name))
                || beside::is_after_control(document, one.id, &walk.hidden)
            {
                next.push(one);
                continue;
            }
            for name in names {
                closed.entry(name).or_default().push(one);
            }
        }
        for control in std::mem::take(&mut walk.controls) {
            controls::opens(document, control, &mut popups, &walk.hidden, |key| {
                if keys.len() < limits::OPENED_IDS && keys.insert(key) {
                    next.extend(closed.remove(&key).into_iter().flatten());
                }
            });
        }
        let mut is_changed = false;
        for one in next.drain(..) {
            if opened.all.contains(one.id) {
                continue;
            }
            is_changed = true;
            opened.all.insert(one.id);
            if walk.open(&one) {
                opened.with_text.insert(one.id);
            }
        }
        if !is_changed {
            return opened;
        }
    }
}

/// Whether an element is the whole content of an open one and becomes visible with it. Libraries hide
/// the text in a box without height, so that it cannot be selected.
fn is_whole_panel(document: &Document, closed: &Closed, opened: &Marks) -> bool {
    closed.method == Method::Visibility
        && document.parent(closed.id).is_some_and(|outer| {
            opened.contains(outer) && controls::only_child(document, outer) == Some(closed.id)
        })
}

#[cfg(test)]
mod tests;
