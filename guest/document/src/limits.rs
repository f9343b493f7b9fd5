//! The limits of every converter, of the Markdown and of notes, with their reasons.

/// The size of the largest document in bytes. The bytes are in memory.
pub const DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of bytes of Markdown of a document. Text is not longer than its XML, but
/// repeated cells and marks are. Longer text is cut.
pub const OUTPUT_BYTES: usize = 40 * 1024 * 1024;

/// The maximum number of columns of a table. Word allows 63, spreadsheets 16 384.
pub const COLUMNS: usize = 16_384;

/// The maximum number of cells that merged cells add to a sheet. Their text is repeated.
pub const REPEATED_CELLS: usize = 1 << 17;

/// The maximum number of bytes by which the repeated text of a merged cell grows a table. Longer text
/// is shown once: a sentence in each column of a form helps nobody.
pub const REPEATED_BYTES: usize = 600;

/// The number of bytes of a text that is repeated in any number of positions: the label of a group of rows.
pub const REPEATED_LABEL_BYTES: usize = 60;

/// The maximum number of bytes of all repeated text of a sheet.
pub const REPEATED_TOTAL: usize = 1 << 20;

/// The maximum number of bytes of all repeated text of the tables of a document. The result is in memory.
pub const REPEATED_DOCUMENT: usize = 4 * 1024 * 1024;

/// The maximum number of header rows of a table. Each is a level of a column index, and real tables have
/// few levels.
pub const HEADER_ROWS: usize = 8;

/// The maximum number of quotes and lists, one inside the other, that indent their lines. Each line
/// of the text repeats the indentation. Lists alone may have [`LIST_DEPTH`] levels.
pub const PREFIXES: usize = 20;

/// The number of bytes that are reserved for a paragraph. Most are shorter.
pub const PARAGRAPH_BYTES: usize = 512;

/// The maximum number of characters of a raised or lowered text that is written with `^` or `_`. A
/// longer one is a remark.
pub const RAISED_CHARS: usize = 12;

/// The number of pieces of a paragraph in which the text after an empty field is searched.
pub const FIELD_PIECES: usize = 16;

/// The maximum level of list items. Word has 9.
pub const LIST_DEPTH: usize = 16;

/// The maximum number of bytes of a name in a note. File systems allow 255.
pub const NOTE_NAME_BYTES: usize = 200;

/// The maximum depth of elements of a formula. Deeper ones are read as text.
pub const FORMULA_DEPTH: usize = 48;

/// The number of letters before a symbol of a formula that are searched for the start of a LaTeX
/// command. The longest command that is written has fewer.
pub const COMMAND_BYTES: usize = 24;

/// The number of bytes in which the end of a character reference, such as `&amp;`, is searched. The
/// longest one has fewer.
pub const REFERENCE_BYTES: usize = 34;
