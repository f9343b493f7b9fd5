//! Options that other programs have, and what to write instead of them here.

use super::mistaken::is_similar;
use super::ranges::{lines, number};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use omniread::Options;
use omniread::options::SETTINGS;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;

/// Options of other programs that mean the same, and the advice.
struct Foreign {
    /// The names of the option, separated by spaces.
    names: &'static str,
    /// The advice. `{}` is the value.
    tip: &'static str,
    /// The value in the advice, if the command line has none that can be used.
    example: &'static str,
    /// Converts the value on the command line. `None` if it cannot be used.
    value: fn(&str) -> Option<String>,
}

impl Foreign {
    fn has(&self, name: &str) -> bool {
        self.names.split(' ').any(|own| own == name)
    }
}

/// The rows of [`FOREIGN`] whose advice has no value.
const fn plain(names: &'static str, tip: &'static str) -> Foreign {
    Foreign {
        names,
        tip,
        example: "",
        value: |_| None,
    }
}

const FOREIGN: &[Foreign] = &[
    plain(
        "--raw --exact --verbatim",
        "append `:raw` to the path for the exact text: `PATH:raw`",
    ),
    Foreign {
        names: "--line-range --range --line -r",
        tip: "select lines with `-n {}`, or in the path: `PATH:{}`",
        example: "1-3",
        value: lines,
    },
    Foreign {
        names: "--head --first --end --end-line --to-line",
        tip: "select the first lines with `-n 1-{}`, or in the path: `PATH:1-{}`",
        example: "20",
        value: number,
    },
    Foreign {
        names: "--tail --last",
        tip: "select the last lines with `-n -{}`, or in the path: `PATH:-{}`",
        example: "20",
        value: number,
    },
    Foreign {
        names: "--offset --start --start-line --from-line --from --skip",
        tip: "start at a line with `-n {}`, or in the path: `PATH:{}`",
        example: "50",
        value: number,
    },
    Foreign {
        names: "--max-lines --max-count --line-limit --page-size -m",
        tip: "set the lines of a page with `--set limit={}`",
        example: "50",
        value: number,
    },
    Foreign {
        names: "--page --pages",
        tip: "select pages of a document in the path: `PATH:page:{}`",
        example: "2",
        value: lines,
    },
    Foreign {
        names: "--slide --slides",
        tip: "select slides in the path: `PATH:slide:{}`",
        example: "2",
        value: lines,
    },
    Foreign {
        names: "--chapter --chapters",
        tip: "select chapters in the path: `PATH:chapter:{}`",
        example: "2",
        value: lines,
    },
    Foreign {
        names: "--cell --cells",
        tip: "select cells of a notebook in the path, counted from 0: `PATH:cell:{}`",
        example: "2",
        value: lines,
    },
    Foreign {
        names: "--sheet --table --member --entry --attachment",
        tip: "write the name after the path: `PATH:{}`",
        example: "NAME",
        value: word,
    },
    plain(
        "--query --sql",
        "write the query after the path: `PATH?q=SELECT …`",
    ),
    plain(
        "--where --filter",
        "write the condition after the table: `PATH:TABLE?where=…`",
    ),
    plain(
        "--markdown --md --convert --text",
        "append `:` to the path of a page, mail or table for its Markdown: `PATH:`",
    ),
    plain(
        "--plain -p --style --no-line-numbers --no-line-number --no-number --no-header --no-filename",
        "leave out the header and the line numbers with `--set hashlines=off`, or read the exact text: `PATH:raw`",
    ),
    plain(
        "--number --line-numbers --line-number -N -b",
        "number the lines of all text with `--set numbers=on`",
    ),
    plain(
        "--no-color --no-colour --no-colors --no-ansi --monochrome-output",
        "use `--color never`, or set NO_COLOR",
    ),
    plain(
        "--force-color --force-colour --color-output --colors",
        "use `--color always`",
    ),
    plain(
        "--verbose --debug --info --stats --metadata",
        "print the facts about a reply with `--json`",
    ),
    plain(
        "-v",
        "print the version with `-V`, or the facts about a reply with `--json`",
    ),
    plain("--silent --no-messages -s", "use `--quiet`"),
    plain(
        "--full --whole --entire --complete --no-limit --no-truncate -a",
        "read a path to its end with `--all`",
    ),
    Foreign {
        names: "--max-size --max-filesize --size-limit --max-bytes --maxsize",
        tip: "refuse large files with `--max-file-size {}`",
        example: "1M",
        value: |text| super::units::size(text).is_ok().then(|| text.to_owned()),
    },
    Foreign {
        names: "--max-time --time-limit --deadline --timeout-seconds --timeout-secs",
        tip: "limit the time of a read with `--timeout {}`",
        example: "5s",
        value: time,
    },
    Foreign {
        names: "--timeout-ms --timeout-millis",
        tip: "limit the time of a read with `--timeout {}ms`",
        example: "500",
        value: number,
    },
    #[cfg(feature = "net")]
    Foreign {
        names: "--connect-timeout --network-timeout --fetch-timeout",
        tip: "limit the time of requests with `--net-timeout {}`",
        example: "20s",
        value: time,
    },
    #[cfg(feature = "net")]
    plain(
        "--allow-host --allow-hosts --allow-domain --allow-network --network --net --online",
        "grant a host with `--allow-net HOST`",
    ),
    #[cfg(feature = "net")]
    plain(
        "--url --uri --fetch",
        "write the address as the path, and grant its host: `--allow-net HOST URL`",
    ),
    #[cfg(feature = "net")]
    plain(
        "--header -H",
        "send a header to a host with `--net-header HOST=NAME=env:VARIABLE`",
    ),
    #[cfg(feature = "net")]
    plain(
        "--cacert --ca-cert --ca-file --ca-bundle --insecure -k",
        "accept the certificates of an authority with `--ca FILE`",
    ),
    plain(
        "--format --output-format --jsonl --json-lines -j",
        "print JSON with `--json`, or the reply of another read tool with `--dialect NAME`",
    ),
    plain(
        "--output --out --output-file -o",
        "redirect the output: `omniread PATH > FILE`",
    ),
    plain(
        "--save-images --extract-images --image-dir --images-dir --export-images",
        "save images with `--images save=DIR`",
    ),
    plain("--no-images --no-image", "use `--images never`"),
    plain(
        "--cwd --dir --directory --workspace --chdir --add-dir --allow-dir --allow-read --allow-directory --allowed-directory --include-directories -C",
        "allow reads in a directory with `--root DIR`",
    ),
    plain(
        "--exclude --exclude-dir --ignore --block",
        "refuse files with `--deny GLOB`",
    ),
    plain(
        "--glob --iglob --include --pattern --type --extension --ext -g -e -t",
        "write a pattern as the path, in quotes: `omniread 'src/*.rs'`",
    ),
    plain(
        "--hidden --no-ignore -A -u",
        "leave it out: hidden files are listed and read",
    ),
    plain(
        "--language --syntax -l",
        "leave it out: the kind of a file is detected",
    ),
    plain("--no-pager --nopager -P", "use `--paging never`"),
    plain(
        "--pager",
        "set the command of the pager in OMNIREAD_PAGER or PAGER",
    ),
    plain(
        "--width --terminal-width --wrap --columns --theme --tabs -w -S",
        "leave it out: the width and the colours are those of the terminal",
    ),
    plain("--usage -?", "print the help with `--help`"),
    // The advice does not repeat the value, which is secret.
    plain(
        "--password --pass --passphrase",
        "set OMNIREAD_PASSWORD, or name a file with `--password-file FILE`, because other users can see arguments",
    ),
    plain(
        "--stdin --from-stdin",
        "write `-` as the path for standard input",
    ),
    plain(
        "--file --path --filename --input -f -i",
        "write the path without an option: `omniread PATH`",
    ),
    plain(
        "--list --ls --tree --recursive --depth --max-depth -L -R",
        "list a directory or an archive by its path: `omniread DIR`",
    ),
    plain(
        "--encoding --charset --from-encoding -E",
        "leave it out: the encoding is detected, and a note names it",
    ),
    plain(
        "--config-file --rc",
        "use `--config FILE`, or set environment variables, which `omniread --help` lists",
    ),
    plain(
        "--tools --list-tools --schema",
        "print tool definitions with the command `omniread tools`",
    ),
    plain(
        "--call --tool",
        "run a tool with the command `omniread call DIALECT JSON`",
    ),
    #[cfg(feature = "mcp")]
    plain(
        "--mcp --stdio --server --http --port --listen --bind",
        "serve MCP clients with the command `omniread mcp`",
    ),
];

/// A value that is a time.
fn time(text: &str) -> Option<String> {
    super::units::time(text).is_ok().then(|| text.to_owned())
}

/// A value that a shell does not change.
fn word(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    let is_word = !text.is_empty() && text.len() < 60 && text.chars().all(is_plain);
    is_word.then(|| text.to_owned())
}

/// Adds advice to the error of an option that other programs have.
pub fn advise(mut error: clap::Error, command_line: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let argument = argument(name, command_line);
    let tip = file(argument).or_else(|| {
        // Of `-15`, the first digit is reported.
        let name = argument.filter(|text| is_number(text)).unwrap_or(name);
        tip(name, value(name, command_line).as_deref())
    });
    let Some(tip) = tip else {
        if let Some(ContextValue::String(option)) = error.get(ContextKind::SuggestedArg)
            && !is_similar(name.trim_start_matches('-'), option.trim_start_matches('-'))
        {
            error.remove(ContextKind::SuggestedArg);
        }
        // "To pass '--x' as a value" is of use only if there is such a file.
        error.remove(ContextKind::Suggested);
        if error.get(ContextKind::SuggestedArg).is_some() {
            error.remove(ContextKind::Usage);
        }
        return error;
    };
    // The usage has nothing on this option. It would hide the advice.
    error.remove(ContextKind::Usage);
    error.remove(ContextKind::SuggestedArg);
    let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
    error.insert(ContextKind::Suggested, tip);
    error
}

/// The argument with an option. A short option is one letter of it.
fn argument<'a>(name: &str, command_line: &'a [OsString]) -> Option<&'a str> {
    let mut arguments = command_line.iter().skip(1).filter_map(|a| a.to_str());
    arguments.find(|argument| argument.starts_with(name))
}

/// The advice for a file whose name looks like an option.
fn file(argument: Option<&str>) -> Option<String> {
    let file = argument.filter(|argument| Path::new(argument).exists())?;
    Some(format!("write `./{file}` to read this file"))
}

/// Whether an argument is a minus sign and digits.
fn is_number(argument: &str) -> bool {
    let digits = argument.strip_prefix('-').unwrap_or_default();
    number(digits).is_some()
}

/// The advice for an option that this program lacks. `value` is its value on the command line.
fn tip(name: &str, value: Option<&str>) -> Option<String> {
    let row = FOREIGN.iter().find(|row| row.has(name));
    if let Some(row) = row {
        let value = value.and_then(row.value);
        return Some(
            row.tip
                .replace("{}", value.as_deref().unwrap_or(row.example)),
        );
    }
    if is_number(name) {
        // `head -5` and `tail -5`.
        let count = name.trim_start_matches('-');
        return Some(format!(
            "select the first lines with `-n 1-{count}`, the last with `-n -{count}`"
        ));
    }
    let key = name.strip_prefix("--")?;
    let is_key = |key: &str| SETTINGS.iter().any(|setting| setting.key == key);
    let (key, value) = match key.strip_prefix("no-") {
        Some(key) if is_key(key) => (key, Some("off")),
        _ if is_key(key) => (key, value),
        _ => return None,
    };
    // The value of the command line, or the value of a switch, or a placeholder.
    let mut values = value.into_iter().chain(["on"]);
    let value = values.find(|value| Options::default().set(key, value).is_ok());
    Some(format!(
        "set this option with `--set {key}={}`",
        value.unwrap_or("VALUE")
    ))
}

/// The value of an option on the command line: the argument after it, or its part after `=`.
fn value(name: &str, command_line: &[OsString]) -> Option<String> {
    let mut arguments = command_line
        .iter()
        .map(|argument| argument.to_string_lossy());
    let rest = arguments.find_map(|argument| Some(argument.strip_prefix(name)?.to_owned()))?;
    match rest.strip_prefix('=') {
        Some(value) => Some(value.to_owned()),
        // The value of `-r1:3`.
        None if !rest.is_empty() => Some(rest),
        None => arguments.next().map(Cow::into_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::super::arguments;
    use super::*;

    /// The parts of a text in backticks.
    fn quoted(text: &str) -> impl Iterator<Item = &str> {
        text.split('`').skip(1).step_by(2)
    }

    #[test]
    fn foreign_options_are_not_options_of_this_program() {
        let command = arguments::command();
        let mut names = Vec::new();
        for argument in command.get_arguments() {
            names.extend(argument.get_long().map(|long| format!("--{long}")));
            names.extend(argument.get_short().map(|short| format!("-{short}")));
        }
        let foreign = FOREIGN.iter().flat_map(|row| row.names.split(' '));
        for name in foreign {
            assert!(!names.contains(&name.to_owned()), "{name}");
        }
    }

    #[test]
    fn each_foreign_option_has_one_row() {
        let mut names: Vec<_> = FOREIGN
            .iter()
            .flat_map(|row| row.names.split(' '))
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// The command line accepts what the advice says.
    #[test]
    fn advice_names_options_that_exist() {
        let tips = FOREIGN.iter().map(|row| row.tip.replace("{}", row.example));
        for tip in tips.chain([tip("--limit", Some("5")).unwrap()]) {
            for quoted in quoted(&tip).filter(|quoted| quoted.starts_with('-')) {
                let example = quoted.replace("HOST", "a.example").replace("NAME=", "X=");
                let example = example.replace("--dialect NAME", "--dialect omp");
                let words = ["omniread"]
                    .into_iter()
                    .chain(example.split(' '))
                    .chain(["f"]);
                let parsed = arguments::command().try_get_matches_from(words);
                let shown = parsed.as_ref().err().map(clap::Error::kind);
                let printed = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
                assert!(
                    shown.is_none_or(|kind| printed.contains(&kind)),
                    "{quoted}: {shown:?}"
                );
            }
        }
    }

    #[test]
    fn advice_has_the_value_of_the_command_line() {
        for (name, value, expected) in [
            ("--limit", Some("5"), "--set limit=5"),
            ("--limit", Some("many"), "--set limit=VALUE"),
            ("--context", Some("3"), "--set context=on"),
            ("--no-outlines", None, "--set outlines=off"),
            ("--line-range", Some("10:20"), "PATH:10-20"),
            ("-r", Some(":20"), "-n 1-20"),
            ("--range", Some("10:"), "PATH:10-"),
            ("--range", Some("x"), "PATH:1-3"),
            ("--head", Some("5"), "-n 1-5"),
            ("--tail", Some("5"), "PATH:-5"),
            ("--pages", Some("2-4"), "PATH:page:2-4"),
            ("--max-size", Some("10M"), "--max-file-size 10M"),
            ("--timeout-ms", Some("250"), "--timeout 250ms"),
            ("--sheet", Some("Sales"), "PATH:Sales"),
            ("--password", Some("secret"), "--password-file FILE"),
        ] {
            let tip = tip(name, value).unwrap();
            let has = quoted(&tip).any(|quoted| quoted == expected);
            assert!(has, "{name}: {tip}");
            assert!(!tip.contains("secret"), "{tip}");
        }
        assert_eq!(tip("--hlep", None), None);
        assert!(tip("-5", None).unwrap().contains("`-n 1-5`"));
    }

    #[test]
    fn values_follow_their_option() {
        let line = ["omniread", "-r1:3", "--head", "5", "--tail=7", "--raw"].map(OsString::from);
        for (name, expected) in [
            ("-r", Some("1:3")),
            ("--head", Some("5")),
            ("--tail", Some("7")),
            ("--raw", None),
            ("--page", None),
        ] {
            assert_eq!(value(name, &line).as_deref(), expected, "{name}");
        }
    }
}
