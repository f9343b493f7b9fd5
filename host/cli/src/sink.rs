//! The place to which output and messages go: standard output and standard error, or a pager if the
//! output is longer than the terminal.

use super::columns::width;
use super::escapes::inert;
use super::pager::Pager;
use anstream::adapter::strip_str;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The number of bytes of output that are kept until it is known whether they fit on the terminal.
/// More bytes than this fit on no terminal.
const HELD_BYTES: usize = 256 * 1024;

/// A part of the output that is kept.
enum Part {
    /// For standard output.
    Output(String),
    /// A message for standard error.
    Message(String),
}

/// The number of columns and lines of output that needs no pager.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// The number of columns of the terminal.
    pub columns: usize,
    /// The number of lines that the output may have.
    pub lines: usize,
}

enum State {
    /// Output is written to standard output.
    Direct(BufWriter<Stdout>),
    /// Output is kept, because it is not known yet whether it has more lines than the terminal.
    Held(Vec<Part>, Space),
    /// Output is written to a pager.
    Paged(Pager),
}

/// The place to which output goes.
pub struct Sink(State);

/// The output of this process. There is one, because its parts keep their order and only one of them
/// may have the terminal.
static SINK: LazyLock<Mutex<Sink>> = LazyLock::new(|| Mutex::new(Sink::direct()));

/// The output of this process.
pub fn sink() -> MutexGuard<'static, Sink> {
    SINK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sink {
    fn direct() -> Self {
        Self(State::Direct(BufWriter::new(io::stdout())))
    }

    /// From now on, output goes to a pager as soon as it has more lines than there is space for.
    pub fn page_beyond(&mut self, space: Space) {
        self.0 = State::Held(Vec::new(), space);
    }

    /// Whether the pager has the terminal. Nothing else may be written to it then.
    pub fn is_paged(&self) -> bool {
        matches!(self.0, State::Paged(_))
    }

    /// Writes text.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.0 {
            State::Direct(out) => out.write_all(text.as_bytes()),
            State::Paged(pager) => pager.write_all(text.as_bytes()),
            State::Held(parts, _) => {
                match parts.last_mut() {
                    Some(Part::Output(last)) => last.push_str(text),
                    _ => parts.push(Part::Output(text.to_owned())),
                }
                let bytes = parts.iter().map(|part| part.text().len());
                if bytes.sum::<usize>() > HELD_BYTES {
                    self.page()?;
                }
                Ok(())
            }
        }
    }

    /// Writes a line to standard error, after the output before it. The line must not contain escape
    /// sequences except those of this program. If a pager has the terminal to which standard error is
    /// written, the pager shows the line. Errors are ignored, because there is no other place to report them.
    pub fn message(&mut self, line: &str) {
        match &mut self.0 {
            State::Direct(out) => {
                let _ = out.flush();
                let _ = writeln!(io::stderr().lock(), "{line}");
            }
            State::Paged(pager) if io::stderr().is_terminal() => {
                let _ = writeln!(pager, "{line}");
            }
            State::Paged(_) => {
                let _ = writeln!(io::stderr().lock(), "{line}");
            }
            State::Held(parts, _) => parts.push(Part::Message(format!("{line}\n"))),
        }
    }

    /// Writes what can be written at the end of a reply.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            State::Direct(out) => out.flush(),
            State::Paged(pager) => pager.flush(),
            State::Held(parts, space) => {
                if lines(parts, space.columns) > space.lines {
                    self.page()?;
                }
                Ok(())
            }
        }
    }

    /// Standard output without a pager: for images, which a pager cannot show. `None` if a pager has
    /// the terminal.
    pub fn terminal(&mut self) -> io::Result<Option<&mut impl Write>> {
        if let State::Held(parts, _) = &mut self.0 {
            let parts = std::mem::take(parts);
            *self = Self::direct();
            self.write_parts(&parts)?;
        }
        match &mut self.0 {
            State::Direct(out) => Ok(Some(out)),
            _ => Ok(None),
        }
    }

    /// Writes output that is kept to standard output, because the next part of it takes long. A person
    /// can read it while they wait.
    pub fn release(&mut self) -> io::Result<()> {
        match &self.0 {
            State::Held(parts, _) if !parts.is_empty() => self.terminal().map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Ends the output. If a pager shows it, waits until the user has closed it.
    pub fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        match &mut self.0 {
            State::Direct(_) => Ok(()),
            State::Paged(pager) => pager.finish(),
            State::Held(..) => {
                if let Some(out) = self.terminal()? {
                    out.flush()?;
                }
                Ok(())
            }
        }
    }

    /// Starts the pager, and writes the text to it that was kept. Without a pager, the output goes to
    /// standard output.
    fn page(&mut self) -> io::Result<()> {
        let State::Held(parts, _) = &mut self.0 else {
            return Ok(());
        };
        let mut parts = std::mem::take(parts);
        *self = match Pager::start() {
            Ok(Some(pager)) => Self(State::Paged(pager)),
            Ok(None) => Self::direct(),
            Err(why) => {
                parts.push(Part::Message(format!("omniread: {}\n", inert(&why))));
                Self::direct()
            }
        };
        self.write_parts(&parts)
    }

    fn write_parts(&mut self, parts: &[Part]) -> io::Result<()> {
        for part in parts {
            match part {
                Part::Output(text) => self.write(text)?,
                Part::Message(text) => self.message(text.trim_end_matches('\n')),
            }
        }
        self.flush()
    }
}

impl Part {
    fn text(&self) -> &str {
        match self {
            Self::Output(text) | Self::Message(text) => text,
        }
    }
}

/// The number of lines of a terminal that parts of the output take.
fn lines(parts: &[Part], columns: usize) -> usize {
    let text: String = parts.iter().map(Part::text).collect();
    let rows = text.lines().map(|line| {
        // Long lines are wrapped. A tab has up to eight columns.
        let plain = strip_str(line).to_string();
        let tabs = plain.matches('\t').count();
        (width(&plain) + tabs * 7).div_ceil(columns).max(1)
    });
    rows.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_the_terminal_wraps_them() {
        let of = |text: &str| lines(&[Part::Output(text.to_owned())], 10);
        for (text, expected) in [
            ("", 0),
            ("\n", 1),
            ("a\nb\n", 2),
            ("0123456789\n", 1),
            ("0123456789a\n", 2),
            ("\u{1b}[32m0123456789\u{1b}[0m\n", 1),
            ("漢字漢字漢字\n", 2),
            ("a\tb\n", 1),
            ("a\tb\tc\n", 2),
        ] {
            assert_eq!(of(text), expected, "{text:?}");
        }
    }
}
