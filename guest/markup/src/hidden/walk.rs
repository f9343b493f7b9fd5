//! The walk over a page that finds its hidden elements and texts.

use super::background::is_in_own_background;
use super::context::Context;
use super::css::{Declared, Method, Paint, Style};
use super::sheet::Sheet;
use super::{color, controls, css, spaces};
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::limits;
use std::collections::BTreeMap;

/// A hidden element or text.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub id: Id,
    pub method: Method,
}

/// A hidden element that a click may show.
#[derive(Clone, Copy)]
pub struct Closed {
    pub id: Id,
    pub method: Method,
    /// The context around it.
    pub context: Context,
}

/// The state of the search for hidden text.
pub struct Walk<'d> {
    document: &'d Document,
    sheet: Sheet,
    /// Whether all style sheets of the page are known.
    is_complete: bool,
    has_formulas: bool,
    /// Whether each element or one around it probably has a background of its own.
    backgrounds: BTreeMap<Id, bool>,
    /// The hidden nodes.
    pub found: Vec<Node>,
    /// The nodes in `found`, and those that a click shows.
    pub hidden: Marks,
    /// Elements in `found` that a click may show.
    pub closed: Vec<Closed>,
    /// Elements whose text is code because their style keeps white space.
    pub preformatted: Marks,
    search: spaces::Search,
    /// Visible elements that may open others.
    pub controls: Vec<Id>,
}

impl<'d> Walk<'d> {
    /// Prepares the walk. `None` if the page has no styles that may hide text.
    pub fn new(document: &'d Document) -> Option<Self> {
        let sheet = Sheet::of(document);
        let has_styles = !sheet.is_empty()
            || document.mentions(STYLES)
            || document.with_tag(Tag::Dialog).next().is_some();
        has_styles.then(|| Self {
            document,
            // Style sheets in other files are not read.
            is_complete: !sheet.is_partial && !has_linked_sheet(document),
            sheet,
            has_formulas: document.find(Tag::Math).is_some(),
            backgrounds: BTreeMap::new(),
            found: Vec::new(),
            hidden: Marks::default(),
            closed: Vec::new(),
            preformatted: Marks::default(),
            search: spaces::Search::default(),
            controls: Vec::new(),
        })
    }

    /// Finds the hidden nodes of the whole page.
    pub fn page(&mut self) {
        self.elements(Id::ROOT, Context::page(self.is_complete), false);
    }

    /// Finds the hidden nodes in an element that a click shows. Returns whether it has visible text.
    pub fn open(&mut self, closed: &Closed) -> bool {
        self.elements(closed.id, closed.context, true)
    }

    fn elements(&mut self, root: Id, mut context: Context, is_open: bool) -> bool {
        let document = self.document;
        let mut has_text = false;
        // The contexts of the elements around the next node, each with the node that follows the
        // element. An element that inherits all of it is not listed.
        let mut contexts: Vec<(Option<Id>, Context)> = Vec::new();
        let mut nodes = document.subtree(root);
        while let Some(id) = nodes.next() {
            while let Some((_, outer)) = contexts.pop_if(|(after, _)| *after == Some(id)) {
                context = outer;
            }
            let Some(tag) = document.tag(id) else {
                let text = document.text(id).unwrap_or_default();
                if text.trim().is_empty() {
                    continue;
                }
                match self.method_of_text(id, context) {
                    Some(method) => self.add(id, method),
                    None => has_text = true,
                }
                continue;
            };
            if matches!(
                tag,
                Tag::Head | Tag::Script | Tag::Style | Tag::Template | Tag::Svg
            ) {
                nodes.skip_children_of(id);
                continue;
            }
            let is_styled = tag == Tag::Dialog
                || !self.sheet.is_empty()
                || document.has_any(id, |name| STYLES.contains(&name));
            let own = if is_styled {
                own_style(document, &self.sheet, id, tag)
            } else {
                Style::default()
            };
            let is_opened = is_open && id == root;
            if let Some(method) = hiding(document, id, tag, &own).filter(|_| !is_opened) {
                // A hidden formula is the source of one that is shown.
                if !(self.has_formulas && is_formula(document, id)) {
                    self.add(id, method);
                    if is_closed(document, id, tag, &own) {
                        self.closed.push(Closed {
                            id,
                            method,
                            context,
                        });
                    }
                }
                nodes.skip_children_of(id);
                continue;
            }
            if self.search.is_code(document, id, tag, &own) {
                self.preformatted.insert(id);
            }
            if controls::is_candidate(document, id) && self.controls.len() < limits::CONTROLS {
                self.controls.push(id);
            }
            let inner = context.inner(document, id, tag, &own);
            if inner != context {
                contexts.push((document.after(id, root), context));
                context = inner;
            }
        }
        has_text
    }

    fn add(&mut self, id: Id, method: Method) {
        self.found.push(Node { id, method });
        self.hidden.insert(id);
    }

    /// How a text is hidden by its font and its colours.
    fn method_of_text(&mut self, id: Id, context: Context) -> Option<Method> {
        let method = context.hides()?;
        let is_unknown = method == Method::SameColor
            && context.is_page
            && !self.is_complete
            && self.document.parent(id).is_some_and(|outer| {
                is_in_own_background(self.document, outer, &mut self.backgrounds)
            });
        (!is_unknown).then_some(method)
    }
}

/// The attributes that may hide text.
const STYLES: &[Name] = &[Name::Style, Name::Hidden, Name::Color, Name::Bgcolor];

fn own_style(document: &Document, sheet: &Sheet, id: Id, tag: Tag) -> Style {
    let mut declared = Declared::default();
    let color = |name: Name| {
        document
            .attribute(id, name)
            .and_then(color::attribute_color)
    };
    if tag == Tag::Font {
        declared.normal.color = color(Name::Color).map(Paint::Opaque);
    }
    declared.normal.background = color(Name::Bgcolor);
    if !sheet.is_empty() {
        let mut rules = sheet.declared(document, id, tag);
        // The rules for the whole page hide it until a script has run.
        if matches!(tag, Tag::Html | Tag::Body) {
            rules.normal = rules.normal.colors();
            rules.important = rules.important.colors();
        }
        declared.merge(&rules);
    }
    if let Some(text) = document.attribute(id, Name::Style) {
        declared.merge(&css::declarations(text));
    }
    declared.style()
}

/// How an element is hidden, apart from its font and its colours.
fn hiding(document: &Document, id: Id, tag: Tag, own: &Style) -> Option<Method> {
    if tag == Tag::Dialog && !document.has(id, Name::Open) {
        return Some(Method::Dialog);
    }
    if has_attribute(document, id, own) {
        return Some(Method::Attribute);
    }
    own.hides()
}

/// Whether the attribute `hidden` applies to an element.
fn has_attribute(document: &Document, id: Id, own: &Style) -> bool {
    let attribute = document.attribute(id, Name::Hidden);
    attribute.is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
        && own.no_display != Some(false)
}

/// Whether an element is hidden in the way in which pages hide a part until a click.
fn is_closed(document: &Document, id: Id, tag: Tag, own: &Style) -> bool {
    tag != Tag::Dialog && own.is_closed(has_attribute(document, id, own))
}

/// Whether a page has a style sheet in another file.
fn has_linked_sheet(document: &Document) -> bool {
    document.with_tag(Tag::Link).any(|id| {
        document.has(id, Name::Href)
            && document.attribute(id, Name::Rel).is_some_and(|rel| {
                rel.split_ascii_whitespace()
                    .any(|word| word.eq_ignore_ascii_case("stylesheet"))
            })
    })
}

/// Whether an element is in a formula, or contains only formulas.
fn is_formula(document: &Document, id: Id) -> bool {
    if document
        .ancestors(id)
        .any(|outer| document.is(outer, Tag::Math))
    {
        return true;
    }
    let mut has_formula = false;
    let mut nodes = document.subtree(id);
    while let Some(node) = nodes.next() {
        match document.tag(node) {
            Some(Tag::Math) => {
                has_formula = true;
                nodes.skip_children_of(node);
            }
            Some(Tag::Script | Tag::Style | Tag::Template) => nodes.skip_children_of(node),
            None if document
                .text(node)
                .is_some_and(|text| !text.trim().is_empty()) =>
            {
                return false;
            }
            _ => {}
        }
    }
    has_formula
}
