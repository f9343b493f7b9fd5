//! The components without images in each runtime that is installed: the same reads, and the same replies.
//!
//! The tests of a runtime that is not installed are reported as ignored.

use super::programs::{Packages, python, wasmtime, works};
use libtest_mimic::{Failed, Trial};
use omniread_tests::{Workspace, image, pack, portable, project};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A read: its path, a part of its reply or failure, and whether it has a reply.
const READS: &[(&str, &str, bool)] = &[
    ("notes.txt:2-2", "2:two", true),
    ("pack.zip:inner/a.txt", "member", true),
    ("app.db:users:1", "name: Ada", true),
    ("orders.csv?q=select count(*) as n from data", "|n|", true),
    ("letter.docx", "# Sales of the lamp", true),
    ("manual.pdf:page:1", "Keep the lamp away from water.", true),
    (
        "red.png",
        "not shown: this component has no image engine; use `omniread-full.wasm`",
        true,
    ),
    (
        "manual.pdf:page:1:img",
        "this component draws no pages; use `omniread-full.wasm`",
        false,
    ),
    ("missing.txt", "Path 'missing.txt' not found", false),
    ("../outside", "is outside the roots", false),
];

pub fn trials() -> Vec<Trial> {
    let packages = Packages::new();
    let (python, wasmtime) = (python(), wasmtime());
    let headers: Option<PathBuf> = std::env::var_os("OMNIREAD_TEST_WASMTIME_C").map(Into::into);
    let has = [
        wasmtime.is_some(),
        python.is_some(),
        packages.has(super::portable::JCO),
        headers.is_some() && python.is_some() && works(Command::new("cc").arg("--version")),
    ];
    let (program, program2) = (
        python.clone().unwrap_or_default(),
        python.unwrap_or_default(),
    );
    let command = wasmtime.unwrap_or_default();
    let command2 = command.clone();
    vec![
        Trial::test("hosts::wasmtime_command_reads_arguments", move || {
            read_with_arguments(&command)
        })
        .with_ignored_flag(!has[0]),
        Trial::test("hosts::wasmtime_command_calls_the_function", move || {
            call_with_wasmtime(&command2)
        })
        .with_ignored_flag(!has[0]),
        Trial::test("hosts::python_example_compiles_once", move || {
            call_with_python(&program)
        })
        .with_ignored_flag(!has[1]),
        Trial::test("hosts::javascript_calls_the_function", move || {
            call_with_javascript(&packages)
        })
        .with_ignored_flag(!has[2]),
        Trial::test("hosts::c_example_compiles_once", move || {
            call_with_c(&headers.unwrap_or_default(), &program2)
        })
        .with_ignored_flag(!has[3]),
    ]
}

fn component(name: &str) -> PathBuf {
    portable(env!("CARGO_BIN_EXE_omniread-under-test"), name)
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("notes.txt", "one\ntwo\n");
    workspace.file("pack.zip", pack::zip(&[("inner/a.txt", b"member\n")]));
    workspace.file("red.png", image::flat_png(20, 10, 8, 2, 60));
    for name in ["app.db", "orders.csv", "letter.docx", "manual.pdf"] {
        let bytes = std::fs::read(project().join("examples").join(name));
        workspace.file(name, bytes.expect("an example"));
    }
    workspace
}

/// What a command printed, and whether it ended with success.
fn printed(command: &mut Command) -> Result<(String, bool), Failed> {
    let output = command.output()?;
    let text = String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?;
    Ok((text, output.status.success()))
}

/// Checks all reads of a host.
fn check(read: impl Fn(&str) -> Result<(String, bool), Failed>) -> Result<(), Failed> {
    for (path, expected, has_reply) in READS {
        let (text, succeeded) = read(path)?;
        if !text.contains(expected) || succeeded != *has_reply {
            return Err(format!("{path}: no {expected:?}, success {succeeded}:\n{text}").into());
        }
    }
    Ok(())
}

/// The component `omniread.wasm` as a command.
fn read_with_arguments(wasmtime: &Path) -> Result<(), Failed> {
    let (workspace, component) = (workspace(), component("omniread.wasm"));
    check(|path| {
        let mut command = Command::new(wasmtime);
        command.current_dir(workspace.path());
        printed(
            command
                .args(["run", "--dir", "."])
                .arg(&component)
                .arg(path),
        )
    })
}

/// The function of `omniread-text.wasm`, whose result `wasmtime` prints as `ok("…")` or `err("…")`.
fn call_with_wasmtime(wasmtime: &Path) -> Result<(), Failed> {
    let (workspace, component) = (workspace(), component("omniread-text.wasm"));
    check(|path| {
        let mut command = Command::new(wasmtime);
        command.current_dir(workspace.path());
        command.args(["run", "--dir", ".", "--invoke"]);
        let (text, _) = printed(command.arg(format!("read({path:?})")).arg(&component))?;
        let unescaped = text.replace("\\n", "\n").replace("\\'", "'");
        Ok((unescaped, text.starts_with("ok(")))
    })
}

/// The examples read several paths in one process. They compile the component in the first one, and say so.
fn check_example(
    run: impl Fn(&[&str]) -> Result<(String, bool), Failed>,
    compiling: &str,
) -> Result<(), Failed> {
    let (text, succeeded) = run(&["notes.txt:2-2", "missing.txt", "app.db:users:1"])?;
    for expected in [compiling, "2:two", "not found", "name: Ada"] {
        if !text.contains(expected) || succeeded {
            return Err(format!("no {expected:?}, success {succeeded}:\n{text}").into());
        }
    }
    check(|path| {
        let (text, succeeded) = run(&[path])?;
        if text.contains("compiling") {
            return Err(format!("compiled again:\n{text}").into());
        }
        Ok((text, succeeded))
    })
}

fn call_with_python(program: &Path) -> Result<(), Failed> {
    let (workspace, component) = (workspace(), component("omniread-text.wasm"));
    let cache = Workspace::new();
    let script = project().join("examples/clients/component.py");
    let run = |component: &Path, paths: &[&str]| {
        let mut command = Command::new(program);
        command.env("XDG_CACHE_HOME", cache.path());
        command.arg(&script).arg(component).arg(workspace.path());
        printed(command.args(paths))
    };
    check_example(
        |paths| run(&component, paths),
        "compiling omniread-text.wasm (once, about ",
    )?;
    // Code that is damaged is compiled again.
    let entries = std::fs::read_dir(cache.path().join("omniread"))?;
    for entry in entries {
        std::fs::write(entry?.path(), "damaged")?;
    }
    let (text, succeeded) = run(&component, &["notes.txt:2-2"])?;
    let read = text.contains("compiling") && text.contains("2:two") && succeeded;
    if read { Ok(()) } else { Err(text.into()) }
}

/// The C program of the examples, linked with the library in the Python package of wasmtime. `headers` is the directory with
/// the headers of its C API.
fn call_with_c(headers: &Path, python: &Path) -> Result<(), Failed> {
    let (workspace, build) = (workspace(), Workspace::new());
    let place = "import wasmtime, pathlib; print(next(pathlib.Path(wasmtime.__file__).parent.glob('*/_libwasmtime.*')))";
    let output = Command::new(python).args(["-c", place]).output()?;
    let library = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    let directory = library.parent().ok_or("the package has no library")?;
    let program = build.path().join("component");
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Wextra", "-Werror", "-O1", "-o"])
        .arg(&program);
    cc.arg(project().join("examples/clients/component.c"));
    cc.arg("-I").arg(headers).arg(&library);
    cc.arg(format!("-Wl,-rpath,{}", directory.display()));
    let (text, succeeded) = printed(&mut cc)?;
    if !succeeded {
        return Err(text.into());
    }
    // The program writes the code beside the component.
    let component = build.path().join("omniread-text.wasm");
    std::fs::copy(self::component("omniread-text.wasm"), &component)?;
    check_example(
        |paths| {
            let mut command = Command::new(&program);
            printed(command.arg(&component).arg(workspace.path()).args(paths))
        },
        "compiling ",
    )
}

/// The function of `omniread-text.wasm` in JavaScript, by the second program of its page.
fn call_with_javascript(packages: &Packages) -> Result<(), Failed> {
    let workspace = workspace();
    let page = std::fs::read_to_string(project().join("docs/embedding/javascript.md"))?;
    let program = page
        .split("```js\n")
        .nth(2)
        .and_then(|rest| rest.split("```").next());
    workspace.file("text.js", program.ok_or("the page has no second program")?);
    workspace.file("package.json", r#"{"type": "module"}"#);
    workspace.link("node_modules", packages.path(""));
    let mut jco = packages.node(&packages.path(super::portable::JCO).join("dist/jco.js"));
    jco.current_dir(workspace.path()).arg("transpile");
    jco.arg(component("omniread-text.wasm"));
    jco.args(["-o", "text", "--name", "text"]);
    if !works(&mut jco) {
        return Err(format!("{jco:?} failed").into());
    }
    check(|path| {
        let mut node = packages.node(Path::new("text.js"));
        printed(node.current_dir(workspace.path()).arg(path))
    })
}
