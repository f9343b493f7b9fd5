//! Measures how much of Python's standard library outlines show, in characters and in definitions.

use crate::opinions::PYTHON;
use crate::programs::{output_of, rows};
use omniread::{Dialect, Options, Reader};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The permitted number of lines of a module. Shorter and longer modules are left out.
const LINES: std::ops::RangeInclusive<usize> = 500..=6000;

/// The maximum number of modules that are read. If there are more, the longest ones are read.
const MODULES: usize = 81;

/// Reads the modules of Python's standard library, and prints which share of their definitions and
/// characters the outlines show.
pub fn run() {
    if let Err(why) = measured() {
        println!("python: {why}");
    }
}

/// A module of Python's standard library.
struct Module {
    path: PathBuf,
    text: String,
}

fn measured() -> Result<(), String> {
    const QUERY: &str = "import platform, sysconfig\n\
        print(platform.python_version(), sysconfig.get_paths()['stdlib'], sep='\\t')";
    let printed = output_of(Command::new("python3").args(["-c", QUERY]), "")?;
    let [version, folder] = rows(&printed).next().ok_or("python3 reported no version")?;
    let folder = Path::new(folder);
    let modules = modules(folder)?;
    let definitions = definitions(&modules)?;
    let reader = Reader::builder().root(folder).build();
    let session = reader.map_err(|error| error.to_string())?.session();
    let (mut shown, mut characters) = (0, 0);
    let (mut visible, mut defined) = (0, 0);
    let mut worst = Vec::new();
    for module in &modules {
        let path = module.path.to_string_lossy();
        let reply = session.read_as(&*path, Dialect::Omp, &Options::default());
        let reply = reply.map_err(|failure| format!("{path}: {}", failure.message))?;
        let text = reply.text();
        let lines = numbered(&text);
        let none = BTreeSet::new();
        let definitions = definitions.get(&*path).unwrap_or(&none);
        let seen = definitions.intersection(&lines).count();
        shown += text.chars().count();
        characters += module.text.chars().count();
        visible += seen;
        defined += definitions.len();
        worst.push((definitions.len() - seen, definitions.len(), &module.path));
    }
    let part = |of: usize, all: usize| of as f64 * 100.0 / all.max(1) as f64;
    println!(
        "python {version}: {} modules of {} to {} lines, the longest ones of its library",
        modules.len(),
        LINES.start(),
        LINES.end()
    );
    println!(
        "  {:>5.1} % of definitions are visible ({visible} of {defined})",
        part(visible, defined)
    );
    println!(
        "  {:>5.1} % of characters are shown ({shown} of {characters})",
        part(shown, characters)
    );
    worst.sort_by(|a, b| b.cmp(a));
    for (hidden, of, path) in worst.iter().filter(|worst| worst.0 > 0).take(5) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        println!("  {hidden:>5} of {of} definitions are hidden in {name}");
    }
    Ok(())
}

/// The longest Python modules of a permitted length in a directory. Subdirectories are left out.
fn modules(folder: &Path) -> Result<Vec<Module>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut modules = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_none_or(|ending| ending != "py") {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path).map_err(failed)?).into_owned();
        let lines = text.lines().count();
        if LINES.contains(&lines) {
            modules.push((lines, Module { path, text }));
        }
    }
    modules.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    modules.truncate(MODULES);
    Ok(modules.into_iter().map(|(_, module)| module).collect())
}

/// The line numbers of the function definitions in each file.
fn definitions(modules: &[Module]) -> Result<HashMap<String, BTreeSet<u32>>, String> {
    let files: String = modules
        .iter()
        .map(|module| format!("{}\n", module.path.display()))
        .collect();
    let printed = output_of(Command::new("python3").args(["-c", PYTHON]), &files)?;
    let mut found: HashMap<String, BTreeSet<u32>> = HashMap::new();
    for [path, line, _name, kind, ..] in rows::<6>(&printed) {
        if let ("def", Ok(line)) = (kind, line.parse()) {
            found.entry(path.to_owned()).or_default().insert(line);
        }
    }
    Ok(found)
}

/// The numbers of the lines that a reply shows: `N` of `N:`, and `A` of `A-B:`, which shows only
/// the first line of a folded range.
fn numbered(reply: &str) -> BTreeSet<u32> {
    let number = |line: &str| {
        let (numbers, _) = line.trim_start().split_once(':')?;
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let _: u32 = last.parse().ok()?;
        first.parse().ok()
    };
    reply.lines().filter_map(number).collect()
}
