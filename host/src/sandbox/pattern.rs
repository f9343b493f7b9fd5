//! The parser of deny rules, which are patterns as in `.gitignore`.

use super::root::{Root, lexically_clean};
use std::path::{Component, Path, PathBuf};

/// A parsed deny rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Whether the rule is negated. A negated rule allows paths that an earlier rule denies.
    pub not: bool,
    /// The pattern, without a slash at its end. A pattern that contains a slash is relative to each
    /// root, or to `root`.
    pub path: String,
    /// The real path of the only root to which the pattern applies. `None` for all roots.
    pub root: Option<PathBuf>,
}

impl Pattern {
    /// Parses a rule. An absolute path in a root becomes relative to that root. A `#` does not
    /// start a comment.
    ///
    /// # Errors
    /// Fails with a message if the rule is not a valid pattern or would deny nothing.
    pub fn new(rule: &str, roots: &[Root]) -> Result<Self, String> {
        let rule = rule.trim();
        if rule.contains(['\n', '\r', '\0']) {
            return Err("it has more than one line".to_owned());
        }
        if rule.contains("://") {
            return Err("it is a URL, not a path".to_owned());
        }
        let (not, body) = match rule.strip_prefix('!') {
            Some(body) => (true, body),
            None => (false, rule),
        };
        if body == "~" || body.starts_with("~/") {
            return Err(format!(
                "`~` is not replaced by the home directory here\nhint: write the absolute path, or `./{body}` for that name"
            ));
        }
        let is_absolute = body.starts_with('/');
        let inner = body.trim_matches('/');
        let unclean =
            !inner.is_empty() && inner.split('/').any(|part| matches!(part, "" | "." | ".."));
        let absolute = if unclean && !is_absolute {
            let first = roots
                .first()
                .ok_or("there is no root that it is relative to")?;
            lexically_clean(&Path::new(&first.name).join(body))
        } else {
            lexically_clean(Path::new(body))
        };
        // A negated rule is not resolved through symlinks: a person who may change the
        // workspace could create such symlinks.
        let through_links = || by_another_name(&absolute, roots).filter(|_| !not);
        let mut root = None;
        let path = match in_root(&absolute, roots).or_else(through_links) {
            Some((real, rest)) => {
                // An absolute path is in one root, and the same path in another root is another file.
                root = is_absolute.then(|| real.to_owned());
                // The root itself means everything in it.
                let rest = if rest.is_empty() { "*" } else { &rest };
                format!("/{rest}")
            }
            None if unclean && !is_absolute => return Err("it leads out of the roots".to_owned()),
            None if is_absolute && is_outside(&absolute, roots) => {
                return Err(format!(
                    "it is outside the roots, where nothing is read, so it would deny nothing\nhint: leave it out, or write `.{body}` for that path in the first root"
                ));
            }
            None if unclean => absolute.display().to_string(),
            None => body.trim_end_matches('/').to_owned(),
        };
        Ok(Self { not, path, root })
    }

    /// Formats the pattern as a line of `.gitignore`.
    pub fn line(&self) -> String {
        let (not, path) = (if self.not { "!" } else { "" }, &self.path);
        if path.starts_with(['#', '!']) {
            format!("{not}\\{path}")
        } else {
            format!("{not}{path}")
        }
    }

    /// The patterns of the paths to which the path of this pattern leads if its symlinks are
    /// followed. Empty if the rule is negated or its pattern contains no slash.
    pub fn resolved(&self, roots: &[Root]) -> Vec<Self> {
        let path = self.path.trim_start_matches('/');
        if self.not || !self.path.contains('/') {
            return Vec::new();
        }
        let mut resolved = Vec::new();
        let own = |root: &&Root| self.root.as_ref().is_none_or(|own| *own == root.real);
        for root in roots.iter().filter(own) {
            let Some((real, rest)) = resolve(&root.real.join(path)) else {
                continue;
            };
            for root in roots {
                let Some(real) = real.strip_prefix(&root.real).ok().and_then(Path::to_str) else {
                    continue;
                };
                // A symlink to the root does not deny the root.
                let is_root = real.is_empty() && rest.is_empty();
                let target = joined(real, &rest);
                if target == path && own(&root) {
                    continue;
                }
                let target = Self {
                    not: false,
                    path: format!("/{target}"),
                    root: Some(root.real.clone()),
                };
                if !is_root && !resolved.contains(&target) {
                    resolved.push(target);
                }
            }
        }
        resolved
    }
}

/// Makes an absolute path or pattern relative to the root that contains it, and returns the real path of that
/// root too. `None` if no root contains it.
fn in_root<'r>(absolute: &Path, roots: &'r [Root]) -> Option<(&'r Path, String)> {
    roots.iter().find_map(|root| {
        let rest = absolute
            .strip_prefix(&root.name)
            .or_else(|_| absolute.strip_prefix(&root.real));
        let rest = rest.ok().and_then(Path::to_str)?;
        Some((root.real.as_path(), rest.to_owned()))
    })
}

/// Makes an absolute path or pattern relative to the root into which its symlinks lead, and returns the real
/// path of that root too. `None` if they lead into no root.
fn by_another_name<'r>(absolute: &Path, roots: &'r [Root]) -> Option<(&'r Path, String)> {
    if !absolute.has_root() {
        return None;
    }
    let (real, rest) = resolve(absolute)?;
    let root = roots.iter().find(|root| real.starts_with(&root.real))?;
    let real = real.strip_prefix(&root.real).ok()?.to_str()?;
    Some((&root.real, joined(real, &rest)))
}

/// Splits a pattern after its longest prefix that is an existing path without special characters.
/// Returns the real path of this prefix, and the rest of the pattern.
fn resolve(pattern: &Path) -> Option<(PathBuf, String)> {
    let plain: PathBuf = pattern.components().take_while(is_plain).collect();
    let (existing, real) = plain
        .ancestors()
        .find_map(|path| Some((path, path.canonicalize().ok()?)))?;
    let rest = pattern.strip_prefix(existing).ok()?;
    Some((real, rest.to_str()?.to_owned()))
}

/// Whether a component of a pattern contains no special characters such as `*`, so that it matches
/// only its own name.
fn is_plain(part: &Component<'_>) -> bool {
    !matches!(part, Component::Normal(name)
        if name.to_string_lossy().contains(['*', '?', '[', '{', '\\']))
}

/// Escapes a real path, and appends the rest of a pattern to it.
fn joined(real: &str, rest: &str) -> String {
    let real = escaped(real);
    match (real.is_empty(), rest.is_empty()) {
        (_, true) => real,
        (true, _) => rest.to_owned(),
        _ => format!("{real}/{rest}"),
    }
}

/// Escapes a path, so that the pattern matches only that path.
fn escaped(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// Whether the absolute path of a rule refers to a path outside the roots. Otherwise the path is
/// relative to each root, as in `.gitignore`. The path is outside if it contains a root. It is also
/// outside if it has more than one component and exists, but does not exist relative to any root.
fn is_outside(absolute: &Path, roots: &[Root]) -> bool {
    let plain: PathBuf = absolute.components().take_while(is_plain).collect();
    let above = |root: &Root| {
        [absolute, &plain].into_iter().any(|path| {
            path != Path::new("/")
                && (root.real.starts_with(path) || Path::new(&root.name).starts_with(path))
        })
    };
    if roots.iter().any(above) {
        return true;
    }
    let exists = |path: &Path| path.symlink_metadata().is_ok();
    let Ok(relative) = plain.strip_prefix("/") else {
        return false;
    };
    relative.components().count() > 1
        && exists(&plain)
        && !roots.iter().any(|root| exists(&root.real.join(relative)))
}
