//! The names in the listing of a directory of an archive.
//!
//! A listing is for a model, so that some lines have two meanings: `a (6B)` is a file of six bytes, or an empty file with
//! this whole name. The first meaning is read, and the second one if no member has the first name.

use omniread::{Block, Kind, Reply};

/// An entry of a listing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The name. That of a directory ends in `/`.
    pub(crate) name: String,
    /// The name if this entry is meant by another reading of its line.
    pub(crate) other: Option<String>,
}

/// The entries in a listing of an archive.
pub(crate) fn names(reply: &Reply) -> Vec<Listed> {
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
    lines.filter_map(listed).collect()
}

/// The entry of a line. `None` if it has no name, so that no path leads to it.
fn listed(line: &str) -> Option<Listed> {
    // The target of a link may end in a slash.
    let link = || line.split_once(" -> ").map(|(name, _)| name);
    let name = if line.ends_with('/') {
        link()
    } else {
        without_size(line)
            .or_else(|| line.rsplit_once(" (link to ").map(|(name, _)| name))
            .or_else(link)
            .or_else(|| line.strip_suffix(" (link)"))
            .or_else(|| line.strip_suffix(" (special)"))
    };
    let (name, other) = match name {
        Some("") | None => (line, None),
        Some(name) => (name, Some(visible(line))),
    };
    (name != "(no name)").then(|| Listed {
        name: visible(name),
        other,
    })
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

/// The escape form of a name, in which no colon begins a selector.
pub(crate) fn escaped(name: &str) -> String {
    name.replace(':', "\\:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_the_lines_of_a_listing() {
        for (line, expected, has_other) in [
            ("src/", "src/", false),
            ("a.txt (4B)", "a.txt", true),
            ("a.txt (1.5KB)", "a.txt", true),
            ("x (6B) (9B)", "x (6B)", true),
            ("empty", "empty", false),
            ("empty (final)", "empty (final)", false),
            ("link -> a.txt", "link", true),
            ("link -> d/", "link", true),
            ("hard (link to a.txt)", "hard", true),
            ("hard (link to d/)", "hard", true),
            ("hard (link)", "hard", true),
            ("null (special)", "null", true),
            ("new⟨U+000A⟩line (1B)", "new\nline", true),
            ("odd ⟨U+ name (1B)", "odd ⟨U+ name", true),
        ] {
            let found = listed(line).expect("a name");
            assert_eq!(found.name, expected, "{line}");
            let other = has_other.then(|| visible(line));
            assert_eq!(found.other, other, "{line}");
        }
        assert_eq!(listed("(no name) (3B)"), None);
        assert_eq!(escaped("a:5"), "a\\:5");
    }
}
