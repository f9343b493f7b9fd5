//! Passes flags to the linker of the program.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" {
        // The program needs no symbols. Tests and benchmarks keep theirs.
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
    println!("cargo::rerun-if-env-changed=OMNIREAD_PIE");
    let wants_pie = std::env::var_os("OMNIREAD_PIE").is_some();
    let is_static = target("FEATURE").split(',').any(|it| it == "crt-static");
    if target("OS") == "linux" && target("ENV") == "gnu" && !is_static && !wants_pie {
        // At another address in each process, the loader writes 54,000 addresses into the program, and copies the
        // 230 pages that contain them. That takes a seventh of the time of a small read. `docs/security.md` says what
        // a fixed address means.
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
