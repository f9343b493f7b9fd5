//! Builds the reader: compiles the guests to WebAssembly, composes the
//! component that imports WASI alone, and compiles the reader and the engines
//! ahead of time for the machine that the host is built for.

#[path = "build/clang.rs"]
mod clang;
#[path = "src/config.rs"]
mod config;
#[allow(dead_code, reason = "limits are for the runtime")]
#[path = "src/engines/table.rs"]
mod table;

use config::Memory;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use table::ENGINES;
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};

const TARGET: &str = "wasm32-wasip2";

/// How well the code for few addresses is compressed: higher levels take longer
/// and save little.
const DEFLATE_LEVEL: u8 = 6;

/// Numbers of functions and addresses in the code take as many bytes as they need,
/// not the five that the linker reserves for each.
const COMPRESSED: &str = "-Clink-arg=--compress-relocations";

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
        .join("..")
        .canonicalize()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for path in [
        "Cargo.toml",
        "Cargo.lock",
        "guest",
        "wit",
        "host/build",
        "host/src/config.rs",
        "host/src/engines/table.rs",
    ] {
        println!("cargo::rerun-if-changed={}", workspace.join(path).display());
    }
    println!("cargo::rerun-if-env-changed=OMNIREAD_PORTABLE");

    ensure_target()?;
    let mut c = clang::environment(TARGET, &out)?;
    c.push(("SQLITE_WASM_RS_FLAGS".to_owned(), SQLITE.into()));
    // The target directory: OUT_DIR is <target>/<profile>/build/<package>/out.
    let target = out
        .ancestors()
        .nth(4)
        .ok_or("OUT_DIR is not inside a target directory")?;
    let guests = target.join("guest");
    let guest = |package: &str| component(&workspace, &guests, package, &c, &[]);
    let memory = format!("-Clink-arg=--initial-memory={}", config::READER_MEMORY);
    let reader = component(&workspace, &guests, "omniread-reader", &c, &[&memory])?;
    let standalone = guest("omniread-standalone")?;
    let engines: Vec<Vec<u8>> = ENGINES
        .iter()
        .map(|engine| guest(&format!("omniread-{}", engine.name)))
        .collect::<Result<_, _>>()?;

    let dist = target.join("dist");
    fs::create_dir_all(&dist)?;
    let names = ENGINES.iter().map(|engine| engine.name);
    let mut guests = vec![("standalone", standalone.as_slice())];
    guests.extend(names.zip(engines.iter().map(Vec::as_slice)));
    replace(&dist.join("omniread.wasm"), &compose(&reader, &guests)?)?;
    let compiled = |component: &[u8]| precompile(component, Memory::Reserved);
    replace(&out.join("reader.cwasm"), &compiled(&reader)?)?;
    for (row, engine) in ENGINES.iter().zip(&engines) {
        replace(&out.join(format!("{}.cwasm", row.name)), &compiled(engine)?)?;
    }
    replace(&out.join("engines.rs"), included().as_bytes())?;
    // It is rarely needed, so it is small rather than ready to run.
    let unreserved = precompile(&reader, Memory::Unreserved)?;
    replace(
        &out.join("reader-unreserved.cwasm.deflate"),
        &miniz_oxide::deflate::compress_to_vec(&unreserved, DEFLATE_LEVEL),
    )?;
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

/// Compiles a guest to a component. `c` tells how its C is compiled, if it has
/// any, and `flags` what its own crate is compiled with besides.
fn component(
    workspace: &Path,
    target: &Path,
    package: &str,
    c: &[(String, OsString)],
    flags: &[&str],
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut cargo = Command::new(env::var("CARGO")?);
    // A crate that is both cdylib and rlib would lose link-time optimisation,
    // so the component is asked for here.
    cargo
        .current_dir(workspace)
        .args([
            "rustc",
            "--quiet",
            "--package",
            package,
            "--lib",
            "--crate-type",
            "cdylib",
        ])
        .args(["--target", TARGET, "--profile", "guest", "--target-dir"])
        .arg(target)
        .args(["--", COMPRESSED])
        .args(flags);
    // Settings for the host are none for the guest; `cargo clippy` is among
    // those who make some.
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
    cargo.env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
    let engines: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    cargo.env("OMNIREAD_ENGINES", engines.join(","));
    cargo.envs(c.iter().map(|(name, value)| (name, value)));
    if !cargo.status()?.success() {
        return Err(
            format!("`{package}` does not compile for {TARGET}; the reason is above").into(),
        );
    }
    let file = format!("{}.wasm", package.replace('-', "_"));
    Ok(fs::read(target.join(TARGET).join("guest").join(file))?)
}

/// The code of all engines, as an expression of the crate.
fn included() -> String {
    let code = |engine: &table::EngineSpec| {
        let file = format!("concat!(env!(\"OUT_DIR\"), \"/{}.cwasm\")", engine.name);
        format!("Code(&Aligned(*include_bytes!({file})))")
    };
    let all: Vec<String> = ENGINES.iter().map(code).collect();
    format!("[{}]", all.join(", "))
}

/// Fills the imports of the reader that are not WASI's. The guests are instantiated
/// in order, the reader last; each imports what those before it export.
fn compose(reader: &[u8], guests: &[(&str, &[u8])]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut graph = CompositionGraph::new();
    let mut exported = Vec::new();
    for (name, component) in guests.iter().chain(&[("reader", reader)]) {
        let name = format!("omniread:{name}");
        let package = Package::from_bytes(&name, None, component.to_vec(), graph.types_mut())?;
        let world = &graph.types()[package.ty()];
        let imports: Vec<String> = world.imports.keys().cloned().collect();
        let exports: Vec<String> = world.exports.keys().cloned().collect();
        let package = graph.register_package(package)?;
        let instance = graph.instantiate(package);
        for import in imports {
            let exporter = exported.iter().find(|(name, _)| *name == import);
            if let Some((_, exporter)) = exporter {
                graph.set_instantiation_argument(instance, &import, *exporter)?;
            } else if !import.starts_with("wasi:") {
                return Err(format!("no guest fills the import `{import}` of {name}").into());
            }
        }
        for export in exports {
            let alias = graph.alias_instance_export(instance, &export)?;
            if name == "omniread:reader" {
                graph.export(alias, &export)?;
            }
            exported.push((export, alias));
        }
    }
    Ok(graph.encode(EncodeOptions::default())?)
}

/// Compiles a component for the machine that the host is built for.
fn precompile(component: &[u8], memory: Memory) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut config = config::config(memory);
    let target = env::var("TARGET")?;
    let portable = env::var_os("OMNIREAD_PORTABLE").is_some();
    if portable || target != env::var("HOST")? {
        // Without a target the features of this processor are used.
        config.target(&target)?;
        if target.starts_with("x86_64") {
            // x86-64-v2, which every processor since 2009 has.
            for flag in [
                "has_sse3",
                "has_ssse3",
                "has_sse41",
                "has_sse42",
                "has_popcnt",
            ] {
                // SAFETY: the flag only lets the compiler use instructions,
                // and the runtime refuses the code where they are missing.
                #[expect(unsafe_code, reason = "processor features can be set in no other way")]
                unsafe {
                    config.cranelift_flag_enable(flag);
                }
            }
        }
    }
    let engine = wasmtime::Engine::new(&config)?;
    Ok(engine.precompile_component(component)?)
}

/// Writes a file whole or not at all: it may be in use.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let new = path.with_extension("new");
    fs::write(&new, bytes)?;
    fs::rename(&new, path)?;
    Ok(())
}
