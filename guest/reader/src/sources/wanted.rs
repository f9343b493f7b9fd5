//! What a read wants of a path, besides what the path states.

use omniread_options::GitHubOptions;

/// What a read wants of a path, besides what the path states. The default is exactly one file.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Whether `-` means standard input.
    pub stdin: bool,
    /// Whether a path that does not exist may be replaced by a similar one that exists.
    pub repair: bool,
    /// Whether arguments request lines after the first page.
    pub is_later: bool,
    /// The options for GitHub.
    pub github: GitHubOptions,
}
