//! What may be reached: roots, deny rules, and the size of files.

use super::rules::Rules;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory that may be read, held open.
#[derive(Debug)]
pub struct Root {
    /// Its absolute path, as it was given.
    pub name: String,
    /// Its real path, without links.
    pub real: PathBuf,
    pub(crate) handle: Arc<File>,
}

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

/// A policy that cannot be.
#[derive(Debug)]
pub enum PolicyError {
    /// A root that cannot be opened.
    Root(PathBuf, io::Error),
    /// A root whose path is not UTF-8.
    Name(PathBuf),
    /// A deny rule that is not a pattern, or that denies nothing.
    Rule(String, String),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(path, error) => {
                write!(f, "cannot use `{}` as a root: {error}", path.display())
            }
            Self::Name(path) => write!(
                f,
                "cannot use `{}` as a root: its path is not UTF-8",
                path.display()
            ),
            Self::Rule(rule, error) => write!(f, "cannot use `{rule}` as a deny rule: {error}"),
        }
    }
}

impl std::error::Error for PolicyError {}

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
        let mut policy = Self {
            max_file_size,
            ..Self::default()
        };
        for root in roots {
            policy.add_root(root)?;
        }
        if !rules.is_empty() {
            policy.rules = Some(Rules::new(rules, &policy.roots)?);
        }
        Ok(policy)
    }

    /// Opens a root. One that is reached through links is known by its real
    /// path as well, since that is what absolute links in it say.
    fn add_root(&mut self, path: &Path) -> Result<(), PolicyError> {
        let failed = |error| PolicyError::Root(path.to_owned(), error);
        let typed = std::path::absolute(path).map_err(failed)?;
        let real = path.canonicalize().map_err(failed)?;
        let mut names = vec![lexically_clean(&typed)];
        if names.first() != Some(&real) {
            names.push(real.clone());
        }
        let handle = open_directory(&real).map_err(failed)?;
        if !handle.metadata().map_err(failed)?.is_dir() {
            return Err(failed(io::ErrorKind::NotADirectory.into()));
        }
        let handle = Arc::new(handle);
        for name in names {
            let name = name
                .into_os_string()
                .into_string()
                .map_err(|name| PolicyError::Name(name.into()))?;
            self.roots.push(Root {
                name,
                real: real.clone(),
                handle: Arc::clone(&handle),
            });
        }
        Ok(())
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
    pub(crate) fn denied_entry(&self, real: &Path, directory: Option<bool>) -> Option<Refusal> {
        let rules = self.rules.as_ref()?;
        self.in_roots(real)
            .find_map(|path| rules.deny_entry(path, directory))
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

/// Opens a directory. A pipe under that name is refused at once: opening it would
/// wait for a writer.
fn open_directory(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = OFlags::DIRECTORY | OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        // FILE_FLAG_BACKUP_SEMANTICS: without it, no directory can be opened.
        options.custom_flags(0x0200_0000);
    }
    options.open(path)
}

/// A path without `.` and `..`, as the reader sees paths.
pub fn lexically_clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            std::path::Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn root_that_is_a_pipe_is_refused_at_once() {
        let pipe = std::env::temp_dir().join(format!("omniread-root-{}", std::process::id()));
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let error = Policy::new(std::slice::from_ref(&pipe), &[], None).unwrap_err();
        std::fs::remove_file(&pipe).unwrap();
        assert!(
            matches!(&error, PolicyError::Root(_, error) if error.kind() == io::ErrorKind::NotADirectory),
            "{error}"
        );
    }
}
