//! Colours on a terminal: when they are used, and what has which one. Copied text does not contain
//! them.

use super::screen;
use anstyle::{AnsiColor, Effects, Style};
use clap::ValueEnum;
use std::env;

/// When output is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl When {
    /// The colours of a stream, such as standard output. `Auto` depends on the terminal and on the
    /// variables `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and `TERM`, in the order of these
    /// conventions (<https://no-color.org>, <https://bixense.com/clicolors>).
    pub fn palette(self, stream: &impl anstream::stream::RawStream) -> Palette {
        Palette(match self {
            Self::Auto if is_not_forced() => {
                stream.is_terminal() && !is_off("CLICOLOR") && !no_color() && !screen::is_dumb()
            }
            Self::Auto => anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never,
            Self::Always => true,
            Self::Never => false,
        })
    }
}

/// Whether `CLICOLOR_FORCE` is 0, which forces nothing. `anstream` takes it as any other value.
fn is_not_forced() -> bool {
    is_off("CLICOLOR_FORCE")
}

fn is_off(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| value == "0")
}

fn no_color() -> bool {
    env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// The colours of an output. Without colours, all texts are unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette(bool);

impl Palette {
    /// No colours.
    #[cfg(test)]
    pub const NONE: Self = Self(false);

    /// Colours.
    #[cfg(test)]
    pub const ALL: Self = Self(true);

    /// Whether there are colours.
    pub fn is_coloured(self) -> bool {
        self.0
    }

    /// A line number.
    pub fn number(self, text: &str) -> String {
        self.painted(AnsiColor::Green.on_default(), text)
    }

    /// The header of a reply, or a notice.
    pub fn notice(self, text: &str) -> String {
        self.painted(AnsiColor::Cyan.on_default(), text)
    }

    /// A heading, or the name of a column.
    pub fn head(self, text: &str) -> String {
        self.painted(Style::new().bold(), text)
    }

    /// The lines of a table.
    pub fn rule(self, text: &str) -> String {
        self.painted(Style::new().effects(Effects::DIMMED), text)
    }

    /// The name of a directory.
    pub fn directory(self, text: &str) -> String {
        self.painted(AnsiColor::Blue.on_default().bold(), text)
    }

    /// The start of an error message.
    fn error(self, text: &str) -> String {
        self.painted(AnsiColor::Red.on_default().bold(), text)
    }

    /// The start of a warning.
    fn warning(self, text: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// The start of a hint.
    fn hint(self, text: &str) -> String {
        self.painted(AnsiColor::Cyan.on_default().bold(), text)
    }

    fn painted(self, style: Style, text: &str) -> String {
        if self.0 && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// A message on standard error: `omniread: …`, `error: …` or `warning: …`, which a hint may
    /// follow. The message must not contain escape sequences.
    pub fn message(self, text: &str) -> String {
        let lines = text.split('\n').map(|line| {
            let indent = line.len() - line.trim_start().len();
            let (space, rest) = line.split_at(indent);
            let label = |label: &str| rest.strip_prefix(label).map(|rest| (label.len(), rest));
            if let Some((end, after)) = label("omniread: ") {
                // The label ends before the space.
                let name = self.error(&rest[..end - 1]);
                return match after.strip_prefix("warning:") {
                    Some(text) => {
                        let name = self.warning(&rest[..end - 1]);
                        format!("{name} {}{text}", self.warning("warning:"))
                    }
                    None => format!("{name} {after}"),
                };
            }
            let painted = |name: &str| match name {
                "error:" => self.error(name),
                "warning:" => self.warning(name),
                "Usage:" => self.head(name),
                _ => self.hint(name),
            };
            let labels = ["error:", "warning:", "hint:", "tip:", "Usage:"];
            let found = labels.iter().find_map(|name| {
                let (_, after) = label(name)?;
                Some(format!("{space}{}{after}", painted(name)))
            });
            found.unwrap_or_else(|| line.to_owned())
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The message of a failed read: its first line is the error. The message must not contain
    /// escape sequences.
    pub fn failure(self, text: &str) -> String {
        match text.split_once('\n') {
            Some((first, rest)) => format!("{}\n{}", self.error_line(first), self.message(rest)),
            None => self.error_line(text),
        }
    }

    fn error_line(self, line: &str) -> String {
        if line.starts_with(['{', '[']) {
            // The dialect writes failures as JSON, or as it writes notices.
            return line.to_owned();
        }
        self.painted(AnsiColor::Red.on_default(), line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn labels_of_messages_are_painted_and_nothing_else() {
        let palette = Palette::ALL;
        for (text, painted) in [
            (
                "omniread: cannot write: full",
                "\u{1b}[1m\u{1b}[31momniread:",
            ),
            ("omniread: warning: unknown", "\u{1b}[33mwarning:"),
            ("error: invalid value 'x'", "\u{1b}[31merror:"),
            ("x\nhint: append `:raw`", "\u{1b}[36mhint:"),
            ("  tip: similar", "\u{1b}[36mtip:"),
        ] {
            let message = palette.message(text);
            assert!(message.contains(painted), "{message:?}");
            assert_eq!(stripped(&message), text);
            assert_eq!(Palette::NONE.message(text), text);
        }
        assert_eq!(palette.message("an error: inside"), "an error: inside");
    }

    #[test]
    fn first_line_of_a_failure_is_red() {
        let text = "`a` is outside the roots\nhint: add `--root`";
        let failure = Palette::ALL.failure(text);
        assert!(failure.starts_with("\u{1b}[31m`a` is outside the roots\u{1b}[0m\n"));
        assert!(failure.contains("\u{1b}[36mhint:"), "{failure:?}");
        assert_eq!(stripped(&failure), text);
        assert_eq!(Palette::NONE.failure(text), text);
    }
}
