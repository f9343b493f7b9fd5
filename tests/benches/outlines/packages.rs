//! Which packages are read, and which of their files.
//!
//! A name belongs to one set only, and no file is in both. Versions are pinned,
//! so that numbers can be compared. What Debian calls a version is that of the
//! sources alone, without what it adds for its own changes.

mod check;
mod mend;
mod tune;

use std::fmt;

/// Language, registry, name, version, and the files that count.
type Row = (
    &'static str,
    Registry,
    &'static str,
    &'static str,
    &'static str,
);

/// Where a package comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registry {
    Crates,
    Npm,
    Pypi,
    Debian,
}

impl Registry {
    /// The name of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crates => "crates",
            Self::Npm => "npm",
            Self::Pypi => "pypi",
            Self::Debian => "debian",
        }
    }
}

/// A package, and the files of it that count.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    pub registry: Registry,
    pub name: &'static str,
    pub version: &'static str,
    /// A pattern.
    pub files: &'static str,
}

impl Package {
    /// The name of its files and folders.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version).replace('/', "__")
    }

    /// The patterns of all languages that take files of it.
    pub fn patterns(&self) -> Vec<&'static str> {
        let rows = [check::CHECK, check::web::WEB, tune::TUNE, mend::MEND];
        let mut patterns: Vec<_> = rows
            .into_iter()
            .flatten()
            .filter(|row| (row.1, row.2, row.3) == (self.registry, self.name, self.version))
            .map(|row| row.4)
            .chain([self.files])
            .collect();
        patterns.sort_unstable();
        patterns.dedup();
        patterns
    }
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let registry = self.registry.name();
        write!(f, "{} {} ({registry})", self.name, self.version)
    }
}

/// The packages of a language: those that the scanner was made with, or those
/// that it never saw.
pub fn of(language: &str, tune: bool) -> Vec<Package> {
    let rows: &[&[Row]] = if tune {
        &[tune::TUNE, mend::MEND]
    } else {
        &[check::CHECK, check::web::WEB]
    };
    rows.iter()
        .copied()
        .flatten()
        .filter(|row| row.0 == language)
        .map(|&(_, registry, name, version, files)| Package {
            registry,
            name,
            version,
            files,
        })
        .collect()
}
