//! The table of the options that users set by name.

use crate::{
    GITHUB_AGES, IMAGE_BUDGETS, IMAGE_SIDES, IMAGE_SIZES, IMAGE_TOKENS, MAX_LINES, Options,
    REPLY_SIZES, RESTS, TABLE_WIDTHS, TOKENS,
};
use std::ops::RangeInclusive;

/// Access to the field of [`Options`] that an option sets, with one variant for each type of value.
pub(crate) enum Field {
    Number(NumberField, RangeInclusive<u32>),
    /// A number in a range, or 0 for no limit.
    Limit(NumberField, RangeInclusive<u32>),
    /// The field `rest`: a number in a range, without a default. An empty value unsets it.
    Rest(RangeInclusive<u32>),
    /// A number of bytes, which may have a unit.
    Size(NumberField, RangeInclusive<u32>),
    Switch(fn(&mut Options) -> &mut bool),
    Names(fn(&mut Options) -> &mut Vec<String>),
    /// An address of http or https, without a slash at its end.
    Address(fn(&mut Options) -> &mut Option<String>),
}

/// A field with a number. Each read checks all of them, and the first call of a function through a pointer takes an
/// instance of the reader a thousand instructions.
#[derive(Clone, Copy)]
pub(crate) enum NumberField {
    PageLines,
    ReplyBytes,
    ReplyImages,
    Tokens,
    TableWidth,
    ImageSide,
    ImageBytes,
    ImageBudget,
    ImageTokens,
    GitHubSoft,
    GitHubHard,
}

impl NumberField {
    pub(crate) fn of(self, options: &mut Options) -> &mut u32 {
        match self {
            Self::PageLines => &mut options.limit,
            Self::ReplyBytes => &mut options.reply_bytes,
            Self::ReplyImages => &mut options.reply_images,
            Self::Tokens => &mut options.tokens,
            Self::TableWidth => &mut options.table_width,
            Self::ImageSide => &mut options.image.side,
            Self::ImageBytes => &mut options.image.bytes,
            Self::ImageBudget => &mut options.image.budget,
            Self::ImageTokens => &mut options.image.tokens,
            Self::GitHubSoft => &mut options.github.soft,
            Self::GitHubHard => &mut options.github.hard,
        }
    }
}

/// The name of an option, its help text, and the field that it sets.
pub struct Setting {
    /// The key of the option.
    pub key: &'static str,
    /// The meaning of the option, its values and its default.
    pub help: &'static str,
    pub(crate) field: Field,
}

/// The options that users set by name. `lines` and `stdin` are not among them, because they belong
/// to the path of one read.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "limit",
        help: "lines of a page, 1 to 3000 [default: 300]",
        field: Field::Number(NumberField::PageLines, 1..=MAX_LINES),
    },
    Setting {
        key: "all",
        help: "pages of up to 8 MiB, and no outlines [default: off]",
        field: Field::Switch(|o| &mut o.all),
    },
    Setting {
        key: "hashlines",
        help: "header with a tag, and `N:` before the lines of editable text [default: on]",
        field: Field::Switch(|o| &mut o.hashlines),
    },
    Setting {
        key: "numbers",
        help: "`N|` before lines that have no `N:` [default: off]",
        field: Field::Switch(|o| &mut o.numbers),
    },
    Setting {
        key: "edits",
        help: "the agent has an edit tool; off also disables `hashlines` [default: on]",
        field: Field::Switch(|o| &mut o.edits),
    },
    Setting {
        key: "pilcrow",
        help: "write the header as `¶PATH#TAG` [default: off]",
        field: Field::Switch(|o| &mut o.pilcrow),
    },
    Setting {
        key: "margin",
        help: "a single range shows one line before it and three after [default: on]",
        field: Field::Switch(|o| &mut o.margin),
    },
    Setting {
        key: "outlines",
        help: "show the outline of a long file [default: on]",
        field: Field::Switch(|o| &mut o.outlines),
    },
    Setting {
        key: "context",
        help: "also show the first lines of the declarations that enclose a range [default: off]",
        field: Field::Switch(|o| &mut o.context),
    },
    Setting {
        key: "reply-bytes",
        help: "size of the text of a reply, 4K to 8M. Lower limits of the dialect apply too [default: 8M]",
        field: Field::Size(NumberField::ReplyBytes, REPLY_SIZES),
    },
    Setting {
        key: "reply-images",
        help: "size of the images of a reply in base64, 4K to 8M. Lower limits of the dialect apply too [default: 8M]",
        field: Field::Size(NumberField::ReplyImages, REPLY_SIZES),
    },
    Setting {
        key: "max-tokens",
        help: "tokens of the lines of a page, as an estimate, from 100; 0 for no limit [default: 0]",
        field: Field::Limit(NumberField::Tokens, TOKENS),
    },
    Setting {
        key: "rest",
        help: "size of the list of the declarations that a page does not show, in percent of the page; 0 for no list [default: 10 in dialect omp, 0 in the others]",
        field: Field::Rest(RESTS),
    },
    Setting {
        key: "table-width",
        help: "characters of a line of a table, up to 1000, to which columns are aligned and narrowed; 0 for tables as wide as their values [default: 0]",
        field: Field::Number(NumberField::TableWidth, TABLE_WIDTHS),
    },
    Setting {
        key: "image-metadata",
        help: "describe images, do not show them [default: off]",
        field: Field::Switch(|o| &mut o.image.metadata),
    },
    Setting {
        key: "image-side",
        help: "pixels of the longer side of an image that is shown, 64 to 8000 [default: 1568]",
        field: Field::Number(NumberField::ImageSide, IMAGE_SIDES),
    },
    Setting {
        key: "image-bytes",
        help: "size of an image that is shown, 16K to 3840K [default: 500K]",
        field: Field::Size(NumberField::ImageBytes, IMAGE_SIZES),
    },
    Setting {
        key: "image-budget",
        help: "images that a session shows in a generation, 1 to 10000, after which they are described; 0 for no limit [default: 0]",
        field: Field::Limit(NumberField::ImageBudget, IMAGE_BUDGETS),
    },
    Setting {
        key: "image-budget-tokens",
        help: "tokens of the images that a session shows in a generation, as an estimate, from 100; 0 for no limit [default: 0]",
        field: Field::Limit(NumberField::ImageTokens, IMAGE_TOKENS),
    },
    Setting {
        key: "github-soft-age",
        help: "seconds after which an issue, a pull request or a diff of GitHub is requested again [default: 300]",
        field: Field::Number(NumberField::GitHubSoft, GITHUB_AGES),
    },
    Setting {
        key: "github-hard-age",
        help: "seconds after which a copy of one is not shown, even if GitHub does not answer [default: 604800]",
        field: Field::Number(NumberField::GitHubHard, GITHUB_AGES),
    },
    Setting {
        key: "github-api",
        help: "https://HOST/api/v3 for a host of GitHub Enterprise; any other address is used in place of https://api.github.com [default: none]",
        field: Field::Address(|o| &mut o.github.api),
    },
    Setting {
        key: "absolute",
        help: "dialect comma takes absolute paths [default: off]",
        field: Field::Switch(|o| &mut o.absolute),
    },
    Setting {
        key: "ignores",
        help: "names of ignore files at the top of a root, with commas between them; dialect gemini refuses what they match [default: .siiignore,.geminiignore]",
        field: Field::Names(|o| &mut o.ignores),
    },
    Setting {
        key: "repeat",
        help: "a reply that the session has shown before is one line [default: off]",
        field: Field::Switch(|o| &mut o.repeat),
    },
];
