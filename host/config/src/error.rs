//! The problems of a configuration file.

use crate::escape::escaped;
use crate::keys::{names, of_flag};
use crate::limits::{PROBLEMS, SIMILAR_BYTES, SIMILAR_KEYS};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The problems of a file, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The first problems.
    pub problems: Vec<Problem>,
    /// The number of further problems.
    pub more: usize,
}

/// A problem of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1. 0 if the problem is the file itself.
    pub line: usize,
    /// The column in characters, from 1. 0 if the problem is the file itself.
    pub column: usize,
    /// The key, with its table.
    pub key: Option<String>,
    /// The message.
    pub message: String,
    /// The kind of value that is valid.
    pub expected: Option<String>,
    /// Keys with similar names.
    pub similar: Vec<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = escaped(&self.file.to_string_lossy());
        if self.line == 0 {
            return write!(f, "cannot read `{file}`: {}", self.message);
        }
        write!(f, "{file}:{}:{}: {}", self.line, self.column, self.message)?;
        match self.similar.as_slice() {
            [] => Ok(()),
            [one] => write!(f, "\nhint: a similar key exists: `{one}`"),
            several => {
                let keys = several.join("`, `");
                write!(f, "\nhint: similar keys exist: `{keys}`")
            }
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{problem}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\n{more} more problems"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl ConfigError {
    /// The error of a file that cannot be read.
    pub(crate) fn of_file(file: &Path, message: String) -> Self {
        let problem = Problem {
            file: file.to_owned(),
            line: 0,
            column: 0,
            key: None,
            message,
            expected: None,
            similar: Vec::new(),
        };
        Self {
            problems: vec![problem],
            more: 0,
        }
    }
}

/// A problem at a position of the text.
pub(crate) struct Finding {
    pub(crate) at: Range<usize>,
    pub(crate) key: Option<String>,
    pub(crate) message: String,
    pub(crate) expected: Option<String>,
    /// The unknown name for which similar keys are searched.
    pub(crate) unknown: Option<Unknown>,
}

/// An unknown name.
pub(crate) struct Unknown {
    pub(crate) name: String,
    /// The server whose keys are valid there. `None` for the keys of all other tables.
    pub(crate) server: Option<String>,
}

/// The lines of a text, to find positions.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        Self {
            text,
            starts: starts.collect(),
        }
    }

    /// The number of the line of a position, from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// The column of a position in characters, from 1.
    fn column(&self, at: usize) -> usize {
        let start = self.starts.get(self.line(at).saturating_sub(1));
        let start = start.copied().unwrap_or_default();
        let before = self.text.get(start..at.min(self.text.len()));
        before.unwrap_or_default().chars().count() + 1
    }

    /// The error of these findings. `None` if there are none.
    pub(crate) fn error(&self, file: &Path, mut findings: Vec<Finding>) -> Option<ConfigError> {
        findings.sort_by_key(|finding| finding.at.start);
        let more = findings.len().saturating_sub(PROBLEMS);
        let problems = findings.into_iter().take(PROBLEMS).map(|finding| Problem {
            file: file.to_owned(),
            line: self.line(finding.at.start),
            column: self.column(finding.at.start),
            similar: finding.unknown.as_ref().map(similar).unwrap_or_default(),
            key: finding.key,
            message: finding.message,
            expected: finding.expected,
        });
        let problems: Vec<Problem> = problems.collect();
        (!problems.is_empty()).then_some(ConfigError { problems, more })
    }
}

/// The names that are similar to an unknown one, the most similar first.
fn similar(unknown: &Unknown) -> Vec<String> {
    if unknown.name.len() > SIMILAR_BYTES {
        return Vec::new();
    }
    let name = unknown.name.replace('_', "-").to_ascii_lowercase();
    let most = if name.len() > 5 { 2 } else { 1 };
    let distance = |known: &String| {
        // A key is also found if it is written in the wrong table.
        let leaf = known.rsplit('.').next().unwrap_or(known);
        let written = name.rsplit('.').next().unwrap_or(&name);
        let whole = strsim::osa_distance(&name, known);
        let parts = strsim::osa_distance(written, leaf);
        if whole <= most { whole } else { parts + 1 }
    };
    let mut found: Vec<(usize, String)> = names(unknown.server.as_deref())
        .into_iter()
        .map(|known| (distance(&known), known))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    let of_flag = of_flag(name.rsplit('.').next().unwrap_or(&name));
    if let (Some(key), None, true) = (of_flag, &unknown.server, found.is_empty()) {
        return vec![key.to_string()];
    }
    found.sort();
    found.truncate(SIMILAR_KEYS);
    found.into_iter().map(|(_, known)| known).collect()
}
