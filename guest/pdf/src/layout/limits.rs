//! Every limit on layout analysis, with its reason.

/// The maximum depth of cuts into columns and bands. Pages need less than 6.
pub const CUT_DEPTH: usize = 16;

/// The maximum number of slices of the raster of a page: half lines. A page of A4 has about 170.
pub const SLICES: usize = 1024;

/// The maximum number of columns of white that are examined in a cut, the tallest ones.
pub const GUTTERS: usize = 12;

/// The maximum number of words and compounds that are kept of a document. A book has 20 000.
pub const VOCABULARY: usize = 60_000;

/// The maximum number of links of a page that are matched with words.
pub const LINKS: usize = 2000;

/// The maximum number of comparisons of links with words. They take some milliseconds.
pub const LINK_CHECKS: usize = 2_000_000;

/// The maximum number of comparisons of horizontal with vertical lines.
pub const CROSSINGS: usize = 2_000_000;

/// The maximum number of cells of a ruled table. The largest printed tables have some thousands.
pub const CELLS: usize = 20_000;

/// The maximum number of columns of a ruled table in which lines are looked for that are missing. All cells are
/// compared with each column. Printed tables have less than 100.
pub const RULED_COLUMNS: usize = 256;

/// The maximum number of comparisons of lines of text with columns that look for the rows of a ruled table that no line
/// separates. Printed tables need less than 20 000. They take some ten milliseconds.
pub const RULED_WORK: usize = 400_000;

/// The maximum number of lines of a table without vertical lines. A page has less than 200.
pub const TABLE_LINES: usize = 2000;

/// The maximum number of comparisons of cells and words with columns that look for the tables without
/// lines of a page, again from each line. Pages need less than 10 000. A million take about 10 ms.
pub const TABLE_WORK: usize = 1_000_000;

/// The maximum number of horizontal lines of a page between which tables are looked for. They are compared with each
/// other. Printed pages have less than 200.
pub const FRAMES: usize = 1000;

/// The maximum number of parts of a table between lines over its width. Other lines are between the parts of a page.
pub const FRAME_BANDS: usize = 100;

/// The maximum number of columns of a table without vertical lines.
pub const COLUMNS: usize = 64;

/// The maximum number of fills that may be boxes of text. They are compared with each other.
pub const BOXES: usize = 200;

/// The maximum number of levels of a list.
pub const LIST_DEPTH: usize = 8;

/// The maximum number of sampled pages from which the context of a document is derived.
pub const SAMPLE: usize = 8;

/// The maximum size in bytes of what is known of a document, as it is kept for later reads. The words of eight pages
/// of dense text have 60 kB.
pub const KEPT_BYTES: usize = 512 * 1024;

/// The maximum number of lines at the edges of a page that are compared between pages.
pub const EDGE_LINES: usize = 12;

/// Lines of an item of a list that are searched for the number of the next item. Items with more lines
/// are recognised by the space before them.
pub const ITEM_LINES: usize = 6;

/// The maximum number of gaps between words that are compared with all lines of a column of a table.
/// Each comparison costs as much as the words of the column.
pub const STRIPS: usize = 16;

/// The maximum number of places of white that are compared with all lines of a column of a ruled table, those of the
/// most lines.
pub const WHITES: usize = 32;

/// The maximum number of rows of a table that are searched for a cell of several lines. Each line at the end
/// of a table is compared with them.
pub const WRAPS: usize = 32;

/// The maximum number of leader dots on a page whose lines are looked at. A page has less than a hundred lines.
pub const LEADERS: usize = 1000;

/// The maximum number of columns of terms with their definitions. Each line is compared with them. Manual
/// pages have less than six on a page.
pub const HANGING: usize = 16;
