//! The names by which a file is known.
//!
//! Links are followed part by part, as the filesystem does: `..` leads to where
//! a link went, not to where it stands.

use crate::failure::Failure;
use crate::limits;
use crate::place::{Place, failure};
use crate::world::{FileError, World};

/// The places by which a place is known: its own name, every link on the way,
/// and the one without links; each in every root that holds it, since roots may
/// lie in one another.
///
/// # Errors
/// If there are too many links, or one leads out of the roots.
pub fn follow(place: &Place, typed: &str, world: &mut dyn World) -> Result<Vec<Place>, Failure> {
    let lost = || failure(FileError::Links, typed);
    let mut places = Vec::new();
    let mut found = |place: &Place, world: &dyn World| {
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

fn root(root: usize) -> Place {
    Place {
        root,
        path: String::new(),
    }
}

/// The parts of a path, the first one last.
fn parts(path: &str) -> Vec<String> {
    path.split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .rev()
        .map(str::to_owned)
        .collect()
}

/// A place in every root that holds it.
fn everywhere(place: &Place, world: &dyn World) -> Vec<Place> {
    let absolute = place.absolute(world);
    let mut places = vec![place.clone()];
    places.extend(holders(&absolute, world).map(|(_, root, path)| Place { root, path }));
    places
}

/// The directory above a root, if another root holds it.
fn above(place: &Place, world: &dyn World) -> Option<Place> {
    let name = place.absolute(world);
    let (above, _) = name.trim_end_matches('/').rsplit_once('/')?;
    let held = holders(above, world).max_by_key(|(length, _, _)| *length);
    held.map(|(_, root, path)| Place { root, path })
}

/// The root that an absolute link leads into, and the path that is left to
/// follow there, as it is written.
fn absolute(target: &str, world: &dyn World) -> Option<(Place, String)> {
    let (_, held, rest) = holders(target, world).max_by_key(|(length, _, _)| *length)?;
    Some((root(held), rest))
}

/// The roots that hold an absolute path: the length of each name, the root, and
/// the path in it.
fn holders<'w>(
    path: &'w str,
    world: &'w dyn World,
) -> impl Iterator<Item = (usize, usize, String)> + 'w {
    let roots = world.roots().iter().enumerate();
    roots.filter_map(move |(root, name)| {
        let name = name.trim_end_matches('/');
        let rest = path.strip_prefix(name)?;
        let holds = path.starts_with('/') && (rest.is_empty() || rest.starts_with('/'));
        holds.then(|| {
            (
                name.len(),
                world.same_root(root),
                rest.trim_start_matches('/').to_owned(),
            )
        })
    })
}
