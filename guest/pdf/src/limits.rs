//! Every limit on PDF files, with its reason.

/// The size of the largest file in bytes. The bytes are in memory.
pub const FILE_BYTES: usize = 64 * 1024 * 1024;

/// The size in bytes of a file on disk that is read whole. It takes a few milliseconds.
pub const SMALL_FILE_BYTES: u64 = 8 * 1024 * 1024;

/// The size in bytes of a file that is not on disk and is read whole.
pub const SMALL_REMOTE_BYTES: u64 = 1024 * 1024;

/// The maximum number of bytes of the content of a page, with the forms that it draws each time. A map
/// has up to 20 MB, a page of text 20 kB. The rest is left out.
pub const CONTENT_BYTES: usize = if cfg!(test) { 1 } else { 32 } * 1024 * 1024;

/// The maximum number of bytes of another decompressed stream: a character map or an attachment's list.
/// A font of Chinese has up to 20 MB.
pub const STREAM_BYTES: usize = 48 * 1024 * 1024;

/// The largest label of a page in Roman digits. Larger ones are decimal.
pub const ROMAN: usize = 4999;

/// The maximum number of letters of a label of a page. Labels of more are decimal.
pub const LABEL_LETTERS: usize = 20;

/// The maximum number of bytes of a decompressed attachment.
pub const ATTACHMENT_BYTES: usize = 96 * 1024 * 1024;

/// The maximum number of operators that are executed for a page, in all forms. Detailed maps have a
/// million. Four million take about half a second. Tests, which are not optimised, use less.
pub const OPERATORS: usize = if cfg!(test) { 100_000 } else { 4_000_000 };

/// The maximum number of bytes of content that the library searches for the ends of inline images. They take
/// a tenth of a second. Content of which it may search more is divided into pieces.
pub const IMAGE_SEARCH_BYTES: usize = if cfg!(test) { 1 << 26 } else { 1 << 28 };

/// The maximum number of inline images in which the library looks for the end of others, which multiply the
/// time of each other. It happens once in a thousand images.
pub const NESTED_IMAGE_SEARCHES: usize = 8;

/// The number of bytes of a piece of content after which the next one starts.
pub const PIECE_BYTES: usize = 16 * 1024;

/// The number of bytes of an object, such as a font, that count as one more operator each time a page uses
/// it. They are read as fast.
pub const OPERATOR_BYTES: usize = 64;

/// The maximum number of glyphs of a page. A page of a telephone book has 20 000. Each takes 72 bytes.
pub const GLYPHS: usize = if cfg!(test) { 10_000 } else { 400_000 };

/// The maximum number of lines of a page, and of filled rectangles. A drawing has some 10 000.
pub const SHAPES: usize = 50_000;

/// The maximum number of points of a path that are kept to recognise rectangles and lines.
pub const PATH_POINTS: usize = 4096;

/// The maximum depth of forms, one inside the other. Programs write less than 5.
pub const FORM_DEPTH: usize = 12;

/// The maximum number of saved graphics states.
pub const STATES: usize = 512;

/// The maximum depth of marked content.
pub const MARK_DEPTH: usize = 512;

/// The maximum number of images of a page that are listed. The first image of page N has the number
/// (N - 1) × 1000 + 1, so that one page is enough to find an image.
pub const PAGE_IMAGES: usize = 999;

/// The maximum number of fonts that are kept while a file is open. Each takes up to 100 kB.
pub const FONTS: usize = 512;

/// The number of entries of maps and widths, of all fonts of a page, from which no other font is loaded. A
/// font of Chinese has 20 000. Each takes up to 100 bytes.
pub const FONT_ENTRIES: usize = 400_000;

/// The maximum number of entries of the map from codes to characters of a font.
pub const MAP_ENTRIES: usize = 1 << 17;

/// The maximum number of characters for one glyph. Ligatures have up to 18.
pub const GLYPH_CHARACTERS: usize = 64;

/// The maximum number of bytes of the text that replaces marked content (`ActualText`).
pub const ACTUAL_TEXT_BYTES: usize = 64 * 1024;

/// The maximum number of comparisons of glyphs with rectangles that look for text that cannot be
/// seen. They take about 100 ms.
pub const COVER_CHECKS: usize = 40_000_000;

/// The maximum number of annotations of a page.
pub const ANNOTATIONS: usize = 5000;

/// The maximum number of structure elements that are read for a page, or for a whole file without a list
/// of the elements of each page. A book has 200 000, a page some hundred.
pub const TREE_NODES: usize = 200_000;

/// The maximum depth of the structure tree. Web pages have up to 40.
pub const TREE_DEPTH: usize = 96;

/// The maximum depth of a tree of numbers or names. Ten thousand entries take two or three.
pub const NUMBER_TREE_DEPTH: usize = 16;

/// The maximum number of comparisons in a tree of numbers for a page. A page has some hundred links, and
/// each takes about a hundred.
pub const TREE_STEPS: usize = 1_000_000;

/// The maximum number of columns or rows that a cell covers. Markdown repeats its text.
pub const CELL_SPAN: i64 = 100;

/// The maximum number of columns of a tagged table whose cells are compared with them. Printed tables have less than 100.
pub const TAGGED_COLUMNS: usize = 256;

/// The share of the glyphs of a page that tags must have, in percent. Files with tags have all but
/// page numbers.
pub const TAGGED_SHARE: usize = 70;

/// The share of the glyphs of a page in percent from which labels that are marked as artifacts show that the
/// tags do not have the text of the page.
pub const UNTAGGED_LABELS: usize = 4;

/// The maximum number of bytes of an alternative text.
pub const ALT_BYTES: usize = 4000;

/// The maximum number of bytes of metadata in XML.
pub const XMP_BYTES: usize = 1 << 20;

/// The maximum number of bytes of a value in the metadata, or of a title. Longer ones are not titles.
pub const METADATA_BYTES: usize = 1000;

/// The maximum number of entries of the outline. Manuals have some thousand.
pub const OUTLINE: usize = 20_000;

/// The maximum depth of the outline.
pub const OUTLINE_DEPTH: u8 = 32;

/// The maximum number of bytes of the address of a link.
pub const URL_BYTES: usize = 8192;

/// The maximum number of bytes of a script that a note shows.
pub const SCRIPT_BYTES: usize = 300;

/// The number of bytes of the stream of a script that are read. UTF-16 takes two for each character.
pub const SCRIPT_STREAM_BYTES: usize = 4096;

/// The maximum number of bytes of an address or the name of a file that a note shows.
pub const TARGET_BYTES: usize = 300;

/// The maximum number of actions of a document, or of a page, that are counted. Forms have some hundred.
pub const ACTIONS: usize = 1000;

/// The maximum number of actions one after the other that are counted. Programs write one or two, and a
/// page has up to [`ANNOTATIONS`] annotations.
pub const CHAINED_ACTIONS: usize = 100;

/// The maximum number of actions that a note names.
pub const NAMED_ACTIONS: usize = 3;

/// The maximum number of events of an object that have actions. Fields have fourteen.
pub const EVENTS: usize = 20;

/// The maximum number of attachments.
pub const ATTACHMENTS: usize = 10_000;

/// The maximum number of pages whose annotations are searched for attachments.
pub const ATTACHMENT_PAGES: usize = 2000;

/// The maximum number of bytes of the name of an attachment. File systems allow 255.
pub const NAME_BYTES: usize = 200;

/// The maximum number of comments of a page.
pub const COMMENTS: usize = 1000;

/// The maximum depth of form fields.
pub const FIELD_DEPTH: usize = 16;

/// The maximum number of numbers of a shape of a comment. A stroke of a pen has some hundred.
pub const MARKUP_NUMBERS: usize = 10_000;

/// The maximum number of colours of highlights that are drawn on a page. Each takes up to a quarter of a second.
pub const HIGHLIGHT_COLOURS: usize = 4;

/// The maximum length of the outlines of comments that are drawn on a page, in points: 35 times around the
/// page. All lines of a page that is marked as a whole have half of it.
pub const MARKUP_LENGTH: f32 = 100_000.0;

/// The maximum number of options of a choice that are read for each of its fields. Lists of countries have 250.
pub const FIELD_OPTIONS: usize = 1000;

/// The number of pages from which sizes of headings, running heads and words are learned.
pub const SAMPLE_PAGES: usize = 8;

/// The maximum number of glyphs of the sampled pages.
pub const SAMPLE_GLYPHS: usize = 100_000;

/// The maximum number of pages that are kept after they were interpreted: the sample, and a page with
/// its neighbours. Together they have no more glyphs than one page may have.
pub const CACHED_PAGES: usize = 12;

/// The maximum number of pages of which the lines at the edges are kept to find those that repeat: the first two, and
/// some before and after a page.
pub const EDGE_PAGES: usize = 16;

/// The share of signs of a page whose character is unknown, in percent, from which the text is not
/// worth trust.
pub const UNMAPPED_SHARE: usize = 15;

/// The number of signs whose character is unknown up to which the text is worth trust, whatever their share.
pub const UNMAPPED_FEW: usize = 5;

/// The number of signs of a font on a page from which they are text that is left out, if their characters are
/// unknown. Fewer are words in other text, and each is U+FFFD in its place.
pub const UNMAPPED_TEXT: usize = 16;

/// The maximum number of fonts that the note on signs without characters names.
pub const UNMAPPED_FONTS: usize = 3;

/// The maximum number of decompressed bytes of all streams of objects. They stay in memory. A book of
/// 3000 pages has 30 MB.
pub const OBJECT_BYTES: usize = if cfg!(test) { 2 } else { 64 } * 1024 * 1024;

/// A stream of objects that cannot be larger than this is not measured before it is read.
pub const SMALL_OBJECT_BYTES: usize = OBJECT_BYTES / 8;

/// The maximum number of streams of objects that are measured.
pub const OBJECT_STREAMS: usize = 100_000;

/// The maximum number of pixels of an image that is decoded. A page at 600 dots per inch has 35 million.
pub const PIXELS: usize = 40_000_000;

/// The maximum number of references to content and elements that are read when all elements of a file are.
pub const TREE_MARKS: usize = 2_000_000;

/// The maximum number of elements of the head of a table that goes on from another page.
pub const HEAD_NODES: usize = 1000;

/// The maximum number of trailers. Each saved change of a file adds one.
pub const TRAILERS: usize = 10_000;

/// The maximum number of images of a page that are looked for above or below text without ink.
pub const SCANS: usize = 64;

/// The maximum number of glyphs of a page whose layout is analysed. A page of a newspaper has 30 000. The
/// text of drawings with more is shown in the order of drawing.
pub const LAYOUT_GLYPHS: usize = 60_000;

/// The maximum number of pixels of the longer side of the image of a page. Models see at most 2576.
pub const RENDER_SIDE: u32 = 8192;

/// The maximum number of pixels per point (1/72 inch) of the image of a page: 300 dots per inch.
pub const RENDER_SCALE: f64 = 300.0 / 72.0;

/// The maximum time to draw a page in nanoseconds, as it is estimated before: a page of text takes 20 ms, a
/// detailed map a second. Tests, which are not optimised, use less.
pub const RENDER_NANOSECONDS: u64 = if cfg!(test) {
    200_000_000
} else {
    2_500_000_000
};

/// The maximum number of bytes that drawing a page needs, as it is estimated before. The engine has 256 MB,
/// with the file. Tests use less, so that they need not make as much.
pub const RENDER_BYTES: u64 = if cfg!(test) { 16 } else { 128 } * 1024 * 1024;

/// The maximum number of decompressed bytes of a font, a profile or a table that is needed to draw a page.
pub const RENDER_STREAM_BYTES: u64 = 48 * 1024 * 1024;

/// The maximum depth of forms, patterns, masks and glyphs, one inside the other, when a page is drawn. Each
/// needs about 10 kB of the stack.
pub const RENDER_DEPTH: usize = 20;

/// The maximum depth of functions, one inside the other, of a page that is drawn. Programs write two.
pub const RENDER_FUNCTION_DEPTH: usize = 16;

/// The maximum depth of the procedures of a function. Programs write up to five. Each needs about 500 bytes of
/// the stack.
pub const RENDER_PROCEDURE_DEPTH: usize = 100;

/// The maximum depth of colour spaces, one inside the other. The standard allows three.
pub const RENDER_SPACE_DEPTH: usize = 8;

/// The maximum number of functions and colour spaces of which one colour space or shading consists. Each is
/// counted as often as others refer to it.
pub const RENDER_FUNCTIONS: usize = 10_000;

/// The maximum number of bytes of the programs of all functions of a page that is drawn.
pub const RENDER_PROGRAM_BYTES: usize = 4 * 1024 * 1024;

/// The maximum number of saved graphics states of a page that is drawn.
pub const RENDER_STATES: usize = 10_000;

/// The maximum number of lengths of a sequence of dashes.
pub const RENDER_DASHES: usize = 64;

/// The maximum number of codes whose widths are written out for a font: all codes of two bytes, twice.
pub const RENDER_WIDTHS: i64 = 1 << 17;

/// The maximum number of objects that are measured, or glyphs that are kept, before a page is drawn.
pub const RENDER_OBJECTS: usize = 20_000;

/// The maximum number of components of a colour.
pub const RENDER_COMPONENTS: usize = 32;

/// The number of bytes of objects of a large file from which those of other pages are forgotten. They are in
/// memory twice, and a copy is written when objects are added.
pub const RANGE_BYTES: usize = 24 * 1024 * 1024;

/// The maximum number of glyphs of a page that are compared with others at their place, to find text that is printed
/// again. A page has 5000 glyphs, and a column of a table a hundred at one place.
pub const OVERPRINTED: usize = 2_000_000;

/// The maximum number of objects that are followed for one purpose in a large file. The structure tree of a
/// book has 200 000.
pub const RANGE_OBJECTS: usize = 400_000;

/// The maximum number of objects of a file that is read by ranges. Each takes about 50 bytes.
pub const RANGE_ENTRIES: usize = 1_000_000;

/// The maximum number of bytes of a cross-reference table. Each entry has 20.
pub const RANGE_TABLE_BYTES: u64 = 24 * 1024 * 1024;

/// The maximum depth of the page tree. Balanced trees of a million pages have 20.
pub const PAGE_TREE_DEPTH: usize = 64;
