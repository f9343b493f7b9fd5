//! Images: what they are, and how a model gets them.
//!
//! ```text
//! examine   a header → facts                    facts, frames, exif
//! verify    all of it → whether it decodes      strict, decode
//! fit       decode → resize → upright → encode  decode, svg, pixels, resize, encode
//!           or the file as it is                own, strict
//! ```
//!
//! A plain library, and an engine component when built for wasm32-wasip2. It
//! reaches nothing: bytes go in, bytes come out. What a decoder does not bound
//! itself, memory and time, is bounded by whoever runs it. Without the feature
//! `engine` there are the types alone, for those who ask one.

#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unwrap_used,
    )
)]

#[cfg(feature = "engine")]
mod engine;
mod types;

#[cfg(feature = "engine")]
pub use engine::{examine, fit, verify};
pub use types::{Bounds, Encoding, Encodings, Error, Facts, Fitted, Format, Frames, Image};
