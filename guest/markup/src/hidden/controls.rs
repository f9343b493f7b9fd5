//! The controls of a page that open a part of it: buttons of accordions, and tabs.

use super::popups::{Popups, attribute, is_popup, is_role, role};
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::limits;

/// A name by which a control and the part that it opens are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key<'d> {
    /// The id of the part.
    Part(&'d str),
    /// The id of the tab that names the part.
    Tab(&'d str),
    /// The ids of a button and of the part that it names, and which names it.
    Both(&'d str, &'d str),
}

/// Whether an element may be a control, by the names of its attributes.
pub fn is_candidate(document: &Document, id: Id) -> bool {
    document.has_any(id, |name| {
        matches!(
            name,
            Name::AriaControls
                | Name::AriaExpanded
                | Name::DataBsToggle
                | Name::DataToggle
                | Name::Role
        )
    })
}

/// Calls `add` with the names of the parts that a control opens. `hidden` are the nodes that are not
/// visible.
pub fn opens<'d>(
    document: &'d Document,
    id: Id,
    popups: &mut Popups,
    hidden: &Marks,
    mut add: impl FnMut(Key<'d>),
) {
    let role = role(document, id);
    let toggle = toggle(document, id);
    let is_tab = is_role(role, &["tab"]) || is_role(toggle, &["tab", "pill"]);
    let is_toggle = is_tab || is_role(toggle, &["accordion", "collapse", "list"]);
    let is_expanded = document.has(id, Name::AriaExpanded);
    let is_link = is_expanded || is_toggle || is_role(role, &["button"]);
    // A button alone may show another slide.
    let button = document.attribute(id, Name::Id);
    let button = button.filter(|_| document.is(id, Tag::Button) || is_role(role, &["button"]));
    let has_part = document.has_any(id, |name| match name {
        Name::AriaControls => is_tab || is_expanded || button.is_some(),
        Name::DataBsTarget | Name::DataTarget => is_toggle,
        Name::Href => is_link,
        Name::Id => is_tab,
        _ => false,
    });
    if !has_part
        || !is_opener(document, id)
        || popups.contain(document, id, is_tab)
        || !has_name(document, id, hidden)
    {
        return;
    }
    for (name, value) in document.attributes_of(id) {
        match name {
            Name::AriaControls => {
                for part in value.split_ascii_whitespace() {
                    match button.filter(|_| !is_tab && !is_expanded) {
                        Some(button) => add(Key::Both(button, part)),
                        None => add(Key::Part(part)),
                    }
                }
            }
            // Selectors, of which the ids are read.
            Name::DataBsTarget | Name::DataTarget if is_toggle => {
                let selectors = value.split(',').map(str::trim);
                let ids = selectors.filter_map(|selector| selector.strip_prefix('#'));
                ids.map(Key::Part).for_each(&mut add);
            }
            Name::Href if is_link => {
                value.trim().strip_prefix('#').map(Key::Part).map(&mut add);
            }
            Name::Id if is_tab => add(Key::Tab(value)),
            _ => {}
        }
    }
}

/// Whether an element may open a part of the page, and not a menu or a dialog.
pub fn is_opener(document: &Document, id: Id) -> bool {
    const ROLES: &[&str] = &["combobox", "menuitem", "option"];
    let is_field = matches!(
        document.tag(id),
        Some(Tag::Input | Tag::Select | Tag::Textarea | Tag::Option)
    );
    let popup = attribute(document, id, Name::AriaHaspopup);
    let has_popup = popup.is_some_and(|popup| !popup.eq_ignore_ascii_case("false"));
    !is_field
        && !has_popup
        && !is_role(role(document, id), ROLES)
        && !is_role(toggle(document, id), POPUPS)
}

/// The names of the parts of a page that are in a hidden element and nothing else. `None` for a menu
/// or a dialog.
pub fn parts<'d>(document: &'d Document, id: Id, popups: &mut Popups) -> Option<Vec<Key<'d>>> {
    let mut keys = Vec::new();
    let mut part = id;
    for _ in 0..limits::PANEL_WRAPPERS {
        if is_popup(document, part) || document.is(part, Tag::Nav) {
            return None;
        }
        let own = document.attribute(part, Name::Id);
        keys.extend(own.map(Key::Part));
        let names = document.attribute(part, Name::AriaLabelledby);
        let names = names.unwrap_or_default().split_ascii_whitespace();
        let is_panel = is_role(role(document, part), &["tabpanel"]);
        for name in names.take(limits::PANEL_NAMES) {
            keys.extend(own.map(|own| Key::Both(name, own)));
            keys.extend(is_panel.then_some(Key::Tab(name)));
        }
        match only_child(document, part) {
            Some(inner) => part = inner,
            None => break,
        }
    }
    (!popups.contain(document, id, false)).then_some(keys)
}

/// The element that is the whole content of another one.
pub fn only_child(document: &Document, id: Id) -> Option<Id> {
    let is_blank = |id: &Id| {
        let text = document.text(*id);
        text.is_some_and(|text| text.trim().is_empty())
    };
    let mut children = document.children(id).filter(|id| !is_blank(id));
    let first = children.next()?;
    (children.next().is_none() && document.tag(first).is_some()).then_some(first)
}

/// The kinds of toggles that open a part over the page.
const POPUPS: &[&str] = &["dropdown", "modal", "offcanvas", "popover", "tooltip"];

/// Whether a control has a name that is visible: a text, or an image with a text for it. A label is
/// enough if the control shows an icon, or no text that is hidden.
pub fn has_name(document: &Document, id: Id, hidden: &Marks) -> bool {
    let mut has_hidden = false;
    let mut has_icon = false;
    let mut nodes = document.subtree(id);
    for _ in 0..limits::CONTROL_NODES {
        let Some(node) = nodes.next() else { break };
        if hidden.contains(node) {
            has_hidden = true;
            nodes.skip_children_of(node);
            continue;
        }
        match document.tag(node) {
            None => {
                let text = document.text(node).unwrap_or_default();
                if !text.trim().is_empty() {
                    return true;
                }
            }
            Some(Tag::Img) => {
                has_icon = true;
                if attribute(document, node, Name::Alt).is_some() {
                    return true;
                }
            }
            Some(Tag::Svg) => {
                has_icon = true;
                nodes.skip_children_of(node);
            }
            Some(Tag::Script | Tag::Style | Tag::Template) => nodes.skip_children_of(node),
            Some(_) => {}
        }
    }
    let labels = [Name::AriaLabel, Name::AriaLabelledby, Name::Title];
    let has_label = || {
        labels
            .iter()
            .any(|name| attribute(document, id, *name).is_some())
    };
    if has_hidden { has_icon } else { has_label() }
}

/// The kind of part that an element opens in Bootstrap.
fn toggle(document: &Document, id: Id) -> &str {
    attribute(document, id, Name::DataBsToggle)
        .or_else(|| attribute(document, id, Name::DataToggle))
        .unwrap_or_default()
}
