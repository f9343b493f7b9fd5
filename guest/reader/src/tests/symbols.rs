//! Tests of the selectors of declarations, headings and keys.

use super::*;

fn text(world: &mut MemoryWorld, path: &str) -> String {
    let reply = reply(world, path, &exact());
    let blocks = reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => text.as_str(),
        _ => "",
    });
    blocks.collect::<Vec<_>>().join("\n--\n")
}

fn refused(world: &mut MemoryWorld, path: &str) -> String {
    Dialect::Omp.read(path, &exact(), world).unwrap_err().text
}

const RUST: &str = "//! Doc.\n\n/// A type.\n#[derive(Debug)]\npub struct Type;\n\nimpl Type {\n    /// Makes one.\n    pub fn new() -> Self {\n        Self\n    }\n}\n\npub struct Other;\n\nimpl Other {\n    fn new() -> Self {\n        let x = 1;\n        Self\n    }\n}\n";

#[test]
fn show() {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.rs", RUST.as_bytes());
    world.file(
        "p.json",
        br#"{"scripts":{"build":"tsc"},"users":[{"id":1},{"id":2}]}"#,
    );
    world.file(
        "r.md",
        b"# T\n\n## Install\n\nab\n\n### Linux\n\nx\n\n## Use\n\ny\n",
    );
    world.file(
        "q.html",
        b"<html><body><h1>T</h1><p>a</p><h2>Install</h2><p>b</p><h2>Use</h2></body></html>",
    );
    world.file("b.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    world.file("plain.txt", b"a\nb\n");
    world.file("u.rs", b"fn a() {\n  if x {\n\nfn b() {\n}\n");
    for path in [
        "a.rs:sym:Type",
        "a.rs:sym:new",
        "a.rs:sym:Type::new",
        "a.rs:sym:Type::new:raw",
        "a.rs:sym:Type::new:2-3",
        "a.rs:sym:Type::new:9",
        "a.rs:SYM:nw",
        "a.rs:sym:zzzz",
        "a.rs:18:block",
        "a.rs:18:9:block",
        "a.rs:18:block+1",
        "a.rs:18:block+9",
        "a.rs:13:block",
        "a.rs:99:block",
        "a.rs:0:block",
        "a.rs:sym:",
        "a.rs:18:blocks",
        "p.json:sym:scripts.build",
        "p.json:sym:id",
        "p.json:sym:users.1.id",
        "p.json:sym:nope",
        "r.md:sym:Install",
        "r.md:sym:install",
        "r.md:9:block",
        "r.md:sym:nix",
        "q.html:sym:Install",
        "q.html:1:block",
        "q.html:sym:Nope",
        "b.png:sym:x",
        "plain.txt:sym:a",
        "plain.txt:1:block",
        "u.rs:sym:b",
        "a.rs:sym:new:2",
        "a.rs:sym:new:7",
        ".:sym:x",
        "a.rs:18:block:raw",
    ] {
        match Dialect::Omp.read(path, &exact(), &mut world) {
            Ok(_) => println!("=== {path}\n{}", text(&mut world, path)),
            Err(r) => println!("=== {path} REFUSED {:?}\n{}", r.failure.reason, r.text),
        }
    }
}
