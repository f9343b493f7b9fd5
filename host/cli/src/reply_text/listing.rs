//! Listings of directories and archives on a terminal.

use crate::colour::Palette;
use crate::columns::width;

/// The width of the sizes in a listing.
const SIZE: usize = 8;

/// The parts of a line of a listing.
struct Entry<'t> {
    /// The indentation and the name.
    name: &'t str,
    /// The size, which is empty for a directory.
    size: &'t str,
    /// The age, and what follows it.
    rest: &'t str,
}

impl<'t> Entry<'t> {
    /// Parses a line: the name, spaces, a size, two spaces and an age. `None` if the line has another
    /// form.
    fn parse(line: &'t str) -> Option<Self> {
        let end = ["just now", " ago"]
            .into_iter()
            .filter_map(|age| Some(line.rfind(age)? + age.len()))
            .max()?;
        let start = line.get(..end)?.rfind("  ")? + 2;
        let before = line[..start].trim_end();
        let (name, size) = match before.rsplit_once("  ") {
            Some((name, size)) if is_size(size) => (name.trim_end(), size),
            _ => (before, ""),
        };
        let rest = &line[start..];
        Some(Self { name, size, rest })
    }
}

/// Whether a text is the size of a file, or the type of a file without a size.
fn is_size(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_number = unit.len() < text.len() && matches!(unit, "B" | "KB" | "MB" | "GB" | "TB");
    is_number || matches!(text, "pipe" | "socket" | "device" | "special")
}

/// A listing with its sizes and ages below each other. The reader aligns them by the number of
/// characters, of which some are wide.
pub fn aligned(text: &str) -> String {
    let is_plain = |line: &str| width(line) == line.chars().count();
    if text.lines().all(is_plain) {
        return text.to_owned();
    }
    let entries = || text.split('\n').map(Entry::parse);
    let widest = entries().flatten().map(|entry| width(entry.name)).max();
    let lines = text.split('\n').zip(entries()).map(|(line, entry)| {
        let Some(Entry { name, size, rest }) = entry else {
            return line.to_owned();
        };
        let space = widest.unwrap_or(0) - width(name) + 2;
        format!("{name}{:space$}{size:>SIZE$}  {rest}", "")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of a listing, with the name of a directory in colour.
pub fn painted(line: &str, palette: Palette) -> String {
    let indent = line.len() - line.trim_start().len();
    let start = if line[indent..].starts_with("- ") {
        indent + 2
    } else {
        indent
    };
    let (before, entry) = line.split_at(start);
    // The size and the age follow after two spaces or more.
    let name = entry.split_once("  ").map_or(entry, |(name, _)| name);
    if !name.ends_with('/') {
        return line.to_owned();
    }
    let (name, rest) = entry.split_at(name.len());
    format!("{before}{}{rest}", palette.directory(name))
}
