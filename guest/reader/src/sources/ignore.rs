//! Ignore files: what a workspace asks agents to leave alone.
//!
//! The form is that of `.gitignore` (gitignore(5)): the last pattern that
//! matches decides, and what lies in an ignored folder is ignored. They are
//! read here and not by the host because they are data of the workspace.

use super::place::{Place, failure};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::visible;
use crate::path::escape;
use crate::world::{FileError, World};

/// A pattern, as it is matched.
struct Pattern<'f> {
    /// As it is written.
    line: &'f str,
    /// As a glob over the path from the root.
    glob: String,
    /// It takes back what earlier ones ignore.
    keeps: bool,
    /// It is for folders alone.
    folder: bool,
}

/// Refuses a place that an ignore file at the top of its root names, also by
/// the names that links on the way to it stand for.
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
    let mut place = place.clone();
    for _ in 0..limits::MAX_LINKS {
        for name in names {
            let file = Place {
                root: place.root,
                path: name.clone(),
            };
            let Some(text) = load(&file, world)? else {
                continue;
            };
            if let Some(pattern) = ignoring(&text, &place.path) {
                let file = escape(&file.shown(world));
                let message = format!(
                    "`{}` is ignored by `{}`, which says `{}`",
                    visible(typed),
                    visible(&file),
                    visible(&pattern)
                );
                return Err(Failure::new(Reason::Ignored { file, pattern }, message));
            }
        }
        match place.behind_link(typed, world) {
            Some(next) => place = next?,
            None => break,
        }
    }
    Ok(())
}

/// The text of an ignore file, if there is one.
fn load(file: &Place, world: &mut dyn World) -> Result<Option<String>, Failure> {
    let shown = file.shown(world);
    let mut source = match world.open(file.root, &file.path) {
        Ok(source) => source,
        Err(FileError::NotFound) => return Ok(None),
        Err(error) => return Err(failure(error, &shown)),
    };
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        source
            .read(before as u64, limits::CHUNK_BYTES, &mut bytes)
            .map_err(|error| failure(error, &shown))?;
        if bytes.len() == before {
            break;
        }
        if bytes.len() > limits::IGNORE_BYTES {
            let words = format!("an ignore file has at most {} bytes", limits::IGNORE_BYTES);
            return Err(failure(FileError::Other(words), &shown));
        }
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The pattern that ignores a path, folders before what is in them.
fn ignoring(text: &str, path: &str) -> Option<String> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let patterns: Vec<Pattern<'_>> = lines.filter_map(parse).collect();
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
    for c in body.chars() {
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

    #[test]
    fn patterns_are_those_of_gitignore() {
        for (text, path, ignored) in [
            ("secret.txt", "secret.txt", true),
            ("secret.txt", "a/b/secret.txt", true),
            ("/secret.txt", "a/secret.txt", false),
            ("*.key", "a/x.key", true),
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
}
