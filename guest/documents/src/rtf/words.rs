//! Control words: destinations, characters and formats.

use super::characters::Characters;
use super::field::Field;
use super::reader::Reader;
use super::sizes;
use super::state::{Destination, End, Script};
use super::story::StoryKind;
use crate::limits;
use crate::model::{Inline, Style};
use std::rc::Rc;

impl Reader {
    /// Reads a control word that says what the group is. Returns whether it does.
    pub fn destination(
        &mut self,
        name: &str,
        value: Option<i32>,
        position: usize,
        is_first: bool,
    ) -> bool {
        let current = self.state.destination;
        if is_first && matches!(current, Destination::Body | Destination::Math) && name.len() > 1 {
            let outer = current;
            if self.math.start(name) {
                self.state.destination = Destination::Math;
                self.state.end = End::Math;
                return true;
            }
            if outer == Destination::Math && name == "mmathPict" {
                self.state.destination = Destination::Skip;
                return true;
            }
        }
        let destination = match name {
            "fonttbl" => Destination::Fonts,
            "stylesheet" => Destination::Styles,
            "cs" if current == Destination::Styles => {
                self.styles.word(name, value.unwrap_or_default());
                return true;
            }
            "ts" | "ds" if current == Destination::Styles => Destination::Skip,
            "listtable" => Destination::Lists,
            "listoverridetable" => Destination::Overrides,
            "list" | "listlevel" if current == Destination::Lists => {
                self.lists.word(name, 0);
                return true;
            }
            "leveltext" if current == Destination::Lists => {
                self.lists.word(name, 0);
                Destination::LevelText
            }
            "info" => Destination::Info,
            _ if current == Destination::Info => match self.info.destination(name) {
                Some(destination) => destination,
                None => Destination::Skip,
            },
            "pict" => {
                self.state.end = End::Picture(position);
                self.has_picture = false;
                Destination::Picture
            }
            "picprop" if current == Destination::Picture => Destination::Silent,
            "field" => {
                // The text of deeper fields is shown.
                if self.fields.len() < limits::FIELDS {
                    self.fields.push(Field::default());
                    self.state.end = End::Field;
                }
                return true;
            }
            "fldinst" => Destination::Instruction,
            "fldrslt" => {
                self.read_field();
                return true;
            }
            "formfield" => Destination::FormField,
            "ffl" => {
                if let Some(field) = self.fields.last_mut() {
                    field.start_entry();
                }
                Destination::FormEntry
            }
            "footnote" => {
                if !std::mem::take(&mut self.has_mark) {
                    self.story().drop_mark();
                }
                self.start_story(StoryKind::Footnote);
                return true;
            }
            "annotation" => {
                let author = std::mem::take(&mut self.author);
                self.start_story(StoryKind::Comment(author));
                return true;
            }
            "atnauthor" => {
                self.author.clear();
                Destination::Author
            }
            "header" | "headerl" | "headerr" | "headerf" => {
                self.start_story(StoryKind::Header);
                self.story().is_first_page = name == "headerf";
                return true;
            }
            "footer" | "footerl" | "footerr" | "footerf" => {
                self.start_story(StoryKind::Footer);
                self.story().is_first_page = name == "footerf";
                return true;
            }
            "shptxt" | "dptxbxtext" => {
                self.start_story(StoryKind::TextBox);
                return true;
            }
            "shpinst" | "do" | "shpgrp" => Destination::Silent,
            "sn" => {
                self.start_property();
                Destination::ShapeName
            }
            "sv" => {
                self.start_value();
                self.state.end = End::ShapeValue;
                Destination::ShapeValue
            }
            "listtext" | "pntext" => {
                self.story().marker = Some(String::new());
                Destination::Marker
            }
            "pn" => {
                self.old_list.start();
                self.state.end = End::OldFormat;
                Destination::OldFormat
            }
            "pntxtb" => Destination::OldBefore,
            "pntxta" => Destination::OldAfter,
            "nesttableprops" => {
                self.state.nested_row = true;
                return true;
            }
            "upr" => Destination::Alternatives,
            "ud" => self.around_alternatives(),
            "shppict" | "sp" | "result" | "mmath" => return true,
            "objdata" => {
                self.report.embedded.add();
                Destination::Skip
            }
            _ if is_skipped(name) => Destination::Skip,
            _ => return false,
        };
        self.state.destination = destination;
        true
    }

    /// Returns the destination around a text in two forms.
    fn around_alternatives(&self) -> Destination {
        let mut groups = self.groups().rev().map(|group| group.destination);
        let around = groups.find(|it| !matches!(it, Destination::Alternatives));
        around.unwrap_or(Destination::Body)
    }

    /// Reads a control word for a character.
    pub fn character(&mut self, name: &str) -> bool {
        let char = match name {
            "tab" => '\t',
            "emdash" => '—',
            "endash" => '–',
            "lquote" => '‘',
            "rquote" => '’',
            "ldblquote" => '“',
            "rdblquote" => '”',
            "bullet" => '•',
            "emspace" | "enspace" | "qmspace" => ' ',
            _ => return false,
        };
        self.char(char);
        true
    }

    /// Reads a control word for the format of text.
    pub fn format(&mut self, name: &str, value: Option<i32>) -> bool {
        let on = value != Some(0);
        match name {
            "ltrch" | "loch" | "hich" => self.state.script = Script::Latin,
            "rtlch" => self.state.script = Script::Complex,
            "dbch" => self.state.script = Script::FarEast,
            "ab" => self.set_associated(Style::BOLD, on),
            "ai" => self.set_associated(Style::ITALIC, on),
            "b" => self.set(Style::BOLD, on),
            "i" => self.set(Style::ITALIC, on),
            "strike" | "striked" => self.set(Style::STRIKE, on),
            "super" => {
                self.set(Style::SUB, false);
                self.set(Style::SUP, on);
            }
            "sub" => {
                self.set(Style::SUP, false);
                self.set(Style::SUB, on);
            }
            "nosupersub" => self.set(Style::SUP.with(Style::SUB), false),
            "v" => self.state.hidden = on,
            "deleted" => self.state.deleted = on,
            "revised" => self.report.changes |= on,
            "cs" => self.state.character_style = value.unwrap_or_default(),
            "f" => self.set_font(value.unwrap_or_default()),
            "fs" => self.state.size = u16::try_from(value.unwrap_or(24)).unwrap_or(sizes::DEFAULT),
            "plain" => self.plain(),
            "deff" => {
                self.default_font = value.unwrap_or_default();
                self.state.font = self.default_font;
            }
            "ansicpg" => self.set_code(Characters::numbered(value.unwrap_or_default())),
            "ansi" => self.set_code(Characters::numbered(1252)),
            "mac" => self.set_code(Characters::numbered(10000)),
            "pc" => self.set_code(Characters::numbered(437)),
            "pca" => self.set_code(Characters::numbered(850)),
            _ => return false,
        }
        true
    }

    fn set(&mut self, style: Style, on: bool) {
        self.state.style = changed(self.state.style, style, on);
        // Some programs write the same words for all scripts.
        if self.state.script == Script::Complex {
            self.state.complex = changed(self.state.complex, style, on);
        }
    }

    /// Sets the format of the current script other than Latin. The words before `\ltrch` are for the
    /// scripts that the text does not have.
    fn set_associated(&mut self, style: Style, on: bool) {
        match self.state.script {
            Script::FarEast => self.state.far_east = changed(self.state.far_east, style, on),
            Script::Complex | Script::Latin => {
                self.state.complex = changed(self.state.complex, style, on);
            }
        }
    }

    /// Sets the code page of the document.
    fn set_code(&mut self, code: Option<Characters>) {
        if let Some(code) = code {
            self.code = code;
            self.state.code = code;
        }
    }

    fn set_font(&mut self, number: i32) {
        self.state.font = number;
        let own = self.fonts.get(number).and_then(|font| font.code);
        self.state.code = own.unwrap_or(self.code);
    }

    /// Resets the format of text.
    pub fn plain(&mut self) {
        self.state.style = Style::default();
        self.state.complex = Style::default();
        self.state.far_east = Style::default();
        self.state.script = Script::Latin;
        self.state.hidden = false;
        self.state.deleted = false;
        self.state.character_style = -1;
        self.state.size = sizes::DEFAULT;
        self.set_font(self.default_font);
    }

    /// Reads a control word for a paragraph.
    pub fn paragraph(&mut self, name: &str, value: Option<i32>) -> bool {
        let number = value.unwrap_or_default();
        let paragraph = &mut self.state.paragraph;
        match name {
            "par" | "sect" => self.end_paragraph(),
            "line" | "lbr" => self.push(Inline::Break),
            "pard" => *paragraph = super::state::Paragraph::default(),
            "s" => paragraph.style = number,
            "outlinelevel" => paragraph.outline = u8::try_from(number).ok(),
            "ls" => paragraph.list = number,
            "ilvl" => paragraph.level = u8::try_from(number).unwrap_or_default(),
            "li" => paragraph.left = number,
            "fi" => paragraph.first = number,
            "intbl" => paragraph.in_table = value != Some(0),
            "itap" => paragraph.tables = u16::try_from(number).unwrap_or_default(),
            "dropcapli" => paragraph.initial = number > 1,
            "chftn" => self.has_mark = true,
            "ftnalt" => {
                let story = self.story();
                if story.kind == StoryKind::Footnote {
                    story.kind = StoryKind::Endnote;
                }
            }
            "chpgn" | "sectnum" => {
                let story = self.story();
                story.page_numbers = story.page_numbers.saturating_add(1);
            }
            _ => return false,
        }
        true
    }

    /// Reads a control word for a table.
    pub fn table(&mut self, name: &str, number: i32) -> bool {
        let level = match (self.state.nested_row, self.state.paragraph.tables) {
            (true, tables) => usize::from(tables.max(2)).min(limits::DEPTH),
            (false, _) => 1,
        };
        match name {
            "cell" => {
                self.end_cell(1);
                return true;
            }
            "nestcell" => {
                let tables = usize::from(self.state.paragraph.tables.max(2));
                self.end_cell(tables.min(limits::DEPTH));
                return true;
            }
            "row" => {
                self.end_row(1);
                return true;
            }
            "nestrow" => {
                self.end_row(level.max(2));
                return true;
            }
            "trowd" => {
                let is_nested = self.state.nested_row;
                let story = self.story();
                *story.row_format(level) = Rc::default();
                story.in_row |= !is_nested;
                return true;
            }
            _ => {}
        }
        super::table::word(self.story().row_format(level), name, number)
    }
}

/// Returns a format with or without properties.
fn changed(format: Style, properties: Style, on: bool) -> Style {
    if on {
        format.with(properties)
    } else {
        format.without(properties)
    }
}

/// Returns whether a group contains no text of the document. Groups that start with `\*` and are not
/// known are skipped as well.
fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "colortbl"
            | "filetbl"
            | "revtbl"
            | "rsidtbl"
            | "nonshppict"
            | "shprslt"
            | "nonesttables"
            | "xe"
            | "rxe"
            | "tc"
            | "tcn"
            | "bkmkstart"
            | "bkmkend"
            | "datafield"
            | "fontemb"
            | "fontfile"
            | "panose"
            | "falt"
            | "private"
            | "private1"
            | "template"
            | "userprops"
            | "xmlnstbl"
            | "latentstyles"
            | "listname"
            | "levelnumbers"
            | "listpicture"
            | "ftnsep"
            | "ftnsepc"
            | "ftncn"
            | "aftnsep"
            | "aftnsepc"
            | "aftncn"
            | "atnid"
            | "atnref"
            | "atndate"
            | "atntime"
            | "atnparent"
            | "atnicn"
            | "objname"
            | "objclass"
            | "objalias"
            | "objsect"
            | "objtime"
            | "pnseclvl"
            | "ffname"
            | "ffdeftext"
            | "ffformat"
            | "ffhelptext"
            | "ffstattext"
            | "ffentrymcr"
            | "ffexitmcr"
            | "bliptag"
            | "blipuid"
            | "htmltag"
            | "mhtmltag"
            | "background"
            | "keycode"
            | "comment"
    )
}
