//! Compiles the guests to WebAssembly with one call of cargo. Crates that several guests
//! share are compiled once, and the guests are linked in parallel.

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
use std::process::{Command, Stdio};
use std::{env, fs};
use target::target_directory;

const TARGET: &str = "wasm32-wasip2";

/// The guests (crates that are compiled to WebAssembly components) other than the engines: the name
/// of each, and its cargo package. A guest that is also a library has a separate package for its
/// component.
const GUESTS: &[(&str, &str)] = &[
    ("facade", "omniread-facade"),
    ("http", "omniread-http"),
    ("offline", "omniread-offline"),
    ("pdf-text", "omniread-pdf-text-component"),
    ("reader", "omniread-reader-component"),
    ("standalone", "omniread-standalone"),
    ("standalone-text", "omniread-standalone-text"),
];

/// The file for the messages of cargo: the units of the guests and their artifacts.
const MESSAGES: &str = "guests.jsonl";

/// The environment variable that turns on link-time optimisation.
const LTO: &str = "OMNIREAD_LTO";

/// The environment variable with flags of rustc, in the form of `CARGO_ENCODED_RUSTFLAGS`, that replace the paths of this
/// machine. A release sets them, so that its bytes do not depend on the directory of the build. The flags of the host are
/// no source for them: a build script does not get them when cargo compiles for another machine.
const REMAP: &str = "OMNIREAD_REMAP";

/// The environment variable that lets cargo write a report with the time of each unit.
const TIMINGS: &str = "OMNIREAD_TIMINGS";

/// The flags of rustc for the guests: SIMD instructions, and compressed relocations. Without
/// compression, the linker reserves five bytes for each function index and each address in the
/// code.
const FLAGS: &[&str] = &[
    "-Ctarget-feature=+simd128",
    "-Clink-arg=--compress-relocations",
];

/// Compile-time options of SQLite, in addition to those that its crate sets. They enable full-text
/// search as older databases use it. They disable features that only writing programs use, or that
/// expose the internals of SQLite, and checks of arguments that the engine never passes. The locking
/// mode is exclusive, which keeps the index of a write-ahead log in memory and ignores locks.
/// Temporary data is in files, which the engine keeps in memory: SQLite then sorts rows in blocks
/// that fit into the cache of the processor, and not each in an allocation of its own.
/// The pages of a small database stay in memory. The engine sets a smaller cache for a large one, and
/// the check of cells needs no statement of its own. `SQLITE_DEFAULT_MEMSTATUS=0` would disable the
/// limit on the memory.
const SQLITE: &str = "-DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_FTS3_PARENTHESIS \
    -DSQLITE_DEFAULT_LOCKING_MODE=1 -DSQLITE_TEMP_STORE=1 -DSQLITE_DEFAULT_CACHE_SIZE=-8000 \
    -DSQLITE_ENABLE_OVERSIZE_CELL_CHECK \
    -USQLITE_ENABLE_API_ARMOR -USQLITE_ENABLE_COLUMN_METADATA \
    -USQLITE_ENABLE_BYTECODE_VTAB -USQLITE_ENABLE_DBPAGE_VTAB -USQLITE_ENABLE_PREUPDATE_HOOK \
    -USQLITE_ENABLE_SESSION -USQLITE_ENABLE_STMTVTAB -USQLITE_ENABLE_UNLOCK_NOTIFY";

fn main() {
    if let Err(error) = build() {
        // Cargo shows the standard error of a failed build script.
        panic!("{error}");
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let workspace = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?)
        .join("../..")
        .canonicalize()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // Relative to the package, so that a copy of the whole directory, with its target directory, is
    // not built again.
    for path in ["Cargo.toml", "Cargo.lock", "guest", "wit"] {
        println!("cargo::rerun-if-changed=../../{path}");
    }
    for variable in [LTO, REMAP, TIMINGS] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let c = match (ensure_target(), clang::environment(TARGET, &out)) {
        (Ok(()), Ok(c)) => c,
        (Err(target), Err(clang)) => return Err(format!("{target}\n{clang}").into()),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let target = target_directory(&out)?.join("guest");
    // `.ci/build-cost` reads the messages.
    fs::write(out.join(MESSAGES), compile(&workspace, &target, &c)?)?;
    for (name, package) in GUESTS.iter().chain(ENGINES) {
        let file = format!("{}.wasm", package.replace('-', "_"));
        let compiled = target.join(TARGET).join("guest").join(file);
        fs::copy(compiled, out.join(format!("{name}.wasm")))?;
    }
    Ok(())
}

/// Installs the WebAssembly target with `rustup` if the toolchain lacks it.
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

/// The flags that replace the paths of this machine.
fn remapped() -> Vec<String> {
    let flags = env::var(REMAP).unwrap_or_default();
    let flags = flags.split('\u{1f}').filter(|flag| !flag.is_empty());
    flags.map(str::to_owned).collect()
}

/// Compiles the guests into the directory `target`. `c` contains the environment variables for the
/// C compiler. Returns the messages of cargo, one JSON object on each line.
fn compile(
    workspace: &Path,
    target: &Path,
    c: &[(String, OsString)],
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .current_dir(workspace)
        .args(["build", "--quiet", "--lib", "--locked", "--target", TARGET])
        .args(["--message-format", "json-render-diagnostics"])
        .args(["--profile", "guest", "--target-dir"])
        .arg(target);
    if env::var_os(LTO).is_some() {
        cargo.args(["--config", "profile.guest.lto=\"fat\""]);
    }
    if env::var_os(TIMINGS).is_some() {
        cargo.arg("--timings");
    }
    for (_, package) in GUESTS.iter().chain(ENGINES) {
        cargo.args(["--package", package]);
    }
    if env::var_os("CARGO_FEATURE_DOCUMENTS").is_some() {
        for engine in ["documents", "pdf", "pdf-text"] {
            cargo
                .arg("--features")
                .arg(format!("omniread-{engine}-component/engine"));
        }
    }
    // These variables apply to the host. `cargo clippy` sets some of them.
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
    let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
    flags.extend(remapped());
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    let engines: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
    cargo.env("OMNIREAD_ENGINES", engines.join(","));
    cargo.env("SQLITE_WASM_RS_FLAGS", SQLITE);
    cargo.envs(c.iter().map(|(name, value)| (name, value)));
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("the guests do not compile for {TARGET}; the reason is above").into())
    }
}
