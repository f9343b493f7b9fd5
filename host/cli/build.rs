//! Passes a flag to the linker of the program.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|system| system == "linux") {
        // The program needs no symbols. Tests and benchmarks keep theirs.
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
}
