//! How much is requested and shown.

/// The maximum number of items of a list such as the dependencies or the features of a package. The longest that
/// are usual have some dozens.
pub const LIST_ITEMS: usize = 200;

/// The maximum number of files or links of a release. Releases for many platforms have up to a hundred.
pub const FILES: usize = 30;

/// The maximum number of versions on the page of a package. A page of crates.io has this many in one request.
pub const VERSIONS: usize = 20;

/// The maximum number of versions on a page that is a list of them.
pub const ALL_VERSIONS: usize = 500;

/// The maximum number of comments. A read shows 300 lines by default; most discussions have fewer comments.
pub const COMMENTS: u64 = 500;

/// The maximum number of bytes of all comments of a page.
pub const DISCUSSION_BYTES: usize = 1 << 20;

/// The level of replies from which they are no longer indented. More would be mostly spaces.
pub const COMMENT_DEPTH: usize = 8;

/// The maximum number of answers. A question with more is rare; its best answers are first.
pub const ANSWERS: usize = 30;

/// The maximum number of characters of a comment on an answer. The sites allow 600; links get longer as Markdown.
pub const COMMENT_CHARS: usize = 2000;

/// The number of requests of a day that are kept for questions and answers: comments are left out below it. The
/// service allows 300 requests a day without a key.
pub const QUOTA: u64 = 20;

/// The number of entries in one reply of GitLab, which is its maximum.
pub const PAGE: usize = 100;

/// The maximum number of parts of the name of a branch: each one is a request. Names with more slashes are rare.
pub const REF_PARTS: usize = 3;

/// The maximum number of list items in each other in the Markdown of strangers. Lists that people write have up to
/// five levels.
pub const MARKDOWN_DEPTH: usize = 60;

/// The maximum number of characters of a title, a name or another text in one line. Titles on GitHub have up to
/// 256.
pub const LINE_CHARS: usize = 300;

/// The maximum number of bytes of one text of a service, such as a comment. Those on GitHub have up to 65,536
/// characters; a read shows 50 KiB by default.
pub const TEXT_BYTES: usize = 256 << 10;
