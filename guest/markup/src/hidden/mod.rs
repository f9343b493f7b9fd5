//! Text that a browser does not show: the ways in which pages hide text from people, which is also
//! how instructions to models are hidden.
//!
//! ```text
//! color    values of colours
//! context  the colours and the font size that text inherits
//! css      declarations that hide text
//! sheet    selectors and rules of style sheets
//! values   numbers, lengths and functions
//! notes    the notes on the hidden text of a page or section
//! ```
//!
//! Hidden elements are left out of the Markdown, and a note counts them.

mod color;
mod context;
mod css;
mod notes;
mod sheet;
mod values;

use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::limits;
use context::Context;
use css::{Declared, Method, Paint, Style};
use sheet::Sheet;
use std::collections::BTreeMap;

/// The hidden elements of a page.
#[derive(Debug, Default)]
pub struct Hidden {
    /// The outermost hidden elements, and hidden texts in others.
    pub marks: Marks,
    /// The nodes in `marks` that contain text.
    found: Vec<Found>,
    /// Elements that are hidden but shown, because most of the page would be hidden without them.
    shown: Marks,
}

impl Hidden {
    /// Finds the hidden elements of a page.
    pub fn of(document: &Document) -> Self {
        let sheet = Sheet::of(document);
        let mut found = find(document, &sheet);
        let mut hidden = Self::default();
        if found.is_empty() {
            return hidden;
        }
        let total = found
            .iter()
            .map(|one| one.characters)
            .fold(0, usize::saturating_add);
        let visible = characters(document, document.body()).saturating_sub(total);
        found.retain(|one| {
            // Scripts often show such an element when the page is complete.
            let is_shown = one.characters > visible.max(limits::TEMPORARY_CHARS)
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

fn find(document: &Document, sheet: &Sheet) -> Vec<Found> {
    let mut found = Vec::new();
    let has_styles = !sheet.is_empty()
        || document.mentions(STYLES)
        || document.with_tag(Tag::Dialog).next().is_some();
    if !has_styles {
        return found;
    }
    // Style sheets in other files are not read.
    let is_complete = !sheet.is_partial && !has_linked_sheet(document);
    // The contexts of the elements around the next node, each with the node that follows the element.
    // An element that inherits all of it is not listed.
    let mut contexts: Vec<(Option<Id>, Context)> = Vec::new();
    let mut context = Context::page(is_complete);
    // Whether each element or one around it probably has a background of its own.
    let mut backgrounds = BTreeMap::new();
    let mut nodes = document.subtree(Id::ROOT);
    while let Some(id) = nodes.next() {
        while let Some((_, outer)) = contexts.pop_if(|(after, _)| *after == Some(id)) {
            context = outer;
        }
        let Some(tag) = document.tag(id) else {
            let Some(method) = context.hides() else {
                continue;
            };
            let text = document.text(id).unwrap_or_default();
            if text.trim().is_empty() {
                continue;
            }
            let is_unknown = method == Method::SameColor
                && context.is_page
                && !is_complete
                && document
                    .parent(id)
                    .is_some_and(|outer| is_in_own_background(document, outer, &mut backgrounds));
            if !is_unknown {
                found.push(Found {
                    id,
                    method,
                    characters: characters(document, id),
                });
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
            || !sheet.is_empty()
            || document.has_any(id, |name| STYLES.contains(&name));
        let own = if is_styled {
            own_style(document, sheet, id, tag)
        } else {
            Style::default()
        };
        if let Some(method) = hiding(document, id, tag, &own) {
            // A hidden formula is the source of one that is shown.
            if !is_formula(document, id) {
                found.push(Found {
                    id,
                    method,
                    characters: characters(document, id),
                });
            }
            nodes.skip_children_of(id);
            continue;
        }
        let inner = context.inner(document, id, tag, &own, is_complete);
        if inner != context {
            contexts.push((document.after(id, Id::ROOT), context));
            context = inner;
        }
    }
    found
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
    let attribute = document.attribute(id, Name::Hidden);
    if attribute.is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
        && own.no_display != Some(false)
    {
        return Some(Method::Attribute);
    }
    own.hides()
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

/// Whether an element or one around it probably has a background of its own.
fn is_in_own_background(document: &Document, id: Id, known: &mut BTreeMap<Id, bool>) -> bool {
    let mut path = Vec::new();
    let mut found = false;
    for outer in std::iter::once(id).chain(document.ancestors(id)) {
        if let Some(is_in) = known.get(&outer) {
            found = *is_in;
            break;
        }
        path.push(outer);
    }
    for id in path.into_iter().rev() {
        found = found || has_own_background(document, id);
        known.insert(id, found);
    }
    found
}

/// Whether an element probably has a background of its own, by its name or class. Style sheets in
/// other files are not read.
fn has_own_background(document: &Document, id: Id) -> bool {
    const WORDS: &[&str] = &[
        "alert",
        "badge",
        "banner",
        "bg",
        "box",
        "btn",
        "button",
        "callout",
        "caption",
        "card",
        "chip",
        "cover",
        "cta",
        "dark",
        "foot",
        "footer",
        "head",
        "header",
        "hero",
        "jumbotron",
        "label",
        "menu",
        "nav",
        "navbar",
        "overlay",
        "panel",
        "pill",
        "sidebar",
        "slide",
        "slider",
        "tag",
        "toolbar",
    ];
    if matches!(
        document.tag(id),
        Some(Tag::Button | Tag::Nav | Tag::Header | Tag::Footer | Tag::Th)
    ) {
        return true;
    }
    [Name::Class, Name::Id].into_iter().any(|name| {
        document.attribute(id, name).is_some_and(|value| {
            value
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
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
mod tests {
    use super::*;
    use crate::dom::parse;

    fn notes(html: &str) -> Vec<String> {
        Hidden::of(&parse(html)).notes()
    }

    fn hides(html: &str) -> bool {
        let html = html.replace("LONG", &"long text ".repeat(100));
        let page = format!("<p>{}</p>{html}", "Visible text. ".repeat(30));
        !notes(&page).is_empty()
    }

    #[test]
    fn hidden_text_is_found() {
        for html in [
            "<p hidden>x</p>",
            "<p style='display:none'>x</p>",
            "<style>.a{display:none}</style><p class='b a'>x</p>",
            "<style>#a, .c {display:none}</style><p id=a>x</p>",
            "<style>.sr{position:absolute;left:-9999px}</style><p class=sr>x</p>",
            "<p style='color:white'>x</p>",
            "<p style='color:#fefefe'>x</p>",
            "<font color=white>x</font>",
            "<div style='background:#000'><p style='color:#010101'>x</p></div>",
            "<table bgcolor='#cccccc'><tr><td><font color='#cccccc'>x</font></table>",
            "<p style='font-size:0'>x</p>",
            "<dialog>x</dialog>",
            "<style>.w{color:#fff}</style><p class=w>x</p>",
            "<style>.h{display:none}</style><article class=h>x</article>",
            "<style>.h{display:none}</style><main class=h>x</main>",
            "<style>.h{display:none}@media print{.h{display:block}}</style><p class=h>x</p>",
            "<style>.h{display:none}.z:hover .h{display:block}</style><p class=h>x</p>",
            "<style>.h{display:none}.h.on{display:block}</style><p class=h>x</p>",
            "<style>.h{display:none}.h::after{display:block}</style><p class=h>x</p>",
            "<style>.h{display:none!important}</style><p class=h style='display:block'>x</p>",
            "<p hidden style='opacity:1'>x</p>",
            "<p hidden style='visibility:visible'>x</p>",
            "<style>.h{opacity:0}</style><p class=h style='display:block'>x</p>",
            "<div style='font-size:0'><i style='font-size:9px'></i>x</div>",
            "<div style='font-size:0'><i style='font-size:1em'>x</i></div>",
            "<div style='width:0;height:0;overflow:hidden'><i style='font-size:9px'>x</i></div>",
            "<div style='display:none'><math></math>x</div>",
            "<div class=math><p style='display:none'>x</p></div>",
            "<div style='position:absolute;left:-9999px'>LONG</div>",
            "<style>p.h{display:none}</style><p class=h>x</p>",
            "<style>.a.b{display:none}</style><p class='b a'>x</p>",
            "<style>p#h{display:none}</style><p id=h>x</p>",
            "<style>#o .w p.h{display:none}</style><div id=o><b class=w><p class=h>x</p></b></div>",
            "<style>div > p{display:none}</style><div><p>x</p></div>",
            "<style>@layer a{.h{display:none}}</style><p class=h>x</p>",
            "<style>@supports (a:b){.h{display:none}}</style><p class=h>x</p>",
            "<style>@media all{.h{display:none}}</style><p class=h>x</p>",
            "<style>@media screen{.h{display:none}}</style><p class=h>x</p>",
            "<style>/*{*/.h/* */{/*}*/display:none}</style><p class=h>x</p>",
            "<div style='color:#fff;background:#000'>ok<span style='background:#fff'>x</span></div>",
            "<div style='background:#000'>x</div>",
            "<div class=hero-banner><p style='color:#fff'>x</p></div>",
            "<link rel=stylesheet href=a.css><section class=intro><h2 style='color:#fff'>x</h2></section>",
        ] {
            assert!(hides(html), "{html}");
        }
    }

    #[test]
    fn visible_text_is_not_hidden() {
        for html in [
            "<p>x</p>",
            "<p hidden=until-found>x</p>",
            "<style>.a{display:none}@media (min-width: 600px){.a{display:block}}</style><p class=a>x</p>",
            "<style>@media print{.a{display:none}}</style><p class=a>x</p>",
            "<style>.tab{display:none}.tab.active{display:block}</style><p class='tab active'>x</p>",
            "<style>.a{display:none}</style><p class=a style='display:block'>x</p>",
            "<div style='background:#000'><p style='color:#fff'>x</p></div>",
            "<div style='background-image:url(x)'><p style='color:#fff'>x</p></div>",
            "<link rel=stylesheet href=a.css><div class=hero-banner><p style='color:#fff'>x</p></div>",
            "<link rel=stylesheet href=a.css><div style='background:#000'>x</div>",
            "<p style='display:none;display:block'>x</p>",
            "<p hidden style='display:block'>x</p>",
            "<style>.a .h{display:none}</style><p class=h>x</p>",
            "<style>div > p{display:none}</style><div><b><p>x</p></b></div>",
            "<style>p:not(.a,.h,.b){display:none}</style><p class=h>x</p>",
            "<style>.h{display:none}[data-on] .h.on{display:block}</style><p class='h on'>x</p>",
            "<style>body{opacity:0}</style>",
            "<style>body{color:#fff}</style>",
            "<style>body{background:#000}</style>",
            "<div style='color:#fff'><p style='background:#000'>x</p></div>",
            "<div style='background:#000'><a href=x>x</a></div>",
            "<p style='background:linear-gradient(red,blue);background-clip:text;color:transparent'>x</p>",
            "<div style='font-size:0'><p style='font-size:16px'>x</p></div>",
            "<span style='display:none'><math><mi>x</mi></math></span>",
            "<p style='color:#333'>x</p>",
            "<dialog open>x</dialog>",
        ] {
            assert!(!hides(html), "{html}");
        }
    }
}
