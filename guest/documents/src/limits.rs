//! Every limit on documents, with its reason.

/// The size of the largest document in bytes. The bytes are in memory.
pub const DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of parts of a package. Decks with thousands of images have fewer. Each takes
/// up to 1.2 kB.
pub const PARTS: usize = 1 << 15;

/// The maximum number of bytes of the name of a part. Programs write less than 100. A part with a
/// longer name is ignored.
pub const PART_NAME_BYTES: usize = 512;

/// The maximum number of bytes of a decompressed part. The text of a book of 3000 pages takes 20 MB
/// of XML. A longer part is cut. The part, its text in the model and its Markdown are in memory at
/// the same time, beside the document, and the engine has 256 MB.
pub const PART_BYTES: usize = 32 * 1024 * 1024;

/// The maximum number of bytes of a list of relationships or of content types. Lists of 10 000
/// images take 2 MB.
pub const LIST_BYTES: usize = 8 * 1024 * 1024;

/// The maximum number of bytes of XML that are converted for one document or one slide: the text,
/// notes, comments, headers and footers together. Their text is in memory at the same time.
pub const CONVERTED_BYTES: usize = 40 * 1024 * 1024;

/// The maximum number of bytes of the XML of the charts and diagrams of a document or a slide. A
/// chart takes 10 to 50 kB. Each value becomes a cell, which takes ten times its XML.
pub const EMBEDDED_BYTES: usize = 8 * 1024 * 1024;

/// The maximum number of bytes of Markdown of a document. Text is not longer than its XML, but
/// repeated cells and marks are. Longer text is cut.
pub const OUTPUT_BYTES: usize = 48 * 1024 * 1024;

/// The maximum number of decompressed bytes of all parts that are read. A part that is read twice
/// counts twice.
pub const PACKAGE_BYTES: usize = 512 * 1024 * 1024;

/// The maximum number of relationships of a part. Each has a name and a target in memory.
pub const RELATIONSHIPS: usize = 1 << 16;

/// The maximum number of elements and texts of a part that are read as a tree. Each takes 24 bytes,
/// and the model of a short paragraph 150. A part of 32 MB has about a million.
pub const XML_NODES: usize = 1_250_000;

/// The maximum number of attributes of a part that is read as a tree. Each takes 20 bytes.
pub const XML_ATTRIBUTES: usize = 1_250_000;

/// The number of open elements that an end tag is compared with. A wrong end tag is then ignored.
pub const XML_UNCLOSED: usize = 64;

/// The maximum depth of blocks, one inside the other: tables in cells, text boxes and content
/// controls. Deeper text is shown without structure. Each level takes stack.
pub const DEPTH: usize = 24;

/// The maximum depth of elements inside a paragraph or a formula.
pub const INLINE_DEPTH: usize = 48;

/// The maximum number of styles of which a style is based, one on the other. Word allows 11.
pub const STYLE_CHAIN: usize = 32;

/// The maximum number of styles, and of definitions of lists. Word has 400 built-in styles, and
/// documents of many authors some thousand. Each takes up to 500 bytes.
pub const STYLES: usize = 1 << 14;

/// The maximum number of bytes of the sign before a list item, such as `Chapter 1:`. Every item
/// repeats it.
pub const MARKER_BYTES: usize = 100;

/// The maximum number of different notes and comments to which a document refers. Each reference
/// takes 200 bytes.
pub const NOTE_REFERENCES: usize = 1 << 16;

/// The maximum number of bytes of all addresses of links of a document or a slide. Each piece of a
/// link repeats its address. Other links are shown without their address.
pub const LINK_BYTES: usize = 8 * 1024 * 1024;

/// The maximum number of bytes of the address of a link. Browsers allow 2 kB to 2 MB; longer ones
/// than this are data, not addresses. The text of such a link is shown without it.
pub const URL_BYTES: usize = 8192;

/// The maximum number of bytes of an alternative text. Each image inside a drawing repeats it.
pub const ALT_BYTES: usize = 4000;

/// The maximum number of bytes of the text of a header or a footer. Longer text is not one.
pub const PAGE_TEXT_BYTES: usize = 8000;

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

/// The maximum number of images that are listed, and of places that show them.
pub const IMAGES: usize = 10_000;

/// The maximum number of slides. Each has a title in memory.
pub const SLIDES: usize = 1 << 14;

/// The maximum number of comments on a slide. Each repeats the name of its author.
pub const COMMENTS: usize = 1 << 12;

/// The maximum number of texts of footers, dates and headers of a slide. It has three.
pub const FOOTERS: usize = 16;

/// The maximum number of layouts that are kept for other slides. Decks have about 20.
pub const LAYOUTS: usize = 256;

/// The maximum number of points of a chart that are shown.
pub const CHART_POINTS: usize = 1000;

/// The maximum number of series of a chart that are shown.
pub const CHART_SERIES: usize = 64;

/// The maximum number of cells of all charts of a document or a slide. Each takes 250 bytes.
pub const CHART_CELLS: usize = 1 << 17;

/// The maximum number of bytes of a value in the metadata. Longer ones are not titles or names.
pub const METADATA_BYTES: usize = 1000;

/// The maximum number of notes of one kind for the reply.
pub const NOTES: usize = 20;
