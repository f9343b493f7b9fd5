//! The instructions of the loop over the rows of a table.

use super::like::Pattern;
use super::record::{Missing, Record};
use super::value::{Cell, Test, Value};
use crate::pages::Leaf;

/// An instruction of the loop. A jump goes forward to the number of an instruction, or to their end.
#[derive(Clone, Debug)]
pub enum Step {
    /// Loads a column.
    Column {
        /// The number of the column.
        column: usize,
        /// The value in a row that has none.
        missing: Missing,
        /// The register.
        to: usize,
    },
    /// Loads NULL if the value of a column is NULL, and otherwise another value.
    IsNull {
        /// The number of the column.
        column: usize,
        /// The value in a row that has none.
        missing: Missing,
        /// The register.
        to: usize,
    },
    /// Loads the rowid.
    Rowid {
        /// The register.
        to: usize,
    },
    /// Converts a whole number to a floating-point number.
    Real {
        /// The register.
        of: usize,
    },
    /// Compares two registers.
    Test {
        /// The comparison.
        test: Test,
        /// The register of the left value.
        left: usize,
        /// The register of the right value.
        right: usize,
        /// The instruction to jump to.
        to: usize,
    },
    /// Jumps if a register is NULL, or if it is not.
    Null {
        /// The register.
        of: usize,
        /// Whether it jumps if the register is NULL.
        is: bool,
        /// The instruction to jump to.
        to: usize,
    },
    /// Compares a text with a pattern, and stores 1 or 0.
    Like {
        /// The register of the text.
        of: usize,
        /// The pattern.
        pattern: Pattern,
        /// The register of the result.
        to: usize,
    },
    /// Jumps by a truth value.
    If {
        /// The register.
        of: usize,
        /// The value for which it jumps.
        is: bool,
        /// Whether it jumps for NULL.
        null: bool,
        /// The instruction to jump to.
        to: usize,
    },
    /// Jumps.
    Go {
        /// The instruction to jump to.
        to: usize,
    },
    /// Adds the row to an aggregate.
    Add {
        /// The number of the aggregate.
        aggregate: usize,
        /// The register of the argument.
        argument: Option<usize>,
    },
    /// Adds registers as a row to the groups, or to those that are collected.
    Row {
        /// The first register.
        first: usize,
        /// The number of registers.
        count: usize,
    },
}

/// What becomes of the rows of a loop.
pub trait Sink {
    /// Adds a value to an aggregate. `None` if the value has to be converted before.
    fn add(&mut self, aggregate: usize, value: Cell<'_>) -> Option<()>;

    /// Adds a row. `None` if a statement has to read the rows.
    fn row(&mut self, cells: &[Cell<'_>]) -> Option<()>;

    /// The number of instructions of SQLite's virtual machine for a row after the loop.
    fn later(&self) -> u64;
}

/// A loop over the rows of a table.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// The instructions.
    pub steps: Vec<Step>,
    /// The number of columns that are read: the last one and all before it.
    pub columns: usize,
}

impl Loop {
    /// A loop of steps, without those that only go to the next.
    pub fn new(mut steps: Vec<Step>, columns: usize) -> Self {
        let is_nothing =
            |(at, step): (usize, &Step)| matches!(step, Step::Go { to } if *to == at + 1);
        let left_out: Vec<bool> = steps.iter().enumerate().map(is_nothing).collect();
        let place = |to: usize| left_out.iter().take(to).filter(|is_out| !**is_out).count();
        for step in &mut steps {
            match step {
                Step::Test { to, .. }
                | Step::Null { to, .. }
                | Step::If { to, .. }
                | Step::Go { to } => *to = place(*to),
                _ => {}
            }
        }
        let kept = steps.into_iter().zip(&left_out);
        let kept = kept.filter(|(_, is_out)| !**is_out);
        Self {
            steps: kept.map(|(step, _)| step).collect(),
            columns,
        }
    }

    /// Runs the instructions for each row of a page. `registers` are their values before the loop. Returns the number
    /// of instructions that ran. `None` if a statement has to read the rows.
    pub fn run<S: Sink>(
        &self,
        leaf: Leaf<'_>,
        registers: &[Value],
        record: &mut Record,
        sink: &mut S,
    ) -> Option<u64> {
        let mut cells: Vec<Cell<'_>> = registers.iter().map(Value::cell).collect();
        let mut work = 0u64;
        for row in leaf.rows() {
            let row = row?;
            if self.columns > 0 {
                record.find(&row)?;
            }
            let mut at = 0;
            while let Some(step) = self.steps.get(at) {
                work += 1;
                at += 1;
                match *step {
                    Step::Column {
                        column,
                        missing,
                        to,
                    } => *cells.get_mut(to)? = record.value(&row, column, missing)?,
                    Step::IsNull {
                        column,
                        missing,
                        to,
                    } => {
                        let is_null = record.is_null(&row, column, missing)?;
                        *cells.get_mut(to)? = if is_null {
                            Cell::Null
                        } else {
                            Cell::Integer(0)
                        };
                    }
                    Step::Rowid { to } => *cells.get_mut(to)? = Cell::Integer(row.id()?),
                    Step::Real { of } => {
                        let cell = cells.get_mut(of)?;
                        if let Cell::Integer(number) = *cell {
                            #[allow(clippy::cast_precision_loss, reason = "as SQLite converts")]
                            let real = number as f64;
                            *cell = Cell::Real(real);
                        }
                    }
                    Step::Test {
                        test,
                        left,
                        right,
                        to,
                    } => {
                        if test.jumps(*cells.get(left)?, *cells.get(right)?)? {
                            at = to;
                        }
                    }
                    Step::Null { of, is, to } => {
                        if cells.get(of)?.is_null() == is {
                            at = to;
                        }
                    }
                    Step::Like {
                        of,
                        ref pattern,
                        to,
                    } => {
                        let result = match *cells.get(of)? {
                            Cell::Null => Cell::Null,
                            Cell::Text(text) => Cell::Integer(pattern.matches(text).into()),
                            // A number is converted to a text.
                            Cell::Integer(_) | Cell::Real(_) | Cell::Blob(_) => return None,
                        };
                        *cells.get_mut(to)? = result;
                    }
                    Step::If { of, is, null, to } => {
                        let jumps = match *cells.get(of)? {
                            Cell::Null => null,
                            Cell::Integer(number) => (number != 0) == is,
                            Cell::Real(_) | Cell::Text(_) | Cell::Blob(_) => return None,
                        };
                        if jumps {
                            at = to;
                        }
                    }
                    Step::Go { to } => at = to,
                    Step::Add {
                        aggregate,
                        argument,
                    } => {
                        let value = match argument {
                            Some(register) => *cells.get(register)?,
                            // Every row counts.
                            None => Cell::Integer(0),
                        };
                        sink.add(aggregate, value)?;
                    }
                    Step::Row { first, count } => {
                        sink.row(cells.get(first..first.checked_add(count)?)?)?;
                        work += sink.later();
                    }
                }
            }
            // The instruction that goes to the next row.
            work += 1;
        }
        Some(work)
    }
}
