//! Benchmark of web pages, feeds and XML: the component against the same code compiled natively, and
//! the quality of conversions beside other programs.
//!
//! `cargo bench -p omniread-tests -F native --bench markup` measures the time of generated pages.
//!
//! `cargo bench -p omniread-tests -F native --bench markup -- quality CORPUS SCORERS [--peers] [--files]` scores
//! conversions. `CORPUS/web` has the pages of the article extraction benchmark, of Mozilla's Readability
//! and of feedparser, and `CORPUS/docs/html` those of docling. `SCORERS` has `score.py` and
//! `articles/evaluate.py`. `OMNIREAD_TEST_PYTHON` names a Python with the packages that they need, and
//! with the programs to compare with.
//!
//! `convert [--full] FILE` prints the conversion of one file, as the scripts of `tests/markup` expect.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread::{Block, Reader};
use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::{Workspace, chain, project, text};
use shared::{cost, paired, row};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["convert", "--full", file] => convert(file, "full"),
        ["convert", file] => convert(file, ""),
        ["quality", corpus, scorers, more @ ..] => {
            let more: Vec<&str> = more
                .iter()
                .copied()
                .filter(|word| *word != "--bench")
                .collect();
            quality(corpus, scorers, &more);
        }
        _ => speed(),
    }
}

fn speed() {
    let workspace = Workspace::new();
    for (name, content) in [
        ("article.html", article(100_000)),
        ("list.html", list(2_000_000)),
        ("article-5MB.html", article(5_000_000)),
        ("list-5MB.html", list(5_000_000)),
        ("table.html", table(2_000_000)),
        ("feed.xml", feed(500_000)),
        ("data.xml", data(2_000_000)),
    ] {
        println!("{name} has {} bytes", content.len());
        workspace.file(name, content);
    }
    println!("\nwarm reads: fresh instance and read, component against native, medians");
    for (path, rounds) in [
        ("article.html:", 200),
        ("article.html:full", 200),
        ("article.html:#s3", 200),
        ("list.html:", 20),
        ("article-5MB.html:", 9),
        ("list-5MB.html:", 9),
        ("table.html:", 9),
        ("feed.xml:", 40),
        ("data.xml:", 20),
        // The bare path is text: it costs what any text does.
        ("article.html", 300),
    ] {
        warm(&workspace, path, rounds);
    }
    println!("\nprocesses: seconds of CPU, and peak memory");
    for path in ["article.html:", "list.html:", "list-5MB.html:"] {
        cost(&workspace, path);
    }
}

fn warm(workspace: &Workspace, path: &str, rounds: usize) {
    let options = Options::default();
    let session = workspace.session();
    let mut world = LocalWorld::new(vec![workspace.path().display().to_string()]);
    let (ours, theirs) = paired(
        rounds,
        || drop(session.read(path).expect("a reply")),
        || {
            let reply = Dialect::Omp.read(path, &options, &mut world);
            drop(reply.expect("a reply"));
        },
    );
    row(path, ours, theirs, "native");
}

/// Prints the conversion of a file, and the time that it took.
fn convert(file: &str, view: &str) {
    let file = Path::new(file);
    let directory = file.parent().expect("an absolute path");
    let reader = Reader::builder().root(directory).build().expect("a reader");
    let session = reader.session();
    let name = file
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    // The reply has the facts about the page before the text; the exact text does not.
    let head = text(&session, &format!("{name}:{view}"));
    let start = Instant::now();
    let _ = session.read(format!("{name}:{view}"));
    let time = start.elapsed();
    if let Some((facts, _)) = head.split_once("\n---\n") {
        println!("{facts}\n---");
    }
    for reply in chain(&session, &format!("{name}:{view}:raw")) {
        // Notices are in blocks of their own.
        if let Some(Block::Text(page)) = reply.blocks.first() {
            print!("{page}");
        }
    }
    eprintln!("@ms {:.3}", time.as_secs_f64() * 1e3);
}

/// Runs the scripts that score conversions, with this program as the converter.
fn quality(corpus: &str, scorers: &str, more: &[&str]) {
    let corpus = Path::new(corpus);
    let python = std::env::var("OMNIREAD_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let scripts = project().join("tests/markup");
    let this = std::env::current_exe().expect("the path of this program");
    let run = |script: &str, arguments: &[&std::ffi::OsStr]| {
        let status = Command::new(&python)
            .arg(scripts.join(script))
            .args(arguments)
            .status()
            .expect("Python");
        println!("{script}: {status}");
    };
    let (web, pages) = (corpus.join("web"), corpus.join("docs/html"));
    let readability = web.join("readability");
    let mut arguments = vec![
        "--articles".as_ref(),
        web.as_os_str(),
        "--readability".as_ref(),
        readability.as_os_str(),
        "--html".as_ref(),
        pages.as_os_str(),
        "--scorer".as_ref(),
        scorers.as_ref(),
    ];
    arguments.extend(more.iter().map(std::ffi::OsStr::new));
    arguments.extend(["--".as_ref(), this.as_os_str(), "convert".as_ref()]);
    run("quality.py", &arguments);
    let feeds = web.join("feeds");
    run(
        "feeds.py",
        &[feeds.as_os_str(), this.as_os_str(), "convert".as_ref()],
    );
}

const SENTENCE: &str =
    "The quick brown fox, which nobody had seen before, jumps over the lazy dog. ";

/// An article of about this many bytes, in a page with navigation, styles and scripts.
fn article(bytes: usize) -> String {
    let mut html = "<!doctype html><html lang=en><head><title>An article</title><style>\
                    .a{color:#333}.b{display:none}</style><script>var x = \"</p>\";</script></head><body>\
                    <nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav><article><h1>An article</h1>"
        .to_owned();
    let mut n = 0;
    while html.len() < bytes {
        n += 1;
        let _ = writeln!(
            html,
            "<h2 id=s{n}>Section {n}</h2><p class=\"a text\">{SENTENCE}<a href=\"/page/{n}\">A link</a> and \
             <em>emphasis</em>. {SENTENCE}{SENTENCE}</p><figure><img src=\"/i/{n}.png\" alt=\"An image\">\
             <figcaption>Caption {n}</figcaption></figure><ul><li>{SENTENCE}<li><code>code {n}</code></ul>"
        );
    }
    html.push_str("</article><footer><p>Copyright</p></footer></body></html>");
    html
}

/// A page with a list of links.
fn list(bytes: usize) -> String {
    let mut html = "<!doctype html><title>A list</title><body><div id=main><ul>".to_owned();
    let mut n = 0;
    while html.len() < bytes {
        n += 1;
        let _ = writeln!(
            html,
            "<li class=\"item\"><a href=\"/page/{n}\" title=\"Item {n}\">Item number {n}</a> <span class=\"meta\">by \
             <a href=\"/u/{n}\">user{n}</a> on <time>2024-01-01</time></span><p>Some short description text \
             with a few words.</p></li>"
        );
    }
    html.push_str("</ul></div>");
    html
}

fn table(bytes: usize) -> String {
    let mut html = "<table><thead><tr><th>Name<th>Number<th>Text</thead>".to_owned();
    let mut n = 0;
    while html.len() < bytes {
        n += 1;
        let _ = writeln!(
            html,
            "<tr><td>name {n}</td><td>{n}</td><td>{SENTENCE}</td></tr>"
        );
    }
    html
}

fn feed(bytes: usize) -> String {
    let mut xml =
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>A feed</title>".to_owned();
    let mut n = 0;
    while xml.len() < bytes {
        n += 1;
        let _ = writeln!(
            xml,
            "<item><title>Item {n}</title><link>https://example.org/{n}</link><pubDate>Mon, 01 Jan 2024 10:00:00 \
             GMT</pubDate><description>&lt;p&gt;{SENTENCE}&lt;/p&gt;&lt;p&gt;{SENTENCE}&lt;/p&gt;</description></item>"
        );
    }
    xml.push_str("</channel></rss>");
    xml
}

fn data(bytes: usize) -> String {
    let mut xml = "<?xml version=\"1.0\"?><records>".to_owned();
    let mut n = 0;
    while xml.len() < bytes {
        n += 1;
        let _ = write!(
            xml,
            "<record id=\"{n}\"><name>name {n}</name><value unit=\"m\">{n}</value></record>"
        );
    }
    xml.push_str("</records>");
    xml
}
