//! All paths by which a file is reached through symlinks.
//!
//! Symlinks are followed component by component, as the filesystem does: `..` after a symlink is
//! the parent of its target, not of the symlink.

use crate::failure::Failure;
use crate::limits;
use crate::rooted_path::{RootedPath, failure};
use crate::world::{FileError, World};

/// All paths by which a file is reached: `place`, the path of each symlink on the way, and last the
/// real path. Each path is listed once for every root that contains it, because roots may be
/// nested.
///
/// # Errors
/// Fails if there are too many symlinks, or if one leads out of the roots.
pub fn follow(
    place: &RootedPath,
    typed: &str,
    world: &mut dyn World,
) -> Result<Vec<RootedPath>, Failure> {
    let lost = || failure(FileError::SymlinkLoop, typed);
    let mut places = Vec::new();
    let mut found = |place: &RootedPath, world: &dyn World| {
        for place in everywhere(place, world) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    };
    found(place, world);
    let mut here = root(place.root);
    let mut ahead = parts(&place.path);
    let mut links = 0usize;
    while let Some(part) = ahead.pop() {
        if part == ".." {
            here = if here.path.is_empty() {
                above(&here, world).ok_or_else(lost)?
            } else {
                here.parent()
            };
            continue;
        }
        let next = here.join(&part);
        let Ok(target) = world.read_link(next.root, &next.path) else {
            here = next;
            continue;
        };
        links = links.saturating_add(1);
        if links > limits::MAX_LINKS {
            return Err(lost());
        }
        found(&next, world);
        if target.starts_with('/') {
            let (place, rest) = absolute(&target, world).ok_or_else(lost)?;
            here = place;
            ahead.extend(parts(&rest));
        } else {
            ahead.extend(parts(&target));
        }
    }
    found(&here, world);
    Ok(places)
}

fn root(root: usize) -> RootedPath {
    RootedPath {
        root,
        path: String::new(),
    }
}

/// The components of a path in reverse order.
fn parts(path: &str) -> Vec<String> {
    path.split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .rev()
        .map(str::to_owned)
        .collect()
}

/// The path `place`, and the same path relative to each root that contains it.
fn everywhere(place: &RootedPath, world: &dyn World) -> Vec<RootedPath> {
    let absolute = place.absolute(world);
    let mut places = vec![place.clone()];
    places.extend(roots_of(&absolute, world).map(|(_, root, path)| RootedPath { root, path }));
    places
}

/// The parent directory of the root `place`, if another root contains that directory.
fn above(place: &RootedPath, world: &dyn World) -> Option<RootedPath> {
    let name = place.absolute(world);
    let (above, _) = name.trim_end_matches('/').rsplit_once('/')?;
    let innermost = roots_of(above, world).max_by_key(|(length, _, _)| *length);
    innermost.map(|(_, root, path)| RootedPath { root, path })
}

/// The innermost root that contains the target of an absolute symlink, and the target as a path
/// relative to that root. The path is not normalized.
fn absolute(target: &str, world: &dyn World) -> Option<(RootedPath, String)> {
    let (_, root_index, rest) = roots_of(target, world).max_by_key(|(length, _, _)| *length)?;
    Some((root(root_index), rest))
}

/// The roots that contain an absolute path. For each root, returns the length of its name in bytes,
/// its index, and the path relative to it.
fn roots_of<'w>(
    path: &'w str,
    world: &'w dyn World,
) -> impl Iterator<Item = (usize, usize, String)> + 'w {
    let roots = world.roots().iter().enumerate();
    roots.filter_map(move |(root, name)| {
        let name = name.trim_end_matches('/');
        let rest = path.strip_prefix(name)?;
        let contains = path.starts_with('/') && (rest.is_empty() || rest.starts_with('/'));
        contains.then(|| {
            (
                name.len(),
                world.canonical_root(root),
                rest.trim_start_matches('/').to_owned(),
            )
        })
    })
}
