//! Names and checks that the searches of the filesystem share.

use crate::limits;
use crate::path::escape;
use crate::place::Place;
use crate::world::World;

/// Directories that are named in listings and searches but not descended into:
/// version control, dependencies, caches and build output.
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

/// When the searches of a read end that start now, in the ticks of the world.
pub fn end(world: &dyn World) -> u64 {
    world.ticks().saturating_add(limits::SEARCH_MILLIS)
}

/// A place by the kind of path that was typed: tools that take absolute paths
/// alone can be given what is offered.
pub fn spelled(place: &Place, typed: &str, world: &dyn World) -> String {
    escape(&if typed.starts_with('/') {
        place.absolute(world)
    } else {
        place.shown(world)
    })
}

/// Whether an entry of a directory is found by its name: hosts escape the bytes
/// of names that are not UTF-8 as `\xNN`, and do not find those.
pub fn is_spelled(place: &Place, world: &mut dyn World) -> bool {
    !place.path.contains("\\x") || world.stat(place.root, &place.path, false).is_ok()
}
