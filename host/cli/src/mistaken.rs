//! Paths that may be something else: a command, standard input or a web address.

use super::arguments;
use omniread::{Failure, Reason};

/// Adds to a failure what only the command line knows: that the path may be a command or standard input,
/// and to which of several paths a text belongs.
pub fn explained(
    mut failure: Failure,
    path: &str,
    is_text: bool,
    is_one_of_several: bool,
) -> Failure {
    if is_text && is_one_of_several && !failure.text.contains(path) {
        failure.text = format!("`{path}`: {}", failure.text);
    }
    let is_missing = matches!(failure.reason, Reason::NotFound(_));
    let is_empty = matches!(failure.reason, Reason::InvalidPath(_));
    let command = similar_command(path).filter(|_| is_missing);
    let hint = match command {
        Some(command) => Some(format!("a similar command exists: `{command}`")),
        // The continuation of standard input, as its notice names it.
        None if path.starts_with(':') && (is_missing || is_empty) => {
            Some(format!("write `-{path}` for standard input"))
        }
        None if is_missing && cfg!(feature = "net") => {
            address(path).map(|address| format!("write `{address}` for the web page"))
        }
        None => None,
    };
    if let Some(hint) = hint {
        if is_text {
            failure.text = format!("{}\nhint: {hint}", failure.text);
        }
        failure.hint = Some(match failure.hint {
            Some(earlier) => format!("{earlier}; {hint}"),
            None => hint,
        });
    }
    failure
}

/// The hint of a read that took too long, for the user of a command.
const MORE_TIME: &str = "allow more time with `--timeout`";

/// Corrects the hint of a failure if the timeout is that of the workspace file, so that `--timeout` does not raise
/// it. `origin` is the line of that file.
pub fn of_workspace(mut failure: Failure, origin: &str) -> Failure {
    let hint = format!("change the limit in `{origin}`");
    failure.text = failure.text.replace(MORE_TIME, &hint);
    failure.hint = failure.hint.map(|text| text.replace(MORE_TIME, &hint));
    failure
}

/// The last parts of the names of most hosts. No kind of file has one of them as its extension.
const DOMAINS: [&str; 6] = ["com", "dev", "edu", "gov", "net", "org"];

/// The web address that a path seems to be, without its scheme.
fn address(path: &str) -> Option<String> {
    let host = path.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let (_, last) = host.rsplit_once('.').unwrap_or_default();
    if DOMAINS.contains(&last) {
        Some(format!("https://{path}"))
    } else if path.starts_with("localhost:") {
        Some(format!("http://{path}"))
    } else {
        None
    }
}

/// The command whose name is similar to a word, or an option that is a command of other programs.
fn similar_command(word: &str) -> Option<String> {
    match word {
        "man" => return Some("omniread --man".to_owned()),
        "completion" | "completions" => return Some("omniread --completions SHELL".to_owned()),
        _ => {}
    }
    let command = arguments::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let names = names.chain(["help"]);
    let similar = names.filter(|name| is_similar(word, name));
    let nearest = similar.min_by_key(|name| strsim::osa_distance(word, name));
    nearest.map(str::to_owned)
}

/// Whether a word is a mistyped name: one letter differs, two in a long word, or two neighbours are
/// exchanged. `--vers` is the start of a name.
pub fn is_similar(word: &str, name: &str) -> bool {
    let most = if word.len() > 5 { 2 } else { 1 };
    let is_start = word.len() > 2 && name.starts_with(word);
    is_start || strsim::osa_distance(word, name) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_without_a_scheme_are_recognized() {
        for (path, expected) in [
            ("example.com", Some("https://example.com")),
            ("docs.example.org/a", Some("https://docs.example.org/a")),
            ("localhost:8080/a", Some("http://localhost:8080/a")),
            ("a.txt", None),
            ("com", None),
            ("src/example.com", None),
            ("", None),
        ] {
            assert_eq!(address(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn similar_commands_are_found() {
        for (word, command) in [
            ("hlep", Some("help")),
            ("halp", Some("help")),
            ("tool", Some("tools")),
            ("man", Some("omniread --man")),
            ("completions", Some("omniread --completions SHELL")),
            ("server", Some("serve")),
            ("cal", Some("call")),
            ("verison", Some("version")),
            ("a.txt", None),
            ("src", None),
            ("README", None),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(similar_command(word).as_deref(), command, "{word}");
        }
    }
}
