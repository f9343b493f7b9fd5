//! Styles: what paragraphs, texts, pages and tables inherit ([ODF 1.3] part 3, 16).

use super::lists::ListStyle;
use crate::limits;
use crate::model::Style;
use crate::word::styles::{Named, ParagraphKind, by_name};
use crate::xml::Element;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The format of a text: properties that are set or unset. Others are inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    set: Style,
    unset: Style,
    hidden: Option<bool>,
    /// The name of the font.
    font: Option<Rc<str>>,
}

impl Format {
    /// Reads `style:text-properties`.
    fn read(properties: Element, fonts: &BTreeMap<&str, &str>) -> Self {
        let mut format = Self::default();
        for (name, value) in properties.attributes() {
            match *name {
                "font-weight" => {
                    let weight = value.parse::<u32>().ok();
                    let bold = value == "bold" || weight.is_some_and(|weight| weight >= 600);
                    format.put(Style::BOLD, bold);
                }
                "font-style" => format.put(Style::ITALIC, value != "normal"),
                "text-line-through-style" | "text-line-through-type" => {
                    format.put(Style::STRIKE, value != "none");
                }
                "text-position" => {
                    let place = value.split_whitespace().next().unwrap_or_default();
                    let raised = place == "super" || is_amount(place) && !place.starts_with('-');
                    let lowered = place == "sub" || is_amount(place) && place.starts_with('-');
                    format.put(Style::SUP, raised);
                    format.put(Style::SUB, lowered);
                }
                "display" => format.hidden = Some(value == "none"),
                "font-name" | "font-family" => {
                    let family = fonts.get(&**value).copied().unwrap_or(value);
                    format.font = Some(Rc::from(family.trim_matches(['\'', '"'])));
                }
                _ => {}
            }
        }
        format
    }

    fn put(&mut self, style: Style, on: bool) {
        if on {
            self.set = self.set.with(style);
            self.unset = self.unset.without(style);
        } else {
            self.unset = self.unset.with(style);
            self.set = self.set.without(style);
        }
    }

    /// Returns one property of a format.
    fn of(style: Style, format: &Self) -> Self {
        let mut one = Self::default();
        if format.set.has(style) || format.unset.has(style) {
            one.put(style, format.set.has(style));
        }
        one
    }

    /// Returns the format in which the properties of the other take precedence.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        Self {
            set: self.set.without(other.unset).with(other.set),
            unset: self.unset.without(other.set).with(other.unset),
            hidden: other.hidden.or(self.hidden),
            font: other.font.clone().or_else(|| self.font.clone()),
        }
    }

    /// Returns the properties that are set.
    pub fn style(&self) -> Style {
        self.set
    }

    /// Returns the format with another property.
    #[must_use]
    pub fn with(mut self, style: Style) -> Self {
        self.put(style, true);
        self
    }

    /// Returns whether the text is hidden.
    pub fn is_hidden(&self) -> bool {
        self.hidden == Some(true)
    }

    /// Returns the name of the font. It may be empty.
    pub fn font(&self) -> &str {
        self.font.as_deref().unwrap_or_default()
    }
}

/// Returns whether a text is a percentage other than 0.
fn is_amount(text: &str) -> bool {
    let number = text.trim_end_matches('%').parse::<f64>();
    number.is_ok_and(|number| number != 0.0)
}

/// The properties of a style, with those that it inherits.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// The outline level, from 1.
    pub outline: Option<u8>,
    /// The kind.
    pub kind: ParagraphKind,
    /// The format of text. For a paragraph, the format of its own style only, which programs write
    /// for text that is formatted as a whole.
    pub format: Format,
    /// Whether the text is code.
    pub code: bool,
    /// The list style.
    pub list: Option<Rc<str>>,
    /// The page style that starts with the paragraph.
    pub page: Option<Rc<str>>,
    /// Whether a page, a table or a section is hidden.
    pub hidden: bool,
    /// Whether a paragraph of a list has a number.
    pub numbered: Option<bool>,
}

/// A style without those on which it is based.
struct Entry {
    name: Rc<str>,
    base: Option<Rc<str>>,
    own: Resolved,
    automatic: bool,
}

/// The styles of a part: the common ones and its automatic ones.
#[derive(Default)]
pub struct Styles {
    /// By family and name.
    families: BTreeMap<String, BTreeMap<String, Resolved>>,
    /// The list styles by name.
    pub lists: BTreeMap<String, ListStyle>,
    /// The numbers of headings.
    pub outline: ListStyle,
}

impl Styles {
    /// Reads the elements with common styles, and the automatic styles of a part.
    pub fn read(common: Option<Element>, root: Element) -> Self {
        let automatic = root.child("automatic-styles");
        let mut styles = Self::default();
        let fonts = fonts(root);
        let mut entries: BTreeMap<String, BTreeMap<String, Entry>> = BTreeMap::new();
        for (group, is_automatic) in [(common, false), (automatic, true)] {
            for style in group.iter().flat_map(Element::children) {
                match style.name() {
                    "style" => {
                        let family = family(style.attr("family").unwrap_or_default());
                        if let Some(name) = style.attr("name") {
                            let family = entries.entry(family.to_owned()).or_default();
                            family
                                .insert(name.to_owned(), entry(style, name, is_automatic, &fonts));
                        }
                    }
                    "list-style" => {
                        if let Some(name) = style.attr("name") {
                            styles.lists.insert(name.to_owned(), ListStyle::read(style));
                        }
                    }
                    "outline-style" => styles.outline = ListStyle::read(style),
                    _ => {}
                }
            }
        }
        for (family, entries) in entries {
            let resolved = entries.keys().map(|name| {
                let style = resolve(&entries, name, family == "paragraph");
                (name.clone(), style)
            });
            let resolved = resolved.collect();
            styles.families.insert(family, resolved);
        }
        styles
    }

    /// Returns a style of a family. Documents may use built-in styles without defining them.
    pub fn get(&self, family: &str, name: Option<&str>) -> Resolved {
        let Some(name) = name else {
            return Resolved::default();
        };
        let found = self.families.get(family).and_then(|list| list.get(name));
        found.cloned().unwrap_or_else(|| {
            let named = by_name(&decoded(name), Named::default());
            Resolved {
                kind: named.kind,
                code: named.code,
                outline: named.outline.map(|level| level.saturating_add(1)),
                ..Resolved::default()
            }
        })
    }

    /// Lists the page styles that paragraphs and tables start.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        let families = ["paragraph", "table"].into_iter();
        let styles = families.filter_map(|family| self.families.get(family));
        styles.flat_map(|list| list.values().filter_map(|style| style.page.as_deref()))
    }
}

/// Returns the family of shapes for both families of shapes.
fn family(name: &str) -> &str {
    match name {
        "presentation" => "graphic",
        name => name,
    }
}

/// Returns the families of the fonts that a part declares, by their names.
fn fonts<'t>(root: Element<'t, '_>) -> BTreeMap<&'t str, &'t str> {
    let declared = root.child("font-face-decls");
    let declared = declared.iter().flat_map(Element::children);
    declared
        .filter_map(|font| Some((font.attr("name")?, font.attr("font-family")?)))
        .collect()
}

/// Reads a style.
fn entry(style: Element, name: &str, automatic: bool, fonts: &BTreeMap<&str, &str>) -> Entry {
    let mut own = Resolved {
        outline: style
            .attr("default-outline-level")
            .and_then(|it| it.parse().ok()),
        list: style.attr("list-style-name").map(Rc::from),
        page: style
            .attr("master-page-name")
            .filter(|it| !it.is_empty())
            .map(Rc::from),
        ..Resolved::default()
    };
    for properties in style.children() {
        let is = |name, value| properties.attr(name) == Some(value);
        match properties.name() {
            "text-properties" => own.format = Format::read(properties, fonts),
            "drawing-page-properties" => own.hidden = is("visibility", "hidden"),
            "table-properties" => own.hidden = is("display", "false"),
            "paragraph-properties" => {
                own.numbered = properties.attr("enable-numbering").map(|it| it == "true");
            }
            _ => {}
        }
    }
    Entry {
        name: Rc::from(
            style
                .attr("display-name")
                .map_or_else(|| decoded(name), str::to_owned),
        ),
        base: style.attr("parent-style-name").map(Rc::from),
        own,
        automatic,
    }
}

/// Follows the styles on which a style is based. Loops end at the limit.
fn resolve(entries: &BTreeMap<String, Entry>, name: &str, paragraph: bool) -> Resolved {
    let mut resolved = Resolved::default();
    let mut next = Some(name);
    let mut names: Vec<Rc<str>> = Vec::new();
    for depth in 0..limits::STYLE_CHAIN {
        let Some(entry) = next.and_then(|name| entries.get(name)) else {
            break;
        };
        let own = &entry.own;
        resolved.outline = resolved.outline.or(own.outline);
        resolved.list = resolved.list.or_else(|| own.list.clone());
        resolved.page = resolved.page.or_else(|| own.page.clone());
        resolved.numbered = resolved.numbered.or(own.numbered);
        resolved.hidden |= own.hidden && depth == 0;
        if !paragraph || entry.automatic {
            resolved.format = own.format.then(&resolved.format);
        } else {
            // Of common styles, bold text is shown: authors define such styles for headings and captions.
            // If most text is bold, it is no emphasis.
            let bold = Format::of(Style::BOLD, &own.format);
            if entry.base.is_some() {
                resolved.format = bold.then(&resolved.format);
            }
            resolved.format.hidden = resolved.format.hidden.or(own.format.hidden);
        }
        if !entry.automatic {
            names.push(Rc::clone(&entry.name));
        }
        next = entry.base.as_deref();
    }
    if names.is_empty()
        && let Some(base) = next
    {
        names.push(Rc::from(decoded(base)));
    }
    // The name of the style itself takes precedence over those of its bases.
    for name in names {
        let named = by_name(&name, Named::default());
        if resolved.kind == ParagraphKind::Text {
            resolved.kind = named.kind;
        }
        resolved.code |= named.code;
        let level = named.outline.map(|level| level.saturating_add(1));
        resolved.outline = resolved.outline.or(level);
    }
    resolved
}

/// Decodes the characters that names of styles cannot have: `Heading_20_1` is `Heading 1`.
fn decoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('_') {
        out.push_str(before);
        let code = after.split_once('_').and_then(|(digits, after)| {
            let short = digits.len() <= 4 && !digits.is_empty();
            let code = short.then(|| u32::from_str_radix(digits, 16).ok())??;
            Some((char::from_u32(code)?, after))
        });
        match code {
            Some((char, after)) => {
                out.push(char);
                rest = after;
            }
            None => {
                out.push('_');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn names_are_decoded() {
        assert_eq!(decoded("Heading_20_1"), "Heading 1");
        assert_eq!(decoded("a_b_c"), "a\u{b}c");
        assert_eq!(decoded("my_style_name_"), "my_style_name_");
    }
}
