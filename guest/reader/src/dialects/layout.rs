//! Assembles a reply: header, numbered lines, embedded images, trailing notices.

use super::describe;
use super::reply::Block;
use crate::answer::{Annotation, AnnotationContent, Media, NotShown};
use crate::window::{Line, Numbering, Page};

/// The parts of a text reply.
#[derive(Debug, Default)]
pub struct Layout {
    /// The lines before the text.
    pub head: Vec<String>,
    /// The parts of the text before `body`, each with the image or attachment that follows it.
    pub before: Vec<(String, Block)>,
    /// The text, or the part of it after the last block of `before`.
    pub body: String,
    /// The notices after the text.
    pub notices: Vec<String>,
    /// Whether the text is exactly that of the file. Exact text is a block of its own.
    pub exact: bool,
}

impl Layout {
    /// Builds the blocks of the reply. `after_head` is written between the header and the text,
    /// `after_body` between the text and the notices. Exact text is a block of its own; the header
    /// and the notices follow in a second block.
    pub fn blocks(self, after_head: &str, after_body: &str) -> Vec<Block> {
        if !self.exact {
            return self.parts(after_head, after_body);
        }
        let around: Vec<String> = self.head.into_iter().chain(self.notices).collect();
        let mut blocks = vec![Block::Text(self.body)];
        if !around.is_empty() {
            blocks.push(Block::Notice(around.join("\n")));
        }
        blocks
    }

    fn parts(self, after_head: &str, after_body: &str) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut head = self.head;
        for (body, block) in self.before {
            let part = Self {
                head: std::mem::take(&mut head),
                body,
                ..Self::default()
            };
            let text = part.text(after_head, after_body);
            blocks.extend((!text.is_empty()).then_some(Block::Text(text)));
            blocks.push(block);
        }
        let last = Self {
            head,
            body: self.body,
            notices: self.notices,
            ..Self::default()
        };
        let text = last.text(after_head, after_body);
        if !text.is_empty() || blocks.is_empty() {
            blocks.push(Block::Text(text));
        }
        blocks
    }

    /// Adds the lines of a page to the text, with the notes and images between them.
    pub fn lines(&mut self, lines: Lines, page: &Page, annotations: &[Annotation]) {
        let Self { before, body, .. } = self;
        let mut annotations = annotations.iter().peekable();
        lines.write_with(page, body, |index, out| {
            let mut begun = true;
            while let Some(annotation) = annotations.next_if(|annotation| annotation.index == index)
            {
                let (note, block) = match &annotation.content {
                    AnnotationContent::Note(note) => (Some(note.clone()), None),
                    AnnotationContent::Image(media) => match &media.payload {
                        Ok(payload) => (
                            scaled(media).map(|scaled| format!("[{scaled}]")),
                            Some(describe::block(payload)),
                        ),
                        Err(NotShown::Budget(_)) => {
                            (Some(format!("[{}]", describe::summary(media, None))), None)
                        }
                        Err(why) => {
                            let why = describe::not_shown_reason(why).map(|why| format!("[{why}]"));
                            (why, None)
                        }
                    },
                    AnnotationContent::Figure(name, media) => {
                        let described = match &media.payload {
                            Ok(_) => scaled(media),
                            Err(_) => Some(describe::summary(media, None)),
                        };
                        let described = described.map(|described| format!(": {described}"));
                        let label = format!("[{name}{}]", described.unwrap_or_default());
                        let block = media.payload.as_ref().ok().map(describe::block);
                        (Some(label), block)
                    }
                };
                if let Some(note) = note {
                    if begun {
                        out.push('\n');
                    }
                    out.push_str(&note);
                    begun = true;
                }
                if let Some(block) = block {
                    before.push((std::mem::take(out), block));
                    begun = false;
                }
            }
            begun
        });
    }

    /// Builds the reply as one text, without the parts in `before`. `after_head` is written between
    /// the header and the text, `after_body` between the text and the notices.
    pub fn text(self, after_head: &str, after_body: &str) -> String {
        let (head, notices) = (self.head.join("\n"), self.notices.join("\n"));
        // The text may be long. It has room, so it is not copied.
        let mut text = self.body;
        if !head.is_empty() {
            let gap = if text.is_empty() { "" } else { after_head };
            text.insert_str(0, &(head + gap));
        }
        if !notices.is_empty() {
            if !text.is_empty() {
                text.push_str(after_body);
            }
            text.push_str(&notices);
        }
        text
    }
}

/// Describes an image that is shown in another size. Coordinates in the shown image are not those of
/// the original.
fn scaled(media: &Media) -> Option<String> {
    let payload = media.payload.as_ref().ok()?;
    let reencoded = describe::reencoding(media).filter(|_| payload.size != media.size())?;
    Some(format!("{}; {reencoded}", describe::summary(media, None)))
}

/// The number of bytes that are reserved for the header and the notices, so that the text is not
/// copied to a larger buffer when they are added.
const AROUND_BYTES: usize = 512;

/// The format in which the lines of a page are written.
#[derive(Clone, Copy)]
pub struct Lines {
    /// The format of the number before each line.
    pub numbering: Numbering,
    /// The line that is written where lines of the text are left out.
    pub gap: Option<&'static str>,
    /// Writes the mark at the end of a line that is cut. The argument `u64` is the first column
    /// that is not shown.
    pub cut: fn(&Page, &Line, u64, &mut String),
}

impl Lines {
    /// Writes the lines of a page, without a line ending after the last one.
    pub fn write(self, page: &Page, out: &mut String) {
        self.write_with(page, out, |_, _| true);
    }

    /// Writes the lines of a page, and calls `after_line` with the index of each line after it is
    /// written. `after_line` returns whether the output then ends with a line, so that a line
    /// ending is needed before the next line.
    fn write_with(
        self,
        page: &Page,
        out: &mut String,
        mut after_line: impl FnMut(usize, &mut String) -> bool,
    ) {
        let numbers = page.lines.len().saturating_mul(10);
        let room = page.text.len().saturating_add(numbers);
        out.reserve(room.saturating_add(AROUND_BYTES));
        let mut begun = false;
        for (index, line) in page.lines.iter().enumerate() {
            if begun {
                out.push('\n');
            }
            if let Some(gap) = self.gap.filter(|_| page.gap_before(index)) {
                out.push_str(gap);
                out.push('\n');
            }
            self.numbering.write(line.number, line.column, out);
            self.text(page, index, out);
            begun = after_line(index, out);
        }
    }

    /// Writes the text of one line, and a mark if it is cut.
    pub fn text(self, page: &Page, index: usize, out: &mut String) {
        out.push_str(page.line(index));
        if let Some(line) = page.lines.get(index)
            && let Some(column) = line.cut
        {
            (self.cut)(page, line, column, out);
        }
    }
}
