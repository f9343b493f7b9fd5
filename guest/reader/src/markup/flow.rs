//! Inline text of HTML, with white space collapsed.

/// White space between two words.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    #[default]
    /// Nothing.
    None,
    /// A space.
    Space,
    /// The end of a line.
    Line,
    /// An empty line.
    Blank,
}

/// A text of words, with single gaps of white space between them.
#[derive(Default)]
pub struct Flow {
    /// The text so far.
    pub out: String,
    gap: Gap,
}

impl Flow {
    /// Requests white space before the next word. Of several requests, the largest gap is used.
    pub fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Appends the requested white space.
    fn fill(&mut self) {
        let gap = match self.gap {
            _ if self.out.is_empty() => "",
            Gap::None => "",
            Gap::Space => " ",
            Gap::Line => "\n",
            Gap::Blank => "\n\n",
        };
        self.out.push_str(gap);
        self.gap = Gap::None;
    }

    /// Appends words. White space in `text` is collapsed.
    pub fn words(&mut self, text: &str) {
        // A no-break space is kept as a character.
        let is_space = |c: char| c.is_ascii_whitespace();
        if text.starts_with(is_space) {
            self.gap(Gap::Space);
        }
        for (n, word) in text
            .split(is_space)
            .filter(|word| !word.is_empty())
            .enumerate()
        {
            if n > 0 {
                self.gap(Gap::Space);
            }
            self.exactly(word);
        }
        if text.ends_with(is_space) {
            self.gap(Gap::Space);
        }
    }

    /// Appends text unchanged.
    pub fn exactly(&mut self, text: &str) {
        self.fill();
        self.out.push_str(text);
    }

    /// Returns the text and clears the flow. The text is on one line if no line ending was
    /// requested.
    pub fn take_line(&mut self) -> String {
        self.gap = Gap::None;
        std::mem::take(&mut self.out)
    }
}
