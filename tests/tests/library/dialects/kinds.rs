//! A file of each kind, and the selectors that only some kinds have.

use omniread_tests::docx::Docx;
use omniread_tests::image::flat_png;
use omniread_tests::numbered;
use omniread_tests::pack::{gzip, tar, zip};
use omniread_tests::xlsx::{Value as Cell, Xlsx};

pub(super) const DECK: &[u8] = include_bytes!("../../../../examples/deck.pptx");
pub(super) const MANUAL: &[u8] = include_bytes!("../../../../examples/manual.pdf");
pub(super) const MAIL: &[u8] = include_bytes!("../../../../examples/mail.eml");

/// A mailbox of two mails.
pub(super) const MAILBOX: &str = "From a@example.com Fri May  1 10:00:00 2026\nFrom: a@example.com\nSubject: One\n\nfirst\n\n\
                       From b@example.com Sat May  2 10:00:00 2026\nFrom: b@example.com\nSubject: Two\n\nsecond\n";

pub(super) const USERS: &str = "{\n  \"users\": [\n    {\n      \"name\": \"ada\"\n    },\n    {\n      \"name\": \"bob\"\n    }\n  ],\n  \"version\": 3\n}\n";

/// A picture of a few pixels.
pub(super) fn picture() -> Vec<u8> {
    flat_png(4, 4, 8, 2, 12)
}

pub(super) fn letter() -> Vec<u8> {
    let start = Docx::default().heading("Terms").image("a chart", picture());
    start.paragraph("the text").build()
}

/// A file of each kind, with its name.
pub(super) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let rows = |book: Xlsx| {
        book.row(&[Cell::Text("Region"), Cell::Text("Total")])
            .row(&[Cell::Text("North"), Cell::Number(12.0)])
    };
    let members: &[(&str, &[u8])] = &[
        ("docs/a.html", b"<h1 id=top>Top</h1><p>text</p>"),
        ("many/one.log", b"1\n"),
        ("many/two.log", b"2\n"),
        ("inner.zip", &zip(&[("x.txt", b"x\n")])),
    ];
    vec![
        ("n20.txt", numbered(20).into_bytes()),
        ("users.json", USERS.as_bytes().to_vec()),
        ("line.json", b"{\"users\":[{\"name\":\"ada\"}]}".to_vec()),
        ("conf.yaml", b"server:\n  port: 80\n".to_vec()),
        (
            "main.rs",
            b"fn main() {\n}\n\n/// Parses.\nfn parse() {\n}\n".to_vec(),
        ),
        (
            "README.md",
            b"# Tool\n\n## Usage\n\nrun it\n\n## Usage\n\nagain\n".to_vec(),
        ),
        (
            "app.db",
            include_bytes!("../../../../examples/app.db").to_vec(),
        ),
        (
            "ages.ipynb",
            include_bytes!("../../../../examples/ages.ipynb").to_vec(),
        ),
        (
            "chart.svg",
            include_bytes!("../../../../examples/chart.svg").to_vec(),
        ),
        ("deck.pptx", DECK.to_vec()),
        ("letter.docx", letter()),
        (
            "plain.docx",
            Docx::default().paragraph("no picture").build(),
        ),
        ("mail.eml", MAIL.to_vec()),
        ("all.mbox", MAILBOX.as_bytes().to_vec()),
        (
            "manual.html",
            include_bytes!("../../../../examples/manual.html").to_vec(),
        ),
        ("manual.pdf", MANUAL.to_vec()),
        (
            "news.xml",
            include_bytes!("../../../../examples/news.xml").to_vec(),
        ),
        (
            "novel.epub",
            include_bytes!("../../../../examples/novel.epub").to_vec(),
        ),
        (
            "orders.csv",
            include_bytes!("../../../../examples/orders.csv").to_vec(),
        ),
        ("rows.jsonl", b"{\"a\":1}\n{\"a\":2}\n".to_vec()),
        (
            "sales.xlsx",
            include_bytes!("../../../../examples/sales.xlsx").to_vec(),
        ),
        ("one.xlsx", rows(Xlsx::default().sheet(" lead")).build()),
        ("photo.png", picture()),
        ("data.bin", (0..=255).collect()),
        ("x.zip", zip(members)),
        ("x.tar.gz", gzip(&tar(members))),
        ("one.log.gz", gzip(numbered(9).as_bytes())),
        ("folder/a.txt", b"a\n".to_vec()),
    ]
}

/// Suffixes that are wrong for most kinds of files.
pub(super) const SUFFIXES: &[&str] = &[
    ":abc",
    ":users",
    ":users[1].name",
    ":users:",
    ":users:abc",
    ":server.port",
    ":parse",
    ":nope.xml",
    ":img",
    ":img:9",
    ":image:99",
    ":image",
    ":page:99",
    ":page:x",
    ":page:2",
    ":slide:99",
    ":slide:2",
    ":slide:x",
    ":chapter:99",
    ":chapter:x",
    ":cell:99",
    ":cell:x",
    ":mail:99",
    ":sheet:99",
    ":full",
    ":#nope",
    "#nope",
    "#L3",
    "#L2-L3",
    ":",
    "::5",
    ":10–20",
    ": 1-2,",
    ":lines 1-2",
    ":5-x",
    ":raw:raw",
    "?limit=5",
    "?q=",
    "?colour=red",
    "?formula=on",
    ":users?colour=red",
    ":users?formula=on",
    ":Sales:Region",
    ":Sales?formula=on",
    ":Sales?formulas=maybe",
    ":Sales?range=B4-",
    ":lead:Q",
    ":lead?formula=on",
    ":many/*",
    ":many/on?.log",
    "/one.log",
    "/many/one.log",
    ":a.txt",
    ":inner.zip/x.txt",
    ":docs/a.html#nope",
];

/// The selectors that only some kinds of files have, with the names of files that have them.
pub(super) const OF_KINDS: &[(&str, &[&str])] = &[
    (":page:", &["manual.pdf"]),
    (":slide:", &["deck.pptx"]),
    (":chapter:", &["novel.epub"]),
    (":cell:", &["ages.ipynb"]),
    (":mail:", &["all.mbox"]),
    (
        ":image:",
        &["letter.docx", "manual.pdf", "deck.pptx", "novel.epub"],
    ),
    (":img", &["chart.svg", "manual.pdf"]),
    (
        "?",
        &[
            "app.db",
            "orders.csv",
            "rows.jsonl",
            "sales.xlsx",
            "one.xlsx",
        ],
    ),
    ("#", &["manual.html", "README.md", "x.zip", "x.tar.gz"]),
];
