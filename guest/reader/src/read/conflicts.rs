//! Merge conflicts in a text: the list of them, the lines of one, and the text of a side.

use super::conflict_notes::{doubts, entry, labelled, remark};
use super::conflict_scan::{part, scan};
use super::reading::Reading;
use super::text;
use crate::answer::{Body, Made, Text};
use crate::encoding::Encoding;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::{Input, fill_text};
use crate::path::{Conflict, Lines, Part, Range, Selector};
use crate::sniff;
use crate::units::{self, with_article};
use crate::window::Numbering;
use omniread_conflicts::{Block, Kind, Part as Wanted, Side};
use std::ops::ControlFlow;

impl Reading<'_> {
    /// The note on the conflicts on a page of text. `None` if there are none.
    pub fn conflicts_note(&self, count: u64) -> Option<String> {
        let many = match count {
            0 => return None,
            1 => "",
            _ => "s",
        };
        let list = self.conflict_path(Conflict::All);
        Some(format!(
            "{count} unresolved merge conflict{many} in these lines. Use {list} to list all"
        ))
    }

    /// Reads the conflicts that the path selects. `None` if it selects something else.
    ///
    /// # Errors
    /// Fails if the content is not text, or does not have the conflict or the part of it.
    pub fn conflicts(&mut self, input: &mut Input<'_>) -> Result<Option<Body>, Failure> {
        let Part::Conflict(wanted) = self.selector.part else {
            return Ok(None);
        };
        let encoding = self.text_encoding(input)?;
        let body = match wanted {
            Conflict::All => {
                let list = self.list(input, encoding);
                self.generated(list, encoding)
            }
            Conflict::Block(number) => {
                let block = self.block(input, encoding, number)?;
                self.shows_conflicts = Some(true);
                self.notes.extend(remark(&block));
                self.select(&block);
                self.rewind(input)?;
                self.text(input)
            }
            Conflict::Side(number, wanted) => {
                let block = self.block(input, encoding, number)?;
                let Some(side) = block.part(wanted) else {
                    return Err(self.no_side(&block, wanted));
                };
                if let Some(why) = doubts(&block, wanted) {
                    return Err(self.uncertain(&block, &why));
                }
                let text = self.side(input, encoding, side)?;
                self.shows_conflicts = Some(true);
                let origin = self.origin(number, wanted, side);
                self.notes.push(origin);
                self.notes.extend(remark(&block));
                self.generated(text, encoding)
            }
        };
        if !matches!(wanted, Conflict::Block(_)) {
            self.notes.extend(input.damage());
        }
        Ok(Some(Body::Text(body)))
    }

    /// The encoding of the content.
    ///
    /// # Errors
    /// Fails if the content is not text.
    pub fn text_encoding(&self, input: &Input<'_>) -> Result<Encoding, Failure> {
        let kind = self.detected.kind;
        let is_text = match kind {
            sniff::Kind::Container(_) | sniff::Kind::Image(_) => false,
            sniff::Kind::Document(document) => document.is_text(),
            sniff::Kind::Drawing(_) | sniff::Kind::Text | sniff::Kind::Other => true,
        };
        if let Some(encoding) = self.detected.encoding.filter(|_| is_text) {
            return Ok(encoding);
        }
        let what = match kind {
            sniff::Kind::Image(format) => with_article(format.media.long_name),
            sniff::Kind::Container(container) => with_article(&container.name()),
            sniff::Kind::Document(document) => with_article(document.name()),
            sniff::Kind::Drawing(_) | sniff::Kind::Text | sniff::Kind::Other => {
                "not text".to_owned()
            }
        };
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!("`{path}` is {what}; `:{selector}` does not apply to it");
        let failure = Failure::new(Reason::InvalidSelector(selector.to_string()), message);
        Err(self.with_itself(failure, input))
    }

    /// Makes the lines of a conflict the lines to be read. Arguments may select a part of them.
    fn select(&mut self, block: &Block) {
        let (first, last) = (block.lines.first, block.lines.last);
        let (start, end) = match self.selector.lines {
            Lines::One(range) => {
                let start = range.start.line.max(first);
                (start, range.end.map_or(last, |end| end.min(last)))
            }
            Lines::All | Lines::List(_) | Lines::Tail { .. } => (first, last),
        };
        let (start, mut end) = if start <= end {
            (start, end)
        } else {
            (first, last)
        };
        if self.request.slice.is_some() {
            let open = self.request.style.open_lines.max(1);
            end = end.min(start.saturating_add(open).saturating_sub(1));
        }
        if end < last {
            self.notes.push(format!("the conflict ends at line {last}"));
        }
        self.selector.part = Part::Whole;
        self.selector.lines = Lines::One(Range::lines(start, Some(end)));
    }

    /// The conflict with a number.
    ///
    /// # Errors
    /// Fails if there are fewer conflicts.
    fn block(
        &self,
        input: &mut Input<'_>,
        encoding: Encoding,
        number: u64,
    ) -> Result<Block, Failure> {
        let mut wanted = None;
        let mut count = 0u64;
        let labelled = number..number.saturating_add(1);
        scan(input, encoding, labelled, &mut |block| {
            count = block.number;
            if block.number < number {
                return ControlFlow::Continue(());
            }
            wanted.get_or_insert_with(|| block.clone());
            ControlFlow::Break(())
        });
        wanted.ok_or_else(|| {
            let path = &self.subject.requested;
            let has = match count {
                0 => "no unresolved merge conflicts".to_owned(),
                1 => "1 unresolved merge conflict".to_owned(),
                _ => format!("{} unresolved merge conflicts", units::thousands(count)),
            };
            let message = format!("`{path}` has {has}, so `:{}` does not exist", self.selector);
            let reason = Reason::InvalidSelector(self.selector.to_string());
            let failure = Failure::new(reason, message);
            if count == 0 {
                return self.with_itself(failure, input);
            }
            failure.hint(format!(
                "list them with `{}`",
                self.conflict_path(Conflict::All)
            ))
        })
    }

    /// The failure for a side or base that a conflict does not have.
    fn no_side(&self, block: &Block, wanted: Wanted) -> Failure {
        let number = block.number;
        let what = match wanted {
            Wanted::Base | Wanted::BaseNumber(1) => "base",
            Wanted::BaseNumber(_) => "such base",
            Wanted::Ours | Wanted::Theirs | Wanted::Side(_) => "such side",
        };
        let path = &self.subject.requested;
        let message = format!("conflict {number} of `{path}` has no {what}");
        let whole = self.conflict_path(Conflict::Block(number));
        Failure::new(Reason::InvalidSelector(self.selector.to_string()), message)
            .hint(format!("read it with `{whole}`"))
    }

    /// The failure for a side or base whose first or last line is not certain. `why` names the lines.
    fn uncertain(&self, block: &Block, why: &str) -> Failure {
        let path = format!("{}:{}", self.subject.requested, self.selector);
        let message = format!("the text of `{path}` is not certain: {why}");
        let whole = match block.ends.lines.last() {
            None => self.conflict_path(Conflict::Block(block.number)),
            Some(last) => self.lines_path(block.lines.first, *last),
        };
        Failure::new(Reason::InvalidSelector(self.selector.to_string()), message)
            .hint(format!("read the whole conflict with `{whole}`"))
    }

    /// The text of a side or base.
    ///
    /// # Errors
    /// Fails if it is too long, or if the content can be read only once.
    fn side(
        &self,
        input: &mut Input<'_>,
        encoding: Encoding,
        side: Side<'_>,
    ) -> Result<String, Failure> {
        let bytes = side.section().body.clone();
        let limit = limits::CONFLICT_SIDE_BYTES;
        if bytes.end.saturating_sub(bytes.start) > limit {
            let reason = Reason::limit("conflict-side", limit);
            let limit = units::bytes(limit);
            let message = format!(
                "`{}:{}` has more than {limit}",
                self.subject.requested, self.selector
            );
            let lines = side.lines();
            let path = self.lines_path(lines.first, lines.last);
            return Err(Failure::new(reason, message).hint(format!("read its lines with `{path}`")));
        }
        self.rewind(input)?;
        let body = part(input, encoding, &bytes);
        let text = side.text(&body);
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Lets the content be read a second time.
    pub fn rewind(&self, input: &mut Input<'_>) -> Result<(), Failure> {
        let typed = &self.request.path;
        input
            .rewind()
            .map_err(|error| crate::rooted_path::failure(error, typed))
    }

    /// The note that says where the text of a side is.
    fn origin(&self, number: u64, wanted: Wanted, side: Side<'_>) -> String {
        let lines = side.lines();
        let place = match lines.last.checked_sub(lines.first) {
            None => "no lines".to_owned(),
            Some(0) => format!("line {}", lines.first),
            Some(_) => format!("lines {}-{}", lines.first, lines.last),
        };
        let made = match side.section().kind {
            Kind::Difference => "from the difference in ",
            Kind::Side | Kind::Base => "",
        };
        let what = match wanted {
            Wanted::Ours => "ours".to_owned(),
            Wanted::Theirs => "theirs".to_owned(),
            Wanted::Base => "base".to_owned(),
            Wanted::Side(side) => format!("side {side}"),
            Wanted::BaseNumber(base) => format!("base {base}"),
        };
        let label = labelled(side.label()).map_or(String::new(), |label| format!(", {label}"));
        let path = escape_invisible(&self.subject.whole());
        format!("{what} of conflict {number}{label}: {made}{place} of {path}")
    }

    /// The list of all conflicts, one in each line after the first.
    fn list(&mut self, input: &mut Input<'_>, encoding: Encoding) -> String {
        let mut lines = String::new();
        let mut count = 0u64;
        let labelled = 1..limits::LISTED_CONFLICTS.saturating_add(1);
        scan(input, encoding, labelled, &mut |block| {
            count = count.saturating_add(1);
            if count <= limits::LISTED_CONFLICTS {
                lines.push_str(&entry(block));
                lines.push('\n');
            }
            ControlFlow::Continue(())
        });
        self.shows_conflicts = Some(count > 0);
        if count == 0 {
            let path = escape_invisible(&self.subject.whole());
            return format!("[No unresolved merge conflicts in {path}]\n");
        }
        if count > limits::LISTED_CONFLICTS {
            let next = Conflict::Block(limits::LISTED_CONFLICTS.saturating_add(1));
            self.notes.push(format!(
                "only the first {} of them are listed; `{}` reads the next one",
                units::thousands(limits::LISTED_CONFLICTS),
                self.conflict_path(next)
            ));
        }
        let many = if count == 1 { "" } else { "s" };
        let path = escape_invisible(&self.subject.before_selector());
        let count = units::thousands(count);
        format!("{count} unresolved merge conflict{many} (append one to `{path}`):\n{lines}")
    }

    /// A page of text that was made, such as a list of conflicts.
    pub fn generated(&self, made: String, encoding: Encoding) -> Text {
        let style = &self.request.style;
        let mut window = style.window(self.selector.clone(), Numbering::None);
        window.context = false;
        let line_ending = text::ending(made.as_bytes());
        let page = fill_text(made, &window);
        Text {
            window,
            page,
            encoding,
            line_ending,
            tag: None,
            is_edit_text: false,
            annotations: Vec::new(),
            made: self.made(),
            facts: None,
            outline: None,
            log: None,
            contents: None,
            unshown: None,
            other_form: None,
            conflicts: 0,
        }
    }

    /// What a text is that is made for the selector.
    fn made(&self) -> Option<Made> {
        match self.selector.part {
            Part::Conflict(Conflict::All) => Some(Made::Conflicts),
            Part::Conflict(Conflict::Block(_) | Conflict::Side(..)) => Some(Made::Side),
            Part::Symbol(_) if self.lists_symbols => Some(Made::Matches),
            Part::Symbol(_) => Some(Made::PartOfLine),
            _ => None,
        }
    }

    fn lines_path(&self, first: u64, last: u64) -> String {
        let lines = Selector {
            lines: Lines::One(Range::lines(first, Some(last))),
            ..Selector::NONE
        };
        escape_invisible(&self.subject.with_selector(&lines))
    }

    fn conflict_path(&self, conflict: Conflict) -> String {
        let selector = Selector::of(Part::Conflict(conflict));
        escape_invisible(&self.subject.with_selector(&selector))
    }
}
