//! Tests that measure their own process: its threads, files and memory.

#![allow(missing_docs, reason = "a test")]

mod load;
mod pool;
mod sandbox;
