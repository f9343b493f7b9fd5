//! Ignore files: files of a workspace that agents should not read.
//!
//! The syntax is that of `.gitignore`, see gitignore(5). The last pattern that matches decides. All
//! files in an ignored directory are ignored. Case is ignored, as in the tools that introduced
//! these files. Ignore files are data of the workspace, so the reader parses them and not the host.

use super::symlinks::follow;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, OperatorHint, Reason};
use crate::limits;
use crate::path::escape;
use crate::rooted_path::{RootedPath, failure};
use crate::subject::Origin;
use crate::world::{FileError, World};

/// Checks that no ignore file has a pattern that matches a file. Ignore files are in the top
/// directory of a root and have one of the names `names`. The patterns are compared with the
/// requested path, with the path of each symlink that is followed to resolve it, and with the real
/// path. If the host knows the real path of the open file, that path is checked too, because a
/// symlink may have changed between the resolution of the path and the opening of the file.
///
/// # Errors
/// Returns [`Reason::Ignored`] if a pattern matches. Fails if an ignore file cannot be read.
pub fn check_ignored(
    origin: &Origin,
    names: &[String],
    typed: &str,
    world: &mut dyn World,
) -> Result<(), Failure> {
    // The ignore files are those of the workspace, which mounts are not.
    let (place, is_revision) = match origin {
        Origin::File(place)
        | Origin::Resource {
            place: Some(place), ..
        } => (place, false),
        // The file that was opened is a part of the repository.
        Origin::Revision(revision) => (&revision.place, true),
        _ => return Ok(()),
    };
    if names.is_empty() {
        return Ok(());
    }
    let opened = world
        .opened_path()
        .map_err(|why| failure(FileError::Other(why), typed).hint("read it again"))?;
    let mut files: Vec<(RootedPath, Option<String>)> = Vec::new();
    let mut places = follow(place, typed, world)?;
    if let Some(opened) = opened.filter(|_| !is_revision) {
        places.extend(follow(&RootedPath::of(&opened, world)?, typed, world)?);
    }
    for place in places {
        for name in names {
            let file = RootedPath {
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
    let message = format!("`{typed}` is ignored by the pattern `{pattern}` in `{file}`");
    Failure::new(Reason::Ignored { file, pattern }, message)
}

/// The text of an ignore file. `None` if the file does not exist.
fn load(file: &RootedPath, world: &mut dyn World) -> Result<Option<String>, Failure> {
    let shown = file.shown(world);
    let cannot = |error: FileError| {
        let message = format!(
            "cannot read the ignore file `{}`: {error}",
            escape_invisible(&shown)
        );
        Failure::new(Reason::Io(message.clone()), message)
            .hint("nothing can be read until it is readable")
            .operator_hint(OperatorHint::Ignores)
    };
    let place = match file.clone().stat(true, &shown, world) {
        Ok(Ok((place, _))) => place,
        // A dangling symlink is an ignore file that cannot be read, and not a missing one.
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
            let message = format!("it has more than {} bytes", limits::IGNORE_BYTES);
            return Err(cannot(FileError::Other(message)));
        }
    }
    // `decode` detects a byte order mark: some shells write UTF-16.
    let (text, _, _) = encoding_rs::UTF_8.decode(&bytes);
    Ok(Some(text.into_owned()))
}

/// A parsed pattern.
struct Pattern<'f> {
    /// The line as it is written in the file.
    line: &'f str,
    /// The glob for the path relative to the root, in lower case.
    glob: Vec<u8>,
    /// Whether the pattern starts with `!` and so includes files that earlier patterns ignore.
    keeps: bool,
    /// Whether the pattern ends in `/` and so matches directories only.
    folder: bool,
}

/// The line of the ignore file `text` whose pattern ignores `path`. `None` if the path is not
/// ignored. The directories that contain the file are checked before the file itself.
fn ignoring(text: &str, path: &str) -> Option<String> {
    // The last line may end in a carriage return alone, which `str::lines` would keep.
    let lines = text.split('\n');
    let lines = lines.map(|line| line.strip_suffix('\r').unwrap_or(line));
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

/// Parses a line. `None` if it has no pattern, or one that matches nothing.
fn parse(line: &str) -> Option<Pattern<'_>> {
    let body = without_spaces(line);
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
    Some(Pattern {
        line,
        glob: glob(body, anchored)?,
        keeps,
        folder,
    })
}

/// A line without the spaces at its end. A space after a backslash stays, unless the backslash is
/// escaped itself.
fn without_spaces(line: &str) -> &str {
    let body = line.trim_end_matches(' ');
    let backslashes = body.bytes().rev().take_while(|byte| *byte == b'\\');
    if backslashes.count() % 2 == 0 {
        return body;
    }
    let escaped = body.len().saturating_add(1);
    line.get(..escaped).unwrap_or(body)
}

/// Converts a pattern of an ignore file to a glob for the crate `fast_glob`, in lower case. Escapes
/// characters that are special only in `fast_glob`. Unless `anchored` is true, the glob matches in
/// directories of any depth. `None` if the pattern matches nothing.
fn glob(pattern: &str, anchored: bool) -> Option<Vec<u8>> {
    let mut glob = Vec::from(if anchored { "" } else { "**/" });
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\\' => {
                let escaped = rest.chars().next()?;
                rest = rest.get(escaped.len_utf8()..).unwrap_or_default();
                push(escaped, &mut glob);
            }
            '[' => {
                let (members, after) = class(rest)?;
                glob.extend(members);
                rest = after;
            }
            '*' => {
                let after = rest.trim_start_matches('*');
                // Two or more asterisks that are a whole name match names of any number, and are
                // equal to one elsewhere.
                let starts = glob.last().is_none_or(|byte| *byte == b'/');
                let ends = after.is_empty() || after.starts_with('/') || after.starts_with("\\/");
                let names = starts && ends && after.len() < rest.len();
                glob.extend(if names { &b"**"[..] } else { b"*" });
                rest = after;
            }
            '?' => glob.push(b'?'),
            c => push(c, &mut glob),
        }
    }
    Some(glob)
}

/// Adds a character to a glob, escaped if it may be special. In `fast_glob`, some letters after a
/// backslash are control characters.
fn push(c: char, glob: &mut Vec<u8>) {
    if c.is_ascii_punctuation() && c != '/' {
        glob.push(b'\\');
    }
    for c in c.to_lowercase() {
        glob.extend(c.to_string().bytes());
    }
}

/// Converts a bracket expression, of which `text` is what follows `[`, to that of a glob. Returns what
/// follows it, too. `None` if it is not closed, or if it has an unknown class.
fn class(text: &str) -> Option<(Vec<u8>, &str)> {
    let (start, text) = match text.strip_prefix(['!', '^']) {
        Some(text) => (&b"[!"[..], text),
        None => (&b"["[..], text),
    };
    let mut members = Vec::from(start);
    let bytes = text.as_bytes();
    let mut at = 0_usize;
    // The byte from which a hyphen makes a range.
    let mut first = None;
    loop {
        let byte = *bytes.get(at)?;
        let after = at.saturating_add(1);
        if byte == b']' && at > 0 {
            members.push(byte);
            return Some((members, text.get(after..)?));
        }
        let closes = bytes.get(after).is_none_or(|next| *next == b']');
        match (byte, first) {
            (b'-', Some(low)) if !closes => {
                let (high, end) = member(bytes, after)?;
                add(low, high, &mut members);
                (first, at) = (None, end);
            }
            (b'[', _) if bytes.get(after) == Some(&b':') => {
                let body = text.get(after.saturating_add(1)..)?;
                let (name, _) = body.split_once(']')?;
                if let Some(name) = name.strip_suffix(':') {
                    for (low, high) in posix(name)? {
                        add(*low, *high, &mut members);
                    }
                    (first, at) = (None, at.saturating_add(name.len()).saturating_add(4));
                } else {
                    add(byte, byte, &mut members);
                    (first, at) = (Some(byte), after);
                }
            }
            _ => {
                let (single, end) = member(bytes, at)?;
                add(single, single, &mut members);
                (first, at) = (Some(single), end);
            }
        }
    }
}

/// The byte at `at`, or the escaped one, and the place after it.
fn member(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let byte = *bytes.get(at)?;
    let after = at.saturating_add(1);
    if byte != b'\\' {
        return Some((byte, after));
    }
    Some((*bytes.get(after)?, after.saturating_add(1)))
}

/// Adds the bytes from `low` to `high` to a bracket expression, and those of their capital letters in
/// lower case: `Z-a` has `z`.
fn add(low: u8, high: u8, members: &mut Vec<u8>) {
    let capitals = (low.max(b'A'), high.min(b'Z'));
    let small = (capitals.0 <= capitals.1).then(|| {
        let (low, high) = capitals;
        (low.to_ascii_lowercase(), high.to_ascii_lowercase())
    });
    for (low, high) in [Some((low, high)), small].into_iter().flatten() {
        for (separator, byte) in [("", low), ("-", high)] {
            members.extend(separator.bytes());
            if byte.is_ascii_punctuation() {
                members.push(b'\\');
            }
            members.push(byte);
        }
    }
}

/// The ASCII characters of a POSIX character class such as `alpha`, as ranges. Letters are in lower
/// case.
fn posix(name: &str) -> Option<&'static [(u8, u8)]> {
    Some(match name {
        "alnum" => &[(b'a', b'z'), (b'0', b'9')],
        "alpha" | "upper" | "lower" => &[(b'a', b'z')],
        "blank" => &[(b' ', b' '), (b'\t', b'\t')],
        "cntrl" => &[(1, 0x1f), (0x7f, 0x7f)],
        "digit" => &[(b'0', b'9')],
        "graph" => &[(b'!', b'~')],
        "print" => &[(b' ', b'~')],
        "punct" => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        "space" => &[(b' ', b' '), (b'\t', b'\r')],
        "xdigit" => &[(b'0', b'9'), (b'a', b'f')],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryWorld;

    #[test]
    fn patterns_match_as_in_gitignore() {
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
            // The last line ends in a carriage return, and not in a line feed.
            ("y\nx\r", "x", true),
            // The backslash before the space is escaped.
            ("a\\\\ ", "a\\", true),
            ("a\\\\\\ ", "a\\ ", true),
            // Nothing follows the backslash.
            ("x\\", "x", false),
            ("\\***/x", "*a/x", true),
            ("[[:punct:]]x", "]x", true),
            ("[[:punct:]]x", "^x", true),
            ("[[:punct:]]x", "1x", false),
            ("[[:unknown:]]x", "ux", false),
            ("[[:digit:]x", "1x", false),
            // Outside of brackets, `[:digit:]` is a set of these characters.
            ("[x][:digit:]y", "xdy", true),
            ("[x][:digit:]y", "x1y", false),
            ("x/a**/**/b", "x/b", false),
            ("x/?**/**/b", "x/ab", false),
            ("x/?**/**/b", "x/a/b", true),
            ("x/**\\/b", "x/a/a/b", true),
            ("[Z-a]x", "_x", true),
            ("[Z-a]x", "zx", true),
            ("[!Z-a]x", "zx", false),
            ("[A-C]x", "dx", false),
            ("[A-C]x", "bx", true),
            ("[z-a]x", "zx", true),
            ("[\\n]x", "nx", true),
            ("[]-]x", "-x", true),
            ("[a\\-z]x", "bx", false),
            ("[a-c-e]x", "dx", false),
        ] {
            assert_eq!(ignoring(text, path).is_some(), ignored, "{text:?} {path}");
        }
    }

    fn checked(world: &mut MemoryWorld, path: &str) -> Result<(), Reason> {
        let origin = Origin::File(RootedPath::of(path, world).unwrap());
        check_ignored(&origin, &[".ignore".to_owned()], path, world)
            .map_err(|failure| failure.reason)
    }

    #[test]
    fn ignored_file_is_refused_by_its_real_path_after_a_link_changed() {
        let mut world = MemoryWorld::new("/ws");
        world
            .file(".ignore", "secret.txt\n")
            .file("secret.txt", "")
            .file("free.txt", "")
            .link("link", "free.txt");
        // The symlink had another target when the file was opened.
        world.real = Some("/ws/secret.txt".to_owned());
        assert!(matches!(
            checked(&mut world, "link"),
            Err(Reason::Ignored { .. })
        ));
        world.real = Some("/ws/free.txt".to_owned());
        assert_eq!(checked(&mut world, "link"), Ok(()));
    }

    #[test]
    fn symlinks_do_not_hide_ignored_targets() {
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
                matches!(checked(&mut world, path), Err(Reason::Ignored { .. })),
                "{path}"
            );
        }
        assert_eq!(checked(&mut world, "fine"), Ok(()));
        assert_eq!(checked(&mut world, "free.txt"), Ok(()));
        assert!(matches!(
            checked(&mut world, "away"),
            Err(Reason::Symlink(_))
        ));
        let last = limits::MAX_LINKS + 1;
        for n in 0..last {
            world.link(&format!("chain{n}"), &format!("chain{}", n + 1));
        }
        world.file(&format!("chain{last}"), "");
        assert!(matches!(
            checked(&mut world, "chain0"),
            Err(Reason::Symlink(_))
        ));
        assert_eq!(checked(&mut world, "chain1"), Ok(()));
    }
}
