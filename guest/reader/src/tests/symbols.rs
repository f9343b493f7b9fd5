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

/// Asserts the texts of replies.
fn check(world: &mut MemoryWorld, cases: &[(&str, &str)]) {
    for (path, expected) in cases {
        assert_eq!(text(world, path), *expected, "{path}");
    }
}

fn sources() -> MemoryWorld {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.rs", RUST.as_bytes());
    world.file("c:1.rs", RUST.as_bytes());
    world
}

const NEW: &str = "8:    /// Makes one.\n9:    pub fn new() -> Self {\n10:        Self\n11:    }\n";

#[test]
fn declaration_is_read_by_its_name_with_its_comments() {
    let mut world = sources();
    let new = format!("[a.rs#F824]\n{NEW}\n[Showing lines 8-11 of 21]");
    for path in [
        "a.rs:sym:Type::new",
        "a.rs:SYM:Type.new",
        "a.rs:sym:Type#new()",
    ] {
        check(&mut world, &[(path, &new)]);
    }
    let escaped = new.replace("a.rs", "c:1.rs");
    check(
        &mut world,
        &[
            ("c:1.rs:sym:Type::new", &escaped),
            ("c\\:1.rs:sym:Type\\:\\:new", &escaped),
            (
                "a.rs:sym:Type",
                "[a.rs#F824]\n3:/// A type.\n4:#[derive(Debug)]\n5:pub struct Type;\n\n[Showing lines 3-5 of 21]",
            ),
            (
                "a.rs:sym:Type::new:2-3",
                "[a.rs#F824]\n9:    pub fn new() -> Self {\n10:        Self\n\n[Showing lines 9-10 of 21]",
            ),
            (
                "a.rs:sym:Type::new:9",
                "[Line 9 is beyond end of `:sym:Type::new` (4 lines total). Use :sym:Type::new:1 to read from the start, or :sym:Type::new:4 to read the last line.]",
            ),
        ],
    );
    assert_eq!(
        raw(&mut world, "a.rs:sym:Type::new:raw"),
        "    /// Makes one.\n    pub fn new() -> Self {\n        Self\n    }\n"
    );
}

#[test]
fn several_declarations_of_one_name_are_listed_with_their_paths() {
    let mut world = sources();
    let list = "2 declarations named `new` (append one to `a.rs`):\n\
                :8-11 fn Type.new: pub fn new() -> Self {\n\
                :17-20 fn Other.new: fn new() -> Self {";
    let last = list.lines().nth(2).unwrap();
    check(
        &mut world,
        &[("a.rs:sym:new", list), ("a.rs:sym:new:3", last)],
    );
}

#[test]
fn unknown_name_and_line_have_paths_that_read() {
    let mut world = sources();
    for (path, expected) in [
        (
            "a.rs:sym:nw",
            "`a.rs` has no declaration `nw`\nhint: similar names: `a.rs:sym:Type.new`, `a.rs:sym:Other.new`; read it with `a.rs`",
        ),
        (
            "c:1.rs:sym:zzz",
            "`c:1.rs` has no declaration `zzz`\nhint: no name is similar; read it with `c\\:1.rs`",
        ),
        (
            "a.rs:13:block",
            "line 13 of `a.rs` is in no declaration\nhint: the nearest are `a.rs:7-12` (Type) and `a.rs:14-14` (Other)",
        ),
        (
            "a.rs:99:block",
            "`a.rs` has 21 lines, so line 99 does not exist",
        ),
    ] {
        assert_eq!(refused(&mut world, path), expected, "{path}");
    }
    for path in ["a.rs:sym:Other.new", "c\\:1.rs:sym:Type.new"] {
        assert!(text(&mut world, path).contains("new() -> Self"), "{path}");
    }
}

#[test]
fn block_around_a_line_has_the_heads_of_those_around_it() {
    let mut world = sources();
    let new = "17:    fn new() -> Self {\n18:        let x = 1;\n19:        Self\n20:    }\n";
    let inner = format!("[a.rs#F824]\n16:impl Other {{\n{new}\n[Showing lines 16-20 of 21]");
    let outer = format!("[a.rs#F824]\n16:impl Other {{\n{new}21:}}\n\n");
    let shown = "[Showing lines 16-21 of 21]";
    let note = "[`:18:block+1` is the outermost block around line 18: `Other`]";
    check(
        &mut world,
        &[
            ("a.rs:18:block", &inner),
            ("a.rs:18:9:block", &inner),
            ("a.rs:L18:BLOCK", &inner),
            ("a.rs:18:block+1", &format!("{outer}{shown}")),
            ("a.rs:18:block+9", &format!("{outer}{note}\n{shown}")),
        ],
    );
    assert_eq!(
        raw(&mut world, "a.rs:18:block:2-4:raw"),
        "        let x = 1;\n        Self\n    }\n"
    );
}

#[test]
fn names_that_look_like_selectors_belong_to_files_and_members() {
    let mut world = sources();
    world.file("a.rs:sym:new", b"the file\n");
    world.file("a.rs:18:block", b"the file\n");
    let members: &[(&str, &[u8])] = &[
        ("a.rs", RUST.as_bytes()),
        ("sym:new", b"the member\n"),
        ("a.rs:sym:Other", b"the member\n"),
    ];
    world.file("x.tar", tar(members));
    world.file("x.zip", super::web::zip(&[("a.rs", RUST.as_bytes())]));
    for (path, shown) in [
        ("a.rs:sym:new", "the file"),
        ("a.rs:18:block", "the file"),
        ("x.tar:sym:new", "the member"),
        ("x.tar:a.rs:sym:Other", "the member"),
        ("x.tar:a.rs:sym:Type::new", "Makes one"),
        ("x.zip:a.rs:sym:Type::new", "Makes one"),
        ("x.zip:a.rs:18:block", "let x = 1;"),
        ("a.rs:18:9:block", "let x = 1;"),
    ] {
        assert!(text(&mut world, path).contains(shown), "{path}");
    }
    assert_eq!(
        refused(&mut world, "x.zip:sym:new"),
        "`x.zip` is a zip archive; `:sym:new` does not apply to it"
    );
}

#[test]
fn headings_and_keys_are_symbols() {
    let mut world = MemoryWorld::new("/ws");
    let files: &[(&str, &str)] = &[
        (
            "r.md",
            "# T\n\n## Install\n\na\n\n### Linux\n\nb\n\n## Use\n",
        ),
        (
            "p.json",
            "{\n  \"a\": {\n    \"build\": 1\n  },\n  \"b\": {\n    \"build\": 2\n  }\n}\n",
        ),
        ("p.yaml", "a:\n  x: 1\nb:\n  x: 2\n"),
        ("p.toml", "[a]\nx = 1\n[b]\nx = 2\n"),
        (
            "s.sql",
            "CREATE TABLE users (\n  id int\n);\nCREATE TABLE rows (id int);\n",
        ),
        (
            "p.html",
            "<h1>T</h1><p>a</p><h2>Install</h2><p>b</p><h2>Use</h2>",
        ),
        ("x.txt", "a\n"),
        ("x.png", "\u{89}PNG\r\n\u{1a}\n\0\0\0\rIHDR"),
    ];
    for (name, content) in files {
        let content: Vec<u8> = match *name {
            "x.png" => content.chars().map(|c| c as u8).collect(),
            _ => content.as_bytes().to_vec(),
        };
        world.file(name, content);
    }
    for (path, shown) in [
        ("r.md:sym:Install", "## Install\n\na\n\n### Linux\n\nb\n"),
        ("r.md:sym:linux", "### Linux\n\nb\n"),
        ("r.md:8:block+1", "## Install\n\na\n\n### Linux\n\nb\n"),
        ("p.json:sym:b.build", "    \"build\": 2\n"),
        ("p.json:3:block", "    \"build\": 1\n"),
        ("p.yaml:sym:a.x", "  x: 1\n"),
        ("p.toml:sym:b.x", "x = 2\n"),
        ("s.sql:sym:users", "CREATE TABLE users (\n  id int\n);\n"),
        ("p.html:sym:Install", "## Install\n\nb\n"),
    ] {
        assert_eq!(raw(&mut world, &format!("{path}:raw")), shown, "{path}");
    }
    for (path, message) in [
        ("r.md:sym:nix", "`r.md` has no heading `nix`"),
        ("p.json:sym:c", "`p.json` has no key `c`"),
        (
            "p.html:sym:Nope",
            "`p.html` has no heading `Nope`\nhint: no name is similar; read it with `p.html:`",
        ),
        (
            "x.txt:sym:a",
            "`x.txt` is not in a format with declarations",
        ),
        (
            "x.png:sym:a",
            "`x.png` is a PNG image; `:sym:a` does not apply to it",
        ),
    ] {
        let failure = refused(&mut world, path);
        assert!(failure.starts_with(message), "{path}: {failure}");
    }
}

#[test]
fn headings_of_documents_are_symbols_of_their_text() {
    let mut world = document(&["# T\n\n## Install\n\na\n\n## Use\n\nb"]);
    for path in ["a.docx:sym:Install:raw", "a.docx:5:block:raw"] {
        assert_eq!(raw(&mut world, path), "## Install\n\na\n", "{path}");
    }
    let block = text(&mut world, "a.docx:5:block");
    assert!(block.starts_with("# T\n…\n## Install\n\na\n"), "{block}");
    let mut world = document(&["# T\n\n## Install\n\na", "## Use\n\nb", "## Install\n\nc"]);
    let list = text(&mut world, "a.pptx:sym:Install");
    let (head, paths) = list.split_once('\n').unwrap();
    assert_eq!(head, "2 headings named `Install` (append one to `a.pptx`):");
    let last = paths.lines().last().unwrap().split(' ').next().unwrap();
    let second = raw(&mut world, &format!("a.pptx{last}:raw"));
    assert!(second.starts_with("## Install\n\nc"), "{second}");
    let of_name = raw(&mut world, "a.pptx:sym:Use:raw");
    assert!(of_name.starts_with("## Use\n\nb\n"), "{of_name}");
}

#[test]
fn cells_of_notebooks_have_symbols() {
    let mut world = MemoryWorld::new("/ws");
    let notebook = br##"{"cells":[{"cell_type":"markdown","metadata":{},"source":["# Title\n","text"]},{"cell_type":"code","execution_count":1,"metadata":{},"outputs":[],"source":["def f():\n","    return 1\n"]}],"metadata":{"language_info":{"name":"python"}},"nbformat":4,"nbformat_minor":5}"##;
    world.file("a.ipynb", notebook.as_slice());
    for (path, shown) in [
        ("a.ipynb:sym:f", "\n5:def f():\n6:    return 1\n"),
        ("a.ipynb:6:block", "\n5:def f():\n6:    return 1\n"),
        ("a.ipynb:sym:Title", "\n2:# Title\n3:text\n"),
    ] {
        assert!(text(&mut world, path).contains(shown), "{path}");
    }
}

#[test]
fn standard_input_has_symbols_if_its_format_is_known() {
    let mut world = sources();
    let options = Options {
        stdin: true,
        ..exact()
    };
    world.stdin = b"#!/usr/bin/env python3\ndef f():\n    return 1\n\ndef g(): pass\n".to_vec();
    for path in ["-:sym:f:raw", "-:3:block:raw"] {
        let reply = Dialect::Omp.read(path, &options, &mut world).unwrap();
        let page = reply.answer.page().unwrap();
        assert_eq!(page.text, "def f():\n    return 1\n", "{path}");
    }
    world.stdin = b"hello\n".to_vec();
    let refused = Dialect::Omp
        .read("-:sym:f", &options, &mut world)
        .unwrap_err();
    assert!(
        refused.text.starts_with("`-` is not in a format"),
        "{}",
        refused.text
    );
}

#[test]
fn symbols_are_read_in_every_dialect() {
    let mut world = sources();
    for dialect in Dialect::ALL {
        let file = match dialect {
            Dialect::Comma => "a.rs",
            _ => "/ws/a.rs",
        };
        for (suffix, shown) in [
            (":sym:Type::new", "/// Makes one."),
            (":18:block", "let x = 1;"),
            (":18:9:block+1", "let x = 1;"),
            (":sym:new", ":17-20 fn Other.new"),
        ] {
            let path = format!("{file}{suffix}");
            let reply = dialect.read(&path, &exact(), &mut world);
            let reply = reply.unwrap_or_else(|refused| panic!("{path}: {}", refused.text));
            let page = reply.answer.page().unwrap();
            assert!(
                page.text.contains(shown) && !page.text.contains("//! Doc."),
                "{dialect:?} {path}: {}",
                page.text
            );
        }
        let path = format!("{file}:sym:nope");
        let refused = dialect.read(&path, &exact(), &mut world).unwrap_err();
        assert_eq!(
            refused.failure.reason,
            Reason::InvalidSelector("sym:nope".to_owned()),
            "{dialect:?}"
        );
    }
}

#[test]
fn many_declarations_of_one_name_are_counted() {
    let mut world = MemoryWorld::new("/ws");
    world.file("a.rs", "fn new() {}\n".repeat(100_000));
    let list = text(&mut world, "a.rs:sym:new");
    assert!(
        list.starts_with("100,000 declarations named `new`"),
        "{list}"
    );
    assert_eq!(list.matches("fn new: fn new() {}").count(), 100);
    assert!(
        list.contains(
            "[only the first 100 of 100,000 are listed; `a.rs:101-400` reads on after the last one]"
        ),
        "{list}"
    );
    world.file(
        "b.rs",
        format!("impl T {{\n{}}}\n", "    fn new() {}\n".repeat(200)),
    );
    let list = text(&mut world, "b.rs:sym:new");
    assert!(
        list.contains("are listed; write the names around one too, as in `:sym:Outer.new`]"),
        "{list}"
    );
    // Only a text that is longer than a page is read as an outline.
    world.file("c.rs", "fn one() {\n    1\n}\n".repeat(2_000));
    assert_eq!(
        refused(&mut world, "c.rs:sym:zzz"),
        "`c.rs` has no declaration `zzz`\nhint: no name is similar; read its outline with `c.rs`"
    );
    let block = raw(&mut world, "a.rs:70000:block:raw");
    assert_eq!(block, "fn new() {}\n");
}

#[test]
fn pages_of_a_long_declaration_show_all_of_it() {
    let mut world = MemoryWorld::new("/ws");
    let mut content = String::from("fn b() {}\n\n// It is long.\nfn long() {\n");
    for n in 0..5000 {
        content.push_str(&format!("    let x{n} = {n};\n"));
    }
    content.push_str("}\nfn c() {}\n");
    world.file("a.rs", content);
    let pages = chain(&mut world, "a.rs:sym:long", &exact());
    assert!(pages.len() > 1);
    assert_eq!(shown_once(&pages), (3..=5005).collect::<Vec<_>>());
}

#[test]
fn unbalanced_code_has_symbols() {
    let mut world = MemoryWorld::new("/ws");
    world.file(
        "a.rs",
        b"fn a() {\n    if x {\n\nfn b() {\n}\n\nimpl ) {\n".as_slice(),
    );
    assert_eq!(raw(&mut world, "a.rs:sym:b:raw"), "fn b() {\n}\n");
    let block = raw(&mut world, "a.rs:2:block:raw");
    assert!(block.starts_with("fn a() {\n"), "{block}");
}

#[test]
fn declaration_whose_brackets_do_not_match_has_a_note() {
    let mut world = MemoryWorld::new("/ws");
    let mut content = String::from("fn first() {}\nfn a() {\n    if x {\n    y();\n\n");
    for n in 0..200 {
        content.push_str(&format!("    fn f{n}() {{\n        z();\n    }}\n"));
    }
    world.file("a.rs", content);
    world.file("a.json", b"{\"a\": {\n \"b\": 1\n".as_slice());
    let note = "brackets do not match from line 2 on";
    for path in ["a.rs:sym:a", "a.rs:4:block"] {
        let shown = text(&mut world, path);
        assert!(shown.contains(note), "{path}: {shown}");
    }
    let first = text(&mut world, "a.rs:sym:first");
    assert!(!first.contains("brackets"), "{first}");
    let missing = refused(&mut world, "a.rs:sym:unknown_name");
    assert!(missing.contains(note), "{missing}");
    let key = text(&mut world, "a.json:sym:a");
    assert!(key.contains("brackets do not match from line"), "{key}");
}

#[test]
fn column_of_a_long_line_selects_the_declaration_around_it() {
    let mut world = MemoryWorld::new("/ws");
    let mut content = String::from("/*! License */\n");
    for n in 0..400 {
        content.push_str(&format!("function f{n}(a){{return a+{n}}};"));
    }
    let column = content.find("a+77}").unwrap() - "/*! License */\n".len() + 1;
    world.file("a.min.js", content);
    let path = format!("a.min.js:2:{column}:block:raw");
    assert_eq!(raw(&mut world, &path), "function f77(a){return a+77}\n");
}

#[test]
fn larger_block_has_other_lines() {
    let mut world = MemoryWorld::new("/ws");
    world.file(
        "a.yaml",
        b"top:\n  list:\n    - name: x\n      deep:\n        id: 1\n    - name: y\nlast: 1\n"
            .as_slice(),
    );
    let mut before = String::new();
    for steps in 0..4 {
        let shown = raw(&mut world, &format!("a.yaml:5:block+{steps}:raw"));
        assert!(shown.len() > before.len(), "+{steps}: {shown}");
        before = shown;
    }
}

#[test]
fn keys_with_several_readings_are_listed_with_their_own_paths() {
    let mut world = MemoryWorld::new("/ws");
    let members: Vec<String> = (0..60)
        .map(|n| format!("\"a{n}\":{{\"b\":{{\"c\":{n}}},\"b.c\":\"dotted {n}\"}}"))
        .collect();
    world.file("a.json", format!("{{{}}}", members.join(",")));
    for (query, count) in [("a7.b.c", 2), ("c", 60), ("b.c", 100)] {
        let list = raw(&mut world, &format!("a.json:sym:{query}:raw"));
        let mut rows = 0;
        for row in list.lines().filter(|row| row.starts_with(":sym:")) {
            let (selector, rest) = row.split_once(" key ").unwrap();
            let (_, head) = rest.split_once(": ").unwrap();
            let read = raw(&mut world, &format!("a.json{selector}:raw"));
            assert_eq!(read.trim_end(), head, "{selector}");
            rows += 1;
        }
        assert_eq!(rows, count, "{query}: {list}");
    }
}

#[test]
fn list_has_the_signatures_and_nearest_lines_have_the_comments() {
    let mut world = MemoryWorld::new("/ws");
    world.file(
        "a.py",
        b"class A:\n    @overload\n    def f(self, a: int): ...\n\n    @overload\n    def f(self, a: str): ...\n".as_slice(),
    );
    world.file(
        "a.cc",
        b"template <typename T>\nT f(T a) { return a; }\n\ntemplate <typename T, int N>\nT f(T a) {\n  return a;\n}\n".as_slice(),
    );
    let list = text(&mut world, "a.py:sym:f");
    assert!(list.contains(": def f(self, a: int): ...\n"), "{list}");
    let list = text(&mut world, "a.cc:sym:f");
    assert!(list.contains(": T f(T a) { return a; }\n"), "{list}");
    assert!(list.contains(": T f(T a) {"), "{list}");
    world.file(
        "a.rs",
        b"use a;\n\n\n\n// Doc.\n#[inline]\nfn a() {\n}\n".as_slice(),
    );
    let near = refused(&mut world, "a.rs:3:block");
    assert!(near.contains("`a.rs:5-8` (a)"), "{near}");
}

#[test]
fn declaration_of_a_minified_file_is_shown_without_the_rest_of_its_line() {
    let mut world = MemoryWorld::new("/ws");
    let license = "/*! License */\n";
    let mut content = String::from(license);
    for n in 0..40_000 {
        content.push_str(&format!("function f{n}(a){{return a+{n}}};"));
    }
    let column = content.find("function f777(").unwrap() - license.len() + 1;
    world.file("a.min.js", content);
    let declaration = "function f777(a){return a+777}";
    let last = column + declaration.len() - 1;
    let shown = format!("{declaration}\n\n[`f777` has columns {column} to {last} of line 2]");
    check(&mut world, &[("a.min.js:sym:f777", &shown)]);
    assert_eq!(
        refused(&mut world, "a.min.js:2:block"),
        "line 2 of `a.min.js` is long and has several declarations\nhint: name one of them, as in `a.min.js:sym:f0`"
    );
}

#[test]
fn keys_of_a_large_file_in_one_line_are_found_by_their_paths() {
    let mut world = MemoryWorld::new("/ws");
    let mut content = String::from("{\"version\":3");
    for n in 0..42_000 {
        let inner = n + 1;
        content.push_str(&format!(
            ",\"k{n}\":{{\"name\":\"x{n}\",\"k{inner}\":{{\"id\":{n}}}}}"
        ));
    }
    content.push('}');
    assert!(content.len() > 2_000_000);
    world.file("a.json", content);
    for (path, shown) in [
        (
            "k777",
            "\"k777\":{\"name\":\"x777\",\"k778\":{\"id\":777}}\n",
        ),
        ("k777.k778", "\"k778\":{\"id\":777}\n"),
        ("k777.k778.id", "\"id\":777\n"),
        ("k41999.name", "\"name\":\"x41999\"\n"),
    ] {
        let path = format!("a.json:sym:{path}:raw");
        assert_eq!(raw(&mut world, &path), shown, "{path}");
    }
    let list = text(&mut world, "a.json:sym:name");
    assert!(list.starts_with("42,000 keys named `name`"), "{list}");
    let entry = "\n:sym:k99.name key k99.name: \"name\":\"x99\"";
    assert!(list.contains(entry), "{list}");
}

#[test]
fn names_of_symbols_that_look_like_selectors_are_found() {
    let mut world = MemoryWorld::new("/ws");
    world.file(
        "a.rb",
        "class A::Raw\nend\n\nclass RAW\nend\n\ndef raw\nend\n".to_owned(),
    );
    assert_eq!(
        text(&mut world, "a.rb:sym:A::Raw"),
        "[a.rb#9D43]\n1:class A::Raw\n2:end\n\n[Showing lines 1-2 of 8]"
    );
    assert_eq!(raw(&mut world, "a.rb:sym:raw:raw"), "def raw\nend\n");
    assert_eq!(raw(&mut world, "a.rb:sym:RAW:raw"), "class RAW\nend\n");
    world.file(
        "a.json",
        "{\"raw\": 1,\n\"10-20\": 2,\n\"a:b\": 3,\n\"a:5\": 4,\n\"x.y\": 5,\n\"x\": {\"y\": 6},\n\"5:block\": 7,\n\"sym:z\": 8,\n\"é \\u00fc\": 9}\n".to_owned(),
    );
    for (name, line) in [
        ("raw", "{\"raw\": 1,\n"),
        ("10-20", "\"10-20\": 2,\n"),
        ("a:b", "\"a:b\": 3,\n"),
        ("a\\:5", "\"a:5\": 4,\n"),
        ("\"x.y\"", "\"x.y\": 5,\n"),
        ("\"x\".y", "\"x\": {\"y\": 6},\n"),
        ("5:block", "\"5:block\": 7,\n"),
        ("sym:z", "\"sym:z\": 8,\n"),
        ("é ü", "\"é \\u00fc\": 9}\n"),
    ] {
        let path = format!("a.json:sym:{name}:raw");
        assert_eq!(raw(&mut world, &path), line, "{name}");
    }
}

#[test]
fn long_text_is_searched_in_pieces() {
    let mut world = MemoryWorld::new("/ws");
    let mut content = String::from("/* A dump. */\nCREATE TABLE `first` (\n  id int\n);\n\n");
    let row = "INSERT INTO `first` VALUES (1,'it\\'s; CREATE TABLE no ('),(2,\"x\");\n";
    content.push_str(&row.repeat(50_000));
    content.push_str("\n-- The second one.\nCREATE TABLE `second` (\n  id int\n);\n");
    content.push_str(&row.repeat(20_000));
    content.push_str("CREATE TABLE `first` (\n  other int\n);\n");
    assert!(content.len() > 2 * limits::SYMBOL_PIECE_BYTES);
    world.file("a.sql", content.as_bytes());
    assert_eq!(
        raw(&mut world, "a.sql:sym:second:raw"),
        "-- The second one.\nCREATE TABLE `second` (\n  id int\n);\n"
    );
    check(
        &mut world,
        &[(
            "a.sql:sym:first",
            "2 declarations named `first` (append one to `a.sql`):\n:1-4 type first: CREATE TABLE `first` (\n:70011-70013 type first: CREATE TABLE `first` (",
        )],
    );
    assert_eq!(
        raw(&mut world, "a.sql:50009:block:raw"),
        "-- The second one.\nCREATE TABLE `second` (\n  id int\n);\n"
    );
    assert_eq!(
        refused(&mut world, "a.sql:60000:block"),
        "line 60000 of `a.sql` is in no declaration\nhint: the nearest are `a.sql:50007-50010` (`second`) and `a.sql:70011-70013` (`first`)"
    );
    assert_eq!(
        refused(&mut world, "a.sql:sym:secnd"),
        "`a.sql` has no declaration `secnd`\nhint: similar names: `a.sql:sym:second`; read it with `a.sql`"
    );
    assert_eq!(
        refused(&mut world, "a.sql:70099:block"),
        "`a.sql` has 70013 lines, so line 70099 does not exist"
    );
    // A stream, which is read once from its start.
    let packed = tar(&[("a.sql", content.as_bytes())]);
    world.file("a.tar", packed);
    assert_eq!(
        raw(&mut world, "a.tar:a.sql:sym:second:raw"),
        "-- The second one.\nCREATE TABLE `second` (\n  id int\n);\n"
    );
}

#[test]
fn dense_text_with_too_many_declarations_for_one_scan_is_searched_in_pieces() {
    let mut world = MemoryWorld::new("/ws");
    let many = omniread_outline::limits::ITEMS + 1;
    world.file("c.rs", "fn f(){}\n".repeat(many) + "fn last() {\n}\n");
    assert_eq!(raw(&mut world, "c.rs:sym:last:raw"), "fn last() {\n}\n");
    let block = format!("c.rs:{}:block:raw", many + 2);
    assert_eq!(raw(&mut world, &block), "fn last() {\n}\n");
    let list = text(&mut world, "c.rs:sym:f");
    assert!(list.starts_with("200,001 declarations named `f`"), "{list}");
}

#[test]
fn long_prose_is_divided_at_its_outermost_headings() {
    let mut world = MemoryWorld::new("/ws");
    let mut content = String::new();
    for n in 0..3000 {
        let text = "Some text of a chapter.\n".repeat(40);
        content.push_str(&format!("# Chapter {n}\n\n{text}\n## Notes\n\nEnd.\n"));
    }
    world.file("a.md", content);
    let text = raw(&mut world, "a.md:sym:Chapter 2777/Notes:raw");
    assert_eq!(text, "## Notes\n\nEnd.\n");
    let block = raw(&mut world, "a.md:127786:block:raw");
    assert_eq!(block, "## Notes\n\nEnd.\n");
}

#[test]
fn search_that_reaches_a_limit_states_what_was_searched() {
    let mut world = MemoryWorld::new("/ws");
    // One block, without a place to divide it.
    let mut content = String::from("int first;\n\nint f(void) {\n");
    content.push_str(&"    g(\"some argument of the function\");\n".repeat(1_000_000));
    content.push_str("}\nint last(void) {\n}\n");
    world.file("a.c", content);
    let refused = Dialect::Omp
        .read("a.c:sym:last", &exact(), &mut world)
        .unwrap_err();
    assert_eq!(
        refused.text,
        "`a.c` is too long for `:sym:last`: only lines 1 to 1 were searched, because the block after them has more than 32.0MB\nhint: read lines of it, as with `a.c:2-301`"
    );
    assert!(matches!(refused.failure.reason, Reason::Limit { .. }));
    let keys = format!("{{\"a\": \"{}\"}}", "x".repeat(limits::SYMBOL_KEYS_BYTES));
    world.file("a.json", keys);
    assert_eq!(
        self::refused(&mut world, "a.json:sym:a"),
        "`a.json` is too long for `:sym:a`: keys are searched for in at most 64.0MB\nhint: read lines of it, as with `a.json:1-300`"
    );
}
