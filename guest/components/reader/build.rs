//! Sets the initial memory of the reader component.

#[path = "../src/memory.rs"]
mod memory;

fn main() {
    println!("cargo::rerun-if-changed=../src/memory.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        let bytes = memory::READER_MEMORY;
        println!("cargo::rustc-link-arg-cdylib=--initial-memory={bytes}");
    }
}
