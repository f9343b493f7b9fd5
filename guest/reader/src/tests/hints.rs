//! A test of the paths in all hints.

use super::paths::{DECK, slides};
use super::*;
use base64::Engine as _;

/// An image of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// Files of many kinds, by name.
fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let png = base64::engine::general_purpose::STANDARD
        .decode(PNG)
        .unwrap();
    let binary = b"\0\x01\x02\x03\xff\xfe".repeat(20);
    vec![
        ("x.bin", binary.clone()),
        ("bad.png", binary.clone()),
        ("bad.ipynb", binary.clone()),
        ("x.rar", [b"Rar!\x1a\x07\0".as_slice(), &binary].concat()),
        ("ok.png", png.clone()),
        (
            "ok.gif",
            b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
                .to_vec(),
        ),
        (
            "ok.bmp",
            [
                b"BM".as_slice(),
                &58u32.to_le_bytes(),
                &[0; 4],
                &54u32.to_le_bytes(),
                &40u32.to_le_bytes(),
                &1u32.to_le_bytes(),
                &1u32.to_le_bytes(),
                &1u16.to_le_bytes(),
                &24u16.to_le_bytes(),
                &[0; 24],
                &[0; 4],
            ]
            .concat(),
        ),
        ("n.txt", b"1\n2\n3\n".to_vec()),
        (
            "merge.rs",
            b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n".to_vec(),
        ),
        ("code.py", b"def hello():\n    pass\n".to_vec()),
        ("d.json", b"{\n\"users\": [[1, [2]]]\n}\n".to_vec()),
        ("r.md", b"# Use\n\n## Install\n\ntext\n".to_vec()),
        (
            "p.html",
            b"<!DOCTYPE html>\n<title>t</title>\n<h1 id=a>A</h1><p>text</p>\n".to_vec(),
        ),
        (
            "s.svg",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\"/>\n".to_vec(),
        ),
        ("c.csv", b"id,name\n1,ann\n".to_vec()),
        (
            "m.eml",
            b"From: a@example.org\nSubject: x\n\ntext\n".to_vec(),
        ),
        ("deck.pptx", DECK.to_vec()),
        (
            "a.zip",
            web::zip(&[
                ("one.log", b"1\n2\n"),
                ("d/x.bin", &binary),
                ("d/r.md", b"# a\n"),
            ]),
        ),
    ]
}

const SUFFIXES: [&str; 34] = [
    ":sym:nope",
    ":sym:a",
    ":1:block",
    ":99999:block+1",
    ":foo",
    ":img",
    ":image:1",
    ":image:99",
    ":cell:9",
    ":page:2",
    ":page:1-2",
    ":slide:2",
    ":slide:99",
    ":full",
    ":full:5-9",
    ":#nope",
    "#nope",
    ":x.md",
    "/x.md",
    "/d/y.bin",
    ":lines 1-2",
    ":users[0]",
    ":users[0][1][0]",
    "?q=SELECT 1",
    "::5",
    ":2-1",
    ":0",
    ":hello",
    ":d/x.bin:foo",
    ":d/x.bin:img",
    ":*.md",
    ":conflicts",
    ":conflict:9",
    ":conflict:1/base",
];

/// The paths that a hint proposes.
fn proposed<'h>(hint: &'h str, file: &str) -> Vec<&'h str> {
    // Similar names exist, whatever their content is.
    if hint.starts_with("similar names: ") {
        return Vec::new();
    }
    let pieces: Vec<&str> = hint.split('`').collect();
    let quoted = (1..pieces.len()).step_by(2);
    let paths = quoted.filter_map(|at| {
        let (before, text, after) = (pieces[at - 1], pieces[at], pieces.get(at + 1)?);
        // The file is named, and not proposed.
        let is_named = before.ends_with("selector of ")
            || [" is ", " has "].iter().any(|verb| after.starts_with(verb));
        (text.starts_with(file) && !is_named).then_some(text)
    });
    paths.collect()
}

#[test]
fn paths_in_hints_read_and_do_not_lead_back() {
    let mut world = MemoryWorld::new("/ws");
    world.images = Some(0);
    world.document = Some(Ok(slides()));
    let files = kinds();
    for (name, content) in &files {
        world.file(name, content.clone());
    }
    let (mut wrong, mut count) = (Vec::new(), 0);
    for dialect in Dialect::ALL {
        for (name, _) in &files {
            let file = match dialect {
                Dialect::Comma => (*name).to_owned(),
                _ => format!("/ws/{name}"),
            };
            for suffix in SUFFIXES {
                let typed = format!("{file}{suffix}");
                let Err(refused) = dialect.read(&typed, &exact(), &mut world) else {
                    continue;
                };
                let hint = refused.failure.hint.map_or(String::new(), String::from);
                let mut paths: Vec<String> = proposed(&hint, &file)
                    .into_iter()
                    .map(str::to_owned)
                    .collect();
                if let Some((_, rest)) = hint.split_once("leave out `") {
                    let left = rest.split('`').next().unwrap();
                    let bare = typed.strip_suffix(left).unwrap();
                    paths.push(bare.to_owned());
                }
                for path in paths {
                    count += 1;
                    if path == typed {
                        wrong.push(format!("{dialect:?} {typed} leads back: {hint}"));
                    } else if let Err(refused) = dialect.read(&path, &exact(), &mut world) {
                        let why = &refused.failure.message;
                        wrong.push(format!(
                            "{dialect:?} {typed}: `{path}` fails: {why}\n    {hint}"
                        ));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(count > 500, "{count}");
}
