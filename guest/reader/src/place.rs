//! A place in the filesystem: a root, and a path in it.

use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{clean, escape};
use crate::units;
use crate::world::{FileError, Refusal, Stat, World};

/// A place in the filesystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The root, by its number.
    pub root: usize,
    /// The path in it, clean; empty for the root itself.
    pub path: String,
}

impl Place {
    /// The place that a path names: relative to the first root, or absolute
    /// in whichever root holds it.
    ///
    /// # Errors
    /// [`Reason::OutsideRoots`] if no root does.
    pub fn of(path: &str, world: &dyn World) -> Result<Self, Failure> {
        let clean_path = clean(path);
        if !clean_path.starts_with('/') && !climbs(&clean_path) {
            return Ok(Self {
                root: 0,
                path: clean_path,
            });
        }
        let first = world.roots().first().map_or("", String::as_str);
        let absolute = if clean_path.starts_with('/') {
            Some(clean_path)
        } else {
            first
                .starts_with('/')
                .then(|| clean(&format!("{first}/{clean_path}")))
        };
        absolute
            .and_then(|absolute| Self::in_roots(&absolute, world))
            .ok_or_else(|| outside(path))
    }

    /// The place of a clean absolute path in the root that holds it most
    /// closely.
    fn in_roots(absolute: &str, world: &dyn World) -> Option<Self> {
        let mut best: Option<(usize, Self)> = None;
        for (root, name) in world.roots().iter().enumerate() {
            let name = name.trim_end_matches('/');
            let Some(rest) = absolute.strip_prefix(name) else {
                continue;
            };
            if !(name.starts_with('/') || name.is_empty())
                || !(rest.is_empty() || rest.starts_with('/'))
            {
                continue;
            }
            if best.as_ref().is_none_or(|(length, _)| name.len() > *length) {
                let path = rest.trim_start_matches('/').to_owned();
                let root = world.same_root(root);
                best = Some((name.len(), Self { root, path }));
            }
        }
        best.map(|(_, place)| place)
    }

    /// The path as answers show it: relative to the first root, else absolute.
    pub fn shown(&self, world: &dyn World) -> String {
        if self.root == 0 {
            return if self.path.is_empty() {
                ".".to_owned()
            } else {
                self.path.clone()
            };
        }
        self.absolute(world)
    }

    /// The absolute path, as far as the runtime tells where its roots are.
    pub fn absolute(&self, world: &dyn World) -> String {
        let root = world.roots().get(self.root).map_or("", String::as_str);
        match (root.trim_end_matches('/'), self.path.as_str()) {
            ("", path) => format!("/{path}"),
            (root, "") => root.to_owned(),
            (".", path) => path.to_owned(),
            (root, path) => format!("{root}/{path}"),
        }
    }

    /// A place below this one.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let path = if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.path)
        };
        Self {
            root: self.root,
            path,
        }
    }

    /// The directory that holds this place.
    #[must_use]
    pub fn parent(&self) -> Self {
        let path = self.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        Self {
            root: self.root,
            path: path.to_owned(),
        }
    }

    /// What the filesystem says of this place. A link that leads from one root
    /// into another, or is absolute, is followed here.
    ///
    /// # Errors
    /// The outer one if a link leaves the roots, with `typed` as the path; the
    /// inner one is what the filesystem says.
    pub fn stat(
        self,
        follow: bool,
        typed: &str,
        world: &mut dyn World,
    ) -> Result<Result<(Self, Stat), FileError>, Failure> {
        let mut place = self;
        for _ in 0..limits::MAX_LINKS {
            match world.stat(place.root, &place.path, follow) {
                Ok(stat) => return Ok(Ok((place, stat))),
                Err(FileError::Escape) => place = place.behind_link(typed, world)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Err(FileError::Links))
    }

    /// The same place with the first link on the way to it followed, as the
    /// filesystem does not where a link is absolute or leaves the root.
    fn behind_link(&self, typed: &str, world: &mut dyn World) -> Result<Self, Failure> {
        let mut passed = Self {
            root: self.root,
            path: String::new(),
        };
        let mut parts = self.path.split('/');
        while let Some(part) = parts.next() {
            let link = passed.join(part);
            let Ok(target) = world.read_link(link.root, &link.path) else {
                passed = link;
                continue;
            };
            let rest = parts.fold(String::new(), |path, part| path + "/" + part);
            let inside = clean(&format!("{}/{target}{rest}", passed.path));
            let inside = inside.trim_start_matches('/');
            if !target.starts_with('/') && !climbs(&clean(&format!("./{}/{target}", passed.path))) {
                return Ok(Self {
                    root: self.root,
                    path: inside.to_owned(),
                });
            }
            let absolute = if target.starts_with('/') {
                clean(&format!("{target}{rest}"))
            } else {
                clean(&format!("{}/{target}{rest}", passed.absolute(world)))
            };
            return Self::in_roots(&absolute, world).ok_or_else(|| {
                // What a path goes on in is a directory; what it ends in is
                // more likely a file.
                let parent = absolute.rsplit_once('/').map_or("", |(parent, _)| parent);
                let directory = if rest.is_empty() && !parent.is_empty() {
                    parent
                } else {
                    absolute.strip_suffix(&rest).unwrap_or(&absolute)
                };
                let directory = if directory.is_empty() { "/" } else { directory };
                let roots: Vec<String> = world
                    .roots()
                    .iter()
                    .map(|root| format!("--root {root}"))
                    .collect();
                let link = escape(&link.shown(world));
                Failure::new(
                    Reason::LinkOutsideRoots {
                        link: link.clone(),
                        target: target.clone(),
                    },
                    format!("`{typed}` is outside the roots: `{link}` is a link to `{target}`"),
                )
                .hint(format!(
                    "`{} --root {directory}` would allow it",
                    roots.join(" ")
                ))
            });
        }
        Err(outside(typed))
    }
}

fn climbs(path: &str) -> bool {
    path == ".." || path.starts_with("../")
}

fn outside(path: &str) -> Failure {
    Failure::new(
        Reason::OutsideRoots(path.to_owned()),
        format!("`{path}` is outside the roots"),
    )
    .hint("a directory is added to the roots with `--root DIR`")
}

/// The failure of a call to the filesystem, in words, with the path as it was
/// typed.
pub fn failure(error: FileError, typed: &str) -> Failure {
    let path = || typed.to_owned();
    match error {
        FileError::NotFound => Failure::new(
            Reason::NotFound(Vec::new()),
            format!("Path '{typed}' not found"),
        ),
        FileError::Permission => Failure::new(
            Reason::Permission(path()),
            format!("permission denied: `{typed}`"),
        )
        .hint("the operating system does not let this user read it"),
        FileError::Escape => outside(typed),
        FileError::Links => Failure::new(
            Reason::Links(path()),
            format!(
                "`{typed}` is behind links that cannot be followed: too many, or into a process"
            ),
        ),
        FileError::Refused(Refusal::Denied(rule)) => {
            let message = format!("`{typed}` is denied by the rule `{rule}`");
            Failure::new(Reason::Denied(rule), message)
        }
        FileError::Refused(Refusal::Size(limit)) => Failure::new(
            Reason::limit("max-file-size", limit),
            format!("`{typed}` is larger than the {limit} bytes that the host allows"),
        ),
        FileError::Limit(name, value) => Failure::new(
            Reason::limit(name, value),
            format!(
                "cannot read `{typed}`: it would take more than {} of memory",
                units::bytes(value)
            ),
        ),
        FileError::Unavailable(what) => Failure::new(
            Reason::Io(what.clone()),
            format!("cannot read `{typed}`: {what}"),
        )
        .hint("try again when other programs have ended"),
        FileError::Other(words) => Failure::new(
            Reason::Io(words.clone()),
            format!("cannot read `{typed}`: {words}"),
        ),
    }
}
