//! How many declarations are found in packages, against other programs.

use crate::compare::{Counts, Finding, Others, Share};
use crate::languages::{self, Compared};
use crate::opinions::Second;
use crate::packages;
use crate::registries::Cache;
use crate::sources::{self, Source};
use crate::tags;
use omniread_reader::outline::grammar::Language;
use omniread_reader::outline::languages as known;

/// What to compare.
#[derive(Debug, Default)]
pub struct Asked {
    /// The packages that the scanner was made with.
    pub tune: bool,
    /// How many misses and extras to list of each language.
    pub show: usize,
    /// All, if there are none.
    pub languages: Vec<&'static Compared>,
}

/// What is said below the table.
#[derive(Debug, Default)]
struct Notes(Vec<String>);

impl Asked {
    /// Compares, and prints a table.
    pub fn run(&self) {
        let ready = tags::ready().and_then(|()| Cache::new());
        let cache = match ready {
            Ok(cache) => cache,
            Err(why) => {
                println!("nothing is compared: {why}");
                return;
            }
        };
        println!(
            "declarations in packages that the scanner {} (kept in {})\n",
            if self.tune {
                "was made with"
            } else {
                "never saw"
            },
            cache.root().display()
        );
        println!(
            "{:12} {:>8} {:>6} {:>8} {:>7} {:>7} {:>10} {:>10} {:>12} {:>7} {:>7} {:>9}",
            "language",
            "packages",
            "files",
            "lines",
            "ours",
            "ctags",
            "raw recall",
            "raw prec.",
            "against",
            "theirs",
            "recall",
            "precision"
        );
        let mut notes = Notes::default();
        let every: Vec<_> = languages::ALL.iter().collect();
        let asked = if self.languages.is_empty() {
            &every
        } else {
            &self.languages
        };
        let mut shown = Vec::new();
        let mut without = Vec::new();
        for language in asked {
            let scanner = known::ALL.iter().find(|known| known.name == language.name);
            let Some(scanner) = scanner else {
                without.push(language.name);
                continue;
            };
            match self.language(language, scanner, &cache, &mut notes) {
                Ok(counts) => shown.push((language.name, counts)),
                Err(why) => notes.say(format!("{} is left out: {why}", language.name)),
            }
        }
        if !without.is_empty() {
            notes.say(format!("there are no outlines of {}", without.join(", ")));
        }
        println!();
        for note in &notes.0 {
            println!("{note}");
        }
        println!("{EXPLAINED}");
        if self.show > 0 {
            for (name, mut counts) in shown {
                list(
                    &format!("{name}: missed"),
                    &mut counts.missed,
                    self.show,
                    &cache,
                );
                list(
                    &format!("{name}: too much"),
                    &mut counts.extra,
                    self.show,
                    &cache,
                );
            }
        }
    }

    fn language(
        &self,
        language: &Compared,
        scanner: &'static Language,
        cache: &Cache,
        notes: &mut Notes,
    ) -> Result<Counts, String> {
        let second = Second::of(language, cache)?;
        let mut counts = Counts::default();
        let mut read = 0usize;
        for package in packages::of(language.name, self.tune) {
            let sources = cache.sources(&package).and_then(|folder| {
                sources::collect(&folder, package.files)
                    .map_err(|error| format!("{}: {error}", folder.display()))
            });
            let compared = sources.and_then(|sources| {
                let others = others(language, &second, &sources)?;
                Ok((sources, others))
            });
            match compared {
                Ok((sources, _)) if sources.is_empty() => {
                    notes.say(format!("{package} is left out: none of its files count"));
                }
                Ok((sources, others)) => {
                    read += 1;
                    counts.add(language, scanner, &second, &sources, others);
                }
                Err(why) => notes.say(format!("{package} is left out: {why}")),
            }
        }
        if read == 0 {
            return Err("none of its packages could be read".to_owned());
        }
        if counts.unread > 0 {
            let (unread, name) = (counts.unread, second.name());
            notes.say(format!(
                "{}: {name} could not parse {unread} of {} files",
                language.name, counts.files
            ));
        }
        row(language, &second, read, &counts);
        Ok(counts)
    }
}

/// What others find in the files of a package.
fn others(language: &Compared, second: &Second, sources: &[Source]) -> Result<Others, String> {
    let files: String = sources
        .iter()
        .map(|source| format!("{}\n", source.path.display()))
        .collect();
    let tags = language.tags.as_ref();
    Ok(Others {
        tags: tags
            .map(|tags| tags::declarations(language, tags, &files))
            .transpose()?,
        parser: match second {
            Second::Parser(parser) => Some(parser.declarations(language, &files)?),
            _ => None,
        },
    })
}

fn row(language: &Compared, second: &Second, packages: usize, counts: &Counts) {
    let (tags, against) = match (&language.tags, second) {
        (None, _) => ("unknown".to_owned(), second.name().to_owned()),
        (Some(_), Second::Rule(_)) => (counts.tags.all.to_string(), "ctags, rule".to_owned()),
        (Some(_), Second::None) => (counts.tags.all.to_string(), "ctags".to_owned()),
        (Some(_), Second::Parser(_)) => (counts.tags.all.to_string(), second.name().to_owned()),
    };
    println!(
        "{:12} {packages:>8} {:>6} {:>8} {:>7} {tags:>7} {:>10} {:>10} {against:>12} {:>7} {:>7} {:>9}",
        language.name,
        counts.files,
        counts.lines,
        counts.ours,
        share(counts.tags),
        share(counts.raw),
        counts.recall.all,
        share(counts.recall),
        share(counts.precision),
    );
}

/// Right ones of all, of a hundred.
fn share(share: Share) -> String {
    if share.all == 0 {
        return "-".to_owned();
    }
    format!("{:.2}", share.right as f64 * 100.0 / share.all as f64)
}

const EXPLAINED: &str = "\
Recall and precision are percentages; the raw ones take ctags at its word. The others know better where something else
does: a parser of the language itself, which replaces ctags; or, with ctags, a rule that looks for a keyword before the
name on its line. It denies what ctags found where no such name stands, and confirms what ctags missed. Where ctags does
not know the language the rule is alone, sees words in comments and strings, and not what is declared without a keyword. Where there is neither,
as of HTML, ctags knows too little to tell a precision.";

/// Prints some findings, the same ones each time.
fn list(title: &str, findings: &mut [Finding], most: usize, cache: &Cache) {
    println!("\n{title}: {}", findings.len());
    let mut state = 1u64;
    for last in (1..findings.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from(state >> 33).unwrap_or_default() % (last + 1);
        findings.swap(last, other);
    }
    let root = cache.root().join("sources").display().to_string();
    for finding in findings.iter().take(most) {
        let path = finding.path.strip_prefix(&root).unwrap_or(&finding.path);
        println!(
            "  {}:{} {}\n      {}",
            path.trim_start_matches('/'),
            finding.line,
            finding.name,
            finding.text
        );
    }
}

impl Notes {
    fn say(&mut self, note: String) {
        self.0.push(note);
    }
}
