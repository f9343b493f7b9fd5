//! Speaker notes and comments of a slide.

use super::bullets::Levels;
use super::layout::Placeholder;
use super::text;
use crate::budget::{Budget, start};
use crate::limits;
use crate::model::{Block, Inline};
use crate::package::{Package, Relationships};
use crate::xml::{Element, Tree, decode};
use std::collections::BTreeMap;

/// The names of the authors of comments by their identifiers.
pub type Authors = BTreeMap<String, String>;

/// Reads the authors of the presentation.
pub fn authors(package: &mut Package, related: &Relationships) -> Authors {
    let mut found = Authors::new();
    for kind in ["commentAuthors", "authors"] {
        let Some(part) = related.first(kind).and_then(|it| package.part(&it.target)) else {
            continue;
        };
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        for author in tree.root().children().take(limits::RELATIONSHIPS) {
            if let (Some(id), Some(name)) = (author.attr("id"), author.attr("name")) {
                let name = start(name, limits::MARKER_BYTES);
                found.insert(id.to_owned(), name.to_owned());
            }
        }
    }
    found
}

/// Reads the speaker notes of a slide as a quotation.
pub fn speaker_notes(
    package: &mut Package,
    budget: &mut Budget,
    related: &Relationships,
) -> Option<Block> {
    let name = &related.first("notesSlide")?.target;
    let part = budget.part(package, name)?;
    let related = package.relationships(name);
    let text = decode(&part.bytes);
    let tree = Tree::parse(&text);
    let mut blocks = Vec::new();
    let shapes = tree.root().at(&["cSld", "spTree"])?;
    for shape in shapes.children().filter(|it| it.name() == "sp") {
        let text = Placeholder::read(shape).is_none_or(|it| it.kind == "body");
        if let Some(body) = shape.child("txBody").filter(|_| text) {
            blocks.extend(text::blocks(body, &Levels::default(), &related));
        }
    }
    if blocks.is_empty() {
        return None;
    }
    blocks.insert(0, Block::Paragraph(vec![Inline::plain("Notes:")]));
    Some(Block::Quote(blocks))
}

/// Reads the comments on a slide, each as a quotation.
pub fn comments(
    package: &mut Package,
    budget: &mut Budget,
    related: &Relationships,
    authors: &Authors,
) -> Vec<Block> {
    let parts = related.iter().filter(|(_, it)| it.kind == "comments");
    let mut found = Vec::new();
    for (_, part) in parts.take(limits::NOTES) {
        let Some(part) = budget.part(package, &part.target) else {
            continue;
        };
        let text = decode(&part.bytes);
        let tree = Tree::parse(&text);
        for comment in tree.root().children().filter(|it| it.name() == "cm") {
            let reply = comment.find("parentCm").is_some();
            push(comment, reply, authors, &mut found);
            let replies = comment.child("replyLst");
            for reply in replies.iter().flat_map(Element::children) {
                push(reply, true, authors, &mut found);
            }
        }
    }
    found
}

fn push(comment: Element, reply: bool, authors: &Authors, found: &mut Vec<Block>) {
    let mut content = Vec::new();
    if let Some(text) = comment.child("text") {
        for (index, line) in text.text().lines().enumerate() {
            if index > 0 {
                content.push(Inline::Break);
            }
            content.push(Inline::plain(line));
        }
    } else if let Some(body) = comment.child("txBody") {
        content = text::line(body, &Relationships::default());
    }
    if content.is_empty() || found.len() >= limits::COMMENTS {
        return;
    }
    let mut head = if reply { "Reply" } else { "Comment" }.to_owned();
    let author = comment.attr("authorId").and_then(|id| authors.get(id));
    if let Some(author) = author.filter(|it| !it.trim().is_empty()) {
        head.push_str(" by ");
        head.push_str(author);
    }
    let date = comment.attr("dt").or_else(|| comment.attr("created"));
    if let Some(date) = date
        .and_then(|it| it.split('T').next())
        .filter(|it| !it.is_empty())
    {
        head.push_str(", ");
        head.push_str(date);
    }
    head.push_str(": ");
    content.insert(0, Inline::plain(head));
    found.push(Block::Quote(vec![Block::Paragraph(content)]));
}
