//! Tags in tables (13.2.6.4.9 to 13.2.6.4.15).

use super::body::is_hidden;
use super::open::Scope;
use super::{Builder, Mode, Start, Token};
use crate::dom::Tag;

impl Builder {
    /// Inserts a part of a table into the innermost element for which `is_outer` is true, and
    /// continues in the mode of the part.
    fn insert_part(&mut self, token: &Token, is_outer: impl Fn(Tag) -> bool, mode: Mode) -> Start {
        self.pop_while(|tag| matches!(tag, tags!(Template Html)) || is_outer(tag));
        if matches!(mode, Mode::InCaption | Mode::InCell) {
            self.mark_formatting();
        }
        self.insert(token);
        self.mode = mode;
        Start::Open
    }

    /// Closes the part of the table of the current mode. Returns whether there is one.
    fn end_part(&mut self) -> bool {
        let (found, outer) = match self.mode {
            Mode::InCaption => (self.in_table(Tag::Caption), Mode::InTable),
            Mode::InRow => (self.in_table(Tag::Tr), Mode::InTableBody),
            Mode::InCell => {
                let is_cell = |tag| matches!(tag, tags!(Td Th));
                (self.find(is_cell, Scope::Table), Mode::InRow)
            }
            _ => (self.find(is_table_body, Scope::Table), Mode::InTable),
        };
        let Some(at) = found else {
            return false;
        };
        self.pop_to(at);
        if matches!(self.mode, Mode::InCaption | Mode::InCell) {
            self.clear_formatting();
        }
        self.mode = outer;
        true
    }

    /// Handles a tag in a caption, a group of rows, a row or a cell.
    pub(super) fn start_in_part(&mut self, mode: Mode, token: &Token) -> Start {
        match (mode, token.tag) {
            (Mode::InTableBody, Tag::Tr) => self.insert_part(token, is_table_body, Mode::InRow),
            (Mode::InTableBody, tags!(Td Th)) => {
                self.insert_part(&Token::implied(Tag::Tr), is_table_body, Mode::InRow);
                self.again(token)
            }
            (Mode::InRow, tags!(Td Th)) => {
                self.insert_part(token, |tag| tag == Tag::Tr, Mode::InCell)
            }
            (_, tags!(Caption Col Colgroup Tbody Td Tfoot Th Thead Tr)) => {
                if self.end_part() {
                    self.again(token)
                } else {
                    Start::Closed
                }
            }
            (Mode::InCaption | Mode::InCell, _) => self.start_in_body(token),
            _ => self.start_in_table(token),
        }
    }

    pub(super) fn end_in_part(&mut self, mode: Mode, tag: Tag, key: u32) {
        match (mode, tag) {
            (Mode::InCaption, Tag::Caption)
            | (Mode::InTableBody, tags!(Tbody Tfoot Thead))
            | (Mode::InRow, Tag::Tr)
            | (Mode::InCell, tags!(Td Th)) => {
                if self.in_table(tag).is_some() {
                    self.end_part();
                }
            }
            (_, Tag::Table)
            | (Mode::InRow, tags!(Tbody Tfoot Thead))
            | (Mode::InCell, tags!(Tbody Tfoot Thead Tr)) => {
                // The parts of tables in a template may have no table.
                let is_table_of_part = mode != Mode::InCell && tag == Tag::Table;
                if (is_table_of_part || self.in_table(tag).is_some()) && self.end_part() {
                    self.end_again(tag, key);
                }
            }
            (_, tags!(Body Caption Col Colgroup Html Tbody Td Tfoot Th Thead Tr)) => {}
            (Mode::InCaption | Mode::InCell, _) => self.end_in_body(tag, key),
            _ => self.end_in_table(tag, key),
        }
    }

    pub(super) fn start_in_table(&mut self, token: &Token) -> Start {
        let is_table = |tag| tag == Tag::Table;
        match token.tag {
            Tag::Caption => self.insert_part(token, is_table, Mode::InCaption),
            Tag::Colgroup => self.insert_part(token, is_table, Mode::InColumnGroup),
            Tag::Col => {
                let group = Token::implied(Tag::Colgroup);
                self.insert_part(&group, is_table, Mode::InColumnGroup);
                self.again(token)
            }
            tags!(Tbody Tfoot Thead) => self.insert_part(token, is_table, Mode::InTableBody),
            tags!(Td Th Tr) => {
                let body = Token::implied(Tag::Tbody);
                self.insert_part(&body, is_table, Mode::InTableBody);
                self.again(token)
            }
            Tag::Table => {
                if self.end_innermost_table() {
                    self.again(token)
                } else {
                    Start::Closed
                }
            }
            tags!(Style Script Template) => self.start_in_head(token),
            Tag::Input if is_hidden(token) => self.insert_empty(token),
            Tag::Form => {
                if self.templates.is_empty() && self.form.is_none() {
                    self.form = self.insert_node(token);
                }
                Start::Closed
            }
            _ => {
                self.foster = true;
                let start = self.start_in_body(token);
                self.foster = false;
                start
            }
        }
    }

    /// Closes the innermost table. Returns whether there is one.
    fn end_innermost_table(&mut self) -> bool {
        let Some(at) = self.in_table(Tag::Table) else {
            return false;
        };
        self.pop_to(at);
        self.reset_mode();
        true
    }

    pub(super) fn end_in_table(&mut self, tag: Tag, key: u32) {
        match tag {
            Tag::Table => {
                self.end_innermost_table();
            }
            tags!(Body Caption Col Colgroup Html Tbody Td Tfoot Th Thead Tr) => {}
            _ => {
                self.foster = true;
                self.end_in_body(tag, key);
                self.foster = false;
            }
        }
    }

    /// Closes the group of columns. Returns whether there is one.
    pub(super) fn end_column_group(&mut self) -> bool {
        let is_open = self.current() == Tag::Colgroup;
        if is_open {
            self.pop();
            self.mode = Mode::InTable;
        }
        is_open
    }

    pub(super) fn start_in_column_group(&mut self, token: &Token) -> Start {
        match token.tag {
            Tag::Html => self.start_in_body(token),
            Tag::Col => self.insert_empty(token),
            Tag::Template => self.start_in_head(token),
            _ if self.end_column_group() => self.again(token),
            _ => Start::Closed,
        }
    }

    pub(super) fn end_in_column_group(&mut self, tag: Tag, key: u32) {
        match tag {
            Tag::Template => self.end_in_body(tag, key),
            Tag::Col => {}
            _ => {
                if self.end_column_group() && tag != Tag::Colgroup {
                    self.end_again(tag, key);
                }
            }
        }
    }
}

fn is_table_body(tag: Tag) -> bool {
    matches!(tag, tags!(Tbody Tfoot Thead))
}
