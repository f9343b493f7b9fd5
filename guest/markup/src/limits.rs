//! The limits of a conversion, each with its reason.

/// The maximum number of elements, one inside the other. Deeper elements become a part of the
/// element at this depth. Pages of the web have fewer than a hundred, and browsers stop at 512. The
/// time for a tag grows with the depth.
pub const DEPTH: usize = 256;

/// The maximum number of attributes of an element that are kept. Each is compared with the others.
pub const ATTRIBUTES: usize = 64;

/// The maximum number of formatting elements, such as `<b>`, that continue in the next block if
/// they are not closed. Each block repeats them.
pub const REOPENED: usize = 8;

/// The maximum number of formatting elements of a part of the page, such as a cell, that are open or
/// continue in the next block. Each end tag of one searches them, and real pages have a few.
pub const FORMATTING: usize = 64;

/// The number of nodes that any markup may have, however small it is.
pub const NODES: usize = 1 << 16;

/// The maximum number of bytes of markup for each node beyond [`NODES`]. Repeated formatting
/// elements could otherwise make a tree that is much larger than the markup.
pub const BYTES_PER_NODE: usize = 3;

/// The maximum number of nodes of a tree. Each takes up to 200 bytes during a conversion. A page of
/// 5 MB that consists of links has a quarter of them.
pub const MAX_NODES: usize = 1_000_000;

/// The depth to which XML is indented, in levels of two spaces. Deeper elements are aligned with
/// this level, where half of a usual line is left.
pub const XML_LEVELS: usize = 32;

/// The length of a start tag in bytes above which each attribute has its own line. Longer lines are
/// hard to read and are cut by readers.
pub const XML_COLUMNS: usize = 100;

/// Bytes that the indentation of XML may add to the length of the text. 100 000 nested elements of
/// three bytes would otherwise have 64 spaces each.
pub const XML_INDENT_BYTES: usize = 1 << 16;

/// The number of bytes in which a document declares its charset. Browsers search as many.
pub const CHARSET_HEAD: usize = 1024;

/// The maximum number of bytes before `<?xml`, such as a warning of the server.
pub const JUNK: usize = 512;

/// The maximum number of bytes of the name of a `<meta>`. The names that are used are shorter.
pub const META_NAME: usize = 64;

/// The maximum number of bytes of a value in the metadata of a page. Longer ones are not titles or
/// summaries, and readers would see nothing else.
pub const META_CONTENT: usize = 4096;

/// The maximum number of nodes that are visited for a text in the metadata of a page. Titles and
/// names have fewer, and empty elements do not add to the length of the text.
pub const TEXT_NODES: usize = 4096;

/// The maximum number of elements whose text is read for the metadata of a page. They may be one
/// inside the other, and most facts need one.
pub const META_ELEMENTS: usize = 256;

/// The maximum number of bytes of the name of an author. Longer texts are not names.
pub const NAME: usize = 120;

/// The maximum number of bytes of a date. Longer texts are sentences.
pub const DATE: usize = 80;

/// The maximum number of authors in JSON-LD. Papers of large collaborations have thousands.
pub const AUTHORS: usize = 16;

/// The maximum number of bytes of all JSON-LD of a page that are read. Its tree takes several times
/// this much memory.
pub const JSON_LD: usize = 1 << 20;

/// The maximum number of objects in JSON-LD that may describe the page. References between them
/// are searched in all.
pub const JSON_LD_OBJECTS: usize = 256;

/// The maximum number of headings that are compared with the title.
pub const TITLE_HEADINGS: usize = 32;

/// The maximum number of bytes of a title that is compared with the headings. Longer texts are
/// paragraphs.
pub const TITLE_BYTES: usize = 1000;

/// The maximum number of parts of a title that are compared with each heading. Titles have a few
/// separators.
pub const TITLE_PARTS: usize = 32;

/// The number of nodes after the title that are searched for a byline. Buttons for sharing precede
/// some bylines.
pub const BYLINE_NODES: usize = 300;

/// The number of headings with the title whose bylines are read. Pages repeat the title in a bar or
/// a path.
pub const BYLINE_TITLES: usize = 3;

/// The number of siblings before the title that are searched for a byline, and of those before each
/// element around it. Elements that are farther from the title belong to other texts.
pub const BYLINE_BEFORE: usize = 2;

/// The number of elements around the title whose siblings are searched for a byline.
pub const BYLINE_AROUND: usize = 3;

/// The maximum number of bytes of a piece of a byline. A longer one is a paragraph.
pub const BYLINE_BYTES: usize = 200;

/// The maximum number of pieces of a byline. Elements with more contain other texts.
pub const BYLINE_PIECES: usize = 16;

/// The maximum number of pieces of all bylines of a page. Each is searched for a date.
pub const PAGE_PIECES: usize = 64;

/// The maximum number of words of the name of an author, with its particles.
pub const NAME_WORDS: usize = 8;

/// The number of words of a text that are searched for a date. Bylines have fewer.
pub const DATE_WORDS: usize = 40;

/// The number of words of the longest date, such as `Monday, 4 May 2020 at 3:00 PM GMT`.
pub const LONGEST_DATE: usize = 9;

/// The maximum number of bytes of a text that is parsed as a date. The longest spellings have fewer
/// than 50 characters.
pub const PARSED_DATE: usize = 200;

/// The maximum number of words of a title that are compared with those of a heading. The time
/// grows with the square.
pub const TITLE_WORDS: usize = 64;

/// The number of words below which a main text is not shown alone. The page may have another form
/// than the selection expects.
pub const MAIN_WORDS: f32 = 100.0;

/// The part of the text of the page below which a main text is not shown alone.
pub const MAIN_PART: f32 = 0.1;

/// The number of characters of text below which scripts make the text of a page. A title or a message
/// that the page is loading has fewer.
pub const SCRIPTED_CHARS: usize = 80;

/// The part of the visible text of a page above which a note says that it is left out. Less than
/// this is usually a menu and the imprint.
pub const NOTED_PART: f32 = 0.1;

/// The largest number in Roman numerals. Larger ones have no usual form.
pub const ROMAN: usize = 3999;

/// The maximum number of bytes of a URL. Browsers and servers accept about as many.
pub const URL_BYTES: usize = 8192;

/// The maximum number of alternates of a page that are reported. Pages declare feeds of their
/// comments and categories, and readers use one or two.
pub const ALTERNATES: usize = 16;

/// The maximum number of linked documents that are reported. Readers use a document only if a page
/// links to no other one.
pub const LINKED_DOCUMENTS: usize = 2;

/// The maximum delay of a redirect in seconds. A page with a longer delay is meant to be read.
pub const REFRESH_SECONDS: u32 = 5;

/// The number of words after which no more are counted. Readers need to know whether there are a
/// hundred.
pub const COUNTED_WORDS: usize = 300;

/// The maximum number of elements of a feed. Each needs about 100 bytes of memory.
pub const FEED_ELEMENTS: usize = 1 << 20;

/// The maximum number of declarations of `xml:base` in a feed. Each needs memory and time for a URL.
pub const FEED_BASES: usize = 4096;

/// The maximum number of namespaces in scope. Each element searches them.
pub const FEED_NAMESPACES: usize = 128;

/// The maximum number of items of a feed that are shown. Feeds with a whole archive have a few
/// thousand.
pub const FEED_ITEMS: usize = 10_000;

/// The maximum number of links of a sitemap or an outline that are shown. The protocol of sitemaps
/// has this limit.
pub const FEED_LINKS: usize = 50_000;

/// The number of bytes of a document that decide whether it is a feed. Comments may precede its first
/// element.
pub const FEED_HEAD: usize = 8192;

/// The number of elements that are searched for the root of a feed. A message of the server may
/// precede it.
pub const FEED_ROOT_ELEMENTS: usize = 8;

/// The maximum number of different notes on the items of a feed. The same damage may occur in every
/// item.
pub const FEED_NOTES: usize = 10;

/// The maximum number of objects and arrays of a JSON Feed, one inside the other, that are read: an
/// item, its authors and an author. Each level is a call on the stack.
pub const JSON_FEED_LEVELS: usize = 3;

/// The maximum number of characters of the version of a format. Real versions are as short as `2.0`.
pub const VERSION_CHARS: usize = 10;

/// The maximum number of characters of a duration that is not a number. Longer texts are not
/// durations.
pub const DURATION_CHARS: usize = 20;

/// The number of bytes after `<` that are compared with the names of elements, to distinguish HTML
/// from text. The longest name, `blockquote`, is shorter.
pub const TAG_BYTES: usize = 12;

/// The maximum number of authors, tags, files or links of an item that are shown.
pub const ITEM_FACTS: usize = 50;

/// The maximum number of characters of the heading of an item that has no title: about a line.
pub const HEADING_CHARS: usize = 80;

/// The maximum number of characters of a description in one line. Longer ones are texts.
pub const LINE_CHARS: usize = 1000;

/// The number of texts of an item with which the others are compared, to find those that repeat
/// one. Items have two.
pub const COMPARED_TEXTS: usize = 8;

/// The number of words of an excerpt that are compared with a text. Excerpts of programs have 55.
pub const EXCERPT_WORDS: usize = 100;

/// The number of words that a program leaves out of an excerpt, such as those of captions.
pub const EXCERPT_LEFT_OUT: usize = 60;

/// The number of places in a text at which an excerpt may start. Each is compared, and the first
/// word of the excerpt may be a common one.
pub const EXCERPT_STARTS: usize = 16;

/// The maximum number of words of a title or the name of a site in the link after an excerpt.
pub const EXCERPT_LINK_WORDS: usize = 24;

/// The maximum number of links or images of a summary that are compared with those of the content.
/// A summary with more is shown.
pub const SUMMARY_LINKS: usize = 50;

/// The maximum number of characters of the label of a footnote. A longer text is a link.
pub const LABEL_CHARS: usize = 8;

/// The maximum number of nodes of a raised text in which a link is searched.
pub const RAISED_NODES: usize = 16;

/// The number of bytes of text in a cell, above which a table without a header arranges the page
/// instead of showing data.
pub const CELL_BYTES: usize = 1500;

/// The maximum number of columns that a cell of a table spans. It is the limit of browsers.
pub const SPANNED_COLUMNS: usize = 1000;

/// The number of bytes that the repeated text of spanning cells may add to any page, however small
/// it is. In real tables, index cells span many rows.
pub const SPANNED_BYTES: usize = 64 * 1024;

/// The number of bytes that the repeated text of spanning cells may add for each byte of the page.
pub const SPANNED_PER_BYTE: usize = 4;

/// The maximum number of bytes that the repeated text of spanning cells may add, however large the
/// page is. The result is in memory.
pub const MAX_SPANNED_BYTES: usize = 16 * 1024 * 1024;

/// The number of words below which an element is not shown alone although the page calls it the
/// text of an article. Teasers and error messages are shorter than the shortest news.
pub const ARTICLE_WORDS: f32 = 25.0;

/// The maximum number of declarations in one style that are examined. Styles of real pages have
/// fewer.
pub const DECLARATIONS: usize = 256;

/// The maximum number of bytes of the `<style>` elements of a page that are examined. Pages with
/// more have generated styles.
pub const STYLE_BYTES: usize = 2 * 1024 * 1024;

/// The number of nodes at the start of an element that are searched for a heading, to find the end
/// of a section.
pub const SECTION_NODES: usize = 64;

/// The number of elements around an id that may be its heading. Generators put the id on a link in
/// the heading.
pub const ANCHOR_ANCESTORS: usize = 3;

/// The number of nodes after an empty anchor that may be its heading. White space may be between
/// them.
pub const ANCHOR_NODES: usize = 4;

/// The number of nodes of a heading that are searched for an id.
pub const HEADING_NODES: usize = 8;

/// The maximum number of sections that the message for a missing section names.
pub const NAMED_SECTIONS: usize = 12;

/// The number of nodes at the start of a block of code that are searched for the name of its
/// language. Highlighters put line numbers before the code.
pub const CODE_NODES: usize = 2000;

/// The maximum size in bytes of a `data:` URL that is a placeholder until an image is loaded.
pub const PLACEHOLDER_BYTES: usize = 512;

/// The number of nodes of an element that are searched for an image, which the element after it
/// repeats.
pub const IMAGE_NODES: usize = 8;

/// The maximum number of elements of an XML document that is indented. Each needs 8 bytes of memory
/// and 12 while their list grows: 50 MB. Documents of 32 MB with data have fewer.
pub const XML_ELEMENTS: usize = 1 << 22;

/// The maximum number of open elements of an XML document that is indented. Each needs up to 100
/// bytes of memory, and deeper levels have the same indentation.
pub const XML_OPEN: usize = 100_000;

/// The number of characters that an element must hide at least, so that it is shown because a
/// script probably shows it. Shorter texts are dialogs and menus.
pub const TEMPORARY_CHARS: usize = 200;

/// The number of pixels by which an element is moved out of any screen. Layouts move elements by
/// less.
pub const MOVED_PIXELS: f32 = 1000.0;

/// The maximum number of selectors of the `<style>` elements of a page that are kept. The largest
/// frameworks have a third of them.
pub const STYLE_RULES: usize = 50_000;

/// The maximum number of selectors for the same id, class or tag that are kept. Each is compared
/// with each element of this name.
pub const RULES_OF_NAME: usize = 128;

/// The maximum number of classes of an element whose rules are searched. Elements have fewer, even
/// with a class for each property.
pub const STYLED_CLASSES: usize = 64;

/// The maximum number of classes of an element in a selector. Each is compared with those of the
/// element.
pub const SELECTOR_CLASSES: usize = 8;

/// The work for the rules of one element: the number of elements around it that are compared, and
/// one for each 8 bytes of their classes. Real elements need a few hundred.
pub const STYLE_CHECKS: usize = 20_000;

/// The same work for all elements of a page. It takes less than a second. Large real pages need some
/// millions.
pub const PAGE_STYLE_CHECKS: usize = 100_000_000;

/// The maximum number of elements of a page that may open others. Each is searched for
/// its name. Pages with long lists of questions have some hundreds.
pub const CONTROLS: usize = 100_000;

/// The maximum number of ids that the controls of a page open. Each needs about 50 bytes of memory,
/// and a page could name millions.
pub const OPENED_IDS: usize = 200_000;

/// The number of nodes of a control that are searched for its name. An icon may precede it, and
/// controls may be one inside the other.
pub const CONTROL_NODES: usize = 64;

/// The number of elements from a hidden one to the panel that it contains and nothing else.
/// Libraries put one or two around a panel, to move its edge.
pub const PANEL_WRAPPERS: usize = 3;

/// The work for the search for code in elements whose style keeps white space: one for each node, and
/// one for each 4 bytes of text. The elements may be one inside the other, and each is then searched
/// again.
pub const SPACE_CHECKS: usize = 4_000_000;

/// The maximum number of elements that name a hidden one. A tab or a heading does.
pub const PANEL_NAMES: usize = 4;

/// The bytes that are read to find parts of the page of a product that are repeated. The parts are in
/// each other. Real pages have some hundreds of kilobytes.
pub const REPEATED_PARTS: usize = 4 << 20;

/// The maximum number of parts of a page that were sent after it. Real pages have some dozens.
pub const STREAMED_PARTS: usize = 4096;

/// The maximum number of boundaries of these parts, which are at most some for each part.
pub const STREAMED_BOUNDARIES: usize = 16 * STREAMED_PARTS;

/// The maximum number of nodes of the parts of a page that were sent after it. A node counts for each
/// part around it.
pub const STREAMED_NODES: usize = 4 * MAX_NODES;
