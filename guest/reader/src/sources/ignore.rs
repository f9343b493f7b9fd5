//! Ignore files: what a workspace asks agents to leave alone.
//!
//! The form is that of `.gitignore` (gitignore(5)): the last pattern that
//! matches decides, and what lies in an ignored folder is ignored. Case does
//! not matter, as in the tools that invented these files and on the systems
//! where names differ by case only. They are read here and not by the host
//! because they are data of the workspace.

use super::place::Place;
use super::trail::trail;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::visible;
use crate::path::escape;
use crate::world::{FileError, World};

/// Refuses a place that an ignore file at the top of a root names: by the name
/// it has, by the links on the way to it, and by where they lead.
///
/// # Errors
/// [`Reason::Ignored`], or that an ignore file cannot be read.
pub fn heed(
    place: &Place,
    names: &[String],
    typed: &str,
    world: &mut dyn World,
) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    let mut files: Vec<(Place, Option<String>)> = Vec::new();
    for place in trail(place, typed, world)? {
        for name in names {
            let file = Place {
                root: place.root,
                path: name.clone(),
            };
            if !files.iter().any(|(known, _)| *known == file) {
                let text = load(&file, world)?;
                files.push((file.clone(), text));
            }
            let text = files.iter().find(|(known, _)| *known == file);
            if let Some((_, Some(text))) = text
                && let Some(pattern) = ignoring(text, &place.path)
            {
                return Err(ignored(&file.shown(world), pattern, typed));
            }
        }
    }
    Ok(())
}

fn ignored(file: &str, pattern: String, typed: &str) -> Failure {
    let file = escape(file);
    let message = format!(
        "`{}` is ignored by `{}`, which says `{}`",
        visible(typed),
        visible(&file),
        visible(&pattern)
    );
    Failure::new(Reason::Ignored { file, pattern }, message)
}

/// The text of an ignore file, if there is one.
fn load(file: &Place, world: &mut dyn World) -> Result<Option<String>, Failure> {
    let shown = file.shown(world);
    let cannot = |error: FileError| {
        let words = format!("cannot read the ignore file `{}`: {error}", visible(&shown));
        Failure::new(Reason::Io(words.clone()), words)
            .hint("until it can be read, nothing is; option `ignore-files` names other ones")
    };
    let place = match file.clone().stat(true, &shown, world)? {
        Ok((place, _)) => place,
        Err(FileError::NotFound) => return Ok(None),
        Err(error) => return Err(cannot(error)),
    };
    let mut source = world.open(place.root, &place.path).map_err(cannot)?;
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        source
            .read(before as u64, limits::CHUNK_BYTES, &mut bytes)
            .map_err(cannot)?;
        if bytes.len() == before {
            break;
        }
        if bytes.len() > limits::IGNORE_BYTES {
            let words = format!("it has more than {} bytes", limits::IGNORE_BYTES);
            return Err(cannot(FileError::Other(words)));
        }
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// A pattern, as it is matched.
struct Pattern<'f> {
    /// As it is written.
    line: &'f str,
    /// As a glob over the path from the root, in lower case.
    glob: String,
    /// It takes back what earlier ones ignore.
    keeps: bool,
    /// It is for folders alone.
    folder: bool,
}

/// The pattern that ignores a path, folders before what is in them.
fn ignoring(text: &str, path: &str) -> Option<String> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let patterns: Vec<Pattern<'_>> = lines.filter_map(parse).collect();
    let path = path.to_lowercase();
    let ends = path.match_indices('/').map(|(at, _)| at);
    for end in ends.chain([path.len()]) {
        let part = path.get(..end)?;
        let decides = |pattern: &&Pattern<'_>| {
            (end < path.len() || !pattern.folder) && fast_glob::glob_match(&pattern.glob, part)
        };
        match patterns.iter().rev().find(decides) {
            Some(pattern) if !pattern.keeps => return Some(pattern.line.to_owned()),
            _ => {}
        }
    }
    None
}

fn parse(line: &str) -> Option<Pattern<'_>> {
    let mut body = line;
    while let Some(shorter) = body.strip_suffix(' ').filter(|s| !s.ends_with('\\')) {
        body = shorter;
    }
    if body.starts_with('#') {
        return None;
    }
    let (keeps, body) = match body.strip_prefix('!') {
        Some(body) => (true, body),
        None => (false, body),
    };
    let (folder, body) = match body.strip_suffix('/') {
        Some(body) => (true, body),
        None => (false, body),
    };
    let anchored = body.contains('/');
    let body = body.strip_prefix('/').unwrap_or(body);
    if body.is_empty() {
        return None;
    }
    let mut glob = String::from(if anchored { "" } else { "**/" });
    let mut escaped = false;
    for c in body.to_lowercase().chars() {
        // These mean something to the matcher that they do not mean here.
        let foreign = matches!(c, '{' | '}') || (c == '!' && glob.is_empty());
        if foreign && !escaped {
            glob.push('\\');
        }
        glob.push(c);
        escaped = c == '\\' && !escaped;
    }
    Some(Pattern {
        line,
        glob,
        keeps,
        folder,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryWorld;

    #[test]
    fn patterns_are_those_of_gitignore() {
        for (text, path, ignored) in [
            ("secret.txt", "secret.txt", true),
            ("secret.txt", "a/b/secret.txt", true),
            ("/secret.txt", "a/secret.txt", false),
            ("*.key", "a/x.key", true),
            ("*.key", "a/X.KEY", true),
            ("*.KEY", "x.key", true),
            ("logs/", "logs/a/b.log", true),
            ("logs/", "logs", false),
            ("a/*.txt", "a/x.txt", true),
            ("a/*.txt", "b/a/x.txt", false),
            ("a/*.txt", "a/b/x.txt", false),
            ("**/tmp", "a/tmp/x", true),
            ("a/**/z", "a/z", true),
            ("a/**", "a/b/c", true),
            ("# x", "# x", false),
            ("\\#x", "#x", true),
            ("\\!x", "!x", true),
            ("/!x", "!x", true),
            ("x  ", "x", true),
            ("x\\ ", "x ", true),
            ("{a,b}", "a", false),
            ("{a,b}", "{a,b}", true),
            ("x\r\ny\r\n", "y", true),
            ("\u{feff}x", "x", true),
            ("a[", "a[", false),
            ("*.log\n!keep.log", "keep.log", false),
            ("logs/\n!logs/keep.log", "logs/keep.log", true),
            ("!x\nx", "x", true),
            ("", "x", false),
            ("/", "x", false),
        ] {
            assert_eq!(ignoring(text, path).is_some(), ignored, "{text:?} {path}");
        }
    }

    fn heeded(world: &mut MemoryWorld, path: &str) -> Result<(), Reason> {
        let place = Place::of(path, world).unwrap();
        heed(&place, &[".ignore".to_owned()], path, world).map_err(|failure| failure.reason)
    }

    #[test]
    fn links_do_not_hide_what_they_lead_to() {
        let mut world = MemoryWorld::new("/ws");
        world
            .file(".ignore", "/sub/\nlnk*\n")
            .file("sub/deep/x", "")
            .file("sub/secret.txt", "")
            .file("free.txt", "")
            .link("d", "sub/deep")
            .link("to-folder", "sub")
            .link("through", "d/../secret.txt")
            .link("lnkabsolute", "/ws/free.txt")
            .link("fine", "free.txt")
            .link("away", "/elsewhere");
        for path in [
            "sub/secret.txt",
            "d/x",
            "to-folder/secret.txt",
            "through",
            "lnkabsolute",
        ] {
            assert!(
                matches!(heeded(&mut world, path), Err(Reason::Ignored { .. })),
                "{path}"
            );
        }
        assert_eq!(heeded(&mut world, "fine"), Ok(()));
        assert_eq!(heeded(&mut world, "free.txt"), Ok(()));
        assert!(matches!(heeded(&mut world, "away"), Err(Reason::Links(_))));
        let last = limits::MAX_LINKS + 1;
        for n in 0..last {
            world.link(&format!("chain{n}"), &format!("chain{}", n + 1));
        }
        world.file(&format!("chain{last}"), "");
        assert!(matches!(
            heeded(&mut world, "chain0"),
            Err(Reason::Links(_))
        ));
        assert_eq!(heeded(&mut world, "chain1"), Ok(()));
    }
}
