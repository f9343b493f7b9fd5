//! Compares the declarations that the scanner finds with those of other programs.

use crate::around;
use crate::languages::{Compared, Part};
use crate::lines::SourceLine;
use crate::mistakes;
use crate::opinions::Second;
use crate::rules::Rule;
use crate::sources::Source;
use omniread_outline as outline;
use omniread_outline::Language;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The line number and the name of a declaration.
type Declaration = (u32, String);

/// The differences in line numbers at which a declaration of ctags still matches. Some parsers of
/// ctags report the line on which they recognise a declaration, which may be a line nearby.
const OFF: [i64; 4] = [1, -1, 2, -2];

/// The declarations in several files.
#[derive(Debug, Default)]
pub struct Declarations {
    files: HashMap<String, BTreeSet<Declaration>>,
    /// For each file, the second lines and names of some declarations, and the first ones that they
    /// belong to.
    others: HashMap<String, BTreeMap<Declaration, Declaration>>,
    unread: HashSet<String>,
}

impl Declarations {
    /// Adds a declaration.
    pub fn add(&mut self, path: &str, line: u32, name: &str) {
        let file = self.files.entry(path.to_owned()).or_default();
        file.insert((line, name.to_owned()));
    }

    /// Adds a declaration that has a second line and name, `also`. An example is a function with a
    /// name of its own that is bound to a variable.
    pub fn add_also(&mut self, path: &str, line: u32, name: &str, also: (u32, &str)) {
        self.add(path, line, name);
        let also = (also.0, also.1.to_owned());
        let others = self.others.entry(path.to_owned()).or_default();
        others.insert(also, (line, name.to_owned()));
    }

    /// Records a file that could not be parsed.
    pub fn unread(&mut self, path: &str) {
        self.unread.insert(path.to_owned());
    }

    /// Removes and returns the declarations of a file.
    fn take(&mut self, path: &str) -> BTreeSet<Declaration> {
        self.files.remove(path).unwrap_or_default()
    }
}

/// A language, and what finds the declarations in its files that are compared.
#[derive(Clone, Copy)]
pub struct Comparison<'c> {
    pub language: &'c Compared,
    pub scanner: &'static Language,
    /// The second opinion.
    pub second: &'c Second,
}

/// The declarations that other programs found in a package.
#[derive(Debug, Default)]
pub struct Others {
    /// The declarations that ctags found, if it supports the language.
    pub tags: Option<Declarations>,
    /// The declarations that a parser of the language found, if there is one.
    pub parser: Option<Declarations>,
}

/// A declaration that only the scanner or only another program found.
#[derive(Clone, Debug)]
pub struct Finding {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub text: String,
}

/// The number of correct declarations (`right`) among all declarations (`all`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    pub right: usize,
    pub all: usize,
}

impl Share {
    fn add(&mut self, right: usize, all: usize) {
        self.right += right;
        self.all += all;
    }
}

/// The numbers of declarations in the files of a language.
#[derive(Debug, Default)]
pub struct Counts {
    pub files: usize,
    pub lines: usize,
    /// The number of declarations that our outline scanner found.
    pub ours: usize,
    /// The share of ctags' declarations that the scanner found.
    pub tags: Share,
    /// The share of the scanner's declarations that ctags found.
    pub raw: Share,
    /// The share of the declarations of the second opinion (a parser, a rule, or ctags corrected by
    /// a rule) that the scanner found.
    pub recall: Share,
    /// The share of the scanner's declarations that the second opinion confirms.
    pub precision: Share,
    /// The number of files that the second opinion could not parse.
    pub unread: usize,
    pub missed: Vec<Finding>,
    pub extra: Vec<Finding>,
}

impl Counts {
    /// Compares the declarations in the files of a package, and adds the results to the counts.
    pub fn add(&mut self, comparison: Comparison<'_>, sources: &[Source], mut others: Others) {
        let Comparison {
            language,
            scanner,
            second,
        } = comparison;
        for source in sources {
            let path = source.path.to_string_lossy();
            let ours: BTreeSet<Declaration> = outline::parse(&source.text, scanner)
                .items
                .into_iter()
                .filter(|item| language.kinds.contains(&item.kind) && !item.name.is_empty())
                .map(|item| (item.line, language.part(&item.name).into_owned()))
                .collect();
            let file = Found {
                language,
                ours,
                path: &path,
                lines: lines(&source.text),
            };
            self.files += 1;
            self.lines += source.text.lines().count();
            self.ours += file.ours.len();
            let matched = others.tags.as_mut().map(|tags| {
                let matched = file.matched(&tags.take(&path));
                let right = matched.ours.len();
                self.tags.add(right, right + matched.missed.len());
                self.raw.add(right, file.ours.len());
                matched
            });
            match (second, &mut others.parser, matched) {
                (Second::Parser(_), Some(parser), _) if parser.unread.contains(&*path) => {
                    self.unread += 1;
                }
                (Second::Parser(_), Some(parser), _) => {
                    let names = parser.others.remove(&*path).unwrap_or_default();
                    self.against(&file.renamed(&names), &parser.take(&path));
                }
                (Second::Rule(rule), _, None) => {
                    self.against(&file, &file.seen(rule));
                }
                (Second::Rule(rule), _, Some(matched)) => {
                    self.weigh(&file, matched, Some(rule));
                }
                (_, _, Some(matched)) => self.weigh(&file, matched, None),
                (_, _, None) => {}
            }
        }
    }

    /// Adds to recall and precision if ctags is the other program. Recall counts the declarations
    /// of ctags that the rule does not deny. Precision counts the declarations of the scanner that
    /// ctags or the rule confirms.
    fn weigh(&mut self, file: &Found, mut matched: Matched, rule: Option<&Rule>) {
        matched
            .missed
            .retain(|(line, name)| rule.is_none_or(|rule| !file.denied(rule, *line, name)));
        let extra = file.ours.difference(&matched.ours).cloned();
        let (confirmed, extra): (Vec<_>, Vec<_>) =
            extra.partition(|one| rule.is_some_and(|rule| file.declared(rule, one)));
        let right = matched.ours.len();
        self.recall.add(right, right + matched.missed.len());
        self.missed.extend(file.findings(matched.missed));
        // Without a rule, the scanner may be right about declarations that ctags does not find, so
        // no precision is computed.
        if rule.is_some() {
            self.precision.add(right + confirmed.len(), file.ours.len());
            self.extra.extend(file.findings(extra));
        }
    }

    /// Adds to recall and precision if `theirs` contains all declarations of the file.
    fn against(&mut self, file: &Found, theirs: &BTreeSet<Declaration>) {
        let right = file.ours.intersection(theirs).count();
        self.recall.add(right, theirs.len());
        self.precision.add(right, file.ours.len());
        let missed = theirs.difference(&file.ours).cloned();
        self.missed.extend(file.findings(missed));
        let extra = file.ours.difference(theirs).cloned();
        self.extra.extend(file.findings(extra));
    }
}

/// The declarations of ctags in a file, divided into those that the scanner found and those that it
/// missed.
struct Matched {
    /// The declarations of the scanner that match declarations of ctags.
    ours: BTreeSet<Declaration>,
    /// The declarations of ctags that the scanner missed.
    missed: Vec<Declaration>,
}

/// The declarations that the scanner found in a file.
struct Found<'s> {
    language: &'s Compared,
    ours: BTreeSet<Declaration>,
    path: &'s str,
    lines: Vec<&'s str>,
}

impl Found<'_> {
    /// Matches each declaration of ctags with one of the scanner that has the same name and is on
    /// the same line, or else on a line nearby.
    fn matched(&self, theirs: &BTreeSet<Declaration>) -> Matched {
        let mut ours: BTreeSet<_> = self.ours.intersection(theirs).cloned().collect();
        let mut missed = Vec::new();
        for (line, name) in theirs.difference(&self.ours) {
            let near = OFF.iter().filter_map(|off| {
                let line = u32::try_from(i64::from(*line) + off).ok()?;
                Some((line, name.clone()))
            });
            let begins = self.place(*line);
            let begins = begins.and_then(|place| mistakes::begins(self.language.name, place));
            let begins = begins.map(|line| (line, name.clone()));
            let mut near = near
                .chain(begins)
                .filter(|one| self.ours.contains(one) && !ours.contains(one));
            match near.next() {
                Some(one) => drop(ours.insert(one)),
                None => missed.push((*line, name.clone())),
            }
        }
        Matched { ours, missed }
    }

    /// Replaces each declaration that is a key in `names` by the value of that key.
    fn renamed(&self, names: &BTreeMap<Declaration, Declaration>) -> Self {
        let ours = self.ours.iter();
        Self {
            language: self.language,
            ours: ours
                .map(|one| names.get(one).unwrap_or(one).clone())
                .collect(),
            path: self.path,
            lines: self.lines.clone(),
        }
    }

    /// The declarations that a rule finds in the lines of the file.
    fn seen(&self, rule: &Rule) -> BTreeSet<Declaration> {
        let lines = self.lines.iter().zip(1..);
        let names = lines.flat_map(|(line, number)| {
            let names = rule.names(line).into_iter();
            names.map(move |name| (number, self.language.part(name).into_owned()))
        });
        names.collect()
    }

    fn place(&self, line: u32) -> Option<SourceLine<'_>> {
        SourceLine::new(&self.lines, line)
    }

    fn line(&self, line: u32) -> &str {
        let line = usize::try_from(line).unwrap_or_default();
        self.lines.get(line.wrapping_sub(1)).unwrap_or(&"")
    }

    /// Whether a declaration of ctags is false: the name does not occur near its line, or a
    /// required keyword is missing before it.
    fn denied(&self, rule: &Rule, line: u32, name: &str) -> bool {
        if self.language.part == Part::Line {
            // The line continues the list of selectors on the previous line.
            return self.line(line.saturating_sub(1)).trim_end().ends_with(',');
        }
        let place = self.place(line);
        if place.is_some_and(|place| mistakes::shown(self.language.name, place, name)) {
            return true;
        }
        let mut near = (line.saturating_sub(2)..=line + 2).map(|line| self.line(line));
        !near.any(|line| {
            let occurs = || line.split_whitespace().collect::<String>().contains(name);
            rule.allows(line, name).unwrap_or_else(occurs)
        })
    }

    /// Whether a rule, or the lines around a name, confirm a declaration of the scanner.
    fn declared(&self, rule: &Rule, (line, name): &Declaration) -> bool {
        let names = rule.names(self.line(*line));
        let place = self.place(*line);
        names.iter().any(|one| self.language.part(one) == *name)
            || place.is_some_and(|place| around::declares(self.language.name, place, name))
    }

    fn findings(&self, found: impl IntoIterator<Item = Declaration>) -> Vec<Finding> {
        let finding = |(line, name)| Finding {
            path: self.path.to_owned(),
            line,
            name,
            text: self.line(line).trim().chars().take(100).collect(),
        };
        found.into_iter().map(finding).collect()
    }
}

/// The lines of a text, without line endings.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.split('\n');
    lines
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect()
}
