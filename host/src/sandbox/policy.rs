//! The access policy of a reader: roots, deny rules, and the limit on the size of files.

use super::root::{PolicyError, Root};
use super::rules::Rules;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// What denies a hidden directory, as the rule that messages name.
const HIDDEN: &str = "the directory of the session";

/// The access policy of a reader. The default policy has no roots and allows nothing.
#[derive(Debug, Default)]
pub struct Policy {
    roots: Vec<Root>,
    /// The directories that only internal URLs read.
    mounts: Arc<[Mount]>,
    /// The roots and mounts to which the rules are relative. All `roots` are in them.
    granted: Arc<[Root]>,
    rules: Option<Arc<Rules>>,
    /// The real paths of directories in which nothing is read, whatever the rules are.
    hidden: Arc<[PathBuf]>,
    /// Whether a root or mount overlaps with one of them.
    is_hiding: bool,
    max_file_size: Option<u64>,
}

/// A directory that is mounted for a scheme: only internal URLs of the scheme, such as
/// `skill://name`, read its files.
#[derive(Clone, Debug)]
pub struct Mount {
    /// The scheme in lower case, without `://`.
    pub scheme: String,
    /// The directory, under its real path.
    pub(crate) root: Root,
}

impl Mount {
    /// The name under which the reader gets the directory.
    pub(crate) fn name(&self) -> String {
        format!("{}://{}", self.scheme, self.root.name)
    }
}

impl Policy {
    /// Creates a policy with these roots, deny rules and limit on the size of files. [`Rules`]
    /// describes the rules.
    ///
    /// # Errors
    /// Fails if a root or mount cannot be opened, a rule is not a valid pattern, or a rule denies nothing
    /// because its path is outside the roots and mounts.
    pub fn new(
        roots: &[PathBuf],
        mounts: &[(String, PathBuf)],
        rules: &[String],
        max_file_size: Option<u64>,
    ) -> Result<Self, PolicyError> {
        let opened: Result<Vec<_>, _> = roots.iter().map(|root| Root::open(root)).collect();
        let roots: Vec<Root> = opened?.into_iter().flatten().collect();
        let mounts = mounts.iter().map(|(scheme, directory)| {
            // The last name is the real path.
            let wrong = |error: PolicyError| error.of_mount(scheme);
            let root = Root::open(directory).map_err(wrong)?.pop();
            let root = root.ok_or_else(|| wrong(PolicyError::Name(directory.clone())))?;
            let scheme = scheme.clone();
            Ok(Mount { scheme, root })
        });
        let mounts = mounts.collect::<Result<Vec<_>, PolicyError>>()?;
        let mounted = mounts.iter().map(|mount| mount.root.clone());
        let granted: Arc<[Root]> = roots.iter().cloned().chain(mounted).collect();
        let rules = match rules {
            [] => None,
            rules => Some(Arc::new(Rules::new(rules, &granted)?)),
        };
        Ok(Self {
            granted,
            mounts: mounts.into(),
            roots,
            rules,
            hidden: Arc::default(),
            is_hiding: false,
            max_file_size,
        })
    }

    /// A policy that allows only what is in these directories and in the roots of this policy. Deny
    /// rules stay relative to the roots of this policy. Directories that cannot be opened are left
    /// out.
    pub fn narrowed(&self, directories: &[PathBuf]) -> Self {
        let mut roots: Vec<Root> = Vec::new();
        for opened in directories.iter().filter_map(|path| Root::open(path).ok()) {
            for root in opened {
                if self.contains(&root.real) {
                    roots.push(root);
                } else {
                    let inside = self.roots.iter();
                    roots.extend(
                        inside
                            .filter(|own| own.real.starts_with(&root.real))
                            .cloned(),
                    );
                }
            }
        }
        Self {
            roots: distinct(roots),
            granted: Arc::clone(&self.granted),
            mounts: Arc::clone(&self.mounts),
            rules: self.rules.clone(),
            hidden: Arc::clone(&self.hidden),
            is_hiding: false,
            max_file_size: self.max_file_size,
        }
        .checked()
    }

    /// A policy that allows what is in these directories, in place of the roots of this policy. Deny
    /// rules are relative to the roots of both. Directories that cannot be opened are left out.
    pub fn with_roots(&self, directories: &[PathBuf]) -> Self {
        let opened = directories.iter().filter_map(|path| Root::open(path).ok());
        let roots = distinct(opened.flatten().collect());
        let granted = self.granted.iter().chain(&roots).cloned().collect();
        Self {
            granted,
            mounts: Arc::clone(&self.mounts),
            roots,
            rules: self.rules.clone(),
            hidden: Arc::clone(&self.hidden),
            is_hiding: false,
            max_file_size: self.max_file_size,
        }
        .checked()
    }

    /// A policy that also denies this directory, which has its real path, and everything beneath it.
    pub fn hiding(&self, directory: PathBuf) -> Self {
        let mut hidden = self.hidden.to_vec();
        if !hidden.contains(&directory) {
            hidden.push(directory);
        }
        Self {
            granted: Arc::clone(&self.granted),
            mounts: Arc::clone(&self.mounts),
            roots: self.roots.clone(),
            rules: self.rules.clone(),
            hidden: hidden.into(),
            is_hiding: false,
            max_file_size: self.max_file_size,
        }
        .checked()
    }

    /// The same, after its roots or hidden directories have changed.
    fn checked(mut self) -> Self {
        let mut hidden = self.hidden.iter();
        self.is_hiding = hidden.any(|directory| {
            let mounts = self.mounts.iter().map(|mount| &mount.root);
            let mut own = self.roots.iter().chain(mounts);
            own.any(|root| directory.starts_with(&root.real) || root.real.starts_with(directory))
        });
        self
    }

    /// Whether this directory, which has its real path, is hidden.
    pub(crate) fn is_hidden(&self, directory: &Path) -> bool {
        self.hidden.iter().any(|own| own == directory)
    }

    /// The roots: the directories that reads may access. A root that has two paths, because a
    /// symlink leads to it, occurs once for each.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The directories that are mounted for schemes.
    pub fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    /// Whether there are deny rules, or hidden directories that reads could reach.
    pub(crate) fn has_rules(&self) -> bool {
        self.rules.is_some() || self.is_hiding
    }

    /// The refusal of a real path in a hidden directory.
    fn hides(&self, real: &Path) -> Option<Refusal> {
        let mut hidden = self.hidden.iter();
        let is_hidden = hidden.any(|directory| real.starts_with(directory));
        is_hidden.then(|| Refusal::Denied(HIDDEN.to_owned()))
    }

    /// The refusal of a real path, if a rule denies the path itself or a directory above it. If
    /// there are rules, a path outside the roots is refused too.
    pub(crate) fn denied(&self, real: &Path) -> Option<Refusal> {
        if let Some(refusal) = self.hides(real) {
            return Some(refusal);
        }
        let rules = self.rules.as_ref()?;
        let mut inside = false;
        for (root, path) in within(&self.granted, real) {
            inside = true;
            if let Some(rule) = rules.deny(root, path) {
                return Some(Refusal::Denied(rule));
            }
        }
        // The rules were compiled for the previous path of a root that was moved.
        (!inside).then(|| Refusal::Denied("a directory that is no longer where it was".to_owned()))
    }

    /// The refusal of a path, if a rule denies the path itself. Directories above it are not
    /// checked, because the caller has checked them. `None` for a path outside the roots, which is
    /// never read.
    pub(crate) fn denied_entry(&self, real: &Path) -> Option<Refusal> {
        if let Some(refusal) = self.hides(real) {
            return Some(refusal);
        }
        let rules = self.rules.as_ref()?;
        within(&self.granted, real)
            .find_map(|(root, path)| rules.deny_entry(root, path))
            .map(Refusal::Denied)
    }

    /// Whether a rule may deny members of archives.
    pub(crate) fn denies_members(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.have_names())
    }

    /// The rule that denies a member of an archive, if there is one. Only rules without a slash
    /// apply, because the others are paths relative to a root.
    pub(crate) fn denied_member(&self, name: &str) -> Option<String> {
        self.rules.as_ref()?.deny_member(name)
    }

    /// Whether a real path is in a root.
    pub(crate) fn contains(&self, real: &Path) -> bool {
        within(&self.roots, real).next().is_some()
    }

    /// Whether a real path is in a root or mount.
    pub(crate) fn reaches(&self, real: &Path) -> bool {
        let mut mounts = self.mounts.iter();
        self.contains(real) || mounts.any(|mount| real.starts_with(&mount.root.real))
    }

    /// The refusal of a file of this size, if it is too large.
    pub(crate) fn oversized(&self, size: u64) -> Option<Refusal> {
        self.max_file_size
            .filter(|limit| size > *limit)
            .map(Refusal::Size)
    }
}

/// The roots without those whose name occurs before.
fn distinct(mut roots: Vec<Root>) -> Vec<Root> {
    let mut names = HashSet::new();
    roots.retain(|root| names.insert(root.name.clone()));
    roots
}

/// The real path of each root that contains a path, and the path relative to it.
fn within<'p>(roots: &'p [Root], real: &'p Path) -> impl Iterator<Item = (&'p Path, &'p Path)> {
    roots.iter().enumerate().filter_map(move |(index, root)| {
        // The names of one root are adjacent.
        let before = index.checked_sub(1).and_then(|index| roots.get(index));
        if before.is_some_and(|before| before.real == root.real) {
            return None;
        }
        let path = real.strip_prefix(&root.real).ok()?;
        Some((root.real.as_path(), path))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn narrowed_policy_allows_only_common_parts() {
        let directory =
            std::env::temp_dir().join(format!("omniread-narrow-{}", std::process::id()));
        let path = |name: &str| directory.join(name);
        fs::create_dir_all(path("granted/part/secrets")).unwrap();
        fs::create_dir_all(path("other")).unwrap();
        let rules = ["/part/secrets".to_owned()];
        let policy = Policy::new(&[path("granted")], &[], &rules, None).unwrap();

        let part = policy.narrowed(&[path("granted/part"), path("missing")]);
        assert!(part.contains(&path("granted/part/a")));
        assert!(!part.contains(&path("granted/a")));
        // The rule is still relative to the granted root.
        assert!(part.denied(&path("granted/part/secrets/a")).is_some());

        let larger = policy.narrowed(std::slice::from_ref(&directory));
        assert!(larger.contains(&path("granted/a")));
        assert!(!larger.contains(&path("other/a")));

        let apart = policy.narrowed(&[path("other")]);
        assert!(apart.roots().is_empty());

        let replaced = policy.with_roots(&[path("granted/part"), path("other")]);
        assert!(replaced.contains(&path("other/a")));
        assert!(!replaced.contains(&path("granted/a")));
        // The rule is relative to the granted root, and to the new ones.
        assert!(replaced.denied(&path("granted/part/secrets/a")).is_some());
        assert!(replaced.denied(&path("other/part/secrets")).is_some());
        assert!(replaced.denied(&path("other/a")).is_none());
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn hidden_directory_is_denied_whatever_the_roots_and_rules_are() {
        let directory = std::env::temp_dir().join(format!("omniread-hide-{}", std::process::id()));
        fs::create_dir_all(directory.join("state")).unwrap();
        fs::create_dir_all(directory.join("statement")).unwrap();
        let directory = directory.canonicalize().unwrap();
        let (roots, state) = (std::slice::from_ref(&directory), directory.join("state"));
        for rules in [vec![], vec!["!state".to_owned(), "!state/**".to_owned()]] {
            let policy = Policy::new(roots, &[], &rules, None).unwrap();
            assert!(policy.denied(&state.join("session.db")).is_none());
            let policy = policy.hiding(state.clone());
            for policy in [
                policy.narrowed(std::slice::from_ref(&state)),
                policy.with_roots(std::slice::from_ref(&state)),
                policy,
            ] {
                assert!(policy.has_rules());
                for path in [state.clone(), state.join("session.db"), state.join("a/b")] {
                    assert!(policy.denied(&path).is_some(), "{path:?}");
                    assert!(policy.denied_entry(&path).is_some(), "{path:?}");
                }
                assert!(policy.denied(&directory.join("statement/a")).is_none());
            }
        }
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn absolute_rule_applies_in_its_own_directory_only() {
        let directory = std::env::temp_dir().join(format!("omniread-own-{}", std::process::id()));
        let path = |name: &str| directory.join(name);
        for name in ["root", "one", "two"] {
            fs::create_dir_all(path(name).join("sub")).unwrap();
        }
        let directory = directory.canonicalize().unwrap();
        let path = |name: &str| directory.join(name);
        let policy = |rules: &[String]| {
            let mounts = ["one", "two"].map(|name| ("docs".to_owned(), path(name)));
            Policy::new(&[path("root")], &mounts, rules, None).unwrap()
        };
        let rule = path("one/sub/*.pem").display().to_string();
        let denied = policy(std::slice::from_ref(&rule));
        for (file, is_denied) in [
            ("one/sub/a.pem", true),
            ("one/sub/a.md", false),
            ("two/sub/a.pem", false),
            ("root/sub/a.pem", false),
        ] {
            assert_eq!(denied.denied(&path(file)).is_some(), is_denied, "{file}");
            assert_eq!(
                denied.denied_entry(&path(file)).is_some(),
                is_denied,
                "{file}"
            );
        }
        // An exception for one directory does not allow the path in another.
        let excepted = policy(&["*.pem".to_owned(), format!("!{rule}")]);
        assert!(excepted.denied(&path("one/sub/a.pem")).is_none());
        assert!(excepted.denied(&path("two/sub/a.pem")).is_some());
        fs::remove_dir_all(&directory).unwrap();
    }
}
