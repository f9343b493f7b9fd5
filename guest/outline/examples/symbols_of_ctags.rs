//! Compares searches by name with universal-ctags: `symbols_of_ctags NAME FILES…`, where `NAME` is
//! the language as ctags calls it. Prints the number of declarations, the shares that have the same
//! line and the same range, and a sample of those that differ.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program for developers, which prints a table"
)]

use omniread_outline::symbol::{Found, Symbol};
use omniread_outline::symbols::Symbols;
use omniread_outline::{languages, parse};
use std::collections::BTreeMap;
use std::process::Command;

/// The kinds of ctags that are declarations with a body: no fields, variables and imports.
const KINDS: &str = "function method class struct enum interface trait type union typedef module \
                     namespace package subroutine singletonMethod implementation def object \
                     procedure constructor macro getter setter generator protocol signature table \
                     view trigger func talias methodSpec annotation alias delegate property record";

/// A declaration that ctags found.
struct Tag {
    name: String,
    kind: String,
    line: u32,
    end: Option<u32>,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let language = arguments.next().expect("the language of ctags");
    let most: usize = std::env::var("SHOW").map_or(0, |show| show.parse().expect("a number"));
    let files: Vec<String> = arguments.collect();
    if language == "time" {
        return time(&files);
    }
    if language == "keys" {
        return keys(&files);
    }
    if language == "dump" {
        return dump(&files);
    }
    let mut tags = tags(&language, &files);
    let (mut all, mut named, mut right, mut ranges, mut exact) = (0u32, 0u32, 0u32, 0u32, 0u32);
    let (mut misses, mut wrong) = (Vec::new(), Vec::new());
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else {
            continue;
        };
        let Some(scanner) = languages::by_contents(file, &text) else {
            continue;
        };
        let parsed = parse(&text, scanner);
        let symbols = Symbols::new(&text, &parsed, Some(scanner));
        for tag in tags.remove(file).unwrap_or_default() {
            all += 1;
            // A name in several places with more lines between them than ctags is wrong by.
            let both = parsed
                .items
                .iter()
                .filter(|item| item.line == tag.line)
                .any(|item| item.name == tag.name || last(&item.name) == last(&tag.name));
            let found = match symbols.find(&tag.name) {
                Found::One(symbol) => vec![symbol],
                Found::Several { symbols, .. } => symbols,
                Found::None { .. } => Vec::new(),
            };
            let same: Vec<&Symbol> = found.iter().filter(|one| one.line == tag.line).collect();
            let place = format!("{file}:{} {} {}", tag.line, tag.kind, tag.name);
            if both {
                named += 1;
                if same.is_empty() && found.len() < 100 {
                    misses.push(format!("not found: {place}"));
                } else {
                    right += 1;
                }
            } else {
                misses.push(format!("not named: {place}"));
            }
            if let (Some(end), Some(first)) = (tag.end, same.first()) {
                ranges += 1;
                if same.iter().any(|one| one.last == end) {
                    exact += 1;
                } else {
                    wrong.push(format!("{place} ends at {end}, not at {}", first.last));
                }
            }
        }
    }
    let share = |part: u32, whole: u32| f64::from(part) * 100.0 / f64::from(whole.max(1));
    println!(
        "{language:12} {:>6} files {all:>7} tags {named:>7} named by both {:>7.2} % found {ranges:>7} ranges {:>7.2} % exact",
        files.len(),
        share(right, named),
        share(exact, ranges),
    );
    for list in [misses, wrong] {
        let step = (list.len() / most.max(1)).max(1);
        for line in list.iter().step_by(step).take(most) {
            println!("  {line}");
        }
    }
}

/// Prints each declaration with its file, name, kind, and lines: of the first attribute, of the name,
/// and the last one. Parsers of languages can be compared with this list.
fn dump(files: &[String]) {
    for file in files {
        let Ok(text) = std::fs::read_to_string(file) else {
            continue;
        };
        let Some(scanner) = languages::by_contents(file, &text) else {
            continue;
        };
        let parsed = parse(&text, scanner);
        let symbols = Symbols::new(&text, &parsed, Some(scanner));
        let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        for symbol in symbols.all() {
            let first = lines.partition_point(|at| *at < symbol.bytes.0) + 1;
            println!(
                "{file}\t{}\t{:?}\t{first}\t{}\t{}",
                symbol.name, symbol.kind, symbol.line, symbol.last
            );
        }
    }
}

/// Prints the time of a search in each file, in microseconds, beside that of the scan of an outline.
fn time(files: &[String]) {
    let query = std::env::var("QUERY").unwrap_or_else(|_| "no_such_name".to_owned());
    let (mut scans, mut searches) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(file).expect("a text");
        let started = std::time::Instant::now();
        let scanned = omniread_outline::scan(&text, file);
        scans += started.elapsed().as_micros();
        drop(scanned);
        let started = std::time::Instant::now();
        let found = omniread_outline::symbols::find(&text, file, &query);
        searches += started.elapsed().as_micros();
        drop(found);
    }
    println!("{scans} µs for outlines, {searches} µs for searches of {query}");
}

/// Prints the range of each key of the file: reads queries from the standard input.
fn keys(files: &[String]) {
    let Some(file) = files.first() else {
        return;
    };
    let text = std::fs::read_to_string(file).expect("a text");
    for query in std::io::stdin().lines() {
        let query = query.expect("a query");
        match omniread_outline::symbols::find(&text, file, &query) {
            Some(Found::One(one)) => println!("{query}\t{}\t{}\t{}", one.name, one.line, one.last),
            Some(Found::Several { symbols, total }) => {
                let first = symbols.first().expect("a symbol");
                println!(
                    "{query}\t{}\t{}\t{}\t{total}",
                    first.name, first.line, first.last
                );
            }
            other => println!("{query}\t{other:?}"),
        }
    }
}

/// The last part of a name that is a path.
fn last(name: &str) -> &str {
    name.rsplit(['.', ':', '\\']).next().unwrap_or(name)
}

fn tags(language: &str, files: &[String]) -> BTreeMap<String, Vec<Tag>> {
    let list = std::env::temp_dir().join(format!("symbols-{}.txt", std::process::id()));
    std::fs::write(&list, files.join("\n")).expect("a list of files");
    let output = Command::new("ctags")
        .arg("--options=NONE")
        .arg(format!("--language-force={language}"))
        .args([
            "--sort=no",
            "--fields=+eKn",
            "-x",
            "--_xformat=%F\t%n\t%N\t%K\t%e",
        ])
        .arg("-L")
        .arg(&list)
        .args(["-f", "-"])
        .output()
        .expect("universal-ctags");
    let _ = std::fs::remove_file(&list);
    let printed = String::from_utf8_lossy(&output.stdout);
    let mut tags: BTreeMap<String, Vec<Tag>> = BTreeMap::new();
    for row in printed.lines() {
        let mut fields = row.split('\t');
        let mut field = || fields.next().unwrap_or_default().to_owned();
        let (file, line, name, kind, end) = (field(), field(), field(), field(), field());
        let wanted = KINDS.split_ascii_whitespace().any(|known| known == kind);
        if !wanted || name.contains("__anon") || name.starts_with("anonymous") {
            continue;
        }
        let tag = Tag {
            name,
            kind,
            line: line.parse().unwrap_or_default(),
            end: end.parse().ok().filter(|end| *end > 0),
        };
        tags.entry(file).or_default().push(tag);
    }
    tags
}
