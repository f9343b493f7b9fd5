//! The packages that are read, and patterns for their files.
//!
//! There are two sets: tuning packages, with which the scanner was improved, and held-out packages,
//! which are only for measurements. No package is in both sets. Versions are pinned, so that results
//! can be compared. For Debian, the version is the upstream one.

use std::fmt;

/// A list of packages: after a line with the names of the columns, the language, registry, name and
/// version of each package, and a glob pattern of the files that are read.
type List = &'static str;

/// Held-out packages.
const CHECK: List = include_str!("packages/check.tsv");

/// Tuning packages with which the scanner was first tested.
const TUNE: List = include_str!("packages/tune.tsv");

/// Tuning packages that revealed defects of the scanner.
const MEND: List = include_str!("packages/mend.tsv");

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

    /// The registry with this name.
    fn named(name: &str) -> Self {
        let all = [Self::Crates, Self::Npm, Self::Pypi, Self::Debian];
        all.into_iter()
            .find(|registry| registry.name() == name)
            .unwrap_or_else(|| panic!("a list of packages names the unknown registry {name}"))
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
        let same = |other: &Self| {
            (other.registry, other.name, other.version) == (self.registry, self.name, self.version)
        };
        let mut patterns: Vec<_> = [CHECK, TUNE, MEND]
            .into_iter()
            .flat_map(listed)
            .filter(|(_, package)| same(package))
            .map(|(_, package)| package.files)
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

/// The packages of a list, each with its language.
fn listed(list: List) -> impl Iterator<Item = (&'static str, Package)> {
    list.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [language, registry, name, version, files] = columns[..] else {
            panic!("a list of packages has a line without five columns: {line}");
        };
        let package = Package {
            registry: Registry::named(registry),
            name,
            version,
            files,
        };
        (language, package)
    })
}

/// The packages of a language: the tuning packages if `tune` is set, the held-out ones otherwise.
pub fn of(language: &str, tune: bool) -> Vec<Package> {
    let lists: &[List] = if tune { &[TUNE, MEND] } else { &[CHECK] };
    lists
        .iter()
        .flat_map(|list| listed(list))
        .filter(|(of, _)| *of == language)
        .map(|(_, package)| package)
        .collect()
}
