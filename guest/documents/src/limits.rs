//! Every limit on documents, with its reason.

/// The size of the largest document in bytes. The bytes are in memory.
pub const DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of parts of a package. Decks with thousands of images have fewer.
pub const PARTS: usize = 1 << 16;

/// The maximum number of bytes of a decompressed part. The text of a book of 3000 pages takes 20 MB
/// of XML. A longer part is cut.
pub const PART_BYTES: usize = 64 * 1024 * 1024;

/// The maximum number of decompressed bytes of all parts that are read. A part that is read twice
/// counts twice.
pub const PACKAGE_BYTES: usize = 512 * 1024 * 1024;

/// The maximum number of relationships of a part. Each has a name and a target in memory.
pub const RELATIONSHIPS: usize = 1 << 17;

/// The maximum number of elements and texts of a part that are read as a tree. Each takes 32 bytes.
pub const XML_NODES: usize = 2_500_000;

/// The maximum number of attributes of a part that is read as a tree. Each takes 40 bytes.
pub const XML_ATTRIBUTES: usize = 2_500_000;

/// The number of open elements that an end tag is compared with. A wrong end tag is then ignored.
pub const XML_UNCLOSED: usize = 64;

/// The maximum depth of blocks, one inside the other: tables in cells, text boxes and content
/// controls. Deeper text is shown without structure. Each level takes stack.
pub const DEPTH: usize = 24;

/// The maximum depth of elements inside a paragraph or a formula.
pub const INLINE_DEPTH: usize = 48;

/// The maximum number of styles of which a style is based, one on the other. Word allows 11.
pub const STYLE_CHAIN: usize = 32;

/// The maximum number of columns of a table. Word allows 63, spreadsheets 16 384.
pub const COLUMNS: usize = 16_384;

/// The maximum number of cells that merged cells add to a table. Their text is repeated.
pub const REPEATED_CELLS: usize = 1 << 17;

/// The maximum number of bytes by which the repeated text of a merged cell grows a table. Longer text
/// is shown once: a sentence in each column of a form helps nobody.
pub const REPEATED_BYTES: usize = 600;

/// The maximum number of bytes of all repeated text of a table.
pub const REPEATED_TOTAL: usize = 1 << 20;

/// The maximum level of list items. Word has 9.
pub const LIST_DEPTH: usize = 16;

/// The maximum number of images that are listed.
pub const IMAGES: usize = 10_000;

/// The maximum number of points of a chart that are shown.
pub const CHART_POINTS: usize = 1000;

/// The maximum number of series of a chart that are shown.
pub const CHART_SERIES: usize = 64;

/// The maximum number of texts that the cells of a workbook share. Each takes 4 bytes beside its text.
pub const SHARED_STRINGS: usize = 1 << 22;

/// The maximum number of rows with cells that a sheet may have in its file, before rows with the same
/// number are joined. Each takes 8 bytes.
pub const SHEET_ROWS: usize = 1 << 21;

/// The maximum number of merged ranges, links, comments or shared formulas of a sheet.
pub const SHEET_OBJECTS: usize = 1 << 16;

/// The maximum number of bytes of the text of a cell. Excel allows 32 767 characters.
pub const CELL_BYTES: usize = 1 << 17;

/// The maximum number of bytes of a formula. Excel allows 8192 characters.
pub const FORMULA_BYTES: usize = 1 << 15;

/// The maximum number of bytes of the texts of rows that are read at a time. Many cells may share one
/// long text. After half of it no further row is started, and the texts of a longer row are cut.
pub const ROWS_BYTES: usize = 16 * 1024 * 1024;

/// The maximum number of formats of cells. Excel allows 65 490.
pub const CELL_FORMATS: usize = 1 << 16;

/// The maximum number of tables and charts of a sheet.
pub const SHEET_PARTS: usize = 1000;

/// The maximum number of cells of a sheet that are shown as Markdown. Rows are also read in windows.
pub const SHEET_CELLS: usize = 400_000;

/// The number of cells that are read at a time for the Markdown of a sheet. Each takes 150 bytes until
/// its text is taken.
pub const SHEET_WINDOW: usize = 1 << 14;

/// The maximum number of bytes of the cells of a sheet that are shown as Markdown.
pub const SHEET_BYTES: usize = 16 * 1024 * 1024;

/// The maximum number of bytes of the code of a number format. Excel allows 255 characters.
pub const FORMAT_CODE_BYTES: usize = 1024;

/// The maximum number of bytes of all codes of number formats of a workbook. Each byte takes up to 40
/// bytes in memory. Cells with the others are shown without a format.
pub const FORMAT_CODES_BYTES: usize = 1 << 18;

/// The maximum denominator that a number format may fix. Excel allows three digits.
pub const FORMAT_DENOMINATOR: u32 = 1_000_000;

/// The maximum number of bytes of a value in the metadata. Longer ones are not titles or names.
pub const METADATA_BYTES: usize = 1000;

/// The maximum number of notes of one kind for the reply.
pub const NOTES: usize = 20;

/// The maximum number of sheets of a workbook. Excel has no limit, but 1000 are slow to open.
pub const SHEETS: usize = 10_000;

/// The maximum number of styles, custom number formats, names and links of a workbook each. Excel
/// allows 65 490 styles.
pub const WORKBOOK_STYLES: usize = 1 << 16;

/// The maximum number of bytes of a formula in its binary form. Excel allows 16 384.
pub const FORMULA_TOKENS: usize = 1 << 16;

/// The maximum number of bytes of the sheets that binary workbooks keep in memory after they were
/// read.
pub const SHEET_CACHE: usize = 64 * 1024 * 1024;

/// The maximum number of entries in the directory of a compound file. A mail with 1000 attachments
/// has 30 000.
pub const OLE_ENTRIES: usize = 1 << 16;

/// The maximum depth of storages in a compound file. A mail in a mail takes two levels.
pub const OLE_DEPTH: usize = 32;

/// The maximum number of bytes of all paths in a compound file. They are in memory.
pub const OLE_PATHS: usize = 16 * 1024 * 1024;

/// The maximum number of properties of a property set. Programs write less than 30.
pub const OLE_PROPERTIES: usize = 1000;
