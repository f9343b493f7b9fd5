//! Compares what is found in a file with what others find.

use crate::around;
use crate::languages::{Compared, Part};
use crate::mistakes;
use crate::opinions::Second;
use crate::places::Place;
use crate::rules::Rule;
use crate::sources::Source;
use omniread_reader::outline;
use omniread_reader::outline::grammar::Language;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A line and a name.
type Declaration = (u32, String);

/// Lines by which ctags may be off: some of its parsers tell the line on which
/// they have understood a declaration.
const OFF: [i64; 4] = [1, -1, 2, -2];

/// What was found in files.
#[derive(Debug, Default)]
pub struct Declarations {
    files: HashMap<String, BTreeSet<Declaration>>,
    /// Other names of some of them.
    others: HashMap<String, BTreeMap<Declaration, Declaration>>,
    unread: HashSet<String>,
}

impl Declarations {
    /// One more.
    pub fn add(&mut self, path: &str, line: u32, name: &str) {
        let file = self.files.entry(path.to_owned()).or_default();
        file.insert((line, name.to_owned()));
    }

    /// One more, which has another name on this line.
    pub fn add_also(&mut self, path: &str, line: u32, name: &str, also: (u32, &str)) {
        self.add(path, line, name);
        let also = (also.0, also.1.to_owned());
        let others = self.others.entry(path.to_owned()).or_default();
        others.insert(also, (line, name.to_owned()));
    }

    /// A file that was not understood.
    pub fn unread(&mut self, path: &str) {
        self.unread.insert(path.to_owned());
    }

    /// Those of a file.
    fn take(&mut self, path: &str) -> BTreeSet<Declaration> {
        self.files.remove(path).unwrap_or_default()
    }
}

/// What others found in the files of a package.
#[derive(Debug, Default)]
pub struct Others {
    /// If ctags knows the language.
    pub tags: Option<Declarations>,
    /// If something else knows all of it.
    pub parser: Option<Declarations>,
}

/// A declaration that only one side found.
#[derive(Clone, Debug)]
pub struct Finding {
    pub path: String,
    pub line: u32,
    pub name: String,
    pub text: String,
}

/// Right ones of all.
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

/// What was counted in the files of a language.
#[derive(Debug, Default)]
pub struct Counts {
    pub files: usize,
    pub lines: usize,
    /// Declarations that we found.
    pub ours: usize,
    /// What ctags found, and we did too.
    pub tags: Share,
    /// What we found, and ctags did too.
    pub raw: Share,
    /// Declarations by the second opinion, and we found them too.
    pub recall: Share,
    /// What we found, and the second opinion takes for declarations.
    pub precision: Share,
    /// Files that the second opinion could not parse.
    pub unread: usize,
    pub missed: Vec<Finding>,
    pub extra: Vec<Finding>,
}

impl Counts {
    /// Adds the files of a package.
    pub fn add(
        &mut self,
        language: &Compared,
        scanner: &'static Language,
        second: &Second,
        sources: &[Source],
        mut others: Others,
    ) {
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

    /// Counts what ctags said, as far as a rule does not deny it, and what the
    /// rule confirms besides.
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
        // Where nothing else is asked, much may be right that ctags does not know.
        if rule.is_some() {
            self.precision.add(right + confirmed.len(), file.ours.len());
            self.extra.extend(file.findings(extra));
        }
    }

    /// Compares with what knows all declarations.
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

/// What ctags found in a file.
struct Matched {
    /// What we found too, as we did.
    ours: BTreeSet<Declaration>,
    /// What we did not.
    missed: Vec<Declaration>,
}

/// What we found in a file.
struct Found<'s> {
    language: &'s Compared,
    ours: BTreeSet<Declaration>,
    path: &'s str,
    lines: Vec<&'s str>,
}

impl Found<'_> {
    /// Finds what ctags found: on its line, or else on one beside it.
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

    /// The same with other names for some of it.
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

    /// What a rule sees.
    fn seen(&self, rule: &Rule) -> BTreeSet<Declaration> {
        let lines = self.lines.iter().zip(1..);
        let names = lines.flat_map(|(line, number)| {
            let names = rule.names(line).into_iter();
            names.map(move |name| (number, self.language.part(name).into_owned()))
        });
        names.collect()
    }

    fn place(&self, line: u32) -> Option<Place<'_>> {
        Place::new(&self.lines, line)
    }

    fn line(&self, line: u32) -> &str {
        let line = usize::try_from(line).unwrap_or_default();
        self.lines.get(line.wrapping_sub(1)).unwrap_or(&"")
    }

    /// Whether what ctags found is none: the name does not stand there, or there
    /// is no keyword before it where one is needed.
    fn denied(&self, rule: &Rule, line: u32, name: &str) -> bool {
        if self.language.part == Part::Line {
            // It belongs to what the line before begins.
            return self.line(line.saturating_sub(1)).trim_end().ends_with(',');
        }
        let place = self.place(line);
        if place.is_some_and(|place| mistakes::shown(self.language.name, place, name)) {
            return true;
        }
        let mut near = (line.saturating_sub(2)..=line + 2).map(|line| self.line(line));
        !near.any(|line| {
            let stands = || line.split_whitespace().collect::<String>().contains(name);
            rule.allows(line, name).unwrap_or_else(stands)
        })
    }

    /// Whether a rule sees a declaration.
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

/// The lines of a text, however they end.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.split('\n');
    lines
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect()
}
