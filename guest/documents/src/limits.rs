//! Every limit on documents, with its reason.

pub use omniread_document::limits::*;

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

/// The number of bytes of the XML of a large sheet, or of the texts of a large workbook, that are in
/// memory at one time. A row has at most a few hundred kilobytes.
pub const PIECE_BYTES: usize = 4 * 1024 * 1024;

/// The maximum number of bytes of a sheet that is read in pieces. A million rows of 5 columns take
/// 250 MB.
pub const LARGE_SHEET_BYTES: u64 = 1 << 30;

/// The maximum number of bytes of XML of the sheets of an OpenDocument spreadsheet that are read in pieces. A
/// million rows of 5 columns take 585 MB, and up to 7 seconds in the sandbox. A read ends after 10.
pub const LARGE_SPREADSHEET_BYTES: u64 = 640 * 1024 * 1024;

/// The maximum number of bytes of the texts that the cells of a workbook share. They are in memory while
/// the workbook is open.
pub const SHARED_STRING_BYTES: usize = 64 * 1024 * 1024;

/// The maximum number of bytes of the formulas that cells of a sheet of a binary workbook share. They are
/// in memory while the sheet is. A formula takes some 50.
pub const SHARED_FORMULA_BYTES: usize = 8 * 1024 * 1024;

/// The maximum number of bytes of a list of relationships or of content types. Lists of 10 000
/// images take 2 MB.
pub const LIST_BYTES: usize = 8 * 1024 * 1024;

/// The maximum number of bytes of XML that are converted for one document or one slide: the text,
/// notes, comments, headers and footers together. Their text is in memory at the same time.
pub const CONVERTED_BYTES: usize = 40 * 1024 * 1024;

/// The maximum number of bytes of XML of all slides or chapters that are converted while a document
/// is open. In the sandbox, 32 MB take up to a second, and a read ends after 10. An encyclopedia has
/// 30 MB. Tests, which are not optimised, use less.
pub const UNITS_BYTES: usize = if cfg!(test) { 4 } else { 128 } * 1024 * 1024;

/// The maximum number of bytes of the XML of the charts and diagrams of a document or a slide. A
/// chart takes 10 to 50 kB. Each value becomes a cell, which takes ten times its XML.
pub const EMBEDDED_BYTES: usize = 8 * 1024 * 1024;

/// The maximum number of bytes of all slides whose titles and images are looked for when a presentation
/// is opened. In the sandbox, 100 MB take about a second. A slide with a large table takes 1 MB.
pub const SCANNED_BYTES: usize = UNITS_BYTES;

/// The maximum number of decompressed bytes of all parts that are read. A part that is read twice
/// counts twice.
pub const PACKAGE_BYTES: usize = 512 * 1024 * 1024;

/// The maximum number of bytes of the slides that are kept after they were searched for their titles, so that
/// they are not decompressed again when they are shown. Most presentations have less, without their images.
pub const KEPT_BYTES: usize = 8 * 1024 * 1024;

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

/// The maximum number of elements and texts that repeated cells add to an OpenDocument text or slide.
/// Each takes 100 bytes.
pub const REPEATED_NODES: usize = 1 << 17;

/// The maximum number of bytes of all spaces beyond the first that `text:s` writes in an OpenDocument
/// text or slide. Each element may ask for any number.
pub const REPEATED_SPACES: usize = 1 << 20;

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

/// The maximum number of shapes of a group by whose positions the group is placed, and of a slide on
/// which headings of columns are looked for. Each heading is compared with all shapes.
pub const SHAPES: usize = 1000;

/// The maximum number of named tables of a workbook.
pub const NAMED_TABLES: usize = 10_000;

/// The maximum number of points of a chart that are shown.
pub const CHART_POINTS: usize = 1000;

/// The maximum number of series of a chart that are shown.
pub const CHART_SERIES: usize = 64;

/// The maximum number of cells of all charts of a document or a slide. Each takes 250 bytes.
pub const CHART_CELLS: usize = 1 << 17;

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

/// The number of cells of a sheet after which its Markdown ends. A page has fewer. The rows of a sheet
/// are read in windows too, which finds those that a reader wants.
pub const SHEET_CELLS: usize = 1 << 13;

/// The number of cells that are read at a time for the Markdown of a sheet. Each takes 150 bytes until
/// its text is taken.
pub const SHEET_WINDOW: usize = 1 << 13;

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

/// The maximum number of chapters of a book. The books of encyclopedias have some thousand.
pub const CHAPTERS: usize = 10_000;

/// The bytes of the list of the rows that a table of a sheet leaves out. The list is in a comment of one line, and
/// dialects cut long lines at 500 characters or more. In tables with a longer one, each row has its number.
pub const LEFT_OUT_ROWS_BYTES: usize = 280;

/// The bytes of the list of the columns that a table of a sheet leaves out, which is in the same comment. In
/// tables with a longer one, each column has its letters.
pub const LEFT_OUT_COLUMNS_BYTES: usize = 100;

/// The maximum number of classes of the style sheets of a book that are used. Programs write one for each
/// combination of formats.
pub const CLASSES: usize = 10_000;

/// The maximum number of elements of a chapter that are open at once, as far as their sizes count. Those of
/// damaged chapters never end.
pub const OPEN_ELEMENTS: usize = 256;

/// The bytes of the chapters in which the size of most of the text is looked for.
pub const MEASURED_BYTES: usize = 32 * 1024;

/// The maximum number of entries of the table of contents of a book that are used.
pub const CONTENTS: usize = 50_000;

/// The number of characters at the start of a chapter in which its heading is looked for, if the
/// table of contents does not name the chapter.
pub const CHAPTER_HEAD: usize = 64 * 1024;

/// The maximum number of references from an item of a book to an item that replaces it.
pub const FALLBACKS: usize = 8;

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

/// The maximum number of parts of a mail. Each takes some 250 bytes. A digest of a list with
/// thousands of mails has fewer.
pub const MAIL_PARTS: usize = 10_000;

/// The maximum depth of multiparts, one inside the other. Each line that could be a boundary is
/// compared with all open ones. Mails that people forward as parts have fewer than 10.
pub const MAIL_DEPTH: usize = 32;

/// The maximum number of bytes of a header field that are read. A list of 1000 recipients takes
/// 50 KB.
pub const MAIL_FIELD_BYTES: usize = 1 << 18;

/// The maximum number of parameters of a header field. A long file name in pieces has fewer than 20.
pub const MAIL_PARAMETERS: usize = 200;

/// The maximum number of addresses of a header field that are shown. The number of the others is.
pub const MAIL_ADDRESSES: usize = 50;

/// The maximum number of bytes of the name of an attachment. File systems allow 255.
pub const ATTACHMENT_NAME_BYTES: usize = 200;

/// The maximum number of attachments of a document that are listed.
pub const ATTACHMENTS: usize = 10_000;

/// The maximum number of images in the text of a mail. In a mailbox, the first one of mail N has the
/// number N × 1000 + 1.
pub const MAIL_IMAGES: usize = 999;

/// The maximum number of mails of a mailbox. Each takes some 200 bytes.
pub const MAILS: usize = 100_000;

/// The maximum number of lines of a quotation of earlier mails. A thread of some 10 mails has as
/// many.
pub const QUOTED_LINES: usize = 200;

/// The maximum number of lines of a quotation in a mail of a mailbox, which usually contains the
/// quoted mail as well.
pub const MAILBOX_QUOTED_LINES: usize = 20;

/// The maximum number of lines of a delivery report. It has some 6 lines for each recipient.
pub const MAIL_REPORT_LINES: usize = 200;

/// The maximum number of bytes of the header of a mail that are read. A list of 5000 recipients takes
/// 250 KB.
pub const MAIL_HEADER_BYTES: usize = 1 << 20;

/// The maximum number of bytes of the text of a mail that are shown. To find quotations, the lines are
/// listed in memory, which takes up to ten times as much.
pub const MAIL_TEXT_BYTES: usize = 8 << 20;

/// The maximum number of events of a calendar that are shown. An invitation has one.
pub const CALENDAR_EVENTS: usize = 20;

/// The maximum number of attendees of an event that are shown. The number of the others is.
pub const CALENDAR_ATTENDEES: usize = 50;

/// The maximum number of bytes of HTML of a mail that are converted. The tree takes ten times as
/// much memory.
pub const MAIL_HTML_BYTES: usize = 8 << 20;

/// The maximum number of entries in the directory of a compound file. A mail with 1000 attachments
/// has 30 000.
pub const OLE_ENTRIES: usize = 1 << 16;

/// The maximum depth of storages in a compound file. A mail in a mail takes two levels.
pub const OLE_DEPTH: usize = 32;

/// The maximum number of bytes of all paths in a compound file. They are in memory.
pub const OLE_PATHS: usize = 16 * 1024 * 1024;

/// The maximum number of properties of a property set. Programs write less than 30.
pub const OLE_PROPERTIES: usize = 1000;

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

/// The maximum number of fields one inside the other in a document of a word processor. More are damage.
pub const FIELDS: usize = 64;

/// The maximum number of bytes of the instruction of a field that are used. Links are shorter.
pub const INSTRUCTION_BYTES: usize = 4096;

/// The maximum number of pieces of an RTF document: texts with their own format, paragraphs, cells
/// and rows. Each takes up to 200 bytes, but only some bytes of the file. A book of 3000 pages has
/// some hundred thousand. The document is cut there.
pub const RTF_PIECES: usize = 1 << 20;

/// The maximum number of bytes of the XML of a formula of an RTF document.
pub const RTF_MATH: usize = 1 << 20;

/// The maximum number of bytes into which the compressed RTF of a mail is decompressed.
pub const RTF_BYTES: usize = 64 * 1024 * 1024;

/// The maximum number of lists of a document of Word before 2007. Word writes less than 10 000.
pub const DOC_LISTS: usize = 1 << 15;

/// The maximum number of bytes of the definitions of all rows of a table of Word before 2007. A row of
/// 63 cells takes 400 bytes in memory.
pub const DOC_ROW_BYTES: usize = 32 * 1024 * 1024;

/// The maximum number of properties of a message, recipient or attachment of Outlook. Messages have
/// fewer than 500.
pub const MSG_PROPERTIES: usize = 10_000;

/// The maximum number of recipients of a message of Outlook. Exchange allows 5000.
pub const MSG_RECIPIENTS: usize = 10_000;

/// The maximum number of times that a password is hashed for its key. Office writes 100 000. In the
/// sandbox, a million takes about a second, and two passwords may be tried.
pub const SPIN_COUNT: u32 = 1_000_000;

/// The maximum number of times that passwords are hashed for the keys of the parts of an OpenDocument
/// package. Each part takes 200 000, so that the text and 40 images can be decrypted. A million take
/// half a second in the sandbox.
pub const PART_HASHES: u32 = 10_000_000;
