//! Declarations, headings and keys that a path selects by name or by a line.

use super::converted::OfConverted;
use super::document;
use super::indented;
use super::readers::converts;
use super::reading::Reading;
use super::searched::{Hit, Hits, Searched};
use super::sections::{self, Section};
use super::text;
use super::units::whole_text;
use crate::answer::Body;
use crate::converted::{Conversion, Converted, Outlined};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Indentation, Lines, Part, Range, Selector, Symbol as Wanted, View};
use crate::sniff::{Document, Kind};
use crate::subject::Origin;
use crate::units;
use omniread_outline::symbol::Symbol;
use omniread_outline::{self as scanner, Item, Parsed, sort};

/// What a search found.
pub enum Resolved {
    /// The requested lines of one declaration.
    Lines(Section),
    /// A text that was made: the list of several declarations, or one that is a part of a line.
    Made(String),
}

impl Reading<'_> {
    /// Reads the declarations of a text that the path selects. `None` if it selects something else.
    ///
    /// # Errors
    /// Fails if the content is not text, is too long, or does not have the declaration.
    pub fn symbol(&mut self, input: &mut Input<'_>) -> Result<Option<Body>, Failure> {
        let Part::Symbol(wanted) = self.selector.part.clone() else {
            return Ok(None);
        };
        let encoding = self.text_encoding(input)?;
        let name = self.name().to_owned();
        let short = input.complete() && input.head().len() <= limits::SYMBOL_WHOLE_BYTES;
        let resolved = if short {
            let bytes = input.head().into();
            let text = document::decoded(bytes, encoding);
            self.resolve(&Searched::of_file(&text, &name), &wanted)?
        } else {
            self.resolve_long(input, encoding, &name, &wanted)?
        };
        let text = match resolved {
            Resolved::Made(made) => {
                self.notes.extend(input.damage());
                self.generated(made, encoding)
            }
            Resolved::Lines(found) => match self.of_section(found) {
                Some(text) => text,
                None => {
                    if !input.complete() {
                        self.rewind(input)?;
                    }
                    self.text(input)
                }
            },
        };
        let conflicts = self.conflicts_note(text.conflicts);
        self.notes.extend(conflicts);
        Ok(Some(Body::Text(text)))
    }

    /// The file name that determines the format. The address of a skill is not the name of its file.
    fn name(&self) -> &str {
        let subject = self.subject;
        match &subject.origin {
            Origin::Mounted { place, .. } if subject.inner_path.is_empty() => {
                place.path.rsplit('/').next().unwrap_or(&place.path)
            }
            _ => subject.inner_name(),
        }
    }

    /// Whether names and lines are those of the converted form of a document.
    pub fn has_symbols_in_its_form(document: Document, wanted: &Wanted) -> bool {
        !document.is_bare_text()
            || (matches!(wanted, Wanted::Named(_))
                && matches!(
                    document,
                    Document::Html | Document::Feed | Document::Engine(_)
                ))
    }

    /// The part that the converted form is.
    pub fn form_part(&self) -> Part {
        let is_bare = match self.detected.kind {
            Kind::Document(document) => {
                !document.is_bare_text() && converts(document, &self.request.style)
            }
            _ => false,
        };
        if is_bare || self.subject.page().is_some() {
            Part::Whole
        } else {
            Part::Converted(View::Main)
        }
    }

    /// Finds the declarations of a converted text that the path selects.
    ///
    /// # Errors
    /// Fails if the text is too long, or does not have the declaration.
    pub fn symbol_of_converted(
        &mut self,
        wanted: &Wanted,
        converted: &mut Converted,
        encoding: Encoding,
    ) -> Result<OfConverted, Failure> {
        let made;
        let text: &str = match &mut converted.text {
            Conversion::Whole(unit) => &unit.text,
            Conversion::Units(units) => {
                made = whole_text(&mut **units).ok_or_else(|| self.too_long_document())?;
                &made
            }
        };
        let language = converted.facts.metadata("language");
        let searched = Searched {
            text,
            name: match converted.outline {
                Some(Outlined::Elements) => "converted.xml",
                None if converted.facts.format == "JSON" => "converted.json",
                Some(Outlined::Cells) | None => "converted.md",
            },
            cells: match converted.outline {
                Some(Outlined::Cells) => scanner::cells(text, language),
                Some(Outlined::Elements) | None => None,
            },
            part: self.form_part(),
        };
        let resolved = self.resolve(&searched, wanted)?;
        let part = searched.part;
        Ok(match resolved {
            Resolved::Made(made) => OfConverted::Made(Box::new(self.generated(made, encoding))),
            Resolved::Lines(Section {
                selector: Some(selector),
                skipped,
                count,
            }) => {
                self.beyond(&skipped, count);
                OfConverted::Lines(Selector { part, ..selector })
            }
            Resolved::Lines(Section { skipped, count, .. }) => {
                OfConverted::Made(Box::new(self.without_lines_of(skipped, count, encoding)))
            }
        })
    }

    /// Finds what the path selects in a text.
    pub fn resolve(
        &mut self,
        searched: &Searched<'_>,
        wanted: &Wanted,
    ) -> Result<Resolved, Failure> {
        match wanted {
            Wanted::Named(name) => self.named(searched, name),
            Wanted::Around { line, steps } => self.around(searched, *line, *steps),
            Wanted::Indented(wanted) => self.indented(searched, wanted),
        }
    }

    /// Finds the declarations with a name.
    fn named(&mut self, searched: &Searched<'_>, name: &str) -> Result<Resolved, Failure> {
        let found = self.with_end(name, &mut |name| Ok(searched.hits(name)))?;
        let found = found.ok_or_else(|| self.no_format())?;
        self.found(&found, name, &|| searched.word(), &searched.part)
    }

    /// Searches for a name. The end of the name may look like lines, `a:5`: searches for the longer name
    /// if nothing has the shorter one.
    pub fn with_end(
        &mut self,
        name: &str,
        search: &mut dyn FnMut(&str) -> Result<Option<Hits>, Failure>,
    ) -> Result<Option<Hits>, Failure> {
        let found = search(name)?;
        if self.selector.selects_lines() && found.as_ref().is_some_and(|found| found.total == 0) {
            let lines = Selector {
                part: Part::Whole,
                ..self.selector.clone()
            };
            let mut ends = vec![lines.to_string()];
            if lines.raw && lines.lines == Lines::All {
                // The word of the selector may be written so too.
                ends.extend(["Raw", "RAW"].map(str::to_owned));
            }
            for end in ends {
                let longer = search(&format!("{name}:{end}"))?;
                if longer.as_ref().is_some_and(|longer| longer.total > 0) {
                    self.selector = Selector::of(self.selector.part.clone());
                    return Ok(longer);
                }
            }
        }
        Ok(found)
    }

    /// Shows the declarations that were found. `word` is the word for what has a name in the text, and
    /// `part` the part of the source that was searched.
    ///
    /// # Errors
    /// Fails if nothing was found.
    pub fn found(
        &mut self,
        found: &Hits,
        name: &str,
        word: &dyn Fn() -> &'static str,
        part: &Part,
    ) -> Result<Resolved, Failure> {
        match found.first.as_slice() {
            [] => Err(self.no_symbol(word(), name, found, part)),
            [one] if found.total == 1 => Ok(self.one(one)),
            _ => Ok(Resolved::Made(self.several(found, name, word(), part))),
        }
    }

    /// The lines of a declaration, or its text if it is a part of a long line.
    fn one(&mut self, hit: &Hit) -> Resolved {
        let symbol = &hit.symbol;
        let Some((column, text)) = &hit.shared else {
            let (first, last) = (u64::from(symbol.first), u64::from(symbol.last));
            return Resolved::Lines(sections::section(&self.selector, first, last.max(first)));
        };
        let last = column
            .saturating_add(text.chars().count() as u64)
            .saturating_sub(1);
        self.notes.push(format!(
            "`{}` has columns {column} to {last} of line {}",
            escape_invisible(&symbol.name),
            symbol.last
        ));
        Resolved::Made(format!("{text}\n"))
    }

    /// The list of several declarations with one name.
    fn several(&mut self, found: &Hits, name: &str, word: &str, part: &Part) -> String {
        self.lists_symbols = true;
        let word = match found.first.first().map(|hit| hit.symbol.word) {
            Some(word @ ("heading" | "key" | "macro")) => word,
            _ => word,
        };
        let path = escape_invisible(&self.subject.before_selector());
        let count = units::thousands(found.total as u64);
        let mut list = format!("{count} {word}s named `{name}` (append one to `{path}`):\n");
        for hit in &found.first {
            let symbol = &hit.symbol;
            let same = found
                .first
                .iter()
                .filter(|other| other.symbol.name == symbol.name);
            let selector = if hit.shared.is_some() && same.count() == 1 {
                // Its name reads it without the rest of the line.
                let part = Part::Symbol(Wanted::Named(symbol.name.clone()));
                escape_invisible(&Selector::of(part).to_string())
            } else {
                hit.selector(part).to_string()
            };
            list.push_str(&format!(
                ":{selector} {} {}: {}\n",
                symbol.word, symbol.name, hit.head
            ));
        }
        let listed = found.first.len();
        if listed < found.total {
            let listed = units::thousands(listed as u64);
            let next = self.next_named(found, name, part);
            self.notes.push(format!(
                "only the first {listed} of {count} are listed; {next}"
            ));
        }
        list
    }

    /// How to read declarations of a name that are not listed: by the names around one, if any of the
    /// listed ones is inside another, or else the lines after the last listed one.
    fn next_named(&self, found: &Hits, name: &str, part: &Part) -> String {
        let is_inner = |hit: &Hit| {
            let path = &hit.symbol.name;
            path.len() > name.len() && path.contains('.')
        };
        if found.first.iter().any(is_inner) {
            return format!("write the names around one too, as in `:sym:Outer.{name}`");
        }
        let last = found.first.last().map_or(0, |hit| hit.symbol.last);
        let next = self.lines_from(u64::from(last).saturating_add(1), part.clone());
        format!("`{next}` reads on after the last one")
    }

    /// Finds the declaration around a line.
    fn around(
        &mut self,
        searched: &Searched<'_>,
        line: u64,
        steps: u64,
    ) -> Result<Resolved, Failure> {
        let total = text::lines(searched.text.as_bytes()) as u64;
        if line > total {
            return Err(self.no_line(line, total));
        }
        let found = searched.enclosing(line).ok_or_else(|| self.no_format())?;
        if found.is_empty() {
            let parsed = searched.parsed();
            let near = Near::default().with(parsed.as_ref(), 0, line);
            return Err(self.outside(searched.word(), line, near, &searched.part));
        }
        let found: Vec<Hit> = found.into_iter().map(|one| searched.hit(one)).collect();
        self.enclosing_block(&found, line, steps)
    }

    /// The failure for a line after the end of the text.
    pub fn no_line(&self, line: u64, total: u64) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let s = if total == 1 { "" } else { "s" };
        let message = format!("`{path}` has {total} line{s}, so line {line} does not exist");
        Failure::new(Reason::InvalidSelector(selector.to_string()), message)
    }

    /// Shows a block around a line. `found` are all blocks that contain it, the innermost first.
    ///
    /// # Errors
    /// Fails if the line is long and has several declarations.
    pub fn enclosing_block(
        &mut self,
        found: &[Hit],
        line: u64,
        steps: u64,
    ) -> Result<Resolved, Failure> {
        let outermost = found.len().saturating_sub(1);
        let at = usize::try_from(steps).unwrap_or(usize::MAX);
        if at > outermost {
            let name = found.last().map_or("", |hit| &hit.symbol.name);
            let block = Wanted::Around {
                line,
                steps: outermost as u64,
            };
            self.notes.push(format!(
                "`:{block}` is the outermost block around line {line}: `{}`",
                escape_invisible(name)
            ));
        }
        let at = at.min(outermost);
        let Some(hit) = found.get(at) else {
            return Err(self.no_format());
        };
        let symbol = &hit.symbol;
        if hit.shared.is_some() {
            return Err(self.shared_line(line, symbol));
        }
        let (first, last) = (u64::from(symbol.first), u64::from(symbol.last));
        let mut section = sections::section(&self.selector, first, last.max(first));
        let around = found.get(at.saturating_add(1)..).unwrap_or_default();
        // The text of a dialect that returns exact text is one range.
        if self.selector.lines == Lines::All
            && !self.selector.raw
            && !self.request.style.exact
            && let Some(selector) = &mut section.selector
            && let Lines::List(ranges) = &mut selector.lines
        {
            let mut heads: Vec<u64> = around
                .iter()
                .take(limits::SYMBOL_HEADS)
                .map(|outer| u64::from(outer.symbol.sign))
                .filter(|head| *head < u64::from(symbol.first))
                .collect();
            sort::by(&mut heads, |head| (*head, 0));
            heads.dedup();
            let heads = heads.into_iter().map(|head| Range::lines(head, Some(head)));
            ranges.splice(0..0, heads);
        }
        Ok(Resolved::Lines(section))
    }

    /// Finds the block around a line by its indentation.
    fn indented(&self, searched: &Searched<'_>, wanted: &Indentation) -> Result<Resolved, Failure> {
        match indented::block(searched.text, wanted) {
            Some((first, last)) => Ok(Resolved::Lines(sections::section(
                &self.selector,
                first,
                last,
            ))),
            None => {
                let (path, line) = (&self.subject.requested, wanted.line);
                let total = text::lines(searched.text.as_bytes());
                let s = if total == 1 { "" } else { "s" };
                let message =
                    format!("`{path}` has {total} line{s}, so line {line} does not exist");
                let reason = Reason::InvalidArgument("anchor_line".to_owned());
                Err(Failure::new(reason, message))
            }
        }
    }

    /// The failure for a long line that has several declarations. `symbol` is one of them.
    fn shared_line(&self, line: u64, symbol: &Symbol) -> Failure {
        let path = &self.subject.requested;
        let message = format!("line {line} of `{path}` is long and has several declarations");
        let part = Part::Symbol(Wanted::Named(symbol.name.clone()));
        let named = escape_invisible(&self.subject.with_selector(&Selector::of(part)));
        Failure::new(Reason::InvalidSelector(self.selector.to_string()), message)
            .hint(format!("name one of them, as in `{named}`"))
    }

    /// The failure for a text whose format has no declarations.
    pub fn no_format(&self) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` is not in a format with declarations, headings or keys for `:{selector}`"
        );
        let itself = escape_invisible(&self.subject.whole());
        Failure::new(Reason::InvalidSelector(selector.to_string()), message)
            .hint(format!("read it with `{itself}`"))
    }

    /// The failure for a text that is too long to be searched. `what` is what may have at most `limit` bytes.
    pub fn too_long(&self, part: Part, what: &str, limit: u64) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` is too long for `:{selector}`: {what} at most {}",
            units::bytes(limit)
        );
        let first = match &self.selector.part {
            Part::Symbol(
                Wanted::Around { line, .. } | Wanted::Indented(Indentation { line, .. }),
            ) => *line,
            _ => 1,
        };
        let range = self.lines_from(first, part);
        Failure::new(Reason::limit("symbol-text", limit), message)
            .hint(format!("read lines of it, as with `{range}`"))
    }

    /// The failure for a document whose text is too long to be searched.
    fn too_long_document(&self) -> Failure {
        let limit = limits::SYMBOL_TEXT_BYTES;
        self.too_long(self.form_part(), "headings are searched for in", limit)
    }

    /// The path of some lines from a line on.
    pub fn lines_from(&self, first: u64, part: Part) -> String {
        let last = first.saturating_add(limits::SYMBOL_RANGE_LINES.saturating_sub(1));
        let lines = Selector {
            part,
            lines: Lines::One(Range::lines(first, Some(last))),
            raw: false,
        };
        escape_invisible(&self.subject.with_selector(&lines))
    }

    /// The failure for a name that no declaration has.
    fn no_symbol(&self, word: &str, name: &str, found: &Hits, part: &Part) -> Failure {
        let message = format!("`{}` has no {word} `{name}`", self.subject.requested);
        let path = |name: &String| {
            let part = Part::Symbol(Wanted::Named(name.clone()));
            let path = self.subject.with_selector(&Selector::of(part));
            format!("`{}`", escape_invisible(&path))
        };
        let similar: Vec<String> = found.similar.iter().map(path).collect();
        let whole = Selector::of(part.clone());
        let all = if whole == Selector::NONE {
            self.subject.whole()
        } else {
            self.subject.with_selector(&whole)
        };
        let all = escape_invisible(&all);
        let open = self.request.style.open_lines;
        let it = match found.short_lines {
            Some(lines) if lines > open => "its outline",
            _ => "it",
        };
        let hint = if similar.is_empty() {
            format!("no name is similar; read {it} with `{all}`")
        } else {
            let similar = similar.join(", ");
            format!("similar names: {similar}; read {it} with `{all}`")
        };
        let reason = Reason::InvalidSelector(self.selector.to_string());
        Failure::new(reason, message).hint(hint)
    }

    /// The failure for a line that is in no declaration.
    pub fn outside(&self, word: &str, line: u64, near: Near, part: &Part) -> Failure {
        let path = &self.subject.requested;
        let message = format!("line {line} of `{path}` is in no {word}");
        let reason = Reason::InvalidSelector(self.selector.to_string());
        let failure = Failure::new(reason, message);
        let named: Vec<String> = [near.before, near.after]
            .into_iter()
            .flatten()
            .map(|(name, first, last)| {
                let lines = Selector {
                    part: part.clone(),
                    lines: Lines::One(Range::lines(first, Some(last.max(first)))),
                    raw: false,
                };
                let path = escape_invisible(&self.subject.with_selector(&lines));
                format!("`{path}` ({})", escape_invisible(&name))
            })
            .collect();
        if named.is_empty() {
            return failure;
        }
        let are = if named.len() == 1 { "is" } else { "are" };
        failure.hint(format!("the nearest {are} {}", named.join(" and ")))
    }
}

/// The declarations before and after a line, each with its name, its first line and its last line.
#[derive(Debug, Default)]
pub struct Near {
    before: Option<(String, u64, u64)>,
    after: Option<(String, u64, u64)>,
}

impl Near {
    /// Adds the declarations of a text with `lines` lines before it.
    pub fn with(mut self, parsed: Option<&Parsed>, lines: u64, line: u64) -> Self {
        let items = parsed.map_or(&[][..], |parsed| &parsed.items);
        let named = |item: &Item| {
            (
                item.name.clone(),
                lines.saturating_add(item.first.into()),
                lines.saturating_add(item.last.into()),
            )
        };
        let before = items
            .iter()
            .filter(|item| lines.saturating_add(item.last.into()) < line)
            .max_by_key(|item| (item.last, std::cmp::Reverse(item.first)));
        self.before = before.map(named).or(self.before);
        let after = items
            .iter()
            .find(|item| lines.saturating_add(item.first.into()) > line);
        self.after = self.after.or_else(|| after.map(named));
        self
    }

    /// Whether a declaration after the line is known.
    pub fn is_complete(&self) -> bool {
        self.after.is_some()
    }
}
