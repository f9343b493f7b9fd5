//! Paths below the roots: conversion from and to strings, `stat` across roots, and failures.

use crate::failure::{Failure, OperatorHint, Reason};
use crate::limits;
use crate::path::{clean, ends_in, escape, is_fragment};
use crate::units;
use crate::world::{FileError, Mount, Refusal, Stat, World};
use omniread_schemes::{Scheme, is_scheme};

/// A path in the filesystem: a root (a directory that the reader may access), and a path relative
/// to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootedPath {
    /// The index of the root in [`Files::roots`](crate::world::Files::roots).
    pub root: usize,
    /// The path relative to the root, normalized; empty for the root itself.
    pub path: String,
}

impl RootedPath {
    /// Converts a path string. A relative path is resolved in the first root. An absolute path is
    /// resolved in the innermost root that contains it.
    ///
    /// # Errors
    /// Returns [`Reason::OutsideRoots`] if no root contains the path.
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
        let Some(absolute) = absolute else {
            return Err(outside(path));
        };
        Self::in_roots(&absolute, world).ok_or_else(|| {
            let is_directory = path.ends_with('/') || path.ends_with("..");
            let target = if is_directory {
                Target::Directory(absolute)
            } else {
                Target::of(&absolute)
            };
            outside(path).hint(allowing(&target, world))
        })
    }

    /// The rooted path for a normalized absolute path, in the innermost root that contains it.
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
                let root = world.canonical_root(root);
                best = Some((name.len(), Self { root, path }));
            }
        }
        best.map(|(_, place)| place)
    }

    /// The path as replies show it: relative if it is in the first root, the URL if it is in a mount,
    /// and absolute otherwise.
    pub fn shown(&self, world: &dyn World) -> String {
        if self.root == 0 && world.mount(0).is_none() {
            return if self.path.is_empty() {
                ".".to_owned()
            } else {
                self.path.clone()
            };
        }
        self.absolute(world)
    }

    /// The name of the root joined with the path. The result is absolute, unless the name of the
    /// root is relative, as for a preopened directory with the name `.`. For a path in a mount, it is the
    /// URL.
    pub fn absolute(&self, world: &dyn World) -> String {
        if let Some(mount) = world.mount(self.root) {
            let naming = Scheme::of(&mount.scheme).naming;
            return format!("{}://{}", mount.scheme, naming.name_of(&self.path));
        }
        let root = world.roots().get(self.root).map_or("", String::as_str);
        match (root.trim_end_matches('/'), self.path.as_str()) {
            ("", path) => format!("/{path}"),
            (root, "") => root.to_owned(),
            (".", path) => path.to_owned(),
            (root, path) => format!("{root}/{path}"),
        }
    }

    /// This path with `name` appended.
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

    /// The directory that contains this path. The parent of a root is the root itself.
    #[must_use]
    pub fn parent(&self) -> Self {
        let path = self.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        Self {
            root: self.root,
            path: path.to_owned(),
        }
    }

    /// Returns the metadata of this path, and the path at which the metadata was found. The two
    /// paths differ if a symlink is absolute or leads into another root. The filesystem does not
    /// follow such symlinks, so this function does. `follow` decides whether a symlink at the end
    /// of the path is followed.
    ///
    /// # Errors
    /// The outer result fails if a symlink leads out of all roots; the message names the path
    /// `typed`. The inner result is that of the filesystem.
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
                Err(FileError::OutsideRoot) => place = place.follow_link(typed, world)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Err(FileError::SymlinkLoop))
    }

    /// Replaces the first symlink in this path by its target. This is needed for symlinks that are
    /// absolute or lead out of the root, which the filesystem does not follow. Fails if no root
    /// contains the target.
    fn follow_link(&self, typed: &str, world: &mut dyn World) -> Result<Self, Failure> {
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
            let in_root = clean(&format!("{}/{target}{rest}", passed.path));
            let in_root = in_root.trim_start_matches('/');
            if let Some(mount) = world.mount(self.root) {
                let place = in_mount(mount, &passed.path, &format!("{target}{rest}"));
                let path = place.ok_or_else(|| out_of_mount(mount, typed, &link.path, &target))?;
                return Ok(Self {
                    root: self.root,
                    path,
                });
            }
            if !target.starts_with('/') && !climbs(&clean(&format!("./{}/{target}", passed.path))) {
                return Ok(Self {
                    root: self.root,
                    path: in_root.to_owned(),
                });
            }
            let absolute = if target.starts_with('/') {
                clean(&format!("{target}{rest}"))
            } else {
                clean(&format!("{}/{target}{rest}", passed.absolute(world)))
            };
            return Self::in_roots(&absolute, world).ok_or_else(|| {
                // A target with a rest is a directory. A target without one is more likely a
                // file, so the hint names its parent.
                let target_itself = absolute.strip_suffix(&rest).unwrap_or(&absolute);
                let target_itself = match target_itself {
                    "" => "/",
                    path => path,
                };
                let allowed = if rest.is_empty() && target_itself != "/" {
                    Target::File(target_itself.to_owned())
                } else {
                    Target::Directory(target_itself.to_owned())
                };
                let link = escape(&link.shown(world));
                Failure::new(
                    Reason::LinkOutsideRoots {
                        link: link.clone(),
                        target: target.clone(),
                    },
                    format!("`{typed}` is outside the roots: `{link}` is a link to `{target}`"),
                )
                .hint(allowing(&allowed, world))
            });
        }
        Err(outside(typed))
    }
}

/// The path in a mount to which a symlink leads. `directory` is the path of the directory of the symlink
/// in the mount. `None` if the target is not in the mount.
fn in_mount(mount: &Mount, directory: &str, target: &str) -> Option<String> {
    if !target.starts_with('/') {
        let path = clean(&format!("./{directory}/{target}"));
        return (!climbs(&path)).then_some(path);
    }
    let path = clean(target);
    let own = mount.directory.as_deref()?.trim_end_matches('/');
    let rest = path.strip_prefix(own)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/').to_owned())
}

fn out_of_mount(mount: &Mount, typed: &str, link: &str, target: &str) -> Failure {
    let scheme = &mount.scheme;
    Failure::new(
        Reason::LinkOutsideRoots {
            link: link.to_owned(),
            target: target.to_owned(),
        },
        format!(
            "`{typed}` is outside the directory of `{scheme}://`: `{link}` is a link to `{target}`"
        ),
    )
}

fn climbs(path: &str) -> bool {
    path == ".." || path.starts_with("../")
}

fn outside(path: &str) -> Failure {
    let place = match path.split_once("://") {
        Some((scheme, _)) if is_scheme(scheme) => format!("the directory of `{scheme}://`"),
        _ => "the roots".to_owned(),
    };
    Failure::new(
        Reason::OutsideRoots(path.to_owned()),
        format!("`{path}` is outside {place}"),
    )
}

/// The roots, each once. A directory may be a root under several names.
fn distinct(world: &dyn World) -> impl Iterator<Item = &String> {
    let roots = world.roots().iter().enumerate();
    let own = roots.filter(|(index, _)| world.canonical_root(*index) == *index);
    own.map(|(_, root)| root)
}

/// What a path outside the roots names, as far as its form shows. Nothing outside the roots is opened.
enum Target {
    /// A directory.
    Directory(String),
    /// A file.
    File(String),
    /// A file or a directory.
    Unknown(String),
}

/// Extensions of files that contain others, or that have parts.
const CONTAINERS: [&str; 24] = [
    "zip", "jar", "whl", "apk", "epub", "tar", "tgz", "gz", "bz2", "xz", "zst", "7z", "docx",
    "xlsx", "pptx", "odt", "ods", "odp", "pdf", "eml", "mbox", "db", "sqlite", "sqlite3",
];

impl Target {
    /// The target of a normalized absolute path. Names in a file, and a fragment, may follow that of the
    /// file.
    fn of(absolute: &str) -> Self {
        let ends = absolute.match_indices('/').map(|(at, _)| at).skip(1);
        for end in ends.chain([absolute.len()]) {
            let (path, rest) = absolute.split_at_checked(end).unwrap_or((absolute, ""));
            let start = path.rfind('/').map_or(0, |at| at.saturating_add(1));
            let name = path.get(start..).unwrap_or_default();
            let fragment = name.find('#').filter(|at| {
                let (name, fragment) = name.split_at_checked(*at).unwrap_or((name, ""));
                is_fragment(name, fragment)
            });
            if let Some(at) = fragment {
                let file = path.get(..start.saturating_add(at)).unwrap_or(path);
                return Self::File(file.to_owned());
            }
            // Directories such as `init.d` have an extension too.
            let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
                !stem.is_empty() && !extension.is_empty() && extension != "d"
            });
            if ends_in(name, &CONTAINERS) || (rest.is_empty() && has_extension) {
                return Self::File(path.to_owned());
            }
        }
        match absolute {
            "/" => Self::Directory(absolute.to_owned()),
            path => Self::Unknown(path.to_owned()),
        }
    }
}

/// The hint for a person: how to read a path on the command line. The first root stays the one to which
/// relative paths refer. No hint grants the directory `/` for a file in it.
fn allowing(target: &Target, world: &dyn World) -> String {
    let roots = |directory: &str| {
        let roots = distinct(world).map(String::as_str).chain([directory]);
        let options: Vec<String> = roots
            .map(|root| format!("--root {}", as_word(root)))
            .collect();
        format!("`{}`", options.join(" "))
    };
    let parent = |path: &str| match path.rsplit_once('/') {
        Some(("", _)) | None => None,
        Some((parent, _)) => Some(parent.to_owned()),
    };
    let stdin = |path: &str| format!("`omniread - < {}`", as_word(path));
    let how = match target {
        Target::Directory(path) => format!("use {} to allow it", roots(path)),
        Target::File(path) => match parent(path) {
            Some(parent) => format!("use {} to allow it", roots(&parent)),
            None => format!("a file in `/` is read from standard input: {}", stdin(path)),
        },
        Target::Unknown(path) => {
            let file = match parent(path) {
                Some(parent) => roots(&parent),
                None => stdin(path),
            };
            format!("use {} to allow it, or {file} if it is a file", roots(path))
        }
    };
    format!("on the command line, {how}")
}

/// A word of a command line of a shell: in quotes if it has other characters than those of most
/// paths.
fn as_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+@%:,".contains(c);
    if text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The hint for a model, which cannot change the roots: where it can read.
pub fn within_roots(world: &dyn World) -> Option<String> {
    let roots: Vec<String> = distinct(world).map(|root| format!("`{root}`")).collect();
    match roots.as_slice() {
        [] => None,
        [root] => Some(format!("read a path in the root {root}")),
        roots => Some(format!(
            "read a path in one of the roots {}",
            roots.join(", ")
        )),
    }
}

/// The failure for an error of the filesystem. The message names the path as the user typed it.
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
        .operator_hint(OperatorHint::Permissions),
        FileError::OutsideRoot => outside(typed),
        FileError::SymlinkLoop => Failure::new(
            Reason::Symlink(path()),
            format!(
                "cannot follow the symlinks of `{typed}`: there are too many, or one leads into a directory of a process in /proc"
            ),
        ),
        FileError::Refused(Refusal::Denied(rule)) => {
            let message = format!("`{typed}` is denied by the rule `{rule}`");
            Failure::new(Reason::Denied(rule), message)
        }
        FileError::Refused(Refusal::Size(limit)) => Failure::new(
            Reason::limit("max-file-size", limit),
            format!("`{typed}` is larger than the host's limit of {limit} bytes"),
        ),
        FileError::Limit(name, value) => Failure::new(
            Reason::limit(name, value),
            format!(
                "cannot read `{typed}`: it needs more than {} of memory",
                units::bytes(value)
            ),
        ),
        FileError::Unavailable(what) => Failure::new(
            Reason::Io(what.clone()),
            format!("cannot read `{typed}`: {what}"),
        )
        .hint("try again when other programs have ended"),
        FileError::Other(message) => Failure::new(
            Reason::Io(message.clone()),
            format!("cannot read `{typed}`: {message}"),
        ),
    }
}
