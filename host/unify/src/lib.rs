//! An empty library. Its manifest makes cargo compile wasmtime once.
//!
//! Cargo compiles a crate once for a build script and once for a program, unless its
//! features and those of everything below it are the same. This package is a dependency
//! of both, and asks for the features that either of them asks for. A new version of a
//! dependency may need another feature here: `.ci/compiled-once` says which crates are
//! compiled twice.
