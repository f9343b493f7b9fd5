//! What a dialect asks for.

use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Lines, Part, Range, Selector};
use crate::window::{Capacity, Numbering, Window};
use omniread_options::Options;

/// What an image has to fit into to be shown to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Pixels of the longer side.
    pub side: u32,
    /// Bytes.
    pub bytes: u32,
}

impl Fit {
    /// What options say.
    pub fn of(options: &Options) -> Self {
        Self {
            side: options.image.side,
            bytes: options.image.bytes,
        }
    }
}

/// How images are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// Made to fit.
    Fitted(Fit),
    /// As they are, if they can be decoded.
    Untouched {
        /// MIME types that are taken; others are no images for this agent.
        mimes: &'static [&'static str],
        /// Bytes that one may have.
        bytes: u64,
        /// Pixels that each of its sides may have.
        side: u32,
        /// Of those that are no such files, what they are made to fit into:
        /// others that are asked for as an image, and what a notebook holds.
        others: Fit,
    },
    /// Not at all: they are described.
    Described,
}

/// Images and attachments that are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passing {
    /// How images are.
    pub images: Images,
    /// Images that are written as text, such as SVG, are shown as images
    /// without being asked for.
    pub drawings: bool,
    /// Bytes that an attachment may have; `None` if none is taken.
    pub attachment_bytes: Option<u64>,
    /// Images may stand beside text: what a notebook puts out is shown.
    pub inline: bool,
}

/// How notebooks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notebooks {
    /// As the JSON that they are, unless cells are asked for.
    Json,
    /// Their sources, to be edited.
    Sources,
    /// Sources and outputs.
    Outputs,
}

/// When the hash of the bytes on disk is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashed {
    /// Never.
    Never,
    /// Of what is handed out, if the file has at most this many bytes.
    Shown(u64),
    /// Of what is refused as well.
    Always,
}

/// What is looked into where a path names a file and nothing in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bare {
    /// Archives, compressed files and databases.
    All,
    /// Archives.
    Archives,
    /// Nothing.
    Nothing,
}

/// How a dialect wants what it reads: what does not depend on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own that a dialect makes"
)]
pub struct Style {
    /// A path that does not exist may be replaced by the one that was meant.
    pub repair: bool,
    /// Directories are listed, and archives by their bare path; else they are
    /// refused.
    pub listings: bool,
    /// Lines of an open-ended read.
    pub open_lines: u64,
    /// Lines of any read.
    pub max_lines: u64,
    /// Characters of a line outside raw; `None` is all of them.
    pub line_chars: Option<u64>,
    /// Bytes of what marks a line as cut.
    pub cut_cost: u64,
    /// Bytes of a page.
    pub capacity: Capacity,
    /// Rows of a page of a table.
    pub rows: u64,
    /// A single range shows lines around it.
    pub context: bool,
    /// The exact number of lines is stated.
    pub exact_total: bool,
    /// Text is wanted exactly as it is, also without `:raw`.
    pub exact: bool,
    /// Editable text carries a tag.
    pub tagged: bool,
    /// When the hash of the bytes on disk is wanted.
    pub hashed: Hashed,
    /// What stands before the lines of editable text.
    pub editable: Numbering,
    /// What stands before other lines.
    pub plain: Numbering,
    /// A NUL in the head makes a file binary, whatever its encoding is.
    pub nul_is_binary: bool,
    /// Images and attachments that are handed out. `None` if their bytes are
    /// judged as those of any file.
    pub passing: Option<Passing>,
    /// How notebooks are shown.
    pub notebooks: Notebooks,
    /// Long texts are answered with an outline.
    pub outlines: bool,
    /// A range shows the declarations that it stands in.
    pub enclosing: bool,
    /// Bytes that are handed out of a file that is not text.
    pub binary_bytes: Option<u64>,
}

impl Style {
    /// What is looked into where a path names a file and nothing in it.
    pub fn bare(&self) -> Bare {
        if !self.nul_is_binary {
            Bare::All
        } else if !self.listings && self.binary_bytes.is_none() {
            // They are refused, and the refusal names what they contain.
            Bare::Archives
        } else {
            Bare::Nothing
        }
    }

    /// What the dialects have in common that page by lines and state exact
    /// numbers.
    pub const PAGED: Self = Self {
        repair: false,
        listings: true,
        open_lines: limits::LONG_PAGE_LINES,
        max_lines: limits::REPLY_LINES,
        line_chars: Some(limits::LINE_CHARS),
        cut_cost: 0,
        capacity: Capacity::ByLines,
        rows: limits::QUERY_ROWS,
        context: false,
        exact_total: true,
        exact: false,
        tagged: false,
        hashed: Hashed::Never,
        editable: Numbering::None,
        plain: Numbering::None,
        nul_is_binary: false,
        passing: None,
        notebooks: Notebooks::Json,
        outlines: false,
        enclosing: false,
        binary_bytes: None,
    };

    /// The window that a selector asks for in this style.
    pub fn window(&self, selector: Selector, numbering: Numbering) -> Window {
        let raw = selector.raw || self.exact;
        Window {
            numbering: if raw { Numbering::None } else { numbering },
            selector: Selector { raw, ..selector },
            open_lines: self.open_lines,
            max_lines: self.max_lines,
            line_chars: self.line_chars,
            cut_cost: self.cut_cost,
            capacity: self.capacity,
            context: self.context,
            exact_total: self.exact_total,
        }
    }
}

impl Request {
    /// Whether an outline is wanted of a long text: who asks for lines gets them.
    pub fn wants_outline(&self, selector: &Selector) -> bool {
        self.style.outlines && *selector == Selector::NONE && self.slice.is_none()
    }
}

/// The option that asks for lines.
const LINES: &str = "lines";

/// The origin of a request for lines: an argument of a tool, or the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// An argument of a tool, by its name.
    Argument(&'static str),
    /// The option `lines`.
    Option,
}

impl Asker {
    /// The name of the argument or option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Argument(name) => name,
            Self::Option => LINES,
        }
    }
}

/// Lines that were asked for by arguments or by an option instead of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The argument or option that did.
    pub asker: Asker,
    /// What it asks for.
    pub selector: Selector,
}

/// What a dialect asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path string.
    pub path: String,
    /// Lines, if arguments ask for them.
    pub slice: Option<Slice>,
    /// `-` names standard input.
    pub stdin: bool,
    /// Names of the ignore files that are heeded.
    pub ignores: Vec<String>,
    /// How it is wanted.
    pub style: Style,
}

impl Request {
    /// The selector of the path or the one of the arguments.
    ///
    /// # Errors
    /// [`Reason::Argument`] if both ask for lines.
    pub fn selector(&self, of_path: Selector) -> Result<Selector, Failure> {
        match &self.slice {
            None => Ok(of_path),
            // The option is for whoever types a path, which may end in `:raw`.
            Some(slice) if slice.asker == Asker::Option && of_path.lines == Lines::All => {
                Ok(Selector {
                    lines: slice.selector.lines.clone(),
                    ..of_path
                })
            }
            Some(slice) if !of_path.asks_for_lines() => Ok(Selector {
                part: of_path.part,
                ..slice.selector.clone()
            }),
            Some(slice) => {
                let (path, name) = (&self.path, slice.asker.name());
                let what = match slice.asker {
                    Asker::Argument(_) => "argument",
                    Asker::Option => "option",
                };
                Err(Failure::new(
                    Reason::Argument(name.to_owned()),
                    format!("`{path}` has a selector and {what} `{name}` asks for lines too"),
                )
                .hint("give one of them"))
            }
        }
    }

    /// Asks for lines by an argument.
    pub fn lines(&mut self, argument: &'static str, first: u64, last: Option<u64>) {
        self.slice = Some(Slice {
            asker: Asker::Argument(argument),
            selector: Selector {
                lines: Lines::One(Range::lines(first, last)),
                ..Selector::NONE
            },
        });
    }

    /// Asks for pages as large as a reply can be.
    pub fn remove_page_limits(&mut self) {
        let style = &mut self.style;
        style.open_lines = u64::MAX;
        style.max_lines = limits::REPLY_LINES;
        style.line_chars = None;
        style.capacity = match style.capacity {
            Capacity::ByLines | Capacity::Lines(_) => Capacity::Lines(limits::REPLY_BYTES),
            Capacity::Bytes(_) => Capacity::Bytes(limits::REPLY_BYTES),
        };
        style.rows = limits::MAX_QUERY_ROWS;
        style.outlines = false;
    }

    /// Asks for lines as a selector does, by the option `lines`.
    ///
    /// # Errors
    /// [`Reason::Argument`] if it does not name lines.
    pub fn option_lines(&mut self, text: &str) -> Result<(), Failure> {
        let wrong = |message: &str| {
            Failure::new(Reason::Argument(LINES.to_owned()), message)
                .hint("write 50-80, 50 for all from line 50 on, -20 for the last 20, or 5-9,40-60")
        };
        let selector = Selector::parse(text).map_err(|failure| wrong(&failure.message))?;
        let of_lines = |selector: &Selector| {
            selector.part == Part::Whole && !selector.raw && selector.lines != Lines::All
        };
        let Some(selector) = selector.filter(of_lines) else {
            return Err(wrong(&format!("`{text}` does not name lines")));
        };
        self.slice = Some(Slice {
            asker: Asker::Option,
            selector,
        });
        Ok(())
    }

    /// Asks for `limit` lines from `first`, counted from 1, by the arguments
    /// `offset` and `limit`, if they are given.
    pub fn page(&mut self, first: Option<u64>, limit: Option<u64>) {
        if let Some(limit) = limit {
            self.style.open_lines = limit;
        }
        match (first, limit) {
            (Some(first), _) => self.lines("offset", first, None),
            (None, Some(_)) => self.lines("limit", 1, None),
            (None, None) => {}
        }
    }
}
