//! The arguments of a call, in the form that the agent had when this dialect was specified, and in
//! the form that it has today.

use super::super::arguments::{self, Count, PathString, argument_failure};
use crate::failure::{Failure, Reason};
use crate::path::is_relative;
use serde::Deserialize;

/// All arguments of both forms. A call uses the arguments of one form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    absolute_path: Option<PathString>,
    offset: Option<Count<0>>,
    limit: Option<Count<1>>,
    prefer_full_read: Option<bool>,
    file_path: Option<PathString>,
    start_line: Option<Count<1>>,
    end_line: Option<Count<1>>,
}

/// A call of the tool.
pub enum Call {
    /// `absolute_path`, `offset`, `limit` and `prefer_full_read`.
    Offset {
        path: String,
        /// The first line, counted from 1.
        first: Option<u64>,
        limit: Option<u64>,
        whole: bool,
    },
    /// `file_path`, `start_line` and `end_line`. The lines are counted from 1, and the last one is
    /// included.
    Lines {
        path: String,
        first: Option<u64>,
        last: Option<u64>,
    },
}

impl Call {
    /// Parses the arguments, one JSON object.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidArgument`] for a wrong argument, and for arguments of both forms.
    pub fn parse(json: &str) -> Result<Self, Failure> {
        let all: Arguments = arguments::parse(json)?;
        match (&all.file_path, &all.absolute_path) {
            (Some(_), _) => all.lines(),
            (None, None) if all.start_line.is_some() || all.end_line.is_some() => {
                Err(argument_failure("file_path", "is missing"))
            }
            (None, _) => all.offset(),
        }
    }
}

impl Arguments {
    fn lines(self) -> Result<Call, Failure> {
        let others = [
            ("absolute_path", self.absolute_path.is_some()),
            ("offset", self.offset.is_some()),
            ("limit", self.limit.is_some()),
            ("prefer_full_read", self.prefer_full_read.is_some()),
        ];
        let hint = "pass `start_line` and `end_line` with `file_path`";
        refuse(&others, "`file_path`", hint)?;
        let first = self.start_line.map(|Count(line)| line);
        let last = self.end_line.map(|Count(line)| line);
        if let Some(last) = last.filter(|last| *last < first.unwrap_or(1)) {
            let first = first.unwrap_or(1);
            let is = format!("must be at least `start_line`, which is {first}, not {last}");
            return Err(argument_failure("end_line", &is));
        }
        let path = self.file_path.map(|path| path.0).unwrap_or_default();
        Ok(Call::Lines { path, first, last })
    }

    fn offset(self) -> Result<Call, Failure> {
        let others = [
            ("start_line", self.start_line.is_some()),
            ("end_line", self.end_line.is_some()),
        ];
        let hint = "pass `offset` and `limit` with `absolute_path`";
        refuse(&others, "`absolute_path`", hint)?;
        let Some(PathString(path)) = self.absolute_path else {
            return Err(argument_failure("absolute_path", "is missing"));
        };
        if is_relative(&path) {
            return Err(Failure::new(
                Reason::InvalidArgument("absolute_path".to_owned()),
                format!("Path is not absolute: {path}"),
            ));
        }
        if self.offset.is_some() && self.limit.is_none() {
            return Err(argument_failure("offset", "needs `limit`"));
        }
        Ok(Call::Offset {
            path,
            first: self.offset.map(|Count(offset)| offset.saturating_add(1)),
            limit: self.limit.map(|Count(limit)| limit),
            whole: self.prefer_full_read == Some(true),
        })
    }
}

/// Refuses arguments of the other form.
fn refuse(others: &[(&str, bool)], with: &str, hint: &str) -> Result<(), Failure> {
    match others.iter().find(|(_, given)| *given) {
        Some((name, _)) => {
            let is = format!("cannot be used with {with}");
            Err(argument_failure(name, &is).hint(hint))
        }
        None => Ok(()),
    }
}
