//! A `session` that forgets and a `sandbox` without rules.
//!
//! Composed with the reader it gives a component that imports WASI alone, for
//! runtimes that supply nothing of ours.

#![cfg(target_family = "wasm")]
#![allow(
    unsafe_code,
    reason = "the generated bindings pass pointers across the boundary"
)]

use bindings::exports::omniread::read::{sandbox, session};

mod bindings {
    #![allow(missing_docs, clippy::pedantic, reason = "generated")]
    wit_bindgen::generate!({
        world: "standalone",
        path: "../../wit",
        generate_all,
    });
    use super::Standalone;
    export!(Standalone);
}

struct Standalone;

impl session::Guest for Standalone {
    fn remember(_: session::Snapshot) {}

    fn get(_: String) -> Option<Vec<u8>> {
        None
    }

    fn put(_: String, _: Vec<u8>) -> bool {
        false
    }
}

impl sandbox::Guest for Standalone {
    fn refused() -> Option<sandbox::Refusal> {
        None
    }

    fn time_left() -> Option<u64> {
        None
    }

    fn withheld() -> u64 {
        0
    }

    fn opened() -> Result<Option<String>, String> {
        Ok(None)
    }

    fn denies_members() -> bool {
        false
    }

    fn denies(_: String) -> Option<String> {
        None
    }
}
