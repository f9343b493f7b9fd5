//! A block whose end is not certain yet: which markers it accepts, and how it becomes a [`Block`].

use crate::block::{Block, Candidates, End, Kind, Label, Lines, Section, Style};
use crate::marker::{LEAST, Marker};
use std::ops::Range;

/// A block whose end is not certain yet.
#[derive(Debug)]
pub struct Frame {
    /// The number of signs of its markers.
    pub size: u64,
    label: Label,
    line: u64,
    marker: Range<u64>,
    style: Style,
    sections: Vec<Section>,
    /// Lines after the one that divides the sides, which begin the base if another one divides them.
    late_base: Option<Box<LateBase>>,
    bases: Candidates,
    dividers: Candidates,
    ends: Candidates,
    more_sections: bool,
    /// The first line that may end the block.
    ended: Option<Ended>,
    /// The number of whole conflicts in the base.
    nested: u64,
    /// The number of whole conflicts in the sides with markers of the same length.
    enclosed: u64,
    /// Whether the last section has one of them.
    encloses: bool,
    /// The blocks inside of this one. They are text, unless this one has no end, or are after its end.
    pub inside: Vec<Block>,
}

/// The first line that may begin the base after the sides seemed to be divided, and the number of the second one.
#[derive(Debug)]
struct LateBase {
    first: Marker,
    second: Option<u64>,
}

/// A last marker. Text of a side may look like it, so that the block may go on.
#[derive(Debug)]
struct Ended {
    label: Label,
    line: u64,
    bytes: Range<u64>,
    /// The number of sections before it.
    sections: usize,
    /// Whether its sides are divided. If they are not, a line that divides them and another end may follow.
    is_whole: bool,
    /// The first lines after it that divide the sides if another line ends the block.
    dividers: Vec<u64>,
}

/// What a marker does in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is text.
    Text,
    /// It begins a section, or belongs to one.
    Section,
    /// It ends the block, or may do so.
    End,
}

impl Frame {
    /// The block that a marker of `<` begins. `sections` is empty memory for its sections.
    pub fn new(marker: Marker, mut sections: Vec<Section>) -> Self {
        let Marker {
            size,
            label,
            line,
            bytes,
            ..
        } = marker;
        let first = Section {
            kind: Kind::Side,
            label: label.clone(),
            target: None,
            marker: bytes.end..bytes.end,
            body: bytes.end..bytes.end,
            lines: after(line),
        };
        sections.push(first);
        Self {
            size,
            label,
            line,
            marker: bytes,
            style: Style::Git,
            sections,
            late_base: None,
            bases: Candidates::default(),
            dividers: Candidates::default(),
            ends: Candidates::default(),
            more_sections: false,
            ended: None,
            nested: 0,
            enclosed: 0,
            encloses: false,
            inside: Vec::new(),
        }
    }

    /// The offset at which the block starts, and the number of its first line.
    pub fn start(&self) -> (u64, u64) {
        (self.marker.start, self.line)
    }

    /// Whether a line that may end the block was read.
    pub fn has_end(&self) -> bool {
        self.ended.is_some()
    }

    /// Whether it has all markers, so that only one that replaces them can follow.
    pub fn is_over(&self) -> bool {
        self.ended.as_ref().is_some_and(|ended| ended.is_whole)
    }

    /// Whether the block is in the base of Git, in which a merge of several bases leaves conflicts.
    pub fn is_in_base(&self) -> bool {
        !self.has_end()
            && self.style == Style::Git
            && self.sections.last().map(|last| last.kind) == Some(Kind::Base)
    }

    /// Whether the last section has a whole conflict with markers of the same length, so that the start of another one
    /// says that this block has no end.
    pub fn encloses(&self) -> bool {
        self.encloses
    }

    /// Counts a whole conflict in the block.
    pub fn count(&mut self, inner: &Block) {
        if self.is_in_base() {
            self.nested = self.nested.saturating_add(1);
        } else if inner.marker_size == self.size && !self.has_end() {
            self.enclosed = self.enclosed.saturating_add(1);
            self.encloses = true;
        }
    }

    /// What a marker of the length of this block does.
    pub fn effect(&self, marker: &Marker) -> Effect {
        let is_first = marker.line == self.line.saturating_add(1);
        match (self.style, marker.sign) {
            (_, b'>') if self.may_end(marker) => Effect::End,
            (_, b'=') if self.is_over() => Effect::Section,
            _ if self.is_over() => Effect::Text,
            (_, b'|' | b'=') | (Style::Jujutsu, b'%' | b'+' | b'-') => Effect::Section,
            (Style::Git, b'%' | b'+' | b'-') if is_first => Effect::Section,
            (Style::Jujutsu, b'\\') if self.may_have_target(marker.line) => Effect::Section,
            _ => Effect::Text,
        }
    }

    /// Whether a line may be the last marker, or says that the block is text.
    fn may_end(&self, marker: &Marker) -> bool {
        let is_named = !marker.label.is_empty();
        match &self.ended {
            Some(ended) if ended.is_whole => is_named || !self.is_labelled(),
            Some(_) => self.is_whole(),
            None => self.is_whole() || is_named || !self.is_labelled(),
        }
    }

    /// Whether a marker has a label. Markers that Git writes have, except in a file of `rerere`.
    fn is_labelled(&self) -> bool {
        let mut sections = self.sections.iter();
        !self.label.is_empty() || sections.any(|section| !section.label.is_empty())
    }

    /// Whether the block has all markers but the last one.
    fn is_whole(&self) -> bool {
        self.style == Style::Jujutsu || self.is_divided()
    }

    /// Whether a line can have the label of the side to which a difference leads.
    fn may_have_target(&self, line: u64) -> bool {
        self.sections.last().is_some_and(|last| {
            last.kind == Kind::Difference && last.target.is_none() && last.lines.first == line
        })
    }

    /// Adds a marker whose effect is [`Effect::Section`].
    pub fn section(&mut self, marker: Marker) {
        if let Some(ended) = self.ended.as_mut().filter(|ended| ended.is_whole) {
            if ended.dividers.len() <= Candidates::LINES {
                ended.dividers.push(marker.line);
            }
            return;
        }
        self.encloses = false;
        match marker.sign {
            b'\\' => {
                if let Some(last) = self.sections.last_mut() {
                    last.marker.end = marker.bytes.end;
                    last.body = marker.bytes.end..marker.bytes.end;
                    last.lines = after(marker.line);
                    last.target = Some(marker.label);
                }
            }
            b'%' => self.begin(Kind::Difference, marker),
            b'+' => self.begin(Kind::Side, marker),
            b'-' => self.begin(Kind::Base, marker),
            b'|' => self.base(marker),
            _ => self.divide(marker),
        }
    }

    /// Begins the base of Git.
    fn base(&mut self, marker: Marker) {
        self.become_git();
        if self.is_divided() {
            if let Some(late) = &mut self.late_base {
                late.second.get_or_insert(marker.line);
                return;
            }
            let (first, second) = (marker, None);
            self.late_base = Some(Box::new(LateBase { first, second }));
        } else if let Some(first) = self.base_line() {
            self.bases.add(first, marker.line);
        } else {
            self.begin(Kind::Base, marker);
        }
    }

    /// Begins the second side of Git.
    fn divide(&mut self, marker: Marker) {
        self.become_git();
        if !self.is_divided() {
            return self.begin(Kind::Side, marker);
        }
        let first = self.sections.last().map_or(0, line_of);
        let late = self.late_base.take().map(|late| *late);
        match (late, self.base_line()) {
            // The lines that seemed to divide the sides are text of the first side.
            (Some(late), None) if !late.first.label.is_empty() => {
                let line = late.first.line;
                self.sections.truncate(1);
                self.dividers = Candidates::default();
                self.begin(Kind::Base, late.first);
                self.begin(Kind::Side, marker);
                if let Some(second) = late.second {
                    self.bases.add(line, second);
                }
            }
            (Some(late), Some(base)) => {
                self.bases.add(base, late.first.line);
                self.dividers.add(first, marker.line);
            }
            _ => self.dividers.add(first, marker.line),
        }
    }

    /// The line that begins the base of Git.
    fn base_line(&self) -> Option<u64> {
        let mut sections = self.sections.iter();
        sections
            .find(|section| section.kind == Kind::Base)
            .map(line_of)
    }

    /// Whether Git's marker between the sides was read.
    fn is_divided(&self) -> bool {
        self.sections.len() > 1 && self.sections.last().map(|last| last.kind) == Some(Kind::Side)
    }

    /// The block is one of Git: its first lines only look like markers of Jujutsu, such as the line below
    /// a heading. Jujutsu writes no marker of the signs of Git in a block of its own.
    fn become_git(&mut self) {
        if self.style == Style::Jujutsu {
            self.style = Style::Git;
            self.more_sections = false;
            self.sections.truncate(1);
            if let Some(first) = self.sections.first_mut() {
                let end = self.marker.end;
                *first = Section {
                    kind: Kind::Side,
                    label: self.label.clone(),
                    target: None,
                    marker: end..end,
                    body: end..end,
                    lines: after(self.line),
                };
            }
        }
    }

    fn begin(&mut self, kind: Kind, marker: Marker) {
        let Marker {
            sign,
            label,
            line,
            bytes,
            ..
        } = marker;
        if matches!(sign, b'%' | b'+' | b'-') && self.style == Style::Git {
            self.style = Style::Jujutsu;
            self.sections.clear();
        }
        if self.sections.len() >= Block::SECTIONS {
            self.more_sections = true;
            return;
        }
        self.close(bytes.start, line);
        self.sections.push(Section {
            kind,
            label,
            target: None,
            body: bytes.end..bytes.end,
            marker: bytes,
            lines: after(line),
        });
    }

    /// Ends the last section at an offset, which is that of the start of a line.
    fn close(&mut self, at: u64, line: u64) {
        if let Some(last) = self.sections.last_mut() {
            last.body.end = at;
            last.lines.last = line.saturating_sub(1);
        }
    }

    /// Adds a marker whose effect is [`Effect::End`]. Returns whether nothing can follow. `is_inner` says whether the block
    /// is inside of another one with markers of the same length, to which the next marker belongs.
    pub fn end(&mut self, marker: Marker, is_inner: bool) -> bool {
        if let Some(ended) = self.ended.as_mut().filter(|ended| ended.is_whole) {
            self.ends.add(ended.line, marker.line);
            let first = self.sections.last().map_or(0, line_of);
            for line in ended.dividers.drain(..) {
                self.dividers.add(first, line);
            }
            return false;
        }
        let is_whole = self.is_whole();
        // An unlabelled line of signs is decoration.
        if is_whole || self.is_labelled() {
            self.ended = Some(Ended {
                label: marker.label,
                line: marker.line,
                bytes: marker.bytes,
                sections: self.sections.len(),
                is_whole,
                dividers: Vec::new(),
            });
        }
        // Jujutsu writes longer markers than any line of the sides has.
        is_inner || !self.has_end() || self.style == Style::Jujutsu
    }

    /// The block, as far as it was found before an offset, and the blocks inside and after it. `line` is the number of
    /// the line at that offset. The first is `None` if it is text.
    pub fn finished(mut self, at: u64, line: u64) -> (Option<Block>, Vec<Block>) {
        let mut inside = std::mem::take(&mut self.inside);
        let Some(ended) = self.ended.take() else {
            return (self.unended(&inside, at, line), inside);
        };
        if !ended.is_whole {
            self.sections.truncate(ended.sections);
            self.dividers = Candidates::default();
            self.bases.end_at(ended.line);
        }
        self.close(ended.bytes.start, ended.line);
        // Other unlabelled lines of signs are decoration.
        let is_rerere = self.style == Style::Git && self.size == LEAST;
        let is_block = self.is_labelled() || !ended.label.is_empty() || is_rerere;
        if !is_block {
            return (None, inside);
        }
        inside.retain(|block| block.first_marker.start >= ended.bytes.end);
        if let Some(last) = self.sections.last_mut()
            && ended.is_whole
            && self.style == Style::Git
        {
            last.label = ended.label;
        }
        let end = if ended.is_whole {
            End::Marker
        } else {
            End::Undivided
        };
        (Some(self.block(end, ended.bytes, ended.line)), inside)
    }

    /// The block without an end. `None` if it is text.
    fn unended(mut self, inside: &[Block], at: u64, line: u64) -> Option<Block> {
        let first = inside
            .first()
            .map(|first| (first.first_marker.start, first.lines.first));
        let (at, line) = first.unwrap_or((at, line));
        self.sections
            .retain(|section| section.marker.is_empty() || section.marker.start < at);
        if !self.is_labelled() {
            return None;
        }
        for candidates in [&mut self.bases, &mut self.dividers] {
            candidates.end_at(line);
        }
        if first.is_some() {
            (self.nested, self.enclosed) = (0, 0);
        }
        self.close(at, line);
        let last = line.saturating_sub(1);
        Some(self.block(End::Missing, at..at, last))
    }

    fn block(self, end: End, last_marker: Range<u64>, last: u64) -> Block {
        Block {
            number: 0,
            style: self.style,
            end,
            marker_size: self.size,
            label: self.label,
            lines: Lines {
                first: self.line,
                last,
            },
            first_marker: self.marker,
            sections: self.sections,
            last_marker,
            nested: self.nested,
            enclosed: self.enclosed,
            bases: self.bases,
            dividers: self.dividers,
            ends: self.ends,
            more_sections: self.more_sections,
        }
    }
}

/// The line of the marker before a section.
fn line_of(section: &Section) -> u64 {
    section.lines.first.saturating_sub(1)
}

/// No lines, after a line.
fn after(line: u64) -> Lines {
    Lines {
        first: line.saturating_add(1),
        last: line,
    }
}
