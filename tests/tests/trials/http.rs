//! `omniread-http.wasm` in `wasmtime serve`: its routes, its tokens, and replies that are those of the command line.
//!
//! The tests are reported as ignored if `wasmtime` is not installed.

mod cluster;
mod pages;
mod server;

use super::programs::wasmtime;
use libtest_mimic::Trial;
use omniread_tests::web::{Page, Site};
use omniread_tests::{Cli, Workspace, image, numbered, pack, portable, project};
use serde_json::{Value, json};
use server::{Response, Server};
use std::io::Write as _;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::thread;

const TOKEN: &str = "0123456789abcdef";

type Test = fn(&Compiled);

pub fn trials() -> Vec<Trial> {
    let wasmtime = wasmtime();
    let is_missing = wasmtime.is_none();
    let compiled = Arc::new(OnceLock::new());
    let tests: [(&str, Test); 11] = [
        ("replies_are_those_of_the_command_line", replies),
        ("calls_are_those_of_the_command_line", calls),
        ("forms_of_a_reply", forms),
        ("refusals_have_a_status_and_a_next_step", refusals),
        ("only_clients_with_the_token_are_answered", tokens),
        ("pages_follow_each_other", pages::links),
        ("pages_are_events", pages::events),
        ("many_clients_and_one_that_leaves", clients),
        ("web_addresses_are_not_read", network),
        ("deployment_of_the_example_starts", cluster::deployment),
        (
            "workload_of_the_example_has_the_component",
            cluster::workload,
        ),
    ];
    let trial = |(name, test): (&str, Test)| {
        let (wasmtime, compiled) = (wasmtime.clone(), Arc::clone(&compiled));
        let run = move || {
            let wasmtime = wasmtime.clone().unwrap_or_default();
            test(compiled.get_or_init(|| Compiled::new(wasmtime)));
            Ok(())
        };
        Trial::test(format!("http::{name}"), run).with_ignored_flag(is_missing)
    };
    tests.into_iter().map(trial).collect()
}

/// The component, compiled once for all servers.
pub struct Compiled {
    wasmtime: PathBuf,
    directory: Workspace,
}

impl Compiled {
    fn new(wasmtime: PathBuf) -> Self {
        let directory = Workspace::new();
        let mut compile = Command::new(&wasmtime);
        compile.current_dir(directory.path());
        compile
            .args(["compile", "-o", "http.cwasm"])
            .arg(component());
        assert!(compile.status().is_ok_and(|status| status.success()));
        Self {
            wasmtime,
            directory,
        }
    }

    fn serve(&self, workspace: &Workspace, variables: &[&str]) -> Server {
        let code = self.directory.path().join("http.cwasm");
        Server::start(&self.wasmtime, &code, &workspace.path(), variables)
    }

    /// A server for clients of this machine.
    fn open(&self, workspace: &Workspace) -> Server {
        self.serve(workspace, &["OMNIREAD_HTTP_TOKEN=none"])
    }
}

/// The component.
fn component() -> PathBuf {
    portable(
        env!("CARGO_BIN_EXE_omniread-under-test"),
        "omniread-http.wasm",
    )
}

/// A file of each kind.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("notes.txt", "one\ntwo\n");
    workspace.file("long.txt", numbered(1000));
    workspace.file("latin.txt", b"caf\xe9\r\nna\xefve\r\n");
    workspace.file("bytes.bin", [0, 159, 146, 150, 0, 1, 2, 3]);
    workspace.file("pack.zip", pack::zip(&[("inner/a.txt", b"member\n")]));
    workspace.file("red.png", image::flat_png(20, 10, 8, 2, 60));
    workspace.file("d/é x.txt", "accent\n");
    for name in [
        "ages.ipynb",
        "app.db",
        "chart.svg",
        "deck.pptx",
        "letter.docx",
        "mail.eml",
        "manual.pdf",
        "novel.epub",
        "orders.csv",
        "sales.xlsx",
    ] {
        let content = std::fs::read(project().join("examples").join(name));
        workspace.file(name, content.expect("an example"));
    }
    workspace
}

/// What the command line prints, with the paths of a server: its root is `/`.
fn expected(workspace: &Workspace, arguments: &[&str]) -> Value {
    let program = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let run = program.run(arguments);
    let root = workspace.path().display().to_string();
    // A failure is printed to standard error.
    let printed = (run.stdout + &run.stderr).replace(&root, "");
    serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
}

fn replies(compiled: &Compiled) {
    let workspace = workspace();
    let server = compiled.open(&workspace);
    for path in [
        "notes.txt",
        "notes.txt:2",
        "notes.txt:raw",
        "long.txt:5-9,40-60",
        "latin.txt",
        "bytes.bin",
        "pack.zip",
        "pack.zip:inner/a.txt",
        "d",
        "d/é x.txt",
        "é x.txt",
        "red.png",
        "chart.svg",
        "app.db",
        "app.db:users",
        "app.db:users:1",
        "app.db?q=select count(*) as n from users",
        "orders.csv?limit=2",
        "sales.xlsx",
        "ages.ipynb",
        "letter.docx",
        "deck.pptx",
        "mail.eml",
        "novel.epub",
        "manual.pdf",
        "manual.pdf:page:1:img",
        "notes.txt; missing.txt; long.txt:3",
        "missing.txt",
        "notes.txt:x-y",
        "app.db?q=drop table users",
        "",
    ] {
        let response = server.get(&query(path), &[("accept", "application/json")]);
        let expected = expected(&workspace, &["--json", "--", path]);
        assert_eq!(response.json(), expected, "{path}");
        let failed = expected.get("error").is_some();
        assert_eq!(response.status >= 400, failed, "{path}: {}", response.head);
    }
}

fn calls(compiled: &Compiled) {
    let workspace = workspace();
    let server = compiled.open(&workspace);
    for (dialect, arguments) in [
        ("omp", json!({ "path": "notes.txt:1" })),
        ("omp", json!({ "file": "notes.txt" })),
        ("gateway", json!({ "path": "notes.txt" })),
        ("comma", json!({ "path": "notes.txt" })),
        ("gemini", json!({ "file_path": "notes.txt" })),
        ("claude", json!({ "file_path": "notes.txt", "limit": 1 })),
        ("claude", json!({ "file_path": "missing.txt" })),
        ("opencode", json!({ "filePath": "notes.txt" })),
        ("codex", json!({ "file_path": "notes.txt" })),
    ] {
        let arguments = arguments.to_string();
        let response = server.post(
            &format!("/call/{dialect}"),
            &[("accept", "application/json")],
            arguments.as_bytes(),
        );
        let mut expected = expected(&workspace, &["--json", "call", dialect, &arguments]);
        let mut replied = response.json();
        // Some of the texts have the absolute path, which is longer on the command line.
        for reply in [&mut replied, &mut expected] {
            if let Some(details) = reply.get_mut("details").and_then(Value::as_object_mut) {
                assert!(details.remove("tokens").is_some(), "{dialect} {arguments}");
            }
        }
        assert_eq!(replied, expected, "{dialect} {arguments}");
    }
    let definitions = server.get("/tools", &[]).json();
    let names: Vec<&String> = definitions.as_object().expect("an object").keys().collect();
    assert_eq!(
        names,
        [
            "claude", "codex", "comma", "gateway", "gemini", "omp", "opencode"
        ]
    );
    let one = server.get("/tools?dialect=claude", &[]).json();
    assert_eq!(one, definitions["claude"]);
    assert_eq!(one["name"], "Read");
    let current = server.get("/tools?dialect=codex&current=on", &[]).json();
    assert!(current["input_schema"].is_object(), "{current}");
}

fn forms(compiled: &Compiled) {
    let workspace = workspace();
    let server = compiled.serve(
        &workspace,
        &["OMNIREAD_HTTP_TOKEN=none", "OMNIREAD_DIALECT=claude"],
    );
    // As text, in the dialect of the server or of the request, with options.
    let text = |target: &str| server.get(target, &[]).text();
    assert_eq!(text("/read?path=notes.txt"), "     1\tone\n     2\ttwo");
    assert_eq!(text("/read?path=notes.txt:raw&dialect=omp"), "one\ntwo\n");
    let numbered = text("/read?path=notes.txt&dialect=omp&hashlines=off&numbers=on");
    assert!(numbered.starts_with("1|one\n2|two"), "{numbered}");
    // As an image.
    let response = server.get("/read?path=red.png", &[("accept", "image/png")]);
    assert_eq!(response.header("content-type"), Some("image/png"));
    let shown = ::image::load_from_memory(&response.body).expect("an image");
    assert_eq!((shown.width(), shown.height()), (20, 10));
    let named = text("/read?path=red.png");
    assert!(named.contains("send `Accept: image/*`"), "{named}");
    // Two headers are one list.
    let headers = [
        ("accept", "text/plain;q=0.1"),
        ("accept", "application/json"),
    ];
    let response = server.get("/read?path=notes.txt", &headers);
    assert_eq!(response.header("content-type"), Some("application/json"));
    let none = server.get("/read?path=notes.txt", &[("accept", "image/*")]);
    assert_eq!(none.status, 406, "{}", none.head);
    // Only the head.
    let head = server.send("HEAD", "/read?path=notes.txt", &[], b"");
    assert_eq!((head.status, head.body.len()), (200, 0), "{}", head.head);
    let missing = server.send("HEAD", "/read?path=missing.txt", &[], b"");
    assert_eq!((missing.status, missing.body.len()), (404, 0));
    // No browser takes a file for a page, and nobody keeps it.
    let response = server.get("/read?path=notes.txt", &[]);
    assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(response.header("cache-control"), Some("no-store"));
}

fn refusals(compiled: &Compiled) {
    let workspace = workspace();
    workspace.link("out", "/etc");
    let server = compiled.open(&workspace);
    let long = format!("/read?path={}", "a".repeat(20_000));
    for (method, target, body, status, part) in [
        ("GET", "/health", "", 200, "ok"),
        ("GET", "/", "", 404, "the routes are"),
        ("GET", "/reads", "", 404, "the routes are"),
        ("POST", "/read?path=notes.txt", "", 405, "use GET"),
        ("GET", "/call/omp", "", 405, "use POST"),
        ("BREW", "/tools", "", 405, "use GET"),
        ("GET", "/read", "", 400, "use `/read?path=PATH`"),
        ("GET", "/read?path=a&path=b", "", 400, "two paths"),
        ("GET", "/read?path=%ff", "", 400, "not UTF-8"),
        ("GET", "/read?path=notes.txt&limit=x", "", 400, "limit"),
        (
            "GET",
            "/read?path=notes.txt&nope=1",
            "",
            400,
            "the options are",
        ),
        ("GET", "/read?path=a&dialect=x", "", 404, "the dialects are"),
        ("GET", "/tools?dialect=x", "", 404, "the dialects are"),
        ("POST", "/call/x", "{}", 404, "the dialects are"),
        ("POST", "/call/omp", "{", 400, "JSON"),
        ("POST", "/call/omp", "", 400, ""),
        ("GET", &long, "", 414, "longer than"),
        ("GET", "/read?path=missing.txt", "", 404, "not found"),
        // The root of the server is `/`, which has no parent.
        ("GET", "/read?path=../etc/passwd", "", 404, "not found"),
        ("GET", "/read?path=out/passwd", "", 403, ""),
        (
            "GET",
            "/read?path=notes.txt:x-y",
            "",
            404,
            "is not a selector",
        ),
        ("GET", "/read?path=bytes.bin&dialect=comma", "", 422, ""),
    ] {
        let response = server.send(method, target, &[], body.as_bytes());
        let text = response.text();
        assert_eq!(response.status, status, "{method} {target}: {text}");
        assert!(text.contains(part), "{method} {target}: {text}");
        let allow = response.header("allow");
        assert_eq!(allow.is_some(), status == 405, "{method} {target}");
        let json = [("accept", "application/json")];
        let response = server.send(method, target, &json, body.as_bytes());
        assert_eq!(response.status, status, "{method} {target}");
        if status != 200 {
            let error = &response.json()["error"];
            assert!(error["kind"].is_string(), "{method} {target}: {error}");
            assert!(error["message"].is_string(), "{method} {target}: {error}");
        }
    }
    // The body is read to the limit, whether its length is stated or not.
    let large = vec![b' '; (1 << 20) + 1];
    let response = server.post("/call/omp", &[], &large);
    assert_eq!(response.status, 413, "{}", response.head);
    let response = server.chunked("/call/omp", &large);
    assert_eq!(response.status, 413, "{}", response.head);
    let response = server.post("/call/omp", &[], b"\xff");
    assert_eq!(response.status, 400, "{}", response.head);
    let padded = format!("{{\"path\": \"notes.txt:2\"}}{}", " ".repeat(1 << 19));
    let response = server.chunked("/call/omp", padded.as_bytes());
    assert!(response.text().contains("2:two"), "{}", response.text());
}

fn tokens(compiled: &Compiled) {
    let workspace = workspace();
    let target = "/read?path=notes.txt";
    let with = format!("OMNIREAD_HTTP_TOKEN={TOKEN}");
    let server = compiled.serve(&workspace, &[&with]);
    let authorized = |value: &str| server.get(target, &[("authorization", value)]).status;
    assert_eq!(authorized(&format!("Bearer {TOKEN}")), 200);
    for wrong in [
        "",
        "Bearer",
        "Bearer 0123456789abcdeg",
        "Basic 0123456789abcdef",
    ] {
        assert_eq!(authorized(wrong), 401, "{wrong}");
    }
    let refused = server.get(target, &[]);
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    assert!(!refused.text().contains(TOKEN));
    assert_eq!(server.get("/tools", &[]).status, 401);
    assert_eq!(server.post("/call/omp", &[], b"{}").status, 401);
    assert_eq!(server.get("/health", &[]).status, 200);

    let open = compiled.open(&workspace);
    assert_eq!(open.get(target, &[]).status, 200);
    for headers in [
        [("origin", "https://a.example")],
        [("host", "a.example")],
        [("host", "localhost.a.example:80")],
    ] {
        assert_eq!(open.get(target, &headers).status, 403, "{headers:?}");
    }

    for variables in [&[][..], &["OMNIREAD_HTTP_TOKEN=short"][..]] {
        let unset = compiled.serve(&workspace, variables);
        let refused = unset.get(target, &[("authorization", "Bearer short")]);
        assert_eq!(refused.status, 503, "{variables:?}");
        assert!(refused.text().contains("OMNIREAD_HTTP_TOKEN"));
        assert_eq!(unset.get("/health", &[]).status, 200);
    }
}

fn clients(compiled: &Compiled) {
    let workspace = workspace();
    workspace.file("large.txt", numbered(100_000));
    let server = compiled.open(&workspace);
    // It asks for much, and does not wait for it.
    let mut leaving = TcpStream::connect(server.address()).expect("a connection");
    let request = b"GET /read?path=large.txt&all=on HTTP/1.1\r\nhost: localhost\r\n\r\n";
    leaving.write_all(request).expect("a request");
    drop(leaving);
    thread::scope(|scope| {
        let all: Vec<_> = (0..64)
            .map(|_| scope.spawn(|| server.get("/read?path=notes.txt:raw", &[])))
            .collect();
        for one in all {
            let response: Response = one.join().expect("a client");
            assert_eq!(
                (response.status, response.text()),
                (200, "one\ntwo\n".to_owned())
            );
        }
    });
    let whole = server.get("/read?path=large.txt:raw&all=on", &[]);
    assert_eq!(whole.text(), numbered(100_000));
}

fn network(compiled: &Compiled) {
    let web = Site::new()
        .page("/a.txt", Page::new("text/plain", "secret"))
        .serve();
    let workspace = workspace();
    let server = compiled.open(&workspace);
    let response = server.get(&query(&web.url("/a.txt")), &[]);
    assert!(response.status >= 400, "{}", response.text());
    assert!(!response.text().contains("secret"));
    assert_eq!(web.connections(), 0);
}

/// The address that reads a path.
fn query(path: &str) -> String {
    let encoded: String = path
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    format!("/read?path={encoded}")
}
