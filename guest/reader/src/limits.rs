//! Every number that bounds a read, with its reason.
//!
//! Limits on memory, time and reach belong to the host; these decide only what
//! an answer shows and how much work it may cause.

/// Lines of any one page.
pub const MAX_LINES: u64 = omniread_options::MAX_LINES as u64;

/// Lines of an open-ended read in the dialects that page by 2000 lines.
pub const LONG_PAGE_LINES: u64 = 2000;

/// Bytes of a page that asks for few lines.
pub const PAGE_BYTES: u64 = 50 * 1024;

/// Bytes of a page for each line it asks for, where that is more than
/// [`PAGE_BYTES`].
pub const BYTES_PER_LINE: u64 = 512;

/// Bytes of a text that is outlined.
pub const OUTLINE_BYTES: usize = 2 << 20;

/// Lines of a text that is outlined.
pub const OUTLINE_LINES: usize = 20_000;

/// An outline has this part of the lines of its text, but for the next two.
pub const OUTLINE_SHARE: usize = 4;

/// Lines that an outline may have in any case.
pub const LEAST_OUTLINE_LINES: usize = 100;

/// Lines of any outline.
pub const MOST_OUTLINE_LINES: usize = 1000;

/// Bytes of an outline.
pub const OUTLINE_PAGE_BYTES: usize = 50 * 1024;

/// Characters of a line outside raw. The rest is read by column.
pub const LINE_CHARS: u64 = 2000;

/// Lines of a page that may be cut. Each takes fewer than 30 bytes of the path that
/// shows what is left, which has to fit into [`PATH_BYTES`] with what was asked for.
pub const CUT_LINES: usize = 100;

/// Lines shown before and after a single range.
pub const CONTEXT_BEFORE: u64 = 1;
/// See [`CONTEXT_BEFORE`].
pub const CONTEXT_AFTER: u64 = 3;

/// A text up to this size is examined as a whole: its lines are counted, its
/// tag computed, its encoding decided by all of it. Larger ones are streamed
/// and judged by samples, so that their first page costs what any page costs.
pub const WHOLE_BYTES: u64 = 4 * 1024 * 1024;

/// Bytes asked of a source at a time. Hosts hand out at most 64 KiB a call.
pub const CHUNK_BYTES: usize = 64 * 1024;

/// Bytes of the head by which a file is found to be binary.
pub const SNIFF_BYTES: usize = 8 * 1024;

/// Bytes of each sample of a large file, beside its first chunk.
pub const SAMPLE_BYTES: usize = 16 * 1024;

/// Bytes decoded at a time: enough to be fast, little enough that a line cut
/// at [`LINE_CHARS`] wastes nothing.
pub const DECODE_BYTES: usize = 8 * 1024;

/// Bytes kept of a stream whose tail is asked for. Only a source without
/// random access needs them.
pub const TAIL_BYTES: usize = 8 * 1024 * 1024;

/// Bytes in the hex view of a binary file: what tells formats apart, no more.
pub const HEX_BYTES: usize = 256;

/// Bytes in one line of the hex view.
pub const HEX_WIDTH: usize = 16;

/// Levels of a directory listing.
pub const TREE_DEPTH: usize = 2;

/// Children shown of a directory below the listed one.
pub const TREE_CHILDREN: usize = 12;

/// Entries of a directory that its bare path shows: a page of text has as many
/// lines. What follows is counted by kind.
pub const DIRECTORY_ENTRIES: u64 = 300;

/// Kinds of entries that are named where entries are counted.
pub const SHOWN_KINDS: usize = 5;

/// Kinds of entries that are counted one by one: names may have as many
/// extensions as there are names.
pub const LISTED_KINDS: usize = 1000;

/// Bytes of an extension; what is longer is a part of the name.
pub const EXTENSION_BYTES: usize = 16;

/// Entries of one listing whose size and time are looked up; what lies beyond
/// is counted.
pub const MEASURED_ENTRIES: u64 = 20_000;

/// Entries of one listing that are counted; what lies beyond is `at least`.
pub const COUNTED_ENTRIES: u64 = 2_000_000;

/// Near names offered for a path that does not exist.
pub const NEAR_NAMES: usize = 5;

/// Entries looked through for near names.
pub const NEAR_ENTRIES: usize = 20_000;

/// Paths that are named where a path is a pattern.
pub const SHOWN_MATCHES: usize = 20;

/// Paths that are counted where a path is a pattern; there are `at least` as many.
pub const COUNTED_MATCHES: usize = 1000;

/// Alternatives in braces that are looked for, in a pattern or in a part of it.
pub const ALTERNATIVES: usize = 64;

/// Time in which a read looks for the one file whose path ends in a missing one, and for
/// what matches a pattern, in milliseconds.
pub const SEARCH_MILLIS: u64 = 5000;

/// Depth of that search.
pub const SEARCH_DEPTH: usize = 64;

/// Links followed on the way to a file, as Linux does.
pub const MAX_LINKS: usize = 40;

/// Bytes of a path, as Linux does.
pub const PATH_BYTES: usize = 4096;

/// Bytes of a path with a query of a database.
pub const QUERY_BYTES: usize = 64 * 1024;

/// Colons and question marks that may end the name of a file, a member or a
/// table: names have few, and each is looked for.
pub const NAME_ENDS: usize = 32;

/// Bytes of the JSON arguments of a tool: a path, a few numbers, and room.
pub const ARGUMENT_BYTES: usize = 1024 * 1024;

/// Bytes of any reply, where a dialect lets its caller ask for more than a
/// page: as JSON, in which a byte may take six, it still crosses the sandbox.
pub const REPLY_BYTES: u64 = 8 * 1024 * 1024;

/// Lines of any reply, where a dialect lets its caller ask for as many as it
/// likes: what is known of each takes memory, and a line may be empty.
pub const REPLY_LINES: u64 = 1_000_000;

/// Bytes of exact text or base64 that `comma` gives unless asked for others.
pub const CONTENT_BYTES: u64 = 256 * 1024;

/// Bytes of an image or document that model APIs take.
pub const SENT_BYTES: u64 = 5 * 1024 * 1024;

/// Bytes of an image that is decoded, and that `gemini` hands out inline: what
/// its API takes in one request. A larger one is described.
pub const IMAGE_BYTES: u64 = 20 * 1024 * 1024;

/// Bytes of a file of which `claude` says that it is too large.
pub const REFUSED_BYTES: u64 = 50 * 1024 * 1024;

/// Pixels of an image that are decoded: those of a large camera. More take
/// more memory and time than one look is worth.
pub const IMAGE_PIXELS: u64 = 40_000_000;

/// Pixels of each side of an image that model APIs take; a larger one makes
/// them refuse the whole conversation.
pub const IMAGE_SIDE: u32 = 8000;

/// Bytes in which the header of an image is looked for that is too large to
/// be decoded: profiles and thumbnails may stand before it.
pub const HEADER_BYTES: u64 = 1024 * 1024;

/// Units of a source whose lines are counted, four bytes each: more pages than any
/// document has that could be read within the memory of a read.
pub const COUNTED_UNITS: usize = 1_000_000;

/// Colons of an internal URL at which a member or selector may begin: each costs a call
/// of the host.
pub const RESOURCE_COLONS: usize = 8;

/// Bytes of a notebook that is converted, which is held as a whole.
pub const CONVERTED_NOTEBOOK_BYTES: u64 = 50 * 1024 * 1024;

/// Images of one page of a document: model APIs are strict about requests of
/// more than twenty, and a reply is not alone in one.
pub const DOCUMENT_IMAGES: usize = 10;

/// Bytes of all of them, in base64.
pub const DOCUMENT_IMAGE_BYTES: usize = 3 * 1024 * 1024;

/// Milliseconds after which no other image of a page is begun: each may take
/// seconds, and a read as a whole has ten.
pub const DOCUMENT_IMAGE_MILLIS: u64 = 3000;

/// Cells of a notebook that is converted: what is known of each is held.
pub const NOTEBOOK_CELLS: usize = 200_000;

/// Outputs of all cells, and files that belong to one: where each of them is
/// stands in memory.
pub const NOTEBOOK_VALUES: usize = 1_000_000;

/// Bytes of the text that a notebook becomes, to which a last output is added
/// whatever it has. More than the file itself, for markers and indented JSON.
pub const CONVERTED_TEXT_BYTES: usize = 64 * 1024 * 1024;

/// Images and remarks that follow lines of a converted notebook.
pub const NOTEBOOK_ASIDES: usize = 200_000;

/// Characters shown of a name that a notebook gives to something.
pub const NOTEBOOK_NAME_CHARS: usize = 200;

/// Characters at the end of a line that carriage returns and backspaces reach:
/// far more than a terminal has in one.
pub const TERMINAL_CHARS: usize = 256 * 1024;

/// Bytes that are hashed between two looks at the clock: about ten
/// milliseconds, and more than most files have.
pub const HASH_STEP_BYTES: u64 = 4 * 1024 * 1024;

/// A hash takes all but this part of the time that is left when it begins: what
/// follows it is writing the reply, of some megabytes at most.
pub const HASH_SPARED: u64 = 4;

/// A hash is given up after this part of its time if it would not have ended in
/// twice of that, so that nobody waits for nothing.
pub const HASH_TRIAL: u64 = 8;

/// Bytes of a file whose hash `gateway` takes for its session: a larger one
/// would take seconds, and size and time tell as well that it has changed.
pub const HASHED_BYTES: u64 = 1024 * 1024 * 1024;

/// Bytes of an ignore file.
pub const IGNORE_BYTES: usize = 1024 * 1024;

/// Members of an archive that are looked at.
pub const ARCHIVE_MEMBERS: u64 = 1_000_000;

/// Members of one archive that a listing shows at once.
pub const ARCHIVE_LINES: u64 = 500;

/// Entries of an archive that are named where its bare path is refused: enough
/// to see what it is.
pub const ARCHIVE_NAMES: usize = 10;

/// Notes on one archive: damage may repeat itself with every member.
pub const ARCHIVE_NOTES: usize = 20;

/// Bytes of an extended header of a tar archive, which holds names.
pub const EXTENDED_HEADER_BYTES: usize = 1024 * 1024;

/// Segments of a file with holes in a tar archive.
pub const SPARSE_SEGMENTS: usize = 100_000;

/// Links of a zip archive whose targets are looked up: each costs two reads.
pub const ZIP_LINKS: usize = 1000;

/// Archives opened on the way to a member.
pub const ARCHIVE_DEPTH: usize = 4;

/// Bytes of a zip archive inside another that is held to be read: its
/// directory stands at its end.
pub const NESTED_BYTES: usize = 64 * 1024 * 1024;

/// Bytes of a database that is no file of its own, and is held: with what
/// belongs to it, it crosses the sandbox in one call.
pub const HELD_DATABASE_BYTES: usize = 48 * 1024 * 1024;

/// Bytes of a log or journal of such a database.
pub const HELD_BESIDE_BYTES: usize = 12 * 1024 * 1024;

/// Memory that a decompressor may take for what it has to remember, in KiB:
/// what the usual tools use at their highest levels.
pub const INFLATE_KIB: u32 = 128 * 1024;

/// Bytes that may come out of any compressed stream, however few went in.
pub const SOUND_BYTES: u64 = 64 * 1024 * 1024;

/// Bytes that may come from one byte beyond that: logs of one line reach a
/// hundred, deflate ends at a thousand.
pub const SOUND_RATIO: u64 = 200;

/// Rows that a query of a table shows unless asked for others.
pub const QUERY_ROWS: u64 = 20;

/// Rows that a query of a table shows at most.
pub const MAX_QUERY_ROWS: u64 = 500;

/// Rows that a statement shows.
pub const STATEMENT_ROWS: u64 = 1000;

/// Rows shown with the definition of a table.
pub const SAMPLE_ROWS: u64 = 5;

/// Tables of a database that are listed.
pub const TABLES: u64 = 500;

/// Rows of a table that are counted.
pub const COUNTED_ROWS: u64 = 50_000;

/// Rows of all tables that a listing counts one by one: a tenth of a second.
/// What is left is counted as far as [`FEW_ROWS`].
pub const LISTED_ROWS: u64 = 1_000_000;
/// See [`LISTED_ROWS`].
pub const FEW_ROWS: u64 = 1000;

/// Bytes of a database whose tables are counted page by page, which takes a
/// fifth of the time: all of them are read in some milliseconds.
pub const SMALL_DATABASE_BYTES: u64 = 32 * 1024 * 1024;

/// Milliseconds for which a database is read again that others write to.
pub const BUSY_MILLIS: u64 = 3000;

/// Instructions of SQLite that a query may take: about a second. A row of a scan
/// takes about ten.
pub const QUERY_WORK: u64 = 60_000_000;

/// Instructions that are spent on what would only be nice to know, such as how
/// many more rows there are.
pub const ASIDE_WORK: u64 = 10_000;

/// Bytes of a page of rows that are kept for damage, which is told before them.
pub const DAMAGE_BYTES: usize = 512;

/// Characters of a line of rows.
pub const TABLE_WIDTH: usize = 120;

/// Characters of a column.
pub const COLUMN_WIDTH: usize = 40;
/// What a column is not shrunk below.
pub const MIN_COLUMN_WIDTH: usize = 3;

/// Columns that stand beside each other; of more each has a line of its own.
pub const TABLE_COLUMNS: usize = 19;

/// Bytes of a text in a row that is shown alone: one that is longer is cut
/// there, and can be read on.
pub const VALUE_BYTES: usize = 16 * 1024;

/// Bytes of a text of which the start is taken: to do that, SQLite holds it.
pub const HELD_VALUE_BYTES: usize = 64 * 1024 * 1024;

/// Levels of the values of a notebook: as many as the JSON parser takes.
pub const JSON_DEPTH: usize = 127;

/// Bytes of JSON in an output that is laid out anew; more stand as they are in
/// the file.
pub const PRETTY_JSON_BYTES: usize = 256 * 1024;

/// Levels by which lines of JSON are indented: deeper ones would be blanks for
/// the most part.
pub const JSON_INDENTS: usize = 16;

/// Bytes of a list of numbers that stays on one line.
pub const JSON_LINE_BYTES: usize = 80;

/// Lines shown of the start of a long output of a notebook, and of its end.
pub const EXCERPT_LINES: usize = 20;

/// Bytes shown of its start, and of its end.
pub const EXCERPT_BYTES: usize = 4 * 1024;

/// Notes on one notebook: damage may repeat itself with every cell.
pub const NOTEBOOK_NOTES: usize = 20;

/// Rows of a header of an HTML table: levels of an index, of which there are
/// few.
pub const HEADER_ROWS: usize = 8;

/// Columns that a cell of an HTML table spans, as browsers have it.
pub const SPANNED_COLUMNS: usize = 1000;

/// Rows that a cell of an HTML table spans, as browsers have it.
pub const SPANNED_ROWS: usize = 65_534;

/// Bytes that the cells of an HTML table may add by spanning others, and for
/// each byte of its source: the index of a real table stands in every row.
pub const SPANNED_BYTES: usize = 64 * 1024;
/// See [`SPANNED_BYTES`].
pub const SPANNED_PER_BYTE: usize = 4;

/// Bytes that they may add in all, however large the page is: it is held.
pub const MAX_SPANNED_BYTES: usize = 16 * 1024 * 1024;
