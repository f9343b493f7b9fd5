//! The access policy of a reader: roots, deny rules, and the limit on the size of files.

use super::root::{PolicyError, Root};
use super::rules::Rules;
use std::path::{Path, PathBuf};

/// The reason why the host refused a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A deny rule forbids the access. Contains the rule as it was written.
    Denied(String),
    /// The file is larger than the limit on the size of files. Contains the limit in bytes.
    Size(u64),
    /// The path of the opened file cannot be determined, so the deny rules cannot be checked.
    /// Contains the reason.
    Unverified(&'static str),
    /// The operating system has run out of a resource. Contains a message about it.
    Unavailable(&'static str),
}

/// The access policy of a reader. The default policy has no roots and allows nothing.
#[derive(Debug, Default)]
pub struct Policy {
    roots: Vec<Root>,
    rules: Option<Rules>,
    max_file_size: Option<u64>,
}

impl Policy {
    /// Creates a policy with these roots, deny rules and limit on the size of files. [`Rules`]
    /// describes the rules.
    ///
    /// # Errors
    /// Fails if a root cannot be opened, a rule is not a valid pattern, or a rule denies nothing
    /// because its path is outside the roots.
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

    /// The roots: the directories that reads may access. A root that has two paths, because a
    /// symlink leads to it, occurs once for each.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Whether there are deny rules.
    pub(crate) fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The refusal of a real path, if a rule denies the path itself or a directory above it. If
    /// there are rules, a path outside the roots is refused too.
    pub(crate) fn denied(&self, real: &Path) -> Option<Refusal> {
        let rules = self.rules.as_ref()?;
        let mut inside = false;
        for path in self.in_roots(real) {
            inside = true;
            if let Some(rule) = rules.deny(path) {
                return Some(Refusal::Denied(rule));
            }
        }
        // The rules were compiled for the previous path of a root that was moved.
        (!inside).then(|| Refusal::Denied("a root that is no longer where it was".to_owned()))
    }

    /// The refusal of a path, if a rule denies the path itself. Directories above it are not
    /// checked, because the caller has checked them. `None` for a path outside the roots, which is
    /// never read.
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

    /// The rule that denies a member of an archive, if there is one. Only rules without a slash
    /// apply, because the others are paths relative to a root.
    pub(crate) fn denied_member(&self, name: &str) -> Option<String> {
        self.rules.as_ref()?.deny_member(name)
    }

    /// Whether a real path is in a root.
    pub(crate) fn contains(&self, real: &Path) -> bool {
        self.in_roots(real).next().is_some()
    }

    /// The path relative to each root that contains it.
    fn in_roots<'p>(&'p self, real: &'p Path) -> impl Iterator<Item = &'p Path> {
        let roots = self.roots.iter().enumerate();
        roots.filter_map(move |(index, root)| {
            // The names of one root are adjacent.
            let before = index.checked_sub(1).and_then(|index| self.roots.get(index));
            if before.is_some_and(|before| before.real == root.real) {
                return None;
            }
            real.strip_prefix(&root.real).ok()
        })
    }

    /// The refusal of a file of this size, if it is too large.
    pub(crate) fn oversized(&self, size: u64) -> Option<Refusal> {
        self.max_file_size
            .filter(|limit| size > *limit)
            .map(Refusal::Size)
    }
}
