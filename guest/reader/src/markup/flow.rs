//! Words of HTML, whose white space is not what stands in the source.

/// What stands between two words.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    #[default]
    /// Nothing.
    None,
    /// A blank.
    Space,
    /// The end of a line.
    Line,
    /// A blank line.
    Blank,
}

/// Words, with the white space between them as it is shown.
#[derive(Default)]
pub struct Flow {
    /// The text so far.
    pub out: String,
    gap: Gap,
}

impl Flow {
    /// Asks for white space before the next word.
    pub fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Puts what is pending before the next word.
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

    /// Appends words.
    pub fn words(&mut self, text: &str) {
        // No-break space is a character.
        let blank = |c: char| c.is_ascii_whitespace();
        if text.starts_with(blank) {
            self.gap(Gap::Space);
        }
        for (n, word) in text
            .split(blank)
            .filter(|word| !word.is_empty())
            .enumerate()
        {
            if n > 0 {
                self.gap(Gap::Space);
            }
            self.exactly(word);
        }
        if text.ends_with(blank) {
            self.gap(Gap::Space);
        }
    }

    /// Appends text as it is.
    pub fn exactly(&mut self, text: &str) {
        self.fill();
        self.out.push_str(text);
    }

    /// The words on one line; nothing is left.
    pub fn take_line(&mut self) -> String {
        self.gap = Gap::None;
        std::mem::take(&mut self.out)
    }
}
