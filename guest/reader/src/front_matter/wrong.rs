//! Why front matter cannot be read as JSON.

use std::fmt;

/// The reason why front matter has no form in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub(super) why: &'static str,
    /// Whether a value with this error may be read as text instead.
    pub(super) is_text: bool,
    /// The number of the line, if known. The line `---` at the start is the first one.
    pub(super) line: Option<usize>,
}

impl Wrong {
    pub(super) const ALIAS: Self = Self::new("an alias of more than one text is not supported");
    pub(super) const DEEP: Self = Self::new("it has too many levels");
    pub(super) const TWICE: Self = Self::new("a key is there twice");
    pub(super) const INVALID: Self = Self {
        is_text: true,
        ..Self::new("it is not valid YAML")
    };
    pub(super) const INDENT: Self = Self::new("the indentation is not valid YAML");
    pub(super) const KEY: Self = Self::new("there is no key");

    pub(super) const fn new(why: &'static str) -> Self {
        Self {
            why,
            is_text: false,
            line: None,
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match self.line {
            Some(line) => write!(f, " (line {line})"),
            None => Ok(()),
        }
    }
}
