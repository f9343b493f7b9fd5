//! Lists: labels, bodies and lists in lists.

use super::maker::Maker;
use super::roles::Role;
use super::tree::{Kid, Node};
use crate::script;
use omniread_document::model::{Block, Inline, Style};

impl<'m> Maker<'m> {
    /// Makes the items of a list.
    pub fn list(self, node: &'m Node, out: &mut Vec<Block>) {
        for kid in &node.kids {
            let Kid::Node(kid) = kid else { continue };
            match kid.role {
                Role::Item => self.item(kid, out),
                Role::List => self.inner().list(kid, out),
                Role::Caption => {
                    let mut maker = self;
                    maker.flow(kid, out);
                }
                Role::Group | Role::Inline(_) => self.list(kid, out),
                _ => {
                    let mut maker = self;
                    let mut blocks = Vec::new();
                    maker.flow(kid, &mut blocks);
                    push(self.depth, String::new(), blocks, out);
                }
            }
        }
    }

    /// Makes an item.
    pub fn item(self, node: &'m Node, out: &mut Vec<Block>) {
        let mut label = String::new();
        let mut blocks = Vec::new();
        let mut lists: Vec<&Node> = Vec::new();
        self.inner()
            .parts(node, &mut label, &mut blocks, &mut lists);
        let mut marker = marker(&label);
        if label.is_empty() {
            marker = take_marker(&mut blocks);
        }
        if !blocks.is_empty() || !label.is_empty() && lists.is_empty() {
            push(self.depth, marker, blocks, out);
        }
        for nested in lists {
            self.inner().list(nested, out);
        }
    }

    /// A maker for the content of an item.
    fn inner(self) -> Self {
        Self {
            depth: self.depth.saturating_add(1),
            ..self
        }
    }

    /// Collects the label, the content, and the lists of an item. Lists are written after the item, one level
    /// deeper.
    fn parts(
        mut self,
        node: &'m Node,
        label: &mut String,
        blocks: &mut Vec<Block>,
        lists: &mut Vec<&'m Node>,
    ) {
        let is_part =
            |role: Role| matches!(role, Role::Label | Role::Body | Role::List | Role::Group);
        let has_parts = node
            .kids
            .iter()
            .any(|kid| matches!(kid, Kid::Node(node) if is_part(node.role)));
        if !has_parts {
            self.flow(node, blocks);
            return;
        }
        let mut loose = Node {
            columns: 1,
            rows: 1,
            ..Node::default()
        };
        for kid in &node.kids {
            match kid {
                Kid::Node(kid) if kid.role == Role::Label => {
                    if label.is_empty() {
                        *label = self.text(kid);
                    } else {
                        label.push(' ');
                        label.push_str(&self.text(kid));
                    }
                }
                Kid::Node(kid) if kid.role == Role::List => lists.push(kid),
                Kid::Node(kid) if matches!(kid.role, Role::Body | Role::Group) => {
                    self.parts(kid, label, blocks, lists);
                }
                Kid::Node(kid) if kid.role.is_block() => self.node(kid, blocks),
                other => loose.kids.push(other.clone()),
            }
        }
        if !loose.kids.is_empty() {
            // Text directly in the item. It is before the blocks.
            let mut text = Vec::new();
            flow_loose(self, &loose, &mut text);
            text.append(blocks);
            *blocks = text;
        }
    }
}

/// Makes the blocks of content that was collected here.
fn flow_loose(maker: Maker<'_>, loose: &Node, out: &mut Vec<Block>) {
    // The content is gone before the tree is.
    let mut maker: Maker<'_> = maker;
    maker.flow(loose, out);
}

fn push(depth: usize, marker: String, blocks: Vec<Block>, out: &mut Vec<Block>) {
    out.push(Block::Item {
        depth,
        marker,
        blocks,
    });
}

/// The marker of a label: a number in its own format, or empty for a bullet.
fn marker(label: &str) -> String {
    let label = label.trim();
    if label.chars().count() > 12 || !label.chars().any(char::is_alphanumeric) {
        return String::new();
    }
    // A letter from a font of signs is a bullet, such as `o`.
    if label == "o"
        || label
            .chars()
            .all(|it| matches!(it, '\u{e000}'..='\u{f8ff}'))
    {
        return String::new();
    }
    label.to_owned()
}

/// Takes a bullet that is the letter `o` of a font for code, as programs draw it for the second level.
fn take_letter(content: &mut Vec<Inline>) {
    let is_letter = match content.as_slice() {
        [Inline::Text { text, style }, next, ..] => {
            // A space follows it, and the text has another font.
            let (own, apart) = match next {
                Inline::Text { text: next, style } => (*style, next.starts_with(' ')),
                _ => (Style::default(), false),
            };
            let space = apart || text.ends_with(' ');
            text.trim() == "o" && *style == Style::CODE && own != *style && space
        }
        _ => false,
    };
    if is_letter {
        content.remove(0);
        if let Some(Inline::Text { text, .. }) = content.first_mut() {
            *text = text.trim_start().to_owned();
        }
    }
}

/// Takes the bullet or the number from the start of the first paragraph.
fn take_marker(blocks: &mut [Block]) -> String {
    let Some(Block::Paragraph(content)) = blocks.first_mut() else {
        return String::new();
    };
    take_letter(content);
    let Some(Inline::Text { text, .. }) = content.first_mut() else {
        return String::new();
    };
    let start = text.trim_start();
    let word = start.split_whitespace().next().unwrap_or_default();
    let number = word.trim_end_matches(['.', ')']);
    let is_number = number.len() < word.len()
        && !number.is_empty()
        && number.len() <= 4
        && (number.chars().all(|it| it.is_ascii_digit()) || number.chars().count() == 1);
    if !is_number && !script::is_bullet(word) {
        return String::new();
    }
    let marker = if is_number {
        word.to_owned()
    } else {
        String::new()
    };
    let rest = start
        .get(word.len()..)
        .unwrap_or_default()
        .trim_start()
        .to_owned();
    *text = rest;
    marker
}

#[cfg(test)]
mod tests {
    use super::*;
    use omniread_document::model::plain_text;

    #[test]
    fn a_letter_in_a_font_for_code_is_a_bullet() {
        let text = |style: Style, next: &str| {
            let first = Inline::Text {
                text: "o".to_owned(),
                style,
            };
            let mut blocks = vec![Block::Paragraph(vec![first, Inline::plain(next)])];
            assert_eq!(take_marker(&mut blocks), "");
            match blocks.as_slice() {
                [Block::Paragraph(content)] => plain_text(content),
                _ => String::new(),
            }
        };
        assert_eq!(text(Style::CODE, " an item"), "an item");
        assert_eq!(text(Style::default(), " an item"), "o an item");
        // The start of a word.
        assert_eq!(text(Style::CODE, "pen"), "open");
    }
}
