//! The packages that are read, and patterns for their files.
//!
//! There are two sets: tuning packages, with which the scanner was improved, and held-out packages,
//! which are only for measurements. No package is in both sets. Versions are pinned, so that results
//! can be compared. For Debian, the version is the upstream one.

mod check;
mod mend;
mod tune;

use std::fmt;

/// The language, registry, name and version of a package, and a glob pattern of the files that are
/// read.
type Row = (
    &'static str,
    Registry,
    &'static str,
    &'static str,
    &'static str,
);

/// The registry that publishes a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registry {
    Crates,
    Npm,
    Pypi,
    Debian,
}

impl Registry {
    /// The name of the directory for the registry in the cache of downloaded packages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crates => "crates",
            Self::Npm => "npm",
            Self::Pypi => "pypi",
            Self::Debian => "debian",
        }
    }
}

/// A package, and a pattern of its files.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    pub registry: Registry,
    pub name: &'static str,
    pub version: &'static str,
    /// A glob pattern of the files that are read.
    pub files: &'static str,
}

impl Package {
    /// The name of the directory for the package in the cache of downloaded packages.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version).replace('/', "__")
    }

    /// The patterns of the files of the package that are read for any language.
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

/// The packages of a language: the tuning packages if `tune` is set, the held-out ones otherwise.
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
