//! The limits of the reader, each with its reason.
//!
//! The limits of this module bound the content of a reply and the work for it. The host sets
//! the limits on memory, time and accessible files.

/// The maximum number of lines on a page.
pub const MAX_LINES: u64 = omniread_options::MAX_LINES as u64;

/// The maximum number of lines on a page for a request without a last line, in the dialects that
/// page by 2000 lines.
pub const LONG_PAGE_LINES: u64 = 2000;

/// The maximum size of a page in bytes, for a request of so few lines that [`BYTES_PER_LINE`] does
/// not allow more.
pub const PAGE_BYTES: u64 = 50 * 1024;

/// The number of bytes that each requested line adds to the maximum size of a page. Their sum
/// applies if it is larger than [`PAGE_BYTES`].
pub const BYTES_PER_LINE: u64 = 512;

/// The maximum number of characters that are shown of a line, except in raw text. The selector
/// `:LINE@COLUMN` reads the rest of the line.
pub const LINE_CHARS: u64 = 2000;

/// The maximum number of places that the note on a changed file names. The lines are in the reply itself.
pub const NAMED_CHANGES: usize = 12;

/// The maximum number of lines on a page that are cut. Each adds up to 30 bytes to the path that
/// reads the rest of all of them, and that path must fit into [`PATH_BYTES`].
pub const CUT_LINES: usize = 100;

/// The number of tokens that are kept for the mark of a line that is cut, if a page has a budget of tokens. A mark
/// such as `…[cut; use :12345@2001 for the rest]` has about 18, and a path with a unit and large numbers some more.
pub const CUT_MARK_TOKENS: u64 = 24;

/// The number of lines that are shown as context before a requested range, if it is the only one.
pub const CONTEXT_BEFORE: u64 = 1;
/// The number of lines that are shown as context after a requested range, if it is the only one.
pub const CONTEXT_AFTER: u64 = 3;

/// The maximum size in bytes of a text that is examined as a whole: its lines are counted, its tag
/// (a short hash) is computed, and all its bytes decide whether it is UTF-8. A larger text is
/// streamed, and its encoding is detected from samples, so that its first page is read as fast as
/// any other page.
pub const WHOLE_BYTES: u64 = 4 * 1024 * 1024;

/// The number of bytes of one read from a source. Hosts return at most 64 KiB per call.
pub const CHUNK_BYTES: usize = 64 * 1024;

/// The maximum number of bytes that are read at a time over a network for a caller that reads on
/// after bytes that were read before.
pub const FETCH_BYTES: u64 = 4 * 1024 * 1024;

/// The size in bytes up to which a database on a server is read into memory. A few requests read all
/// of it. Documents of up to [`WHOLE_BYTES`] are always read whole.
pub const SMALL_REMOTE_BYTES: u64 = 1024 * 1024;

/// The maximum number of ranges that are fetched of a database. A row by its key takes up to seven.
pub const DATABASE_FETCHES: u64 = 40;

/// The maximum number of bytes that are fetched of a database. A scan of a table that needs more
/// would take longer than a download is worth for one page.
pub const DATABASE_FETCH_BYTES: u64 = 16 * 1024 * 1024;

/// The maximum number of ranges that are fetched for a statement whose result is optional, such as
/// the number of further rows.
pub const OPTIONAL_FETCHES: u64 = 2;

/// The maximum number of ranges that are fetched for all such statements of a read together.
pub const ALL_OPTIONAL_FETCHES: u64 = 8;

/// The maximum number of ranges that are fetched of a document. A page with images takes up to
/// twenty, and a document that is read whole takes about as many.
pub const DOCUMENT_FETCHES: u64 = 100;

/// The maximum number of bytes that are fetched of a document. It is the size of the largest
/// document that is converted, see [`CONVERTED_DOCUMENT_BYTES`].
pub const DOCUMENT_FETCH_BYTES: u64 = CONVERTED_DOCUMENT_BYTES;

/// The number of bytes at the start of a file that decide whether it is binary.
pub const SNIFF_BYTES: usize = 8 * 1024;

/// The maximum number of bytes of a text from which its encoding is guessed, unless it is UTF-8. The
/// detector takes about 180 ns for a byte, so that a guess takes 6 ms. These bytes are lines that are
/// not only ASCII, of which a few hundred are enough.
pub const GUESS_BYTES: usize = 32 * 1024;

/// The size in bytes of each sample that is read from a large file to detect its encoding. The
/// first [`CHUNK_BYTES`] of the file are examined too.
pub const SAMPLE_BYTES: usize = 16 * 1024;

/// The number of bytes of a line that are decoded at a time: enough to be fast, and few enough that
/// little is decoded in vain if the line is cut after [`LINE_CHARS`] characters.
pub const DECODE_BYTES: usize = 8 * 1024;

/// The number of bytes at the end of a stream that are kept in memory if its last lines are
/// requested. A source with random access is read backwards instead.
pub const TAIL_BYTES: usize = 8 * 1024 * 1024;

/// The number of bytes at the start and at the end of a log that are searched for errors, if it is larger than
/// [`WHOLE_BYTES`]. A search of both takes one to four milliseconds, about as long as the page of a text of
/// [`WHOLE_BYTES`].
pub const LOG_PART_BYTES: u64 = 512 * 1024;

/// The number of bytes at the end of a log by which the number of its last lines on a page is chosen. They are copied.
pub const LOG_TAIL_BYTES: usize = 256 * 1024;

/// The maximum number of characters that are shown of a line in the view of a log. A line of JSON may be long, and its
/// start says what happened.
pub const LOG_LINE_CHARS: u64 = 500;

/// The number of tokens that are kept for a message in the view of a log: for the note on its repetitions, and for the
/// mark of the lines before it.
pub const LOG_MARK_TOKENS: u64 = 60;

/// The budget of tokens from which on a log is shown as a view. A smaller page has no room for all its parts.
pub const LOG_TOKENS: u64 = 500;

/// The size of a page in bytes from which on a log is shown as a view.
pub const LOG_BYTES: u64 = 4 * 1024;

/// The number of lines of a page from which on a log is shown as a view.
pub const LOG_PAGE_LINES: u64 = 20;

/// The minimum number of bytes between two marks of the lines of a text, which a session keeps. To search so many
/// bytes for a line takes ten microseconds.
pub const LINE_MARK_BYTES: u64 = 64 * 1024;

/// The maximum number of marks of the lines of a text. They have 16 bytes each, which are copied for each page.
pub const LINE_MARKS: u64 = 4096;

/// The maximum size in bytes of a text whose lines are counted if its last lines are requested, so that they have
/// their numbers. Counting takes about 10 ms. Of a larger text, only the end is read.
pub const COUNTED_TAIL_BYTES: u64 = 16 * 1024 * 1024;

/// The size, in percent of the size of a page, of the list of the declarations that the page does not show, in the
/// dialect that has it by default. In 44 % of 300 source files with 600 to 20,000 lines, the page from line 301 on has
/// room for all outer ones.
pub const REST_PERCENT: u32 = 10;

/// The least size in bytes of this list. A shorter one has no room for its head and a declaration, so that the text is
/// not searched for any.
pub const REST_BYTES: u64 = 100;

/// The size in bytes of the title of this list, with the line endings around it, and without the path in it.
pub const REST_TITLE_BYTES: usize = 32;

/// The size in bytes of a path that the title always names, and the part of the list that the title may take with a
/// longer one. Otherwise it says "the path".
pub const REST_TITLE_PATH: (usize, u64) = (40, 2);

/// The maximum size in bytes of the line that counts what is not in this list, without the path in it.
pub const REST_TAIL_BYTES: usize = 56;

/// The maximum number of tokens of both, without the paths in them.
pub const REST_TOKENS: u64 = 40;

/// The maximum number of declarations that are considered for this list. Many may share a long line, and so have one
/// path.
pub const REST_CANDIDATES: usize = 5000;

/// The maximum number of characters of the first line of a declaration in this list.
pub const REST_HEAD_CHARS: usize = 60;

/// The maximum size in bytes of the converted text of a document that is searched for a heading.
pub const SYMBOL_TEXT_BYTES: u64 = 16 * 1024 * 1024;

/// The maximum size in bytes of a text that is searched for a declaration at once. The text has fewer
/// declarations than a scan keeps, because each has at least four bytes.
pub const SYMBOL_WHOLE_BYTES: usize = 800_000;

/// The size in bytes of the pieces in which a longer text is searched for a declaration. Outlines have the same
/// limit.
pub const SYMBOL_PIECE_BYTES: usize = 2 * 1024 * 1024;

/// The maximum size in bytes of one piece, which contains at least one outermost block. The piece and its
/// declarations are in memory.
pub const SYMBOL_BLOCK_BYTES: usize = 32 * 1024 * 1024;

/// The maximum size in bytes of a text that is searched for a key. The text is in memory, but none of its
/// keys that do not match.
pub const SYMBOL_KEYS_BYTES: usize = 64 * 1024 * 1024;

/// The maximum size in bytes of a text that is searched for a block of lines by its indentation. The text is in
/// memory.
pub const INDENTED_BYTES: usize = 16 * 1024 * 1024;

/// The part of the time of a read, 1/`SYMBOL_TIME_SPARED`, that a search for a declaration leaves for the rest
/// of the read.
pub const SYMBOL_TIME_SPARED: u64 = 4;

/// The length in bytes of a line from which a declaration that shares it with other code is shown
/// without the other code. Minified code has such lines.
pub const SYMBOL_LINE_BYTES: usize = omniread_outline::limits::COLUMN_LINE_BYTES;

/// The maximum number of characters of the first line of a declaration in a list.
pub const SYMBOL_HEAD_CHARS: usize = 100;

/// The maximum number of declarations around a block whose first lines are shown. Code is rarely nested
/// deeper.
pub const SYMBOL_HEADS: usize = 20;

/// The number of lines in the path that a reply offers for a text that is too long to be searched.
pub const SYMBOL_RANGE_LINES: u64 = 300;

/// The maximum number of merge conflicts in a list of them. The path of a conflict reads any of them.
pub const LISTED_CONFLICTS: u64 = 10_000;

/// The maximum number of characters of a label that the list of merge conflicts shows. The title of a
/// commit has about 70.
pub const CONFLICT_LABEL_CHARS: usize = 120;

/// The maximum size in bytes of a side of a merge conflict that is read by a path of its own. It is in
/// memory as a whole, because a side may be made from a difference.
pub const CONFLICT_SIDE_BYTES: u64 = 8 * 1024 * 1024;

/// The maximum number of files whose conflicts a session showed that it remembers for `conflict://N`. The oldest is
/// forgotten. If there are several, each is read to find those whose conflicts are resolved.
pub const FILES_WITH_SHOWN_CONFLICTS: usize = 16;

/// The maximum number of these files that are named if `conflict://N` may be a conflict of any of them.
pub const NAMED_FILES_WITH_CONFLICTS: usize = 4;

/// The number of bytes in the hex view of a binary file: enough to recognise its format.
pub const HEX_BYTES: usize = 64;

/// The number of bytes in one line of the hex view.
pub const HEX_WIDTH: usize = 16;

/// The number of directory levels that a directory listing shows.
pub const TREE_DEPTH: usize = 2;

/// The maximum number of entries of a subdirectory that the listing of its parent directory shows.
pub const TREE_CHILDREN: usize = 12;

/// The maximum number of entries on the first page of a directory listing: the default number of
/// lines of a page of text. The other entries are counted by kind, such as `12 .rs`.
pub const DIRECTORY_ENTRIES: u64 = 300;

/// The maximum number of kinds (directories, and file extensions) that are named with their numbers
/// of entries, such as `12 .rs`.
pub const SHOWN_KINDS: usize = 5;

/// The maximum number of kinds of directory entries that are counted separately. Every file in a
/// directory may have another extension.
pub const LISTED_KINDS: usize = 1000;

/// The maximum size of a file extension in bytes. A longer one is treated as a part of the name.
pub const EXTENSION_BYTES: usize = 16;

/// The maximum number of entries of a directory listing whose size and time are looked up. The
/// others are only counted.
pub const MEASURED_ENTRIES: u64 = 20_000;

/// The maximum number of entries of a directory listing that are counted. If there are more, the
/// reply states the number with `at least`.
pub const COUNTED_ENTRIES: u64 = 2_000_000;

/// The maximum number of similar names that a failure offers for a missing path.
pub const SIMILAR_NAMES: usize = 5;

/// The maximum number of other spellings of a missing path that are read to find the one that is
/// meant. Each may open an archive.
pub const SPELLINGS: usize = 6;

/// The maximum number of names that are compared with a missing name to find similar ones.
pub const SIMILAR_ENTRIES: usize = 20_000;

/// The maximum number of matches of a glob pattern that a failure names.
pub const SHOWN_MATCHES: usize = 20;

/// The maximum number of matches of a glob pattern that are counted. If there are more, the failure
/// states the number with `at least`.
pub const COUNTED_MATCHES: usize = 1000;

/// The maximum number of patterns to which the braces of a glob pattern are expanded.
pub const ALTERNATIVES: usize = 64;

/// The maximum work to compare a glob pattern with the members of an archive: the sum of the products
/// of the size of the pattern and of the name, in bytes. A pattern of 20 bytes is compared with 20,000
/// names of 60 bytes with a tenth of this work, and all of it takes less than a second.
pub const MATCHING_WORK: u64 = 1 << 28;

/// The time of a read in milliseconds after which a search for paths that end with a missing path,
/// and a search for the matches of a glob pattern, ends. It also ends after half of the time that is
/// left for the read.
pub const SEARCH_MILLIS: u64 = 5000;

/// The maximum depth of the directories that are searched for a missing path or for the matches of
/// a glob pattern.
pub const SEARCH_DEPTH: usize = 64;

/// The maximum number of symlinks on a path. It is the limit of Linux.
pub const MAX_LINKS: usize = 40;

/// The maximum size of a path in bytes. It is the limit of Linux.
pub const PATH_BYTES: usize = 4096;

/// The maximum size in bytes of a path with a database query.
pub const QUERY_BYTES: usize = 64 * 1024;

/// The maximum number of paths of a list that one reply reads. The default page has 300 lines, so that more would
/// show too few of each. The others are in the path that continues.
pub const LIST_PATHS: usize = 20;

/// The maximum number of semicolons in a name in a list of paths that are tried. Each is a look-up for each path.
/// A name with more is read alone.
pub const NAME_SEMICOLONS: usize = 4;

/// The number of bytes that a page needs for a further path of a list: the minimum of the option `reply-bytes`.
pub const LIST_BYTES: u64 = 4096;

/// The number of tokens that a page needs for a further path of a list: the minimum of the option `max-tokens`.
pub const LIST_TOKENS: u64 = 100;

/// The size in bytes of a list of paths up to which a notice shows it. Of a longer one, the notice names the first path.
pub const LIST_NEXT_BYTES: usize = 500;

/// The share of the timeout, 1/`LIST_TIME`, after which no further path of a list is read. A path may take as long
/// as those before it.
pub const LIST_TIME: u64 = 2;

/// The maximum number of colons and question marks in a path that are tried as the end of the name
/// of an archive member or table. Names contain few of them.
pub const NAME_CANDIDATES: usize = 32;

/// The maximum size of the JSON arguments of a tool in bytes: ample for a path and a few
/// numbers.
pub const ARGUMENT_BYTES: usize = 1024 * 1024;

/// The maximum number of pages that the argument `pages` of the dialect `claude` names: the limit of
/// the agent's own tool.
pub const CALL_PAGES: u32 = 20;

/// The maximum size in bytes of the text of a reply if the caller requests more than a page. A byte
/// of text may take six bytes in JSON, and the JSON is copied out of the sandbox.
pub const REPLY_BYTES: u64 = 8 * 1024 * 1024;

/// The maximum number of lines of a reply in a dialect whose caller may request any number of
/// lines. Each line takes memory, even if it is empty.
pub const REPLY_LINES: u64 = 1_000_000;

/// The default for the maximum size in bytes of the content, exact text or binary data, in a reply
/// of the dialect `comma`.
pub const CONTENT_BYTES: u64 = 256 * 1024;

/// The maximum size in bytes of an image or attachment that model APIs accept.
pub const SENT_BYTES: u64 = 5 * 1024 * 1024;

/// The maximum size in bytes of an image that is decoded, and of an image that the dialect `gemini`
/// returns unchanged, because the API of Gemini accepts as much in one request. The dialect
/// `gemini` refuses a larger image, and the other dialects describe it.
pub const IMAGE_BYTES: u64 = 20 * 1024 * 1024;

/// The maximum size in bytes of an image in the dialect `claude`, which refuses a larger one.
pub const REFUSED_BYTES: u64 = 50 * 1024 * 1024;

/// The maximum number of pixels of an image that is decoded: a large camera image. More pixels
/// need more memory and time than one image is worth.
pub const IMAGE_PIXELS: u64 = 40_000_000;

/// The maximum length in pixels of each side of an image that model APIs accept. They refuse
/// the whole conversation if one image is larger.
pub const IMAGE_SIDE: u32 = 8000;

/// The number of tokens that an image has to save at half the size, so that its reply names the path of it. The
/// sentence costs ten.
pub const HALF_SAVES_TOKENS: u64 = 200;

/// The length in pixels to which the longer side of a smaller drawing is enlarged, as the image engine does.
pub const DRAWN_SIDE: u32 = 512;

/// The number of bytes at the start of an image file that are searched for the image header if the
/// file is too large to be decoded. Profiles and thumbnails may precede the header.
pub const HEADER_BYTES: u64 = 1024 * 1024;

/// The maximum number of units (such as pages) of a document whose lines are counted. Each count
/// takes four bytes, and no document that fits into the memory of a read has more pages.
pub const COUNTED_UNITS: usize = 1_000_000;

/// The maximum number of colons in an internal URL (such as `memory://notes.md:5`) that are tried
/// as its end. Each attempt is a call of the host.
pub const RESOURCE_COLONS: usize = 8;

/// The maximum number of resources that the list of a provider has. The host makes the list in memory.
pub const LISTED_RESOURCES: usize = 10_000;

/// The maximum number of schemes that a failure lists.
pub const LISTED_SCHEMES: usize = 16;

/// The maximum number of names that are compared to find those that several directories of a scheme have.
pub const MERGED_NAMES: usize = 100_000;

/// The maximum size in bytes of the JSON of which a URL extracts a value. It is in memory as a whole, and a string in
/// it a second time.
pub const EXTRACTED_JSON_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of bytes at the start of a skill in which its front matter is looked for. The
/// specification limits a description to 1,024 characters.
pub const FRONT_MATTER_BYTES: usize = 64 * 1024;

/// The maximum number of levels of the values in front matter. A parser calls itself once for each.
pub const FRONT_MATTER_DEPTH: usize = 32;

/// The maximum number of files of a skill that is served to a client. Clients need not take more, as
/// SEP-2640 says.
pub const SERVED_SKILL_FILES: usize = 512;

/// The maximum size in bytes of the files of a skill that is served to a client. Clients need not take more,
/// as SEP-2640 says. After as many bytes, a page of skills ends.
pub const SERVED_SKILL_BYTES: u64 = 16 * 1024 * 1024;

/// The maximum number of entries that are looked at in the directories of a skill that is served.
pub const SERVED_SKILL_ENTRIES: usize = 10_000;

/// The maximum number of skills, with those that are not served, on a page for a client. The bytes of all
/// their files are hashed.
pub const SERVED_SKILLS: usize = 100;

/// The approximate number of bytes of JSON after which a page of skills for a client ends. Clients refuse
/// much larger messages.
pub const SERVED_PAGE_BYTES: usize = 512 * 1024;

/// The maximum number of entries on a page of a directory of a skill for a client.
pub const SERVED_ENTRIES: usize = 500;

/// The maximum number of directories that are looked at for a page of the list of skills. Each takes several
/// calls of the host.
pub const SEARCHED_SKILLS: u64 = 10_000;

/// The bytes of the list of the skills of a provider. A thousand skills take about 200 KB.
pub const PROVIDED_SKILLS: usize = 2 << 20;

/// The maximum number of skills on a page of their list.
pub const LISTED_SKILLS: u64 = 500;

/// The maximum size in bytes of a notebook that is converted. It is in memory as a whole.
pub const CONVERTED_NOTEBOOK_BYTES: u64 = 50 * 1024 * 1024;

/// The maximum size in bytes of a web page, feed or XML document that is converted. The bytes, their
/// tree and the converted text are in memory at the same time.
pub const CONVERTED_MARKUP_BYTES: u64 = 32 * 1024 * 1024;

/// The maximum size in bytes of an office document in an archive or a stream. It is passed to the
/// document engine in memory, and a file on disk has the same limit in the engine.
pub const CONVERTED_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The number of bytes at the start of a JSON text that may name the version of JSON Feed, which its
/// specification asks for as the first member.
pub const JSON_FEED_BYTES: usize = 1024;

/// The number of bytes at the start of a text that decide whether it is a web page, a feed or XML.
/// Long comments may precede the first element.
pub const MARKUP_HEAD_BYTES: usize = 64 * 1024;

/// The maximum number of characters of a title, description or other fact about a document. Search
/// engines show 160 of a description.
pub const METADATA_CHARS: usize = 500;

/// The maximum number of images of a document in one reply. Model APIs apply stricter limits to
/// requests with more than twenty images, and a request contains other replies too.
pub const DOCUMENT_IMAGES: usize = 10;

/// The length in pixels of the longer side from which an image of an office document is shown. Bullets,
/// icons and spacers are smaller.
pub const FIGURE_SIDE: u32 = 32;

/// The maximum number of images of an office document that are examined for one reply. Those that
/// are small or cannot be decoded are not shown, and other images may follow them.
pub const FIGURES: usize = 40;

/// The maximum number of pages that are rendered for one reply, because they have no text. Rendering
/// takes much longer than reading text.
pub const PAGE_IMAGES: usize = 3;

/// The length in pixels of the longer side of an image of a page. The text of a page with letters of
/// usual size can be read at this size, and model APIs scale larger images down.
pub const PAGE_IMAGE_SIDE: u32 = 1568;

/// The length in bytes of the longest selector of a picture: `page:4294967295:img`.
pub const PICTURE_BYTES: usize = 20;

/// The number of images that the document engine does not return after which no other one is requested
/// for a reply. Its memory or its time may have ended, and each request costs more of it.
pub const FIGURE_FAILURES: usize = 3;

/// The maximum size in bytes of a mail that is searched for an attachment whose name is a selector,
/// such as `10-20`. Lines of larger mails are read without this search.
pub const SEARCHED_MAIL_BYTES: u64 = 1024 * 1024;

/// The size in bytes from which an image of an office document counts to the number of images that
/// are loaded for a reply. A smaller one may be a bullet or an icon, which is not shown.
pub const SMALL_FIGURE_BYTES: usize = 4 * 1024;

/// The total size in bytes of the images of an office document that are loaded for one reply. They
/// are in memory together, because one engine is open at a time.
pub const FIGURE_BYTES: usize = 32 * 1024 * 1024;

/// The total size in bytes, in base64, of the images of a document in one reply, after which no
/// further image is added.
pub const DOCUMENT_IMAGE_BYTES: usize = 3 * 1024 * 1024;

/// The number of pixels of images that are decoded for one reply, after which no further image of a
/// document is decoded, for each millisecond that images may take. It is what the engine decodes, scales
/// and encodes in this time. Pixels are counted, and not time, so that a busy machine does not change a
/// reply.
pub const DOCUMENT_IMAGE_PIXELS: u64 = 40_000;

/// The time in milliseconds that determines [`DOCUMENT_IMAGE_PIXELS`] at most. One image may take seconds.
pub const DOCUMENT_IMAGE_MILLIS: u64 = 20_000;

/// The share of the timeout of a read, 1/`DOCUMENT_IMAGE_SHARE`, that determines [`DOCUMENT_IMAGE_PIXELS`],
/// so that the last image and the text have time as well.
pub const DOCUMENT_IMAGE_SHARE: u64 = 3;

/// The number of pixels as which a byte of an image counts. Formats that compress much take time for each
/// byte, and a drawing has no pixels.
pub const IMAGE_BYTE_PIXELS: u64 = 4;

/// The number of times that a pixel of a WebP image counts. The decoder of WebP takes three times as long
/// as the others.
pub const WEBP_PIXELS: u64 = 3;

/// The maximum number of cells of a notebook. A notebook with more cells is not converted, because
/// each cell takes memory.
pub const NOTEBOOK_CELLS: usize = 200_000;

/// The maximum number of outputs and attachments of all cells of a notebook. The position of
/// each is in memory.
pub const NOTEBOOK_VALUES: usize = 1_000_000;

/// The maximum size in bytes of the text to which a notebook is converted. Markers and indented
/// JSON may make the text larger than the file.
pub const CONVERTED_TEXT_BYTES: usize = 64 * 1024 * 1024;

/// The maximum number of images and notices between the lines of a converted notebook.
pub const NOTEBOOK_ATTACHMENTS: usize = 200_000;

/// The maximum number of characters shown of a name in a notebook.
pub const NOTEBOOK_NAME_CHARS: usize = 200;

/// The number of characters at the end of a line of notebook output that can be overwritten after
/// carriage returns and backspaces. No terminal has lines of this length.
pub const TERMINAL_CHARS: usize = 256 * 1024;

/// The number of bytes that are hashed between two checks of the clock. They take about ten
/// milliseconds, and most files are smaller.
pub const HASH_STEP_BYTES: u64 = 4 * 1024 * 1024;

/// The share of the remaining time, 1/`HASH_SPARED`, that the computation of a hash leaves for the
/// rest of the read. The rest writes a reply of a few megabytes at most.
pub const HASH_SPARED: u64 = 4;

/// The share of the time for the computation of a hash, 1/`HASH_TRIAL`, after which its progress is
/// checked. The computation is cancelled if it would need more than twice the time that it has.
pub const HASH_TRIAL: u64 = 8;

/// The maximum size in bytes of a file that the dialect `gateway` hashes, so that a later change of
/// the file is noticed. A larger file would take seconds, and its size and time also show a change.
pub const HASHED_BYTES: u64 = 1024 * 1024 * 1024;

/// The maximum size of an ignore file in bytes.
pub const IGNORE_BYTES: usize = 1024 * 1024;

/// The maximum number of members of an archive that are examined.
pub const ARCHIVE_MEMBERS: u64 = 1_000_000;

/// The maximum number of lines on one page of an archive listing.
pub const ARCHIVE_LINES: u64 = 500;

/// The maximum number of entries of an archive that a failure names if a dialect refuses to list
/// archives. They are enough to recognise the content.
pub const ARCHIVE_NAMES: usize = 10;

/// The maximum number of notes on one archive. The same damage may occur in every member.
pub const ARCHIVE_NOTES: usize = 20;

/// The number of bytes of a compressed archive or of standard input in which a later member with the name
/// of a requested one is searched for. They are decompressed twice, or kept in memory.
pub const DUPLICATE_BYTES: u64 = 16 * 1024 * 1024;

/// The size in bytes of a member of a compressed archive that is kept in memory while a later member with its name is
/// searched for, and not decompressed again.
pub const KEPT_BYTES: u64 = 1024 * 1024;

/// The maximum size in bytes of an extended header of a tar archive, which contains names.
pub const EXTENDED_HEADER_BYTES: usize = 1024 * 1024;

/// The maximum number of segments of a sparse file in a tar archive.
pub const SPARSE_SEGMENTS: usize = 100_000;

/// The maximum number of symlinks in a zip archive whose targets are looked up. Each costs two
/// reads.
pub const ZIP_LINKS: usize = 1000;

/// The number of cells of a sheet that are read to find the row with the names of the columns.
pub const HEADER_CELLS: usize = 2000;

/// The number of rows in which the row with the names of the columns is searched. Titles and empty
/// rows take fewer.
pub const HEADER_ROWS: usize = 20;

/// The number of cells of a sheet that the document engine returns at a time. A page has about as
/// many.
pub const SHEET_BATCH_CELLS: usize = 4000;

/// The number of cells that it returns at a time if all are loaded. They take about 5 MB.
pub const LOADED_BATCH_CELLS: usize = 50_000;

/// The maximum number of cells of a sheet that are loaded for a condition or a statement. They take
/// about 200 MB.
pub const LOADED_CELLS: u64 = 1_500_000;

/// The maximum size in bytes of the texts of these cells. A text that many of them share counts once.
pub const LOADED_TEXT_BYTES: u64 = 64 * 1024 * 1024;

/// The minimum size in bytes of a text that cells share in memory.
pub const SHARED_TEXT_BYTES: usize = 64;

/// The maximum number of columns of a sheet that are shown although they may be empty. Of a wider
/// sheet, only columns with a value are shown.
pub const DENSE_COLUMNS: u64 = 256;

/// The maximum number of tables, merged cells and ranges of pages that a note lists.
pub const LISTED_RANGES: usize = 10;

/// The maximum number of characters of the label of a page that is shown. Labels have up to ten.
pub const LABEL_CHARS: usize = 40;

/// The maximum number of different notes on the pages of a reply.
pub const UNIT_NOTES: usize = 20;

/// The maximum number of attachments of a document that a note names.
pub const NAMED_ATTACHMENTS: usize = 20;

/// The maximum number of entries of the table of contents of a document. It takes at most a quarter
/// of a page.
pub const CONTENTS: u64 = 100;

/// The maximum number of characters of a title in a table of contents. Longer ones are cut.
pub const CONTENTS_CHARS: usize = 100;

/// The maximum number of archives, one inside the other, that the path of a member may lead
/// through.
pub const ARCHIVE_DEPTH: usize = 4;

/// The maximum size in bytes of a zip or 7z archive in another archive, which is loaded into memory
/// because its directory is at its end. It is also that of a 7z member that is loaded into memory.
pub const NESTED_BYTES: usize = 64 * 1024 * 1024;

/// The maximum size in bytes of a database that is loaded into memory, because it is in an archive,
/// compressed or standard input. The database and its write-ahead log or rollback journal are
/// copied to the SQLite engine in one call.
pub const MEMORY_DATABASE_BYTES: usize = 48 * 1024 * 1024;

/// The maximum size in bytes of the write-ahead log or rollback journal of a database that is
/// loaded into memory.
pub const MEMORY_JOURNAL_BYTES: usize = 12 * 1024 * 1024;

/// The maximum size in KiB of the window that a decompressor keeps in memory. The usual compression
/// tools need as much at their highest levels.
pub const INFLATE_KIB: u32 = 128 * 1024;

/// The number of bytes that any compressed stream may expand to, however small it is.
pub const BOMB_MIN_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum ratio of decompressed to compressed bytes, for a stream that expands to more
/// than [`BOMB_MIN_BYTES`]. Logs that repeat one line reach 100, and deflate has a maximum of
/// about 1000.
pub const BOMB_RATIO: u64 = 200;

/// The default number of rows on a page of a table.
pub const QUERY_ROWS: u64 = 20;

/// The maximum number of rows on a page of a table.
pub const MAX_QUERY_ROWS: u64 = 500;

/// The maximum number of rows in the result of an SQL statement.
pub const STATEMENT_ROWS: u64 = 1000;

/// The number of rows shown with the definition of a table.
pub const SAMPLE_ROWS: u64 = 5;

/// The maximum number of tables of a database that are listed.
pub const TABLES: u64 = 500;

/// The maximum number of rows of a table that are counted.
pub const COUNTED_ROWS: u64 = 50_000;

/// The number of rows that the listing of a database counts in all tables together, which takes a
/// tenth of a second. After that, at most [`FEW_ROWS`] are counted in each further table.
pub const LISTED_ROWS: u64 = 1_000_000;
/// The maximum number of rows that the listing of a database counts in a table after it has counted
/// [`LISTED_ROWS`] rows in the tables before.
pub const FEW_ROWS: u64 = 1000;

/// The maximum size in bytes of a database in which SQLite counts the rows of a table by database
/// page, which takes a fifth of the time of counting single rows. All pages of such a database are
/// read in the time for [`COUNTED_ROWS`] single rows.
pub const SMALL_DATABASE_BYTES: u64 = 4 * 1024 * 1024;

/// The minimum size in bytes of a database in which one scan finds the first rows in an order and counts them. In a
/// smaller one, preparing that scan takes longer than a second one.
pub const ORDERED_DATABASE_BYTES: u64 = 128 * 1024;

/// The maximum number of rows that one scan keeps to find the first ones in an order.
pub const ORDERED_ROWS: u64 = 2000;

/// The real time in milliseconds for which the read of a database is repeated while another program
/// writes to it. It waits for that program, and not for the processor.
pub const BUSY_MILLIS: u64 = 3000;

/// The maximum number of instructions of the SQLite virtual machine that a query may execute for each
/// second of the timeout of the read. They take about a fifth of a second, so that the limit on time
/// does not end a query first. Each row of a table scan takes about ten instructions.
pub const QUERY_WORK: u64 = 12_000_000;

/// The time in milliseconds that determines [`QUERY_WORK`] in a read without a timeout.
pub const QUERY_MILLIS: u64 = 60 * 60 * 1000;

/// The time in milliseconds that determines [`QUERY_WORK`] if the host does not measure time.
pub const UNTIMED_QUERY_MILLIS: u64 = 60 * 1000;

/// The maximum number of instructions of the SQLite virtual machine for the sample rows of a table or
/// view, which take about one second. It does not depend on the timeout.
pub const SAMPLE_WORK: u64 = 60_000_000;

/// The maximum number of instructions of the SQLite virtual machine for optional information, such
/// as the number of further rows. It does not depend on the timeout.
pub const OPTIONAL_WORK: u64 = 10_000;

/// The number of bytes that are reserved on a page of rows for a note that the database is damaged.
pub const DAMAGE_BYTES: usize = 512;

/// The maximum width in characters of a line with a value of a row, if each value has a line of its
/// own.
pub const TABLE_WIDTH: usize = 120;

/// The maximum width in characters of a column in a table that shows rows of a database.
pub const COLUMN_WIDTH: usize = 40;
/// The maximum number of characters of a value in a table with one column that is not aligned.
pub const ONLY_COLUMN_WIDTH: usize = 1000;
/// The maximum size in bytes of a text key in the path of a row that a note names. The path of a row with
/// a longer key would be longer than the row.
pub const KEY_BYTES: usize = 200;
/// The minimum width in characters of a column, also if columns are narrowed so that the table is
/// not wider than [`TABLE_WIDTH`].
pub const MIN_COLUMN_WIDTH: usize = 3;

/// The maximum number of columns of a result that is shown as a table with one row per line. In a
/// result with more columns, each value has a line of its own.
pub const TABLE_COLUMNS: usize = 19;

/// The maximum size in bytes of a text value in a row that is shown alone. A longer value is cut,
/// and the reply contains a path that reads the rest.
pub const VALUE_BYTES: usize = 16 * 1024;

/// The maximum size in bytes of a text value that is read, even if only its start is shown, because
/// SQLite loads the whole value into memory.
pub const MEMORY_VALUE_BYTES: usize = 64 * 1024 * 1024;

/// The maximum depth of nested JSON values in a notebook. It is the limit of the JSON parser.
pub const JSON_DEPTH: usize = 127;

/// The maximum size in bytes of a JSON output that is indented. A larger one is shown as it is
/// in the file.
pub const PRETTY_JSON_BYTES: usize = 256 * 1024;

/// The maximum depth of indentation of JSON. Deeper lines would consist mostly of spaces.
pub const JSON_INDENTS: usize = 16;

/// The maximum size in bytes of a list of numbers that stays on one line, and of a line of a longer
/// list.
pub const JSON_LINE_BYTES: usize = 80;

/// The maximum number of lines that are shown of the start of a long output in a notebook, and also
/// of its end.
pub const EXCERPT_LINES: usize = 20;

/// The maximum number of bytes that are shown of the start of a long output in a notebook, and also
/// of its end.
pub const EXCERPT_BYTES: usize = 4 * 1024;

/// The maximum number of notes on one notebook. The same damage may occur in every cell.
pub const NOTEBOOK_NOTES: usize = 20;

/// The maximum number of columns of a table of rows that is shown with one row per line. With more,
/// each value has a line of its own. Tables of this width are usual in CSV files, and names of
/// columns repeated in every row would take most of the page.
pub const WIDE_TABLE_COLUMNS: usize = 50;

/// The maximum number of characters of a value that is shown in a table of rows, unless the path
/// requests whole values.
pub const CELL_CHARS: usize = 200;

/// The maximum number of values of a row that are kept. It is the number of columns of a sheet. The
/// others are counted.
pub const ROW_VALUES: usize = 16_384;

/// The maximum size in bytes of a database whose columns are selected by their names. No value of it is too large to
/// be read, and reading all its values takes less time than a statement may take.
pub const PLAIN_DATABASE_BYTES: u64 = 32 * 1024 * 1024;

/// The maximum size in bytes of all values of a result whose columns are selected by their names. The engine returns
/// all of them, and the start of blobs too.
pub const PLAIN_RESULT_BYTES: usize = 8 * 1024 * 1024;

/// The size in bytes that counts for each value of a result, in addition to its text or blob.
pub const MARKED_VALUE_BYTES: usize = 64;

/// The maximum number of columns of a table of rows that are shown. A statement selects others.
pub const SHOWN_COLUMNS: usize = 500;

/// The number of bytes of a value in a row that are kept. The rest is counted.
pub const ROW_VALUE_BYTES: usize = 1024 * 1024;

/// The size in bytes of a record that is read. The rest of a larger one is counted. A value in quotes
/// with line ends that is larger is treated as one whose quote is not closed.
pub const RECORD_BYTES: u64 = 8 * 1024 * 1024;

/// The bytes that are searched for the ends of values in quotes which are not closed. After that,
/// quotes have no meaning. It suffices for 16 searches of [`RECORD_BYTES`].
pub const UNCLOSED_BYTES: u64 = 16 * RECORD_BYTES;

/// The maximum number of lines before a table that a note shows.
pub const PREAMBLE_LINES: usize = 10;

/// The maximum number of notes on the types of the columns in a condition, order or statement.
pub const COLUMN_NOTES: usize = 10;

/// The number of bytes at the start of a table of rows from which its columns are detected.
pub const TABLE_SAMPLE_BYTES: usize = 64 * 1024;

/// The number of records at the start of a table of rows from which its columns are detected.
pub const TABLE_SAMPLE_RECORDS: usize = 200;

/// The number of bytes after a page of rows that are read to count the remaining rows, which takes
/// a few hundredths of a second.
pub const COUNTED_TABLE_BYTES: u64 = 4 * 1024 * 1024;

/// The maximum number of rows that are passed to the SQL engine in one call.
pub const BATCH_ROWS: usize = 2000;

/// The size in bytes of the rows from which a batch is passed to the SQL engine.
pub const BATCH_BYTES: usize = 2 * 1024 * 1024;

/// The size in bytes that counts for a value of a row in memory, besides its text.
pub const CELL_BYTES: usize = 48;

/// The maximum number of rows that are sorted outside of the SQL engine, with those before the page.
pub const DIRECT_ROWS: u64 = 20_000;

/// The maximum number of groups of rows outside of the SQL engine, which has memory for more.
pub const DIRECT_GROUPS: usize = 100_000;

/// The maximum size in bytes of sorted rows or groups outside of the SQL engine.
pub const DIRECT_BYTES: usize = 32 * 1024 * 1024;

/// The maximum number of columns of a table in the SQL engine. SQLite has a limit of 2000.
pub const SQL_COLUMNS: usize = 1000;

/// The share of the timeout of a read, 1/`SCAN_SPARED`, that a scan of rows leaves, so that the rows
/// that were found are still shown.
pub const SCAN_SPARED: u64 = 5;

/// The maximum number of requests for pages of a read, without those that follow redirects and those
/// for ranges: the page, and three attempts to find a form of it with more text.
pub const REQUESTS: u32 = 4;

/// The maximum number of requests to a service for a page that a handler writes, without those that follow
/// redirects: the diff of a pull request, and 30 pages of its files if the service does not send it as a whole.
pub const SERVICE_REQUESTS: u32 = 32;

/// The milliseconds of real time after which a handler of a site sends no more requests. A request that runs takes
/// 15 s at most, and all requests of a read 45 s by default: 10 s remain for the page itself.
pub const HANDLER_MILLIS: u64 = 20_000;

/// The number of bytes at the start of a file that a handler of a site sees: more than a pointer of Git LFS has.
pub const PEEKED_BYTES: usize = 2048;

/// The maximum number of redirects that a read follows.
pub const REDIRECTS: u32 = 5;

/// The maximum size in bytes of the target of a redirect. Browsers and servers accept about as much.
pub const LOCATION_BYTES: usize = 8 * 1024;

/// The maximum number of bytes of a decoded body that are kept in memory. A read has 512 MiB.
pub const BODY_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of encodings of a body, one inside the other. Servers use one.
pub const CODINGS: usize = 3;

/// The maximum number of characters of a header that are shown.
pub const HEADER_CHARS: usize = 200;

/// The number of bytes of the first request for a file that is read by ranges: enough to detect its
/// format.
pub const FIRST_RANGE_BYTES: u64 = 64 * 1024;

/// The number of bytes of a request for a range. A request takes as long as about as many bytes.
pub const RANGE_BYTES: u64 = 256 * 1024;

/// The maximum number of bytes of a request for a range, if a file is read in order or a member of an
/// archive is read as a whole.
pub const LARGEST_RANGE: u64 = 8 * 1024 * 1024;

/// The maximum number of bytes of the first request for a range that is read as a whole. Its reader may
/// need only the start.
pub const EXPECTED_RANGE: u64 = 2 * 1024 * 1024;

/// The number of bytes that the header of a member of a zip archive usually has at most.
pub const ZIP_HEADER_BYTES: u64 = 1024;

/// The maximum number of requests for ranges of a file.
pub const RANGE_REQUESTS: u32 = 200;

/// The maximum size in bytes of the encoded form of an image from the web.
pub const FETCHED_IMAGE_BYTES: u32 = 300 * 1024;

/// The number of words below which other forms of a page are tried.
pub const FEW_WORDS: usize = 100;

/// The maximum number of entries of a listing of a directory at a revision. The size of each needs a search in the
/// index of a pack.
pub const REVISION_ENTRIES: u64 = 2_000;

/// The maximum number of `@` in a path that are tried as the start of a revision, from the last one on. Names of
/// packages have one: `node_modules/@types/node/index.d.ts@HEAD`.
pub const REVISION_SIGNS: usize = 4;

/// The maximum number of directories above a path in which its repository is looked for.
pub const REVISION_DIRECTORIES: usize = 64;

/// The maximum number of characters of the first line of the message of a commit in a note. Git recommends 50.
pub const SUBJECT_CHARS: usize = 100;
