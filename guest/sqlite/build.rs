//! Sets the initial memory of the engine.

/// The size in bytes of the memory with which the engine starts. It is enough for its stack, its data, a schema
/// and some pages of a database, so that most reads do not grow the memory, which costs two system calls. It is
/// not more than the memory of the reader, of which the host keeps as much resident.
const MEMORY: usize = 2 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=--initial-memory={MEMORY}");
    }
}
