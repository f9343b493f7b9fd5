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

/// The maximum number of bytes of a value in the metadata. Longer ones are not titles or names.
pub const METADATA_BYTES: usize = 1000;

/// The maximum number of notes of one kind for the reply.
pub const NOTES: usize = 20;

/// The maximum number of chapters of a book. The books of encyclopedias have some thousand.
pub const CHAPTERS: usize = 10_000;

/// The maximum number of entries of the table of contents of a book that are used.
pub const CONTENTS: usize = 50_000;

/// The number of characters at the start of a chapter in which its heading is looked for, if the
/// table of contents does not name the chapter.
pub const CHAPTER_HEAD: usize = 64 * 1024;

/// The maximum number of references from an item of a book to an item that replaces it.
pub const FALLBACKS: usize = 8;

/// The maximum depth of groups of an RTF document. Deeper groups have the properties of those
/// around them. Word nests some dozen.
pub const RTF_GROUPS: usize = 10_000;

/// The maximum number of fonts, styles or lists of an RTF document.
pub const RTF_TABLE: usize = 1 << 16;

/// The maximum number of bytes of the name of a font or a style, or of the text of a list level in
/// an RTF document.
pub const RTF_NAME: usize = 256;

/// The maximum number of cells that a row of an RTF document defines. Word allows 63.
pub const RTF_CELLS: usize = 1024;

/// The maximum number of pieces of an RTF document: texts with their own format, paragraphs, cells
/// and rows. Each takes up to 200 bytes, but only some bytes of the file. A book of 3000 pages has
/// some hundred thousand. The document is cut there.
pub const RTF_PIECES: usize = 1 << 20;

/// The maximum number of bytes of the XML of a formula of an RTF document.
pub const RTF_MATH: usize = 1 << 20;

/// The maximum number of bytes into which the compressed RTF of a mail is decompressed.
pub const RTF_BYTES: usize = 64 * 1024 * 1024;
