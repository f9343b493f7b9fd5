//! Reads declarations by their paths, for `tests/symbols/quality.py`: one request on each line of the
//! standard input, one JSON value on each line of the output.
//!
//! ```text
//! read PATH   the lines that a path selects, such as `a.rs:sym:name`, or the list of several declarations
//! items FILE  the declarations of the outline of a file, without a budget
//! pieces FILE the number of declarations, and of those that a search in small pieces does not find
//! times FILE… the time of an outline and of searches in these files, see `tests/symbols/time.py`
//! ```

#![expect(clippy::expect_used, reason = "a program for developers")]

use omniread_options::Options;
use omniread_outline::data::Scanned;
use omniread_outline::symbol::Symbol;
use omniread_outline::symbols::At;
use omniread_outline::symbols::pieces::{Search, Step, Wanted};
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use serde_json::{Value, json};
use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

/// The number of measurements, of which the shortest counts.
const ROUNDS: usize = 5;

fn main() -> std::io::Result<()> {
    let root = std::env::current_dir()?.to_string_lossy().into_owned();
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let value = match line.split_once(' ') {
            Some(("read", path)) => read(&root, path),
            Some(("items", file)) => items(file),
            Some(("times", files)) => times(files),
            Some(("pieces", file)) => pieces(file),
            _ => json!({ "error": "unknown request" }),
        };
        writeln!(output, "{value}")?;
    }
    Ok(())
}

fn read(root: &str, path: &str) -> Value {
    let options = Options {
        all: true,
        margin: false,
        ..Options::default()
    };
    let mut world = LocalWorld::new(vec![root.to_owned()]);
    match Dialect::Omp.read(path, &options, &mut world) {
        Err(refused) => json!({ "error": refused.text }),
        Ok(reply) => {
            let Some(page) = reply.answer.page() else {
                return json!({ "error": "no lines" });
            };
            let starts = page.lines.iter().map(|line| line.start);
            let ends = starts.clone().skip(1).chain([page.text.len()]);
            let lines: Vec<&str> = starts
                .zip(ends)
                .filter_map(|(start, end)| page.text.get(start..end))
                .collect();
            let is_list = lines
                .first()
                .is_some_and(|first| first.contains(" named `"));
            let numbers: Vec<i64> = page.lines.iter().map(|line| line.number).collect();
            if is_list {
                json!({ "list": lines, "notes": reply.answer.notes })
            } else {
                json!({ "first": numbers.first(), "last": numbers.last(), "notes": reply.answer.notes })
            }
        }
    }
}

/// The text of a file without a byte order mark. Invalid UTF-8 is replaced, as in a read.
fn text(file: &str) -> String {
    let bytes = std::fs::read(file).expect("a file");
    let text = String::from_utf8_lossy(&bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

fn items(file: &str) -> Value {
    let text = text(file);
    match omniread_outline::scan(&text, file) {
        Some(Scanned::Items(parsed)) => parsed
            .items
            .iter()
            .map(|item| json!([item.name, item.line, item.first, item.last]))
            .collect(),
        _ => json!([]),
    }
}

/// Compares the declarations around each line of a file with those of a search in pieces of a kilobyte.
fn pieces(file: &str) -> Value {
    let text = text(file);
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let (mut all, mut wrong, mut most, mut example) = (0, 0, 0, None);
    for line in (1..=lines).step_by(7) {
        let Some(whole) = omniread_outline::symbols::enclosing(&text, file, At::line(line)) else {
            return json!([]);
        };
        let mut search = Search::new(file, Wanted::Line(At::line(line)));
        let (mut from, mut length) = (0, 1000);
        let around = loop {
            let rest = text.get(from..).unwrap_or_default();
            let end = rest
                .match_indices('\n')
                .map(|(at, _)| at + 1)
                .find(|at| *at >= length)
                .unwrap_or(rest.len());
            match search.piece(rest.get(..end).unwrap_or_default(), end == rest.len()) {
                Step::Unknown => break Vec::new(),
                Step::Longer => length *= 2,
                Step::Piece(piece) => {
                    most = most.max(piece.end);
                    if let Some(mut around) = piece.around {
                        for one in &mut around {
                            one.first += piece.before;
                            one.last += piece.before;
                        }
                        break around;
                    }
                    from += piece.end;
                    length = 1000;
                    if from >= text.len() {
                        break Vec::new();
                    }
                }
            }
        };
        all += 1;
        let short = |one: &Symbol| format!("{} {}-{}", one.name, one.first, one.last);
        let (whole, around): (Vec<_>, Vec<_>) = (
            whole.iter().map(short).collect(),
            around.iter().map(short).collect(),
        );
        if whole != around {
            wrong += 1;
            example = example.or(Some(json!([line, whole, around])));
        }
    }
    json!([all, wrong, most, example])
}

/// The time of the scan of an outline in microseconds, and those of a search for a name that is in no file, for
/// the name of a declaration in the middle, and for the declarations around the middle line. The searches and
/// the scans of one file alternate.
fn times(files: &str) -> Value {
    let mut sums = [Duration::ZERO; 4];
    for file in files.split('\t') {
        let text = text(file);
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let name = match omniread_outline::symbols::enclosing(&text, file, At::line(lines / 2)) {
            Some(found) => found.first().map(|one| one.name.clone()),
            None => continue,
        };
        let name = name.unwrap_or_else(|| "no_such_name".to_owned());
        let mut best = [Duration::MAX; 4];
        for _ in 0..ROUNDS {
            let work: [&dyn Fn(); 4] = [
                &|| drop(omniread_outline::scan(&text, file)),
                &|| drop(omniread_outline::symbols::find(&text, file, "no_such_name")),
                &|| drop(omniread_outline::symbols::find(&text, file, &name)),
                &|| {
                    drop(omniread_outline::symbols::enclosing(
                        &text,
                        file,
                        At::line(lines / 2),
                    ))
                },
            ];
            for (work, best) in work.iter().zip(&mut best) {
                let start = Instant::now();
                work();
                *best = start.elapsed().min(*best);
            }
        }
        for (sum, best) in sums.iter_mut().zip(best) {
            *sum += best;
        }
    }
    sums.iter().map(|sum| sum.as_micros() as u64).collect()
}
