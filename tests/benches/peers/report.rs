//! Tables of what was measured.

use crate::measure::{Machine, Process, Warm};
use omniread_tests::project;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::Duration;

/// The marks around the tables in `docs/performance.md`.
const START: &str = "<!-- peers: written by the benchmark `peers` -->\n";
const END: &str = "<!-- /peers -->";

/// All rows of a run.
#[derive(Default)]
pub struct Tables {
    pub warm: Vec<Warm>,
    pub processes: Vec<Process>,
}

impl Tables {
    /// The tables as Markdown, with the machine and the date.
    pub fn text(&self, machine: &Machine<'_>) -> String {
        let mut text = format!("Measured on {}, {}.\n\n", today(), processor());
        text.push_str(
            "| group | read | omniread | without a sandbox | other tool | its time | ratio |\n\
             |---|---|---:|---:|---|---:|---:|\n",
        );
        for warm in &self.warm {
            for row in cells(warm) {
                let _ = writeln!(text, "{row}");
            }
        }
        if !self.processes.is_empty() {
            text.push_str(
                "\n| `omniread PATH` | time | memory | other program | its time | its memory | ratio |\n\
                 |---|---:|---:|---|---:|---:|---:|\n",
            );
        }
        for process in &self.processes {
            let [ours, theirs] = memory(process);
            let _ = writeln!(
                text,
                "| `{}` | {} | {ours} | `{}` | {} | {theirs} | {:.2} |",
                process.path,
                time(process.ours),
                process.other,
                time(process.theirs),
                ratio(process.theirs, process.ours)
            );
        }
        let ratios: Vec<f64> = self.warm.iter().filter_map(omp_ratio).collect();
        if !ratios.is_empty() {
            let above = |bar: f64| ratios.iter().filter(|ratio| **ratio >= bar).count();
            let _ = writeln!(
                text,
                "\nOf {} rows beside omp, {} are at least twice as fast, {} at least 1.5 times, and {} slower.",
                ratios.len(),
                above(2.0),
                above(1.5),
                ratios.len() - above(1.0)
            );
        }
        for missing in &machine.missing {
            let _ = writeln!(text, "\nNot measured: {missing}.");
        }
        text
    }
}

/// A row for the terminal, while the others are measured.
pub fn line(warm: &Warm) -> String {
    let mut line = format!(
        "{}: {:40} {:>9}",
        warm.row.group,
        warm.row.name,
        time(warm.ours.time)
    );
    if let Some(native) = warm.native {
        let _ = write!(line, "  {:.2} x native", ratio(warm.ours.time, native));
    }
    for (name, peer) in &warm.peers {
        match peer {
            Ok(peer) => {
                let ratio = ratio(peer.time, warm.ours.time);
                let _ = write!(
                    line,
                    "  {name} {} {ratio:.2} ({} / {} characters)",
                    time(peer.time),
                    peer.characters,
                    warm.ours.characters
                );
            }
            Err(error) => {
                let _ = write!(line, "  {name}: {error}");
            }
        }
    }
    line
}

/// A row of processes for the terminal.
pub fn process_line(process: &Process) -> String {
    let [ours, theirs] = memory(process);
    format!(
        "process: {:40} {:>9} {ours}  {} {} {theirs} {:.2}",
        process.path,
        time(process.ours),
        process.other,
        time(process.theirs),
        ratio(process.theirs, process.ours)
    )
}

/// The rows of a table for what was read, one for each other tool.
fn cells(warm: &Warm) -> Vec<String> {
    let native = warm.native.map_or_else(
        || "-".to_owned(),
        |native| format!("{:.2}", ratio(warm.ours.time, native)),
    );
    let start = format!(
        "| {} | {} | {} | {native} |",
        warm.row.group,
        warm.row.name,
        time(warm.ours.time)
    );
    if warm.peers.is_empty() {
        return vec![format!("{start} - | - | - |")];
    }
    let peer = |(name, peer): &(&str, Result<_, String>)| match peer {
        Ok(peer) => {
            let peer: &crate::driver::Fastest = peer;
            let ratio = ratio(peer.time, warm.ours.time);
            format!("{start} {name} | {} | {ratio:.2} |", time(peer.time))
        }
        Err(error) => format!("{start} {name} | {} | - |", error.replace('|', "\\|")),
    };
    warm.peers.iter().map(peer).collect()
}

fn omp_ratio(warm: &Warm) -> Option<f64> {
    let (_, peer) = warm.peers.iter().find(|(name, _)| *name == "omp")?;
    let peer = peer.as_ref().ok()?;
    Some(ratio(peer.time, warm.ours.time))
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// The largest resident memory of omniread and of the other program.
fn memory(process: &Process) -> [String; 2] {
    let text = |kib: u64| format!("{:.1} MB", kib as f64 * 1024.0 / 1e6);
    process
        .memory
        .map_or_else(|| ["-".to_owned(), "-".to_owned()], |both| both.map(text))
}

fn time(time: Duration) -> String {
    format!("{time:.1?}").replace('µ', "u")
}

fn today() -> String {
    let output = Command::new("date").arg("+%Y-%m-%d").output();
    output.map_or_else(
        |_| "an unknown day".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

/// The processor, and the number of its cores.
fn processor() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("an unknown processor", |name| {
            name.trim_start_matches([' ', '\t', ':'])
        });
    format!("{cores} cores of {name}")
}

/// Writes the tables into `docs/performance.md`.
pub fn write(text: &str) {
    let path = project().join("docs/performance.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(START).expect("a mark");
    let (_, after) = rest.split_once(END).expect("a mark");
    fs::write(&path, format!("{before}{START}{text}{END}{after}")).expect("the page");
}
