//! What may be reached: roots, deny rules, and the size of files.

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::fmt;
use std::fs::File;
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

/// A rule of the policy that refused a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The deny rule, as it was written.
    Denied(String),
    /// The limit on the size of files, in bytes.
    Size(u64),
}

/// What may be reached. Nothing, until roots are added.
#[derive(Debug, Default)]
pub struct Policy {
    roots: Vec<Root>,
    deny: Option<Gitignore>,
    max_file_size: Option<u64>,
}

/// A policy that cannot be.
#[derive(Debug)]
pub enum PolicyError {
    /// A root that cannot be opened.
    Root(PathBuf, io::Error),
    /// A root whose path is not UTF-8.
    Name(PathBuf),
    /// A deny rule that is no pattern.
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
            Self::Rule(rule, error) => write!(f, "`{rule}` is no deny rule: {error}"),
        }
    }
}

impl std::error::Error for PolicyError {}

impl Policy {
    /// A policy with these roots, deny rules and limit on the size of files.
    ///
    /// Deny rules are patterns as in `.gitignore`, relative to each root:
    /// `.env` denies that name anywhere, `/keys/` a folder of the root,
    /// `*.pem` an ending. What lies in a denied folder is denied.
    ///
    /// # Errors
    /// If a root cannot be opened or a rule is no pattern.
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
            policy.deny = Some(policy.matcher(rules)?);
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
        let handle = File::open(&real).map_err(failed)?;
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
        self.deny.is_some()
    }

    /// The rule that denies a real path.
    pub(crate) fn denied(&self, real: &Path) -> Option<Refusal> {
        let deny = self.deny.as_ref()?;
        let mut inside = false;
        for root in &self.roots {
            let Ok(path) = real.strip_prefix(&root.real) else {
                continue;
            };
            inside = true;
            // From the top, so that nothing in a denied folder is let through
            // again.
            let above = path.ancestors().skip(1).collect::<Vec<_>>();
            let folders = above.into_iter().rev().map(|folder| (folder, true));
            // Rules for folders end in a slash; whether the last part is one
            // is not known here, so it is taken for both.
            for (path, directory) in folders.chain([(path, false), (path, true)]) {
                if let ignore::Match::Ignore(rule) = deny.matched(path, directory) {
                    return Some(Refusal::Denied(rule.original().to_owned()));
                }
            }
        }
        // A root that was moved is not where its rules were made for.
        (!inside).then(|| Refusal::Denied("a root that is no longer where it was".to_owned()))
    }

    /// The rules, made relative to the roots.
    fn matcher(&self, rules: &[String]) -> Result<Gitignore, PolicyError> {
        let mut builder = GitignoreBuilder::new("");
        // Where names differ by case only, they name the same secret.
        let _ = builder.case_insensitive(true);
        for rule in rules {
            let wrong = |error: String| PolicyError::Rule(rule.clone(), error);
            let relative = self.relative(rule).map_err(|why| wrong(why.to_owned()))?;
            if relative.trim_matches(['!', '/', ' ']).is_empty() {
                return Err(wrong("it names nothing".to_owned()));
            }
            let plain = relative.replace("\\[", "");
            if plain.rfind('[') > plain.rfind(']') {
                return Err(wrong("a `[` is not closed".to_owned()));
            }
            builder
                .add_line(None, &relative)
                .map_err(|error| wrong(error.to_string()))?;
        }
        builder
            .build()
            .map_err(|error| PolicyError::Rule(rules.join(", "), error.to_string()))
    }

    /// A rule as it is matched: a path inside a root is relative to that root,
    /// whatever way it is spelled, and nothing is a comment.
    fn relative(&self, rule: &str) -> Result<String, &'static str> {
        let rule = rule.trim();
        if rule.contains(['\n', '\r', '\0']) {
            return Err("it has more than one line");
        }
        if rule.contains("://") {
            return Err("it is a URL, not a path");
        }
        let (not, body) = match rule.strip_prefix('!') {
            Some(body) => ("!", body),
            None => ("", rule),
        };
        let folder = if body.len() > 1 && body.ends_with('/') {
            "/"
        } else {
            ""
        };
        let unclean = body
            .trim_matches('/')
            .split('/')
            .any(|part| matches!(part, "" | "." | ".."))
            && !body.trim_matches('/').is_empty();
        let absolute = if unclean && !body.starts_with('/') {
            let first = self
                .roots
                .first()
                .ok_or("there is no root that it is relative to")?;
            lexically_clean(&Path::new(&first.name).join(body))
        } else {
            lexically_clean(Path::new(body))
        };
        let inside = self.roots.iter().find_map(|root| {
            let rest = absolute
                .strip_prefix(&root.name)
                .or_else(|_| absolute.strip_prefix(&root.real));
            rest.ok().and_then(Path::to_str).map(str::to_owned)
        });
        Ok(match inside {
            // The root itself: everything in it.
            Some(rest) if rest.is_empty() => format!("{not}/*"),
            Some(rest) => format!("{not}/{rest}{folder}"),
            None if unclean && !body.starts_with('/') => return Err("it leads out of the roots"),
            None if unclean => format!("{not}{}{folder}", absolute.display()),
            None if rule.starts_with('#') => format!("\\{rule}"),
            None => rule.to_owned(),
        })
    }

    /// Whether a file of this size is too large.
    pub(crate) fn oversized(&self, size: u64) -> Option<Refusal> {
        self.max_file_size
            .filter(|limit| size > *limit)
            .map(Refusal::Size)
    }
}

/// A path without `.` and `..`, as the reader sees paths.
fn lexically_clean(path: &Path) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn denied(rules: &[&str], path: &str) -> Option<String> {
        let root = std::env::temp_dir().canonicalize().unwrap();
        let rules: Vec<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
        let policy = Policy::new(std::slice::from_ref(&root), &rules, None).unwrap();
        match policy.denied(&root.join(path)) {
            Some(Refusal::Denied(rule)) => Some(rule),
            _ => None,
        }
    }

    #[test]
    fn rules_are_those_of_gitignore() {
        for (rule, path, denies) in [
            (".env", ".env", true),
            (".env", "a/b/.env", true),
            (".env", ".ENV", true),
            (".env", ".envrc", false),
            ("*.pem", "a/key.pem", true),
            ("/keys/", "keys/a/b", true),
            ("/keys/", "keys", true),
            ("/keys/", "a/keys/b", false),
            ("secrets/**", "secrets/a", true),
            ("secrets/**", "other", false),
            ("./.env", ".env", true),
            ("./.env", "a/.env", false),
            (" .env", ".env", true),
            ("#keys#", "#keys#", true),
        ] {
            assert_eq!(denied(&[rule], path).is_some(), denies, "{rule} {path}");
        }
        assert_eq!(denied(&["*.key", "!pub.key"], "pub.key"), None);
        assert!(denied(&["/keys/", "!*.pub"], "keys/a.pub").is_some());
        assert!(denied(&["sub/", "!sub/.env"], "sub/.env").is_some());
        assert!(denied(&["\\[x"], "[x").is_some());
    }

    #[test]
    fn rules_may_be_absolute() {
        let root = std::env::temp_dir().canonicalize().unwrap();
        let rule = root.join(".env").display().to_string();
        assert!(denied(&[&rule], ".env").is_some());
        assert!(denied(&[&rule], "a/.env").is_none());
        for rule in [
            "sub//.env",
            "./sub/./.env",
            "sub/x/../.env",
            "./sub/../sub/.env",
        ] {
            assert!(denied(&[rule], "sub/.env").is_some(), "{rule}");
        }
        for rule in [root.display().to_string(), ".".to_owned(), "./".to_owned()] {
            assert!(denied(&[&rule], "anything").is_some(), "{rule}");
        }
    }

    #[test]
    fn a_rule_that_is_none_is_named() {
        for rule in [
            "a{",
            "a[",
            "[",
            "",
            " ",
            "!",
            "/",
            "../x",
            "a\nb",
            "file:///a",
        ] {
            let error = Policy::new(&[], &[rule.to_owned()], None).unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("`{rule}` is no deny rule")),
                "{error}"
            );
        }
    }
}
