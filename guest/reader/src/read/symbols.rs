//! Declarations, headings and keys that a path selects by name or by a line.

use super::converted::OfConverted;
use super::document;
use super::indented;
use super::missing::Near;
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
use omniread_outline::symbols::At;
use omniread_outline::{self as scanner, sort};

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
            Wanted::Around {
                line,
                column,
                steps,
            } => self.around(searched, place(*line, *column), *steps),
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
        self.unsure(symbol.unsure_from);
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

    /// Adds the note that brackets do not match from a line on.
    fn unsure(&mut self, line: Option<u32>) {
        self.notes.extend(line.map(|line| {
            format!(
                "brackets do not match from line {line} on: the lines of declarations may be wrong there"
            )
        }));
    }

    /// The list of several declarations with one name.
    fn several(&mut self, found: &Hits, name: &str, word: &str, part: &Part) -> String {
        self.lists_symbols = true;
        let word = match found.first.first().map(|hit| hit.symbol.word) {
            Some(word @ ("heading" | "key" | "macro")) => word,
            _ => word,
        };
        let unsure = found.first.iter().filter_map(|hit| hit.symbol.unsure_from);
        self.unsure(unsure.min());
        let path = escape_invisible(&self.subject.before_selector());
        let count = units::thousands(found.total as u64);
        let mut list = format!("{count} {word}s named `{name}` (append one to `{path}`):\n");
        for hit in &found.first {
            let symbol = &hit.symbol;
            let same = found
                .first
                .iter()
                .filter(|other| other.symbol.query() == symbol.query());
            let selector = if hit.shared.is_some() && same.count() == 1 {
                // Its name reads it without the rest of the line.
                let part = Part::Symbol(Wanted::Named(symbol.query().to_owned()));
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
    fn around(&mut self, searched: &Searched<'_>, at: At, steps: u64) -> Result<Resolved, Failure> {
        let line = u64::from(at.line);
        let total = text::lines(searched.text.as_bytes()) as u64;
        if line > total {
            return Err(self.no_line(line, total));
        }
        let found = searched.enclosing(at).ok_or_else(|| self.no_format())?;
        if found.is_empty() {
            let parsed = searched.parsed();
            let near = Near::default().with(parsed.as_ref(), 0, line);
            return Err(self.outside(searched.word(), line, near, &searched.part));
        }
        let found: Vec<Hit> = found.into_iter().map(|one| searched.hit(one)).collect();
        self.enclosing_block(&found, at, steps)
    }

    /// Shows a block around a line. `found` are all blocks that contain it, the innermost first.
    ///
    /// # Errors
    /// Fails if the line is long and has several declarations.
    pub fn enclosing_block(
        &mut self,
        found: &[Hit],
        place: At,
        steps: u64,
    ) -> Result<Resolved, Failure> {
        let line = u64::from(place.line);
        // A key whose only line is that of a key in it is no larger block.
        let lines = |hit: &Hit| (hit.symbol.first, hit.symbol.last);
        let mut found: Vec<&Hit> = found.iter().collect();
        found.dedup_by(|outer, inner| {
            lines(outer) == lines(inner) && outer.shared.is_none() && inner.shared.is_none()
        });
        let outermost = found.len().saturating_sub(1);
        let at = usize::try_from(steps).unwrap_or(usize::MAX);
        if at > outermost {
            let name = found.last().map_or("", |hit| &hit.symbol.name);
            let block = Wanted::Around {
                line,
                column: None,
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
            return match place.column {
                Some(_) => Ok(self.one(hit)),
                None => Err(self.shared_line(line, symbol)),
            };
        }
        self.unsure(symbol.unsure_from);
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
}

/// A place in a text, as a path has it.
pub fn place(line: u64, column: Option<u64>) -> At {
    At {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: column.map(|column| usize::try_from(column).unwrap_or(usize::MAX)),
    }
}
