//! The C compiler for what the guests have in C. There is no archiver to look
//! for: the crate `cc` asks clang for its own, and takes `ar` if it has none.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// No system's headers are for WebAssembly: those that are needed come with the
/// sources and with clang.
const FLAGS: &str = "--sysroot=/nonexistent";

/// Where a clang may be that compiles to WebAssembly. Apple's does not.
const PLACES: &[&str] = &[
    "clang",
    "clang-22",
    "clang-21",
    "clang-20",
    "clang-19",
    "clang-18",
    "clang-17",
    "clang-16",
    "clang-15",
    "clang-14",
    "/opt/homebrew/opt/llvm/bin/clang",
    "/usr/local/opt/llvm/bin/clang",
];

/// What clang needs to have of its own.
const PROBE: &str = "#include <stdarg.h>\n#include <stdint.h>\nint32_t probe;\n";

/// What the crate `cc` is to be told: the compiler and its flags, unless the
/// user has said which.
///
/// # Errors
/// If there is no compiler, with the command that installs one.
pub(crate) fn environment(
    target: &str,
    out: &Path,
) -> Result<Vec<(String, OsString)>, Box<dyn Error>> {
    let variable = |name: &str| format!("{name}_{}", target.replace('-', "_"));
    let given = |name: &str| {
        let names = [format!("{name}_{target}"), variable(name)];
        names.into_iter().any(|name| {
            println!("cargo::rerun-if-env-changed={name}");
            env::var_os(name).is_some()
        })
    };
    let (compiler, flags) = (given("CC"), given("CFLAGS"));
    let mut environment = Vec::new();
    if !compiler {
        let clang = PLACES
            .iter()
            .find(|clang| compiles(clang, target, out))
            .ok_or_else(missing)?;
        environment.push((variable("CC"), clang.into()));
    }
    if !flags {
        environment.push((variable("CFLAGS"), FLAGS.into()));
    }
    Ok(environment)
}

/// Whether there is such a compiler, and it knows the target.
fn compiles(clang: &str, target: &str, out: &Path) -> bool {
    let started = Command::new(clang)
        .args([&format!("--target={target}"), FLAGS])
        .args(["-c", "-x", "c", "-", "-o"])
        .arg(out.join("probe.o"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut compiling) = started else {
        return false;
    };
    // One that fails need not read; its status tells.
    if let Some(mut source) = compiling.stdin.take() {
        let _ = source.write_all(PROBE.as_bytes());
    }
    compiling.wait().is_ok_and(|status| status.success())
}

/// What to do where there is no compiler.
fn missing() -> String {
    let sudo = if on_path("sudo") { "sudo " } else { "" };
    let installs = [
        ("brew", "brew install llvm".to_owned()),
        ("apt-get", format!("{sudo}apt-get install -y clang")),
        ("dnf", format!("{sudo}dnf install clang")),
        ("pacman", format!("{sudo}pacman -S clang")),
        ("apk", format!("{sudo}apk add clang")),
    ];
    let what = "SQLite is compiled from C to WebAssembly, and there is no clang that can";
    match installs.iter().find(|(manager, _)| on_path(manager)) {
        Some((_, command)) => format!("{what}: install one with `{command}`"),
        None => format!(
            "{what}: install clang of LLVM 14 or later with the target wasm32, \
             or name one in `CC_wasm32_wasip2`"
        ),
    }
}

fn on_path(program: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}
