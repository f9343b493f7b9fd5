//! Builds sections from headings and their levels. A section ends where the next one of its level
//! or an outer level begins.

use super::lines::Line;
use crate::item::{Item, Parsed, cut};
use crate::limits;

/// Creates a section of one line. The caller sets its last line when the end is known.
pub fn item(name: &str, line: u32, start: usize, parent: Option<usize>) -> Item {
    Item {
        parent,
        ..Item::section(cut(name, limits::NAME_BYTES), line, start)
    }
}

/// Adds a comment on the lines `first` to `last`. It is merged with an adjacent comment before it.
pub fn comment(parsed: &mut Parsed, first: u32, last: u32) {
    match parsed.comments.last_mut() {
        Some(run) if run.1.saturating_add(1) >= first => run.1 = run.1.max(last),
        _ => parsed.comments.push((first, last)),
    }
}

/// The sections of a text, built line by line. A smaller level number is an outer level.
#[derive(Debug, Default)]
pub struct Tree {
    parsed: Parsed,
    /// The level of each open section and the index of its item, the outermost first.
    open: Vec<(u32, usize)>,
    /// The number of the most recent line with content.
    content: u32,
}

impl Tree {
    /// Ends the open sections of this level and of inner levels, then begins a section. `head` is
    /// the number of the last line of its heading. Returns the index of the new item, or `None` if
    /// a limit is reached.
    pub fn begin(&mut self, level: u32, name: &str, line: &Line<'_>, head: u32) -> Option<usize> {
        self.end(level);
        self.content = head;
        if self.open.len() >= limits::SECTION_DEPTH || self.parsed.items.len() >= limits::ITEMS {
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

    /// Ends the open sections of this level and of inner levels. Returns the level of the outermost
    /// section that ended, or `None` if no section ended.
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

    /// The item with this index.
    pub fn item(&mut self, at: usize) -> Option<&mut Item> {
        self.parsed.items.get_mut(at)
    }

    /// Marks a line as the most recent one with content.
    pub fn content(&mut self, line: u32) {
        self.content = line;
    }

    /// The number of the most recent line with content.
    pub fn last_content(&self) -> u32 {
        self.content
    }

    /// Marks lines as a comment.
    pub fn comment(&mut self, first: u32, last: u32) {
        comment(&mut self.parsed, first, last);
    }

    /// Records that sections are uncertain from this line on. Only the smallest such line number is
    /// kept.
    pub fn lost(&mut self, line: u32) {
        let lost = self.parsed.unbalanced_at.get_or_insert(line);
        *lost = line.min(*lost);
    }

    /// Ends all sections. Returns `None` if the text has no sections.
    pub fn finish(mut self) -> Option<Parsed> {
        self.end(0);
        (!self.parsed.items.is_empty()).then_some(self.parsed)
    }
}

/// Renders items for tests: `name first-last`, indented by depth, and the line from which sections
/// are uncertain.
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
    drawn.extend(parsed.unbalanced_at.map(|line| format!("lost {line}")));
    drawn
}
