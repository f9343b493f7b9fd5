//! The output of the command line: standard output and standard error.

use super::arguments;
use super::colour::{self, When};
use super::images::{self, Images};
use super::terminal::Terminal;
use crate::{Block, Media, Reply, Session};
use clap_complete::Shell;
use serde_json::Value;
use std::cell::OnceCell;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Standard output. If it is a terminal, the control characters in a file are escaped.
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    terminal: bool,
    /// Whether output is coloured.
    colour: bool,
    begun: bool,
    images: Images,
    /// The terminal to which standard output is written, if it can show images. Set when the first
    /// image is written.
    screen: OnceCell<Option<Terminal>>,
}

impl Output {
    pub fn new(when: When) -> Self {
        let stdout = io::stdout();
        Self {
            terminal: stdout.is_terminal(),
            colour: when.applies(&stdout),
            out: BufWriter::new(stdout.lock()),
            begun: false,
            images: Images::default(),
            screen: OnceCell::new(),
        }
    }

    /// Sets how images are output.
    pub fn images(&mut self, images: &Images) {
        self.images.clone_from(images);
    }

    /// Writes the heading before the reply to a path, if several paths are read.
    pub fn heading(&mut self, path: &str) -> io::Result<()> {
        if self.begun {
            self.out.write_all(b"\n")?;
        }
        self.begun = true;
        let heading = format!("==> {} <==", inert(path));
        let heading = if self.colour {
            colour::heading(&heading)
        } else {
            heading
        };
        self.inert_line(&heading)
    }

    /// Writes a text and a line ending.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.write(text)?;
        self.out.write_all(b"\n")
    }

    /// Writes a text unchanged, and a line ending. The text must contain no escape sequences except
    /// those of this program.
    fn inert_line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            self.out.write_all(inert(text).as_bytes())
        } else {
            self.out.write_all(text.as_bytes())
        }
    }

    /// Writes the blocks of a reply. No line ending is added to exact text (`:raw`). Notices that
    /// are blocks of their own go to standard error.
    pub fn reply(&mut self, reply: &Reply, session: &Session) -> io::Result<()> {
        let text = reply.details.text();
        let exact = text.is_some_and(|text| text.raw);
        let numbered = text.is_some_and(|text| text.display.is_some());
        for block in &reply.blocks {
            match block {
                Block::Text(text) if exact => self.write(text)?,
                Block::Text(text) if numbered && self.colour => {
                    self.inert_line(&colour::numbered(&inert(text)))?;
                }
                Block::Text(text) => self.line(text)?,
                Block::Notice(text) => {
                    self.out.flush()?;
                    print_message_plainly(text);
                }
                Block::Image(image) => {
                    self.image("image", image, &reply.details.path, session)?;
                }
                Block::Attachment(attachment) => {
                    self.image("attachment", attachment, &reply.details.path, session)?;
                }
            }
        }
        Ok(())
    }

    fn image(
        &mut self,
        what: &str,
        media: &Media,
        path: &str,
        session: &Session,
    ) -> io::Result<()> {
        let bytes = media.data.trim_end_matches('=').len() * 3 / 4;
        let format = media.mime.rsplit('/').next().unwrap_or_default();
        let format = format.trim_end_matches("+xml").to_ascii_uppercase();
        let named = format!("{format} {what}, {bytes} bytes");
        let save = match what {
            "image" => "use --json or --images save=DIR",
            _ => "use --json, or --images save=DIR to save the file",
        };
        let not_printed = format!("[{named}, not printed: {save}]");
        match &self.images {
            Images::Save(directory) => {
                let outcome = match images::save(directory, path, media) {
                    Ok(place) => format!("saved as {}", place.display()),
                    Err(error) => {
                        let directory = directory.display();
                        print_message(&format!("cannot save in `{directory}`: {error}"));
                        "not saved; use --json".to_owned()
                    }
                };
                self.line(&format!("[{named}; {outcome}]"))
            }
            Images::Auto => {
                let screen = *self.screen.get_or_init(Terminal::of_output);
                self.out.flush()?;
                let shown = match screen {
                    Some(terminal) => images::show(terminal, media, session, &mut self.out)?,
                    None => false,
                };
                if shown {
                    return Ok(());
                }
                self.line(&not_printed)
            }
            Images::Never => self.line(&not_printed),
        }
    }

    pub fn json(&mut self, value: &Value) -> io::Result<()> {
        self.line(&value.to_string())
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    pub fn completions(&mut self, shell: Shell) -> io::Result<()> {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut arguments::command(), "omniread", &mut text);
        self.out.write_all(&text)?;
        self.flush()
    }

    pub fn man(&mut self) -> io::Result<()> {
        clap_mangen::Man::new(arguments::command()).render(&mut self.out)?;
        self.flush()
    }
}

/// Prints help to standard output.
pub fn help(help: &clap::Error) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "{}", help.render())?;
    out.flush()
}

/// Prints a usage error. Control characters are escaped, because the error quotes arguments and
/// environment variables.
pub fn usage(error: &clap::Error) -> io::Result<()> {
    write!(
        io::stderr().lock(),
        "{}",
        inert(&error.render().to_string())
    )
}

/// Whether messages are left out.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Leaves out all messages from now on, except usage errors.
pub fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Whether messages are left out.
pub fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}

/// Prints a message to standard error. Errors are ignored, because there is no other place to
/// report them.
pub fn print_message(text: &str) {
    print_message_plainly(&format!("omniread: {text}"));
}

/// Prints a message about a wrong command line to standard error, even if messages are left out.
pub fn print_usage_error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "omniread: {}", inert(text));
}

/// Prints a message to standard error. Control characters are escaped even if standard error is not
/// a terminal, because many messages are logged, and logs are read on terminals.
pub fn print_message_plainly(text: &str) {
    if is_silent() {
        return;
    }
    let _ = writeln!(io::stderr().lock(), "{}", inert(text));
}

/// Escapes the control characters of a text, except line feeds and tabs, as `⟨U+001B⟩`.
fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !matches!(c, '\n' | '\t') {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(
            inert("a\x1b[2Jb\r\n\tc\u{9b}"),
            "a⟨U+001B⟩[2Jb⟨U+000D⟩\n\tc⟨U+009B⟩"
        );
    }
}
