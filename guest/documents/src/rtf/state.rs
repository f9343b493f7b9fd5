//! The properties that a group saves at its start and restores at its end.

use super::characters::{Characters, DEFAULT};
use super::sizes;
use crate::model::Style;

/// The properties of text, and what the group is.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Where text of the group goes.
    pub destination: Destination,
    /// What happens at the end of the group.
    pub end: End,
    /// The format.
    pub style: Style,
    /// The format of text in Arabic and Hebrew.
    pub complex: Style,
    /// The format of text in Chinese, Japanese and Korean, in addition to the general one.
    pub far_east: Style,
    /// The script of the text.
    pub script: Script,
    /// Whether the text is hidden.
    pub hidden: bool,
    /// Whether the text is a deleted one.
    pub deleted: bool,
    /// The number of the font.
    pub font: i32,
    /// The size of the font, in half points.
    pub size: u16,
    /// The code page of the font.
    pub code: Characters,
    /// The number of characters after `\u` that repeat it.
    pub skip: u16,
    /// The character style. `-1` if there is none.
    pub character_style: i32,
    /// The properties of the paragraph.
    pub paragraph: Paragraph,
    /// Whether the group describes rows of nested tables.
    pub nested_row: bool,
}

impl State {
    /// Returns the format of the text in its script.
    pub fn shown_style(&self) -> Style {
        let bold_italic = Style::BOLD.with(Style::ITALIC);
        match self.script {
            Script::Latin => self.style,
            Script::FarEast => self.style.with(self.far_east),
            Script::Complex => self.style.without(bold_italic).with(self.complex),
        }
    }
}

/// A script with formats of its own: `\ltrch`, `\rtlch` and `\dbch`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// Latin and all others.
    #[default]
    Latin,
    /// Arabic and Hebrew.
    Complex,
    /// Chinese, Japanese and Korean.
    FarEast,
}

/// The properties of a paragraph.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paragraph {
    /// The number of the style.
    pub style: i32,
    /// The outline level, from 0.
    pub outline: Option<u8>,
    /// The number of the list. `0` if there is none.
    pub list: i32,
    /// The level in the list, from 0.
    pub level: u8,
    /// The indentation on the left, in twentieths of a point.
    pub left: i32,
    /// That of the first line, from the others.
    pub first: i32,
    /// Whether it is in a cell.
    pub in_table: bool,
    /// The number of tables around it, if it is specified.
    pub tables: u16,
    /// Whether it is an initial letter of several lines.
    pub initial: bool,
    /// Whether it has a bullet or number of Word 6.
    pub old_list: OldList,
}

/// The sign of a list item of Word 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OldList {
    /// None.
    #[default]
    None,
    /// A bullet.
    Bullet,
    /// A number.
    Number,
}

/// Where the text of a group goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Into paragraphs.
    Body,
    /// Nowhere.
    Skip,
    /// Nowhere, but groups inside may have text, such as a text box in a shape.
    Silent,
    /// The table of fonts.
    Fonts,
    /// The styles.
    Styles,
    /// The definitions of lists.
    Lists,
    /// The text of a level of a list.
    LevelText,
    /// The lists.
    Overrides,
    /// The facts about the document.
    Info,
    /// A fact that is text. Contains its place.
    InfoText(usize),
    /// A fact that is a time. Contains its place.
    InfoTime(usize),
    /// An image.
    Picture,
    /// The instruction of a field.
    Instruction,
    /// A field of a form.
    FormField,
    /// An entry of a drop-down list of a form.
    FormEntry,
    /// The sign of a list item, as it is shown.
    Marker,
    /// The format of a list item of Word 6.
    OldFormat,
    /// The text before the number of a list item of Word 6.
    OldBefore,
    /// The text after the number of a list item of Word 6.
    OldAfter,
    /// The name of the author of the next comment.
    Author,
    /// The name of a property of a shape.
    ShapeName,
    /// The value of a property of a shape.
    ShapeValue,
    /// A formula.
    Math,
    /// Text in two forms, of which the one in Unicode is read.
    Alternatives,
}

/// What happens at the end of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing.
    None,
    /// A field ends.
    Field,
    /// An image ends. Contains the position of its first byte.
    Picture(usize),
    /// A text of its own ends, such as a footnote.
    Story,
    /// An entry of the styles ends.
    Style,
    /// A property of a shape ends.
    ShapeValue,
    /// An element of a formula ends.
    Math,
    /// The format of a list item of Word 6 ends. It holds for the paragraph.
    OldFormat,
}

impl Default for State {
    fn default() -> Self {
        Self {
            destination: Destination::Body,
            end: End::None,
            style: Style::default(),
            complex: Style::default(),
            far_east: Style::default(),
            script: Script::default(),
            hidden: false,
            deleted: false,
            font: -1,
            size: sizes::DEFAULT,
            code: DEFAULT,
            skip: 1,
            character_style: -1,
            paragraph: Paragraph::default(),
            nested_row: false,
        }
    }
}
