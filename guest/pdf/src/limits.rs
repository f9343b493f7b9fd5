//! Every limit on PDF files, with its reason.

/// The size of the largest file in bytes. The bytes are in memory.
pub const FILE_BYTES: usize = 64 * 1024 * 1024;

/// The maximum number of bytes of the content of a page, with the forms that it draws each time. A map
/// has up to 20 MB, a page of text 20 kB. The rest is left out.
pub const CONTENT_BYTES: usize = 32 * 1024 * 1024;

/// The maximum number of bytes of another decompressed stream: a character map or an attachment's list.
/// A font of Chinese has up to 20 MB.
pub const STREAM_BYTES: usize = 48 * 1024 * 1024;

/// The maximum number of bytes of a decompressed attachment.
pub const ATTACHMENT_BYTES: usize = 96 * 1024 * 1024;

/// The maximum number of operators that are executed for a page, in all forms. Detailed maps have a
/// million. Four million take about half a second.
pub const OPERATORS: usize = 4_000_000;

/// The maximum number of glyphs of a page. A page of a telephone book has 20 000. Each takes 72 bytes.
pub const GLYPHS: usize = 400_000;

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
