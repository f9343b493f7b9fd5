//! Runs the portable components in other runtimes: Python, Node and the `wasmtime` command.
//!
//! The tests of a runtime that is not installed are reported as ignored.

use super::programs::{Packages, python, wasmtime, works};
use ::image::ImageFormat;
use libtest_mimic::{Failed, Trial};
use omniread::Dialect;
use omniread_tests::docx::Docx;
use omniread_tests::web::{Page, Ranges, Server, Site};
use omniread_tests::{Workspace, image, pack, portable, project};
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn trials() -> Vec<Trial> {
    let python = python();
    let wasmtime = wasmtime();
    let component = component("omniread-full.wasm");
    let component2 = component.clone();
    let component3 = component.clone();
    let networked = self::component("omniread-net.wasm");
    let networked2 = networked.clone();
    let networked3 = networked.clone();
    let program = python.clone().unwrap_or_default();
    let program2 = program.clone();
    let component4 = component.clone();
    let packages = Packages::new();
    let has_wasmtime = wasmtime.is_some();
    let command = wasmtime.unwrap_or_default();
    let command2 = command.clone();
    let has_jco = packages.has(JCO);
    let trials = vec![
        Trial::test(
            "portable::component_imports_only_wasi_without_network",
            move || imports(&component3),
        ),
        Trial::test("portable::python_reads_a_file", move || {
            read_with_python(&program, &component)
        })
        .with_ignored_flag(python.is_none()),
        Trial::test("portable::the_wasmtime_command_reads_a_file", move || {
            read_with_wasmtime(&command, &component2)
        })
        .with_ignored_flag(!has_wasmtime),
        Trial::test("portable::component_with_network_imports_http", move || {
            imports_http(&networked3)
        }),
        Trial::test("portable::python_reads_web_pages", move || {
            read_pages_with_python(&program2, &networked)
        })
        .with_ignored_flag(python.is_none()),
        Trial::test(
            "portable::the_wasmtime_command_reads_web_pages",
            move || read_pages_with_wasmtime(&command2, &networked2),
        )
        .with_ignored_flag(!has_wasmtime),
        Trial::test("portable::javascript_reads_what_its_page_says", move || {
            read_with_javascript(&packages, &component4)
        })
        .with_ignored_flag(!has_jco),
    ];
    trials
}

/// The path of a portable component.
fn component(name: &str) -> PathBuf {
    portable(env!("CARGO_BIN_EXE_omniread-under-test"), name)
}

/// The package that makes JavaScript of a component.
pub const JCO: &str = "@bytecodealliance/jco";

/// Runs the program of `docs/embedding/javascript.md`.
fn read_with_javascript(packages: &Packages, component: &Path) -> Result<(), Failed> {
    let workspace = Workspace::new();
    let page = std::fs::read_to_string(project().join("docs/embedding/javascript.md"))?;
    let program = page
        .split("```js\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    workspace.file("read.js", program.ok_or("the page has no program")?);
    workspace.file("package.json", r#"{"type": "module"}"#);
    workspace.link("node_modules", packages.path(""));
    workspace.file("notes.txt", "one\ntwo\n");
    workspace.file("red.png", image::flat_png(20, 10, 8, 2, 60));
    for name in ["app.db", "letter.docx", "manual.pdf"] {
        workspace.file(name, std::fs::read(project().join("examples").join(name))?);
    }
    let mut jco = packages.node(&packages.path(JCO).join("dist/jco.js"));
    jco.current_dir(workspace.path());
    jco.arg("transpile").arg(component);
    jco.args(["-o", "omniread", "--name", "omniread"]);
    jco.args(["--instantiation", "async"]);
    if !works(&mut jco) {
        return Err(format!("{jco:?} failed").into());
    }
    let mut node = packages.node(Path::new("read.js"));
    node.current_dir(workspace.path()).args([
        "notes.txt",
        "app.db:users:1",
        "letter.docx",
        "manual.pdf:page:1",
        "manual.pdf:page:1:img",
        "red.png",
        "../outside",
        "missing.txt",
    ]);
    let (printed, code) = output(&mut node)?;
    for expected in [
        "text [notes.txt#",
        "1:one",
        "name: Ada",
        "# Sales of the lamp",
        "Keep the lamp away from water.",
        "image image/png",
        "failure: `/project/../outside` is outside the roots",
        "failure: Path '/project/missing.txt' not found",
    ] {
        if !printed.contains(expected) {
            return Err(format!("{code:?}: no {expected:?} in:\n{printed}").into());
        }
    }
    Ok(())
}

/// The reply or the failure that a command prints, and its exit status.
fn output(command: &mut Command) -> Result<(String, Option<i32>), Failed> {
    let output = command.output()?;
    let stdout = String::from_utf8(output.stdout)?;
    let stderr = String::from_utf8(output.stderr)?;
    match output.status.code() {
        Some(0) if stdout.is_empty() => Err(format!("nothing was printed: {stderr}").into()),
        code => Ok((stdout + &stderr, code)),
    }
}

/// The bytes of the imports of a component, which contain their names. Its inner components, whose
/// imports the component provides itself, are not in them.
fn imported(component: &PathBuf) -> Result<Vec<u8>, Failed> {
    /// The id of a section with imports, in the binary format of components.
    const IMPORTS: u8 = 10;
    let bytes = std::fs::read(component)?;
    // The magic number and the version.
    let mut rest = bytes.get(8..).ok_or("it is empty")?;
    let mut imports = Vec::new();
    while let [id, after @ ..] = rest {
        rest = after;
        let mut size = 0;
        for shift in (0..35).step_by(7) {
            let [byte, after @ ..] = rest else {
                return Err("a section has no size".into());
            };
            rest = after;
            size |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let (section, after) = rest
            .split_at_checked(size)
            .ok_or("a section is too short")?;
        if *id == IMPORTS {
            imports.extend(section);
        }
        rest = after;
    }
    Ok(imports)
}

fn contains(bytes: &[u8], name: &str) -> bool {
    let mut windows = bytes.windows(name.len());
    windows.any(|window| window == name.as_bytes())
}

/// Checks which interfaces the component without a network imports.
fn imports(component: &PathBuf) -> Result<(), Failed> {
    let imports = imported(component)?;
    // `insecure-seed`, the seed of hash tables, is the only random import that is allowed.
    let random_imports = ["wasi:random/random", "wasi:random/insecure@"];
    for name in ["wasi:sockets", "wasi:http"]
        .into_iter()
        .chain(random_imports)
    {
        if contains(&imports, name) {
            return Err(format!("it imports {name}").into());
        }
    }
    if !contains(&imports, "wasi:filesystem/types") {
        return Err("it does not import the filesystem".into());
    }
    Ok(())
}

/// Checks that the component with the network imports `wasi:http`, and no other access to a network.
fn imports_http(component: &PathBuf) -> Result<(), Failed> {
    let imports = imported(component)?;
    if !contains(&imports, "wasi:http/outgoing-handler") {
        return Err("it does not import wasi:http".into());
    }
    if contains(&imports, "wasi:sockets") {
        return Err("it imports wasi:sockets".into());
    }
    Ok(())
}

/// A workspace with text, an image, a document, a database with a log, and a pipe.
///
/// A read would hang if it opened the pipe. There is no omniread host in these tests that checks
/// the type of a file, so the reader must check it before opening the file.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("hello.txt", "one\ntwo\nthree\n");
    let large = image::encoded(image::drawing(2000, 1000), ImageFormat::Png);
    workspace.file("large.png", &large);
    let letter = Docx::default().heading("A letter").image("a chart", large);
    workspace.file("letter.docx", letter.build());
    let manual = include_bytes!("../../../examples/manual.pdf");
    workspace.file("manual.pdf", manual);
    let app = workspace.path().join("app.db");
    let app = rusqlite::Connection::open(app).expect("a database");
    app.execute_batch(
        "pragma journal_mode = wal; pragma wal_autocheckpoint = 0;
         create table t(a integer primary key); insert into t values(1);
         pragma wal_checkpoint(truncate); insert into t values(2);",
    )
    .expect("two rows");
    // The connection stays open, so that the second row stays in the write-ahead log.
    let _open = Box::leak(Box::new(app));
    #[cfg(unix)]
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        workspace.path().join("pipe"),
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
    )
    .expect("a pipe");
    workspace
}

fn check(read: impl Fn(&str) -> Result<(String, Option<i32>), Failed>) -> Result<(), Failed> {
    let (text, code) = read("hello.txt:2-2")?;
    assert_eq!(
        (text.lines().any(|line| line == "2:two"), code),
        (true, Some(0)),
        "{text}"
    );
    let (text, code) = read("missing.txt")?;
    assert_eq!(
        (text.trim_end(), code),
        ("Path 'missing.txt' not found", Some(1))
    );
    // The component contains SQLite, which reads the rows that the log has committed.
    let (text, code) = read("app.db?q=select count(*) as n from t")?;
    assert_eq!((text.contains("|2|"), code), (true, Some(0)), "{text}");
    // The component contains the image decoders.
    let (text, code) = read("large.png")?;
    let resized = text.contains("2000x1000") && text.contains("converted to 1568x784");
    assert_eq!((resized, code), (true, Some(0)), "{text}");
    // The component contains the document engine, which reads a file by its handle.
    let (text, code) = read("letter.docx")?;
    let converted = text.contains("# A letter") && text.contains("](letter.docx:image:1)");
    assert_eq!((converted, code), (true, Some(0)), "{text}");
    let (text, code) = read("letter.docx:image:1")?;
    assert_eq!(
        (text.contains("2000x1000"), code),
        (true, Some(0)),
        "{text}"
    );
    // The component contains the PDF engine.
    let (text, code) = read("manual.pdf:page:2")?;
    let converted = text.contains("|Shade|S-3|19.00 EUR|");
    assert_eq!((converted, code), (true, Some(0)), "{text}");
    let (text, code) = read("manual.pdf:page:2:img")?;
    assert_eq!((text.contains("x1568"), code), (true, Some(0)), "{text}");
    if cfg!(unix) {
        let (text, code) = read("pipe")?;
        assert_eq!(
            (text.contains("cannot be read like a file"), code),
            (true, Some(1)),
            "{text}"
        );
    }
    Ok(())
}

fn read_with_python(program: &PathBuf, component: &PathBuf) -> Result<(), Failed> {
    let workspace = workspace();
    let script = project().join("tests/portable.py");
    let python = || {
        let mut command = Command::new(program);
        command.args([&script, component, &workspace.path()]);
        command
    };
    check(|path| output(python().arg(path)))?;
    for path in ["hello.txt", "/etc/hostname", "."] {
        let mut command = Command::new(program);
        let (text, code) = output(command.args([&script, component]).args(["", path]))?;
        let message = format!("cannot read `{path}`: no directory was granted to this component");
        assert_eq!((text.contains(&message), code), (true, Some(1)), "{text}");
    }
    for dialect in Dialect::ALL {
        let absolute = workspace.path().join("hello.txt").display().to_string();
        let (argument, path) = match dialect {
            Dialect::Omp | Dialect::Comma => ("path", "hello.txt"),
            Dialect::Gateway | Dialect::OpenCode => ("filePath", absolute.as_str()),
            Dialect::Gemini => ("absolute_path", absolute.as_str()),
            Dialect::Claude | Dialect::Codex => ("file_path", absolute.as_str()),
            other => panic!("the test has no arguments of {other:?}"),
        };
        let arguments = format!("{{\"{argument}\": \"{path}\"}}");
        let (text, code) = output(python().args(["call", dialect.name(), &arguments]))?;
        assert_eq!((text.contains("three"), code), (true, Some(0)), "{text}");
        let (text, code) = output(python().args(["call", dialect.name(), "{}"]))?;
        let missing = format!("argument `{argument}` is missing");
        assert_eq!((text.contains(&missing), code), (true, Some(1)), "{text}");
    }
    // The script sets options as attributes of the record.
    let read = |path: &str, option: &str| {
        let arguments = serde_json::json!({ "path": path }).to_string();
        output(python().args(["call", "omp", &arguments, option]))
    };
    let (text, code) = read("hello.txt", "limit=1")?;
    assert_eq!(
        (text.contains("Use :2 to continue"), code),
        (true, Some(0)),
        "{text}"
    );
    let (text, code) = read("large.png", "image.side=100")?;
    assert_eq!(
        (text.contains("converted to 100x50"), code),
        (true, Some(0)),
        "{text}"
    );
    Ok(())
}

/// A server with a page, a redirect to it, and an archive that is read by ranges.
fn site() -> Server {
    let text = "Some text of the page. ".repeat(30);
    let filler: Vec<u8> = (0..2_000_000_u32)
        .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .collect();
    let zip = pack::zip(&[("filler", filler.as_slice()), ("a.txt", b"one\ntwo\n")]);
    let zip = Page::new("application/zip", zip).etag("\"v1\"");
    Site::new()
        .page("/page", Page::html(&format!("<h1>Title</h1><p>{text}")))
        .page("/old", Page::redirect(301, "/page"))
        .page("/x.zip", zip.ranges(Ranges::Correct))
        .serve()
}

fn check_pages(
    server: &Server,
    read: impl Fn(&str) -> Result<(String, Option<i32>), Failed>,
) -> Result<(), Failed> {
    let (text, code) = read(&server.url("/old"))?;
    let shown =
        text.contains(&format!("URL: {}", server.url("/page"))) && text.contains("Title: Title");
    assert_eq!((shown, code), (true, Some(0)), "{text}");
    let (text, code) = read(&server.url("/missing"))?;
    let failed = text.contains("Method: failed") && text.contains("404");
    assert_eq!((failed, code), (true, Some(0)), "{text}");
    server.forget();
    let (text, code) = read(&server.url("/x.zip:a.txt"))?;
    assert_eq!((text.contains("two"), code), (true, Some(0)), "{text}");
    let requests = server.requests();
    assert!(
        requests.iter().all(|request| request.status == 206),
        "{requests:?}"
    );
    Ok(())
}

fn read_pages_with_python(program: &PathBuf, component: &PathBuf) -> Result<(), Failed> {
    let server = site();
    let script = project().join("tests/portable.py");
    check_pages(&server, |path| {
        let mut command = Command::new(program);
        output(command.args([&script, component]).args(["", path]))
    })?;
    // The component without the network names the other one.
    server.forget();
    let offline = self::component("omniread-full.wasm");
    let mut command = Command::new(program);
    let arguments = [String::new(), server.url("/page")];
    let (text, code) = output(command.args([&script, &offline]).args(arguments))?;
    let named = text.contains("omniread-net.wasm") || text.contains("no network access");
    assert_eq!((named, code), (true, Some(1)), "{text}");
    assert!(server.requests().is_empty());
    Ok(())
}

fn read_pages_with_wasmtime(wasmtime: &Path, component: &PathBuf) -> Result<(), Failed> {
    let server = site();
    check_pages(&server, |path| {
        let mut command = Command::new(wasmtime);
        output(command.args(["run", "-S", "http"]).arg(component).arg(path))
    })
}

fn read_with_wasmtime(program: &Path, component: &PathBuf) -> Result<(), Failed> {
    let workspace = workspace();
    let wasmtime = |options: &[&str], path: &str| {
        output(
            Command::new(program)
                .current_dir(workspace.path())
                .args(["run", "--dir", "."])
                .args(options)
                .arg(component)
                .arg(path),
        )
    };
    check(|path| wasmtime(&[], path))?;
    for (dialect, line) in [
        ("omp", "3:three"),
        ("gateway", "   3 | three"),
        ("comma", "\"content\":\"one\\ntwo\\nthree\\n\""),
        ("gemini", "\"llmContent\":\"one\\ntwo\\nthree\\n\""),
        ("claude", "     3\tthree"),
        ("opencode", "3: three"),
        ("codex", "L3: three"),
    ] {
        let dialect = format!("OMNIREAD_DIALECT={dialect}");
        let (text, code) = wasmtime(&["--env", &dialect], "hello.txt")?;
        assert_eq!((text.contains(line), code), (true, Some(0)), "{text}");
    }
    Ok(())
}
