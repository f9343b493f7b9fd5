//! Ignore files: what a workspace asks agents to leave alone.
//!
//! The form is that of `.gitignore` (gitignore(5)): the last pattern that
//! matches decides, and what lies in an ignored folder is ignored. Case does
//! not matter, as in the tools that invented these files and on the systems
//! where names differ by case only. They are read here and not by the host
//! because they are data of the workspace.

use super::symlinks::follow;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::escape;
use crate::place::{Place, failure};
use crate::subject::Origin;
use crate::visible::visible;
use crate::world::{FileError, World};

/// Refuses a file that an ignore file at the top of a root names: by the name
/// it has, by the links on the way to it, and by where they lead. The real path of
/// the file that was opened counts too, if the host knows it: links may have
/// changed since.
///
/// # Errors
/// [`Reason::Ignored`], or that an ignore file cannot be read.
pub fn heed(
    origin: &Origin,
    names: &[String],
    typed: &str,
    world: &mut dyn World,
) -> Result<(), Failure> {
    let Some(place) = origin.file().filter(|_| !names.is_empty()) else {
        return Ok(());
    };
    let opened = world
        .opened()
        .map_err(|why| failure(FileError::Other(why), typed).hint("read it again"))?;
    let mut files: Vec<(Place, Option<String>)> = Vec::new();
    let mut places = follow(place, typed, world)?;
    if let Some(opened) = opened {
        places.extend(follow(&Place::of(&opened, world)?, typed, world)?);
    }
    for place in places {
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
    let message = format!("`{typed}` is ignored by `{file}`, which says `{pattern}`");
    Failure::new(Reason::Ignored { file, pattern }, message)
}

/// The text of an ignore file, if there is one.
fn load(file: &Place, world: &mut dyn World) -> Result<Option<String>, Failure> {
    let shown = file.shown(world);
    let cannot = |error: FileError| {
        let words = format!("cannot read the ignore file `{}`: {error}", visible(&shown));
        Failure::new(Reason::Io(words.clone()), words)
            .hint("until it can be read, nothing is; option `ignores` names other ones")
    };
    let place = match file.clone().stat(true, &shown, world) {
        Ok(Ok((place, _))) => place,
        // A link that leads nowhere is there, and cannot be read.
        Ok(Err(FileError::NotFound))
            if world.stat(file.root, &file.path, false) == Err(FileError::NotFound) =>
        {
            return Ok(None);
        }
        Ok(Err(error)) => return Err(cannot(error)),
        Err(failure) => return Err(cannot(FileError::Other(failure.message.into()))),
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
    // With a byte order mark it may be UTF-16, as some shells write.
    let (text, _, _) = encoding_rs::UTF_8.decode(&bytes);
    Ok(Some(text.into_owned()))
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
    let lines = text.lines();
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
    let glob = glob(&body.to_lowercase(), anchored);
    Some(Pattern {
        line,
        glob,
        keeps,
        folder,
    })
}

/// A pattern as the matcher takes it: what means something else to one of them
/// is written so that it does not.
fn glob(pattern: &str, anchored: bool) -> String {
    let mut glob = String::from(if anchored { "" } else { "**/" });
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let class = rest.strip_prefix("[:").and_then(|rest| {
            let (name, after) = rest.split_once(":]")?;
            Some((class(name)?, after))
        });
        if let Some((members, after)) = class.filter(|_| glob.contains('[')) {
            glob.push_str(members);
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            // Any character may be escaped here; there some have a meaning then.
            '\\' => {
                if let Some(next) = rest.chars().next() {
                    if !next.is_alphanumeric() {
                        glob.push('\\');
                    }
                    glob.push(next);
                    rest = rest.get(next.len_utf8()..).unwrap_or_default();
                }
            }
            '{' | '}' => glob.extend(['\\', c]),
            '!' if glob.is_empty() => glob.push_str("\\!"),
            // More than two are as two.
            '*' if glob.ends_with("**") && !glob.ends_with("\\**") => {}
            c => glob.push(c),
        }
    }
    glob
}

/// The members of a class of characters, in lower case.
fn class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "a-z0-9",
        "alpha" | "upper" | "lower" => "a-z",
        "blank" => " \t",
        "cntrl" => "\x01-\x1f\x7f",
        "digit" => "0-9",
        "graph" => "!-~",
        "print" => " -~",
        "punct" => "!-/:-@\\[-`{-~",
        "space" => " \t-\r",
        "xdigit" => "0-9a-f",
        _ => return None,
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
            ("[[:digit:]]*.key", "1.key", true),
            ("[[:digit:]]*.key", "a.key", false),
            ("[![:alpha:][:space:]]x", "1x", true),
            ("[![:alpha:][:space:]]x", "ax", false),
            ("\\target", "target", true),
            ("a\\*b", "a*b", true),
            ("a\\*b", "axb", false),
            ("****/x", "a/b/x", true),
            ("a***b", "axxb", true),
            ("[:", "[:", false),
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
        let origin = Origin::File(Place::of(path, world).unwrap());
        heed(&origin, &[".ignore".to_owned()], path, world).map_err(|failure| failure.reason)
    }

    #[test]
    fn ignored_file_is_refused_by_its_real_path_after_a_link_changed() {
        let mut world = MemoryWorld::new("/ws");
        world
            .file(".ignore", "secret.txt\n")
            .file("secret.txt", "")
            .file("free.txt", "")
            .link("link", "free.txt");
        // The link led elsewhere when the file was opened.
        world.real = Some("/ws/secret.txt".to_owned());
        assert!(matches!(
            heeded(&mut world, "link"),
            Err(Reason::Ignored { .. })
        ));
        world.real = Some("/ws/free.txt".to_owned());
        assert_eq!(heeded(&mut world, "link"), Ok(()));
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
