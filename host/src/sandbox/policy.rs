//! What may be reached: roots, deny rules, and the size of files.

use super::root::{PolicyError, Root};
use super::rules::Rules;
use std::path::{Path, PathBuf};

/// Why the host refused a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The deny rule, as it was written.
    Denied(String),
    /// The limit on the size of files, in bytes.
    Size(u64),
    /// There are deny rules, and the name of what was opened cannot be
    /// established. Holds why.
    Unverified(&'static str),
    /// The operating system has no more of something. Holds of what.
    Unavailable(&'static str),
}

/// What may be reached. Nothing, until roots are added.
#[derive(Debug, Default)]
pub struct Policy {
    roots: Vec<Root>,
    rules: Option<Rules>,
    max_file_size: Option<u64>,
}

impl Policy {
    /// A policy with these roots, deny rules and limit on the size of files.
    /// [`Rules`] describes the rules.
    ///
    /// # Errors
    /// If a root cannot be opened, a rule is not a pattern, or a rule denies
    /// nothing because its path is outside the roots.
    pub fn new(
        roots: &[PathBuf],
        rules: &[String],
        max_file_size: Option<u64>,
    ) -> Result<Self, PolicyError> {
        let opened: Result<Vec<_>, _> = roots.iter().map(|root| Root::open(root)).collect();
        let roots: Vec<Root> = opened?.into_iter().flatten().collect();
        let rules = match rules {
            [] => None,
            rules => Some(Rules::new(rules, &roots)?),
        };
        Ok(Self {
            roots,
            rules,
            max_file_size,
        })
    }

    /// The roots, each under every name it is known by.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Whether there are deny rules.
    pub(crate) fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The rule that denies a real path: one that matches the path itself or a
    /// directory above it.
    pub(crate) fn denied(&self, real: &Path) -> Option<Refusal> {
        let rules = self.rules.as_ref()?;
        let mut inside = false;
        for path in self.in_roots(real) {
            inside = true;
            if let Some(rule) = rules.deny(path) {
                return Some(Refusal::Denied(rule));
            }
        }
        // A root that was moved is not where its rules were made for.
        (!inside).then(|| Refusal::Denied("a root that is no longer where it was".to_owned()))
    }

    /// The rule that denies an entry of a directory which no rule denies. `None`
    /// for a path outside the roots, which is not read in any case.
    pub(crate) fn denied_entry(&self, real: &Path) -> Option<Refusal> {
        let rules = self.rules.as_ref()?;
        self.in_roots(real)
            .find_map(|path| rules.deny_entry(path))
            .map(Refusal::Denied)
    }

    /// Whether a rule may deny members of archives.
    pub(crate) fn denies_members(&self) -> bool {
        self.rules.as_ref().is_some_and(Rules::have_names)
    }

    /// The rule that denies a member of an archive. Only rules without a slash
    /// apply: the others name paths in a root.
    pub(crate) fn denied_member(&self, name: &str) -> Option<String> {
        self.rules.as_ref()?.deny_member(name)
    }

    /// Whether a real path is in a root.
    pub(crate) fn contains(&self, real: &Path) -> bool {
        self.in_roots(real).next().is_some()
    }

    /// A real path as it is in each root that contains it.
    fn in_roots<'p>(&'p self, real: &'p Path) -> impl Iterator<Item = &'p Path> {
        let roots = self.roots.iter().enumerate();
        roots.filter_map(move |(index, root)| {
            // The names of one root follow each other.
            let before = index.checked_sub(1).and_then(|index| self.roots.get(index));
            if before.is_some_and(|before| before.real == root.real) {
                return None;
            }
            real.strip_prefix(&root.real).ok()
        })
    }

    /// Whether a file of this size is too large.
    pub(crate) fn oversized(&self, size: u64) -> Option<Refusal> {
        self.max_file_size
            .filter(|limit| size > *limit)
            .map(Refusal::Size)
    }
}
