//! Lines of tables in the syntax of GFM (GitHub Flavored Markdown), in the form with the fewest tokens.
//!
//! A table for a model is not aligned, and no space is next to its bars: all renderers of GFM trim cells, and a space before a
//! number is a token of its own for most models.

/// Appends a line of a table, without a line ending. Bars in the cells are escaped already.
pub fn row<'t>(cells: impl IntoIterator<Item = &'t str>, out: &mut String) {
    out.push('|');
    for text in cells {
        cell(text, out);
    }
}

/// Appends the line between the head and the other lines of a table, without a line ending.
pub fn rule(columns: usize, out: &mut String) {
    out.push('|');
    for _ in 0..columns {
        out.push_str("-|");
    }
}

/// Appends a cell after the bar before it.
pub fn cell(text: &str, out: &mut String) {
    out.push_str(text);
    // The backslash would escape the bar.
    if text.ends_with('\\') {
        out.push(' ');
    }
    out.push('|');
}

/// The size in bytes of what [`cell`] appends.
pub fn cell_bytes(text: &str) -> usize {
    text.len()
        .saturating_add(1)
        .saturating_add(usize::from(text.ends_with('\\')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_no_spaces_around_them() {
        let mut out = String::new();
        row(["a", "", "b c"], &mut out);
        out.push('\n');
        rule(3, &mut out);
        assert_eq!(out, "|a||b c|\n|-|-|-|");
    }

    #[test]
    fn backslash_does_not_escape_the_bar_after_it() {
        let mut out = String::new();
        row(["C:\\", "x"], &mut out);
        assert_eq!(out, "|C:\\ |x|");
        let cells = cell_bytes("C:\\") + cell_bytes("x");
        assert_eq!(out.len(), 1 + cells);
    }
}
