//! Evaluates statements that scan one table on the bytes of its pages, where [`crate::scan`] can.

use crate::bindings::exports::omniread::parts::sqlite::{Error, Value};
use crate::connection::Connection;
use crate::input::Input;
use crate::limits;
use crate::order::First;
use crate::pages::{Layout, Leaf, Read};
use crate::scan::finish::{Machine, Rows};
use crate::scan::group::{Groups, Totals};
use crate::scan::plan::Plan;
use crate::scan::program::Op;
use crate::scan::record::Record;
use crate::scan::row::{Loop, Sink};
use crate::scan::value;
use crate::statement::Statement;
use sqlite_wasm_rs as ffi;
use std::ffi::CString;

/// The encoding UTF-8, as the header of a database states it.
const UTF_8: [u8; 4] = [0, 0, 0, 1];

impl Connection {
    /// The result of a statement: at most `most` rows. `None` if SQLite has to run it.
    ///
    /// # Errors
    /// Fails if the statement needs more instructions than it may run.
    pub(crate) fn evaluated(
        &self,
        sql: &str,
        most: usize,
    ) -> Result<Option<Vec<Vec<value::Value>>>, Error> {
        let Some((plan, layout, main)) = self.plan_of(sql, false) else {
            return Ok(None);
        };
        let mut machine = Machine::new(&plan, most);
        let Some(registers) = machine.begin() else {
            return Ok(None);
        };
        let functions: Vec<_> = plan.functions.iter().map(|(it, _)| *it).collect();
        let left = self.handle.watch.left();
        let mut scan = Scan::new(&plan, (layout, main), registers, left);
        let rows = match &plan.groups {
            Some(groups) => {
                let mut groups = Groups::new(&groups.grouping, &functions);
                let found = scan.run(&mut groups)?;
                found.map(|()| Rows::Groups(groups.into_sorted()))
            }
            None => {
                let mut totals = Totals {
                    states: functions.iter().map(|it| it.start()).collect(),
                };
                let found = scan.run(&mut totals)?;
                found.map(|()| Rows::Totals(totals.states))
            }
        };
        let Some(rows) = rows else {
            return Ok(None);
        };
        Ok(machine.end(rows).map(|()| machine.rows))
    }

    /// Collects the first rows of a statement that passes each to the function that collects them. Returns the number
    /// of instructions that SQLite would have run. `None` if SQLite has to run it.
    ///
    /// # Errors
    /// Fails if the statement needs more instructions than it may run.
    pub(crate) fn collected(&self, sql: &str, first: &mut First) -> Result<Option<u64>, Error> {
        let Some((plan, layout, main)) = self.plan_of(sql, true) else {
            return Ok(None);
        };
        let mut machine = Machine::new(&plan, 1);
        let Some(registers) = machine.begin() else {
            return Ok(None);
        };
        let left = self.handle.watch.left();
        let mut scan = Scan::new(&plan, (layout, main), registers, left);
        let found = scan.run(&mut Collected(first))?;
        Ok(found.map(|()| left.saturating_sub(scan.left)))
    }

    /// The program of a statement, if it can be evaluated and collects rows as it should, and the layout and the file of
    /// the database.
    fn plan_of(&self, sql: &str, collects: bool) -> Option<(Plan, Layout, &Input)> {
        let main = self.plain_file()?;
        let mut head = [0; 100];
        let read = main.read(0, &mut head).ok()?;
        let head = head.get(..read)?;
        let layout = Layout::of(head, self.size())?;
        if head.get(56..60)? != UTF_8 {
            return None;
        }
        let sql = CString::new(format!("EXPLAIN {sql}")).ok()?;
        let program = Statement::new(&self.handle, &sql).ok()?;
        let mut ops = Vec::new();
        while program.step() == ffi::SQLITE_ROW {
            ops.push(op(&program)?);
            if ops.len() > limits::PROGRAM {
                return None;
            }
        }
        let has_real = ops.iter().any(|op| op.name == "Real");
        let plan = Plan::of(ops).filter(|plan| plan.collects == collects)?;
        if has_real && !self.has_short_numbers(sql.to_str().ok()?) {
            return None;
        }
        Some((plan, layout, main))
    }

    /// Whether the program of a statement shows its floating-point numbers exactly: it has 16 digits of each. The
    /// numbers are those of the statement and of the schema, whose views and columns may be computed.
    fn has_short_numbers(&self, sql: &str) -> bool {
        if !has_short_numbers(sql) {
            return false;
        }
        let schema = c"SELECT sql FROM sqlite_schema WHERE sql NOTNULL";
        let Ok(schema) = Statement::new(&self.handle, schema) else {
            return false;
        };
        loop {
            match schema.step() {
                ffi::SQLITE_ROW => match schema.value(0, limits::SCHEMA_SQL_BYTES) {
                    (Value::Text(sql), length) if sql.len() == length => {
                        if !has_short_numbers(&sql) {
                            return false;
                        }
                    }
                    _ => return false,
                },
                end => return end == ffi::SQLITE_DONE,
            }
        }
    }
}

/// Whether no number in a text of SQL has an exponent or more than 15 digits.
fn has_short_numbers(sql: &str) -> bool {
    let mut digits = 0;
    let mut is_name = false;
    for byte in sql.bytes() {
        match byte {
            b'0'..=b'9' if !is_name => digits += 1,
            // SQLite accepts `_` between digits.
            b'.' | b'_' if digits > 0 => {}
            b'e' | b'E' if digits > 0 => return false,
            _ => {
                digits = 0;
                is_name = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
            }
        }
        if digits > 15 {
            return false;
        }
    }
    true
}

/// An instruction in a row of the result of `EXPLAIN`.
fn op(program: &Statement<'_>) -> Option<Op> {
    let whole = |column| match program.value(column, 0).0 {
        Value::Integer(number) => Some(number),
        _ => None,
    };
    let operand = |column| Some(usize::try_from(whole(column)?).unwrap_or(usize::MAX));
    let text = |column| match program.value(column, 4096) {
        (Value::Text(text), length) => (text.len() == length).then_some(Some(text)),
        (Value::Null, _) => Some(None),
        _ => None,
    };
    Some(Op {
        name: text(1)??,
        p1: operand(2)?,
        p2: operand(3)?,
        p3: operand(4)?,
        p4: text(5)?,
        numbers: (whole(2)?, whole(3)?),
        p5: u16::try_from(whole(6)?).ok()?,
    })
}

/// A scan of a table.
struct Scan<'s> {
    layout: Layout,
    main: &'s Input,
    rows: &'s Loop,
    root: u32,
    registers: &'s [value::Value],
    /// The number of instructions that may still run.
    left: u64,
}

impl<'s> Scan<'s> {
    /// A scan of the table of a program. `registers` are those before the loop over its rows.
    fn new(
        plan: &'s Plan,
        (layout, main): (Layout, &'s Input),
        registers: &'s [value::Value],
        left: u64,
    ) -> Self {
        Self {
            layout,
            main,
            rows: &plan.rows,
            root: plan.root,
            registers,
            left,
        }
    }

    /// Passes each row to `sink`. `None` if SQLite has to run the statement.
    fn run(&mut self, sink: &mut impl Sink) -> Result<Option<()>, Error> {
        let page = self.layout.page();
        let main = self.main;
        let mut record = Record::new(self.rows.columns);
        let mut is_over = false;
        let (rows, registers, left) = (self.rows, self.registers, &mut self.left);
        let mut visit = |leaf: Leaf<'_>| {
            let work = rows.run(leaf, registers, &mut record, sink)?;
            match left.checked_sub(work) {
                Some(rest) => *left = rest,
                None => is_over = true,
            }
            Some(!is_over)
        };
        let read: Read<'_> = &mut |number, visit| {
            let at = u64::from(number.saturating_sub(1)).saturating_mul(page as u64);
            // A page that cannot be read is not visited, and the statement has the error.
            let _ = main.visit(at, page, visit);
        };
        let found = self.layout.leaves(self.root, read, &mut visit);
        if is_over {
            return Err(Error::Exhausted("work".to_owned()));
        }
        Ok(found)
    }
}

/// Collects the first rows in an order.
struct Collected<'f>(&'f mut First);

impl Sink for Collected<'_> {
    fn add(&mut self, _: usize, _: value::Cell<'_>) -> Option<()> {
        None
    }

    fn row(&mut self, cells: &[value::Cell<'_>]) -> Option<()> {
        let [value, value::Cell::Integer(id)] = cells else {
            return None;
        };
        let (kind, bytes) = value.kind();
        self.0.add(kind, bytes, *id).then_some(())
    }

    fn later(&self) -> u64 {
        0
    }
}
