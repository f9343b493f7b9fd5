//! The text of a side or of the base, made from the section that has it.

use crate::block::{Block, Candidates, Doubt, End, Kind, Label, Lines, Section, Style};
use std::borrow::Cow;

/// What Jujutsu writes into a label if the text does not end in a line feed.
const OPEN: &str = "(no terminating newline)";

/// What it writes into the label of a difference if only the side ends in a line feed, or only the base.
const ADDS: &str = "(adds terminating newline)";
const REMOVES: &str = "(removes terminating newline)";

/// A part of a block that has a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The first side.
    Ours,
    /// The last side.
    Theirs,
    /// The first base.
    Base,
    /// A side, by number from 1.
    Side(u64),
    /// A base, by number from 1.
    BaseNumber(u64),
}

/// A side or the base of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side<'b> {
    section: &'b Section,
    /// Whether it is the base.
    is_base: bool,
}

impl Block {
    /// The sides, in their order.
    pub fn sides(&self) -> impl Iterator<Item = Side<'_>> {
        let sections = self.sections.iter();
        let sides = sections.filter(|section| section.kind != Kind::Base);
        sides.map(|section| Side {
            section,
            is_base: false,
        })
    }

    /// The bases, in their order. A merge of Jujutsu has one less than sides.
    pub fn bases(&self) -> impl Iterator<Item = Side<'_>> {
        let sections = self.sections.iter();
        let bases = sections.filter(|section| section.kind != Kind::Side);
        bases.map(|section| Side {
            section,
            is_base: true,
        })
    }

    /// A side or base. `None` if the block does not have it.
    pub fn part(&self, part: Part) -> Option<Side<'_>> {
        let place = |number: u64| usize::try_from(number.checked_sub(1)?).ok();
        match part {
            Part::Ours => self.sides().next(),
            Part::Theirs => self.sides().skip(1).last(),
            Part::Base => self.bases().next(),
            Part::Side(number) => self.sides().nth(place(number)?),
            Part::BaseNumber(number) => self.bases().nth(place(number)?),
        }
    }

    /// The lines one of which begins or ends a side or base, if it is not certain which one does. Empty if the text of
    /// the part is certain.
    pub fn doubts(&self, part: Part) -> Vec<(Doubt, &Candidates)> {
        // Git writes a label after the marker of a base.
        let base = self.bases().next();
        let has_base = base.is_some_and(|base| !base.label().is_empty());
        let concerns = |doubt| match part {
            Part::Ours | Part::Side(1) if has_base => doubt == Doubt::Base,
            Part::Ours | Part::Side(1) | Part::Base | Part::BaseNumber(_) => doubt != Doubt::End,
            Part::Theirs | Part::Side(_) => doubt != Doubt::Base,
        };
        let mut doubts = self.all_doubts();
        doubts.retain(|(doubt, _)| concerns(*doubt));
        doubts
    }

    /// The lines of all markers that several lines may be.
    pub fn all_doubts(&self) -> Vec<(Doubt, &Candidates)> {
        let mut doubts = vec![
            (Doubt::Base, &self.bases),
            (Doubt::Divider, &self.dividers),
            (Doubt::End, &self.ends),
        ];
        doubts.retain(|(_, candidates)| !candidates.is_empty());
        doubts
    }

    /// Whether the label of the first marker is that of the block, and not of the first side.
    pub fn is_labelled(&self) -> bool {
        self.style == Style::Jujutsu
    }

    /// Whether all markers of the block were found.
    pub fn is_whole(&self) -> bool {
        self.end == End::Marker
    }
}

impl<'b> Side<'b> {
    /// The label of the side or base.
    pub fn label(&self) -> &'b Label {
        match &self.section.target {
            Some(target) if !self.is_base => target,
            _ => &self.section.label,
        }
    }

    /// The section from which the text is made.
    pub fn section(&self) -> &'b Section {
        self.section
    }

    /// The lines from which the text is made.
    pub fn lines(&self) -> Lines {
        self.section.lines
    }

    /// The text of the side. `body` has the bytes of the section.
    pub fn text<'t>(&self, body: &'t [u8]) -> Cow<'t, [u8]> {
        let text = match self.section.kind {
            Kind::Side | Kind::Base => Cow::Borrowed(body),
            Kind::Difference => Cow::Owned(applied(body, self.is_base)),
        };
        if !self.is_open() {
            return text;
        }
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(without_end(text)),
            Cow::Owned(mut text) => {
                let length = without_end(&text).len();
                text.truncate(length);
                Cow::Owned(text)
            }
        }
    }

    /// Whether the text does not end in a line feed, although its last line does in the block.
    fn is_open(&self) -> bool {
        let Section {
            kind,
            label,
            target,
            ..
        } = self.section;
        let says = |what: &str| label.text.ends_with(what);
        if *kind != Kind::Difference {
            return says(OPEN);
        }
        match target {
            Some(target) if !self.is_base => target.text.ends_with(OPEN),
            _ if self.is_base => says(OPEN) || says(ADDS),
            _ => says(OPEN) || says(REMOVES),
        }
    }
}

/// One side of a difference: its lines without the first byte, which is a space in lines of both
/// sides, `-` in lines of the base, and `+` in those of the other side.
fn applied(body: &[u8], is_base: bool) -> Vec<u8> {
    let (kept, left_out) = if is_base { (b'-', b'+') } else { (b'+', b'-') };
    let mut text = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        match line.split_first() {
            Some((sign, rest)) if *sign == kept || *sign == b' ' => text.extend_from_slice(rest),
            Some((sign, _)) if *sign == left_out => {}
            // Editors remove spaces at the ends of lines, so an empty line has lost its first byte.
            _ => text.extend_from_slice(line),
        }
    }
    text
}

/// A text without its last line ending.
fn without_end(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.strip_suffix(b"\r").unwrap_or(text)
}
