//! The instructions of a program, as `EXPLAIN` shows them.

use super::value::{Test, Value};

/// An instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Op {
    /// The name of the instruction.
    pub name: String,
    /// The first operand.
    pub p1: usize,
    /// The second operand, mostly the address of a jump.
    pub p2: usize,
    /// The third operand.
    pub p3: usize,
    /// The fourth operand.
    pub p4: Option<String>,
    /// The first and the second operand, if they are numbers to count with.
    pub numbers: (i64, i64),
    /// The fifth operand, mostly flags.
    pub p5: u16,
}

/// Flags of comparisons.
const JUMP_IF_NULL: u16 = 0x10;
const AFFINITY: u16 = 0x47;

impl Op {
    /// The comparison that the instruction does. `None` if it is another one, or its texts are not compared byte by
    /// byte.
    pub fn test(&self) -> Option<Test> {
        let (less, equal, greater) = match self.name.as_str() {
            "Eq" => (false, true, false),
            "Ne" => (true, false, true),
            "Lt" => (true, false, false),
            "Le" => (true, true, false),
            "Gt" => (false, false, true),
            "Ge" => (false, true, true),
            _ => return None,
        };
        let is_binary = matches!(self.p4.as_deref(), None | Some("BINARY-8"));
        let is_known = is_binary && self.p5 & !(JUMP_IF_NULL | AFFINITY) == 0;
        is_known.then_some(Test {
            less,
            equal,
            greater,
            null: self.p5 & JUMP_IF_NULL != 0,
            affinity: self.p5 & AFFINITY,
        })
    }

    /// Whether the instruction is known outside of the loop.
    pub fn is_known_outside(&self) -> bool {
        match self.name.as_str() {
            "Init" | "Transaction" | "Goto" | "OpenRead" | "OpenPseudo" | "SorterOpen" | "Halt"
            | "Integer" | "Null" | "Gosub" | "Return" | "IfPos" | "IfNotZero" | "DecrJumpZero"
            | "AddImm" | "Copy" | "SCopy" | "AggFinal" | "ResultRow" | "MakeRecord"
            | "SorterInsert" | "SorterSort" | "SorterData" | "SorterNext" | "Column"
            | "Sequence" | "Last" | "Delete" | "Sort" | "Next" | "MustBeInt" | "OffsetLimit" => {
                true
            }
            "IdxLE" | "IdxInsert" => self.count().is_some(),
            "OpenEphemeral" => self.keys().is_some(),
            "Int64" | "Real" | "String8" => self.constant().is_some(),
            _ => self.test().is_some(),
        }
    }

    /// The constant that the instruction loads into a register. `None` if it loads none, or the constant is not
    /// shown exactly.
    pub fn constant(&self) -> Option<Value> {
        Some(match self.name.as_str() {
            "Integer" => Value::Integer(self.numbers.0),
            "Int64" => Value::Integer(self.p4.as_ref()?.parse().ok()?),
            "Real" => Value::Real(real(self.p4.as_ref()?)?),
            "String8" => Value::Text(self.p4.as_ref()?.as_bytes().into()),
            _ => return None,
        })
    }

    /// The number of keys in the fourth operand.
    pub fn count(&self) -> Option<usize> {
        self.p4.as_ref()?.parse().ok()
    }

    /// Whether each key of a sort is compared in descending order. `None` if a text is not compared byte by byte.
    pub fn keys(&self) -> Option<Vec<bool>> {
        let list = self.p4.as_ref()?.strip_prefix("k(")?.strip_suffix(')')?;
        let (count, names) = list.split_once(',')?;
        let keys = names.split(',').map(|name| match name {
            "B" => Some(false),
            "-B" => Some(true),
            _ => None,
        });
        let keys: Vec<bool> = keys.collect::<Option<_>>()?;
        (count.parse() == Ok(keys.len())).then_some(keys)
    }
}

/// A number that is shown with 16 digits. `None` if it may have more. A number of at most 15 digits is the nearest
/// to the shown one.
fn real(shown: &str) -> Option<f64> {
    let digits = shown.trim_start_matches('-').trim_end_matches('0');
    let count = digits.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (is_plain && count <= 15).then(|| shown.parse().ok())?
}
