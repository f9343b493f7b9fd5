//! Text that a browser does not show: the ways in which pages hide text from people, which is also
//! how instructions to models are hidden.
//!
//! ```text
//! css    styles that hide text
//! ```
//!
//! Hidden elements are left out of the Markdown, and a note counts them.

mod css;

use crate::dom::{Document, Id, Marks, Name, Tag};
use css::{Method, Rgb, Sheet, Style};
use std::collections::BTreeMap;

/// The hidden elements of a page.
#[derive(Debug, Default)]
pub struct Hidden {
    /// The outermost hidden elements.
    pub marks: Marks,
    /// The number of these elements that contain text.
    elements: usize,
    /// The number of characters of their text.
    characters: usize,
    methods: Vec<Method>,
    /// Whether most of the page would be hidden, so that the largest elements are shown.
    mostly: bool,
}

impl Hidden {
    /// Finds the hidden elements of a page.
    pub fn of(document: &Document) -> Self {
        let sheet = Sheet::of(document);
        let mut found = find(document, &sheet);
        if found.is_empty() {
            return Self::default();
        }
        let total = found
            .iter()
            .map(|one| one.characters)
            .fold(0, usize::saturating_add);
        let visible =
            characters(document, document.body(), &Marks::default()).saturating_sub(total);
        let mut hidden = Self::default();
        for one in found.drain(..) {
            // Scripts often show such an element when the page is complete.
            if one.characters > visible.max(200) && one.method != Method::SameColor {
                hidden.mostly = true;
                continue;
            }
            hidden.marks.insert(one.id);
            if one.characters > 0 {
                hidden.elements = hidden.elements.saturating_add(1);
                hidden.characters = hidden.characters.saturating_add(one.characters);
                if !hidden.methods.contains(&one.method) {
                    hidden.methods.push(one.method);
                }
            }
        }
        hidden
    }

    /// The notes on hidden text.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.elements > 0 {
            let many = if self.elements == 1 { "" } else { "s" };
            let methods: Vec<&str> = self.methods.iter().map(|method| method.name()).collect();
            notes.push(format!(
                "hidden text is left out: {} element{many}, {} characters ({})",
                self.elements,
                self.characters,
                methods.join(", ")
            ));
        }
        if self.mostly {
            notes.push(
                "most of the text is hidden by its style until a script runs; it is shown"
                    .to_owned(),
            );
        }
        notes
    }
}

/// A hidden element.
struct Found {
    id: Id,
    method: Method,
    characters: usize,
}

/// The colours of the text in an element, as far as its styles say.
#[derive(Clone, Copy)]
struct Context {
    color: Option<Rgb>,
    /// The colour of the background. `None` if it is not known.
    background: Option<Rgb>,
    /// Whether the background is that of the page.
    is_page: bool,
}

/// The colours of the elements around those that have a colour of their own. They are computed when
/// such an element is found, and only once for each element around it.
struct Contexts<'d> {
    document: &'d Document,
    sheet: &'d Sheet,
    known: BTreeMap<Id, Context>,
}

impl Contexts<'_> {
    /// The colours of an element.
    fn of(&mut self, id: Id) -> Context {
        let mut context = Context {
            color: None,
            background: Some([255, 255, 255]),
            is_page: true,
        };
        let mut path = vec![id];
        for outer in self.document.ancestors(id) {
            if let Some(known) = self.known.get(&outer) {
                context = *known;
                break;
            }
            path.push(outer);
        }
        for id in path.into_iter().rev() {
            let tag = self.document.tag(id).unwrap_or(Tag::Other);
            let own = own_style(self.document, self.sheet, id, tag);
            context = inner_context(self.document, id, own, context);
            self.known.insert(id, context);
        }
        context
    }
}

fn find(document: &Document, sheet: &Sheet) -> Vec<Found> {
    let mut found = Vec::new();
    let mut contexts = Contexts {
        document,
        sheet,
        known: BTreeMap::new(),
    };
    let mut nodes = document.subtree(Id::ROOT);
    while let Some(id) = nodes.next() {
        let Some(tag) = document.tag(id) else {
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
            || document.has_any(id, |name| {
                matches!(
                    name,
                    Name::Style | Name::Hidden | Name::Color | Name::Bgcolor
                )
            });
        if !is_styled {
            continue;
        }
        let own = own_style(document, sheet, id, tag);
        let mut method = hiding(document, id, tag, own);
        if method.is_none() && own.color.is_some() && is_same_color(document, id, contexts.of(id)) {
            method = Some(Method::SameColor);
        }
        // A hidden formula is the source of one that is shown.
        if let Some(method) = method.filter(|_| !contains_math(document, id)) {
            let characters = characters(document, id, &Marks::default());
            found.push(Found {
                id,
                method,
                characters,
            });
            nodes.skip_children_of(id);
        }
    }
    found
}

fn own_style(document: &Document, sheet: &Sheet, id: Id, tag: Tag) -> Style {
    let mut style = if sheet.is_empty() {
        Style::default()
    } else {
        sheet.style(document, id, tag)
    };
    // The rules for the whole page hide it until a script has run.
    if matches!(tag, Tag::Html | Tag::Body | Tag::Main | Tag::Article) {
        style.hides = None;
    }
    if tag == Tag::Font {
        style.color = document
            .attribute(id, Name::Color)
            .and_then(css::attribute_color)
            .or(style.color);
    }
    if let Some(color) = document
        .attribute(id, Name::Bgcolor)
        .and_then(css::attribute_color)
    {
        style.background = Some(color);
    }
    if let Some(text) = document.attribute(id, Name::Style) {
        css::merge(&mut style, css::declarations(text));
    }
    style
}

/// How an element is hidden, apart from its colour.
fn hiding(document: &Document, id: Id, tag: Tag, own: Style) -> Option<Method> {
    if tag == Tag::Dialog && !document.has(id, Name::Open) {
        return Some(Method::Dialog);
    }
    let attribute = document.attribute(id, Name::Hidden);
    if attribute.is_some_and(|value| !value.eq_ignore_ascii_case("until-found")) && !own.shows {
        return Some(Method::Attribute);
    }
    // A box without a font size, such as one around images, may contain text with one.
    let sized = own.hides == Some(Method::Size)
        && document.subtree(id).skip(1).any(|inner| {
            document
                .attribute(inner, Name::Style)
                .is_some_and(|style| style.contains("font-size"))
        });
    own.hides.filter(|_| !sized)
}

fn inner_context(document: &Document, id: Id, own: Style, outer: Context) -> Context {
    let mut inner = outer;
    inner.color = own.color.or(outer.color);
    if own.has_image {
        inner.background = None;
        inner.is_page = false;
    } else if let Some(background) = own.background {
        inner.background = Some(background);
        inner.is_page = false;
    } else if outer.is_page && has_own_background(document, id) {
        inner.background = None;
        inner.is_page = false;
    }
    inner
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

/// Whether the text of an element has the colour of its background.
fn is_same_color(document: &Document, id: Id, context: Context) -> bool {
    let (Some(color), Some(background)) = (context.color, context.background) else {
        return false;
    };
    let distance = color
        .iter()
        .zip(background)
        .map(|(a, b)| a.abs_diff(b))
        .max();
    // A link in the colour of the background has another one in the style sheet.
    distance.is_some_and(|distance| distance <= 8) && !document.is(id, Tag::Body)
}

fn contains_math(document: &Document, id: Id) -> bool {
    document
        .subtree(id)
        .take(16)
        .any(|id| document.is(id, Tag::Math))
        || document.ancestors(id).take(4).any(|id| {
            document.attribute(id, Name::Class).is_some_and(|class| {
                class.contains("math") || class.contains("katex") || class.contains("MathJax")
            })
        })
}

/// The number of characters of the text in an element, without white space.
fn characters(document: &Document, id: Id, without: &Marks) -> usize {
    let mut count = 0usize;
    let mut nodes = document.subtree(id);
    while let Some(node) = nodes.next() {
        if let Some(text) = document.text(node) {
            count = count.saturating_add(text.chars().filter(|c| !c.is_whitespace()).count());
        } else if without.contains(node)
            || matches!(
                document.tag(node),
                Some(
                    Tag::Script
                        | Tag::Style
                        | Tag::Template
                        | Tag::Noscript
                        | Tag::Title
                        | Tag::Iframe
                )
            )
        {
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
        ] {
            assert!(hides(html), "{html}");
        }
    }

    #[test]
    fn visible_text_is_not_hidden() {
        for html in [
            "<p>x</p>",
            "<p hidden=until-found>x</p>",
            "<style>@media print{.a{display:none}}</style><p class=a>x</p>",
            "<style>.tab{display:none}.tab.active{display:block}</style><p class='tab active'>x</p>",
            "<style>.a{display:none}</style><p class=a style='display:block'>x</p>",
            "<div style='background:#000'><p style='color:#fff'>x</p></div>",
            "<div style='background-image:url(x)'><p style='color:#fff'>x</p></div>",
            "<div class=hero-banner><p style='color:#fff'>x</p></div>",
            "<div style='font-size:0'><p style='font-size:16px'>x</p></div>",
            "<span style='display:none'><math><mi>x</mi></math></span>",
            "<p style='color:#333'>x</p>",
            "<dialog open>x</dialog>",
        ] {
            assert!(!hides(html), "{html}");
        }
    }

    #[test]
    fn note_counts_elements_and_characters() {
        let page = format!(
            "{}<p hidden>abc</p><p style='opacity:0'>de</p>",
            "text ".repeat(100)
        );
        assert_eq!(
            notes(&page),
            ["hidden text is left out: 2 elements, 5 characters (attribute hidden, transparent)"]
        );
    }

    #[test]
    fn page_that_is_hidden_until_a_script_runs_is_shown() {
        let page = format!("<div style='opacity:0'>{}</div>", "text ".repeat(100));
        assert_eq!(
            notes(&page),
            ["most of the text is hidden by its style until a script runs; it is shown"]
        );
    }
}
