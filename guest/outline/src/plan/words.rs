//! Counts of the declarations in the lines that an outline leaves out.

use super::{Piece, Plan, Shown};
use crate::grammar::Kind;
use crate::item::Item;

impl Plan<'_> {
    /// The pieces of the outline, with counts of the declarations that are left out.
    pub(super) fn counted(mut self) -> Vec<Piece> {
        let mut pieces = self.pieces();
        for piece in &mut pieces {
            match piece {
                Piece::Line(_) => {}
                Piece::Fold {
                    first, last, words, ..
                } => *words = self.words(first.saturating_add(1), *last),
                Piece::Gap { first, last, words } => *words = self.words(*first, *last),
            }
        }
        pieces
    }

    /// The hidden declarations whose signatures begin on the lines `first` to `last`.
    pub(super) fn between(&self, first: u32, last: u32) -> impl Iterator<Item = &Item> {
        let items = &self.parsed.items;
        let from = items.partition_point(|item| item.sign < first);
        let items = items.iter().zip(&self.items).skip(from);
        items
            .take_while(move |(item, _)| item.sign <= last)
            .filter_map(|(item, shown)| (*shown == Shown::Not).then_some(item))
    }

    /// The counts of the hidden declarations whose signatures begin on the lines `first` to `last`,
    /// as text: `2 types, 1 method`. Returns `None` if nothing is counted.
    fn words(&self, first: u32, last: u32) -> Option<String> {
        let items = &self.parsed.items;
        let (mut functions, mut members, mut types, mut entries) = (0u32, 0u32, 0u32, 0u32);
        let prose = self.parsed.prose;
        for item in self.between(first, last) {
            let inside = item.parent.and_then(|parent| items.get(parent));
            let of_type = inside.is_some_and(|parent| parent.kind != Kind::Function);
            match item.kind {
                Kind::Function if of_type => members = members.saturating_add(1),
                Kind::Function => functions = functions.saturating_add(1),
                Kind::Type | Kind::Module => types = types.saturating_add(1),
                Kind::Section if prose || item.parent.is_none() => {
                    entries = entries.saturating_add(1);
                }
                Kind::Value | Kind::Section => {}
            }
        }
        let (one, more) = if prose {
            ("heading", "headings")
        } else {
            ("entry", "entries")
        };
        let mut words = Vec::new();
        for (count, one, more) in [
            (types, "type", "types"),
            (members, "method", "methods"),
            (functions, "function", "functions"),
            (entries, one, more),
        ] {
            match count {
                0 => {}
                1 => words.push(format!("1 {one}")),
                _ => words.push(format!("{count} {more}")),
            }
        }
        (!words.is_empty()).then(|| words.join(", "))
    }
}
