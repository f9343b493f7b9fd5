//! The limits of every converter, of the Markdown and of notes, with their reasons.

/// The size of the largest document in bytes. The bytes are in memory.
pub const DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of bytes of Markdown of a document. Text is not longer than its XML, but
/// repeated cells and marks are. Longer text is cut.
pub const OUTPUT_BYTES: usize = 40 * 1024 * 1024;

/// The maximum number of columns of a table. Word allows 63, spreadsheets 16 384.
pub const COLUMNS: usize = 16_384;

/// The maximum number of cells that merged cells add to a table. Their text is repeated.
pub const REPEATED_CELLS: usize = 1 << 17;

/// The maximum number of cells that merged cells add to all tables of a document or a slide.
pub const REPEATED_CELLS_TOTAL: usize = 1 << 20;

/// The maximum number of bytes by which the repeated text of a merged cell grows a table. Longer text
/// is shown once: a sentence in each column of a form helps nobody.
pub const REPEATED_BYTES: usize = 600;

/// The maximum number of bytes of all repeated text of a table.
pub const REPEATED_TOTAL: usize = 1 << 20;

/// The maximum level of list items. Word has 9.
pub const LIST_DEPTH: usize = 16;

/// The maximum number of bytes of a name in a note. File systems allow 255.
pub const NOTE_NAME_BYTES: usize = 200;

/// The maximum depth of elements of a formula. Deeper ones are read as text.
pub const FORMULA_DEPTH: usize = 48;

/// The number of letters before a symbol of a formula that are searched for the start of a LaTeX
/// command. The longest command that is written has fewer.
pub const COMMAND_BYTES: usize = 24;
