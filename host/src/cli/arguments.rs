//! The arguments of the command line. The help, completions and man page are generated from the
//! same definitions.

use super::colour::When;
use super::images::Images;
#[cfg(feature = "net")]
use super::network::NetworkArguments;
use super::seconds::seconds;
use crate::{Api, Dialect, SETTINGS};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What `--help` says about a dialect.
fn help(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Omp => "tool `read`: numbered lines under a tag of the text, with notices",
        Dialect::Gateway => {
            "tool `read`: numbered lines in a <file> frame; images and PDF unchanged"
        }
        Dialect::Comma => "tool `read_file`: one JSON object with exact text and a SHA-256",
        Dialect::Gemini => "tool `read_file`: one JSON object with text or inline data",
        Dialect::Claude => "tool `Read`: lines numbered as by `cat -n`",
    }
}

/// The usage of the program without the commands that this build lacks.
const USAGE: &str = if cfg!(feature = "mcp") {
    "omniread [OPTIONS] PATH...\n       omniread [OPTIONS] call DIALECT JSON|-\n       omniread [OPTIONS] tools [DIALECT] [--for API]\n       omniread [OPTIONS] serve\n       omniread [OPTIONS] mcp [--http ADDRESS]\n       omniread help [COMMAND]"
} else {
    "omniread [OPTIONS] PATH...\n       omniread [OPTIONS] call DIALECT JSON|-\n       omniread [OPTIONS] tools [DIALECT] [--for API]\n       omniread [OPTIONS] serve\n       omniread help [COMMAND]"
};

/// Read files and directories as text for a model, inside a sandbox.
///
/// A PATH is a file or directory in a root, and may end in a selector.
/// The reply goes to standard output. It states what was left out, and names the
/// path that continues.
#[derive(Parser)]
#[command(
    name = "omniread",
    version,
    bin_name = "omniread",
    arg_required_else_help = true,
    override_usage = USAGE,
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

    /// The file, directory, member or query to read; `-` is standard input. Write `./NAME` for a file that has the name of a command
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,
}

#[derive(clap::Args)]
struct Common {
    /// Allow reads in this directory and below. Repeat it for more; relative paths start in the current directory if it may be read, or else in the first one [default: .]
    #[arg(long = "root", value_name = "DIR", global = true, value_hint = clap::ValueHint::DirPath)]
    roots: Vec<PathBuf>,

    /// The dialect: the arguments of the tool and the format of replies [default: omp]
    #[arg(long, value_name = "NAME", global = true, value_parser = dialects())]
    dialect: Option<Dialect>,

    /// Print one JSON object for each path, with `--all` for each page: blocks and details, or an error
    #[arg(long, global = true)]
    json: bool,

    /// Read these lines of each PATH, such as `-n 50-80`, `-n 50` or `-n -20`. The same as a selector after the PATH
    #[arg(short = 'n', long, value_name = "LINES", allow_hyphen_values = true)]
    lines: Option<String>,

    /// Read each PATH to its end, not only its first page: `omniread data.json:raw --all | jq`
    #[arg(long)]
    all: bool,

    /// Colour line numbers and notices, in the dialect `omp`. `auto` does so on a terminal, unless `NO_COLOR` is set [default: auto]
    #[arg(long, value_name = "WHEN", global = true, value_enum)]
    color: Option<When>,

    /// Refuse files and directories whose real path matches this pattern. The syntax is that of .gitignore; repeat it for more
    #[arg(long, value_name = "GLOB", global = true)]
    deny: Vec<String>,

    /// Refuse files larger than this
    #[arg(long, value_name = "BYTES", global = true)]
    max_file_size: Option<u64>,

    /// Open encrypted documents with the password in the first line of this file. `OMNIREAD_PASSWORD` sets the password too
    #[arg(long, value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    password_file: Option<PathBuf>,

    /// Stop the read of a page after this time, such as 2 or 0.5; 0 means no limit. `OMNIREAD_TIMEOUT` sets it too [default: 10, for standard input 0]
    #[arg(long, value_name = "SECONDS", global = true, value_parser = seconds)]
    timeout: Option<Duration>,

    /// How to output images: `never` prints their name and size, `auto` draws them on a terminal that can, `save=DIR` writes them to files [default: never]
    #[arg(long, value_name = "HOW", global = true)]
    images: Option<Images>,

    /// Set an option. `--help` lists the options
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    set: Vec<String>,

    #[cfg(feature = "net")]
    #[command(flatten)]
    network: NetworkArguments,
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
        /// Print the list `tools` of a request to this API, with the tool of one dialect
        #[arg(long = "for", value_name = "API", value_parser = apis())]
        api: Option<Api>,
    },
    /// Answer requests on standard input, one JSON object a line, until it ends
    Serve,
    /// Serve the tool of a dialect over the Model Context Protocol, on standard input and output or over HTTP
    #[cfg(feature = "mcp")]
    Mcp(McpArguments),
}

/// The arguments of `omniread mcp`.
#[cfg(feature = "mcp")]
#[derive(clap::Args, Debug)]
pub struct McpArguments {
    /// Serve over HTTP at this address, such as 127.0.0.1:8080, in place of standard input and output. Port 0 chooses a free port
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<std::net::SocketAddr>,

    /// Read the bearer token of HTTP clients from this file. `OMNIREAD_MCP_TOKEN` sets it too [default: a random token, printed at the start]
    #[arg(long, value_name = "FILE", requires = "http", value_hint = clap::ValueHint::FilePath)]
    pub token_file: Option<PathBuf>,

    /// Serve HTTP clients without a token. Only on a loopback address
    #[arg(long, requires = "http", conflicts_with = "token_file")]
    pub no_token: bool,

    /// Accept HTTP requests for this host name, such as that of a proxy. Repeat it for more [default: localhost and the address]
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,

    /// Accept HTTP requests from web pages of this origin, such as `https://app.example.com:443`. Repeat it for more [default: none]
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,

    /// The maximum size of the text of a reply, and of its images in base64, in bytes each. It replaces `--set reply-bytes` [default: 1000000]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(4096..=8_388_608))]
    pub max_reply: Option<u32>,

    /// Let the roots of a client replace those of `--root`. Otherwise they only narrow them
    #[arg(long)]
    pub roots_from_client: bool,

    /// Which clients get `structuredContent`: `auto` leaves it out for clients that show it to the model in place of the text
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub structured: Structured,
}

/// The values of `--structured`.
#[cfg(feature = "mcp")]
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Structured {
    /// All clients, except those that are known to show it to the model in place of the text and
    /// the images.
    Auto,
    /// All clients.
    Always,
    /// No client.
    Never,
}

#[cfg(feature = "mcp")]
impl From<Structured> for omniread_mcp::Structured {
    fn from(structured: Structured) -> Self {
        match structured {
            Structured::Auto => Self::Auto,
            Structured::Always => Self::Always,
            Structured::Never => Self::Never,
        }
    }
}

fn dialects() -> impl clap::builder::TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(
        Dialect::ALL
            .into_iter()
            .map(|dialect| PossibleValue::new(dialect.name()).help(help(dialect))),
    )
    .map(|name| Dialect::named(&name).unwrap_or(Dialect::Omp))
}

fn apis() -> impl clap::builder::TypedValueParser<Value = Api> {
    PossibleValuesParser::new(Api::ALL.map(Api::name))
        .map(|name| Api::named(&name).unwrap_or(Api::Mcp))
}

/// The task that a command line requests.
pub enum Task {
    /// Read paths. A path that is not UTF-8 is an `Err` with replacement characters.
    Read(Vec<Result<String, String>>),
    /// Run the tool of a dialect with these JSON arguments.
    Call(Dialect, String),
    /// Print the tool definition of this dialect, or of all dialects if it is `None`.
    Tools(Option<Dialect>),
    /// Print the tool definition of this dialect in the form of an API. `None` is the dialect of the
    /// command line.
    ToolsFor(Option<Dialect>, Api),
    /// Answer requests on standard input.
    Serve,
    /// Serve MCP clients.
    #[cfg(feature = "mcp")]
    Mcp(McpArguments),
    /// Print completions for this shell.
    Completions(Shell),
    /// Print the man page.
    Man,
}

impl Task {
    /// Whether the process ends after a few reads.
    pub fn is_short(&self) -> bool {
        match self {
            Self::Serve => false,
            #[cfg(feature = "mcp")]
            Self::Mcp(_) => false,
            _ => true,
        }
    }
}

/// A parsed command line.
pub struct Arguments {
    /// The task.
    pub task: Task,
    /// The directories that may be read.
    pub roots: Vec<PathBuf>,
    /// The dialect, which determines the format of replies.
    pub dialect: Dialect,
    /// Whether replies are JSON.
    pub json: bool,
    /// The patterns of the files and directories that are refused.
    pub deny: Vec<String>,
    /// The maximum size of a file in bytes.
    pub max_file_size: Option<u64>,
    /// The file with the password of encrypted documents.
    pub password_file: Option<PathBuf>,
    /// The timeout of the read of a page. 0 means no limit, and `None` the default.
    pub timeout: Option<Duration>,
    /// The lines to read of each path, such as `50-80`.
    pub lines: Option<String>,
    /// Whether all pages of each path are read, and not only the first.
    pub all: bool,
    /// When output is coloured.
    pub colour: When,
    /// How images are output.
    pub images: Images,
    /// The values of `--set`, as `KEY=VALUE`.
    pub set: Vec<String>,
    /// The options of the network.
    #[cfg(feature = "net")]
    pub network: NetworkArguments,
}

/// The example of a web address, if this build can read any.
const WEB_EXAMPLE: &str = if cfg!(feature = "net") {
    "\n  omniread --allow-net docs.rs https://docs.rs/url\n                                  a web page of a granted host"
} else {
    ""
};

/// The definition of the command line, with the full help.
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
  PATH:50-80      lines 50 to 80, with lines around them (option margin); also :50..80
  PATH:50+10      ten lines from line 50
  PATH:-20        the last 20 lines
  PATH:5-9,40-60  several ranges, without lines around them
  PATH:10:5       from line 10 on; compilers print LINE:COLUMN like this
  PATH:12@2001    line 12 from column 2001
  PATH:raw        the exact text, without line numbers; also :50-80:raw
Members of archives:
  x.zip           its list of members; also jar, whl, tar, tar.gz, …
  x.zip:src/      the members in a directory
  x.zip:a.txt:50  a member, from line 50 on; archives in archives work too
Images, documents, notebooks, web pages and feeds:
  photo.png       the image, scaled for a model
  logo.svg:img    the SVG as an image; without `:img` its text
  x.docx          the document as Markdown; x.docx:image:3 an image in it
  x.pdf:page:3    a page; also x.pptx:slide:3, x.epub:chapter:2 and x.mbox:mail:5
  x.pdf:page:3:img    an image of the page; x.pdf:page:3:all shows hidden text too
  x.xlsx:Sales    the first rows of a sheet; x.xlsx:Sales:10-20 by its row numbers
  x.xlsx:Sales:B4:F20           cells; also x.xlsx:Sales?formulas=on
  x.xlsx:Sales?where=Total>9    rows that meet a condition
  x.eml:          the mail as Markdown; x.eml:a.docx an attachment of it
  x.ipynb:cell:4  a cell with its full output, counted from 0; also :cell:2-4
  page.html:      the main text as Markdown; page.html::50 from its line 50 on
  page.html:full  the whole page; page.html#install the section with that id
  feed.xml:       the feed as Markdown, or other XML indented
A file whose whole name is the path comes first. Write `\\:` for a colon in a name.

Options for --set, or in the environment as OMNIREAD_KEY (OMNIREAD_LIMIT=50):
{options}

Exit status:
  0  everything was read
  1  a path could not be read; the message states why
  2  the command line is wrong

Examples:
  omniread src/main.rs            the first page, with line numbers
  omniread server.log:-50         the end of a log of any size
  omniread -n 40-60 src/main.rs   these lines
  omniread x.json:raw --all | jq  the exact text of a whole file
  omniread .                      this directory
  git diff | omniread -           standard input{WEB_EXAMPLE}
  omniread --json Cargo.toml      a JSON object for a program
  omniread call claude '{{\"file_path\": \"README.md\", \"limit\": 20}}'"
    ))
}

/// A prefix for paths such as `-:10-20`, so that they are not parsed as options. No argument
/// contains this character.
const SHIELD: &str = "\u{10ffff}";

/// Whether a path is `-` for standard input, followed by a selector or query.
fn is_stdin_with_selector(path: &str) -> bool {
    path.starts_with("-:") || path.starts_with("-?q=")
}

/// Whether a path names standard input.
pub fn is_stdin(path: &str) -> bool {
    path == "-" || is_stdin_with_selector(path)
}

/// Parses the command line of this process.
///
/// # Errors
/// Returns the usage error, or the help or version that was requested.
pub fn parse() -> Result<Arguments, clap::Error> {
    // `-:10-20` is a path that looks like an option.
    let shielded = std::env::args_os().map(|argument| match argument.to_str() {
        Some(text) if is_stdin_with_selector(text) => format!("{SHIELD}{text}").into(),
        _ => argument,
    });
    let mut command = command();
    let matches = command.try_get_matches_from_mut(shielded)?;
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
            command: Some(Command::Tools { dialect, api }),
            ..
        } => match api {
            Some(api) => Task::ToolsFor(dialect, api),
            None => Task::Tools(dialect),
        },
        Line {
            command: Some(Command::Serve),
            ..
        } => Task::Serve,
        #[cfg(feature = "mcp")]
        Line {
            command: Some(Command::Mcp(mcp)),
            ..
        } => Task::Mcp(mcp),
        Line { paths, .. } if paths.is_empty() => {
            return Err(command.error(
                clap::error::ErrorKind::MissingRequiredArgument,
                "write a PATH to read",
            ));
        }
        Line { paths, .. } => Task::Read(paths.into_iter().map(path).collect()),
    };
    let environment = std::env::var("OMNIREAD_DIALECT").ok();
    let dialect = match (line.common.dialect, environment) {
        (Some(dialect), _) => dialect,
        (None, None) => Dialect::Omp,
        (None, Some(name)) => Dialect::named(&name).ok_or_else(|| {
            command.error(
                clap::error::ErrorKind::InvalidValue,
                format!("OMNIREAD_DIALECT is not a dialect: `{name}`"),
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
    if matches!(
        task,
        Task::Call(..) | Task::Tools(_) | Task::ToolsFor(..) | Task::Serve
    ) && (line.common.all || line.common.lines.is_some())
    {
        return Err(command.error(
            clap::error::ErrorKind::ArgumentConflict,
            "--all and --lines are for a PATH, not for a command",
        ));
    }
    Ok(Arguments {
        task,
        roots: line.common.roots,
        dialect,
        json: line.common.json,
        deny: line.common.deny,
        max_file_size: line.common.max_file_size,
        password_file: line.common.password_file,
        timeout,
        lines: line.common.lines,
        all: line.common.all,
        colour: line.common.color.unwrap_or_default(),
        images: line.common.images.unwrap_or_default(),
        set: line.common.set,
        #[cfg(feature = "net")]
        network: line.common.network,
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
