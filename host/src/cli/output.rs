//! What the command line prints, and where.

use super::arguments;
use super::colour::{self, When};
use super::images::{self, Images};
use super::terminal::Terminal;
use crate::{Block, Media, Reply, Session};
use clap_complete::Shell;
use serde_json::Value;
use std::cell::OnceCell;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _};

/// Standard output. Nothing of a file is written to a terminal that it would obey.
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    terminal: bool,
    /// Whether there are colours.
    colour: bool,
    begun: bool,
    images: Images,
    /// The terminal that shows images, if standard output is one.
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

    /// Says what is done with images.
    pub fn images(&mut self, images: &Images) {
        self.images.clone_from(images);
    }

    /// Announces one of several paths.
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

    /// Writes a text, and ends its line.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.write(text)?;
        self.out.write_all(b"\n")
    }

    /// Writes a text of which only this program's escape sequences are left, and ends its
    /// line.
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

    /// Writes the blocks of a reply. What is exact stays so; its notice goes
    /// elsewhere.
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
                    complain_plainly(text);
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
        let named = format!("{what} {}, {bytes} bytes", media.mime);
        match &self.images {
            Images::Save(directory) => {
                let said = match images::save(directory, path, media) {
                    Ok(place) => format!("saved as {}", place.display()),
                    Err(error) => {
                        let directory = directory.display();
                        complain(&format!("cannot save in `{directory}`: {error}"));
                        "--json holds it".to_owned()
                    }
                };
                self.line(&format!("[{named}; {said}]"))
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
                self.line(&format!("[{named}; --json holds it]"))
            }
            Images::Never => self.line(&format!("[{named}; --json holds it]")),
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

/// Prints help where replies go.
pub fn help(help: &clap::Error) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "{}", help.render())?;
    out.flush()
}

/// Prints a usage error. It quotes arguments and variables of the environment,
/// which may contain escape sequences.
pub fn usage(error: &clap::Error) -> io::Result<()> {
    write!(
        io::stderr().lock(),
        "{}",
        inert(&error.render().to_string())
    )
}

/// Prints a message where it does not mix with a reply. If that cannot be
/// written either, nobody is left to read it.
pub fn complain(text: &str) {
    complain_plainly(&format!("omniread: {text}"));
}

/// Messages are inert on a pipe as well: many of them end in a log, which is
/// read on a terminal.
fn complain_plainly(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", inert(text));
}

/// A text without anything that a terminal would obey.
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
    fn terminals_are_not_obeyed() {
        assert_eq!(
            inert("a\x1b[2Jb\r\n\tc\u{9b}"),
            "a⟨U+001B⟩[2Jb⟨U+000D⟩\n\tc⟨U+009B⟩"
        );
    }
}
