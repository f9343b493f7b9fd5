//! The arguments of the command line. Help, completions and the man page come
//! from the same definitions.

use super::colour::When;
use super::images::Images;
use crate::{Dialect, SETTINGS};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The shortest timeout: messages state times in milliseconds.
const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1);

const DIALECTS: &[(&str, Dialect, &str)] = &[
    (
        "omp",
        Dialect::Omp,
        "tool `read`: hashline text with paging notices",
    ),
    (
        "gateway",
        Dialect::Gateway,
        "tool `read`: numbered text in a <file> frame, media as they are",
    ),
    (
        "comma",
        Dialect::Comma,
        "tool `read_file`: one JSON object with exact text and a SHA-256",
    ),
    (
        "gemini",
        Dialect::Gemini,
        "tool `read_file`: one JSON object with text or inline data",
    ),
    (
        "claude",
        Dialect::Claude,
        "tool `Read`: text numbered as `cat -n` does",
    ),
];

/// Read files and directories as text for a model, inside a sandbox.
///
/// A PATH is a file or directory beneath a root, and may end in a selector.
/// The reply goes to standard output. It says what was left out, and names the
/// path that continues.
#[derive(Parser)]
#[command(
    name = "omniread",
    version,
    bin_name = "omniread",
    arg_required_else_help = true,
    override_usage = "omniread [OPTIONS] PATH...\n       omniread [OPTIONS] call DIALECT JSON|-\n       omniread [OPTIONS] tools [DIALECT]\n       omniread help [COMMAND]",
    max_term_width = 100
)]
struct Line {
    #[command(flatten)]
    common: Common,

    #[command(subcommand)]
    command: Option<Command>,

    /// Print completions for a shell and exit
    #[arg(long, value_name = "SHELL", hide_possible_values = true, value_enum)]
    completions: Option<Shell>,

    /// Print the man page and exit
    #[arg(long)]
    man: bool,

    /// What to read; `-` is standard input, and a file named `call`, `tools` or `help` is `./call`, `./tools` or `./help`
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,
}

#[derive(clap::Args)]
struct Common {
    /// A directory that may be read, with all beneath it; relative paths belong to the first one [default: .]
    #[arg(long = "root", value_name = "DIR", global = true, value_hint = clap::ValueHint::DirPath)]
    roots: Vec<PathBuf>,

    /// The form of the reply [default: omp]
    #[arg(long, value_name = "NAME", global = true, value_parser = dialects())]
    dialect: Option<Dialect>,

    /// Print one JSON object for each path, with `--all` for each page: blocks and details, or an error
    #[arg(long, global = true)]
    json: bool,

    /// Read these lines of each PATH, as a selector after it does: `-n 50-80`, `-n 50`, `-n -20`
    #[arg(short = 'n', long, value_name = "LINES", allow_hyphen_values = true)]
    lines: Option<String>,

    /// Read all pages of each PATH, each of up to 8 MiB: `omniread data.json:raw --all | jq`
    #[arg(long)]
    all: bool,

    /// When the line numbers and notices of a text are coloured, in the dialect `omp`; `NO_COLOR` in the environment switches `auto` off [default: auto]
    #[arg(long, value_name = "WHEN", global = true, value_enum)]
    color: Option<When>,

    /// Refuse what a pattern as in .gitignore matches, by its real path
    #[arg(long, value_name = "GLOB", global = true)]
    deny: Vec<String>,

    /// Refuse files with more bytes than this
    #[arg(long, value_name = "BYTES", global = true)]
    max_file_size: Option<u64>,

    /// Give up on a page after this time, such as 2 or 0.5; 0 for never; also `OMNIREAD_TIMEOUT` in the environment [default: 10, for standard input 0]
    #[arg(long, value_name = "SECONDS", global = true, value_parser = seconds)]
    timeout: Option<Duration>,

    /// What is done with images: `never` names them, `auto` shows them on terminals that can, `save=DIR` saves them [default: never]
    #[arg(long, value_name = "HOW", global = true)]
    images: Option<Images>,

    /// Set an option; the list is below
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    set: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Run the tool of a dialect with the JSON arguments that a model gave
    Call {
        /// The dialect
        #[arg(value_name = "DIALECT", value_parser = dialects())]
        dialect: Dialect,
        /// The arguments, one JSON object; `-` reads them from standard input
        #[arg(value_name = "JSON")]
        arguments: String,
    },
    /// Print the definition of the tool of a dialect, or of all of them, as JSON
    Tools {
        /// The dialect
        #[arg(value_name = "DIALECT", value_parser = dialects())]
        dialect: Option<Dialect>,
    },
}

/// Parses a time in seconds, which may have a fraction. Only 0 means no limit.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match time {
        Some(time) if seconds != Some(0.0) => Ok(time.max(SHORTEST_TIMEOUT)),
        Some(time) => Ok(time),
        None => Err("write a number of seconds, such as 2 or 0.5".to_owned()),
    }
}

fn dialects() -> impl clap::builder::TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(
        DIALECTS
            .iter()
            .map(|(name, _, help)| PossibleValue::new(*name).help(*help)),
    )
    .map(|name| named(&name).unwrap_or(Dialect::Omp))
}

fn named(name: &str) -> Option<Dialect> {
    DIALECTS
        .iter()
        .find(|dialect| dialect.0 == name)
        .map(|dialect| dialect.1)
}

/// What to do.
pub enum Task {
    /// Read paths; of one that is not UTF-8 what can be shown.
    Read(Vec<Result<String, String>>),
    /// Run a tool.
    Call(Dialect, String),
    /// Print definitions.
    Tools(Option<Dialect>),
    /// Print completions.
    Completions(Shell),
    /// Print the man page.
    Man,
}

/// A parsed command line.
pub struct Arguments {
    /// What to do.
    pub task: Task,
    /// Directories that may be read.
    pub roots: Vec<PathBuf>,
    /// The form of replies.
    pub dialect: Dialect,
    /// Replies are JSON.
    pub json: bool,
    /// Deny rules.
    pub deny: Vec<String>,
    /// Bytes that a file may have.
    pub max_file_size: Option<u64>,
    /// The time that a read may take; 0 is no limit.
    pub timeout: Option<Duration>,
    /// Lines to read of each path.
    pub lines: Option<String>,
    /// Read all pages.
    pub all: bool,
    /// When there are colours.
    pub colour: When,
    /// What is done with images.
    pub images: Images,
    /// Options, `KEY=VALUE`.
    pub set: Vec<String>,
}

/// The command with its full help.
pub fn command() -> clap::Command {
    let width = SETTINGS
        .iter()
        .map(|setting| setting.key.len())
        .max()
        .unwrap_or(0);
    let options: Vec<String> = SETTINGS
        .iter()
        .map(|setting| format!("  {:width$}  {}", setting.key, setting.help))
        .collect();
    let options = options.join("\n");
    Line::command().after_long_help(format!(
        "\
Selectors:
  PATH:50         from line 50 on
  PATH:50-80      lines 50 to 80, with a little context (see margin); also :50..80
  PATH:50+10      ten lines from line 50
  PATH:-20        the last 20 lines
  PATH:5-9,40-60  several ranges, exactly
  PATH:10:5       from line 10 on; compilers print lines and columns like that
  PATH:12@2001    line 12 from column 2001
  PATH:raw        the text exactly as it is; also :50-80:raw
Members of archives:
  x.zip           what is in it; also jar, whl, docx, tar, tar.gz, …
  x.zip:src/      what is in a folder of it
  x.zip:a.txt:50  a member, from line 50 on; archives may lie in archives
Images and notebooks:
  photo.png       shown to the model, made to fit
  logo.svg:img    the image that an SVG draws; without `:img` its text
  x.ipynb:cell:4  a cell with all that it puts out, counted from 0; also :cell:2-4
A file whose name looks like that wins. In a name, `\\:` is always a colon.

Options for --set, or in the environment as OMNIREAD_KEY (OMNIREAD_LIMIT=50):
{options}

Exit status:
  0  everything was read
  1  something was not; the reply says why
  2  the command line is wrong

Examples:
  omniread src/main.rs            the first page, with line numbers
  omniread server.log:-50         the end of a log of any size
  omniread -n 40-60 src/main.rs   these lines
  omniread x.json:raw --all | jq  all of a file, exactly
  omniread .                      what is in this directory
  git diff | omniread -           standard input
  omniread --json Cargo.toml      blocks and details for a program
  omniread call claude '{{\"file_path\": \"README.md\", \"limit\": 20}}'"
    ))
}

/// A character that no argument can hold: not even paths are.
const SHIELD: &str = "\u{10ffff}";

/// Whether a path is standard input, with something behind it.
fn goes_on(path: &str) -> bool {
    path.starts_with("-:") || path.starts_with("-?q=")
}

/// Whether a path is standard input.
pub fn is_stdin(path: &str) -> bool {
    path == "-" || goes_on(path)
}

/// Parses the command line of this process.
///
/// # Errors
/// What is wrong with it, or the help that was asked for.
pub fn parse() -> Result<Arguments, clap::Error> {
    // `-:10-20` is a path that looks like an option.
    let shielded = std::env::args_os().map(|argument| match argument.to_str() {
        Some(text) if goes_on(text) => format!("{SHIELD}{text}").into(),
        _ => argument,
    });
    let mut command = command();
    let matches = command.clone().try_get_matches_from(shielded)?;
    let line = Line::from_arg_matches(&matches)?;
    let task = match line {
        Line {
            completions: Some(shell),
            ..
        } => Task::Completions(shell),
        Line { man: true, .. } => Task::Man,
        Line {
            command: Some(Command::Call { dialect, arguments }),
            ..
        } => Task::Call(dialect, arguments),
        Line {
            command: Some(Command::Tools { dialect }),
            ..
        } => Task::Tools(dialect),
        Line { paths, .. } if paths.is_empty() => {
            return Err(command.error(
                clap::error::ErrorKind::MissingRequiredArgument,
                "there is no PATH to read",
            ));
        }
        Line { paths, .. } => Task::Read(paths.into_iter().map(path).collect()),
    };
    let environment = std::env::var("OMNIREAD_DIALECT").ok();
    let dialect = match (line.common.dialect, environment) {
        (Some(dialect), _) => dialect,
        (None, None) => Dialect::Omp,
        (None, Some(name)) => named(&name).ok_or_else(|| {
            command.error(
                clap::error::ErrorKind::InvalidValue,
                format!("OMNIREAD_DIALECT names no dialect: `{name}`"),
            )
        })?,
    };
    let of_environment = std::env::var_os("OMNIREAD_TIMEOUT");
    let timeout = match (line.common.timeout, of_environment) {
        (Some(timeout), _) => Some(timeout),
        (None, None) => None,
        (None, Some(text)) => {
            let text = text.to_string_lossy();
            Some(seconds(&text).map_err(|why| {
                command.error(
                    clap::error::ErrorKind::InvalidValue,
                    format!("OMNIREAD_TIMEOUT is `{text}`; {why}"),
                )
            })?)
        }
    };
    if matches!(task, Task::Call(..) | Task::Tools(_))
        && (line.common.all || line.common.lines.is_some())
    {
        return Err(command.error(
            clap::error::ErrorKind::ArgumentConflict,
            "--all and --lines are for a PATH, not for `call` and `tools`",
        ));
    }
    Ok(Arguments {
        task,
        roots: line.common.roots,
        dialect,
        json: line.common.json,
        deny: line.common.deny,
        max_file_size: line.common.max_file_size,
        timeout,
        lines: line.common.lines,
        all: line.common.all,
        colour: line.common.color.unwrap_or_default(),
        images: line.common.images.unwrap_or_default(),
        set: line.common.set,
    })
}

fn path(path: OsString) -> Result<String, String> {
    match path.into_string() {
        Ok(path) => Ok(path
            .strip_prefix(SHIELD)
            .map_or(path.clone(), str::to_owned)),
        Err(path) => Err(path.to_string_lossy().into_owned()),
    }
}
