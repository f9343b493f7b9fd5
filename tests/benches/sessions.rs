//! Benchmark of what a session costs: reads with a session on disk against reads with one in memory, in
//! turns, and reads of skills and of conflicts.
//!
//! `cargo bench -p omniread-tests -F native --bench sessions`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it found"
)]

mod shared;

use omniread::sessions::StoreLimits;
use omniread::{Reader, Session};
use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::Workspace;
use shared::{paired, row};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// The number of reads of each session in a row of the first table.
const READS: usize = 4000;

/// The number of skills.
const SKILLS: usize = 5000;

/// The number of bytes of a text with conflicts.
const BYTES: usize = 100_000_000;

fn main() {
    let workspace = shared::workspace();
    for number in 0..1000 {
        workspace.file(&format!("many/{number}.txt"), format!("file {number}\n"));
    }
    println!("reads with a session on disk against one in memory");
    println!(
        "  {:34} {:>10}  {:>10}  adds: median, p99",
        "", "disk", "memory"
    );
    alone(&workspace);
    let one = |path: &'static str| move |_: usize| path.to_owned();
    cost("12B.txt", &workspace, one("12B.txt"));
    cost("50KB.rs:500-520", &workspace, one("50KB.rs:500-520"));
    cost("50KB.rs", &workspace, one("50KB.rs"));
    cost("1000 files of 10 bytes", &workspace, |read| {
        format!("many/{}.txt", read % 1000)
    });
    println!("\nopening of a session on disk, and its end");
    opening(&workspace);
    println!("\nskills");
    skills();
    println!("\nconflicts of a text of 100 MB, component against native");
    conflicts(&workspace);
}

/// Reads a small file with a session in memory only, which tells how fast the machine is now.
fn alone(workspace: &Workspace) {
    let session = workspace.session();
    let read = || drop(session.read("12B.txt").expect("a reply"));
    let (time, _) = paired(READS, read, read);
    println!("  {:34} {:>10}  {time:>10.1?}", "12B.txt, memory alone", "");
}

/// Reads paths with both sessions in turns.
fn cost(name: &str, workspace: &Workspace, path: impl Fn(usize) -> String) {
    let reader = workspace.builder().build().expect("a reader");
    let memory = reader.session();
    let place = Workspace::new();
    let disk = open(&reader, &place.path().join("state"));
    let time = |session: &Session, path: &str| {
        let start = Instant::now();
        drop(session.read(path).expect("a reply"));
        start.elapsed()
    };
    let mut times = (Vec::new(), Vec::new());
    for read in 0..READS {
        let path = path(read);
        times.0.push(time(&disk, &path));
        times.1.push(time(&memory, &path));
    }
    times.0.sort_unstable();
    times.1.sort_unstable();
    let at = |times: &[Duration], percent: usize| times[times.len() * percent / 100];
    let added = |percent| at(&times.0, percent).as_secs_f64() - at(&times.1, percent).as_secs_f64();
    println!(
        "  {name:34} {:>10.1?}  {:>10.1?}  {:.2} ms, {:.2} ms",
        at(&times.0, 50),
        at(&times.1, 50),
        added(50) * 1e3,
        added(99) * 1e3
    );
}

fn open(reader: &Reader, directory: &Path) -> Session {
    let opened = Session::open(reader, directory, StoreLimits::DISK);
    opened.expect("a session").session
}

fn opening(workspace: &Workspace) {
    let reader = workspace.builder().build().expect("a reader");
    let place = Workspace::new();
    let directory = place.path().join("state");
    let (new, again) = paired(
        100,
        || {
            let new = Workspace::new();
            drop(open(&reader, &new.path().join("state")));
        },
        || drop(open(&reader, &directory)),
    );
    row("new, against one that exists", new, again, "exists");
}

fn skills() {
    let place = Workspace::new();
    for number in 0..SKILLS {
        let mut text = format!(
            "---\nname: skill-{number}\ndescription: What skill {number} does, and when to use it.\n---\n"
        );
        for line in 0..40 {
            let _ = writeln!(text, "Step {line} of the skill.");
        }
        place.file(&format!("skill-{number}/SKILL.md"), text);
    }
    let workspace = Workspace::new();
    workspace.file("12B.txt", "hello world\n");
    let reader = workspace.builder().mount("skill", place.path());
    let session = reader.build().expect("a reader").session();
    let (list, read) = paired(
        40,
        || drop(session.read("skill://").expect("a reply")),
        || drop(session.read("12B.txt").expect("a reply")),
    );
    row("the first 500 of 5000", list, read, "12B.txt");
}

fn conflicts(workspace: &Workspace) {
    let line = "    let value = table.get(&key).unwrap_or(&Default::default()); // a < b\n";
    let conflict = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> feature\n";
    let side = format!("<<<<<<< HEAD\n{}", line.repeat(BYTES / line.len()));
    for (name, text) in [
        ("none", repeated(line)),
        ("one each 8 KB", repeated(&(line.repeat(112) + conflict))),
        ("conflicts only", repeated(conflict)),
        ("one without an end", side),
    ] {
        workspace.file("conflicts.rs", &text);
        let path = "conflicts.rs:conflicts";
        let options = Options::default();
        let session = workspace.session();
        let mut world = LocalWorld::new(vec![workspace.path().display().to_string()]);
        let (ours, native) = paired(
            15,
            || drop(session.read(path)),
            || drop(Dialect::Omp.read(path, &options, &mut world)),
        );
        row(name, ours, native, "native");
        let speed = |time: Duration| text.len() as f64 / time.as_secs_f64() / 1e9;
        println!(
            "  {:34} {:>5.2} GB/s  {:>5.2} GB/s",
            "",
            speed(ours),
            speed(native)
        );
    }
}

fn repeated(piece: &str) -> String {
    piece.repeat(BYTES / piece.len())
}
