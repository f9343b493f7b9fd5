//! Deny rules: patterns as in `.gitignore`, relative to each root.
//!
//! `.env` denies that name anywhere, `/keys/` a directory of the root, `*.pem`
//! an ending. What is in a denied directory is denied. A rule without a slash
//! also denies members of archives by that name.

use super::policy::{PolicyError, Root, lexically_clean};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// Deny rules, compiled once.
pub struct Rules {
    all: Gitignore,
    /// The rules without a slash, except at their end.
    names: Gitignore,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("all", &self.all.len())
            .field("names", &self.names.len())
            .finish()
    }
}

impl Rules {
    /// Compiles rules for these roots.
    ///
    /// # Errors
    /// The first rule that is not a pattern, or that denies nothing because its
    /// path is outside the roots.
    pub fn new(rules: &[String], roots: &[Root]) -> Result<Self, PolicyError> {
        let mut all = builder();
        let mut names = builder();
        for rule in rules {
            let wrong = |error: String| PolicyError::Rule(rule.clone(), error);
            let relative = relative(rule, roots).map_err(wrong)?;
            if relative.trim_matches(['!', '/', ' ']).is_empty() {
                return Err(wrong("it names nothing".to_owned()));
            }
            let plain = relative.replace("\\[", "");
            if plain.rfind('[') > plain.rfind(']') {
                return Err(wrong("a `[` is not closed".to_owned()));
            }
            let compile = |builder: &mut GitignoreBuilder| {
                builder
                    .add_line(None, &relative)
                    .map(|_| ())
                    .map_err(|error| wrong(error.to_string()))
            };
            compile(&mut all)?;
            let path = relative.strip_prefix('!').unwrap_or(&relative);
            if !path.strip_suffix('/').unwrap_or(path).contains('/') {
                compile(&mut names)?;
            }
        }
        let build = |builder: GitignoreBuilder| {
            let failed = |error: ignore::Error| error.to_string();
            builder
                .build()
                .map_err(|error| PolicyError::Rule(rules.join(", "), failed(error)))
        };
        Ok(Self {
            all: build(all)?,
            names: build(names)?,
        })
    }

    /// The rule that denies a path, relative to a root: one that matches the
    /// path or a directory above it.
    pub fn deny(&self, path: &Path) -> Option<String> {
        deny(&self.all, path)
    }

    /// The rule that denies an entry of a directory which no rule denies.
    /// `directory` says whether the entry is a directory, if that is known.
    pub fn deny_entry(&self, path: &Path, directory: Option<bool>) -> Option<String> {
        match directory {
            Some(directory) => matched(&self.all, path, directory),
            // Rules for directories end in a slash.
            None => matched(&self.all, path, false).or_else(|| matched(&self.all, path, true)),
        }
    }

    /// Whether there are rules without a slash.
    pub fn have_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// The rule without a slash that denies a member of an archive.
    pub fn deny_member(&self, name: &str) -> Option<String> {
        deny(&self.names, Path::new(name.trim_matches('/')))
    }
}

fn builder() -> GitignoreBuilder {
    let mut builder = GitignoreBuilder::new("");
    // Where names differ by case only, they name the same secret.
    let _ = builder.case_insensitive(true);
    builder
}

/// The rule that denies a path. From the top, so that nothing in a denied
/// directory is allowed again by a later rule.
fn deny(rules: &Gitignore, path: &Path) -> Option<String> {
    let above: Vec<&Path> = path.ancestors().skip(1).collect();
    let folders = above
        .into_iter()
        .rev()
        .filter(|path| *path != Path::new(""));
    folders
        .map(|folder| (folder, true))
        // Whether the last part is a directory is not known here.
        .chain([(path, false), (path, true)])
        .find_map(|(path, directory)| matched(rules, path, directory))
}

fn matched(rules: &Gitignore, path: &Path, directory: bool) -> Option<String> {
    match rules.matched(path, directory) {
        Match::Ignore(rule) => Some(rule.original().to_owned()),
        Match::None | Match::Whitelist(_) => None,
    }
}

/// A rule as it is matched: a path inside a root is relative to that root,
/// however it is written, and nothing is a comment.
fn relative(rule: &str, roots: &[Root]) -> Result<String, String> {
    let rule = rule.trim();
    if rule.contains(['\n', '\r', '\0']) {
        return Err("it has more than one line".to_owned());
    }
    if rule.contains("://") {
        return Err("it is a URL, not a path".to_owned());
    }
    let (not, body) = match rule.strip_prefix('!') {
        Some(body) => ("!", body),
        None => ("", rule),
    };
    if body == "~" || body.starts_with("~/") {
        return Err(format!(
            "`~` is not replaced by the home directory here\nhint: write the absolute path, or `./{body}` for that name"
        ));
    }
    let folder = if body.len() > 1 && body.ends_with('/') {
        "/"
    } else {
        ""
    };
    let inner = body.trim_matches('/');
    let unclean = !inner.is_empty() && inner.split('/').any(|part| matches!(part, "" | "." | ".."));
    let absolute = if unclean && !body.starts_with('/') {
        let first = roots
            .first()
            .ok_or("there is no root that it is relative to")?;
        lexically_clean(&Path::new(&first.name).join(body))
    } else {
        lexically_clean(Path::new(body))
    };
    let inside = roots.iter().find_map(|root| {
        let rest = absolute
            .strip_prefix(&root.name)
            .or_else(|_| absolute.strip_prefix(&root.real));
        rest.ok().and_then(Path::to_str).map(str::to_owned)
    });
    Ok(match inside {
        // The root itself: everything in it.
        Some(rest) if rest.is_empty() => format!("{not}/*"),
        Some(rest) => format!("{not}/{rest}{folder}"),
        None if unclean && !body.starts_with('/') => {
            return Err("it leads out of the roots".to_owned());
        }
        None if body.starts_with('/') && is_outside(&absolute, roots) => {
            return Err(format!(
                "it is outside the roots, where nothing is read, so it would deny nothing\nhint: leave it out, or write `.{body}` for that path in the first root"
            ));
        }
        None if unclean => format!("{not}{}{folder}", absolute.display()),
        None if rule.starts_with('#') => format!("\\{rule}"),
        None => rule.to_owned(),
    })
}

/// Whether an absolute path that is not in a root means a path outside the
/// roots, rather than one relative to each root, as in `.gitignore`: it contains
/// a root, or it exists, and no root has such a path.
fn is_outside(absolute: &Path, roots: &[Root]) -> bool {
    let above = |root: &Root| {
        root.real.starts_with(absolute) || Path::new(&root.name).starts_with(absolute)
    };
    if roots.iter().any(above) {
        return true;
    }
    let is_pattern = |part: &Component<'_>| {
        part.as_os_str()
            .to_string_lossy()
            .contains(['*', '?', '[', '{', '\\'])
    };
    let plain: PathBuf = absolute
        .components()
        .take_while(|part| !is_pattern(part))
        .collect();
    let exists = |path: &Path| path.symlink_metadata().is_ok();
    let Ok(relative) = plain.strip_prefix("/") else {
        return false;
    };
    !relative.as_os_str().is_empty()
        && exists(&plain)
        && !roots.iter().any(|root| exists(&root.real.join(relative)))
}

#[cfg(test)]
mod tests {
    use super::super::policy::{Policy, Refusal};
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

    fn refused(root: &Path, rule: &str) -> Option<String> {
        let error = Policy::new(&[root.to_owned()], &[rule.to_owned()], None).err()?;
        Some(error.to_string())
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
    fn invalid_rule_is_named_in_the_error() {
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
            "~/.ssh",
        ] {
            let error = Policy::new(&[], &[rule.to_owned()], None).unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("cannot use `{rule}` as a deny rule")),
                "{error}"
            );
        }
    }

    #[test]
    fn absolute_rule_outside_the_roots_is_an_error() {
        let directory = std::env::temp_dir().join(format!("omniread-rules-{}", std::process::id()));
        let root = directory.join("root");
        std::fs::create_dir_all(directory.join("beside")).unwrap();
        std::fs::create_dir_all(root.join("etc")).unwrap();
        let directory = directory.canonicalize().unwrap();
        let outside =
            |rule: &str| refused(&root, rule).is_some_and(|e| e.contains("outside the roots"));
        let beside = directory.join("beside").display().to_string();
        for rule in [
            // Beside the root, above it, by patterns, and with a negation.
            beside.clone(),
            format!("{beside}/"),
            format!("{beside}/*.pem"),
            format!("{beside}/x/../*.pem"),
            format!("!{beside}"),
            directory.display().to_string(),
            format!("{}/*", directory.display()),
        ] {
            assert!(outside(&rule), "{rule}");
        }
        // Relative to the root: such a path is in it, or nowhere.
        for rule in ["/etc", "/no-such-directory/", "/*.pem", "/**/x"] {
            assert_eq!(refused(&root, rule), None, "{rule}");
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn members_are_denied_by_rules_without_a_slash() {
        let rules: Vec<String> = ["*.pem", ".env", "secrets/", "/keys/", "a/b.txt", "!pub.pem"]
            .into_iter()
            .map(str::to_owned)
            .collect();
        let rules = Rules::new(&rules, &[]).unwrap();
        for (member, rule) in [
            ("key.pem", Some("*.pem")),
            ("deep/in/KEY.PEM", Some("*.pem")),
            ("x/.env", Some(".env")),
            (".env/", Some(".env")),
            ("x/secrets/plan.txt", Some("secrets/")),
            ("deep/pub.pem", None),
            ("keys/a", None),
            ("a/b.txt", None),
        ] {
            assert_eq!(rules.deny_member(member).as_deref(), rule, "{member}");
        }
    }
}
