//! Registers of a loop that have a value of the same row.

use super::program::Op;
use crate::limits;

/// Which registers an instruction of the loop has a value in, however it was reached.
pub struct Flow {
    start: usize,
    /// Whether any instruction of the loop writes each register.
    written: Vec<bool>,
    /// The registers that are written before each instruction. `None` if nothing reaches it.
    before: Vec<Option<Vec<usize>>>,
    now: Option<Vec<usize>>,
}

impl Flow {
    /// Nothing is written before the first instruction of `range`.
    pub fn new(ops: &[Op], range: &std::ops::Range<usize>) -> Option<Self> {
        let mut written = vec![false; limits::REGISTERS + 1];
        for op in ops.get(range.clone())? {
            let register = match op.name.as_str() {
                "Column" | "MakeRecord" | "Function" => op.p3,
                "Rowid" => op.p2,
                "RealAffinity" => op.p1,
                _ => continue,
            };
            *written.get_mut(register)? = true;
        }
        Some(Self {
            start: range.start,
            written,
            before: vec![None; range.len() + 1],
            now: Some(Vec::new()),
        })
    }

    /// Goes on to an instruction.
    pub fn enter(&mut self, at: usize) {
        let jumped = self.before.get_mut(at - self.start).and_then(Option::take);
        let now = self.now.take();
        self.now = joined(now, jumped);
    }

    /// Whether a register has a value: from before the loop, or from an earlier instruction for the same row.
    pub fn read(&self, register: usize) -> Option<()> {
        let written = *self.written.get(register)?;
        let now = self.now.as_ref()?;
        (!written || now.contains(&register)).then_some(())
    }

    /// The instruction writes a register.
    pub fn write(&mut self, register: usize) -> Option<()> {
        self.now.as_mut()?.push(register);
        (register <= limits::REGISTERS).then_some(())
    }

    /// The instruction may jump to an address.
    pub fn jump(&mut self, to: usize) {
        let place = to.checked_sub(self.start);
        if let Some(before) = place.and_then(|place| self.before.get_mut(place)) {
            *before = joined(before.take(), self.now.clone());
        }
    }

    /// Nothing goes on to the next instruction.
    pub fn stop(&mut self) {
        self.now = None;
    }

    /// Whether any instruction of the loop writes a register.
    pub fn is_written(&self, register: usize) -> bool {
        self.written.get(register).is_none_or(|written| *written)
    }
}

/// The registers that are written on both ways.
fn joined(left: Option<Vec<usize>>, right: Option<Vec<usize>>) -> Option<Vec<usize>> {
    match (left, right) {
        (Some(left), Some(right)) => {
            Some(left.into_iter().filter(|it| right.contains(it)).collect())
        }
        (left, right) => left.or(right),
    }
}
