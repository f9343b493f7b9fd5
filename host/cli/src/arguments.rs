//! The arguments of the command line. The help, completions and man page are generated from the
//! same definitions.

use super::batch_arguments::BatchArguments;
use super::colour::When;
use super::images::Images;
#[cfg(feature = "mcp")]
use super::mcp_arguments::McpArguments;
use super::mounts::{Mount, mount};
#[cfg(feature = "net")]
use super::network::NetworkArguments;
use super::pager::Paging;
use super::session_arguments::SessionAction;
use super::settings::{Given, Settings};
use super::task::Task;
use super::units::{size, time};
use super::{environment, help, ranges, stdin};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::{
    Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum as _,
};
use clap_complete::Shell;
use omniread::{Api, Dialect};
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
        Dialect::OpenCode => "tool `read`: numbered lines between tags, with the end of the file",
        Dialect::Codex => "tool `read_file`: lines as `L12: text`, or a block by its indentation",
        // The library has another dialect. A test refuses this.
        _ => "",
    }
}

/// The usage of the program without the commands that this build lacks.
const USAGE: &str = if cfg!(feature = "mcp") {
    "omniread [OPTIONS] [PATH]...\n       omniread [OPTIONS] batch [PATH|PATTERN]...\n       omniread [OPTIONS] call DIALECT JSON|-\n       omniread [OPTIONS] tools [DIALECT] [--for API] [--current]\n       omniread [OPTIONS] serve\n       omniread [OPTIONS] mcp [DIR]... [--http ADDRESS]\n       omniread help [COMMAND]\n       omniread version"
} else {
    "omniread [OPTIONS] [PATH]...\n       omniread [OPTIONS] batch [PATH|PATTERN]...\n       omniread [OPTIONS] call DIALECT JSON|-\n       omniread [OPTIONS] tools [DIALECT] [--for API] [--current]\n       omniread [OPTIONS] serve\n       omniread help [COMMAND]\n       omniread version"
};

/// Read files and directories as text for a model, inside a sandbox.
///
/// A PATH is a file or directory in a root, and may end in a selector.
/// The reply goes to standard output. It states what was left out, and names the
/// path that continues. A failure goes to standard error.
#[derive(Parser)]
#[command(
    name = "omniread",
    version,
    bin_name = "omniread",
    override_usage = USAGE,
    max_term_width = 100
)]
struct Line {
    #[command(flatten)]
    plain: Plain,

    #[command(subcommand)]
    command: Option<Command>,
}

/// The command line without a command.
#[derive(clap::Args, Default)]
struct Plain {
    #[command(flatten)]
    common: Common,

    /// Print completions for a shell and exit
    #[arg(long, value_name = "SHELL", hide_possible_values = true, value_enum)]
    completions: Option<Shell>,

    /// Print the man page and exit
    #[arg(long)]
    man: bool,

    /// The file, directory, member or query to read; `-` is standard input, which is also read if there is no PATH and input is piped. Write `./NAME` for a file that has the name of a command
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,
}

#[derive(clap::Args, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
struct Common {
    /// Allow reads in this directory and below. Repeat it for more; relative paths start in the current directory if it may be read, or else in the first one. `OMNIREAD_ROOT` sets it too [default: .]
    #[arg(long = "root", value_name = "DIR", global = true, value_hint = clap::ValueHint::DirPath)]
    roots: Vec<PathBuf>,

    /// Mount this directory for a scheme: `--mount skill=DIR` reads it as `skill://NAME`. Repeat it for more; several directories of a scheme are searched in order. `skill=auto` mounts `.agents/skills` and `.claude/skills` of the roots and of the home directory. Those in `OMNIREAD_MOUNT` apply too
    #[arg(long = "mount", value_name = "SCHEME=DIR", global = true, value_parser = mount)]
    mounts: Vec<Mount>,

    /// Read this configuration file, in place of `omniread/config.toml` in the directory for configuration files of the user. `omniread config` prints what applies, and where it comes from
    #[arg(long, value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    config: Option<PathBuf>,

    /// Keep what was shown, conversions and long pages in this directory, for later commands. It is created if it does not exist. `OMNIREAD_SESSION` sets it too [default: kept until the process ends]
    #[arg(long, value_name = "DIR", global = true, value_hint = clap::ValueHint::DirPath)]
    session: Option<PathBuf>,

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

    /// Align tables, listings and line numbers as on a terminal, also in a pipe or a file. Without it, only a terminal gets spaces that align. `COLUMNS` limits the width of tables
    #[arg(long, global = true)]
    pretty: bool,

    /// Colour line numbers, notices, tables and errors. `auto` does so on a terminal; `NO_COLOR` and `CLICOLOR_FORCE` change that. `OMNIREAD_COLOR` sets it too [default: auto]
    #[arg(long, value_name = "WHEN", global = true, value_enum, alias = "colour")]
    color: Option<When>,

    /// Refuse files and directories whose real path matches this pattern. The syntax is that of .gitignore; repeat it for more. Those in `OMNIREAD_DENY` apply too
    #[arg(long, value_name = "GLOB", global = true)]
    deny: Vec<String>,

    /// Refuse files larger than this, such as 500K, 1M or 2G
    #[arg(long, value_name = "SIZE", global = true, value_parser = size)]
    max_file_size: Option<u64>,

    /// End each page within this number of tokens, as an estimate. The same as `--set max-tokens=TOKENS`
    #[arg(long, value_name = "TOKENS", global = true)]
    max_tokens: Option<String>,

    /// Open encrypted documents with the password in the first line of this file. `OMNIREAD_PASSWORD` sets the password too
    #[arg(long, value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    password_file: Option<PathBuf>,

    /// Stop the read of a page after this time on the processor, such as 5s, 500ms or 2m; 0 means no limit. Waits for standard input count, other programs do not. `OMNIREAD_TIMEOUT` sets it too [default: 60s, for standard input 0, for `serve` and `mcp` 10s]
    #[arg(long, value_name = "TIME", global = true, value_parser = time)]
    timeout: Option<Duration>,

    /// How to output images: `auto` draws them on a terminal, as characters if it can do no more; `never` prints their format and size; `save=DIR` writes them to files. `OMNIREAD_IMAGES` sets it too [default: auto]
    #[arg(long, value_name = "HOW", global = true)]
    images: Option<Images>,

    /// Show output on a terminal through the pager in `OMNIREAD_PAGER` or `PAGER`. `auto` does so if it is longer than the terminal [default: auto]
    #[arg(long, value_name = "WHEN", global = true, value_enum)]
    paging: Option<Paging>,

    /// Print nothing on standard error, except that the command line is wrong: no notices, failures or progress. The exit status states whether each PATH was read
    #[arg(short, long, global = true)]
    quiet: bool,

    /// Set an option. `--help` lists the options
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    set: Vec<String>,

    #[cfg(feature = "net")]
    #[command(flatten)]
    network: NetworkArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Read many files on all cores, and write one JSON object on a line for each
    Batch(BatchArguments),
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
        /// Print the arguments that the tool of the agent has today, if they differ. `call` accepts both
        #[arg(long)]
        current: bool,
    },
    /// Answer requests on standard input, one JSON object a line, until it ends
    Serve,
    /// Serve the tool of a dialect over the Model Context Protocol, on standard input and output or over HTTP
    #[cfg(feature = "mcp")]
    Mcp(McpArguments),
    /// Print the configuration that applies, with the origin of each value
    Config {
        /// Print the JSON Schema of configuration files, for editors
        #[arg(long)]
        schema: bool,
    },
    /// Show what the session in `--session` keeps: which lines of which files were shown, and what has changed since
    Session {
        #[command(subcommand)]
        action: SessionAction,
    },
    /// Print the version
    Version,
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

/// A parsed command line.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct Arguments {
    /// The task.
    pub task: Task,
    /// The directories that may be read.
    pub roots: Vec<PathBuf>,
    /// The directory in which the session keeps its state.
    pub session: Option<PathBuf>,
    /// All settings with their origins.
    pub settings: Settings,
    /// The directories that internal URLs read.
    pub mounts: Vec<Mount>,
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
    /// Whether notices, failures and progress are left out.
    pub quiet: bool,
    /// Whether output is aligned although it is not a terminal.
    pub pretty: bool,
    /// When output is coloured.
    pub colour: When,
    /// How images are output.
    pub images: Images,
    /// When output is shown by a pager.
    pub paging: Paging,
    /// The values of `--set`, as `KEY=VALUE`.
    pub set: Vec<String>,
    /// The options of the network.
    #[cfg(feature = "net")]
    pub network: NetworkArguments,
}

/// The definition of the command line, with the full help.
pub fn command() -> clap::Command {
    Line::command().after_long_help(help::after_options())
}

/// A prefix for paths such as `-:10-20`, so that they are not parsed as options. No argument
/// contains this character.
const SHIELD: &str = "\u{10ffff}";

/// Parses the command line of this process.
///
/// # Errors
/// Returns the usage error, or the help or version that was requested.
pub fn parse() -> Result<Arguments, clap::Error> {
    // `-:10-20` is a path that looks like an option.
    let shielded = std::env::args_os().map(|argument| match argument.to_str() {
        Some(text) if stdin::is_dash_with_selector(text) => format!("{SHIELD}{text}").into(),
        _ => argument,
    });
    let words: Vec<OsString> = shielded.collect();
    let line = match of_paths(&words) {
        Some(plain) => Line {
            plain,
            command: None,
        },
        None => {
            // A command line without arguments prints the help, unless there is something to read.
            let command = command().arg_required_else_help(!stdin::is_given());
            Line::from_arg_matches(&command.try_get_matches_from(words)?)?
        }
    };
    let Line { plain, command } = line;
    let mut common = plain.common;
    if let Some(tokens) = &common.max_tokens {
        common.set.push(format!("max-tokens={tokens}"));
    }
    let task = match (plain.completions, command) {
        (Some(shell), _) => Task::Completions(shell),
        (None, _) if plain.man => Task::Man,
        (None, Some(named)) => task(named),
        (None, None) if !plain.paths.is_empty() => {
            Task::Read(plain.paths.into_iter().map(unshielded).collect())
        }
        (None, None) => without_path(common.lines.as_deref())?,
    };
    let is_for_path = common.all || common.lines.is_some();
    if is_for_path && !matches!(task, Task::Read(_) | Task::Completions(_) | Task::Man) {
        return Err(self::command().error(
            ErrorKind::ArgumentConflict,
            "--all and --lines are for a PATH, not for a command",
        ));
    }
    if let Some(text) = &common.lines
        && let Some(lines) = ranges::of_other_form(text)
    {
        let message = format!("`-n {text}` names no lines\n\n  tip: write `-n {lines}`");
        return Err(plain_error(ErrorKind::InvalidValue, &message));
    }
    complete(task, common).map_err(|why| plain_error(ErrorKind::InvalidValue, &why))
}

/// The names of the commands, with that of the generated one.
const COMMANDS: &[&str] = &[
    "batch", "call", "config", "help", "mcp", "serve", "session", "tools", "version",
];

/// The command line of a read of paths. `None` for any other one, and for a wrong one, whose error names the commands
/// too. Their definitions, each with all options, would take most of the time before a read.
fn of_paths(words: &[OsString]) -> Option<Plain> {
    let is_command = |word: &OsString| COMMANDS.iter().any(|name| word == name);
    let words_of_line = words.get(1..).unwrap_or_default();
    if words_of_line.iter().any(is_command) {
        return None;
    }
    let is_option = |word: &OsString| word.is_empty() || word.as_encoded_bytes().starts_with(b"-");
    if !words_of_line.is_empty() && !words_of_line.iter().any(is_option) {
        // A line of paths only needs no definitions of options.
        return Some(Plain {
            paths: words_of_line.to_vec(),
            ..Plain::default()
        });
    }
    let command = Plain::augment_args(clap::Command::new("omniread"));
    let matches = command.try_get_matches_from(words).ok()?;
    let plain = Plain::from_arg_matches(&matches).ok()?;
    Some(plain).filter(|plain| !plain.paths.is_empty())
}

/// The task of a command.
fn task(command: Command) -> Task {
    match command {
        Command::Batch(batch) => Task::Batch(batch),
        Command::Call { dialect, arguments } => Task::Call(dialect, arguments),
        Command::Tools {
            dialect,
            api,
            current,
        } => Task::Tools {
            dialect,
            api,
            current,
        },
        Command::Serve => Task::Serve,
        #[cfg(feature = "mcp")]
        Command::Mcp(mcp) => Task::Mcp(mcp),
        Command::Config { schema } => Task::Config(schema),
        Command::Session { action } => Task::Session(action),
        Command::Version => Task::Version,
    }
}

/// The task of a command line that names neither a command nor a path: a read of standard input.
///
/// # Errors
/// Fails if standard input is not given, or if the value of `-n` is the path.
fn without_path(lines: Option<&str>) -> Result<Task, clap::Error> {
    let is_path = |lines: &&str| !lines.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    match lines.filter(is_path) {
        Some(path) => {
            let message = format!(
                "`-n {path}` names no lines\n\n  tip: lines are numbered without an option: `omniread {path}`"
            );
            Err(plain_error(ErrorKind::InvalidValue, &message))
        }
        None if stdin::is_given() => Ok(Task::Read(vec!["-".into()])),
        None => Err(command().error(
            ErrorKind::MissingRequiredArgument,
            "write a PATH to read, or pipe something to standard input",
        )),
    }
}

/// A usage error without the usage, for a message that says what to write.
fn plain_error(kind: ErrorKind, message: &str) -> clap::Error {
    clap::Error::raw(kind, format!("{message}\n"))
}

/// Adds the values of environment variables to the options of the command line.
///
/// # Errors
/// Fails with a message if a variable has a wrong value.
#[cfg_attr(
    not(any(feature = "net", feature = "mcp")),
    expect(unused_mut, reason = "grants and directories are added")
)]
fn complete(task: Task, mut common: Common) -> Result<Arguments, String> {
    let dialect = |name: &str| {
        let names = Dialect::ALL.map(Dialect::name).join(", ");
        Dialect::named(name).ok_or_else(|| format!("the dialects are {names}"))
    };
    let colour = |text: &str| {
        When::from_str(text, false).map_err(|_| "it is `auto`, `always` or `never`".to_owned())
    };
    #[cfg(feature = "mcp")]
    if let Task::Mcp(mcp) = &task {
        common.roots.extend(mcp.directories.iter().cloned());
    }
    let settings = Settings::load(&Given {
        config: common.config.as_deref(),
        roots: &common.roots,
        mounts: &common.mounts,
        deny: &common.deny,
        dialect: common.dialect,
        timeout: common.timeout,
        default_timeout: task.default_timeout(),
        max_file_size: common.max_file_size,
        session: common.session.as_deref(),
        set: &common.set,
        #[cfg(feature = "net")]
        network: &common.network,
        is_shown: matches!(task, Task::Config(_)),
    })?;
    #[cfg(feature = "net")]
    {
        if common.network.has_no_grants() {
            common.network.grant(environment::grants()?);
        }
        settings.set_network(&mut common.network)?;
    }
    let named = or(common.dialect, environment::DIALECT, dialect)?;
    let timeout = or(common.timeout, environment::TIMEOUT, time)?;
    Ok(Arguments {
        task,
        roots: settings.roots(),
        session: settings.session(common.session),
        mounts: settings.mounts(),
        dialect: named.or_else(|| settings.dialect()).unwrap_or(Dialect::Omp),
        json: common.json,
        deny: settings.deny(),
        max_file_size: settings.max_file_size(common.max_file_size),
        password_file: common.password_file,
        timeout: settings.timeout(timeout),
        lines: common.lines,
        all: common.all,
        quiet: common.quiet || environment::quiet()?,
        pretty: common.pretty,
        colour: or(common.color, environment::COLOR, colour)?.unwrap_or_default(),
        images: or(common.images, environment::IMAGES, str::parse)?.unwrap_or_default(),
        paging: common.paging.unwrap_or_default(),
        set: common.set,
        #[cfg(feature = "net")]
        network: common.network,
        settings,
    })
}

/// The value of an option, or of the variable that sets it too.
fn or<T>(
    option: Option<T>,
    variable: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    match option {
        Some(value) => Ok(Some(value)),
        None => environment::parsed(variable, parse),
    }
}

/// A path of the command line, without the prefix that [`parse`] added.
fn unshielded(path: OsString) -> OsString {
    match path.to_str().and_then(|path| path.strip_prefix(SHIELD)) {
        Some(path) => path.into(),
        None => path,
    }
}

#[cfg(test)]
mod tests;
