//! How much is requested and shown.

/// Pages of 100 comments, reviews or comments on lines that one read requests. The next page has a path of its
/// own. A read waits for each request.
pub const COMMENT_PAGES: u64 = 3;

/// The number of bytes of comments after which no further page of them is requested. A page has up to 100
/// comments with [`TEXT_BYTES`] each.
pub const COMMENTS_BYTES: usize = 2 << 20;

/// Pages of 100 issues and pull requests that one listing requests. They are one list in the API, in which
/// issues may be rare.
pub const LIST_PAGES: u64 = 5;

/// The default and the maximum number of entries of a listing. The API sends at most 100 in a page.
pub const LIST_ENTRIES: u64 = 30;
/// See [`LIST_ENTRIES`].
pub const LIST_ENTRIES_MAX: u64 = 100;

/// The highest page of a list that a path may name. No service has a list of so many pages.
pub const PAGE_MAX: u64 = 1_000_000;

/// Pages of 100 changed files that are joined where a diff is too large. The API sends at most 3000 files
/// (<https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files>).
pub const DIFF_PAGES: u64 = 30;

/// The number of bytes of a diff that is joined from pages. The text of a read may have 8 MiB.
pub const DIFF_BYTES: usize = 8 << 20;

/// Files of a diff that are listed. GitHub ends a diff after 300 files, and its list of files after 3000.
pub const DIFF_FILES: usize = 10_000;

/// The number of lines of the code that a comment on lines is shown with.
pub const HUNK_LINES: usize = 4;

/// Remotes, and rules for prefixes of URLs, that a configuration of Git may have. Each remote is compared with
/// each rule.
pub const CONFIG_ENTRIES: usize = 1000;

/// The number of bytes at the start of a file in which a pointer of Git LFS is looked for. Its specification
/// wants less than 1024.
pub const POINTER_BYTES: usize = 1024;

/// The largest file that the API of GitHub sends
/// (<https://docs.github.com/en/rest/repos/contents#get-repository-content>).
pub const CONTENT_BYTES: u64 = 100 << 20;

/// The number of entries after which a listing of the same API may be cut.
pub const CONTENT_ENTRIES: usize = 1000;

/// The number of releases in one page. Each has notes of up to 125,000 characters.
pub const RELEASES: u64 = 10;

/// The number of files after which a comparison of two revisions may be cut
/// (<https://docs.github.com/en/rest/commits/commits#compare-two-commits>).
pub const COMPARED_FILES: usize = 300;

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
