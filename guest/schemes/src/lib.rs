//! The schemes of internal URLs, such as `skill://name`: one table of facts, which the reader, the host,
//! the configuration and the documentation use.
//!
//! ```text
//! facts    what a scheme is: where its content is, what may follow a URL, how it is shown
//! naming   how the names of a scheme lead to files in a mounted directory
//! ```

mod facts;
mod naming;

pub use facts::{Backing, Facts, SCHEMES, Scheme, Selectors, Served, is_known, is_scheme};
pub use naming::{Naming, SKILL_FILE};

/// The scheme of the built-in guide.
pub const GUIDE: &str = "omp";

/// The schemes that no mount and no provider may have, because the reader handles them.
pub const RESERVED: [&str; 3] = ["file", "http", "https"];

/// Whether a mount or provider may have a scheme: it is valid, in lower case, and not [`RESERVED`].
pub fn is_free(scheme: &str) -> bool {
    is_scheme(scheme)
        && !scheme.contains(|c: char| c.is_ascii_uppercase())
        && !RESERVED.contains(&scheme)
}
