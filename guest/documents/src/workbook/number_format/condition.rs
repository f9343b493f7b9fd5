//! The conditions of sections, such as `[>=100]`.

/// The numbers for which a section is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    less: bool,
    equal: bool,
    greater: bool,
    number: f64,
}

impl Condition {
    /// Reads a condition, such as `>=100`.
    pub fn parse(text: &str) -> Option<Self> {
        let operator = text.find(|char| !matches!(char, '<' | '=' | '>'))?;
        let (operator, number) = text.split_at(operator);
        if !matches!(operator, "<" | "<=" | "=" | ">=" | ">" | "<>") {
            return None;
        }
        let number: f64 = number.trim().parse().ok()?;
        number.is_finite().then_some(Self {
            less: operator.contains('<'),
            equal: operator.contains('='),
            greater: operator.contains('>'),
            number,
        })
    }

    /// Returns whether the number is one of those.
    pub fn holds(self, number: f64) -> bool {
        (self.less && number < self.number)
            || (self.greater && number > self.number)
            || (self.equal && number.total_cmp(&self.number).is_eq())
    }

    /// Returns whether all those numbers are negative. They are displayed without a minus.
    pub fn is_negative(self) -> bool {
        !self.greater && (self.number < 0.0 || (self.number == 0.0 && !self.equal))
    }
}
