//! Composes the components that import only WASI, and compiles the reader and the engines ahead
//! of time for the target machine.

#[path = "build/bytes.rs"]
mod bytes;
#[cfg(all(feature = "compressed-engines", not(feature = "compressed")))]
#[path = "src/divided/calls.rs"]
#[expect(dead_code, reason = "the library restores the code")]
mod calls;
#[path = "../src/config.rs"]
mod config;
#[path = "build/copied.rs"]
mod copied;
#[path = "build/direct.rs"]
mod direct;
#[cfg(feature = "compressed")]
#[path = "src/compressed/format.rs"]
mod format;
#[cfg(all(feature = "compressed-engines", not(feature = "compressed")))]
#[path = "src/divided/format.rs"]
mod format;
#[cfg(not(feature = "compressed"))]
#[path = "build/in_place.rs"]
mod in_place;
#[path = "build/safepoints.rs"]
mod safepoints;
#[cfg_attr(feature = "compressed", path = "build/compressed.rs")]
#[cfg_attr(
    all(feature = "compressed-engines", not(feature = "compressed")),
    path = "build/divided.rs"
)]
#[cfg_attr(
    not(any(feature = "compressed", feature = "compressed-engines")),
    path = "build/plain.rs"
)]
mod stored;

use config::Memory;
use direct::Life;
use omniread_components::ENGINES;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};

/// The engines that the feature `documents` adds.
const CONVERTERS: [&str; 2] = ["documents", "pdf"];

fn main() {
    if let Err(error) = build() {
        // Cargo shows the standard error of a build script that fails.
        panic!("{error}");
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for path in [
        "build.rs",
        "build",
        "../src/config.rs",
        "../src/safepoints/flags.rs",
    ] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed=OMNIREAD_PORTABLE");
    let guest = |name: &str| {
        let file = omniread_components::component(name);
        println!("cargo::rerun-if-changed={}", file.display());
        fs::read(file)
    };
    let (reader, standalone) = (guest("reader")?, guest("standalone")?);
    let offline = guest("offline")?;
    let engines: Vec<(&str, Vec<u8>)> = ENGINES
        .iter()
        .map(|(name, _)| Ok((*name, guest(name)?)))
        .collect::<Result<_, Box<dyn Error>>>()?;

    let dist = omniread_components::target_directory(&out)?.join("dist");
    fs::create_dir_all(&dist)?;
    // A build without converters does not replace the files that contain them.
    let has_documents = env::var_os("CARGO_FEATURE_DOCUMENTS").is_some();
    let without = if has_documents {
        ""
    } else {
        "-without-documents"
    };
    let text_guests = ["standalone-text", "pdf-text", "facade"].map(guest);
    let [standalone_text, pdf_text, facade] = text_guests;
    let (standalone_text, pdf_text, facade) = (standalone_text?, pdf_text?, facade?);
    // Without the image engine, and with a converter of PDF that draws no pages.
    let mut text = vec![
        ("offline", offline.as_slice()),
        ("standalone-text", standalone_text.as_slice()),
    ];
    let mut full = vec![("standalone", standalone.as_slice())];
    for (name, engine) in &engines {
        full.push((*name, engine.as_slice()));
        match *name {
            "images" => {}
            "pdf" => text.push((*name, &pdf_text)),
            _ => text.push((*name, engine)),
        }
    }
    full.push(("reader", &reader));
    text.push(("reader", &reader));
    let portable = |name: &str, guests: &[(&str, &[u8])]| -> Result<(), Box<dyn Error>> {
        let component = compose(guests)?;
        replace(&dist.join(format!("{name}{without}.wasm")), &component)?;
        Ok(())
    };
    portable("omniread-net", &full)?;
    full.insert(0, ("offline", &offline));
    portable("omniread-full", &full)?;
    let http = guest("http")?;
    full.push(("http", &http));
    portable("omniread-http", &full)?;
    portable("omniread", &text)?;
    text.push(("facade", &facade));
    portable("omniread-text", &text)?;
    let mut direct = Vec::new();
    let reader = directly(("reader", reader), Life::Call, &mut direct);
    let engines: Vec<(&str, Vec<u8>)> = engines
        .into_iter()
        .map(|(name, engine)| (name, directly((name, engine), Life::Calls, &mut direct)))
        .collect();
    let reader = safely("reader", &reader)?;
    let compiled = |name: &str, component: &[u8]| -> Result<String, Box<dyn Error>> {
        let code = precompile(component, Memory::Reserved)?;
        // Only on Linux, code runs in place, so that one piece of code is loaded in either form.
        let (code, mapped) = match &*env::var("CARGO_CFG_TARGET_OS")? {
            "linux" => copied::with_copied(&code)?,
            _ => (code, 0),
        };
        stored::code(&out, name, &code, mapped)
    };
    // The pages of WebAssembly have 64 KiB.
    let memory = omniread_components::READER_MEMORY >> 16;
    let mut items = format!(
        "/// The components that call the host directly, by name.\n\
         pub const DIRECT: &[&str] = &{direct:?};\n\n\
         /// The initial memory of the reader in bytes.\n\
         pub const READER_MEMORY: usize = {memory} << 16;\n\n\
         /// The code of the reader.\n\
         pub static READER: Code = {};\n\n\
         /// The name and the code of each engine.\n\
         pub static ENGINES: [(&str, Code); {}] = [\n",
        compiled("reader", &reader)?,
        engines.len()
    );
    for (name, engine) in &engines {
        // The library starts no converter that it is built without.
        let code = if has_documents || !CONVERTERS.contains(name) {
            compiled(name, &safely(name, engine)?)?
        } else {
            stored::NONE.to_owned()
        };
        items.push_str(&format!("    ({name:?}, {code}),\n"));
    }
    items.push_str("];\n");
    let unreserved = precompile(&reader, Memory::Unreserved)?;
    items.push_str(&stored::unreserved(&out, &unreserved)?);
    replace(&out.join("items.rs"), items.as_bytes())?;
    Ok(())
}

/// The component with a main module that calls the host directly. Adds its name to `changed`. Another linker may give
/// it another structure. Then it stays as it is, which is slower.
fn directly<'n>(
    (name, component): (&'n str, Vec<u8>),
    life: Life,
    changed: &mut Vec<&'n str>,
) -> Vec<u8> {
    match direct::direct(&component, life) {
        Ok(component) => {
            changed.push(name);
            component
        }
        Err(error) => {
            println!("cargo::warning=the component `{name}` calls the host more slowly: {error}");
            component
        }
    }
}

/// The component with safepoints.
fn safely(name: &str, component: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    safepoints::with_safepoints(component)
        .map_err(|error| format!("the component `{name}` gets no safepoints: {error}").into())
}

/// Composes guests to one component, which exports what the last of them exports. They are instantiated in order. The
/// imports of each are connected to the exports of the guests before it, and the others are imports of the composed
/// component, which are those of WASI. Only the reader gets interfaces of WASI from a guest: it has no network, but the
/// server gets its requests from the runtime.
fn compose(guests: &[(&str, &[u8])]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut graph = CompositionGraph::new();
    let mut exported = Vec::new();
    let last = guests.len().saturating_sub(1);
    for (index, (guest, component)) in guests.iter().enumerate() {
        let name = format!("omniread:{guest}");
        let package = Package::from_bytes(&name, None, component.to_vec(), graph.types_mut())?;
        let world = &graph.types()[package.ty()];
        let imports: Vec<String> = world.imports.keys().cloned().collect();
        let exports: Vec<String> = world.exports.keys().cloned().collect();
        let package = graph.register_package(package)?;
        let instance = graph.instantiate(package);
        for import in imports {
            let is_free = *guest != "reader" && import.starts_with("wasi:");
            let exporter = exported
                .iter()
                .find(|(name, _)| *name == import && !is_free);
            if let Some((_, exporter)) = exporter {
                graph.set_instantiation_argument(instance, &import, *exporter)?;
            } else if !import.starts_with("wasi:") {
                return Err(format!("no guest fills the import `{import}` of {name}").into());
            }
        }
        for export in exports {
            let alias = graph.alias_instance_export(instance, &export)?;
            if index == last {
                graph.export(alias, &export)?;
            }
            exported.push((export, alias));
        }
    }
    Ok(graph.encode(EncodeOptions::default())?)
}

/// The features of x86-64-v2, which all processors since 2009 have.
const X86_64_V2: [&str; 5] = [
    "has_sse3",
    "has_ssse3",
    "has_sse41",
    "has_sse42",
    "has_popcnt",
];

/// The features of x86-64-v3, which most processors since 2015 have.
const X86_64_V3: [&str; 6] = [
    "has_avx",
    "has_avx2",
    "has_bmi1",
    "has_bmi2",
    "has_fma",
    "has_lzcnt",
];

/// Whether the processor of this machine has x86-64-v3.
#[cfg(target_arch = "x86_64")]
fn has_v3() -> bool {
    std::is_x86_feature_detected!("avx")
        && std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("lzcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_v3() -> bool {
    false
}

/// Compiles a component to machine code of the target.
fn precompile(component: &[u8], memory: Memory) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut config = config::config(memory);
    let target = env::var("TARGET")?;
    let native = env::var_os("OMNIREAD_PORTABLE").is_none() && target == env::var("HOST")?;
    let x86 = target.starts_with("x86_64");
    // Windows needs the tables for unwinding, and elsewhere only debuggers and profilers do.
    config.native_unwind_info(env::var("CARGO_CFG_TARGET_OS")? == "windows");
    // Without a target, wasmtime uses all features of this processor. On x86-64 those beyond v3 make no read
    // faster, and code without them also runs on other machines, and under tools that count instructions.
    if x86 || !native {
        config
            .target(&target)
            .map_err(|error| missing_architecture(&target, &error))?;
    }
    if x86 {
        let further: &[&str] = if native && has_v3() { &X86_64_V3 } else { &[] };
        for flag in X86_64_V2.iter().chain(further) {
            // SAFETY: the flag only lets the compiler use instructions, and the runtime
            // refuses the code on processors without them.
            #[expect(unsafe_code, reason = "processor features can be set in no other way")]
            unsafe {
                config.cranelift_flag_enable(flag);
            }
        }
    }
    let engine = wasmtime::Engine::new(&config)?;
    Ok(engine.precompile_component(component)?)
}

/// The error for a target whose code the compiler was built without.
fn missing_architecture(target: &str, error: &wasmtime::Error) -> String {
    if env::var_os("CARGO_FEATURE_OTHER_ARCHITECTURES").is_some() {
        return format!("cannot compile the components for `{target}`: {error}");
    }
    format!(
        "cannot compile the components for `{target}`: this build has only the compiler for its own architecture; \
         add `--features omniread-code/other-architectures`"
    )
}

/// Replaces a file atomically, because another process may be reading it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let new = path.with_extension("new");
    fs::write(&new, bytes)?;
    fs::rename(&new, path)?;
    Ok(())
}
