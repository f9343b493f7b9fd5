//! A block that is open: which markers it accepts, and how it becomes a [`Block`].

use crate::block::{Block, End, Kind, Label, Lines, Section, Style};
use crate::marker::Marker;
use std::ops::Range;

/// A block whose last marker was not read yet.
#[derive(Debug)]
pub struct Frame {
    /// The number of signs of its markers.
    pub size: u64,
    label: Label,
    line: u64,
    marker: Range<u64>,
    style: Style,
    sections: Vec<Section>,
    ambiguous: bool,
    more_sections: bool,
    /// The number of whole conflicts in the base.
    pub nested: u64,
    /// The blocks inside of this one. They are text, unless this one has no end.
    pub inside: Vec<Block>,
}

/// What a marker does in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is text.
    Text,
    /// It begins a section, or belongs to one.
    Section,
    /// It ends the block.
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
            ambiguous: false,
            more_sections: false,
            nested: 0,
            inside: Vec::new(),
        }
    }

    /// The offset at which the block starts, and the number of its first line.
    pub fn start(&self) -> (u64, u64) {
        (self.marker.start, self.line)
    }

    /// Whether the block is in the base of Git, in which a merge of several bases leaves conflicts.
    pub fn is_in_base(&self) -> bool {
        self.style == Style::Git && self.sections.last().map(|last| last.kind) == Some(Kind::Base)
    }

    /// What a marker of the length of this block does.
    pub fn effect(&self, marker: &Marker) -> Effect {
        let is_first = marker.line == self.line.saturating_add(1);
        match (self.style, marker.sign) {
            (_, b'>') => Effect::End,
            (_, b'|' | b'=') | (Style::Jujutsu, b'%' | b'+' | b'-') => Effect::Section,
            (Style::Git, b'%' | b'+' | b'-') if is_first => Effect::Section,
            (Style::Jujutsu, b'\\') if self.may_have_target(marker.line) => Effect::Section,
            _ => Effect::Text,
        }
    }

    /// Whether a line can have the label of the side to which a difference leads.
    fn may_have_target(&self, line: u64) -> bool {
        self.sections.last().is_some_and(|last| {
            last.kind == Kind::Difference && last.target.is_none() && last.lines.first == line
        })
    }

    /// Adds a marker whose effect is [`Effect::Section`].
    pub fn section(&mut self, marker: Marker) {
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
        match self.sections.as_slice() {
            [_] => self.begin(Kind::Base, marker),
            // The line that seemed to divide the sides is text of the first side.
            [_, second] if second.kind == Kind::Side => {
                self.sections.truncate(1);
                self.ambiguous = false;
                self.begin(Kind::Base, marker);
            }
            _ => {}
        }
    }

    /// Begins the second side of Git.
    fn divide(&mut self, marker: Marker) {
        self.become_git();
        if self.is_divided() {
            self.ambiguous = true;
        } else {
            self.begin(Kind::Side, marker);
        }
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

    /// The block, which ends with this marker. `None` if it is text: a line of signs without a label.
    pub fn ended(mut self, marker: Marker) -> Option<Block> {
        let Marker {
            label, line, bytes, ..
        } = marker;
        let is_whole = self.style == Style::Jujutsu || self.is_divided();
        if !is_whole && (self.label.is_empty() || label.is_empty()) {
            return None;
        }
        self.close(bytes.start, line);
        if let Some(last) = self.sections.last_mut()
            && is_whole
            && self.style == Style::Git
        {
            last.label = label;
        }
        let end = if is_whole {
            End::Marker
        } else {
            End::Undivided
        };
        Some(self.block(end, bytes, line))
    }

    /// The block of a frame without an end, up to an offset, and the blocks inside. `line` is the number of the line at
    /// that offset. The first is `None` if it is text.
    pub fn unended(mut self, at: u64, line: u64) -> (Option<Block>, Vec<Block>) {
        let inside = std::mem::take(&mut self.inside);
        let first = inside
            .first()
            .map(|first| (first.first_marker.start, first.lines.first));
        let (at, line) = first.unwrap_or((at, line));
        self.sections
            .retain(|section| section.marker.is_empty() || section.marker.start < at);
        // An unlabelled line of signs is decoration.
        let is_marked = self.style == Style::Jujutsu || self.sections.len() > 1;
        if !is_marked && self.label.is_empty() {
            return (None, inside);
        }
        self.close(at, line);
        let last = line.saturating_sub(1);
        (Some(self.block(End::Missing, at..at, last)), inside)
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
            ambiguous: self.ambiguous,
            more_sections: self.more_sections,
        }
    }
}

/// No lines, after a line.
fn after(line: u64) -> Lines {
    Lines {
        first: line.saturating_add(1),
        last: line,
    }
}
