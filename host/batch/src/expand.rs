//! What directories and archives contain.

use crate::limits;
use crate::names::{is_excluded, is_hidden, join};
use crate::queue::{Child, What};
use omniread::{Block, Dialect, Failure, Kind, Options, Reader, Reason, Reply, Session};
use std::path::{Path, PathBuf};

/// The path of an archive, or of a directory in one, if this is what a path has led to.
pub(crate) fn archive(path: &Path, outcome: &Result<Reply, Failure>) -> Option<String> {
    match outcome {
        Ok(reply) if matches!(reply.details.kind, Kind::Archive(_)) => {
            Some(reply.details.path.clone())
        }
        Ok(_) => None,
        // A dialect that shows no archives names the format.
        Err(failure) => match &failure.reason {
            Reason::Binary(file) if file.format.ends_with(" archive") => {
                path.to_str().map(str::to_owned)
            }
            _ => None,
        },
    }
}

/// Whether a path has led to a directory of the file system.
pub(crate) fn is_directory(outcome: &Result<Reply, Failure>) -> bool {
    match outcome {
        Ok(reply) => matches!(reply.details.kind, Kind::Directory(_)),
        Err(failure) => matches!(failure.reason, Reason::Directory(_)),
    }
}

/// The files and directories in a directory, without hidden ones and those that are excluded. `None` if it cannot be
/// listed.
pub(crate) fn directory(reader: &Reader, path: &Path, excluded: &[PathBuf]) -> Option<Vec<Child>> {
    let path = path.to_str()?;
    let entries = reader.entries(path)?;
    let mut children = Vec::with_capacity(entries.names.len());
    for name in entries.names {
        if is_hidden(&name) {
            continue;
        }
        let child = join(path, &name);
        if name.ends_with('/') {
            children.push(Child {
                path: child,
                what: What::Directory,
            });
        } else if !is_excluded(&child, excluded) {
            children.push(Child {
                path: child,
                what: What::Path { is_listed: false },
            });
        }
    }
    if !entries.is_complete {
        children.push(incomplete(path));
    }
    Some(children)
}

/// A row that says that a directory or an archive has more. Its path differs from that of the directory, which has no
/// row itself.
fn incomplete(path: &str) -> Child {
    Child {
        path: join(path, "*"),
        what: What::Incomplete,
    }
}

/// The paths of all members of an archive, in the order of its listings.
///
/// # Errors
/// Fails if a listing cannot be read.
pub(crate) fn members(session: &Session, archive: &str) -> Result<Vec<Child>, Box<Failure>> {
    let prefix = if archive.ends_with([':', '/']) {
        archive.to_owned()
    } else {
        format!("{archive}:")
    };
    // A page then has up to 8 MiB.
    let options = Options {
        all: true,
        ..Options::default()
    };
    let mut children = Vec::new();
    // The directories that are listed later, the next one last.
    let mut left = vec![prefix];
    while let Some(directory) = left.pop() {
        let mut below = Vec::new();
        let mut page = Some(directory.clone());
        while let Some(path) = page {
            let reply = session.read_as(&path, Dialect::Omp, &options)?;
            for name in names(&reply) {
                let path = format!("{directory}{}", escaped(&name));
                if name.ends_with('/') {
                    below.push(path);
                } else {
                    children.push(Child {
                        path,
                        what: What::Path { is_listed: false },
                    });
                }
            }
            page = reply
                .details
                .next
                .filter(|_| children.len() < limits::NAMES);
        }
        if children.len() >= limits::NAMES || left.len() >= limits::NAMES {
            children.push(incomplete(archive));
            break;
        }
        left.extend(below.into_iter().rev());
    }
    Ok(children)
}

/// The names in a listing of an archive. Those of directories end in `/`.
fn names(reply: &Reply) -> Vec<String> {
    let is_empty = match &reply.details.kind {
        Kind::Archive(archive) => archive.listed == 0,
        _ => true,
    };
    let text = reply.blocks.iter().find_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        _ => None,
    });
    // Notices follow after an empty line.
    let lines = text
        .unwrap_or_default()
        .lines()
        .take_while(|line| !line.is_empty());
    let lines = lines.filter(|_| !is_empty);
    lines.filter_map(name).collect()
}

/// The name in a line of a listing. `None` if it has none.
fn name(line: &str) -> Option<String> {
    let name = if line.ends_with('/') {
        line
    } else if let Some(name) = without_size(line) {
        name
    } else if let Some((name, _)) = line.rsplit_once(" (link to ") {
        name
    } else if let Some((name, _)) = line.split_once(" -> ") {
        name
    } else {
        let name = line
            .strip_suffix(" (link)")
            .or(line.strip_suffix(" (special)"));
        name.unwrap_or(line)
    };
    (name != "(no name)").then(|| visible(name))
}

/// The name before a size, such as `a.txt (1.5KB)`.
fn without_size(line: &str) -> Option<&str> {
    let (name, size) = line.strip_suffix("B)")?.rsplit_once(" (")?;
    let size = size.strip_suffix(['K', 'M', 'G', 'T', 'P']).unwrap_or(size);
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    (!size.is_empty() && size.chars().all(is_number)).then_some(name)
}

/// A name with the characters that a listing shows as escape sequences: `⟨U+000A⟩` is a line feed.
fn visible(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once("⟨U+") {
        out.push_str(before);
        let hidden = after.split_once('⟩').and_then(|(digits, after)| {
            let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            Some((c, after))
        });
        match hidden {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.push_str("⟨U+");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The escape form of the name of a member, in which no colon begins a selector.
fn escaped(name: &str) -> String {
    name.replace(':', "\\:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_the_lines_of_a_listing() {
        for (line, expected) in [
            ("src/", "src/"),
            ("a.txt (4B)", "a.txt"),
            ("a.txt (1.5KB)", "a.txt"),
            ("x (6B) (9B)", "x (6B)"),
            ("empty", "empty"),
            ("empty (final)", "empty (final)"),
            ("link -> a.txt", "link"),
            ("hard (link to a.txt)", "hard"),
            ("hard (link)", "hard"),
            ("null (special)", "null"),
            ("new⟨U+000A⟩line (1B)", "new\nline"),
            ("odd ⟨U+ name (1B)", "odd ⟨U+ name"),
        ] {
            assert_eq!(name(line).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(name("(no name) (3B)"), None);
        assert_eq!(escaped("a:5"), "a\\:5");
    }
}
