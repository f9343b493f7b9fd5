//! How the parts of a reply stand together: lines with their numbers, what is
//! said before them, and what is said behind.

use super::{Block, describe};
use crate::answer::{Aside, Beside};
use crate::window::{Line, Numbering, Page};

/// The parts of a reply that is text.
#[derive(Debug, Default)]
pub struct Layout {
    /// Lines before the text.
    pub head: Vec<String>,
    /// Texts before it, and the block that follows each.
    pub before: Vec<(String, Block)>,
    /// The text, or its last part if there are such blocks.
    pub body: String,
    /// Lines behind it.
    pub notices: Vec<String>,
    /// The text is exact, so it stands alone.
    pub exact: bool,
}

impl Layout {
    /// A text block with these gaps after head and text. Exact text stands in
    /// one of its own, and what is said of it in a second one.
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

    /// Adds the lines of a page to the text, and what stands between them.
    pub fn lines(&mut self, lines: Lines, page: &Page, asides: &[Aside]) {
        let Self { before, body, .. } = self;
        let mut asides = asides.iter().peekable();
        lines.write_with(page, body, |index, out| {
            let mut begun = true;
            while let Some(aside) = asides.next_if(|aside| aside.index == index) {
                let (words, block) = match &aside.what {
                    Beside::Words(words) => (Some(words.clone()), None),
                    Beside::Image(media) => match &media.given {
                        Ok(given) => {
                            // Coordinates in it are not those of the original.
                            let made = describe::made(media).filter(|_| given.size != media.size());
                            let made = made.map(|made| {
                                format!("[{}; {made}]", describe::summary(media, None))
                            });
                            (made, Some(describe::block(given)))
                        }
                        Err(why) => {
                            let why = describe::withheld(why).map(|why| format!("[{why}]"));
                            (why, None)
                        }
                    },
                };
                if let Some(words) = words {
                    if begun {
                        out.push('\n');
                    }
                    out.push_str(&words);
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

    /// The same as one text.
    pub fn text(self, after_head: &str, after_body: &str) -> String {
        let (head, notices) = (self.head.join("\n"), self.notices.join("\n"));
        // The text may be long and has room: it is not copied.
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

/// Room for what stands around the lines, so that it can be added in place.
const AROUND_BYTES: usize = 512;

/// How lines are written.
#[derive(Clone, Copy)]
pub struct Lines {
    /// What stands before each.
    pub numbering: Numbering,
    /// What stands where lines are left out, as a line of its own.
    pub gap: Option<&'static str>,
    /// Writes what marks a line as cut; the column comes next.
    pub cut: fn(&Page, &Line, u64, &mut String),
}

impl Lines {
    /// Adds the lines of a page, without a line end behind the last.
    pub fn write(self, page: &Page, out: &mut String) {
        self.write_with(page, out, |_, _| true);
    }

    /// The same, with what `behind` adds behind each line, of which it gets the
    /// place; it tells whether that left a line before the next one.
    fn write_with(
        self,
        page: &Page,
        out: &mut String,
        mut behind: impl FnMut(usize, &mut String) -> bool,
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
            begun = behind(index, out);
        }
    }

    /// Adds the text of one line, and a mark if it is cut.
    pub fn text(self, page: &Page, index: usize, out: &mut String) {
        out.push_str(page.line(index));
        if let Some(line) = page.lines.get(index)
            && let Some(column) = line.cut
        {
            (self.cut)(page, line, column, out);
        }
    }
}
