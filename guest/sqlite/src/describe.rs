//! Finds a table by its name, without a statement for the search: the rows of the schema are read from its pages.

use crate::bindings::exports::omniread::parts::sqlite::{Bounds, Described, Error, RowResult};
use crate::connection::Connection;
use crate::input::Input;
use crate::pages::{Layout, Read, Stored};
use crate::scan::record::{Missing, Record};
use crate::scan::value::Cell;
use crate::statement::{head, quoted};

/// The first page of the tree of the schema.
const SCHEMA: u32 = 1;

/// The number of columns of the schema: type, name, name of the table, first page, and definition.
const COLUMNS: usize = 5;

/// The offset of the encoding of texts in the header of a database, and the encoding UTF-8.
const ENCODING: (usize, [u8; 4]) = (56, [0, 0, 0, 1]);

/// A table in the schema.
struct Entry {
    name: String,
    sql: Option<Vec<u8>>,
}

/// A row of the schema.
enum Row {
    /// It describes a table that has one of the names.
    Table(Entry),
    /// It describes something else.
    Other,
}

impl Connection {
    /// Finds the table that has one of these names, whatever the case of their letters in ASCII is. `None` if statements
    /// have to find it, or if it is not the only one, or not an ordinary table.
    pub fn describe(&self, names: &[String], bounds: Bounds) -> Result<Option<Described>, Error> {
        self.unchanged(|| {
            self.handle.watch.start(bounds.work);
            let Some(main) = self.plain_file() else {
                return Ok(None);
            };
            if self.schema()?.is_some() {
                return Ok(None);
            }
            let Some(entry) = self.entry(main, names) else {
                return Ok(None);
            };
            let columns = format!("PRAGMA table_xinfo({})", quoted(&entry.name));
            let Ok(columns) = self.rows(&columns, &[], bounds) else {
                return Ok(None);
            };
            let is_whole = !columns.more && columns.cuts.is_empty() && columns.damage.is_none();
            let columns: Vec<RowResult> = columns.result.rows;
            let longest = usize::try_from(bounds.bytes).unwrap_or(usize::MAX);
            Ok(is_whole.then(|| Described {
                name: entry.name,
                length: entry.sql.as_ref().map_or(0, |sql| sql.len() as u64),
                definition: entry.sql.map(|sql| head(&sql, longest)),
                columns,
            }))
        })
    }

    /// The only table or view in the schema that has one of these names.
    fn entry(&self, main: &Input, names: &[String]) -> Option<Entry> {
        let header = self.header();
        let (at, utf8) = ENCODING;
        if header.get(at..at.saturating_add(utf8.len())) != Some(&utf8) {
            return None;
        }
        let layout = Layout::of(header, self.size())?;
        let page = layout.page();
        let read: Read<'_> = &mut |number, visit| {
            let at = u64::from(number.saturating_sub(1)).saturating_mul(page as u64);
            // A page that cannot be read is not visited, and the statement has the error.
            let _ = main.visit(at, page, visit);
        };
        let mut record = Record::new(COLUMNS);
        let mut found = None;
        let all = layout.leaves(SCHEMA, read, &mut |leaf| {
            for row in leaf.rows() {
                if let Row::Table(entry) = Row::of(&row?, &mut record, names)?
                    // Of several tables, the reader decides.
                    && found.replace(entry).is_some()
                {
                    return None;
                }
            }
            Some(true)
        });
        all.and(found)
    }
}

impl Row {
    /// The kind of a row. `None` if a statement has to read it.
    fn of(row: &Stored<'_>, record: &mut Record, names: &[String]) -> Option<Self> {
        record.find(row)?;
        let value = |column| record.value(row, column, Missing::Null);
        let (Cell::Text(kind), Cell::Text(name)) = (value(0)?, value(1)?) else {
            return None;
        };
        // The comparison of SQLite ends at a zero.
        if name.contains(&0) {
            return None;
        }
        let is_named = names
            .iter()
            .any(|it| it.as_bytes().eq_ignore_ascii_case(name));
        if !is_named || !matches!(kind, b"table" | b"view") {
            return Some(Self::Other);
        }
        // The rows of views and virtual tables are in no page.
        let Cell::Integer(2..) = value(3)? else {
            return None;
        };
        let sql = match value(4)? {
            Cell::Text(sql) => Some(sql.to_vec()),
            Cell::Null => None,
            _ => return None,
        };
        let name = str::from_utf8(name).ok()?.to_owned();
        Some(Self::Table(Entry { name, sql }))
    }
}
