//! The few properties of CSS that hide text, in a list of declarations.

use super::color::{Color, Rgb, color};
use super::values::{
    function, is_empty_path, is_empty_rectangle, is_moved_away, is_scaled_to_nothing, length,
    number,
};
use crate::limits;

/// The colour of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A colour that can be seen on another one.
    Opaque(Rgb),
    /// A colour that cannot be seen.
    Transparent,
}

/// The size of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Font {
    /// Too small to be read.
    Tiny,
    /// A size of its own.
    Readable,
    /// A part of the size around it.
    Relative,
}

/// How far a side is moved out of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Offset {
    Near,
    /// Far enough if the box has a place of its own.
    Far,
    /// Far enough if the box is moved from its place in the text.
    VeryFar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Static,
    Relative,
    Absolute,
}

/// The white space of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spaces {
    /// Each run is one space.
    Joined,
    /// All of it is shown.
    Kept,
    /// All of it is shown, and long lines are wrapped.
    KeptAndWrapped,
}

/// What a style says about the visibility of text. Each property has a value of its own, so that
/// another style can change it. `None` if the style does not set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether `display` is `none`.
    pub no_display: Option<bool>,
    /// The size of the text, which elements in this one inherit.
    pub font: Option<Font>,
    /// The colour of the text, which elements in this one inherit.
    pub color: Option<Paint>,
    /// The colour of the background.
    pub background: Option<Rgb>,
    /// Whether the background is an image or another one whose colour is not known.
    pub has_image: Option<bool>,
    /// Whether the background has the shape of the text, so that it is its colour.
    pub is_text_shape: Option<bool>,
    /// The white space of the text.
    pub spaces: Option<Spaces>,
    invisible: Option<bool>,
    transparent: Option<bool>,
    filtered: Option<bool>,
    no_content: Option<bool>,
    no_width: Option<bool>,
    no_max_width: Option<bool>,
    no_height: Option<bool>,
    no_max_height: Option<bool>,
    cut_x: Option<bool>,
    cut_y: Option<bool>,
    position: Option<Position>,
    left: Option<Offset>,
    top: Option<Offset>,
    right: Option<Offset>,
    bottom: Option<Offset>,
    margin_left: Option<Offset>,
    margin_top: Option<Offset>,
    indented: Option<bool>,
    scaled: Option<bool>,
    moved: Option<bool>,
    clipped: Option<bool>,
    clip_path: Option<bool>,
}

impl Style {
    /// Adds a style that takes precedence.
    pub fn merge(&mut self, over: &Self) {
        macro_rules! merge {
            ($($field:ident)*) => {
                $(self.$field = over.$field.or(self.$field);)*
            };
        }
        // A colour alone replaces an image.
        if over.background.is_some() {
            self.has_image = None;
        }
        merge!(no_display font color background has_image is_text_shape invisible transparent);
        merge!(filtered no_content no_width no_max_width no_height no_max_height cut_x cut_y);
        merge!(position left top right bottom margin_left margin_top indented scaled moved);
        merge!(clipped clip_path spaces);
    }

    /// How the style hides an element, apart from its font and its colours.
    pub fn hides(&self) -> Option<Method> {
        let is = |value: Option<bool>| value == Some(true);
        let sides = [self.left, self.top, self.right, self.bottom];
        let margins = [self.margin_left, self.margin_top];
        let far = |offset: &Option<Offset>| *offset >= Some(Offset::Far);
        let very_far = |offset: &Option<Offset>| *offset == Some(Offset::VeryFar);
        let is_absolute = self.position == Some(Position::Absolute);
        let is_cut = is(self.cut_x) || is(self.cut_y);
        if is(self.no_display) {
            Some(Method::Display)
        } else if is(self.no_content) {
            Some(Method::Content)
        } else if is(self.invisible) {
            Some(Method::Visibility)
        } else if is(self.transparent) || is(self.filtered) {
            Some(Method::Transparent)
        } else if is(self.indented)
            || is(self.moved)
            || ((is_absolute || is_cut) && sides.iter().chain(&margins).any(far))
            || (self.position == Some(Position::Relative) && sides.iter().any(very_far))
        {
            Some(Method::OffScreen)
        } else if is(self.clip_path) || (is(self.clipped) && is_absolute) {
            Some(Method::Clipped)
        } else if is(self.scaled)
            || (is_cut
                && [
                    self.no_width,
                    self.no_max_width,
                    self.no_height,
                    self.no_max_height,
                ]
                .contains(&Some(true)))
        {
            Some(Method::Size)
        } else {
            None
        }
    }

    /// Whether nothing but a property that a click usually changes hides an element: its display, its
    /// visibility or its height. `has_attribute` is whether it has the attribute `hidden`. The element
    /// may be transparent as well, so that it appears slowly.
    pub fn is_closed(&self, has_attribute: bool) -> bool {
        let closed = [
            self.no_display,
            self.no_content,
            self.invisible,
            self.no_height,
            self.no_max_height,
        ];
        let opened = Self {
            no_display: None,
            no_content: None,
            invisible: None,
            no_height: None,
            no_max_height: None,
            transparent: None,
            ..*self
        };
        (has_attribute || closed.contains(&Some(true))) && opened.hides().is_none()
    }

    /// The colours of the style.
    pub fn colors(&self) -> Self {
        Self {
            color: self.color,
            background: self.background,
            has_image: self.has_image,
            is_text_shape: self.is_text_shape,
            ..Self::default()
        }
    }

    /// The properties that show an element that other styles hide.
    pub fn showing(&self) -> Self {
        let shows = |value: Option<bool>| value.filter(|hides| !hides);
        Self {
            no_display: shows(self.no_display),
            invisible: shows(self.invisible),
            transparent: shows(self.transparent),
            ..Self::default()
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        let offset = length(value).map(|offset| {
            if offset <= -limits::MOVED_PIXELS {
                Offset::VeryFar
            } else if offset <= -400.0 {
                Offset::Far
            } else {
                Offset::Near
            }
        });
        let offset = offset.or(Some(Offset::Near));
        let is_empty = Some(length(value).is_some_and(|size| size.abs() <= 1.0));
        let is_cut = Some(matches!(value, "hidden" | "clip"));
        match name {
            "display" => self.no_display = Some(value == "none"),
            "white-space" => {
                self.spaces = Some(match value {
                    "pre" => Spaces::Kept,
                    "pre-wrap" | "break-spaces" => Spaces::KeptAndWrapped,
                    _ => Spaces::Joined,
                });
            }
            "visibility" => self.invisible = Some(matches!(value, "hidden" | "collapse")),
            "content-visibility" => self.no_content = Some(value == "hidden"),
            "opacity" => {
                self.transparent = Some(number(value).is_some_and(|opacity| opacity <= 0.05));
            }
            "filter" => {
                let opacity = function(value, "opacity").and_then(|value| number(value.trim()));
                self.filtered = Some(opacity.is_some_and(|opacity| opacity <= 0.05));
            }
            "font-size" => self.font = Some(font(value)),
            "font" => {
                let size = value
                    .split([' ', '/'])
                    .find(|part| length(part).is_some() && !is_weight(part));
                self.font = size.map(font).or(self.font);
            }
            "width" => self.no_width = is_empty,
            "max-width" => self.no_max_width = is_empty,
            "height" => self.no_height = is_empty,
            "max-height" => self.no_max_height = is_empty,
            "overflow" => {
                self.cut_x = is_cut;
                self.cut_y = is_cut;
            }
            "overflow-x" => self.cut_x = is_cut,
            "overflow-y" => self.cut_y = is_cut,
            "position" => {
                self.position = Some(match value {
                    "absolute" | "fixed" => Position::Absolute,
                    "relative" => Position::Relative,
                    _ => Position::Static,
                });
            }
            "left" | "inset" => self.left = offset,
            "top" => self.top = offset,
            "right" => self.right = offset,
            "bottom" => self.bottom = offset,
            "margin-left" => self.margin_left = offset,
            "margin-top" => self.margin_top = offset,
            "text-indent" => self.indented = Some(offset >= Some(Offset::Far)),
            "transform" => {
                self.scaled = Some(is_scaled_to_nothing(value));
                self.moved = Some(is_moved_away(value));
            }
            "clip" => self.clipped = Some(is_empty_rectangle(value)),
            "clip-path" => self.clip_path = Some(is_empty_path(value)),
            "color" | "-webkit-text-fill-color" => match color(value) {
                Color::Opaque(rgb) => self.color = Some(Paint::Opaque(rgb)),
                Color::Transparent => self.color = Some(Paint::Transparent),
                Color::Unknown => {}
            },
            "background-color" | "background" => match color(value) {
                Color::Opaque(rgb) => {
                    self.background = Some(rgb);
                    self.has_image = None;
                }
                Color::Transparent => {}
                Color::Unknown if matches!(value, "none" | "inherit" | "initial" | "unset") => {}
                Color::Unknown => self.has_image = Some(true),
            },
            "background-image" if value != "none" => self.has_image = Some(true),
            "background-clip" | "-webkit-background-clip" => {
                self.is_text_shape = Some(value == "text");
            }
            _ => {}
        }
    }
}

/// The declarations of a rule or of an attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Those that are not important.
    pub normal: Style,
    /// Those with `!important`.
    pub important: Style,
}

impl Declared {
    /// Adds declarations that take precedence.
    pub fn merge(&mut self, over: &Self) {
        self.normal.merge(&over.normal);
        self.important.merge(&over.important);
    }

    /// The values that apply.
    pub fn style(&self) -> Style {
        let mut style = self.normal;
        style.merge(&self.important);
        style
    }
}

/// How text is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The attribute `hidden`.
    Attribute,
    /// `display: none`.
    Display,
    /// `content-visibility: hidden`.
    Content,
    /// `visibility: hidden`.
    Visibility,
    /// `opacity: 0`.
    Transparent,
    /// A transparent colour.
    TransparentColor,
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
            Self::Content => "content-visibility:hidden",
            Self::Visibility => "visibility:hidden",
            Self::Transparent => "transparent",
            Self::TransparentColor => "transparent colour",
            Self::Size => "no size",
            Self::OffScreen => "off screen",
            Self::Clipped => "clipped",
            Self::SameColor => "colour of the background",
            Self::Dialog => "closed dialog",
        }
    }

    /// Whether scripts often end it when the page is complete.
    pub fn is_often_temporary(self) -> bool {
        matches!(
            self,
            Self::Attribute | Self::Display | Self::Visibility | Self::Transparent
        )
    }
}

/// Parses declarations: `display: none; color: #fff`.
pub fn declarations(text: &str) -> Declared {
    let mut declared = Declared::default();
    for declaration in text.split(';').take(limits::DECLARATIONS) {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        let value = value.trim().to_ascii_lowercase();
        let (value, style) = match value.rsplit_once('!') {
            Some((value, word)) if word.trim() == "important" => {
                (value.trim_end(), &mut declared.important)
            }
            _ => (value.as_str(), &mut declared.normal),
        };
        style.set(&name.trim().to_ascii_lowercase(), value);
    }
    declared
}

/// The size that a value of `font-size` means.
fn font(value: &str) -> Font {
    if let Some(percent) = value.strip_suffix('%') {
        return match percent.trim().parse::<f32>() {
            Ok(percent) if percent <= 5.0 => Font::Tiny,
            _ => Font::Relative,
        };
    }
    let is_relative = (value.ends_with("em") && !value.ends_with("rem"))
        || matches!(value, "inherit" | "unset" | "smaller" | "larger");
    match length(value) {
        Some(size) if size <= 1.5 => Font::Tiny,
        _ if is_relative => Font::Relative,
        _ => Font::Readable,
    }
}

/// Whether a part of `font` is a weight, such as `700`.
fn is_weight(part: &str) -> bool {
    part.len() == 3 && part.ends_with("00")
}

#[cfg(test)]
mod tests;
