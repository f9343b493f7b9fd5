//! Compiles the guests to WebAssembly, in one call of cargo: crates that several of them
//! use are compiled once, and they are linked at the same time.

#[path = "build/clang.rs"]
mod clang;
#[path = "src/engines.rs"]
mod engines;
#[path = "src/target.rs"]
mod target;

use engines::ENGINES;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use target::target_directory;

const TARGET: &str = "wasm32-wasip2";

/// Each guest that is not an engine, and its package. A guest that is a library as well
/// has a package for its component.
const GUESTS: &[(&str, &str)] = &[
    ("reader", "omniread-reader-component"),
    ("standalone", "omniread-standalone"),
];

/// Numbers of functions and addresses in the code take as many bytes as they need,
/// not the five that the linker reserves for each.
const FLAGS: &[&str] = &[
    "-Ctarget-feature=+simd128",
    "-Clink-arg=--compress-relocations",
];

/// What SQLite is compiled with beside what its crate asks for: the full-text
/// search of older databases; not what only programs that write use, or that
/// shows what is inside of SQLite itself.
const SQLITE: &str = "-DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_FTS3_PARENTHESIS \
    -USQLITE_ENABLE_BYTECODE_VTAB -USQLITE_ENABLE_DBPAGE_VTAB -USQLITE_ENABLE_PREUPDATE_HOOK \
    -USQLITE_ENABLE_SESSION -USQLITE_ENABLE_STMTVTAB -USQLITE_ENABLE_UNLOCK_NOTIFY";

fn main() {
    if let Err(error) = build() {
        // Cargo shows the standard error of a build script that fails.
        panic!("{error}");
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let workspace = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?)
        .join("../..")
        .canonicalize()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for path in ["Cargo.toml", "Cargo.lock", "guest", "wit"] {
        println!("cargo::rerun-if-changed={}", workspace.join(path).display());
    }
    let c = match (ensure_target(), clang::environment(TARGET, &out)) {
        (Ok(()), Ok(c)) => c,
        (Err(target), Err(clang)) => return Err(format!("{target}\n{clang}").into()),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let target = target_directory(&out)?.join("guest");
    compile(&workspace, &target, &c)?;
    for (name, package) in GUESTS.iter().chain(ENGINES) {
        let file = format!("{}.wasm", package.replace('-', "_"));
        let compiled = target.join(TARGET).join("guest").join(file);
        fs::copy(compiled, out.join(format!("{name}.wasm")))?;
    }
    Ok(())
}

/// Adds the wasm target if this toolchain does not have it.
fn ensure_target() -> Result<(), Box<dyn Error>> {
    let rustc = env::var("RUSTC")?;
    let output = Command::new(&rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()?;
    if Path::new(String::from_utf8(output.stdout)?.trim()).is_dir() {
        return Ok(());
    }
    let added = Command::new("rustup")
        .args(["target", "add", TARGET])
        .status();
    if added.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!(
        "the reader is compiled to WebAssembly, and this toolchain cannot: \
         install its target with `rustup target add {TARGET}`"
    )
    .into())
}

/// Compiles the guests. `c` contains the variables that choose the compiler of their C.
fn compile(
    workspace: &Path,
    target: &Path,
    c: &[(String, OsString)],
) -> Result<(), Box<dyn Error>> {
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .current_dir(workspace)
        .args(["build", "--quiet", "--lib", "--locked", "--target", TARGET])
        .args(["--profile", "guest", "--target-dir"])
        .arg(target);
    for (_, package) in GUESTS.iter().chain(ENGINES) {
        cargo.args(["--package", package]);
    }
    // These are settings for the host; `cargo clippy` makes some of them.
    for name in [
        "CARGO_BUILD_TARGET",
        "CARGO_ENCODED_RUSTFLAGS",
        "CFLAGS",
        "CLIPPY_ARGS",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTDOCFLAGS",
        "RUSTFLAGS",
    ] {
        cargo.env_remove(name);
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    let engines: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
    cargo.env("OMNIREAD_ENGINES", engines.join(","));
    cargo.env("SQLITE_WASM_RS_FLAGS", SQLITE);
    cargo.envs(c.iter().map(|(name, value)| (name, value)));
    if cargo.status()?.success() {
        Ok(())
    } else {
        Err(format!("the guests do not compile for {TARGET}; the reason is above").into())
    }
}
