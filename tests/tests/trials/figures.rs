//! The sizes that documents state, compared with those of the files that a build writes.
//!
//! A document has a size as `<!-- size NAME -->61 MB<!-- -->`, where `NAME` is a name of [`FILES`]. It may differ
//! from the size of the file by a twentieth. With `BLESS=1` in the environment the sizes are written instead.
//!
//! The tests are reported as ignored if `cargo build --release` has not run.

use super::readme::documents;
use libtest_mimic::{Failed, Trial};
use omniread_tests::project;
use std::path::Path;

/// The names of sizes, and the files in the target directory.
const FILES: &[(&str, &str)] = &[
    ("binary", "release/omniread"),
    ("component", "dist/omniread.wasm"),
    ("component-full", "dist/omniread-full.wasm"),
];

/// The largest sizes in bytes. A runtime compiles a component before the first read, which takes 1.2 s of processor time
/// for each megabyte of code. A change that needs more raises the limit and says why.
const MOST: &[(&str, u64)] = &[("component", 17_800_000), ("component-full", 26_600_000)];

const START: &str = "<!-- size ";
const END: &str = "<!-- -->";

pub fn trials() -> Vec<Trial> {
    let program = Path::new(env!("CARGO_BIN_EXE_omniread-under-test"));
    let target = program.ancestors().nth(2).map(Path::to_owned);
    let target = target.unwrap_or_default();
    let is_built = FILES.iter().all(|(_, file)| target.join(file).is_file());
    let trial = Trial::test(
        "figures::sizes_in_documents_are_those_of_the_files",
        move || check(&target),
    );
    vec![trial.with_ignored_flag(!is_built)]
}

/// The size of a file in megabytes.
fn megabytes(target: &Path, name: &str) -> Result<u64, Failed> {
    let file = FILES.iter().find(|(known, _)| *known == name);
    let (_, file) = file.ok_or_else(|| format!("no size is called `{name}`"))?;
    Ok((std::fs::metadata(target.join(file))?.len() + 500_000) / 1_000_000)
}

fn check(target: &Path) -> Result<(), Failed> {
    let bless = std::env::var_os("BLESS").is_some();
    for (name, most) in MOST {
        let file = FILES.iter().find(|(known, _)| known == name);
        let (_, file) = file.ok_or_else(|| format!("no size is called `{name}`"))?;
        let size = std::fs::metadata(target.join(file))?.len();
        if size > *most {
            return Err(format!("{file} has {size} bytes, more than {most}").into());
        }
    }
    let (mut sizes, mut wrong) = (0, Vec::new());
    for document in documents() {
        let path = project().join(&document);
        let text = std::fs::read_to_string(&path)?;
        let mut blessed = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(START) {
            let parts = after.split_once(" -->").and_then(|(name, after)| {
                let (stated, after) = after.split_once(END)?;
                Some((name, stated, after))
            });
            let (name, stated, after) = parts.ok_or("a size does not end")?;
            let size = megabytes(target, name)?;
            let number = stated
                .strip_suffix(" MB")
                .and_then(|it| it.parse::<u64>().ok());
            let differs = number.is_none_or(|number| number.abs_diff(size) * 20 > size);
            if differs {
                wrong.push(format!("{document}: {stated}, not {size} MB"));
            }
            let stated = if differs {
                &format!("{size} MB")
            } else {
                stated
            };
            blessed.push_str(&format!("{before}{START}{name} -->{stated}{END}"));
            sizes += 1;
            rest = after;
        }
        blessed.push_str(rest);
        if bless && blessed != text {
            std::fs::write(&path, blessed)?;
        }
    }
    if sizes == 0 {
        return Err("no document states a size".into());
    }
    if wrong.is_empty() || bless {
        return Ok(());
    }
    Err(format!("run `just bless`:\n{}", wrong.join("\n")).into())
}
