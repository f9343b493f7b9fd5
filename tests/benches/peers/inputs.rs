//! The files that are read, in a workspace. They are the same in each run.

use crate::shared::archives::{add, create, many};
use crate::shared::documents::{SENTENCE, deck, letter, workbook};
use crate::shared::images::{CHART, encoded, image, jpeg, notebook, png};
use crate::shared::{LINE, databases, large};
use image::ImageFormat;
use omniread_tests::Workspace;
use omniread_tests::pdf::report::report;
use omniread_tests::web::{Page, Server, Site};
use rawzip::ZipArchiveWriter;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// Creates the files of a group.
type Create = fn(&Workspace);

/// What the rows of a group read. Only the files of the requested groups are created.
pub fn create_all(workspace: &Workspace, is_wanted: impl Fn(&str) -> bool) {
    let groups: [(&str, Create); 8] = [
        ("text", text),
        ("source", source),
        ("directory", directories),
        ("archive", archives),
        ("database", databases),
        ("image", images),
        ("document", documents),
        ("table", tables),
    ];
    workspace.file("12B.txt", "hello world\n");
    for (name, create) in groups {
        if is_wanted(name) {
            create(workspace);
        }
    }
}

fn text(workspace: &Workspace) {
    let lines = |bytes: usize| LINE.repeat(bytes / LINE.len());
    workspace.file("50KB.txt", prose(50_000));
    workspace.file("2MB.log", lines(2 << 20));
    workspace.file("20MB.log", lines(20 << 20));
    large(workspace, "1GB.log", 1 << 30);
    let statement = "function a(b,c){return b+c*2}var d=a(1,2);";
    workspace.file("one-line.js", statement.repeat(142_000 / statement.len()));
    let mut accented = lines(2 << 20).into_bytes();
    accented.extend_from_slice(b"caf\xe9\n");
    workspace.file("latin-1.log", accented);
    let records = (0..12_000).map(|n| {
        serde_json::json!({ "id": n, "name": format!("name {n}"), "tags": ["a", "b"], "score": n * 7 % 1000,
            "text": SENTENCE })
    });
    let records = serde_json::Value::Array(records.collect());
    workspace.file("compact.json", records.to_string());
    let indented = serde_json::to_string_pretty(&records).expect("JSON");
    workspace.file("indented.json", indented);
    let mail = format!(
        "From: a@example.org\r\nTo: b@example.org\r\nSubject: A report\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{}",
        format!("{SENTENCE}\r\n").repeat(170)
    );
    workspace.file("mail.eml", mail);
    workspace.file("45cells.ipynb", notebook(45));
    workspace.file("article.html", article(100_000));
    workspace.file("lists.html", lists(2 << 20));
}

/// Numbered sentences, in lines of about eighty bytes.
fn prose(bytes: usize) -> String {
    let lines = bytes / (SENTENCE.len() + 6);
    (0..lines).map(|n| format!("{n:04} {SENTENCE}\n")).collect()
}

/// Source text of 700 lines and more in several languages.
fn source(workspace: &Workspace) {
    for (name, head, block, tail) in [
        ("a.rs", "use std::fmt;\n\n", RUST, ""),
        ("a.ts", "import fs from 'fs';\n\n", TYPESCRIPT, ""),
        ("a.py", "import os\n\n", PYTHON, ""),
        ("a.go", "package main\n\n", GO, ""),
        ("a.c", "#include <stdio.h>\n\n", C, ""),
        ("A.java", "public class A {\n", JAVA, "}\n"),
    ] {
        let lines = block.lines().count();
        let blocks: String = (0..750 / lines)
            .map(|n| block.replace("NAME", &format!("item{n}")))
            .collect();
        workspace.file(name, format!("{head}{blocks}{tail}"));
    }
    let object: serde_json::Map<String, serde_json::Value> = (0..360)
        .map(|n| {
            (
                format!("key{n}"),
                serde_json::json!({ "a": n, "b": ["x", "y"] }),
            )
        })
        .collect();
    let text = serde_json::to_string_pretty(&object).expect("JSON");
    workspace.file("a.json", text);
}

fn directories(workspace: &Workspace) {
    for (name, folders, files) in [
        ("small", 1, 12),
        ("tree", 10, 15),
        ("real", 100, 200),
        ("many", 100, 1000),
    ] {
        for folder in 0..folders {
            for file in 0..files {
                workspace.file(&format!("{name}/folder{folder}/file{file:06}.txt"), "x\n");
            }
        }
    }
    for (name, files) in [("d1000", 1000), ("d10000", 10_000)] {
        for file in 0..files {
            workspace.file(&format!("{name}/file{file:06}.txt"), "x\n");
        }
    }
    workspace.link("link", "real");
}

fn archives(workspace: &Workspace) {
    many(workspace);
    let source: String = (0..900)
        .map(|n| format!("line {n} of a file in an archive\n"))
        .collect();
    let zip = |name: &str, members: usize, stored: usize| {
        let mut archive = ZipArchiveWriter::new(create(workspace, name));
        for n in 0..members {
            add(
                &mut archive,
                &format!("dir/file{n}.txt"),
                b"hello world\n",
                true,
            );
        }
        if stored > 0 {
            add(&mut archive, "blob", &vec![7; stored], false);
        }
        add(&mut archive, "25KB.txt", source.as_bytes(), true);
        archive.finish().expect("room on the disk");
    };
    zip("ten.zip", 10, 0);
    zip("40MB.zip", 10, 40 << 20);
    zip("100000.zip", 100_000, 0);
    let mut tar = tar::Builder::new(Vec::new());
    for n in 0..4 {
        let content = format!("{n} {SENTENCE}\n").repeat(1000);
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        let added = tar.append_data(&mut header, format!("{n}.txt"), content.as_bytes());
        added.expect("memory");
    }
    let tar = tar.into_inner().expect("memory");
    let level = flate2::Compression::default();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), level);
    gzip.write_all(&tar).expect("memory");
    workspace.file("a.tar.gz", gzip.finish().expect("memory"));
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bzip2.write_all(&tar).expect("memory");
    workspace.file("a.tar.bz2", bzip2.finish().expect("memory"));
    let zstd = ruzstd::encoding::compress_to_vec(
        tar.as_slice(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    workspace.file("a.tar.zst", zstd);
    let options = lzma_rust2::XzOptions::with_preset(6);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).expect("an encoder");
    xz.write_all(&tar).expect("memory");
    workspace.file("a.tar.xz", xz.finish().expect("memory"));
    // 200 MB of text in twenty members.
    crate::shared::archives::compressed(workspace);
}

fn databases(workspace: &Workspace) {
    databases::small(&workspace.path().join("app.db"));
    databases::large(&workspace.path().join("million.db"));
}

fn images(workspace: &Workspace) {
    workspace.file("640.png", png(640, 480));
    workspace.file("640.jpg", jpeg(640, 480));
    workspace.file("4000.png", png(4000, 3000));
    workspace.file("4000.jpg", jpeg(4000, 3000));
    workspace.file("chart.svg", CHART);
    workspace.file("1568.bmp", encoded(&image(1568, 1176), ImageFormat::Bmp));
}

fn documents(workspace: &Workspace) {
    for pages in [1, 6, 60, 200, 1000] {
        workspace.file(&format!("{pages}.pdf"), report(pages));
    }
    workspace.file("10.docx", letter(10));
    workspace.file("80.docx", letter(80));
    workspace.file("6.pptx", deck(6));
    workspace.file("30.pptx", deck(30));
    workspace.file("5000.xlsx", workbook(5000));
}

/// Tables of text: 60,000 rows, and 100 MB.
fn tables(workspace: &Workspace) {
    table(&workspace.path().join("60000.csv"), 60_000);
    table(&workspace.path().join("100MB.csv"), 1_500_000);
    let lines: String = (0..20_000)
        .map(|n| {
            format!(
                "{{\"id\":{n},\"city\":\"{}\",\"score\":{}.5}}\n",
                CITIES[n % 8],
                n * 7919 % 1000
            )
        })
        .collect();
    workspace.file("20000.jsonl", lines);
}

const CITIES: [&str; 8] = [
    "Bern", "Basel", "Genf", "Chur", "Thun", "Olten", "Aarau", "Zug",
];

fn table(path: &Path, rows: usize) {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    let mut line = |text: String| file.write_all(text.as_bytes()).expect("room on the disk");
    line("id,name,city,score,day,text\n".to_owned());
    for id in 0..rows {
        let score = id * 7919 % 100_000;
        let day = id % 28 + 1;
        line(format!(
            "{id},name {id},{},{}.{:02},2026-11-{day:02},\"words, and more\"\n",
            CITIES[id * 31 % 8],
            score / 100,
            score % 100
        ));
    }
    file.flush().expect("room on the disk");
}

/// A server with pages, for the rows of the web.
pub fn site() -> Server {
    let record = serde_json::json!({ "name": "omniread", "tags": ["a", "b"], "size": 12 });
    Site::new()
        .page("/a.json", Page::new("application/json", record.to_string()))
        .page("/a.txt", Page::text(&LINE.repeat(40)))
        .page("/article.html", Page::html(&article(100_000)))
        .page("/6.pdf", Page::new("application/pdf", report(6)))
        .serve()
}

fn article(bytes: usize) -> String {
    let mut body = String::new();
    let mut section = 0;
    while body.len() < bytes {
        section += 1;
        let paragraph = format!("<p>{}</p>\n", SENTENCE.repeat(6));
        body += &format!("<h2>Section {section}</h2>\n{}", paragraph.repeat(4));
    }
    format!(
        "<!doctype html><html><head><title>An article</title></head><body><nav><a href=\"/\">Home</a></nav>\
         <article><h1>An article</h1>\n{body}</article></body></html>"
    )
}

fn lists(bytes: usize) -> String {
    let mut body = String::new();
    let mut item = 0;
    while body.len() < bytes {
        item += 1;
        body += &format!(
            "<ul><li><a href=\"/item/{item}\">item {item}</a></li><li>{SENTENCE}</li></ul>\n"
        );
    }
    format!(
        "<!doctype html><html><head><title>Lists</title></head><body><main>{body}</main></body></html>"
    )
}

const RUST: &str = "/// Adds.\npub fn NAME(left: usize, right: usize) -> usize {\n    let sum = left + right;\n    \
    if sum > 10 {\n        return sum * 2;\n    }\n    sum\n}\n\n";
const TYPESCRIPT: &str = "export function NAME(left: number, right: number): number {\n  const sum = left + right;\n  \
    if (sum > 10) {\n    return sum * 2;\n  }\n  return sum;\n}\n\n";
const PYTHON: &str = "def NAME(left, right):\n    \"\"\"Adds.\"\"\"\n    total = left + right\n    if total > 10:\n        \
    return total * 2\n    return total\n\n\n";
const GO: &str = "func NAME(left int, right int) int {\n\tsum := left + right\n\tif sum > 10 {\n\t\treturn sum * 2\n\t}\n\t\
    return sum\n}\n\n";
const C: &str = "int NAME(int left, int right) {\n    int sum = left + right;\n    if (sum > 10) {\n        \
    return sum * 2;\n    }\n    return sum;\n}\n\n";
const JAVA: &str = "    public int NAME(int left, int right) {\n        int sum = left + right;\n        if (sum > 10) {\n            \
    return sum * 2;\n        }\n        return sum;\n    }\n\n";
