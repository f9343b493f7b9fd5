//! Text that a browser does not show: the ways in which pages hide text from people, which is also
//! how instructions to models are hidden.
//!
//! ```text
//! walk        the hidden elements and texts of a page, with their styles
//! panels      hidden elements that a click opens
//! controls    the elements that open them
//! popups      menus and dialogs, which are not text of the page
//! beside      panels after a control that does not name them
//! sheet       selectors and rules of style sheets
//! css         declarations that hide text
//! context     the colours and the font size that text inherits
//! background  backgrounds that are probably in other style sheets
//! color       values of colours
//! values      numbers, lengths and functions
//! spaces      elements whose text is code because of its white space
//! notes       the notes on the hidden text of a page or section
//! ```
//!
//! Hidden elements are left out of the Markdown, and a note counts them. Those that a click on a
//! visible control opens are text of the page.

mod background;
mod beside;
mod color;
mod context;
mod controls;
mod css;
mod notes;
mod panels;
mod popups;
mod sheet;
mod spaces;
mod values;
mod walk;

use crate::dom::{Document, Id, Marks, Tag};
use crate::limits;
use css::Method;
pub use notes::Summary;
use walk::Walk;

/// The hidden elements of a page.
#[derive(Debug, Default)]
pub struct Hidden {
    /// The outermost hidden elements, and hidden texts in others.
    pub marks: Marks,
    /// Elements whose text is code because their style keeps white space.
    pub preformatted: Marks,
    /// The nodes in `marks` that contain text.
    found: Vec<Found>,
    /// Elements that are hidden but shown, because most of the page would be hidden without them.
    shown: Marks,
    /// Elements with text that are hidden until a click, and shown.
    panels: Marks,
}

impl Hidden {
    /// Finds the hidden elements of a page.
    pub fn of(document: &Document) -> Self {
        let mut hidden = Self::default();
        let Some(mut walk) = Walk::new(document) else {
            return hidden;
        };
        walk.page();
        let opened = panels::open(document, &mut walk);
        hidden.panels = opened.with_text;
        hidden.preformatted = std::mem::take(&mut walk.preformatted);
        let found = walk.found.iter();
        let found = found.filter(|node| !opened.all.contains(node.id));
        // Hidden nodes are not in each other, so that each text is counted once.
        let mut found: Vec<Found> = found
            .map(|node| Found {
                id: node.id,
                method: node.method,
                characters: characters(document, node.id),
            })
            .collect();
        if found.is_empty() {
            return hidden;
        }
        let total = found
            .iter()
            .map(|one| one.characters)
            .fold(0, usize::saturating_add);
        let visible = characters(document, document.body()).saturating_sub(total);
        // The only main part of a page can be shorter than its menus. Only a script shows it.
        let mut mains = document.with_tag(Tag::Main);
        let main = mains.next().filter(|_| mains.next().is_none());
        let main = main.filter(|_| document.find(Tag::Script).is_some());
        found.retain(|one| {
            // Scripts often show such an element when the page is complete.
            let is_shown = one.characters > limits::TEMPORARY_CHARS
                && (one.characters > visible || main == Some(one.id))
                && one.method.is_often_temporary();
            let marks = if is_shown {
                &mut hidden.shown
            } else {
                &mut hidden.marks
            };
            marks.insert(one.id);
            !is_shown && one.characters > 0
        });
        hidden.found = found;
        hidden
    }
}

/// A hidden element or text.
#[derive(Clone, Copy, Debug)]
struct Found {
    id: Id,
    method: Method,
    characters: usize,
}

/// The number of characters of the text in an element, without white space.
fn characters(document: &Document, id: Id) -> usize {
    let mut count = 0usize;
    let mut nodes = document.subtree(id);
    while let Some(node) = nodes.next() {
        if let Some(text) = document.text(node) {
            count = count.saturating_add(text.chars().filter(|c| !c.is_whitespace()).count());
        } else if matches!(
            document.tag(node),
            Some(
                Tag::Script | Tag::Style | Tag::Template | Tag::Noscript | Tag::Title | Tag::Iframe
            )
        ) {
            nodes.skip_children_of(node);
        }
    }
    count
}

#[cfg(test)]
mod tests;
