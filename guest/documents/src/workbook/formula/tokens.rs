//! Tokens → an expression.

use super::array;
use super::expression::{Expression, Id, Node};
use super::reference::{Corner, area};
use super::strings::{characters, quote};
use super::{Links, Version, functions};
use crate::codepage::utf16;
use crate::limits;
use crate::workbook::Value;
use crate::workbook::binary::{Fields, error};

/// Returns the text of a formula. `extra` has the values of constant arrays. `base` is the row and
/// the column, from 0, to which relative references of shared formulas refer. `None` if the tokens
/// are damaged or not supported.
pub fn text(links: &Links, tokens: &[u8], extra: &[u8], base: (u32, u32)) -> Option<String> {
    if tokens.is_empty() || tokens.len() > limits::FORMULA_TOKENS {
        return None;
    }
    let mut reader = Reader {
        links,
        tokens: Fields(tokens),
        extra: Fields(extra),
        base,
        expression: Expression::default(),
        stack: Vec::new(),
    };
    while !reader.tokens.0.is_empty() {
        reader.token()?;
    }
    let root = reader.stack.pop()?;
    reader
        .stack
        .is_empty()
        .then(|| reader.expression.text(root))
}

/// Returns the row and the column, from 0, of the cell with the shared formula or the array formula
/// of which a formula is a part. `None` if it is a formula of its own.
pub fn master(version: Version, tokens: &[u8], extra: &[u8]) -> Option<(u32, u32)> {
    let (first, rest) = tokens.split_first()?;
    if *first != 1 {
        return None;
    }
    let mut fields = Fields(rest);
    if matches!(version, Version::Biff12) {
        let row = fields.u32()?;
        return Some((row, Fields(extra).u32()?));
    }
    Some((fields.u16()?.into(), fields.u16()?.into()))
}

struct Reader<'a> {
    links: &'a Links,
    tokens: Fields<'a>,
    extra: Fields<'a>,
    base: (u32, u32),
    expression: Expression,
    stack: Vec<Id>,
}

impl Reader<'_> {
    fn push(&mut self, node: Node) {
        let id = self.expression.add(node);
        self.stack.push(id);
    }

    fn operand(&mut self, text: impl Into<String>) {
        self.push(Node::Text(text.into()));
    }

    fn binary(&mut self, sign: &'static str) -> Option<()> {
        let right = self.stack.pop()?;
        let left = self.stack.pop()?;
        self.push(Node::Binary(left, sign, right));
        Some(())
    }

    /// Reads a token. The two upper bits of tokens from 0x40 are the class of the result.
    fn token(&mut self) -> Option<()> {
        let token = self.tokens.u8()?;
        let token = if token >= 0x40 {
            token & 0x1f | 0x20
        } else {
            token
        };
        match token {
            0x03 => self.binary("+")?,
            0x04 => self.binary("-")?,
            0x05 => self.binary("*")?,
            0x06 => self.binary("/")?,
            0x07 => self.binary("^")?,
            0x08 => self.binary("&")?,
            0x09 => self.binary("<")?,
            0x0a => self.binary("<=")?,
            0x0b => self.binary("=")?,
            0x0c => self.binary(">=")?,
            0x0d => self.binary(">")?,
            0x0e => self.binary("<>")?,
            0x0f => self.binary(" ")?,
            0x10 => self.binary(",")?,
            0x11 => self.binary(":")?,
            0x12 => {
                let operand = self.stack.pop()?;
                self.push(Node::Prefix("+", operand));
            }
            0x13 => {
                let operand = self.stack.pop()?;
                self.push(Node::Prefix("-", operand));
            }
            0x14 => {
                let operand = self.stack.pop()?;
                self.push(Node::Postfix(operand, "%"));
            }
            0x15 => {
                let inside = self.stack.pop()?;
                self.push(Node::Group(inside));
            }
            0x16 => self.operand(""),
            0x17 => self.string()?,
            0x18 => self.table()?,
            0x19 => self.attribute()?,
            0x1c => {
                let code = self.tokens.u8()?;
                self.operand(error(code));
            }
            0x1d => {
                let value = self.tokens.u8()? != 0;
                self.operand(if value { "TRUE" } else { "FALSE" });
            }
            0x1e => {
                let value = self.tokens.u16()?;
                self.operand(value.to_string());
            }
            0x1f => {
                let value = self.tokens.f64()?;
                self.operand(Value::Number(value).plain());
            }
            0x20 => {
                let new = matches!(self.links.version, Version::Biff12);
                self.tokens.skip(if new { 14 } else { 7 })?;
                let text = array::text(self.links.version, &mut self.extra)?;
                self.operand(text);
            }
            0x21 => {
                let index = self.tokens.u16()?;
                let (name, count) = functions::function(index)?;
                self.call(name.to_owned(), usize::from(count?))?;
            }
            0x22 => self.variable_call()?,
            0x23 => {
                let index = self.name_index()?;
                let name = self.links.names.get(index);
                let name = name.map_or("#NAME?", String::as_str).to_owned();
                self.operand(name);
            }
            0x24 => {
                let text = self.cell(false)?;
                self.operand(text);
            }
            0x25 => {
                let text = self.range(false)?;
                self.operand(text);
            }
            0x26 => {
                self.tokens.skip(6)?;
                self.skip_areas()?;
            }
            // The tokens of the reference follow.
            0x27 | 0x28 => self.tokens.skip(6)?,
            0x29 | 0x2e | 0x2f => self.tokens.skip(2)?,
            0x2a => {
                self.cell(false)?;
                self.operand("#REF!");
            }
            0x2b => {
                self.range(false)?;
                self.operand("#REF!");
            }
            0x2c => {
                let text = self.cell(true)?;
                self.operand(text);
            }
            0x2d => {
                let text = self.range(true)?;
                self.operand(text);
            }
            0x39 => self.external_name()?,
            0x3a..=0x3d => {
                let prefix = self.sheet_prefix()?;
                let text = match token {
                    0x3a => self.cell(false)?,
                    0x3b => self.range(false)?,
                    0x3c => self.cell(false).map(|_| "#REF!".to_owned())?,
                    _ => self.range(false).map(|_| "#REF!".to_owned())?,
                };
                self.operand(prefix + &text);
            }
            _ => return None,
        }
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let text = match self.links.version {
            Version::Biff12 => {
                let units = usize::from(self.tokens.u16()?);
                utf16(self.tokens.take(units.saturating_mul(2))?)
            }
            Version::Biff8 => {
                let units = usize::from(self.tokens.u8()?);
                characters(&mut self.tokens, units)?
            }
            Version::Biff5(page) => {
                let count = usize::from(self.tokens.u8()?);
                page.decoded(self.tokens.take(count)?)
            }
        };
        let mut quoted = String::new();
        quote(&text, &mut quoted);
        self.operand(quoted);
        Some(())
    }

    /// Attributes: jumps, spaces, and the sum of one argument ([MS-XLS] 2.5.198.33 and following).
    fn attribute(&mut self) -> Option<()> {
        let flags = self.tokens.u8()?;
        let data = self.tokens.u16()?;
        if flags & 0x04 != 0 {
            let offsets = usize::from(data).saturating_add(1);
            self.tokens.skip(offsets.saturating_mul(2))?;
        } else if flags & 0x10 != 0 {
            self.call("SUM".to_owned(), 1)?;
        }
        Some(())
    }

    fn call(&mut self, name: String, count: usize) -> Option<()> {
        let first = self.stack.len().checked_sub(count)?;
        let arguments = self.stack.split_off(first);
        self.push(Node::Call(name, arguments));
        Some(())
    }

    fn variable_call(&mut self) -> Option<()> {
        let count = usize::from(self.tokens.u8()? & 0x7f);
        let index = self.tokens.u16()?;
        if index & 0x8000 != 0 {
            return self.call(format!("COMMAND.{}", index & 0x7fff), count);
        }
        if index != 255 {
            let (name, _) = functions::function(index)?;
            return self.call(name.to_owned(), count);
        }
        // A function of an add-in, a macro or a later version: its name is the first argument.
        let count = count.checked_sub(1)?;
        self.call(String::new(), count)?;
        let call = self.stack.pop()?;
        let name = self.stack.pop()?;
        let name = self.expression.take_text(name)?;
        let plain = ["_xlfn._xlws.", "_xlfn.", "_xlws.", "_xll.", "_xludf."]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix));
        let plain = plain.unwrap_or(&name).to_owned();
        self.expression.rename(call, plain);
        self.stack.push(call);
        Some(())
    }

    /// Reads the index of a name, from 0.
    fn name_index(&mut self) -> Option<usize> {
        let index = match self.links.version {
            Version::Biff5(_) => {
                let index = self.tokens.u16()?;
                self.tokens.skip(12)?;
                u32::from(index)
            }
            _ => self.tokens.u32()?,
        };
        // An index of 0, which is wrong, becomes that of no name.
        usize::try_from(index.wrapping_sub(1)).ok()
    }

    fn external_name(&mut self) -> Option<()> {
        if let Version::Biff5(_) = self.links.version {
            let link = self.tokens.u16()?;
            self.tokens.skip(8)?;
            let index = self.tokens.u16()?;
            self.tokens.skip(12)?;
            // The index is that of a link, or of the workbook itself if it is negative.
            let link = usize::from(link.wrapping_neg().min(link)).saturating_sub(1);
            let text = self.named(link, index.into());
            self.operand(text);
            return Some(());
        }
        let link = usize::from(self.tokens.u16()?);
        let index = self.tokens.u32()?;
        let text = self.named(link, index);
        self.operand(text);
        Some(())
    }

    /// Returns the text of a name of a link. Names are numbered from 1.
    fn named(&self, link: usize, index: u32) -> String {
        let at = index
            .checked_sub(1)
            .and_then(|index| usize::try_from(index).ok());
        let book = self.links.books.get(link);
        let list = book.and_then(|book| self.links.external_names.get(*book));
        let own = list.is_none_or(Vec::is_empty);
        let list = list
            .filter(|list| !list.is_empty())
            .unwrap_or(&self.links.names);
        let Some(name) = at.and_then(|at| list.get(at)) else {
            return "#NAME?".to_owned();
        };
        let prefix = self.links.prefixes.get(link).map_or("", String::as_str);
        if prefix.is_empty() || own || prefix == "#REF" {
            name.clone()
        } else {
            format!("{prefix}!{name}")
        }
    }

    /// Reads a link to sheets, and returns what is before the reference.
    fn sheet_prefix(&mut self) -> Option<String> {
        if let Version::Biff5(_) = self.links.version {
            let link = self.tokens.u16()?;
            self.tokens.skip(8)?;
            let first = usize::from(self.tokens.u16()?);
            let last = usize::from(self.tokens.u16()?);
            // A negative link is the workbook itself.
            if link < 0x8000 {
                let index = usize::from(link).saturating_sub(1);
                let prefix = self.links.prefixes.get(index);
                return Some(format!("{}!", prefix.map_or("#REF", String::as_str)));
            }
            let sheets = &self.links.sheets;
            let Some(one) = sheets.get(first) else {
                return Some("#REF!".to_owned());
            };
            let two = sheets.get(last).filter(|_| first != last);
            let prefix = super::reference::prefix("", one, two.map(String::as_str));
            return Some(format!("{prefix}!"));
        }
        let link = usize::from(self.tokens.u16()?);
        let prefix = self.links.prefixes.get(link);
        Some(match prefix.map(String::as_str) {
            Some("") => String::new(),
            Some(prefix) => format!("{prefix}!"),
            None => "#REF!".to_owned(),
        })
    }

    fn cell(&mut self, shared: bool) -> Option<String> {
        let (row, column) = match self.links.version {
            Version::Biff12 => (self.tokens.u32()?, self.tokens.u16()?),
            Version::Biff8 => (self.tokens.u16()?.into(), self.tokens.u16()?),
            Version::Biff5(_) => (self.tokens.u16()?.into(), self.tokens.u8()?.into()),
        };
        let mut out = String::new();
        self.corner(row, column, shared).write(&mut out);
        Some(out)
    }

    fn range(&mut self, shared: bool) -> Option<String> {
        let fields = &mut self.tokens;
        let (rows, columns): ((u32, u32), (u16, u16)) = match self.links.version {
            Version::Biff12 => {
                let rows = (fields.u32()?, fields.u32()?);
                (rows, (fields.u16()?, fields.u16()?))
            }
            Version::Biff8 => {
                let rows = (fields.u16()?.into(), fields.u16()?.into());
                (rows, (fields.u16()?, fields.u16()?))
            }
            Version::Biff5(_) => {
                let rows = (fields.u16()?.into(), fields.u16()?.into());
                (rows, (fields.u8()?.into(), fields.u8()?.into()))
            }
        };
        let from = self.corner(rows.0, columns.0, shared);
        let to = self.corner(rows.1, columns.1, shared);
        let (last_row, last_column) = self.last();
        let mut out = String::new();
        area(&mut out, &from, &to, last_row, last_column);
        Some(out)
    }

    /// The last row and the last column of a sheet, from 0.
    fn last(&self) -> (u32, u32) {
        match self.links.version {
            Version::Biff12 => (0xf_ffff, 0x3fff),
            Version::Biff8 => (0xffff, 0xff),
            Version::Biff5(_) => (0x3fff, 0xff),
        }
    }

    /// Returns a corner. The two upper bits of the column (of the row in BIFF5) tell which parts are
    /// relative. In shared formulas, relative parts are distances from the cell.
    fn corner(&self, row: u32, column: u16, shared: bool) -> Corner {
        let flags = match self.links.version {
            Version::Biff5(_) => row,
            _ => u32::from(column),
        };
        let (last_row, last_column) = self.last();
        let mut corner = Corner {
            row: row & last_row,
            column: u32::from(column) & last_column,
            relative_row: flags & 0x8000 != 0,
            relative_column: flags & 0x4000 != 0,
        };
        if shared {
            if corner.relative_row {
                corner.row = corner.row.wrapping_add(self.base.0) & last_row;
            }
            if corner.relative_column {
                corner.column = corner.column.wrapping_add(self.base.1) & last_column;
            }
        }
        corner
    }

    /// Leaves out the values of a reference to several areas.
    fn skip_areas(&mut self) -> Option<()> {
        let (count, size) = match self.links.version {
            Version::Biff12 => (usize::try_from(self.extra.u32()?).ok()?, 16),
            Version::Biff8 => (usize::from(self.extra.u16()?), 8),
            Version::Biff5(_) => (usize::from(self.extra.u16()?), 6),
        };
        self.extra.skip(count.checked_mul(size)?)
    }

    /// A reference to a table ([MS-XLSB] 2.5.97.58).
    fn table(&mut self) -> Option<()> {
        if self.tokens.u8()? != 0x19 {
            return None;
        }
        self.tokens.skip(2)?;
        let flags = self.tokens.u16()?;
        let table = self.links.tables.get(&self.tokens.u32()?);
        let first = usize::from(self.tokens.u16()?);
        let last = usize::from(self.tokens.u16()?);
        let Some(table) = table else {
            self.operand("#REF!");
            return Some(());
        };
        let column = |index: usize| {
            let name = table.columns.get(index).map_or("#REF!", String::as_str);
            let mut escaped = String::new();
            for char in name.chars() {
                if matches!(char, '[' | ']' | '#' | '\'' | '@') {
                    escaped.push('\'');
                }
                escaped.push(char);
            }
            escaped
        };
        let columns = match flags & 3 {
            0 => String::new(),
            1 => format!("[{}]", column(first)),
            _ => format!("[{}]:[{}]", column(first), column(last)),
        };
        let rows: &[&str] = match (flags >> 2) & 0x1f {
            0x01 => &["[#All]"],
            0x02 => &["[#Headers]"],
            0x06 => &["[#Headers]", "[#Data]"],
            0x08 => &["[#Totals]"],
            0x0c => &["[#Data]", "[#Totals]"],
            0x10 => &["[#This Row]"],
            _ => &[],
        };
        let mut parts = rows.join(",");
        if !rows.is_empty() && !columns.is_empty() {
            parts.push(',');
        }
        parts.push_str(&columns);
        let single = rows.len().saturating_add(usize::from(flags & 3)) <= 1;
        let name = &table.name;
        let text = if parts.is_empty() {
            format!("{name}[]")
        } else if single {
            format!("{name}{parts}")
        } else {
            format!("{name}[{parts}]")
        };
        self.operand(text);
        Some(())
    }
}
