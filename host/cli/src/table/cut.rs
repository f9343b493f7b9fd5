//! What a table lacks because the terminal is too narrow.

/// The parts of tables that a terminal is too narrow for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The number of columns that are left out.
    pub columns: usize,
    /// The number of columns of the tables of which some are left out.
    pub of_columns: usize,
    /// The number of values that are cut.
    pub values: usize,
}

impl Cut {
    /// Adds the parts that another table lacks.
    pub fn add(&mut self, other: Self) {
        self.columns += other.columns;
        self.of_columns += other.of_columns;
        self.values += other.values;
    }

    /// The notice on the parts that are missing in output with this number of columns. `None` if nothing is
    /// missing.
    pub fn notice(self, columns: usize, is_terminal: bool) -> Option<String> {
        let values = match self.values {
            0 => None,
            1 => Some("a part of 1 value".to_owned()),
            values => Some(format!("parts of {values} values")),
        };
        let hidden = (self.columns > 0).then(|| {
            let of = self.of_columns;
            let plural = if of == 1 { "" } else { "s" };
            format!("{} of {of} column{plural}", self.columns)
        });
        let parts: Vec<String> = hidden.into_iter().chain(values).collect();
        (!parts.is_empty()).then(|| {
            let does = if self.columns + self.values == 1 {
                "does"
            } else {
                "do"
            };
            let (of, next) = if is_terminal {
                (" of the terminal", "Add `| cat` to the command")
            } else {
                ("", "Leave out `--pretty`")
            };
            format!(
                "[{} {does} not fit into the {columns} columns{of}. {next} to see everything]",
                parts.join(" and ")
            )
        })
    }
}
