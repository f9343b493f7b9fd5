//! The accuracy of outlines: how many declarations they find in packages, compared with other
//! programs.

use crate::compare::{Comparison, Counts, Finding, Others, Share};
use crate::languages::{self, Compared};
use crate::opinions::Second;
use crate::packages;
use crate::registries::Cache;
use crate::sources::{self, Source};
use crate::tags;
use omniread_outline::Language;
use omniread_outline::languages as known;

/// The requested comparison.
#[derive(Debug, Default)]
pub struct Asked {
    /// Whether to use the tuning packages instead of the held-out ones.
    pub tune: bool,
    /// The maximum number of missed declarations, and of superfluous ones, to list for each
    /// language.
    pub show: usize,
    /// The languages to compare. An empty list compares all languages.
    pub languages: Vec<&'static Compared>,
}

/// Notes that are printed below the table.
#[derive(Debug, Default)]
struct Notes(Vec<String>);

impl Asked {
    /// Compares our declarations with those of other programs for each language, and prints a
    /// table.
    pub fn run(&self) {
        let ready = tags::ready().and_then(|()| Cache::new());
        let cache = match ready {
            Ok(cache) => cache,
            Err(why) => {
                println!("cannot compare: {why}");
                return;
            }
        };
        println!(
            "declarations in {} packages (in {})\n",
            if self.tune { "tuning" } else { "held-out" },
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
            notes.say(format!("there are no outlines for {}", without.join(", ")));
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
                    &format!("{name}: superfluous"),
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
        let comparison = Comparison {
            language,
            scanner,
            second: &second,
        };
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
                    notes.say(format!("{package} is left out: no files match"));
                }
                Ok((sources, others)) => {
                    read += 1;
                    counts.add(comparison, &sources, others);
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

/// The declarations that other programs find in the files of a package.
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

/// The share as a percentage.
fn share(share: Share) -> String {
    if share.all == 0 {
        return "-".to_owned();
    }
    format!("{:.2}", share.right as f64 * 100.0 / share.all as f64)
}

const EXPLAINED: &str = "\
Recall and precision are percentages. The raw columns compare with ctags as it is. The other columns compare with a
second source, if there is one. A parser of the language replaces ctags. A rule corrects ctags: it looks for a keyword
before a name, excludes declarations of ctags without such a name, and confirms declarations that ctags missed. For
languages that ctags does not support, the rule is the only source. It then also matches words in comments and strings,
and misses declarations without a keyword. For HTML there is no second source, and therefore no precision.";

/// Prints a random sample of at most `most` findings. The sample is the same for each run.
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
