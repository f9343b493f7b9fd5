//! Declarations of a text that is too long to be searched at once: it is searched in pieces, each of which is
//! read once.

use super::missing::Near;
use super::reading::Reading;
use super::searched::{Hit, Hits, Searched, word};
use super::symbols::{Resolved, place};
use crate::encoding::Encoding;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::{Decoder, Input, Piece};
use crate::path::{Part, Symbol as Wanted};
use crate::units;
use omniread_outline::data::keys_by_name;
use omniread_outline::limits::SYMBOLS;
use omniread_outline::symbols::pieces::{self, Search, Step};
use omniread_outline::symbols::{At, RULES};
use std::ops::ControlFlow;

/// The text from the end of the last piece on, as far as it was read.
struct Buffer<'b, 'i> {
    input: &'b mut Input<'i>,
    decoder: Decoder,
    text: String,
    /// The offset in the input of the bytes that follow.
    at: u64,
    ended: bool,
}

impl<'b, 'i> Buffer<'b, 'i> {
    fn new(input: &'b mut Input<'i>, encoding: Encoding) -> Self {
        Self {
            input,
            decoder: Decoder::new(encoding.charset),
            text: String::new(),
            at: encoding.bom_len,
            ended: false,
        }
    }

    /// Reads until the text has more than `bytes` bytes, or ends.
    fn grow(&mut self, bytes: usize) {
        while !self.ended && self.text.len() <= bytes {
            let chunk = self.input.chunk(self.at);
            self.ended = chunk.is_empty();
            self.at = self.at.saturating_add(chunk.len() as u64);
            let text = &mut self.text;
            let _ = self.decoder.decode(chunk, self.ended, &mut |piece| {
                match piece {
                    Piece::Text(piece) => text.push_str(piece),
                    Piece::Invalid(_) => text.push(char::REPLACEMENT_CHARACTER),
                }
                ControlFlow::Continue(())
            });
        }
    }

    /// The whole lines of the text that was read.
    fn lines(&self) -> &str {
        let end = if self.ended {
            self.text.len()
        } else {
            self.text.rfind('\n').map_or(0, |end| end.saturating_add(1))
        };
        self.text.get(..end).unwrap_or_default()
    }
}

/// The declarations that were found in the pieces so far.
#[derive(Default)]
struct Names {
    hits: [Vec<Hit>; RULES],
    totals: [usize; RULES],
}

/// The reason why a search ended before the end of the text.
enum Stop {
    /// The time of the read.
    Time,
    /// A block is too long.
    Block,
    /// A piece has too many declarations, and cannot be divided.
    Many,
}

impl Reading<'_> {
    /// Finds what the path selects in a text that is longer than [`limits::SYMBOL_PIECE_BYTES`], or of which not
    /// all is in memory.
    ///
    /// # Errors
    /// Fails if a limit ends the search, or if the text does not have the declaration.
    pub fn resolve_long(
        &mut self,
        input: &mut Input<'_>,
        encoding: Encoding,
        name: &str,
        wanted: &Wanted,
    ) -> Result<Resolved, Failure> {
        let mut buffer = Buffer::new(input, encoding);
        let is_keys = keys_by_name(name).is_some();
        let is_indented = matches!(wanted, Wanted::Indented(_));
        let most = match (is_keys, is_indented) {
            (_, true) => limits::INDENTED_BYTES,
            (true, false) => limits::SYMBOL_KEYS_BYTES,
            (false, false) => limits::SYMBOL_WHOLE_BYTES,
        };
        buffer.grow(most);
        if buffer.ended && buffer.text.len() <= most {
            return self.resolve(&Searched::of_file(&buffer.text, name), wanted);
        }
        if is_keys && !is_indented {
            let what = "keys are searched for in";
            return Err(self.too_long(Part::Whole, what, most as u64));
        }
        match wanted {
            Wanted::Indented(_) => {
                let what = "blocks of lines are searched for in";
                Err(self.too_long(Part::Whole, what, most as u64))
            }
            Wanted::Named(query) => {
                let (found, is_prose) = self.names(&mut buffer, name, query)?;
                let word = || word(name, || is_prose);
                self.found(&found, query, &word, &Part::Whole)
            }
            Wanted::Around {
                line,
                column,
                steps,
            } => self.line(&mut buffer, name, place(*line, *column), *steps),
        }
    }

    /// Searches the pieces for a name.
    fn names(
        &mut self,
        buffer: &mut Buffer<'_, '_>,
        file: &str,
        query: &str,
    ) -> Result<(Hits, bool), Failure> {
        let mut search = Search::new(file, pieces::Wanted::Name(query));
        let mut names = Names::default();
        let stop = self.each_piece(buffer, &mut search, &mut |searched, piece| {
            for ((found, hits), total) in piece
                .matches
                .into_iter()
                .zip(&mut names.hits)
                .zip(&mut names.totals)
            {
                *total = total.saturating_add(found.total);
                let missing = SYMBOLS.saturating_sub(hits.len());
                let more = found.symbols.into_iter().take(missing);
                hits.extend(more.map(|symbol| searched.hit(symbol).after(piece.before)));
            }
            ControlFlow::Continue(())
        })?;
        let lines = u64::from(search.lines());
        let best = names.totals.iter().position(|total| *total > 0);
        let Some(best) = best else {
            return match stop {
                Some(stop) => Err(self.stopped(&stop, lines)),
                None => {
                    let is_prose = search.is_prose();
                    let hits = Hits {
                        first: Vec::new(),
                        total: 0,
                        unsure_from: search.unsure_from(),
                        similar: search.similar(),
                        short_lines: None,
                    };
                    Ok((hits, is_prose))
                }
            };
        };
        if let Some(stop) = stop {
            let reason = stop.reason();
            let searched = stop.searched(lines);
            self.notes
                .push(format!("{searched} for `{query}`, because {reason}"));
        }
        let [hits, ..] = {
            names.hits.rotate_left(best);
            names.hits
        };
        let found = Hits {
            first: hits,
            total: names.totals.get(best).copied().unwrap_or_default(),
            similar: Vec::new(),
            unsure_from: None,
            short_lines: None,
        };
        Ok((found, search.is_prose()))
    }

    /// Searches the pieces for the declarations around a line.
    fn line(
        &mut self,
        buffer: &mut Buffer<'_, '_>,
        file: &str,
        at: At,
        steps: u64,
    ) -> Result<Resolved, Failure> {
        let line = u64::from(at.line);
        let wanted = pieces::Wanted::Line(at);
        let mut search = Search::new(file, wanted);
        let mut near = Near::default();
        let mut found: Option<Vec<Hit>> = None;
        let stop = self.each_piece(buffer, &mut search, &mut |searched, piece| {
            let before = u64::from(piece.before);
            let known = std::mem::take(&mut near);
            near = known.with(Some(&piece.parsed), before, line);
            if let Some(around) = piece.around {
                let hits = around.into_iter();
                found = Some(
                    hits.map(|one| searched.hit(one).after(piece.before))
                        .collect(),
                );
            }
            match &found {
                Some(found) if !found.is_empty() || near.is_complete() => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })?;
        let lines = u64::from(search.lines());
        match (found, stop) {
            (Some(found), _) if !found.is_empty() => self.enclosing_block(&found, at, steps),
            (Some(_), _) => {
                let word = word(file, || search.is_prose());
                Err(self.outside(word, line, near, &Part::Whole))
            }
            (None, Some(stop)) => Err(self.stopped(&stop, lines)),
            (None, None) => Err(self.no_line(line, lines)),
        }
    }

    /// Calls `each` with each piece of the text. Returns the reason why the search ended early, if it did.
    ///
    /// # Errors
    /// Fails if the text has no declarations by its format.
    fn each_piece(
        &mut self,
        buffer: &mut Buffer<'_, '_>,
        search: &mut Search<'_>,
        each: &mut dyn FnMut(&Searched<'_>, pieces::Piece) -> ControlFlow<()>,
    ) -> Result<Option<Stop>, Failure> {
        let mut size = limits::SYMBOL_PIECE_BYTES;
        loop {
            buffer.grow(size);
            let text = buffer.lines();
            let is_last = buffer.ended;
            let step = if text.is_empty() && !is_last {
                Step::Longer
            } else {
                search.piece(text, is_last)
            };
            match step {
                Step::Unknown => return Err(self.no_format()),
                Step::Longer if is_last || size >= limits::SYMBOL_BLOCK_BYTES => {
                    return Ok(Some(Stop::Block));
                }
                Step::Longer => size = size.saturating_mul(2),
                Step::Piece(piece) => {
                    let (end, is_cut) = (piece.end, piece.is_cut);
                    let part = text.get(..end).unwrap_or_default();
                    let ends = each(&Searched::of_file(part, ""), *piece).is_break();
                    if is_cut && !ends {
                        return Ok(Some(Stop::Many));
                    }
                    buffer.text.drain(..end.min(buffer.text.len()));
                    if ends || (buffer.ended && buffer.text.is_empty()) {
                        return Ok(None);
                    }
                    size = limits::SYMBOL_PIECE_BYTES;
                }
            }
            let time = self.world.read_time();
            let spared = |limit: u64| limit.saturating_sub(limit / limits::SYMBOL_TIME_SPARED);
            if time.limit.is_some_and(|limit| time.used >= spared(limit)) {
                return Ok(Some(Stop::Time));
            }
        }
    }

    /// The failure for a search that ended after `lines` lines without a result.
    fn stopped(&self, stop: &Stop, lines: u64) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let searched = stop.searched(lines);
        let message = format!(
            "`{path}` is too long for `:{selector}`: {searched}, because {}",
            stop.reason()
        );
        let reason = match stop {
            Stop::Time => {
                let limit = self.world.read_time().limit.unwrap_or_default();
                Reason::limit("symbol-time", limit)
            }
            Stop::Block => Reason::limit("symbol-text", limits::SYMBOL_BLOCK_BYTES as u64),
            Stop::Many => Reason::limit("symbols", omniread_outline::limits::ITEMS as u64),
        };
        let first = match &self.selector.part {
            Part::Symbol(Wanted::Around { line, .. }) => *line,
            _ => lines.saturating_add(1),
        };
        let range = self.lines_from(first, Part::Whole);
        Failure::new(reason, message).hint(format!("read lines of it, as with `{range}`"))
    }
}

impl Stop {
    /// What was searched: `lines` lines.
    fn searched(&self, lines: u64) -> String {
        match (self, lines) {
            (Self::Many, _) => {
                let most = omniread_outline::limits::ITEMS as u64;
                format!(
                    "only the first {} declarations of line {lines} were searched",
                    units::thousands(most)
                )
            }
            (_, 0) => "no line was searched".to_owned(),
            (_, lines) => format!("only lines 1 to {} were searched", units::thousands(lines)),
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::Time => "the time of the read ends".to_owned(),
            Self::Block => {
                let limit = units::bytes(limits::SYMBOL_BLOCK_BYTES as u64);
                format!("the block after them has more than {limit}")
            }
            Self::Many => {
                let most = omniread_outline::limits::ITEMS as u64;
                format!(
                    "there are more than {} declarations",
                    units::thousands(most)
                )
            }
        }
    }
}
