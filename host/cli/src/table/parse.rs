//! Finds the tables of a text, in the syntax of GFM.

/// The side of a column at which its values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Middle,
    Right,
}

/// A table.
#[derive(Debug, PartialEq, Eq)]
pub struct Table<'t> {
    /// The names of the columns.
    pub heads: Vec<&'t str>,
    /// The sides of the columns, where the text determines them.
    pub sides: Vec<Option<Side>>,
    /// The values of each row. There are as many as columns.
    pub rows: Vec<Vec<&'t str>>,
}

impl<'t> Table<'t> {
    /// Parses the table that starts with the first line. Also returns the number of its lines.
    /// `None` if the lines do not start with a table.
    pub fn parse(lines: &[&'t str]) -> Option<(Self, usize)> {
        let [head, rule, ..] = lines else {
            return None;
        };
        if !head.starts_with('|') || !rule.starts_with('|') {
            return None;
        }
        let sides = cells(rule)?.into_iter().map(side);
        let sides = sides.collect::<Option<Vec<_>>>()?;
        let stops = stops(rule);
        let split = |line: &'t str| at_stops(line, &stops).or_else(|| cells(line));
        let heads = split(head).filter(|heads| heads.len() == sides.len())?;
        let mut rows = Vec::new();
        for line in &lines[2..] {
            if !line.starts_with('|') {
                break;
            }
            let mut row = split(line)?;
            if row.len() > sides.len() {
                return None;
            }
            row.resize(sides.len(), "");
            rows.push(row);
        }
        let count = rows.len() + 2;
        Some((Self { heads, sides, rows }, count))
    }
}

/// The cells of a line. A bar after a backslash belongs to a cell. `None` if the line does not start
/// and end with a bar.
fn cells(line: &str) -> Option<Vec<&str>> {
    let line = line.trim_end().strip_prefix('|')?;
    let bytes = line.as_bytes();
    let mut cells = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices('|') {
        if at > 0 && bytes[at - 1] == b'\\' {
            continue;
        }
        cells.push(line[start..at].trim());
        start = at + 1;
    }
    (start == line.len()).then_some(cells)
}

/// The side that a cell of the line below the heads determines: `---:` is the right one. The outer
/// `None` means that the cell does not belong to such a line.
#[expect(
    clippy::option_option,
    reason = "most columns have no side of their own"
)]
fn side(cell: &str) -> Option<Option<Side>> {
    let dashes = cell.trim_matches(':');
    if dashes.is_empty() || !dashes.bytes().all(|byte| byte == b'-') {
        return None;
    }
    Some(match (cell.starts_with(':'), cell.ends_with(':')) {
        (true, true) => Some(Side::Middle),
        (false, true) => Some(Side::Right),
        (true, false) => Some(Side::Left),
        (false, false) => None,
    })
}

/// The places of the bars in the line below the heads, counted in characters.
fn stops(rule: &str) -> Vec<usize> {
    // The line is ASCII.
    rule.match_indices('|').map(|(at, _)| at).collect()
}

/// The cells of a line of a table whose columns are aligned: all bars are at the same characters.
/// Only in such a table may a cell contain a bar without a backslash, as values of a database do.
fn at_stops<'t>(line: &'t str, stops: &[usize]) -> Option<Vec<&'t str>> {
    let mut next = stops.iter().copied().peekable();
    let mut cells = Vec::with_capacity(stops.len());
    let mut start = None;
    for (count, (at, c)) in line.char_indices().enumerate() {
        if next.next_if_eq(&count).is_some() {
            if c != '|' {
                return None;
            }
            if let Some(start) = start {
                cells.push(inside(&line[start..at])?);
            }
            start = Some(at + 1);
        }
    }
    let complete = next.peek().is_none() && start == Some(line.len());
    complete.then_some(cells)
}

/// A cell without the spaces that align it. `None` if there is no space at its start and end.
fn inside(cell: &str) -> Option<&str> {
    let text = cell.strip_prefix(' ')?.strip_suffix(' ')?;
    Some(text.trim_end_matches(' '))
}

/// The fence of the block of code in which the text after a line is: three or more backticks or
/// tildes. `None` outside of such blocks.
pub fn fence_after<'t>(open: Option<&'t str>, line: &'t str) -> Option<&'t str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'));
    let Some(mark) = mark else {
        return open;
    };
    let rest = line.trim_start_matches(mark);
    let fence = &line[..line.len() - rest.len()];
    if fence.len() < 3 {
        return open;
    }
    match open {
        None if mark == '`' && rest.contains('`') => None,
        None => Some(fence),
        Some(open) if fence.starts_with(open) && rest.trim().is_empty() => None,
        Some(open) => Some(open),
    }
}
