//! Shared parts of the searches in the filesystem.

use crate::limits;
use crate::path::escape;
use crate::rooted_path::RootedPath;
use crate::world::World;

/// Names of directories that listings and searches do not descend into: version control,
/// dependencies, caches and build output.
pub const PRUNED: &[&str] = &[
    ".bzr",
    ".cache",
    ".eggs",
    ".git",
    ".gradle",
    ".hg",
    ".jj",
    ".mypy_cache",
    ".next",
    ".nox",
    ".nuxt",
    ".parcel-cache",
    ".pnpm-store",
    ".pytest_cache",
    ".ruff_cache",
    ".svelte-kit",
    ".svn",
    ".terraform",
    ".tox",
    ".turbo",
    ".venv",
    ".yarn",
    "__pycache__",
    "bower_components",
    "build",
    "coverage",
    "dist",
    "node_modules",
    "target",
    "vendor",
    "venv",
];

/// The time of the read, in milliseconds, at which searches that start now must end.
pub fn end(world: &dyn World) -> u64 {
    let time = world.read_time();
    let half = time.left().map_or(u64::MAX, |left| left / 2);
    time.used.saturating_add(limits::SEARCH_MILLIS.min(half))
}

/// The path `place` as a hint shows it, so that it can be passed as an argument. It is absolute if
/// `typed`, the requested path, is absolute, because some tools accept only absolute paths.
pub fn spelled(place: &RootedPath, typed: &str, world: &dyn World) -> String {
    escape(&if typed.starts_with('/') {
        place.absolute(world)
    } else {
        place.shown(world)
    })
}

/// Whether a directory entry can be opened by the name that the host returned for it. Hosts escape
/// names that are not UTF-8 with `\xNN`, and then do not find the escaped name.
pub fn is_spelled(place: &RootedPath, world: &mut dyn World) -> bool {
    !place.path.contains("\\x") || world.stat(place.root, &place.path, false).is_ok()
}
