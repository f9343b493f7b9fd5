//! Declarations, headings and keys that a path selects by name or by a line.

use super::converted::OfConverted;
use super::document;
use super::indented;
use super::readers::converts;
use super::reading::Reading;
use super::searched::Searched;
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
use omniread_outline::symbol::{Found, Symbol};
use omniread_outline::{self as scanner, sort};

/// What a search found.
enum Resolved {
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
        let resolved = {
            let limit = limits::SYMBOL_TEXT_BYTES;
            let bytes = input.first(limit.saturating_add(1));
            if bytes.len() as u64 > limit {
                return Err(self.too_long(Part::Whole));
            }
            let text = document::decoded(bytes, encoding);
            let name = self.name().to_owned();
            let searched = Searched {
                text: &text,
                name: &name,
                cells: None,
                part: Part::Whole,
            };
            self.resolve(&searched, &wanted)?
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
                made = whole_text(&mut **units).ok_or_else(|| self.too_long(self.form_part()))?;
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
    fn resolve(&mut self, searched: &Searched<'_>, wanted: &Wanted) -> Result<Resolved, Failure> {
        match wanted {
            Wanted::Named(name) => self.named(searched, name),
            Wanted::Around { line, steps } => self.around(searched, *line, *steps),
            Wanted::Indented(wanted) => self.indented(searched, wanted),
        }
    }

    /// Finds the declarations with a name.
    fn named(&mut self, searched: &Searched<'_>, name: &str) -> Result<Resolved, Failure> {
        let mut found = searched.find(name);
        if let Some(Found::None { .. }) = found
            && self.selector.selects_lines()
        {
            // The end of the name may look like lines: `a:5`.
            let lines = Selector {
                part: Part::Whole,
                ..self.selector.clone()
            };
            if let Some(longer @ (Found::One(_) | Found::Several { .. })) =
                searched.find(&format!("{name}:{lines}"))
            {
                self.selector = Selector::of(self.selector.part.clone());
                found = Some(longer);
            }
        }
        match found {
            None => Err(self.no_format()),
            Some(Found::One(symbol)) => Ok(self.one(searched, &symbol)),
            Some(Found::Several { symbols, total }) => Ok(Resolved::Made(
                self.several(searched, name, &symbols, total),
            )),
            Some(Found::None { similar }) => Err(self.no_symbol(searched, name, &similar)),
        }
    }

    /// The lines of a declaration, or its text if it is a part of a long line.
    fn one(&mut self, searched: &Searched<'_>, symbol: &Symbol) -> Resolved {
        let Some(column) = searched.column(symbol) else {
            let (first, last) = (u64::from(symbol.first), u64::from(symbol.last));
            return Resolved::Lines(sections::section(&self.selector, first, last.max(first)));
        };
        let (start, end) = symbol.bytes;
        let text = searched.text.get(start..end).unwrap_or_default();
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
    fn several(
        &mut self,
        searched: &Searched<'_>,
        name: &str,
        symbols: &[Symbol],
        total: usize,
    ) -> String {
        let parsed = searched.cells.as_ref();
        let word = match symbols.first().map(|symbol| symbol.word) {
            Some(word @ ("heading" | "key")) => word,
            _ => searched.word(parsed),
        };
        let path = escape_invisible(&self.subject.before_selector());
        let count = units::thousands(total as u64);
        let mut list = format!("{count} {word}s named `{name}` (append one to `{path}`):\n");
        for symbol in symbols {
            let is_only = symbols
                .iter()
                .filter(|other| other.name == symbol.name)
                .count()
                == 1;
            let selector = if is_only && searched.column(symbol).is_some() {
                // Its name reads it without the rest of the line.
                let part = Part::Symbol(Wanted::Named(symbol.name.clone()));
                escape_invisible(&Selector::of(part).to_string())
            } else {
                searched.selector(symbol).to_string()
            };
            let head = searched.head(symbol);
            list.push_str(&format!(
                ":{selector} {} {}: {head}\n",
                symbol.word, symbol.name
            ));
        }
        let listed = symbols.len();
        if listed < total {
            let listed = units::thousands(listed as u64);
            self.notes.push(format!(
                "only the first {listed} of {count} are listed; write the names around one too, as in `:sym:Outer.{name}`"
            ));
        }
        list
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
            let (path, selector) = (&self.subject.requested, &self.selector);
            let s = if total == 1 { "" } else { "s" };
            let message = format!("`{path}` has {total} line{s}, so line {line} does not exist");
            return Err(Failure::new(
                Reason::InvalidSelector(selector.to_string()),
                message,
            ));
        }
        let found = searched.enclosing(line).ok_or_else(|| self.no_format())?;
        let Some(outermost) = found.len().checked_sub(1) else {
            return Err(self.outside(searched, line));
        };
        let at = usize::try_from(steps).unwrap_or(usize::MAX);
        if at > outermost {
            let name = found.last().map_or("", |symbol| &symbol.name);
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
        let Some(symbol) = found.get(at) else {
            return Err(self.outside(searched, line));
        };
        if searched.column(symbol).is_some() {
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
                .map(|outer| u64::from(outer.sign))
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
    fn no_format(&self) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` is not in a format with declarations, headings or keys for `:{selector}`"
        );
        let itself = escape_invisible(&self.subject.whole());
        Failure::new(Reason::InvalidSelector(selector.to_string()), message)
            .hint(format!("read it with `{itself}`"))
    }

    /// The failure for a text that is too long to be searched.
    fn too_long(&self, part: Part) -> Failure {
        let limit = limits::SYMBOL_TEXT_BYTES;
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` is too long for `:{selector}`: declarations are searched for in at most {}",
            units::bytes(limit)
        );
        let first = match &self.selector.part {
            Part::Symbol(
                Wanted::Around { line, .. } | Wanted::Indented(Indentation { line, .. }),
            ) => *line,
            _ => 1,
        };
        let last = first.saturating_add(limits::SYMBOL_RANGE_LINES.saturating_sub(1));
        let lines = Selector {
            part,
            lines: Lines::One(Range::lines(first, Some(last))),
            raw: false,
        };
        let range = escape_invisible(&self.subject.with_selector(&lines));
        Failure::new(Reason::limit("symbol-text", limit), message)
            .hint(format!("read lines of it, as with `{range}`"))
    }

    /// The failure for a name that no declaration has.
    fn no_symbol(&self, searched: &Searched<'_>, name: &str, similar: &[String]) -> Failure {
        let parsed = searched.parsed();
        let most = omniread_outline::limits::ITEMS;
        if parsed
            .as_ref()
            .is_some_and(|parsed| parsed.items.len() >= most)
        {
            let path = &self.subject.requested;
            let message = format!(
                "`{path}` has more than {} declarations; `{name}` is not among the first of them",
                units::thousands(most as u64)
            );
            let itself = escape_invisible(&self.subject.whole());
            return Failure::new(Reason::limit("symbols", most as u64), message)
                .hint(format!("read lines of it, from `{itself}` on"));
        }
        let word = searched.word(parsed.as_ref());
        let message = format!("`{}` has no {word} `{name}`", self.subject.requested);
        let path = |name: &String| {
            let part = Part::Symbol(Wanted::Named(name.clone()));
            let path = self.subject.with_selector(&Selector::of(part));
            format!("`{}`", escape_invisible(&path))
        };
        let similar: Vec<String> = similar.iter().map(path).collect();
        let whole = Selector::of(searched.part.clone());
        let all = if whole == Selector::NONE {
            self.subject.whole()
        } else {
            self.subject.with_selector(&whole)
        };
        let all = escape_invisible(&all);
        let hint = if similar.is_empty() {
            format!("no name is similar; read its outline with `{all}`")
        } else {
            let similar = similar.join(", ");
            format!("similar names: {similar}; read its outline with `{all}`")
        };
        let reason = Reason::InvalidSelector(self.selector.to_string());
        Failure::new(reason, message).hint(hint)
    }

    /// The failure for a line that is in no declaration.
    fn outside(&self, searched: &Searched<'_>, line: u64) -> Failure {
        let parsed = searched.parsed();
        let word = searched.word(parsed.as_ref());
        let path = &self.subject.requested;
        let message = format!("line {line} of `{path}` is in no {word}");
        let reason = Reason::InvalidSelector(self.selector.to_string());
        let failure = Failure::new(reason, message);
        let items = parsed.map_or_else(Vec::new, |parsed| parsed.items);
        let before = items
            .iter()
            .filter(|item| u64::from(item.last) < line)
            .max_by_key(|item| (item.last, std::cmp::Reverse(item.first)));
        let after = items.iter().find(|item| u64::from(item.first) > line);
        let named: Vec<String> = [before, after]
            .into_iter()
            .flatten()
            .map(|item| {
                let (first, last) = (u64::from(item.first), u64::from(item.last));
                let lines = Selector {
                    part: searched.part.clone(),
                    lines: Lines::One(Range::lines(first, Some(last.max(first)))),
                    raw: false,
                };
                let path = escape_invisible(&self.subject.with_selector(&lines));
                format!("`{path}` ({})", escape_invisible(&item.name))
            })
            .collect();
        if named.is_empty() {
            return failure;
        }
        let are = if named.len() == 1 { "is" } else { "are" };
        failure.hint(format!("the nearest {are} {}", named.join(" and ")))
    }
}
