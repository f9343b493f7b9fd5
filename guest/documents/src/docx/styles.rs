//! Styles: the levels of headings, lists and formats that paragraphs and runs inherit.

use crate::limits;
use crate::model::Style;
use crate::word::numbering::ListReference;
use crate::word::styles::{Named, by_name, raised};
use crate::xml::Element;
use std::collections::BTreeMap;

/// Elements of the part of styles that this module does not use. Templates have hundreds of kilobytes
/// of formats of tables.
pub const UNUSED: &[&str] = &["latentStyles", "tblPr", "tblStylePr", "tcPr", "trPr"];

/// The format of a run: properties that are set or unset. Others are inherited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunFormat {
    set: Style,
    unset: Style,
    hidden: Option<bool>,
}

impl RunFormat {
    /// Reads `rPr`.
    pub fn read(properties: Element) -> Self {
        let mut format = Self::default();
        for property in properties.children() {
            let on = is_on(property);
            match property.name() {
                "b" => format.put(Style::BOLD, on),
                "position" => {
                    let amount = property.attr("val").and_then(|it| it.parse().ok());
                    if let Some(amount) = amount {
                        format.place(raised(amount));
                    }
                }
                "i" => format.put(Style::ITALIC, on),
                "strike" | "dstrike" => format.put(Style::STRIKE, on),
                "vanish" => format.hidden = Some(on),
                "vertAlign" => match property.attr("val") {
                    Some("superscript") => format.place(Some(Style::SUP)),
                    Some("subscript") => format.place(Some(Style::SUB)),
                    _ => format.place(None),
                },
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

    /// Sets that the text is raised or lowered, or neither.
    fn place(&mut self, place: Option<Style>) {
        self.put(Style::SUP.with(Style::SUB), false);
        if let Some(place) = place {
            self.put(place, true);
        }
    }

    /// Returns the format of bold text.
    pub fn bold() -> Self {
        Self {
            set: Style::BOLD,
            ..Self::default()
        }
    }

    /// Returns the format in which the properties of the other take precedence.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        Self {
            set: self.set.without(other.unset).with(other.set),
            unset: self.unset.without(other.set).with(other.unset),
            hidden: other.hidden.or(self.hidden),
        }
    }

    /// Returns the properties that are set.
    pub fn style(self) -> Style {
        self.set
    }

    /// Returns whether the text is hidden.
    pub fn is_hidden(self) -> bool {
        self.hidden == Some(true)
    }
}

/// Returns whether a property such as `<w:b/>` is on.
pub fn is_on(property: Element) -> bool {
    !matches!(property.attr("val"), Some("0" | "false" | "off" | "none"))
}

/// The properties of a style, with those that it inherits.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// The properties that its own name and those of its bases imply.
    pub named: Named,
    /// The list.
    pub list: Option<ListReference>,
    /// The style that specifies the list.
    pub list_style: String,
    /// The format of runs.
    pub format: RunFormat,
}

/// The styles of a document.
#[derive(Default)]
pub struct Styles {
    map: BTreeMap<String, Resolved>,
    default_paragraph: String,
}

/// A style without those on which it is based.
struct Entry {
    name: String,
    base: Option<String>,
    outline: Option<u8>,
    list: Option<ListReference>,
    format: RunFormat,
}

impl Styles {
    /// Reads the part of styles.
    pub fn read(root: Element) -> Self {
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        let mut styles = Self::default();
        let list = root.children().filter(|child| child.name() == "style");
        for style in list.take(limits::STYLES) {
            let Some(id) = style.attr("styleId") else {
                continue;
            };
            let paragraph = style.child("pPr");
            let default = matches!(style.attr("default"), Some("1" | "true" | "on"));
            if default && style.attr("type") == Some("paragraph") {
                id.clone_into(&mut styles.default_paragraph);
            }
            let entry = Entry {
                name: style.val("name").unwrap_or(id).to_owned(),
                base: style.val("basedOn").map(str::to_owned),
                outline: paragraph.and_then(outline),
                list: paragraph.and_then(list_reference),
                format: style.child("rPr").map(RunFormat::read).unwrap_or_default(),
            };
            entries.insert(id.to_owned(), entry);
        }
        for id in entries.keys() {
            styles.map.insert(id.clone(), resolve(&entries, id));
        }
        styles
    }

    /// Returns the style of a paragraph. Documents may use built-in styles without defining them.
    pub fn paragraph(&self, id: Option<&str>) -> Resolved {
        let id = id.unwrap_or(&self.default_paragraph);
        let found = self.map.get(id).cloned();
        found.unwrap_or_else(|| Resolved {
            named: by_name(id, Named::default()),
            ..Resolved::default()
        })
    }

    /// Returns whether a paragraph style makes its text bold, other than that of most paragraphs. Authors
    /// define such styles for headings and captions.
    pub fn is_emphasized(&self, style: &Resolved) -> bool {
        let bold = |style: &Resolved| style.format.style().has(Style::BOLD);
        bold(style) && !self.map.get(&self.default_paragraph).is_some_and(bold)
    }

    /// Returns the style of a run.
    pub fn run(&self, id: &str) -> Option<&Resolved> {
        self.map.get(id)
    }
}

/// Reads the outline level of paragraph properties.
pub fn outline(properties: Element) -> Option<u8> {
    properties.val("outlineLvl")?.parse().ok()
}

/// Reads `numPr`.
pub fn list_reference(properties: Element) -> Option<ListReference> {
    let numbers = properties.child("numPr")?;
    Some(ListReference {
        list: numbers.val("numId").map(str::to_owned),
        level: numbers.val("ilvl").and_then(|level| level.parse().ok()),
    })
}

/// Follows the styles on which a style is based. Loops end at the limit.
fn resolve(entries: &BTreeMap<String, Entry>, id: &str) -> Resolved {
    let mut resolved = Resolved::default();
    let mut next = Some(id);
    let mut names = Vec::new();
    for _ in 0..limits::STYLE_CHAIN {
        let Some((id, entry)) = next.and_then(|id| entries.get_key_value(id)) else {
            break;
        };
        resolved.named.outline = resolved.named.outline.or(entry.outline);
        if let Some(list) = &entry.list {
            let own = resolved.list.get_or_insert_with(ListReference::default);
            if own.list.is_none() {
                own.list.clone_from(&list.list);
                resolved.list_style.clone_from(id);
            }
            own.level = own.level.or(list.level);
        }
        resolved.format = entry.format.then(resolved.format);
        names.push(entry.name.as_str());
        next = entry.base.as_deref();
    }
    // The name of the style itself takes precedence over those of its bases.
    for name in names {
        resolved.named = by_name(name, resolved.named);
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::Tree;

    #[test]
    fn the_last_place_of_a_text_counts() {
        let format = |xml: &str| RunFormat::read(Tree::parse(xml).root());
        let raised = format("<rPr><position val=\"6\"/></rPr>");
        assert_eq!(raised.style(), Style::SUP);
        for (xml, expected) in [
            ("<rPr><position val=\"0\"/></rPr>", Style::default()),
            ("<rPr><position val=\"-6\"/></rPr>", Style::SUB),
            ("<rPr><vertAlign val=\"subscript\"/></rPr>", Style::SUB),
            ("<rPr><position val=\"x\"/></rPr>", Style::SUP),
        ] {
            assert_eq!(raised.then(format(xml)).style(), expected, "{xml}");
        }
    }
}
