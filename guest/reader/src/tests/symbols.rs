//! Tests of the selectors of declarations, headings and keys.

use super::*;
use crate::world::memory::MemoryDocument;
use omniread_document as document;

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

/// A tar archive with these members.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, name, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

/// A world with a document that has these units.
fn document(units: &[&str]) -> MemoryWorld {
    let unit = |text: &&str| {
        Ok(document::Unit {
            text: (*text).to_owned(),
            notes: Vec::new(),
            edges: [0, 0],
        })
    };
    let mut world = MemoryWorld::new("/ws");
    world.images = Some(0);
    world.document = Some(Ok(MemoryDocument {
        facts: document::Facts {
            units: (units.len() > 1).then_some(document::UnitKind::Slide),
            list: vec![document::UnitFacts::default(); units.len()],
            ..document::Facts::default()
        },
        units: units.iter().map(unit).collect(),
        ..MemoryDocument::default()
    }));
    for name in ["a.docx", "a.pptx"] {
        world.file(name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec());
    }
    world
}

fn out(world: &mut MemoryWorld, paths: &[&str]) {
    for path in paths {
        match Dialect::Omp.read(path, &exact(), world) {
            Ok(r) => println!(
                "=== {path}\n{}\nNEXT {:?}",
                text(world, path).chars().take(1500).collect::<String>(),
                r.answer.next()
            ),
            Err(r) => println!("=== {path} REFUSED {:?}\n{}", r.failure.reason, r.text),
        }
    }
}

#[test]
fn show() {
    let mut w = MemoryWorld::new("/ws");
    w.file(
        "x.tar",
        tar(&[
            ("a.rs", RUST.as_bytes()),
            ("sym:new", b"literal\n"),
            ("a.rs:sym:Other", b"literal too\n"),
        ]),
    );
    w.file("x.zip", super::web::zip(&[("a.rs", RUST.as_bytes())]));
    w.stdin = RUST.as_bytes().to_vec();
    out(
        &mut w,
        &[
            "x.tar:sym:new",
            "x.tar:a.rs:sym:Other",
            "x.zip:sym:zz",
            "x.tar:a.rs:sym:Type",
            "x.zip:5:block",
        ],
    );
    let o = Options {
        stdin: true,
        ..exact()
    };
    for p in ["-:sym:Type::new", "-:18:block"] {
        println!(
            "=== {p}: {:?}",
            Dialect::Omp
                .read(p, &o, &mut w)
                .map(|r| r.answer.page().unwrap().text.clone())
                .map_err(|r| r.text)
        );
    }
    let mut w = MemoryWorld::new("/ws");
    let mut min = String::from("/*! license */\n");
    for n in 0..40000 {
        min.push_str(&format!("function f{n}(a){{return a+{n}}};"));
    }
    w.file("min.js", min.into_bytes());
    let mut json = String::from("{\"version\":3");
    for n in 0..40000 {
        json.push_str(&format!(
            ",\"k{n}\":{{\"name\":\"x{n}\",\"k{}\":{{\"id\":{n}}}}}",
            n + 1
        ));
    }
    json.push('}');
    println!("{}", json.len());
    w.file("big.json", json.into_bytes());
    w.file("many.rs", "fn new() {}\n".repeat(100000).into_bytes());
    let mut l = String::from("fn long() {\n");
    for n in 0..5000 {
        l.push_str(&format!("    let x{n} = {n};\n"));
    }
    l.push_str("}\nfn b() {}\n");
    w.file("long.rs", l.into_bytes());
    w.file("huge.rs", "fn new() {}\n".repeat(2_000_000).into_bytes());
    w.file(
        "mid.rs",
        format!(
            "{}fn last() {{\n}}\n",
            "// comment comment\n".repeat(400_000)
        )
        .into_bytes(),
    );
    out(
        &mut w,
        &[
            "min.js:sym:f39999",
            "min.js:sym:f",
            "min.js:2:block",
            "big.json:sym:k777",
            "big.json:sym:k777.name",
            "big.json:sym:k777.k778.id",
            "big.json:sym:name",
            "many.rs:sym:new",
            "many.rs:50000:block",
            "long.rs:sym:long",
            "long.rs:sym:b",
            "long.rs:500:block",
            "huge.rs:sym:new",
            "huge.rs:5:block",
            "mid.rs:sym:last",
            "mid.rs:400001:block",
            "mid.rs:sym:lost",
        ],
    );
}
