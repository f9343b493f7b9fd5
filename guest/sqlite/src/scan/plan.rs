//! Recognises the program of a statement that scans one table.

use super::aggregate::Function;
use super::flow::Flow;
use super::group::{Grouping, Update};
use super::like::Pattern;
use super::program::Op;
use super::record::Missing;
use super::row::{Loop, Step};
use crate::limits;

/// The name with which a program calls the function that collects rows.
pub const COLLECT: &str = "omniread_first(2)";

/// The words of statements that are evaluated: each calls an aggregate function.
const WORDS: [&str; 6] = ["count", "sum", "total", "avg", "min", "max"];

/// Whether a statement may be evaluated. Another run of a statement with random numbers has others.
pub fn is_candidate(sql: &str) -> bool {
    let mut calls = false;
    let mut rest = sql.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let starts = |word: &&str| {
            let start = rest.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        };
        match first.to_ascii_lowercase() {
            b'r' if starts(&"random") => return false,
            b'a' | b'c' | b'm' | b's' | b't' if !calls => calls = WORDS.iter().any(starts),
            _ => {}
        }
        rest = after;
    }
    calls
}

/// A program that can be evaluated.
#[derive(Debug)]
pub struct Plan {
    /// All instructions.
    pub ops: Vec<Op>,
    /// The number of registers.
    pub registers: usize,
    /// The first page of the table.
    pub root: u32,
    /// The address of the instruction that starts the loop.
    pub start: usize,
    /// The address after the loop.
    pub end: usize,
    /// The loop.
    pub rows: Loop,
    /// The aggregate functions, each with the register of its result.
    pub functions: Vec<(Function, usize)>,
    /// The groups. `None` if all rows are one group.
    pub groups: Option<Grouped>,
    /// Whether the rows are collected.
    pub collects: bool,
    /// The cursor of the sorter, if the rows are sorted.
    sorter: Option<usize>,
}

/// The instructions that sort and group rows.
#[derive(Debug)]
pub struct Grouped {
    /// How rows are grouped.
    pub grouping: Grouping,
    /// The address of the instruction that sorts the rows.
    pub sort: usize,
    /// The address of the instruction that goes to the next sorted row.
    pub last: usize,
    /// The first register of the keys.
    pub keys: usize,
    /// The register that is 1 if a group has rows.
    pub flag: usize,
    /// The address of the instructions for a group, and the register of their return address.
    pub output: (usize, usize),
    /// The register that is 1 if no more groups are wanted.
    pub stop: usize,
}

impl Plan {
    /// Recognises a program. `None` if SQLite has to run it.
    pub fn of(ops: Vec<Op>) -> Option<Self> {
        let mut opened = ops.iter().filter(|op| op.name == "OpenRead");
        let (open, None) = (opened.next()?, opened.next()) else {
            return None;
        };
        // The tree of an index has the order of its columns here, and that of a table their number.
        let is_table = open.p4.as_ref()?.parse::<u32>().is_ok();
        if !is_table || open.p3 != 0 || open.p5 != 0 {
            return None;
        }
        let start = position(&ops, 0, "Rewind", open.p1)?;
        let end = position(&ops, start, "Next", open.p1)?;
        let (first, after) = (start.checked_add(1)?, end.checked_add(1)?);
        if ops.get(start)?.p2 != after || ops.get(end)?.p2 != first {
            return None;
        }
        let (root, table) = (u32::try_from(open.p2).ok()?, open.p1);
        let mut plan = Self {
            registers: limits::REGISTERS + 1,
            root,
            start,
            end: after,
            rows: Loop::default(),
            functions: Vec::new(),
            groups: None,
            collects: false,
            sorter: None,
            ops,
        };
        plan.read_loop(first..end, table)?;
        if let Some(sorter) = plan.sorter {
            plan.groups = Some(plan.read_groups(sorter)?);
        }
        // Constants, pages and versions of the schema are no registers. All other operands are small.
        let used = plan.ops.iter().map(|op| match op.name.as_str() {
            "Integer" => op.p2,
            "OpenRead" | "OpenEphemeral" | "Transaction" | "AddImm" => op.p1,
            _ => op.p1.max(op.p2).max(op.p3),
        });
        plan.registers = used.max()?.min(limits::REGISTERS).checked_add(2)?;
        plan.is_known().then_some(plan)
    }

    /// Reads the loop.
    fn read_loop(&mut self, range: std::ops::Range<usize>, table: usize) -> Option<()> {
        let mut flow = Flow::new(&self.ops, &range)?;
        let mut sorter = None;
        let mut record = None;
        let mut steps = Vec::new();
        let mut columns = 0;
        // Each instruction is a step, so that addresses can be converted.
        for (at, op) in range.clone().zip(self.ops.get(range.clone())?) {
            let jump = |to: usize| {
                let is_forward = to > at && to <= range.end;
                is_forward.then(|| to - range.start)
            };
            let next = at + 1 - range.start;
            let mut column = |column: usize| {
                columns = columns.max(column + 1);
                let missing = match op.p4 {
                    None => Missing::Null,
                    Some(_) => Missing::Default,
                };
                (column < limits::REGISTERS).then_some(missing)
            };
            flow.enter(at);
            let step = match op.name.as_str() {
                "Column" if op.p1 == table => {
                    flow.write(op.p3)?;
                    let (missing, to) = (column(op.p2)?, op.p3);
                    match op.p5 {
                        0 => Step::Column {
                            column: op.p2,
                            missing,
                            to,
                        },
                        128 => Step::IsNull {
                            column: op.p2,
                            missing,
                            to,
                        },
                        _ => return None,
                    }
                }
                "Rowid" if op.p1 == table => {
                    flow.write(op.p2)?;
                    Step::Rowid { to: op.p2 }
                }
                "RealAffinity" => {
                    flow.read(op.p1)?;
                    flow.write(op.p1)?;
                    Step::Real { of: op.p1 }
                }
                "IsNull" | "NotNull" => {
                    flow.read(op.p1)?;
                    flow.jump(op.p2);
                    Step::Null {
                        of: op.p1,
                        is: op.name == "IsNull",
                        to: jump(op.p2)?,
                    }
                }
                // The first argument is constant, and the second is not.
                "Function" if op.p1 == 1 && op.p4.as_deref() == Some("like(2)") => {
                    let pattern = pattern(&self.ops, &range, op.p2)?;
                    flow.read(op.p2)?;
                    flow.read(op.p2 + 1)?;
                    flow.write(op.p3)?;
                    Step::Like {
                        of: op.p2 + 1,
                        pattern,
                        to: op.p3,
                    }
                }
                "If" | "IfNot" => {
                    flow.read(op.p1)?;
                    flow.jump(op.p2);
                    Step::If {
                        of: op.p1,
                        is: op.name == "If",
                        null: op.p3 != 0,
                        to: jump(op.p2)?,
                    }
                }
                "Goto" => {
                    flow.jump(op.p2);
                    flow.stop();
                    Step::Go { to: jump(op.p2)? }
                }
                // Texts are compared byte by byte. A register is set only in programs with groups.
                "CollSeq" if op.p1 == 0 && op.p4.as_deref() == Some("BINARY-8") => {
                    Step::Go { to: next }
                }
                "AggStep" if op.p4.as_deref() == Some(COLLECT) => {
                    flow.read(op.p2)?;
                    flow.read(op.p2 + 1)?;
                    self.collects = true;
                    Step::Row {
                        first: op.p2,
                        count: 2,
                    }
                }
                "AggStep" => {
                    let (aggregate, argument) = aggregate(&mut self.functions, op)?;
                    if let Some(register) = argument {
                        flow.read(register)?;
                    }
                    Step::Add {
                        aggregate,
                        argument,
                    }
                }
                "MakeRecord" if record.is_none() && op.p4.is_none() => {
                    for register in op.p1..op.p1.checked_add(op.p2)? {
                        flow.read(register)?;
                    }
                    flow.write(op.p3)?;
                    record = Some((op.p1, op.p2, op.p3));
                    Step::Go { to: next }
                }
                "SorterInsert" if sorter.is_none() => {
                    let (first, count, _) = record.filter(|record| record.2 == op.p2)?;
                    // The record and its use are next to each other.
                    let before = self.ops.get(at.checked_sub(1)?)?;
                    if before.name != "MakeRecord" {
                        return None;
                    }
                    sorter = Some(op.p1);
                    Step::Row { first, count }
                }
                _ => {
                    let test = op.test()?;
                    flow.read(op.p1)?;
                    flow.read(op.p3)?;
                    flow.jump(op.p2);
                    Step::Test {
                        test,
                        left: op.p3,
                        right: op.p1,
                        to: jump(op.p2)?,
                    }
                }
            };
            steps.push(step);
        }
        let is_one = usize::from(sorter.is_some())
            + usize::from(self.collects)
            + usize::from(!self.functions.is_empty());
        // Nothing after the loop reads its registers.
        let later = self
            .ops
            .get(self.end..)?
            .iter()
            .chain(self.ops.get(..range.start)?);
        let is_free = later
            .flat_map(reads)
            .all(|register| !flow.is_written(register));
        self.rows = Loop::new(steps, columns);
        self.sorter = sorter;
        (is_one == 1 && is_free).then_some(())
    }

    /// Reads the instructions that group the rows of a sorter.
    fn read_groups(&mut self, sorter: usize) -> Option<Grouped> {
        let open = self
            .ops
            .get(position(&self.ops, 0, "SorterOpen", sorter)?)?;
        let keys = open.keys().filter(|_| open.p3 == 0)?;
        let sort = position(&self.ops, self.end, "SorterSort", sorter)?;
        let last = position(&self.ops, sort, "SorterNext", sorter)?;
        let done = self.ops.get(sort)?.p2;
        let mut at = sort + 1;
        let data = self.take(&mut at, "SorterData")?;
        let pseudo = data.p3;
        if data.p1 != sorter || self.ops.get(last)?.p2 != sort + 1 {
            return None;
        }
        let current = self.ops.get(at)?.p3;
        for number in 0..keys.len() {
            let op = self.take(&mut at, "Column")?;
            let is_key = (op.p1, op.p2, op.p3) == (pseudo, number, current + number);
            if !is_key || op.p5 != 0 {
                return None;
            }
        }
        let compare = self.take(&mut at, "Compare")?;
        let key = compare.p1;
        let is_whole = (compare.p2, compare.p3) == (current, keys.len()) && compare.p5 == 0;
        if !is_whole || compare.keys()? != keys {
            return None;
        }
        let jump = self.take(&mut at, "Jump")?;
        let (less, equal, greater) = (jump.p1, jump.p2, jump.p3);
        let next = at;
        let output = self.take(&mut at, "Gosub")?;
        let output = (output.p2, output.p1);
        let moved = self.take(&mut at, "Move")?;
        let is_moved = (moved.p1, moved.p2, moved.p3) == (current, key, keys.len());
        let stop = self.take(&mut at, "IfPos")?;
        let (stop, stopped, less_by) = (stop.p1, stop.p2, stop.p3);
        self.take(&mut at, "Gosub")?;
        let is_usual =
            (less, equal, greater) == (next, at, next) && stopped == done && less_by == 0;
        let mut then = last + 1;
        let end = self.take(&mut then, "Gosub")?;
        let is_ended = (end.p2, end.p1) == output && self.take(&mut then, "Goto")?.p2 == done;
        if !is_usual || !is_ended || !is_moved {
            return None;
        }
        let (mut grouping, flag) = self.read_updates(at..last, pseudo)?;
        grouping.keys = keys;
        Some(Grouped {
            grouping,
            sort,
            last,
            keys: key,
            flag,
            output,
            stop,
        })
    }

    /// Reads the instructions that add a row to its group. Also returns the register that says whether a group has
    /// rows.
    fn read_updates(
        &mut self,
        range: std::ops::Range<usize>,
        pseudo: usize,
    ) -> Option<(Grouping, usize)> {
        let mut grouping = Grouping::default();
        let mut loaded: Vec<(usize, usize)> = Vec::new();
        let (mut decides, mut of) = (None, None);
        let mut at = range.start;
        while at < range.end {
            let op = self.ops.get(at)?;
            at += 1;
            match op.name.as_str() {
                "Column" if op.p1 == pseudo && op.p5 == 0 => {
                    loaded.retain(|(register, _)| *register != op.p3);
                    loaded.push((op.p3, op.p2));
                }
                "CollSeq" if op.p4.as_deref() == Some("BINARY-8") => {
                    let is_min = self.ops.get(at)?.name == "AggStep";
                    if !is_min || decides.is_some_and(|register| register != op.p1) {
                        return None;
                    }
                    decides = Some(op.p1);
                }
                "AggStep" => {
                    let before = self.ops.get(at.checked_sub(2)?)?;
                    let (aggregate, argument) = aggregate(&mut self.functions, op)?;
                    let argument = match argument {
                        Some(wanted) => {
                            let mut loaded = loaded.iter();
                            Some(loaded.find(|(register, _)| *register == wanted)?.1)
                        }
                        None => None,
                    };
                    grouping.updates.push(Update {
                        aggregate,
                        argument,
                        decides: before.name == "CollSeq" && before.p1 != 0,
                    });
                }
                // The values that are not aggregated.
                "If" if op.p2 == range.end - 1 => {
                    for column in self.ops.get(at..op.p2)? {
                        if column.name != "Column" || column.p1 != pseudo || column.p5 != 0 {
                            return None;
                        }
                        grouping.kept.push((column.p3, column.p2));
                    }
                    of = Some(op.p1);
                    at = op.p2;
                }
                // The last instruction: the group has rows.
                "Integer" if at == range.end && op.p1 == 1 => {
                    let decided = decides.filter(|register| *register != 0);
                    grouping.of_extreme = of.is_some() && decided == of;
                    let is_first = of.is_none_or(|register| register == op.p2);
                    return (grouping.of_extreme || is_first).then_some((grouping, op.p2));
                }
                _ => return None,
            }
        }
        None
    }

    /// The instruction at an address, if it has this name. Goes on to the next.
    fn take(&self, at: &mut usize, name: &str) -> Option<&Op> {
        let op = self.ops.get(*at).filter(|op| op.name == name)?;
        *at += 1;
        Some(op)
    }

    /// Whether all instructions outside of the loop are known.
    fn is_known(&self) -> bool {
        let groups = self.groups.as_ref();
        let sorted = groups.map_or(0..0, |groups| groups.sort..groups.last + 1);
        let ops = self.ops.iter().enumerate();
        let outside =
            ops.filter(|(at, _)| !(self.start..self.end).contains(at) && !sorted.contains(at));
        outside.map(|(_, op)| op).all(Op::is_known_outside)
    }
}

/// The address of the first instruction with a name and a first operand, from an address on.
fn position(ops: &[Op], from: usize, name: &str, p1: usize) -> Option<usize> {
    let mut found = ops.iter().enumerate().skip(from);
    let found = found.find(|(_, op)| op.name == name && op.p1 == p1);
    found.map(|(at, _)| at)
}

/// The number of the aggregate of an instruction, and the register of its argument.
fn aggregate(functions: &mut Vec<(Function, usize)>, op: &Op) -> Option<(usize, Option<usize>)> {
    let (function, arguments) = Function::of(op.p4.as_ref()?)?;
    if op.p1 != 0 || usize::from(op.p5) != arguments {
        return None;
    }
    if functions.iter().any(|(_, register)| *register == op.p3) {
        return None;
    }
    functions.push((function, op.p3));
    Some((functions.len() - 1, (arguments == 1).then_some(op.p2)))
}

/// The pattern in a register that is loaded before a loop.
fn pattern(ops: &[Op], range: &std::ops::Range<usize>, register: usize) -> Option<Pattern> {
    let outside = ops.iter().enumerate().filter(|(at, _)| !range.contains(at));
    let mut loads = outside.filter(|(_, op)| op.p2 == register && op.constant().is_some());
    let (Some((_, load)), None) = (loads.next(), loads.next()) else {
        return None;
    };
    op_text(load).and_then(Pattern::of)
}

/// The constant text that an instruction loads.
fn op_text(op: &Op) -> Option<&str> {
    let text = op.p4.as_deref();
    text.filter(|_| op.name == "String8")
}

/// The registers that an instruction outside of the loop reads. Those of constants and of jumps are not.
fn reads(op: &Op) -> Vec<usize> {
    match op.name.as_str() {
        "Copy" => (op.p1..=op.p1.saturating_add(op.p3)).collect(),
        "ResultRow" | "MakeRecord" => (op.p1..op.p1.saturating_add(op.p2)).collect(),
        "IdxLE" | "IdxInsert" => {
            let count = op.count().unwrap_or(20);
            (op.p3..op.p3.saturating_add(count)).collect()
        }
        "SCopy" | "IfPos" | "IfNotZero" | "DecrJumpZero" | "AddImm" | "MustBeInt" => {
            vec![op.p1]
        }
        "Eq" | "Ne" | "Lt" | "Le" | "Gt" | "Ge" => vec![op.p1, op.p3],
        _ => Vec::new(),
    }
}
