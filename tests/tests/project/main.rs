//! Tests of the project itself: its dependencies, layers, messages and pages.

#![allow(missing_docs, reason = "a test")]

mod api;
mod dependencies;
mod examples;
mod imports;
mod messages;
mod pictures;
mod reference;
mod schemes;
