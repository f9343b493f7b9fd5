//! Compiles the component as the build of omniread compiles the guests, with safepoints.

#[path = "../../host/code/build/bytes.rs"]
#[allow(dead_code, reason = "the build of the guests uses the rest")]
mod bytes;
#[path = "../../host/src/config.rs"]
mod config;
#[path = "../../host/code/build/safepoints.rs"]
mod safepoints;

use config::Memory;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    for path in [
        "endless.wat",
        "build.rs",
        "../../host/code/build",
        "../../host/src/config.rs",
        "../../host/src/safepoints/flags.rs",
    ] {
        println!("cargo::rerun-if-changed={path}");
    }
    let component = safepoints::with_safepoints(&wat::parse_file("endless.wat")?)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for (memory, file) in [
        (Memory::Reserved, "endless.bin"),
        (Memory::Unreserved, "endless-unreserved.bin"),
    ] {
        let engine = wasmtime::Engine::new(&config::config(memory))?;
        fs::write(out.join(file), engine.precompile_component(&component)?)?;
    }
    Ok(())
}
