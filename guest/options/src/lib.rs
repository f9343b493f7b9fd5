//! The options of a read: one table that names, parses and explains them.
//!
//! The command line (`--set KEY=VALUE`), the environment (`OMNIREAD_KEY`), the library and the
//! WIT record all set the record [`Options`]. `--help` prints the table. The options are a
//! crate of their own because the host and the reader need them.

mod kind;
mod set;
mod settings;
mod values;

pub use kind::Kind;
pub use settings::{SETTINGS, Setting};
use std::fmt;
use std::ops::RangeInclusive;
pub use values::{parse_size, parse_switch};

/// The default number of lines that a read without an end line shows: a tenth of the maximum,
/// [`MAX_LINES`].
pub const DEFAULT_LINES: u32 = 300;

/// The maximum number of lines on a page.
pub const MAX_LINES: u32 = 3000;

/// The default maximum length in pixels of the longer side of a shown image. Models scale larger
/// images down themselves.
pub const IMAGE_SIDE: u32 = 1568;

/// The range of the option `image-side`, in pixels. Model APIs refuse a whole conversation that
/// contains a larger image.
pub const IMAGE_SIDES: RangeInclusive<u32> = 64..=8000;

/// The default maximum size in bytes of a shown image. The base64 text of an image costs context
/// and time.
pub const IMAGE_BYTES: u32 = 500 * 1024;

/// The range of the option `image-bytes`, in bytes. The maximum is 5 MiB in base64, which is the
/// limit of model APIs.
pub const IMAGE_SIZES: RangeInclusive<u32> = 16 * 1024..=3840 * 1024;

/// The default maximum size in bytes of the text of a reply, and of the base64 text of its images. A
/// reply has at most this size of each, whatever the options are.
pub const REPLY_BYTES: u32 = 8 << 20;

/// The range of the options `reply-bytes` and `reply-images`, in bytes. A page must have room for a
/// line.
pub const REPLY_SIZES: RangeInclusive<u32> = 4096..=REPLY_BYTES;

/// The range of the option `max-tokens`. 0 means no limit. The least number above has room for a line with
/// its number and the path that continues it.
pub const TOKENS: RangeInclusive<u32> = 100..=10_000_000;

/// The range of the option `image-budget`. 0 means no limit.
pub const IMAGE_BUDGETS: RangeInclusive<u32> = 1..=10_000;

/// The range of the option `image-budget-tokens`. 0 means no limit. A budget below that of `max-tokens` would be
/// used up by an icon.
pub const IMAGE_TOKENS: RangeInclusive<u32> = TOKENS;
/// The range of the option `rest`, in percent of a page.
pub const RESTS: RangeInclusive<u32> = 0..=100;

/// The range of the option `table-width`, in characters. 0 means no limit.
pub const TABLE_WIDTHS: RangeInclusive<u32> = 0..=1000;

/// The default age in seconds after which a copy of an issue, a pull request or a diff is old: what people
/// write meanwhile is rarely missed, and a conversation that names an issue several times requests it once.
pub const GITHUB_SOFT_AGE: u32 = 300;

/// The default age in seconds after which such a copy is not used at all: a week.
pub const GITHUB_HARD_AGE: u32 = 7 * 24 * 3600;

/// The range of the options `github-soft-age` and `github-hard-age`, in seconds. The maximum is a year.
pub const GITHUB_AGES: RangeInclusive<u32> = 0..=365 * 24 * 3600;

/// The default names of ignore files: that of the agent whose read tool the dialect `gemini`
/// implements, and that of the agent from which it descends.
const IGNORE_FILES: [&str; 2] = [".siiignore", ".geminiignore"];

/// The error of an unknown option or a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// The key of the option, as the user typed it.
    pub key: String,
    /// The error message.
    pub message: String,
    /// A hint for correcting the error, if there is one.
    pub hint: Option<String>,
}

impl fmt::Display for OptionError {
    /// Writes the message, and with `#` also the hint on a line of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) if f.alternate() => write!(f, "\nhint: {hint}"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for OptionError {}

/// The options for images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageOptions {
    /// Whether images are described instead of shown.
    pub metadata: bool,
    /// The maximum length of the longer side of a shown image in pixels.
    pub side: u32,
    /// The maximum size of a shown image in bytes.
    pub bytes: u32,
    /// The number of images that a session shows in a generation, after which images are described. 0 for no
    /// limit.
    pub budget: u32,
    /// The number of tokens, as an estimate, of the images that a session shows in a generation. 0 for no limit.
    pub tokens: u32,
}

impl Default for ImageOptions {
    fn default() -> Self {
        Self {
            metadata: false,
            side: IMAGE_SIDE,
            bytes: IMAGE_BYTES,
            budget: 0,
            tokens: 0,
        }
    }
}

/// The options for issues and pull requests of GitHub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitHubOptions {
    /// The age in seconds after which an issue, a pull request or a diff is requested again.
    pub soft: u32,
    /// The age in seconds after which a copy of one is not shown, even if GitHub does not answer.
    pub hard: u32,
    /// The address of an API, without a slash at its end: `https://HOST/api/v3` for a host of GitHub Enterprise, whose
    /// pages are handled too. Any other address is used in place of `https://api.github.com`.
    pub api: Option<String>,
}

impl Default for GitHubOptions {
    fn default() -> Self {
        Self {
            soft: GITHUB_SOFT_AGE,
            hard: GITHUB_HARD_AGE,
            api: None,
        }
    }
}

/// The options of a read. They decide what the path of the read does not state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own that users set by name"
)]
pub struct Options {
    /// The number of lines that a read without an end line shows.
    pub limit: u32,
    /// Whether a page may have the 8 MiB of a whole reply, and outlines are not shown. Has no
    /// effect if a tool is called with arguments.
    pub all: bool,
    /// The lines to read, written as in the selector of a path: `50-80`. Has no effect if a tool is
    /// called with arguments.
    pub lines: Option<String>,
    /// Whether text that an edit tool can change has a header with its tag (four hex digits of a
    /// hash), and `N:` before each line, where N is the line number.
    pub hashlines: bool,
    /// Whether lines that do not start with `N:` start with `N|`, where N is the line number.
    pub numbers: bool,
    /// Whether the agent has an edit tool that uses the tags. If not, `hashlines` has no effect.
    pub edits: bool,
    /// Whether the header with the tag has its older form, `¶PATH#TAG`.
    pub pilcrow: bool,
    /// Whether a read of a single range of lines also shows a few lines before and after it.
    pub margin: bool,
    /// Whether a long file is replaced by its outline if its path selects no lines.
    pub outlines: bool,
    /// Whether a read of a range of lines also shows the first lines of the declarations that
    /// enclose it.
    pub context: bool,
    /// The maximum size in bytes of the text of a reply. Lower limits of the dialect still apply.
    pub reply_bytes: u32,
    /// The maximum size in bytes of the base64 text of the images of a reply. Lower limits of the
    /// dialect still apply.
    pub reply_images: u32,
    /// The maximum number of tokens, as an estimate, of the lines of a page with their numbers. 0 for no
    /// limit.
    pub tokens: u32,
    /// The size of the list of the declarations that a page does not show, in percent of the size of the page. 0 for
    /// no list. `None` for the default of the dialect.
    pub rest: Option<u32>,
    /// The maximum width of a table in characters, to which its widest columns are narrowed, and up to
    /// which its columns are aligned. 0 for tables as wide as their values, which are not aligned:
    /// spaces cost context, and a model would read a cut value again.
    pub table_width: u32,
    /// The options for images.
    pub image: ImageOptions,
    /// The options for GitHub.
    pub github: GitHubOptions,
    /// Whether the dialect `comma` accepts absolute paths.
    pub absolute: bool,
    /// The names of ignore files in the top directory of a root. The dialect `gemini` refuses the
    /// files that they match.
    pub ignores: Vec<String>,
    /// Whether a reply that the session has shown before, in the same generation, is one line that names the
    /// earlier read.
    pub repeat: bool,
    /// Whether the path `-` names standard input.
    pub stdin: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LINES,
            all: false,
            lines: None,
            hashlines: true,
            numbers: false,
            edits: true,
            pilcrow: false,
            margin: true,
            outlines: true,
            context: false,
            reply_bytes: REPLY_BYTES,
            reply_images: REPLY_BYTES,
            tokens: 0,
            rest: None,
            table_width: 0,
            image: ImageOptions::default(),
            github: GitHubOptions::default(),
            absolute: false,
            ignores: IGNORE_FILES.map(str::to_owned).to_vec(),
            repeat: false,
            stdin: false,
        }
    }
}

/// Converts [`Options`] to another record with the same fields, or such a record to [`Options`].
/// Bindings generate such a record: `convert!(options => wit::Options, wit::ImageOptions, wit::GithubOptions)`.
#[macro_export]
macro_rules! convert {
    ($options:ident => $record:ty, $image:ty, $github:ty) => {{
        type Record = $record;
        type Image = $image;
        type GitHub = $github;
        Record {
            limit: $options.limit,
            all: $options.all,
            lines: $options.lines,
            hashlines: $options.hashlines,
            numbers: $options.numbers,
            edits: $options.edits,
            pilcrow: $options.pilcrow,
            margin: $options.margin,
            outlines: $options.outlines,
            context: $options.context,
            reply_bytes: $options.reply_bytes,
            reply_images: $options.reply_images,
            tokens: $options.tokens,
            rest: $options.rest,
            table_width: $options.table_width,
            image: Image {
                metadata: $options.image.metadata,
                side: $options.image.side,
                bytes: $options.image.bytes,
                budget: $options.image.budget,
                tokens: $options.image.tokens,
            },
            github: GitHub {
                soft: $options.github.soft,
                hard: $options.github.hard,
                api: $options.github.api,
            },
            absolute: $options.absolute,
            ignores: $options.ignores,
            repeat: $options.repeat,
            stdin: $options.stdin,
        }
    }};
}

#[cfg(test)]
mod tests;
