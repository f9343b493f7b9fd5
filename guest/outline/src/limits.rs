//! The limits of outlines, each with its reason.
//!
//! The time of a scan is linear in the size of the text, and its memory is proportional to the
//! number of declarations. The limits on depth and on searches keep it so for hostile text.

/// The maximum size in bytes of a text that is shown as an outline. The declarations of the text
/// are kept in memory.
pub const TEXT_BYTES: usize = 2 << 20;

/// The maximum number of lines of a text that is shown as an outline.
pub const TEXT_LINES: usize = 20_000;

/// The share of the lines of a text, 1/`SHARE`, that its outline may have. The number of lines that
/// results is at least [`MIN_LINES`] and at most [`MAX_LINES`].
pub const SHARE: usize = 4;

/// The number of lines that an outline may always have, however short its text is.
pub const MIN_LINES: usize = 100;

/// The maximum number of lines of an outline.
pub const MAX_LINES: usize = 1000;

/// The maximum size of an outline in bytes.
pub const PAGE_BYTES: usize = 50 * 1024;

/// The maximum number of bytes that are counted for a line of an outline. Longer lines are cut when
/// they are shown.
pub const LINE_BYTES: usize = 2000;

/// The maximum number of lines of a comment that is left out of an outline without a mark. Longer
/// comments leave a mark, unless they document a declaration.
pub const SILENT_COMMENT_LINES: u32 = 3;

/// The minimum number of hidden declarations in each gap of an outline, if not even the outermost
/// declarations fit. Shorter gaps would save few lines.
pub const THIN_RUN: usize = 8;

/// The maximum number of gaps of an outline, if not even the outermost declarations fit.
pub const THIN_RUNS: usize = 20;

/// The maximum number of declarations and sections of a text, which bounds their memory to about
/// 40 MB. A text of 2 MB of ordinary code has a tenth of that.
pub const ITEMS: usize = 200_000;

/// The maximum length of a name in bytes. Longer names are cut.
pub const NAME_BYTES: usize = 200;

/// The maximum nesting depth of blocks in code. Deeper blocks are only counted.
pub const BLOCK_DEPTH: usize = 200;

/// The maximum nesting depth of keys and elements of data. Deeper ones are ignored.
pub const SECTION_DEPTH: usize = 200;

/// The maximum number of tokens of a statement that are kept and examined. A declaration is
/// recognised from its first tokens.
pub const STATEMENT_TOKENS: usize = 400;

/// The maximum number of earlier `{` in a statement. If a `{` has more before it, the parser takes
/// it for the start of values without a search for a declaration, because each search takes time
/// in proportion to the length of the statement.
pub const STATEMENT_BRACES: u8 = 40;

/// The maximum number of tokens of the macros before a declaration in C.
pub const MACRO_TOKENS: usize = 16;

/// The maximum number of tokens before a keyword that begins a block, among which the name of the
/// declaration (`name = function`) or the `?` of a conditional expression is searched.
pub const TOKENS_BEFORE_KEYWORD: usize = 24;

/// The maximum number of bytes that failed searches may scan, as a multiple of the length of the
/// text. Without this limit, a crafted text would be searched again from each of its characters.
pub const FAILED_SEARCHES: usize = 4;

/// The maximum nesting depth of strings that contain code with further strings.
pub const STRING_DEPTH: u32 = 8;

/// The maximum length in bytes of the tag that delimits a string or heredoc, such as `END` in
/// `<<END`.
pub const TAG_BYTES: usize = 64;

/// The maximum number of bytes before `<<` that are searched for `((`, after which `<<` is an
/// operator and begins no heredoc.
pub const ARITHMETIC_BYTES: usize = 256;

/// The maximum nesting depth of elements in code that is itself in an element:
/// `<a>{b && <c/>}</a>`.
pub const ELEMENT_DEPTH: u32 = 64;

/// The maximum length of an HTML tag in bytes. A `<` with a longer tag begins no tag.
pub const ELEMENT_BYTES: usize = 8192;

/// The maximum length in bytes of the contents of an HTML heading. A heading with longer contents
/// has no name.
pub const HEADING_BYTES: usize = 400;

/// The maximum number of open HTML elements that are kept. If there are more, the outermost ones
/// are dropped, and their ends are not recorded.
pub const OPEN_ELEMENTS: usize = 64;

/// The number of innermost open XML elements among which the element of an end tag is searched.
/// This limit keeps the time linear.
pub const UNCLOSED_ELEMENTS: usize = 20;

/// The number of bytes at the start of a text that are searched for signs of its language.
pub const LANGUAGE_BYTES: usize = 1 << 16;

/// The number of lines at the start of a JavaScript file that are searched for `@flow`, which is in
/// its first comment.
pub const FLOW_LINES: usize = 20;

/// The number of lines at the start of a text that are examined to reject a text that is no INI
/// file early.
pub const INI_LINES: usize = 200;

/// The maximum length in bytes of a LaTeX title with its braces and options.
pub const TITLE_BYTES: usize = 1000;

/// The maximum number of lines of text of a Markdown heading that is underlined with `=` or `-`.
/// Below a longer paragraph, such a line is a thematic break.
pub const HEADING_LINES: u32 = 3;

/// The maximum number of lines of an HTML heading in Markdown.
pub const HTML_HEADING_LINES: u32 = 10;

/// The maximum length in bytes of the name that is shown for an element of a YAML sequence.
pub const SEQUENCE_NAME_BYTES: usize = 60;

/// The number of records at the start of a table that are examined to detect the separator.
pub const SEPARATOR_RECORDS: usize = 20;

/// The maximum number of line breaks in a quoted field of a table. If there are more, the closing
/// quote is assumed to be missing.
pub const FIELD_LINES: u32 = 200;

/// The maximum number of records that are shown from the start of a table after its first record,
/// which is usually the header.
pub const FIRST_RECORDS: usize = 5;

/// The maximum number of records that are shown from the end of a table.
pub const LAST_RECORDS: usize = 3;

/// The maximum number of lines that are shown of one record.
pub const RECORD_LINES: u32 = 20;

/// The maximum number of column names that are shown.
pub const COLUMNS: usize = 30;

/// The maximum total size in bytes of the column names that are shown.
pub const COLUMN_BYTES: usize = 300;

/// The maximum number of declarations of one name that are returned. A reply lists them with a path
/// each, and more would fill a page. All are counted.
pub const SYMBOLS: usize = 100;

/// The maximum number of names that are offered in place of an unknown one.
pub const SIMILAR: usize = 8;

/// The maximum length of a query for a name in bytes. Longer queries are cut: no path in a text that
/// is searched needs more.
pub const QUERY_BYTES: usize = 1000;

/// The maximum number of parts of a query that are compared, counted from the last one. This limit
/// keeps the time for each name constant.
pub const QUERY_PARTS: usize = 16;

/// The maximum number of bytes of a signature in which the type is searched to which a method
/// belongs.
pub const SIGNATURE_BYTES: usize = 2000;

/// The maximum number of bytes of a name that are compared with an unknown one.
pub const COMPARED_BYTES: usize = 64;

/// The maximum number of parts of a name between colons that are compared with an unknown name.
pub const COMPARED_PARTS: usize = 4;

/// The maximum number of lines before a macro that are searched for the start of its comment. A longer
/// comment is rather that of the file.
pub const MACRO_COMMENT_LINES: u32 = 200;

/// The maximum number of names whose edit distance from an unknown name is computed. Each takes time
/// in proportion to the square of [`COMPARED_BYTES`].
pub const COMPARED_NAMES: usize = 20_000;

/// The length in bytes of a line from which on a column in it matters to a search by a place. Lines of code that
/// people write are shorter, and have one declaration.
pub const COLUMN_LINE_BYTES: usize = 1000;

/// The maximum number of places in a query at which the path of a key may end.
pub const KEY_PLACES: usize = 8;

/// The maximum number of parts of a dotted key or of the name of a table in TOML.
pub const KEY_PARTS: usize = 32;
