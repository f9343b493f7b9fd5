//! Deny rules: patterns as in `.gitignore`, relative to each root and mount.
//!
//! `.env` denies that name in any directory, `/keys/` a path in a root, and `*.pem` an
//! extension. A rule with the absolute path of a file in a root applies in that root only. A rule denies files and directories, and everything in a directory that it
//! denies. A rule without a slash, except at its end, also denies members of archives with that
//! name. A rule with a path also denies the path that symlinks in it lead to when the rule is
//! compiled.

use super::pattern::Pattern;
use super::root::{PolicyError, Root};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization as _;

/// Compiled deny rules.
pub struct Rules {
    /// The rules that apply in every root.
    all: Gitignore,
    /// The real path of each root that has rules of its own, and all rules that apply in it.
    own: Vec<(PathBuf, Gitignore)>,
    /// The rules without a slash, except at their end. They also apply to members of archives.
    names: Gitignore,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("all", &self.all.len())
            .field("own", &self.own.len())
            .field("names", &self.names.len())
            .finish()
    }
}

impl Rules {
    /// Compiles rules for these roots.
    ///
    /// # Errors
    /// Fails with the first rule that is not a valid pattern, or that denies nothing because its
    /// path is outside the roots.
    pub fn new(rules: &[String], roots: &[Root]) -> Result<Self, PolicyError> {
        let mut patterns = Vec::new();
        let mut names = Vec::new();
        for rule in rules {
            let wrong = |error: String| PolicyError::Rule(rule.clone(), error);
            let pattern = Pattern::new(rule, roots).map_err(wrong)?;
            if pattern.path.trim_matches(['/', ' ']).is_empty() {
                return Err(wrong("it names nothing".to_owned()));
            }
            let plain = pattern.path.replace("\\[", "");
            if plain.rfind('[') > plain.rfind(']') {
                return Err(wrong("a `[` is not closed".to_owned()));
            }
            let resolved = pattern.resolved(roots);
            if !pattern.path.contains('/') {
                names.push((rule.as_str(), pattern.clone()));
            }
            patterns.push((rule.as_str(), pattern));
            patterns.extend(resolved.into_iter().map(|pattern| (rule.as_str(), pattern)));
        }
        let owners: BTreeSet<&PathBuf> = patterns
            .iter()
            .filter_map(|(_, pattern)| pattern.root.as_ref())
            .collect();
        // The later rule applies, so that the order of all rules stays.
        let own = owners.into_iter().map(|root| -> Result<_, PolicyError> {
            let in_root = |pattern: &Pattern| pattern.root.as_ref().is_none_or(|only| only == root);
            Ok((root.clone(), compiled(&patterns, in_root)?))
        });
        Ok(Self {
            all: compiled(&patterns, |pattern| pattern.root.is_none())?,
            own: own.collect::<Result<_, PolicyError>>()?,
            names: compiled(&names, |_| true)?,
        })
    }

    /// The rules that apply in the root with this real path.
    fn of(&self, root: &Path) -> &Gitignore {
        let own = self.own.iter().find(|(own, _)| own == root);
        own.map_or(&self.all, |(_, rules)| rules)
    }

    /// The rule that denies a path, or a directory above it. The path is relative to the root with the
    /// real path `root`.
    pub fn deny(&self, root: &Path, path: &Path) -> Option<String> {
        deny(self.of(root), path)
    }

    /// The rule that denies a path itself. The path is relative to the root with the real path `root`.
    /// Directories above it are not checked.
    pub fn deny_entry(&self, root: &Path, path: &Path) -> Option<String> {
        matched(self.of(root), path)
    }

    /// Whether there are rules without a slash, which apply to members of archives.
    pub fn have_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// The rule without a slash that denies a member of an archive, or a directory above the
    /// member.
    pub fn deny_member(&self, name: &str) -> Option<String> {
        deny(&self.names, Path::new(name.trim_matches('/')))
    }
}

/// Compiles the patterns that are wanted. Each has the rule as it was written.
fn compiled(
    patterns: &[(&str, Pattern)],
    is_wanted: impl Fn(&Pattern) -> bool,
) -> Result<Gitignore, PolicyError> {
    let mut builder = builder();
    for (rule, pattern) in patterns.iter().filter(|(_, pattern)| is_wanted(pattern)) {
        // The source of a pattern is usually the file that contains it. Here it is the rule as it was
        // written, for messages.
        builder
            .add_line(Some(rule.trim().into()), &composed(&pattern.line()))
            .map_err(|error| PolicyError::Rule((*rule).to_owned(), error.to_string()))?;
    }
    builder.build().map_err(|error| {
        let rules: Vec<&str> = patterns.iter().map(|(rule, _)| *rule).collect();
        PolicyError::Rule(rules.join(", "), error.to_string())
    })
}

fn builder() -> GitignoreBuilder {
    let mut builder = GitignoreBuilder::new("");
    // On systems whose names ignore case, names that differ only by case are the same file.
    let _ = builder.case_insensitive(true);
    builder
}

/// The rule that denies a path, or a directory above it. The directories are matched from the top,
/// so that a later negated rule cannot allow a path in a denied directory.
fn deny(rules: &Gitignore, path: &Path) -> Option<String> {
    let prefixes: Vec<&Path> = path.ancestors().collect();
    prefixes
        .into_iter()
        .rev()
        .filter(|prefix| *prefix != Path::new(""))
        .find_map(|prefix| matched(rules, prefix))
}

/// A text in which each letter with an accent is one character (NFC).
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// The path in the form in which rules are compiled. Names that look the same are the same for a person,
/// and some systems change the form of a name.
fn composed_path(path: &Path) -> Cow<'_, Path> {
    match path.to_str().map(composed) {
        Some(Cow::Owned(text)) => Cow::Owned(PathBuf::from(text)),
        _ => Cow::Borrowed(path),
    }
}

fn matched(rules: &Gitignore, path: &Path) -> Option<String> {
    // No pattern ends in a slash, so the type of the path does not matter.
    match rules.matched(composed_path(path), false) {
        Match::Ignore(pattern) => {
            let rule = pattern.from().and_then(Path::to_str);
            Some(rule.unwrap_or_else(|| pattern.original()).to_owned())
        }
        Match::None | Match::Whitelist(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::{Policy, Refusal};
    use super::*;

    fn denied(rules: &[&str], path: &str) -> Option<String> {
        let root = std::env::temp_dir().canonicalize().unwrap();
        let rules: Vec<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
        let policy = Policy::new(std::slice::from_ref(&root), &[], &rules, None).unwrap();
        match policy.denied(&root.join(path)) {
            Some(Refusal::Denied(rule)) => Some(rule),
            _ => None,
        }
    }

    fn refused(root: &Path, rule: &str) -> Option<String> {
        let error = Policy::new(&[root.to_owned()], &[], &[rule.to_owned()], None).err()?;
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
    fn names_with_accents_match_in_both_forms() {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}");
        for rule in [composed, decomposed] {
            for name in [composed, decomposed] {
                assert!(denied(&[rule], &format!("a/{name}")).is_some());
                assert!(denied(&[&format!("/{rule}/")], &format!("{name}/b")).is_some());
                assert!(denied(&[&format!("{rule}*")], &format!("{name}.txt")).is_some());
            }
        }
        assert!(denied(&[composed], "cafe").is_none());
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
            let error = Policy::new(&[], &[], &[rule.to_owned()], None).unwrap_err();
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
            // The rules are next to the root, above it, patterns, and negated.
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
        // These are relative to the root: the path is in the root, or does not exist.
        for rule in ["/etc", "/no-such-directory/", "/*.pem", "/**/x"] {
            assert_eq!(refused(&root, rule), None, "{rule}");
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }

    /// The meaning of the rule `/bin/` must not depend on whether this machine has that path.
    #[test]
    fn rule_of_one_part_is_relative_to_each_root() {
        for rule in ["/bin/", "/tmp-of-nobody", "/usr"] {
            let name = rule.trim_matches('/');
            let root = std::env::temp_dir().join(format!("omniread-part-{}", std::process::id()));
            std::fs::create_dir_all(&root).unwrap();
            let root = root.canonicalize().unwrap();
            let policy =
                Policy::new(std::slice::from_ref(&root), &[], &[rule.to_owned()], None).unwrap();
            assert!(
                policy.denied(&root.join(name).join("x")).is_some(),
                "{rule}"
            );
            std::fs::remove_dir_all(&root).unwrap();
        }
    }

    #[test]
    #[cfg(unix)]
    fn rule_through_a_symlink_denies_the_path_it_leads_to() {
        use std::os::unix::fs::symlink;
        let directory = std::env::temp_dir().join(format!("omniread-links-{}", std::process::id()));
        let root = directory.join("root");
        std::fs::create_dir_all(root.join("releases/[42]/config")).unwrap();
        let directory = directory.canonicalize().unwrap();
        let root = root.canonicalize().unwrap();
        symlink("releases/[42]", root.join("current")).unwrap();
        symlink(".", root.join("self")).unwrap();
        symlink(&root, directory.join("alias")).unwrap();
        let denied = |rule: &str, path: &str| {
            let policy =
                Policy::new(std::slice::from_ref(&root), &[], &[rule.to_owned()], None).unwrap();
            match policy.denied(&root.join(path)) {
                Some(Refusal::Denied(rule)) => Some(rule),
                _ => None,
            }
        };
        let alias = directory.join("alias/releases/*/config");
        let absolute = root.join("current/config/s.yml");
        for rule in [
            "current/config",
            "/current/config/",
            "current/*/s.yml",
            "./current/config/s.yml",
            "self/current/config",
            absolute.to_str().unwrap(),
            alias.to_str().unwrap(),
        ] {
            let refused = denied(rule, "releases/[42]/config/s.yml");
            assert_eq!(refused.as_deref(), Some(rule));
            assert_eq!(
                denied(rule, "releases/4/config/t.yml")
                    .as_deref()
                    .filter(|_| rule != alias.to_str().unwrap()),
                None
            );
        }
        // A symlink to the root does not deny the root.
        assert_eq!(denied("/self", "other"), None);
        // A symlink does not allow a path that another rule denies.
        let alias = format!("!{}", directory.join("alias/current/s.pem").display());
        for allowed in ["!current/s.pem", "!/current/s.pem", &alias] {
            let rules = ["*.pem".to_owned(), allowed.to_owned()];
            let secret = root.join("releases/[42]/s.pem");
            let policy = Policy::new(std::slice::from_ref(&root), &[], &rules, None).unwrap();
            assert!(policy.denied(&secret).is_some(), "{allowed}");
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
