//! The state of a conversion: groups, and the text that goes to their destinations.

use super::characters::{Characters, DEFAULT};
use super::field::Field;
use super::info::Info;
use super::math::Math;
use super::old_list::OldNumber;
use super::picture::Pictures;
use super::state::{Destination, End, State};
use super::story::{Story, StoryKind};
use super::tables::{Fonts, Lists, Styles};
use super::tokens::{Token, Tokens};
use crate::limits;
use crate::model::Block;
use crate::report::Report;
use crate::word::fields::Kind;
use crate::word::notes::NoteKind;
use std::collections::BTreeMap;

/// The state of a conversion.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact about the last token or piece"
)]
pub struct Reader {
    /// The properties of the current group.
    pub state: State,
    /// Those of the groups around it.
    groups: Vec<State>,
    /// The number of open groups above the limit on their depth.
    unsaved: usize,
    /// Whether the next token is the first one of its group.
    pub is_first: bool,
    /// Whether the group may be ignored: it starts with `\*`.
    is_optional: bool,
    /// Bytes of text that are not decoded yet.
    pub bytes: Vec<u8>,
    /// The number of characters that repeat the last `\u` and are to be skipped.
    pub skip: u16,
    /// The first half of a character beyond the basic plane.
    pub surrogate: Option<u16>,
    /// The code page of the document.
    pub code: Characters,
    /// The number of the default font.
    pub default_font: i32,
    /// The fonts.
    pub fonts: Fonts,
    /// The styles.
    pub styles: Styles,
    /// The lists.
    pub lists: Lists,
    /// The facts.
    pub info: Info,
    /// The images.
    pub pictures: Pictures,
    /// The text of the document.
    pub main: Story,
    /// The open texts inside of it, from the outermost.
    pub stories: Vec<Story>,
    /// The open fields.
    pub fields: Vec<Field>,
    /// The formula that is being read.
    pub math: Math,
    /// The list item of Word 6 that is being read.
    pub old_list: OldNumber,
    /// The name of the author of the next comment.
    pub author: String,
    /// The name of the property of a shape.
    pub property: String,
    /// The alternative text of the next image.
    pub alternative: String,
    /// Whether the mark of the next footnote is a number that programs count.
    pub has_mark: bool,
    /// Whether the current image has data.
    pub has_picture: bool,
    /// Finished headers.
    pub headers: Vec<String>,
    /// Finished footers.
    pub footers: Vec<String>,
    /// Finished footnotes, endnotes and comments.
    pub notes: BTreeMap<NoteKind, Vec<Block>>,
    /// Whether text in a font of one width is code. Not in documents that are typed in one.
    pub fixed_is_code: bool,
    /// The bytes of text in fonts of one width, and those of all.
    pub fixed: (usize, usize),
    /// Facts about what is left out.
    pub report: Report,
    /// The number of pieces so far.
    pub pieces: usize,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            state: State::default(),
            groups: Vec::new(),
            unsaved: 0,
            is_first: false,
            is_optional: false,
            bytes: Vec::new(),
            skip: 0,
            surrogate: None,
            code: DEFAULT,
            default_font: -1,
            fonts: Fonts::default(),
            styles: Styles::default(),
            lists: Lists::default(),
            info: Info::default(),
            pictures: Pictures::default(),
            main: Story::new(StoryKind::Main),
            stories: Vec::new(),
            fields: Vec::new(),
            math: Math::default(),
            old_list: OldNumber::default(),
            author: String::new(),
            property: String::new(),
            alternative: String::new(),
            has_mark: false,
            has_picture: false,
            headers: Vec::new(),
            footers: Vec::new(),
            notes: BTreeMap::new(),
            fixed_is_code: true,
            fixed: (0, 0),
            report: Report::default(),
            pieces: 0,
        }
    }
}

impl Reader {
    /// Reads a whole document.
    pub fn read(&mut self, document: &[u8]) {
        let mut tokens = Tokens::new(document);
        let mut is_long = false;
        // Paragraphs after the end of the document are damage, or the next document.
        let last = document.windows(4).rposition(|four| four == b"\\par");
        while let Some(token) = tokens.next() {
            if self.pieces > limits::RTF_PIECES {
                is_long = true;
                self.report.notes.push(format!(
                    "The document has more than {} pieces of text. The rest is left out.",
                    limits::RTF_PIECES
                ));
                break;
            }
            match token {
                Token::Open => {
                    self.flush();
                    self.open();
                }
                Token::Close => {
                    self.flush();
                    self.close(tokens.position());
                    if self.groups.is_empty() && last.is_none_or(|at| at < tokens.position()) {
                        break;
                    }
                }
                Token::Word(name, value) => {
                    self.flush();
                    self.word(name, value, tokens.position());
                }
                Token::Symbol(symbol) => {
                    self.flush();
                    self.symbol(symbol);
                }
                Token::Hex(byte) => self.hex(byte),
                Token::Text(text) => self.raw_text(text),
                Token::Binary(bytes) => {
                    self.is_first = false;
                    self.has_picture |= !bytes.is_empty();
                }
            }
            if self.state.destination == Destination::Skip {
                tokens.skip_group();
            }
        }
        self.flush();
        if !self.groups.is_empty() && !is_long {
            let note = "The document ends early. Its end may be missing.";
            self.report.notes.push(note.to_owned());
        }
        while !self.groups.is_empty() {
            self.close(document.len());
        }
    }

    fn open(&mut self) {
        self.skip = 0;
        if self.groups.len() >= limits::RTF_GROUPS {
            self.unsaved = self.unsaved.saturating_add(1);
            self.report.flattened = true;
            return;
        }
        self.groups.push(self.state);
        self.state.end = End::None;
        self.is_first = true;
        self.is_optional = false;
        if self.state.destination == Destination::Styles {
            self.styles.start();
            self.state.end = End::Style;
        }
    }

    fn close(&mut self, position: usize) {
        self.skip = 0;
        self.is_first = false;
        if let Some(rest) = self.unsaved.checked_sub(1) {
            self.unsaved = rest;
            return;
        }
        match self.state.end {
            End::None | End::OldFormat => {}
            End::Field => self.end_field(),
            End::Picture(start) => self.end_picture(start, position.saturating_sub(1)),
            End::Story => self.end_story(),
            End::Style => self.styles.end(),
            End::ShapeValue => {
                if self.property.trim() != "wzDescription" {
                    self.alternative.clear();
                }
            }
            End::Math => self.end_math(),
        }
        let Some(outer) = self.groups.pop() else {
            return;
        };
        let inner = std::mem::replace(&mut self.state, outer);
        if inner.end == End::OldFormat {
            self.state.paragraph.old_list = inner.paragraph.old_list;
            self.state.paragraph.level = inner.paragraph.level;
        }
    }

    /// Reads a control symbol.
    fn symbol(&mut self, symbol: u8) {
        if symbol == b'*' {
            self.is_optional = self.is_first;
            return;
        }
        self.is_first = false;
        if self.skip > 0 {
            self.skip = self.skip.saturating_sub(1);
            return;
        }
        match symbol {
            b'{' | b'}' | b'\\' => self.char(char::from(symbol)),
            b'~' => self.char('\u{a0}'),
            b'_' => self.char('-'),
            b'\n' | b'\r' => self.word("par", None, 0),
            b'\t' => self.char('\t'),
            _ => {}
        }
    }

    /// Reads a control word. `position` is that after it.
    fn word(&mut self, name: &str, value: Option<i32>, position: usize) {
        let is_first = std::mem::take(&mut self.is_first);
        let is_optional = std::mem::take(&mut self.is_optional);
        self.skip = 0;
        if self.state.destination == Destination::Skip {
            return;
        }
        let number = value.unwrap_or_default();
        if name == "u" {
            self.unicode(number);
            return;
        }
        if name == "uc" {
            self.state.skip = u16::try_from(number).unwrap_or(1);
            return;
        }
        if self.state.destination == Destination::Alternatives && name != "ud" {
            self.state.destination = Destination::Skip;
            return;
        }
        if self.destination(name, value, position, is_first) {
            return;
        }
        if is_optional {
            self.state.destination = Destination::Skip;
            return;
        }
        match self.state.destination {
            Destination::Fonts => self.fonts.word(name, number),
            Destination::Styles => self.styles.word(name, number),
            Destination::Lists | Destination::LevelText => self.lists.word(name, number),
            Destination::Overrides => self.lists.override_word(name, number),
            Destination::InfoTime(place) => self.info.time(place, name, number),
            Destination::Math => {
                self.math.word(name, value.unwrap_or(1));
                self.character(name);
                self.format(name, value);
            }
            Destination::FormField => {
                if let Some(field) = self.fields.last_mut() {
                    match name {
                        "fftype" => field.form = number,
                        "ffres" => field.value = number,
                        "ffdefres" => field.default = number,
                        _ => {}
                    }
                }
            }
            Destination::OldFormat => self.old_list.word(name, number, &mut self.state.paragraph),
            Destination::Body => {
                let _ = self.character(name)
                    || self.format(name, value)
                    || self.paragraph(name, value)
                    || self.table(name, number);
            }
            _ => {
                let _ = self.character(name) || self.format(name, value);
            }
        }
    }

    /// Returns whether a field of a kind is open.
    pub fn in_field(&self, kind: &Kind) -> bool {
        self.fields.iter().any(|field| field.kind() == Some(kind))
    }

    /// Lists the groups around the current one, from the outermost.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = &State> {
        self.groups.iter()
    }

    /// Returns the current text.
    pub fn story(&mut self) -> &mut Story {
        self.stories.last_mut().unwrap_or(&mut self.main)
    }
}
