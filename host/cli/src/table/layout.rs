//! Writes a table within the columns of a terminal.

use super::cut::Cut;
use super::parse::{Side, Table};
use crate::colour::Palette;
use crate::columns::{start, width};

/// The least width of a column: that of the dashes below its name, with the mark of its side.
const LEAST: usize = 3;

/// The width to which columns of text are narrowed before columns are left out.
const NARROW: usize = 10;

/// The mark in place of columns or of the rest of a value.
const MORE: &str = "…";

/// The columns that a line needs in addition to the widths of its cells: `| ` before each cell, a
/// space after it, and the last bar.
fn around(cells: usize) -> usize {
    cells * 3 + 1
}

/// Writes a table, without a line ending after the last line. Returns what it lacks.
pub fn write(table: &Table<'_>, columns: usize, palette: Palette, out: &mut String) -> Cut {
    let sides: Vec<Side> = (0..table.heads.len())
        .map(|index| side(table, index))
        .collect();
    let natural: Vec<usize> = (0..table.heads.len())
        .map(|index| natural_width(table, index))
        .collect();
    let is_text: Vec<bool> = sides.iter().map(|side| *side != Side::Right).collect();
    let widths = widths(&natural, &is_text, columns);
    let hidden = natural.len() - widths.len();
    let mut writer = Writer {
        widths: &widths,
        sides: &sides,
        more: hidden > 0,
        palette,
        out,
        cuts: 0,
    };
    writer.line(&table.heads, |text| palette.head(text));
    // A head that is cut is not a value.
    writer.cuts = 0;
    writer.out.push('\n');
    writer.rule();
    for row in &table.rows {
        writer.out.push('\n');
        writer.line(row, str::to_owned);
    }
    Cut {
        columns: hidden,
        of_columns: if hidden > 0 { natural.len() } else { 0 },
        values: writer.cuts,
    }
}

/// The side of a column. Numbers are at the right, so that their digits are below each other.
fn side(table: &Table<'_>, index: usize) -> Side {
    if let Some(side) = table.sides[index] {
        return side;
    }
    let values = table.rows.iter().map(|row| row[index]);
    let mut values = values.filter(|value| !matches!(*value, "" | "NULL"));
    let mut any = false;
    let numbers = values.all(|value| {
        any = true;
        is_number(value)
    });
    if numbers && any {
        Side::Right
    } else {
        Side::Left
    }
}

/// Whether a value is a number as databases and workbooks show it: `-1,234.50`, `12 %`, `1.5e-7`,
/// `$99`, `7 EUR`. Dates, versions and addresses are not numbers.
pub fn is_number(text: &str) -> bool {
    let currency = |c: char| matches!(c, '$' | '€' | '£' | '¥');
    let sign = |c: char| matches!(c, '-' | '+' | '−');
    let text = text.strip_prefix(sign).unwrap_or(text);
    let text = text.strip_prefix(currency).unwrap_or(text).trim_start();
    let text = text.strip_prefix(sign).unwrap_or(text);
    let end = |c: char| currency(c) || matches!(c, '%' | '‰');
    let text = text.strip_suffix(end).unwrap_or(text).trim_end();
    // The code of a currency, such as `EUR`.
    let text = match text.rsplit_once(' ') {
        Some((number, code)) if is_currency_code(code) => number,
        _ => text,
    };
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, Some(exponent)),
        None => (text, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.is_none_or(|text| is_digits(text.strip_prefix(sign).unwrap_or(text)));
    let separator = |c: char| matches!(c, '.' | ',' | '\'' | '_' | ' ' | '\u{a0}' | '\u{202f}');
    let parts: Vec<&str> = digits.split(separator).collect();
    let (Some((first, rest)), true) = (parts.split_first(), exponent) else {
        return false;
    };
    let groups = match rest.split_last() {
        None => return is_digits(first),
        // A fraction, or the last group of thousands.
        Some((last, groups)) => {
            let fraction = digits.contains(['.', ',']) && (last.is_empty() || is_digits(last));
            if !fraction && last.len() != 3 {
                return false;
            }
            groups.iter().chain((!fraction).then_some(last))
        }
    };
    let mut groups = groups;
    let lone_fraction = first.is_empty() && rest.len() == 1 && is_digits(rest[0]);
    lone_fraction || (is_digits(first) && groups.all(|group| group.len() == 3 && is_digits(group)))
}

fn is_currency_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The width of the longest text of a column.
fn natural_width(table: &Table<'_>, index: usize) -> usize {
    let values = table.rows.iter().map(|row| width(row[index]));
    let longest = values.max().unwrap_or(0);
    longest.max(width(table.heads[index])).max(LEAST)
}

/// The widths of the columns that fit into a terminal: the widest columns of text are narrowed, and
/// if that is not enough, the last columns are left out. Numbers are not narrowed, because a part of
/// a number looks like another number. At least one column is left.
fn widths(natural: &[usize], is_text: &[bool], columns: usize) -> Vec<usize> {
    let least = |index: usize| {
        let most = if is_text[index] { NARROW } else { usize::MAX };
        natural[index].min(most)
    };
    let room = |count: usize, more: usize| columns.saturating_sub(around(count + more) + more);
    let needed = |count: usize| (0..count).map(least).sum::<usize>();
    let all = natural.len();
    let (mut count, mut more) = (all, 0);
    while count > 1 && needed(count) > room(count, more) {
        count -= 1;
        more = 1;
    }
    let room = room(count, more);
    let mut widths = natural[..count].to_vec();
    // The only column may be wider than the terminal.
    if count == 1 {
        widths[0] = widths[0].min(room.max(1));
        return widths;
    }
    let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
    while excess > 0 {
        // All of the widest columns are narrowed to the width of the next one, or as far as needed.
        let wide = |index: usize, widths: &[usize]| is_text[index].then_some(widths[index]);
        let widest = (0..count).filter_map(|index| wide(index, &widths)).max();
        let Some(widest) = widest.filter(|widest| *widest > NARROW) else {
            break;
        };
        let among: Vec<usize> = (0..count)
            .filter(|index| wide(*index, &widths) == Some(widest))
            .collect();
        let next = (0..count).filter_map(|index| wide(index, &widths));
        let next = next.filter(|width| *width < widest).max().unwrap_or(0);
        let step = (widest - next.max(NARROW)).min(excess.div_ceil(among.len()));
        for index in among {
            let less = step.min(excess);
            widths[index] -= less;
            excess -= less;
        }
    }
    widths
}

/// A writer of the lines of a table.
struct Writer<'a> {
    /// The widths of the columns that are shown.
    widths: &'a [usize],
    sides: &'a [Side],
    /// Whether columns are left out.
    more: bool,
    palette: Palette,
    out: &'a mut String,
    /// The number of cells that are cut.
    cuts: usize,
}

impl Writer<'_> {
    fn line(&mut self, cells: &[&str], painted: impl Fn(&str) -> String) {
        for ((cell, columns), side) in cells.iter().zip(self.widths).zip(self.sides) {
            self.bar("| ");
            let (shown, cut) = if width(cell) <= *columns {
                (*cell, "")
            } else {
                self.cuts += 1;
                (start(cell, columns.saturating_sub(1)), MORE)
            };
            let free = columns.saturating_sub(width(shown) + width(cut));
            let before = match side {
                Side::Left => 0,
                Side::Middle => free / 2,
                Side::Right => free,
            };
            self.spaces(before);
            self.out.push_str(&painted(&format!("{shown}{cut}")));
            self.spaces(free - before);
            self.out.push(' ');
        }
        if self.more {
            self.bar("| ");
            self.out.push_str(MORE);
            self.out.push(' ');
        }
        self.bar("|");
    }

    /// Writes the line below the heads.
    fn rule(&mut self) {
        let mut rule = String::new();
        for (columns, side) in self.widths.iter().zip(self.sides) {
            let (left, right) = match side {
                Side::Left => ("", ""),
                Side::Middle => (":", ":"),
                Side::Right => ("", ":"),
            };
            let dashes = columns.saturating_sub(left.len() + right.len());
            rule.push_str(&format!("| {left}{}{right} ", "-".repeat(dashes)));
        }
        if self.more {
            rule.push_str("| - ");
        }
        rule.push('|');
        self.bar(&rule);
    }

    fn bar(&mut self, text: &str) {
        let painted = self.palette.rule(text);
        self.out.push_str(&painted);
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
    }
}
