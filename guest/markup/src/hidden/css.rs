//! The few properties of CSS that hide text, from `style` attributes and `<style>` elements.

use crate::dom::{Document, Id, Name, Tag};
use crate::limits;
use std::collections::{BTreeMap, BTreeSet};

/// An opaque colour: red, green, blue.
pub type Rgb = [u8; 3];

/// What a style says about the visibility of text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// How the element is hidden.
    pub hides: Option<Method>,
    /// Whether the element is shown, although another style may hide it.
    pub shows: bool,
    /// The colour of the text.
    pub color: Option<Rgb>,
    /// The colour of the background.
    pub background: Option<Rgb>,
    /// Whether the background is an image or another one whose colour is not known.
    pub has_image: bool,
    /// Whether the text has a size that can be read.
    pub has_size: bool,
}

/// How text is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The attribute `hidden`.
    Attribute,
    /// `display: none`.
    Display,
    /// `visibility: hidden`.
    Visibility,
    /// `opacity: 0`, or a transparent colour.
    Transparent,
    /// A font or a box without size.
    Size,
    /// A position outside of the page.
    OffScreen,
    /// A box that is clipped to nothing.
    Clipped,
    /// The colour of the background.
    SameColor,
    /// A dialog that is not open.
    Dialog,
}

impl Method {
    /// The name for notes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attribute => "attribute hidden",
            Self::Display => "display:none",
            Self::Visibility => "visibility:hidden",
            Self::Transparent => "transparent",
            Self::Size => "no size",
            Self::OffScreen => "off screen",
            Self::Clipped => "clipped",
            Self::SameColor => "colour of the background",
            Self::Dialog => "closed dialog",
        }
    }
}

/// Parses declarations: `display: none; color: #fff`.
pub fn declarations(text: &str) -> Style {
    let mut style = Style::default();
    let mut boxed = Boxed::default();
    for declaration in text.split(';').take(limits::DECLARATIONS) {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        let value = value.trim().trim_end_matches("!important").trim_end();
        let value = value.to_ascii_lowercase();
        let value = value.as_str();
        match name.trim().to_ascii_lowercase().as_str() {
            "display" if value == "none" => style.hides = Some(Method::Display),
            "visibility" if matches!(value, "hidden" | "collapse") => {
                style.hides = Some(Method::Visibility);
            }
            "display" | "visibility" => style.shows = true,
            "opacity" => match number(value) {
                Some(opacity) if opacity <= 0.02 => style.hides = Some(Method::Transparent),
                _ => style.shows = true,
            },
            "filter" if value.replace(' ', "").contains("opacity(0)") => {
                style.hides = Some(Method::Transparent);
            }
            "font-size" | "font" => {
                let size = if name.trim().len() > 4 {
                    value
                } else {
                    value
                        .split([' ', '/'])
                        .find(|part| length(part).is_some())
                        .unwrap_or("")
                };
                match length(size) {
                    Some(size) if size <= 1.5 => style.hides = Some(Method::Size),
                    Some(_) => style.has_size = true,
                    None => {}
                }
            }
            "width" | "max-width" => boxed.width = length(value),
            "height" | "max-height" => boxed.height = length(value),
            "overflow" | "overflow-x" | "overflow-y" => {
                boxed.cut |= matches!(value, "hidden" | "clip");
            }
            "position" => boxed.positioned |= matches!(value, "absolute" | "fixed"),
            "left" | "top" | "right" | "bottom" | "margin-left" | "margin-top" | "inset" => {
                boxed.offset |= length(value).is_some_and(|offset| offset <= -400.0);
            }
            "text-indent" if length(value).is_some_and(|indent| indent <= -400.0) => {
                style.hides = Some(Method::OffScreen);
            }
            "transform" => {
                let value = value.replace(' ', "");
                if value.contains("scale(0)") || value.contains("scale(0,0)") {
                    style.hides = Some(Method::Size);
                } else if value.contains("translatex(-9") || value.contains("translate(-9") {
                    boxed.offset = true;
                    boxed.positioned = true;
                }
            }
            "clip" => boxed.clipped |= is_empty_rectangle(value),
            "clip-path" => {
                let value = value.replace(' ', "");
                if [
                    "inset(50%)",
                    "inset(100%)",
                    "circle(0)",
                    "circle(0px)",
                    "circle(0%)",
                ]
                .iter()
                .any(|empty| value.starts_with(empty))
                {
                    style.hides = Some(Method::Clipped);
                }
            }
            "color" | "-webkit-text-fill-color" => match color(value) {
                Color::Opaque(rgb) => style.color = Some(rgb),
                Color::Transparent => style.hides = Some(Method::Transparent),
                Color::Unknown => {}
            },
            "background-color" | "background" => match color(value) {
                Color::Opaque(rgb) => style.background = Some(rgb),
                Color::Transparent => {}
                Color::Unknown if matches!(value, "none" | "inherit" | "initial" | "unset") => {}
                Color::Unknown => style.has_image = true,
            },
            "background-image" if value != "none" => style.has_image = true,
            _ => {}
        }
    }
    if style.hides.is_none() {
        style.hides = boxed.hides();
    }
    style
}

/// The size and position of a box.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own"
)]
struct Boxed {
    width: Option<f32>,
    height: Option<f32>,
    cut: bool,
    positioned: bool,
    offset: bool,
    clipped: bool,
}

impl Boxed {
    fn hides(&self) -> Option<Method> {
        let empty = |size: Option<f32>| size.is_some_and(|size| size.abs() <= 1.0);
        if self.offset && (self.positioned || self.cut) {
            return Some(Method::OffScreen);
        }
        if self.clipped && self.positioned {
            return Some(Method::Clipped);
        }
        (self.cut && (empty(self.width) || empty(self.height))).then_some(Method::Size)
    }
}

fn number(text: &str) -> Option<f32> {
    match text.strip_suffix('%') {
        Some(percent) => percent
            .trim()
            .parse::<f32>()
            .ok()
            .map(|number| number / 100.0),
        None => text.parse().ok(),
    }
}

/// A length in pixels, roughly.
fn length(text: &str) -> Option<f32> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.')))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number: f32 = number.parse().ok()?;
    Some(match unit.trim() {
        "em" | "rem" => number * 16.0,
        "vw" | "vh" | "%" => number * 10.0,
        "pt" => number * 1.33,
        "" | "px" => number,
        _ => return None,
    })
}

fn is_empty_rectangle(value: &str) -> bool {
    let Some(inner) = value
        .strip_prefix("rect(")
        .and_then(|value| value.strip_suffix(')'))
    else {
        return false;
    };
    let mut sides = inner.split([',', ' ']).filter(|side| !side.is_empty());
    sides.all(|side| length(side).is_some_and(|side| side <= 1.0))
}

/// A colour in CSS.
enum Color {
    Opaque(Rgb),
    Transparent,
    Unknown,
}

fn color(value: &str) -> Color {
    let value = value
        .split_ascii_whitespace()
        .next()
        .filter(|_| !value.contains('('))
        .unwrap_or(value);
    if value == "transparent" {
        return Color::Transparent;
    }
    if let Some(hex) = value.strip_prefix('#') {
        return hexadecimal(hex);
    }
    if let Some(inner) = value
        .strip_prefix("rgba(")
        .or_else(|| value.strip_prefix("rgb("))
        && let Some((inner, "")) = inner
            .split_once(')')
            .map(|(inner, after)| (inner, after.trim()))
    {
        let mut parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
        let mut next = || parts.next()?.trim().parse::<f32>().ok();
        let (Some(red), Some(green), Some(blue)) = (next(), next(), next()) else {
            return Color::Unknown;
        };
        let alpha = parts.next().and_then(number).unwrap_or(1.0);
        if alpha <= 0.02 {
            return Color::Transparent;
        }
        return Color::Opaque([byte(red), byte(green), byte(blue)]);
    }
    match named(value) {
        Some(rgb) => Color::Opaque(rgb),
        None => Color::Unknown,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is clamped"
)]
fn byte(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}

/// The colour that the attribute `color` or `bgcolor` names: with or without `#`.
pub fn attribute_color(value: &str) -> Option<Rgb> {
    let value = value.trim().to_ascii_lowercase();
    match color(&value) {
        Color::Opaque(rgb) => Some(rgb),
        _ => match hexadecimal(&value) {
            Color::Opaque(rgb) => Some(rgb),
            _ => None,
        },
    }
}

fn hexadecimal(hex: &str) -> Color {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let Some(digits) = digits else {
        return Color::Unknown;
    };
    let twice = |digit: u8| digit.saturating_mul(17);
    let pair = |high: u8, low: u8| high.saturating_mul(16).saturating_add(low);
    match digits[..] {
        [_, _, _, 0] | [_, _, _, _, _, _, 0, 0] => Color::Transparent,
        [red, green, blue] | [red, green, blue, _] => {
            Color::Opaque([twice(red), twice(green), twice(blue)])
        }
        [red, r, green, g, blue, b] | [red, r, green, g, blue, b, _, _] => {
            Color::Opaque([pair(red, r), pair(green, g), pair(blue, b)])
        }
        _ => Color::Unknown,
    }
}

fn named(name: &str) -> Option<Rgb> {
    Some(match name {
        "white" => [255, 255, 255],
        "black" => [0, 0, 0],
        "red" => [255, 0, 0],
        "green" => [0, 128, 0],
        "blue" => [0, 0, 255],
        "yellow" => [255, 255, 0],
        "gray" | "grey" => [128, 128, 128],
        "silver" => [192, 192, 192],
        "snow" => [255, 250, 250],
        "ivory" => [255, 255, 240],
        "ghostwhite" => [248, 248, 255],
        "floralwhite" => [255, 250, 240],
        "whitesmoke" => [245, 245, 245],
        "lightgray" | "lightgrey" => [211, 211, 211],
        "navy" => [0, 0, 128],
        "maroon" => [128, 0, 0],
        "orange" => [255, 165, 0],
        "purple" => [128, 0, 128],
        _ => return None,
    })
}

/// The rules of the `<style>` elements of a page for single classes, ids and elements.
#[derive(Debug, Default)]
pub struct Sheet {
    classes: BTreeMap<String, Style>,
    ids: BTreeMap<String, Style>,
    tags: BTreeMap<String, Style>,
    /// Classes that other rules show, such as `.tab.active`.
    shown: BTreeSet<String>,
}

impl Sheet {
    /// Parses the `<style>` elements of a page.
    pub fn of(document: &Document) -> Self {
        let mut sheet = Self::default();
        let mut bytes = 0usize;
        for id in document
            .subtree(Id::ROOT)
            .filter(|id| document.is(*id, Tag::Style))
        {
            let mut text = String::new();
            document.raw_text(id, &mut text);
            bytes = bytes.saturating_add(text.len());
            if bytes > limits::STYLE_BYTES {
                break;
            }
            sheet.parse(&text);
        }
        sheet
    }

    fn parse(&mut self, text: &str) {
        let mut rest = text;
        // The number of open blocks of `@media` and the like. Their rules may not apply.
        let mut conditional = 0usize;
        while let Some(at) = rest.find(['{', '}', '/', ';']) {
            let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
            let mut chars = after.chars();
            let found = chars.next();
            let after = chars.as_str();
            match found {
                Some('/') if after.starts_with('*') => {
                    rest = after.split_once("*/").map_or("", |(_, after)| after);
                }
                Some('{') if before.trim_start().starts_with('@') => {
                    conditional = conditional.saturating_add(1);
                    rest = after;
                }
                Some('{') => {
                    let (body, after) = after.split_once('}').unwrap_or((after, ""));
                    self.rule(before, body, conditional > 0);
                    rest = after;
                }
                Some('}') => {
                    conditional = conditional.saturating_sub(1);
                    rest = after;
                }
                _ => rest = after,
            }
        }
    }

    fn rule(&mut self, selectors: &str, body: &str, conditional: bool) {
        let style = declarations(body);
        let relevant = style.hides.is_some()
            || style.color.is_some()
            || style.background.is_some()
            || style.has_image;
        for selector in selectors.split(',') {
            let selector = selector.trim();
            if style.shows && style.hides.is_none() {
                let classes = selector
                    .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')));
                for class in classes.flat_map(|part| part.split('.').skip(1)) {
                    self.shown.insert(class.to_owned());
                }
            }
            if !relevant || conditional {
                continue;
            }
            let is_name = |name: &str| {
                !name.is_empty()
                    && name
                        .chars()
                        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
            };
            if let Some(class) = selector.strip_prefix('.').filter(|class| is_name(class)) {
                merge(self.classes.entry(class.to_owned()).or_default(), style);
            } else if let Some(id) = selector.strip_prefix('#').filter(|id| is_name(id)) {
                merge(self.ids.entry(id.to_owned()).or_default(), style);
            } else if is_name(selector) {
                merge(
                    self.tags.entry(selector.to_ascii_lowercase()).or_default(),
                    style,
                );
            }
        }
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.ids.is_empty() && self.tags.is_empty()
    }

    /// The style of an element by the rules for its name, classes and id.
    pub fn style(&self, document: &Document, id: Id, tag: Tag) -> Style {
        let mut style = self.tags.get(tag.name()).copied().unwrap_or_default();
        if let Some(classes) = document.attribute(id, Name::Class) {
            for class in classes.split_ascii_whitespace() {
                if let Some(rule) = self.classes.get(class) {
                    let mut rule = *rule;
                    if self.shown.contains(class) {
                        rule.hides = None;
                    }
                    merge(&mut style, rule);
                }
            }
        }
        if let Some(rule) = document
            .attribute(id, Name::Id)
            .and_then(|id| self.ids.get(id))
        {
            merge(&mut style, *rule);
        }
        style
    }
}

/// Adds a style that takes precedence.
pub fn merge(style: &mut Style, over: Style) {
    if over.shows && over.hides.is_none() {
        style.hides = None;
    }
    style.hides = over.hides.or(style.hides);
    style.shows |= over.shows;
    style.color = over.color.or(style.color);
    style.background = over.background.or(style.background);
    style.has_image = over.has_image || (style.has_image && over.background.is_none());
    style.has_size |= over.has_size;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_that_hide_text_are_found() {
        for (text, expected) in [
            ("display:none", Some(Method::Display)),
            ("DISPLAY : None !important", Some(Method::Display)),
            ("visibility:hidden", Some(Method::Visibility)),
            ("opacity:0", Some(Method::Transparent)),
            ("opacity: 0.0%", Some(Method::Transparent)),
            ("font-size:0", Some(Method::Size)),
            ("font-size:1px", Some(Method::Size)),
            ("font: 0/0 a", Some(Method::Size)),
            ("height:0;overflow:hidden", Some(Method::Size)),
            ("position:absolute;left:-9999px", Some(Method::OffScreen)),
            ("text-indent:-999em", Some(Method::OffScreen)),
            (
                "position:absolute;clip:rect(0 0 0 0)",
                Some(Method::Clipped),
            ),
            ("clip-path: inset(50%)", Some(Method::Clipped)),
            ("color:transparent", Some(Method::Transparent)),
            ("color:rgba(0,0,0,0)", Some(Method::Transparent)),
            ("transform:scale(0)", Some(Method::Size)),
            ("display:block", None),
            ("font-size:12px", None),
            ("font: bold 12px serif", None),
            ("height:0", None),
            ("opacity:0.5", None),
            ("left:-9999px", None),
            ("margin-left:-10px;overflow:hidden", None),
            ("background:#000", None),
        ] {
            assert_eq!(declarations(text).hides, expected, "{text}");
        }
    }

    #[test]
    fn colors_are_parsed() {
        for (text, expected) in [
            ("#fff", Some([255, 255, 255])),
            ("#FFFFFF", Some([255, 255, 255])),
            ("white", Some([255, 255, 255])),
            ("rgb(1, 2, 3)", Some([1, 2, 3])),
            ("rgb(1 2 3 / 50%)", Some([1, 2, 3])),
            ("var(--x)", None),
        ] {
            assert_eq!(
                declarations(&format!("color:{text}")).color,
                expected,
                "{text}"
            );
        }
        assert_eq!(attribute_color("FFFFFF"), Some([255, 255, 255]));
        assert_eq!(declarations("background: url(x.png) #fff").background, None);
        assert!(declarations("background: url(x.png)").has_image);
    }
}
