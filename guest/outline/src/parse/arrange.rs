//! Order, parents and comments of declarations.

use crate::item::Item;
use crate::lexer::Comment;
use crate::sort;

/// Sorts declarations by their position, and sets the parent of each.
pub fn arrange(items: &mut Vec<Item>) {
    sort::by(items, |item| {
        (item.start as u64, u64::MAX.saturating_sub(item.last.into()))
    });
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (at, item) in items.iter_mut().enumerate() {
        while open.last().is_some_and(|(_, last)| {
            *last < item.first || (*last == item.first && *last < item.last)
        }) {
            open.pop();
        }
        item.parent = open.last().map(|(parent, _)| *parent);
        if item.last > item.first {
            open.push((at, item.last));
        }
    }
}

/// The first and the last line of the comment that describes the file: a `//!` comment before all
/// declarations.
pub fn about(text: &str, items: &[Item], comments: &[Comment]) -> Option<(u32, u32)> {
    let first = items.first().map_or(u32::MAX, |item| item.first);
    let inner = comments
        .iter()
        .take_while(|comment| comment.last < first)
        .find(|comment| {
            text.get(comment.start..)
                .is_some_and(|text| text.starts_with("//!"))
        });
    inner.map(|comment| (comment.first, comment.last))
}

/// Records the comment that ends on the line before a declaration as its documentation.
pub fn docs(items: &mut [Item], comments: &[Comment]) {
    let mut comments = comments.iter().peekable();
    let mut line = 0;
    for item in items {
        // If a line contains several declarations, the comment belongs to the first one.
        if std::mem::replace(&mut line, item.first) == item.first {
            continue;
        }
        while comments
            .next_if(|comment| comment.last.saturating_add(1) < item.first)
            .is_some()
        {}
        if let Some(comment) = comments.peek()
            && comment.last.saturating_add(1) == item.first
            && item.doc.is_none()
        {
            item.doc = Some((comment.first, comment.last));
        }
    }
}
