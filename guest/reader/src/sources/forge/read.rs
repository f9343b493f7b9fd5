//! What a read of an address wants.

use omniread_options::GitHubOptions;
use omniread_sites::github::Kind;

/// What a read wants.
pub struct Read<'r> {
    /// The path as it was typed.
    pub path: &'r str,
    /// The URL in it, without a selector.
    pub url: &'r str,
    /// The kind that the scheme names.
    pub kind: Kind,
    /// Whether no copy is used.
    pub is_fresh: bool,
    /// Whether lines after the first page are read, which are those of the copy.
    pub is_later: bool,
    /// The options.
    pub github: &'r GitHubOptions,
}
