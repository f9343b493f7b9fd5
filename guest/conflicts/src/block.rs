//! What is known of a block: its markers and sections, with their places in the text.

use std::ops::Range;

/// The text after a marker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The text, without the space before it. Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Whether the text is longer than [`Label::BYTES`], and was cut.
    pub cut: bool,
    /// Whether something follows the marker, which is not kept.
    pub skipped: bool,
}

impl Label {
    /// The maximum number of bytes of a label that are kept. Git and Jujutsu write the title of a commit,
    /// which has about 70.
    pub const BYTES: usize = 1024;

    /// Whether nothing follows the marker.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.skipped
    }
}

/// A range of lines, by numbers from 1. It is empty if `last` is less than `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The first line.
    pub first: u64,
    /// The last line.
    pub last: u64,
}

impl Lines {
    /// Whether there are no lines.
    pub fn is_empty(self) -> bool {
        self.last < self.first
    }
}

/// What a section contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text of a side.
    Side,
    /// The text of a base, from which sides descend.
    Base,
    /// A difference, which leads from a base to a side. Each line begins with a space, `-` or `+`.
    Difference,
}

/// The lines between two markers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What the lines are.
    pub kind: Kind,
    /// The label of the side or base. Of a difference, the label of the base.
    pub label: Label,
    /// The label of the side to which a difference leads, if it has a marker of its own.
    pub target: Option<Label>,
    /// The offsets of the markers before the lines. The range is empty for the first side of Git, whose
    /// marker is the start of the block.
    pub marker: Range<u64>,
    /// The offsets of the lines.
    pub body: Range<u64>,
    /// The numbers of the lines.
    pub lines: Lines,
}

/// How a block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Two sides with `=======` between them, and perhaps a base.
    Git,
    /// Any number of sides, each with a marker of its own.
    Jujutsu,
}

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With its last marker.
    Marker,
    /// With its last marker, but no marker divides its sides.
    Undivided,
    /// Before the next block, or at the end of the text, without its last marker.
    Missing,
}

/// What the lines may do of which only one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Begin the base.
    Base,
    /// Divide the sides.
    Divider,
    /// End the block.
    End,
}

/// The lines that may be the same marker. A line of a side that looks like a marker of Git, such as the line
/// below a heading, cannot be told from one. Empty if there is at most one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The numbers of the first lines, in order.
    pub lines: Vec<u64>,
    /// Whether there are more.
    pub more: bool,
}

impl Candidates {
    /// The maximum number of lines that are kept.
    pub const LINES: usize = 8;

    /// Whether there is at most one line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a line. `first` is the line that is taken.
    pub(crate) fn add(&mut self, first: u64, line: u64) {
        if self.lines.is_empty() {
            self.lines.push(first);
        }
        if self.lines.len() < Self::LINES {
            self.lines.push(line);
        } else {
            self.more = true;
        }
    }

    /// Removes the lines from this one on.
    pub(crate) fn end_at(&mut self, line: u64) {
        let count = self.lines.len();
        self.lines.retain(|candidate| *candidate < line);
        self.more &= self.lines.len() == count;
        if self.lines.len() < 2 {
            self.lines.clear();
        }
    }
}

/// A merge conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The number of the block in the text, from 1.
    pub number: u64,
    /// How it is written.
    pub style: Style,
    /// How it ends.
    pub end: End,
    /// The number of signs of each marker.
    pub marker_size: u64,
    /// The label of the first marker.
    pub label: Label,
    /// The numbers of its lines, with those of its markers.
    pub lines: Lines,
    /// The offsets of the first marker.
    pub first_marker: Range<u64>,
    /// The sections in their order.
    pub sections: Vec<Section>,
    /// The offsets of the last marker. Empty if it is missing.
    pub last_marker: Range<u64>,
    /// The number of conflicts in the base, which a merge of several bases left there.
    pub nested: u64,
    /// The number of conflicts in the sides whose markers have the same length.
    pub enclosed: u64,
    /// The lines that may begin the base. The first of them is taken.
    pub bases: Candidates,
    /// The lines that may divide the sides. The first of them is taken.
    pub dividers: Candidates,
    /// The lines that may be the last marker. The first of them is taken.
    pub ends: Candidates,
    /// Whether it has more than [`Block::SECTIONS`] sections. The last section is then all of the rest.
    pub more_sections: bool,
}

impl Block {
    /// The maximum number of sections that are told apart. A merge of Jujutsu has two for each side.
    pub const SECTIONS: usize = 128;

    /// The offsets of the whole block.
    pub fn bytes(&self) -> Range<u64> {
        self.first_marker.start..self.last_marker.end
    }
}
