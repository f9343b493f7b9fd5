//! Workspaces and measurements that the benchmarks share.

#![allow(
    dead_code,
    clippy::print_stdout,
    reason = "each bench uses a part of it, and prints"
)]

pub mod archives;
pub mod databases;
pub mod documents;
pub mod images;
pub mod process;

use omniread_tests::{Workspace, project};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The line that is repeated in large files.
pub const LINE: &str =
    "2026-11-21T03:14:15.926Z INFO  request handled in 42 ms by worker-7, 200 OK\n";

/// A workspace with a file of 12 bytes, one of 50 KB, a log of 2 MB, and a directory.
pub fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.file("12B.txt", "hello world\n");
    let mut source = String::new();
    for n in 0..1000 {
        source += &format!("    let value_{n:04} = compute({n}, \"some text\");\n");
    }
    workspace.file("50KB.rs", source);
    workspace.file("2MB.log", LINE.repeat((2 << 20) / LINE.len()));
    for folder in 0..10 {
        for file in 0..15 {
            workspace.file(&format!("tree/folder{folder}/file{file}.txt"), "x\n");
        }
    }
    workspace
}

/// Creates a file of about `bytes` bytes. Returns the number of its lines.
pub fn large(workspace: &Workspace, name: &str, bytes: u64) -> u64 {
    let block = LINE.repeat((1 << 20) / LINE.len());
    let blocks = bytes / block.len() as u64;
    let file = File::create(workspace.path().join(name)).expect("a file");
    let mut writer = BufWriter::with_capacity(1 << 20, file);
    for _ in 0..blocks {
        writer
            .write_all(block.as_bytes())
            .expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
    blocks * ((1 << 20) / LINE.len() as u64)
}

/// The median of some times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Times two functions alternately, and returns the median time of each. An additional first round,
/// for warming up, is not counted.
pub fn paired(rounds: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
    let mut times = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let start = Instant::now();
        a();
        let between = Instant::now();
        b();
        if round > 0 {
            times.0.push(between - start);
            times.1.push(between.elapsed());
        }
    }
    (median(times.0), median(times.1))
}

/// Prints two times and their ratio.
pub fn row(name: &str, ours: Duration, other: Duration, against: &str) {
    let ratio = ours.as_secs_f64() / other.as_secs_f64();
    println!("  {name:34} {ours:>10.1?}  {other:>10.1?}  {ratio:>5.2} × {against}");
}

/// The path of a copy of the command-line program as cargo builds it for users. A linker writes a
/// file piecewise, and the kernel then maps it in smaller parts. This makes each start a quarter
/// slower, so the benchmarks run a copy.
pub fn installed(workspace: &Workspace) -> PathBuf {
    let copy = workspace.path().join(".bin/omniread");
    if !copy.exists() {
        let tests = Path::new(env!("CARGO_BIN_EXE_omniread-under-test"));
        let users = tests.with_file_name("omniread");
        let built = if users.exists() { users } else { tests.into() };
        workspace.directory(".bin");
        fs::copy(built, &copy).expect("room on the disk");
    }
    copy
}

/// Runs a program in a workspace. Returns whether it is installed and succeeds.
pub fn run(workspace: &Workspace, program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    let status = Command::new(program)
        .current_dir(workspace.path())
        .args(arguments)
        .stdout(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Times the command-line program and another program alternately in a workspace, and prints the
/// times.
pub fn processes(workspace: &Workspace, arguments: &[&str], other: &[&str]) {
    let (them, theirs) = other.split_first().expect("a program");
    if !run(workspace, them, theirs) {
        println!("  {:34} {them} is not installed", arguments.join(" "));
        return;
    }
    let program = installed(workspace);
    let (ours, others) = paired(
        40,
        || assert!(run(workspace, &program, arguments), "{arguments:?}"),
        || assert!(run(workspace, them, theirs), "{other:?}"),
    );
    row(&arguments.join(" "), ours, others, &other.join(" "));
}

/// Prints the CPU time and the peak memory of a process that reads `path`. Of nine runs, measured
/// by `/usr/bin/time`, that with the median CPU time is printed.
pub fn cost(workspace: &Workspace, path: &str) {
    let measure = || -> Option<(f64, f64)> {
        let output = Command::new("/usr/bin/time")
            .current_dir(workspace.path())
            .arg("-f%U %S %M")
            .arg(installed(workspace))
            .arg(path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .ok()?;
        let printed = String::from_utf8(output.stderr).ok()?;
        let numbers: Vec<f64> = printed
            .split_whitespace()
            .filter_map(|n| n.parse().ok())
            .collect();
        let [user, system, kib] = numbers[..] else {
            return None;
        };
        Some((user + system, kib / 1024.0))
    };
    let mut costs: Vec<_> = (0..9).filter_map(|_| measure()).collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    match costs.get(costs.len() / 2) {
        Some((seconds, mb)) => println!("  {path:34} {seconds:>6.2} s {mb:>8.1} MB"),
        None => println!("  {path:34} /usr/bin/time is not installed"),
    }
}

/// Prints the peak memory of a process that reads `path`, measured by `/usr/bin/time`.
pub fn memory(workspace: &Workspace, path: &str) {
    let output = Command::new("/usr/bin/time")
        .current_dir(workspace.path())
        .arg("-f%M")
        .arg(installed(workspace))
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output();
    match output {
        Ok(output) => {
            let kib = String::from_utf8_lossy(&output.stderr)
                .trim()
                .parse::<f64>()
                .unwrap_or(f64::NAN);
            println!("  {path:34} {:>7.1} MB", kib / 1024.0);
        }
        Err(_) => println!(
            "  /usr/bin/time is not installed in {}",
            project().display()
        ),
    }
}
