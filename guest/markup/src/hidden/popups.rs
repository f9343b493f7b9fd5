//! Menus, dialogs and navigation: parts of a page that are not text although a click opens them.

use crate::dom::{Document, Id, Name, Tag};
use std::collections::BTreeMap;

/// The kinds of elements around an element.
#[derive(Clone, Copy, Default)]
struct Around {
    /// Whether one is a menu or a dialog.
    is_popup: bool,
    is_nav: bool,
    /// Whether the outermost header is that of the page. `None` if there is neither a
    /// header nor a section.
    in_header: Option<bool>,
}

/// The menus, dialogs and headers around the elements that were examined.
#[derive(Default)]
pub struct Popups {
    known: BTreeMap<Id, Around>,
}

impl Popups {
    /// Whether an element is in a menu, in a dialog, in navigation or in the header of the page. Tabs
    /// are often in an element `nav` of their own.
    pub fn contain(&mut self, document: &Document, id: Id, is_tab: bool) -> bool {
        let around = self.around(document, id);
        around.is_popup || (around.is_nav && !is_tab) || around.in_header == Some(true)
    }

    fn around(&mut self, document: &Document, id: Id) -> Around {
        let mut path = Vec::new();
        let mut around = Around::default();
        for outer in document.ancestors(id) {
            if let Some(known) = self.known.get(&outer) {
                around = *known;
                break;
            }
            path.push(outer);
        }
        for outer in path.into_iter().rev() {
            around.is_popup |=
                is_popup(document, outer) || is_role(role(document, outer), &["banner"]);
            match document.tag(outer) {
                Some(Tag::Nav) => around.is_nav = true,
                Some(Tag::Header) => _ = around.in_header.get_or_insert(true),
                Some(Tag::Article | Tag::Main | Tag::Section) => {
                    around.in_header.get_or_insert(false);
                }
                _ => {}
            }
            self.known.insert(outer, around);
        }
        around
    }
}

/// Whether an element is shown over the page, or is a menu.
pub fn is_popup(document: &Document, id: Id) -> bool {
    const ROLES: &[&str] = &[
        "alertdialog",
        "dialog",
        "grid",
        "listbox",
        "menu",
        "menubar",
        "navigation",
        "tooltip",
        "tree",
    ];
    document.is(id, Tag::Dialog)
        || is_role(role(document, id), ROLES)
        || attribute(document, id, Name::AriaModal)
            .is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The role of an element.
pub fn role(document: &Document, id: Id) -> &str {
    attribute(document, id, Name::Role).unwrap_or_default()
}

/// The value of an attribute. `None` if it is blank.
pub fn attribute(document: &Document, id: Id, name: Name) -> Option<&str> {
    let value = document.attribute(id, name)?.trim();
    (!value.is_empty()).then_some(value)
}

/// Whether a role, or the value of a similar attribute, is one of these.
pub fn is_role(role: &str, roles: &[&str]) -> bool {
    roles.iter().any(|known| role.eq_ignore_ascii_case(known))
}
