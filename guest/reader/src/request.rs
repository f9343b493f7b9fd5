//! The request that a dialect passes to the reader.

use crate::failure::{Failure, Reason};
use crate::limits;
use crate::path::{Indentation, Lines, Part, Range, Selector, Symbol, View};
use crate::window::{Capacity, Numbering, Window};
use omniread_options::{GitHubOptions, Options};

/// The maximum dimensions and size of an image that a model receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageLimits {
    /// The maximum length of the longer side in pixels.
    pub side: u32,
    /// The maximum size of the encoded image in bytes.
    pub bytes: u32,
}

impl ImageLimits {
    /// The bounds that the options set.
    pub fn of(options: &Options) -> Self {
        Self {
            side: options.image.side,
            bytes: options.image.bytes,
        }
    }
}

/// The way in which a dialect (the read tool of an agent) returns images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageMode {
    /// Images are re-encoded, if necessary, so that they fit into these bounds and models accept
    /// them.
    Resize(ImageLimits),
    /// The bytes of an image are returned unchanged if the image can be decoded.
    Passthrough {
        /// The MIME types of images that the agent accepts. Image files of other types are refused,
        /// unless `:img` requests them as images.
        mimes: &'static [&'static str],
        /// The maximum size of an image in bytes.
        bytes: u64,
        /// The maximum length of each side in pixels.
        side: u32,
        /// The bounds into which images are re-encoded if their bytes are not returned unchanged:
        /// images of other types that `:img` requests, and images in notebooks.
        others: ImageLimits,
    },
    /// Replies describe images, by format and dimensions for example, and do not contain them.
    Describe,
}

/// The size in which images are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageSize {
    /// As large as the limits allow, within the budget of the session.
    Usual,
    /// Half of that width and height, because the path requests it, whatever the budget is.
    Half,
    /// As large as the limits allow, because the path requests it, whatever the budget is.
    Full,
}

/// The way in which a dialect returns images and attachments, such as PDF documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MediaPolicy {
    /// The way in which images are returned.
    pub images: ImageMode,
    /// Whether images that are written as text, such as SVG, are shown as images even if the path
    /// does not request it with `:img`.
    pub drawings: bool,
    /// The maximum size of an attachment in bytes. `None` if the agent accepts no attachments.
    pub attachment_bytes: Option<u64>,
    /// Whether a reply may contain images between lines of text, such as the outputs of a notebook.
    pub inline: bool,
    /// The images of documents, to which their text refers by paths, that are shown below the lines
    /// of these references.
    pub figures: FigurePolicy,
}

impl MediaPolicy {
    /// That of an agent which passes files on to its model: images of four formats and PDF documents as they are,
    /// up to a size. Other images are converted within `others`.
    pub fn passed_on(others: ImageLimits) -> Self {
        Self {
            images: ImageMode::Passthrough {
                mimes: &["image/png", "image/jpeg", "image/gif", "image/webp"],
                bytes: limits::SENT_BYTES,
                side: limits::IMAGE_SIDE,
                others,
            },
            drawings: false,
            attachment_bytes: Some(limits::SENT_BYTES),
            inline: true,
            figures: FigurePolicy::None,
        }
    }
}

/// The images of documents that a reply shows with the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigurePolicy {
    /// None.
    None,
    /// Images of pages whose text is missing.
    Pages,
    /// All images.
    All,
}

/// The form in which notebooks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notebooks {
    /// The JSON of the file, unless the path selects cells.
    Json,
    /// The sources of the cells, as text that can be edited.
    Sources,
    /// The sources and outputs of the cells.
    Outputs,
}

/// The files whose bytes on disk are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashPolicy {
    /// No file.
    Never,
    /// A file that is shown, if it has at most this many bytes.
    Shown(u64),
    /// Every file, even one that the dialect refuses to show.
    Always,
}

/// The files that are opened by a bare path, which names a file but no member or table in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarePath {
    /// Archives, compressed files and databases.
    All,
    /// Archives.
    Archives,
    /// No files: the path of an archive reads the bytes of the archive itself.
    Nothing,
}

/// The form of the listing of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingForm {
    /// A tree of two levels with sizes and ages, newest entry first, below a line for the directory.
    Tree,
    /// The names of the entries, in order.
    Names,
}

/// The settings of a dialect (the read tool of an agent) that do not depend on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own that a dialect makes"
)]
pub struct Style {
    /// Whether a path that does not exist may be replaced by a similar one.
    pub repair: bool,
    /// Whether the path of a directory returns a listing, and so does the path of an archive if the
    /// dialect opens archives. Otherwise such paths are refused.
    pub listings: bool,
    /// The form of the listing of a directory.
    pub listing: ListingForm,
    /// The maximum number of lines on a page if the path does not name the last line.
    pub open_lines: u64,
    /// The maximum number of lines on any page.
    pub max_lines: u64,
    /// The maximum number of characters of a line that are shown, except in exact text (`:raw`).
    /// `None` for no limit.
    pub line_chars: Option<u64>,
    /// The size in bytes of the mark that the dialect adds to a cut line.
    pub cut_cost: u64,
    /// The maximum size of a page.
    pub capacity: Capacity,
    /// The maximum size in bytes of a page.
    pub reply_bytes: u64,
    /// The maximum size in bytes of the base64 text of the images of a reply.
    pub reply_images: u64,
    /// The size in which images are shown.
    pub image_size: ImageSize,
    /// The maximum number of images that a session shows, and of their tokens. `None` for no limit.
    pub image_budget: (Option<u64>, Option<u64>),
    /// The maximum number of tokens of the lines of a page. `None` for no limit.
    pub tokens: Option<u64>,
    /// The size of the list of the declarations that a page does not show, in percent of the size of the page. 0 for no
    /// list.
    pub rest: u32,
    /// The maximum number of rows on a page of a database table, unless the path has a `limit`.
    pub rows: u64,
    /// The maximum width of a table in characters, up to which its columns are aligned. `None` for
    /// tables as wide as their values, which are not aligned.
    pub table_width: Option<usize>,
    /// Whether a requested range of lines is shown with a few lines before and after it. Several
    /// ranges are shown without them.
    pub context: bool,
    /// Whether a reply states the exact number of lines of a text, for which all lines are counted.
    pub exact_total: bool,
    /// Whether text is always returned exactly as it is, and not only if the path ends in `:raw`.
    pub exact: bool,
    /// Whether a reply with editable text contains its tag, a short hash for edit tools.
    pub tagged: bool,
    /// The files whose bytes on disk are hashed.
    pub hash: HashPolicy,
    /// The format of the line numbers of text that an edit tool can change.
    pub numbering_editable: Numbering,
    /// The format of the line numbers of all other text.
    pub numbering_plain: Numbering,
    /// Whether a NUL in the first bytes makes a file binary, whatever its encoding is.
    pub nul_is_binary: bool,
    /// The policy for images and attachments. `None` if the dialect treats them as any other
    /// file.
    pub media: Option<MediaPolicy>,
    /// The form in which notebooks are shown.
    pub notebooks: Notebooks,
    /// Whether a long text is shown as an outline, unless the path requests lines.
    pub outlines: bool,
    /// Whether the text of a file, such as a web page, is shown with a notice that names the path of
    /// its converted form.
    pub other_forms: bool,
    /// Whether a request for a range of lines also shows the first lines of the declarations in
    /// which the range starts.
    pub enclosing_declarations: bool,
    /// The maximum number of bytes that are returned of a file that is not text. `None` if its
    /// bytes are not returned.
    pub binary_bytes: Option<u64>,
    /// Whether the content of a scheme that is not paged, such as `skill`, is shown without the limits of
    /// a page.
    pub unpaged_schemes: bool,
    /// Whether a reply shows the first bytes of a file that is not text in hexadecimal. Otherwise such
    /// a file is refused.
    pub shows_binary: bool,
}

impl Style {
    /// The maximum length in pixels of the longer side of an image of a page.
    pub fn page_side(&self) -> u32 {
        match self.media.map(|media| media.images) {
            Some(ImageMode::Resize(fit) | ImageMode::Passthrough { others: fit, .. }) => fit.side,
            Some(ImageMode::Describe) | None => limits::PAGE_IMAGE_SIDE,
        }
    }

    /// The files that are opened by a bare path, which names a file but no member or table in it.
    pub fn bare_path(&self) -> BarePath {
        if !self.nul_is_binary {
            BarePath::All
        } else if !self.listings && self.binary_bytes.is_none() {
            // Archives are opened only to list some of their entries in the refusal.
            BarePath::Archives
        } else {
            BarePath::Nothing
        }
    }

    /// The settings that most dialects share. Pages have a maximum number of lines, and replies
    /// state exact numbers of lines.
    pub const PAGED: Self = Self {
        repair: false,
        listings: true,
        listing: ListingForm::Tree,
        open_lines: limits::LONG_PAGE_LINES,
        max_lines: limits::REPLY_LINES,
        line_chars: Some(limits::LINE_CHARS),
        cut_cost: 0,
        capacity: Capacity::ByLines,
        reply_bytes: limits::REPLY_BYTES,
        reply_images: limits::REPLY_BYTES,
        image_size: ImageSize::Usual,
        image_budget: (None, None),
        tokens: None,
        rest: 0,
        rows: limits::QUERY_ROWS,
        table_width: None,
        context: false,
        exact_total: true,
        exact: false,
        tagged: false,
        hash: HashPolicy::Never,
        numbering_editable: Numbering::None,
        numbering_plain: Numbering::None,
        nul_is_binary: false,
        media: None,
        notebooks: Notebooks::Json,
        outlines: false,
        other_forms: false,
        enclosing_declarations: false,
        binary_bytes: None,
        shows_binary: false,
        unpaged_schemes: false,
    };

    /// Creates the window for a selector: the lines that the selector requests, and the limits of a
    /// page in this style.
    pub fn window(&self, selector: Selector, numbering: Numbering) -> Window {
        let raw = selector.raw || self.exact;
        Window {
            numbering: if raw { Numbering::None } else { numbering },
            selector: Selector { raw, ..selector },
            open_lines: self.open_lines,
            max_lines: self.max_lines,
            line_chars: self.line_chars,
            cut_mark_bytes: self.cut_cost,
            capacity: self.capacity,
            reply_bytes: self.reply_bytes,
            tokens: self.tokens,
            context: self.context,
            exact_total: self.exact_total,
        }
    }
}

impl Request {
    /// Whether a long text is shown as an outline. `false` if the request selects lines.
    pub fn wants_outline(&self, selector: &Selector) -> bool {
        let whole = matches!(selector.part, Part::Whole | Part::Converted(View::Main));
        self.style.outlines && whole && !selector.selects_lines() && self.slice.is_none()
    }
}

/// The name of the option that selects lines.
const LINES: &str = "lines";

/// The origin of a request for lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceOrigin {
    /// The tool argument with this name.
    Argument(&'static str),
    /// The option `lines`.
    Option,
}

impl SliceOrigin {
    /// The name of the argument or option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Argument(name) => name,
            Self::Option => LINES,
        }
    }
}

/// Lines that tool arguments or the option `lines` select, in place of a selector in the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The argument or option that selects the lines.
    pub origin: SliceOrigin,
    /// The selected lines, as a selector.
    pub selector: Selector,
}

/// The form of the arguments of a tool call. Agents change the arguments of their tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallForm {
    /// The form for which the dialect was specified.
    Specified,
    /// The form that the tool of the agent has today.
    Current,
}

/// A request to read a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path as the caller wrote it, with its selector.
    pub path: String,
    /// The lines that tool arguments or an option select. `None` if they select none.
    pub slice: Option<Slice>,
    /// Whether the path `-` means standard input.
    pub stdin: bool,
    /// Whether the request is a tool call of a model, which cannot change what may be read.
    pub is_call: bool,
    /// The form of the arguments of the call.
    pub form: CallForm,
    /// The names of the ignore files, whose patterns match files that must not be read.
    pub ignores: Vec<String>,
    /// The options for GitHub.
    pub github: GitHubOptions,
    /// The settings of the dialect.
    pub style: Style,
}

impl Request {
    /// Whether tool arguments or an option request lines after the first.
    pub fn is_later(&self) -> bool {
        self.slice
            .as_ref()
            .is_some_and(|slice| match &slice.selector.lines {
                Lines::One(range) => range.start.line > 1,
                Lines::All => false,
                Lines::List(_) | Lines::Tail { .. } => true,
            })
    }

    /// Combines the selector of the path, `of_path`, with the lines that tool arguments or an
    /// option select.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidArgument`] if both select lines.
    pub fn selector(&self, of_path: Selector) -> Result<Selector, Failure> {
        match &self.slice {
            None => Ok(of_path),
            // Whoever sets the option also writes the path, which may end in `:raw`.
            Some(slice) if slice.origin == SliceOrigin::Option && of_path.lines == Lines::All => {
                Ok(Selector {
                    lines: slice.selector.lines.clone(),
                    ..of_path
                })
            }
            Some(slice) if slice.selector.part == Part::Whole && !of_path.selects_lines() => {
                Ok(Selector {
                    part: of_path.part,
                    ..slice.selector.clone()
                })
            }
            Some(slice) if of_path == Selector::NONE => Ok(slice.selector.clone()),
            Some(slice) => {
                let (path, name) = (&self.path, slice.origin.name());
                let what = match slice.origin {
                    SliceOrigin::Argument(_) => "argument",
                    SliceOrigin::Option => "option",
                };
                Err(Failure::new(
                    Reason::InvalidArgument(name.to_owned()),
                    format!("`{path}` has a selector, and the {what} `{name}` selects lines too"),
                )
                .hint("use only one of them"))
            }
        }
    }

    /// Selects the lines from `first` to `last` on behalf of the tool argument with the name
    /// `argument`. `None` for `last` selects all lines from `first` on.
    pub fn lines(&mut self, argument: &'static str, first: u64, last: Option<u64>) {
        self.slice = Some(Slice {
            origin: SliceOrigin::Argument(argument),
            selector: Selector {
                lines: Lines::One(Range::lines(first, last)),
                ..Selector::NONE
            },
        });
    }

    /// Selects a block of lines by its indentation on behalf of the tool argument with the name `argument`.
    pub fn block(&mut self, argument: &'static str, block: Indentation) {
        self.slice = Some(Slice {
            origin: SliceOrigin::Argument(argument),
            selector: Selector::of(Part::Symbol(Symbol::Indented(block))),
        });
    }

    /// Lowers the limits of the reply to the options `reply-bytes`, `reply-images` and `max-tokens`, and sets
    /// the budget of images, the width of tables and the size of the list of declarations that are not shown.
    pub fn limit_reply(&mut self, options: &Options) {
        let style = &mut self.style;
        let width = usize::try_from(options.table_width).unwrap_or(usize::MAX);
        style.table_width = (width > 0).then_some(width);
        let budget = |most: u32| (most > 0).then_some(u64::from(most));
        style.image_budget = (budget(options.image.budget), budget(options.image.tokens));
        style.rest = options.rest.unwrap_or(style.rest);
        style.tokens = (options.tokens > 0).then_some(options.tokens.into());
        style.reply_bytes = style.reply_bytes.min(options.reply_bytes.into());
        style.reply_images = style.reply_images.min(options.reply_images.into());
        // Three bytes take four characters in base64.
        let decoded = |bytes: u32| (bytes / 4).saturating_mul(3);
        // The bytes of other files are in the text.
        let binary = decoded(options.reply_bytes);
        style.binary_bytes = style.binary_bytes.map(|most| most.min(binary.into()));
        let media = decoded(options.reply_images);
        let Some(policy) = &mut style.media else {
            return;
        };
        policy.attachment_bytes = policy.attachment_bytes.map(|most| most.min(media.into()));
        match &mut policy.images {
            ImageMode::Resize(fit) => fit.bytes = fit.bytes.min(media),
            ImageMode::Passthrough { bytes, others, .. } => {
                *bytes = (*bytes).min(media.into());
                others.bytes = others.bytes.min(media);
            }
            ImageMode::Describe => {}
        }
    }

    /// Removes the limits of a page that the dialect sets. The limit of a reply remains.
    pub fn remove_page_sizes(&mut self) {
        self.style.open_lines = u64::MAX;
        self.style.capacity = Capacity::Lines(limits::REPLY_BYTES);
    }

    /// Replaces the limits of a page by the higher limits of a whole reply.
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

    /// Selects lines by the option `lines`. Its value `text` is a selector such as `50-80`.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidArgument`] if the value does not name lines.
    pub fn option_lines(&mut self, text: &str) -> Result<(), Failure> {
        let wrong = |message: &str| {
            Failure::new(Reason::InvalidArgument(LINES.to_owned()), message)
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
            origin: SliceOrigin::Option,
            selector,
        });
        Ok(())
    }

    /// Selects lines for the tool arguments `offset` and `limit`: at most `limit` lines, starting
    /// at line `first`, which is counted from 1. An argument that is `None` changes nothing.
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
