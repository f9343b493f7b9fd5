//! Hidden elements after the control that opens them, where neither names the other: questions and
//! answers, and accordions whose connection is only known to a script.

use super::controls::{has_name, is_opener, only_child};
use super::popups::attribute;
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::limits;

/// Whether an element is after a visible control that opens it. `hidden` are the nodes that are not
/// visible.
pub fn is_after_control(document: &Document, id: Id, hidden: &Marks) -> bool {
    let is_blank = |id: &Id| {
        let text = document.text(*id);
        text.is_some_and(|text| text.trim().is_empty())
    };
    let mut before = document.siblings_before(id);
    let Some(title) = before.find(|id| !is_blank(id)) else {
        return false;
    };
    document.tag(title).is_some()
        && !hidden.contains(title)
        && (has_words(document, title) && has_words(document, id)
            || has_control(document, title, hidden))
        && has_name(document, title, hidden)
}

/// Whether an element is a control that says whether a part is open, but not which one. It may be in
/// a heading.
fn has_control(document: &Document, title: Id, hidden: &Marks) -> bool {
    let elements = std::iter::successors(Some(title), |id| only_child(document, *id));
    let mut elements = elements.take(limits::PANEL_WRAPPERS);
    let control = elements.find(|id| document.has(*id, Name::AriaExpanded));
    control.is_some_and(|id| {
        !hidden.contains(id)
            && is_opener(document, id)
            && attribute(document, id, Name::AriaControls).is_none()
    })
}

/// Whether the class or the id of an element says that it is a part of an accordion or of questions
/// and answers. The words are those of usual themes and libraries.
fn has_words(document: &Document, id: Id) -> bool {
    const WORDS: &[&str] = &[
        "accordion",
        "answer",
        "collapse",
        "collapsed",
        "collapsible",
        "expand",
        "expandable",
        "expander",
        "faq",
        "faqs",
        "question",
        "toggle",
    ];
    if matches!(document.tag(id), Some(Tag::Ul | Tag::Ol | Tag::Form)) {
        return false;
    }
    let names = [Name::Class, Name::Id];
    let mut values = names
        .iter()
        .filter_map(|name| document.attribute(id, *name));
    values.any(|value| {
        let mut words = value.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)))
    })
}
