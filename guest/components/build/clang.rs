//! The C compiler for the C code of the guests. No archiver is needed: the crate `cc`
//! uses that of clang, or `ar`.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The flag of the C compiler that hides the system headers, because they are not for WebAssembly.
/// The required headers come with the C sources and with clang.
const FLAGS: &str = "--sysroot=/nonexistent";

/// The names and paths at which clang is looked for, in this order. The paths are those of
/// Homebrew, because Apple's clang does not compile to WebAssembly.
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

/// The C program with which a compiler is tested. It needs only the headers of clang itself.
const PROBE: &str = "#include <stdarg.h>\n#include <stdint.h>\nint32_t probe;\n";

/// Returns the environment variables with which the crate `cc` finds the C compiler and its flags.
/// A variable that the user has set is left out.
///
/// # Errors
/// Fails if no compiler for `target` is found. The message contains the command that installs one.
pub(crate) fn environment(
    target: &str,
    out: &Path,
) -> Result<Vec<(String, OsString)>, Box<dyn Error>> {
    let variable = |name: &str| format!("{name}_{}", target.replace('-', "_"));
    let is_set = |name: &str| {
        let names = [format!("{name}_{target}"), variable(name)];
        names.into_iter().any(|name| {
            println!("cargo::rerun-if-env-changed={name}");
            env::var_os(name).is_some()
        })
    };
    let (compiler, flags) = (is_set("CC"), is_set("CFLAGS"));
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

/// Whether the compiler `clang` exists and can compile for `target`.
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
    // A compiler that fails may not read its input. Only its exit status matters.
    if let Some(mut source) = compiling.stdin.take() {
        let _ = source.write_all(PROBE.as_bytes());
    }
    compiling.wait().is_ok_and(|status| status.success())
}

/// The message for a missing compiler, with the command that installs one.
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
