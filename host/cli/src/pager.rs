//! The pager: the program that shows long output a screen at a time.

use clap::ValueEnum;
use std::env;
use std::io::{self, BufWriter, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// When output is shown by a pager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Paging {
    /// If it is longer than the terminal.
    #[default]
    Auto,
    /// On every terminal, even if it is short.
    Always,
    /// Never.
    Never,
}

/// The variables that name the pager, in the order of their precedence.
const VARIABLES: [&str; 2] = ["OMNIREAD_PAGER", "PAGER"];

/// The pager if no variable names one.
const DEFAULT: &str = "less";

/// The variable with the options of `less`.
const LESS: &str = "LESS";

/// The options of `less` if the variable does not set any: end if the output fits on a screen, show
/// colours, and do not clear the screen. Git sets the same ones.
const OPTIONS: &str = "FRX";

/// A pager that runs.
pub struct Pager {
    child: Child,
    input: Option<BufWriter<ChildStdin>>,
}

impl Pager {
    /// Starts the pager. `None` if the user has switched it off, or if they name none and the default
    /// one is not installed.
    ///
    /// # Errors
    /// Fails with a message if the pager that a variable names cannot be started.
    pub fn start() -> Result<Option<Self>, String> {
        let variable = |name: &str| env::var(name).ok();
        let words = command(&variable).unwrap_or_default();
        let Some((program, arguments)) = words.split_first() else {
            return Ok(None);
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        command.env(LESS, options(env::var(LESS).ok().as_deref()));
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(_) if VARIABLES.iter().all(|name| variable(name).is_none()) => return Ok(None),
            Err(error) => return Err(format!("cannot start the pager `{program}`: {error}")),
        };
        let input = child.stdin.take().map(BufWriter::new);
        ignore_interrupts();
        Ok(Some(Self { child, input }))
    }

    /// Ends the input of the pager, and waits until the user has closed it.
    pub fn finish(&mut self) -> io::Result<()> {
        let written = match self.input.take() {
            Some(mut input) => input.flush(),
            None => Ok(()),
        };
        self.child.wait()?;
        written
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.input {
            Some(input) => input.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Pager {
    fn drop(&mut self) {
        // The terminal belongs to the pager until it ends.
        let _ = self.finish();
    }
}

/// The words of the command of the pager. `None` if the user has switched it off: the variable is
/// empty or names `cat`, as with other programs.
fn command(variable: &dyn Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let text = VARIABLES.iter().find_map(|name| variable(name));
    let text = text.as_deref().unwrap_or(DEFAULT);
    let words = if cfg!(windows) {
        // A backslash is a part of a path there.
        text.split_whitespace().map(str::to_owned).collect()
    } else {
        shlex::split(text)?
    };
    let first = words.first().filter(|first| *first != "cat")?;
    (!first.is_empty()).then_some(words)
}

/// The options of `less`: those of the user, with colours in any case, or the default ones.
fn options(of_user: Option<&str>) -> String {
    match of_user.map(str::trim) {
        None | Some("") => OPTIONS.to_owned(),
        // The last option of the user may take the rest of the text.
        Some(options) => format!("-R {options}"),
    }
}

/// Lets Ctrl-C reach only the pager, which uses it to stop a search. Without this, it would end this
/// process, and the shell and the pager would both read from the terminal.
#[cfg(unix)]
fn ignore_interrupts() {
    use signal_hook::consts::SIGINT;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    omniread_service::spare_interrupts();
    // A handler takes the place of the default action. Nothing reads the flag.
    let _ = signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
}

#[cfg(not(unix))]
fn ignore_interrupts() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pager_is_named_by_variables() {
        let of = |pairs: &[(&str, &str)]| {
            let words = command(&|name| {
                let pair = pairs.iter().find(|pair| pair.0 == name);
                pair.map(|pair| pair.1.to_owned())
            });
            words.map(|words| words.join("|"))
        };
        assert_eq!(of(&[]).as_deref(), Some("less"));
        assert_eq!(of(&[("PAGER", "most -s")]).as_deref(), Some("most|-s"));
        let both = [("PAGER", "most"), ("OMNIREAD_PAGER", "less '-P a b'")];
        assert_eq!(of(&both).as_deref(), Some("less|-P a b"));
        for off in ["", " ", "cat", "''", "'open"] {
            assert_eq!(of(&[("PAGER", off)]), None, "{off}");
        }
        assert_eq!(of(&[("PAGER", "most"), ("OMNIREAD_PAGER", "")]), None);
    }

    #[test]
    fn options_of_less_always_show_colours() {
        assert_eq!(options(None), "FRX");
        assert_eq!(options(Some("")), "FRX");
        assert_eq!(options(Some("-i -Pprompt")), "-R -i -Pprompt");
    }
}
