//! Sections by their levels: what ends where the next one begins.

use super::lines::Line;
use crate::outline::item::{ITEMS, Item, NAME, Parsed, cut};

/// Sections in one another that are kept apart; what is deeper is passed over.
pub const DEPTH: usize = 200;

/// A section that begins and ends on one line, as far as is known.
pub fn item(name: &str, line: u32, start: usize, parent: Option<usize>) -> Item {
    Item {
        parent,
        ..Item::section(cut(name, NAME), line, start)
    }
}

/// Adds a run of lines that are comments, to the last one if it follows.
pub fn comment(parsed: &mut Parsed, first: u32, last: u32) {
    match parsed.comments.last_mut() {
        Some(run) if run.1.saturating_add(1) >= first => run.1 = run.1.max(last),
        _ => parsed.comments.push((first, last)),
    }
}

/// The sections of a text, told line by line.
#[derive(Debug, Default)]
pub struct Tree {
    parsed: Parsed,
    /// Sections that have not ended: level and item.
    open: Vec<(u32, usize)>,
    /// The last line that said anything.
    content: u32,
}

impl Tree {
    /// A section begins, and those of its level or a lower one end; `head` is
    /// the last line of its heading. Returns its item.
    pub fn begin(&mut self, level: u32, name: &str, line: &Line<'_>, head: u32) -> Option<usize> {
        self.end(level);
        self.content = head;
        if self.open.len() >= DEPTH || self.parsed.items.len() >= ITEMS {
            self.lost(line.number);
            return None;
        }
        let parent = self.open.last().map(|(_, parent)| *parent);
        let at = self.parsed.items.len();
        self.parsed.items.push(Item {
            head,
            last: head,
            ..item(name, line.number, line.start, parent)
        });
        self.open.push((level, at));
        Some(at)
    }

    /// Sections of this level and of lower ones end. Returns the highest level
    /// that did.
    pub fn end(&mut self, level: u32) -> Option<u32> {
        let mut ended = None;
        while let Some((open, at)) = self.open.pop_if(|(open, _)| *open >= level) {
            if let Some(item) = self.parsed.items.get_mut(at) {
                item.last = self.content.max(item.head);
            }
            ended = Some(open);
        }
        ended
    }

    /// An item, to be changed.
    pub fn item(&mut self, at: usize) -> Option<&mut Item> {
        self.parsed.items.get_mut(at)
    }

    /// This line says something.
    pub fn content(&mut self, line: u32) {
        self.content = line;
    }

    /// The last line that said anything.
    pub fn last_content(&self) -> u32 {
        self.content
    }

    /// These lines are a comment.
    pub fn comment(&mut self, first: u32, last: u32) {
        comment(&mut self.parsed, first, last);
    }

    /// From this line on the sections are unsure.
    pub fn lost(&mut self, line: u32) {
        let lost = self.parsed.lost.get_or_insert(line);
        *lost = line.min(*lost);
    }

    /// Everything that was found, if anything was.
    pub fn finish(mut self) -> Option<Parsed> {
        self.end(0);
        (!self.parsed.items.is_empty()).then_some(self.parsed)
    }
}

/// Items as tests write them: `name first-last`, indented by what they stand in,
/// and the line of what was lost.
#[cfg(test)]
pub fn drawn(parsed: Option<Parsed>) -> Vec<String> {
    let Some(parsed) = parsed else {
        return vec!["none".to_owned()];
    };
    let mut depths: Vec<usize> = Vec::new();
    let mut drawn = Vec::new();
    for item in &parsed.items {
        let depth = item.parent.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        let indent = "  ".repeat(depth);
        drawn.push(format!(
            "{indent}{} {}-{}",
            item.name, item.first, item.last
        ));
    }
    drawn.extend(parsed.lost.map(|line| format!("lost {line}")));
    drawn
}
