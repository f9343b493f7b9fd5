//! PDF as Markdown.
//!
//! ```text
//! page       the content of a page: glyphs, lines, images and links with their positions
//! layout     the content of a page without tags → blocks
//! ```

#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

pub mod layout;
pub mod page;
