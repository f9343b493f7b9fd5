//! Code on slides: paragraphs in a font of one width.

use super::text::is_code;
use crate::model::{Block, Inline, is_blank, plain_text};

/// Joins consecutive paragraphs of code, with the empty ones between them, and leaves out other empty
/// paragraphs. A single line stays a paragraph: it may be a name or an address.
pub fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let mut code = Code::default();
    for block in blocks {
        match block {
            Block::Paragraph(content) if is_blank(&content) => code.blank(),
            Block::Paragraph(content) if is_code(&content) => code.add(content),
            block => {
                code.end();
                code.out.push(block);
            }
        }
    }
    code.end();
    code.out
}

#[derive(Default)]
struct Code {
    out: Vec<Block>,
    first: Vec<Inline>,
    text: String,
    lines: usize,
    /// The empty lines after the text.
    blank: usize,
}

impl Code {
    fn blank(&mut self) {
        if self.lines > 0 {
            self.blank = self.blank.saturating_add(1);
        }
    }

    fn add(&mut self, content: Vec<Inline>) {
        if self.lines > 0 {
            let ends = self.blank.saturating_add(1);
            self.text.extend(std::iter::repeat_n('\n', ends));
        }
        self.blank = 0;
        self.text.push_str(&plain_text(&content));
        self.lines = self.lines.saturating_add(1);
        if self.lines == 1 {
            self.first = content;
        }
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        let first = std::mem::take(&mut self.first);
        let lines = std::mem::take(&mut self.lines);
        self.blank = 0;
        if lines > 1 || text.trim_end().contains('\n') {
            let language = String::new();
            self.out.push(Block::Code { language, text });
        } else if lines == 1 {
            self.out.push(Block::Paragraph(first));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Style;

    fn text(text: &str, style: Style) -> Inline {
        Inline::Text {
            text: text.to_owned(),
            style,
        }
    }

    fn paragraph(line: &str) -> Block {
        Block::Paragraph(vec![text(line, Style::CODE)])
    }

    #[test]
    fn lines_of_code_are_joined_and_text_stays() {
        let plain = Block::Paragraph(vec![Inline::plain("text")]);
        let bold = Style::CODE.with(Style::BOLD);
        let breaks = Block::Paragraph(vec![
            text("if", bold),
            text(" x:", Style::CODE),
            Inline::Break,
            text("    y", Style::CODE),
        ]);
        let blank = Block::Paragraph(Vec::new());
        let blocks = vec![
            plain.clone(),
            blank.clone(),
            breaks,
            blank.clone(),
            paragraph("z"),
            blank,
            plain.clone(),
            paragraph("one"),
        ];
        let code = Block::Code {
            language: String::new(),
            text: "if x:\n    y\n\nz".to_owned(),
        };
        assert_eq!(
            joined(blocks),
            [plain.clone(), code, plain, paragraph("one")]
        );
    }
}
