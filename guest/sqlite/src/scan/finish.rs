//! The instructions outside of the loop: constants, results, the order of groups, and limits.

use super::aggregate::State;
use super::group::Group;
use super::plan::{Grouped, Plan};
use super::program::Op;
use super::value::{Value, compare_all};
use crate::limits;
use std::cmp::Ordering;

/// What became of the rows of the loop.
pub enum Rows {
    /// Aggregates of all rows.
    Totals(Vec<State>),
    /// Groups, in their order.
    Groups(Vec<Group>),
}

/// A return address of the instructions for a group.
const RETURN: i64 = -2;

/// A table for sorting, with the rows in order or in the order in which they were inserted.
#[derive(Default)]
struct Table {
    descending: Vec<bool>,
    rows: Vec<Vec<Value>>,
    at: usize,
    sequence: i64,
}

/// The state of a program.
pub struct Machine<'p> {
    plan: &'p Plan,
    registers: Vec<Value>,
    states: Vec<State>,
    tables: Vec<(usize, Table)>,
    /// The records of cursors that read a register.
    records: Vec<(usize, Vec<Value>)>,
    /// The rows of the result.
    pub rows: Vec<Vec<Value>>,
    /// The maximum number of rows.
    most: usize,
    work: u64,
}

/// The reason for which the instructions stop.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    /// The next instruction starts the loop.
    Loop,
    /// The instructions of a group returned.
    Return,
    /// The statement is complete, or has enough rows.
    Done,
}

impl<'p> Machine<'p> {
    /// A program before its first instruction. It stops after `most` rows.
    pub fn new(plan: &'p Plan, most: usize) -> Self {
        Self {
            plan,
            registers: vec![Value::Null; plan.registers],
            states: Vec::new(),
            tables: Vec::new(),
            records: Vec::new(),
            rows: Vec::new(),
            most,
            work: 0,
        }
    }

    /// Runs the instructions before the loop. Returns the registers. `None` if there is no loop to run.
    pub fn begin(&mut self) -> Option<&[Value]> {
        let at = self.plan.ops.first()?.p2;
        (self.run(at)? == Stop::Loop).then_some(&self.registers)
    }

    /// Runs the instructions after the loop.
    pub fn end(&mut self, rows: Rows) -> Option<()> {
        let at = self.plan.end;
        match (rows, &self.plan.groups) {
            (Rows::Totals(states), None) => {
                self.states = states;
                (self.run(at)? == Stop::Done).then_some(())
            }
            (Rows::Groups(groups), Some(grouped)) => self.end_groups(groups, grouped),
            _ => None,
        }
    }

    fn end_groups(&mut self, groups: Vec<Group>, grouped: &Grouped) -> Option<()> {
        let done = self.plan.ops.get(grouped.sort)?.p2;
        for group in groups {
            for (number, key) in group.keys.into_iter().enumerate() {
                self.set(grouped.keys + number, key)?;
            }
            for (value, (register, _)) in group.kept.into_iter().zip(&grouped.grouping.kept) {
                self.set(*register, value)?;
            }
            self.set(grouped.flag, Value::Integer(1))?;
            self.states = group.states;
            let (address, back) = grouped.output;
            self.set(back, Value::Integer(RETURN))?;
            match self.run(address)? {
                Stop::Return => {}
                Stop::Done => return Some(()),
                Stop::Loop => return None,
            }
            if self.whole(grouped.stop)? > 0 {
                break;
            }
        }
        (self.run(done)? == Stop::Done).then_some(())
    }

    fn get(&self, register: usize) -> Option<&Value> {
        self.registers.get(register)
    }

    fn set(&mut self, register: usize, value: Value) -> Option<()> {
        *self.registers.get_mut(register)? = value;
        Some(())
    }

    fn whole(&self, register: usize) -> Option<i64> {
        match self.get(register)? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    fn slice(&self, first: usize, count: usize) -> Option<&[Value]> {
        self.registers.get(first..first.checked_add(count)?)
    }

    fn table(&mut self, cursor: usize) -> Option<&mut Table> {
        let mut tables = self.tables.iter_mut();
        let found = tables.find(|(number, _)| *number == cursor);
        found.map(|(_, table)| table)
    }

    /// Runs instructions from an address on. `None` if SQLite has to run the statement.
    fn run(&mut self, mut at: usize) -> Option<Stop> {
        let plan = self.plan;
        loop {
            if at == plan.start {
                return Some(Stop::Loop);
            }
            self.work += 1;
            if self.work > limits::OUTER_WORK {
                return None;
            }
            let op = plan.ops.get(at)?;
            at += 1;
            if self.plain(op)? {
                at = op.p2;
                continue;
            }
            match op.name.as_str() {
                "Halt" => return (op.p1 == 0).then_some(Stop::Done),
                "Gosub" => {
                    self.set(op.p1, Value::Integer(i64::try_from(at).ok()? - 1))?;
                    at = op.p2;
                }
                "Return" => {
                    let back = self.whole(op.p1)?;
                    if back == RETURN {
                        return Some(Stop::Return);
                    }
                    at = usize::try_from(back).ok()? + 1;
                }
                "ResultRow" => {
                    let row = self.slice(op.p1, op.p2)?.to_vec();
                    self.rows.push(row);
                    if self.rows.len() >= self.most {
                        return Some(Stop::Done);
                    }
                }
                _ => {}
            }
        }
    }

    /// Runs an instruction, except for those that the caller runs. Returns whether it jumps to its second operand.
    fn plain(&mut self, op: &Op) -> Option<bool> {
        let mut jumps = false;
        match op.name.as_str() {
            "Halt" | "Gosub" | "Return" | "ResultRow" => {}
            "Goto" => jumps = true,
            "Integer" | "Int64" | "Real" | "String8" => self.set(op.p2, op.constant()?)?,
            "Null" => {
                for register in op.p2..=op.p3.max(op.p2) {
                    self.set(register, Value::Null)?;
                }
            }
            "Copy" => {
                for number in 0..=op.p3 {
                    let value = self.get(op.p1 + number)?.clone();
                    self.set(op.p2 + number, value)?;
                }
            }
            "SCopy" => self.set(op.p2, self.get(op.p1)?.clone())?,
            "AddImm" => {
                let sum = self.whole(op.p1)?.checked_add(op.numbers.1)?;
                self.set(op.p1, Value::Integer(sum))?;
            }
            "MustBeInt" => {
                self.whole(op.p1)?;
            }
            "OffsetLimit" => {
                let (limit, offset) = (self.whole(op.p1)?, self.whole(op.p3)?);
                let end = limit.checked_add(offset.max(0)).filter(|_| limit > 0);
                self.set(op.p2, Value::Integer(end.unwrap_or(-1)))?;
            }
            "IfPos" => {
                let number = self.whole(op.p1)?;
                jumps = number > 0;
                if jumps {
                    let less = i64::try_from(op.p3).ok()?;
                    self.set(op.p1, Value::Integer(number.checked_sub(less)?))?;
                }
            }
            "IfNotZero" => {
                let number = self.whole(op.p1)?;
                jumps = number != 0;
                if number > 0 {
                    self.set(op.p1, Value::Integer(number - 1))?;
                }
            }
            "DecrJumpZero" => {
                let number = self.whole(op.p1)?.checked_sub(1)?;
                self.set(op.p1, Value::Integer(number))?;
                jumps = number == 0;
            }
            "AggFinal" => {
                let mut functions = self.plan.functions.iter();
                let number = functions.position(|(_, register)| *register == op.p1)?;
                let (function, _) = *self.plan.functions.get(number)?;
                let value = self.states.get(number)?.result(function)?;
                self.set(op.p1, value)?;
            }
            "MakeRecord" => {
                let record = self.slice(op.p1, op.p2)?.to_vec();
                self.set(op.p3, Value::Record(record))?;
            }
            _ => jumps = self.sorts(op)?,
        }
        Some(jumps)
    }

    /// Runs an instruction of a sorter or a sorted table, or a comparison. Returns whether it jumps.
    fn sorts(&mut self, op: &Op) -> Option<bool> {
        match op.name.as_str() {
            "SorterOpen" | "OpenEphemeral" => {
                // The sorter of the loop has keys of any kind, which the plan checks.
                let table = Table {
                    descending: op.keys()?,
                    ..Table::default()
                };
                self.tables.retain(|(cursor, _)| *cursor != op.p1);
                self.tables.push((op.p1, table));
            }
            "SorterInsert" => {
                let Value::Record(row) = self.get(op.p2)?.clone() else {
                    return None;
                };
                self.table(op.p1)?.rows.push(row);
            }
            "SorterSort" => {
                let table = self.table(op.p1)?;
                let keys = std::mem::take(&mut table.descending);
                // The sort of SQLite is stable, too.
                table
                    .rows
                    .sort_by(|left, right| ordered(left, right, &keys));
                table.descending = keys;
                table.at = 0;
                return Some(table.rows.is_empty());
            }
            "SorterData" => {
                let table = self.table(op.p1)?;
                let row = table.rows.get_mut(table.at).map(std::mem::take)?;
                self.records.retain(|(cursor, _)| *cursor != op.p3);
                self.records.push((op.p3, row));
            }
            "Sort" => {
                let table = self.table(op.p1)?;
                table.at = 0;
                return Some(table.rows.is_empty());
            }
            "SorterNext" | "Next" => {
                let table = self.table(op.p1)?;
                table.at += 1;
                return Some(table.at < table.rows.len());
            }
            "Column" => {
                let of_record = self.records.iter().find(|(cursor, _)| *cursor == op.p1);
                let value = match of_record {
                    Some((_, row)) => row.get(op.p2)?.clone(),
                    None => {
                        let table = self.table(op.p1)?;
                        table.rows.get(table.at)?.get(op.p2)?.clone()
                    }
                };
                self.set(op.p3, value)?;
            }
            "Sequence" => {
                let table = self.table(op.p1)?;
                let number = table.sequence;
                table.sequence += 1;
                self.set(op.p2, Value::Integer(number))?;
            }
            "Last" => {
                let table = self.table(op.p1)?;
                table.at = table.rows.len().checked_sub(1)?;
            }
            "IdxLE" => {
                let wanted = self.slice(op.p3, op.count()?)?.to_vec();
                let table = self.table(op.p1)?;
                let row = table.rows.get(table.at)?;
                if table.descending.len() != wanted.len() {
                    return None;
                }
                return Some(ordered(row, &wanted, &table.descending) != Ordering::Greater);
            }
            "Delete" => {
                let table = self.table(op.p1)?;
                table.rows.remove(table.at);
            }
            "IdxInsert" => {
                let Value::Record(row) = self.get(op.p2)?.clone() else {
                    return None;
                };
                let table = self.table(op.p1)?;
                // The number after the keys puts the row after those with equal keys.
                let keys = &table.descending;
                let at = table
                    .rows
                    .partition_point(|other| ordered(other, &row, keys) != Ordering::Greater);
                if at < table.rows.len() && table.rows.len() >= limits::INSERTED_ROWS {
                    return None;
                }
                table.rows.insert(at, row);
            }
            "Init" | "Transaction" | "OpenRead" | "OpenPseudo" => {}
            _ => {
                let test = op.test()?;
                return test.jumps(self.get(op.p3)?.cell(), self.get(op.p1)?.cell());
            }
        }
        Some(false)
    }
}

/// The order of two rows by their first values.
fn ordered(left: &[Value], right: &[Value], descending: &[bool]) -> Ordering {
    let cells = left.iter().map(Value::cell);
    compare_all(cells, right.iter().map(Value::cell), descending)
}
