//! Tests of declarations and headings of web addresses.

use super::*;

#[test]
fn pages_and_files_have_symbols() {
    let words = "word ".repeat(150);
    let page = format!(
        "<html><body><main><h1>T</h1><p>{words}</p><h2>Install</h2><p>pip install</p><h2>Use</h2><p>{words}</p></main></body></html>"
    );
    let typed =
        |body: &str, mime: &str| MemoryResponse::new(200, body).header("Content-Type", mime);
    let (mut world, _) = world(&[
        (
            "https://x.org/a.rs",
            text("fn a() {\n    1\n}\n\nfn b() {}\n"),
        ),
        ("https://x.org/p", MemoryResponse::html(&page)),
        (
            "https://x.org/r.md",
            typed("# T\n\n## Install\n\na\n\n## Use\n", "text/markdown"),
        ),
        (
            "https://x.org/d",
            typed("{\"a\":{\"b\":1},\"c\":2}", "application/json"),
        ),
    ]);
    let function = "fn a() {\n    1\n}\n\n[Showing lines 1-3 of 5]";
    for (path, expected) in [
        ("https://x.org/a.rs:sym:a", function),
        ("https://x.org/a.rs:2:8:block", function),
        (
            "https://x.org/p:sym:Install",
            "## Install\n\npip install\n\n[Showing lines 5-7 of 11]",
        ),
        (
            "https://x.org/p:7:block",
            "# T\n…\n## Install\n\npip install\n\n[Showing lines 1, 5-7 of 11]",
        ),
        (
            "https://x.org/r.md:sym:Install",
            "## Install\n\na\n\n[Showing lines 3-5 of 7]",
        ),
        (
            "https://x.org/d:sym:a.b",
            "    \"b\": 1\n\n[Showing line 3 of 6]",
        ),
    ] {
        assert_eq!(shown(&mut world, path).1, expected, "{path}");
    }
    let raw = "https://x.org/p:sym:Install:raw";
    assert_eq!(method(&mut world, raw), Method::Html);
    let refused = Dialect::Omp.read("https://x.org/p:sym:Nope", &exact(), &mut world);
    assert_eq!(
        refused.unwrap_err().text,
        "`https://x.org/p` has no heading `Nope`\nhint: no name is similar; read it with `https://x.org/p`"
    );
}

#[test]
fn files_of_mounts_have_symbols() {
    let mut world = MemoryWorld::new("/ws");
    world.mount("docs").mount("skill");
    let text = "# A\n\n## Fill\n\nb\n\n## Sign\n";
    world.file("docs/a.md", text);
    let skill = format!("---\nname: pdf\ndescription: x\n---\n{text}");
    world.file("skill/pdf/SKILL.md", skill);
    for path in ["docs://a.md:sym:Fill:raw", "skill://pdf:sym:Fill:raw"] {
        let page = reply(&mut world, path, &exact());
        let page = page.answer.page().unwrap();
        assert_eq!(page.text, "## Fill\n\nb\n", "{path}");
    }
    let page = reply(&mut world, "docs://a.md:5:block", &exact());
    let page = page.answer.page().unwrap();
    assert_eq!(page.text, "# A## Fillb");
}
