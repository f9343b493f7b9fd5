//! The output of the command line: standard output, standard error, and the pager.

use super::arguments::{self, Arguments};
use super::colour::{Palette, When};
use super::escapes::inert;
use super::images::{self, Images, Place};
use super::pager::Paging;
use super::reply_text::{Screen, View};
use super::screen;
use super::sink::{Space, sink};
use super::task::Task;
use super::terminal::Terminal;
use crate::unknown::UNKNOWN_BLOCK;
use clap_complete::Shell;
use omniread::{Block, Dialect, Media, Reply, Session};
use serde::Serialize;
use std::cell::OnceCell;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The value of `--color`, for messages.
static COLOUR: OnceLock<When> = OnceLock::new();

/// The lines of a terminal that an image leaves free: for the prompt and a line of text.
const FREE_LINES: usize = 2;

/// Standard output. If it is a terminal, the control characters in a file are escaped.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the output"
)]
pub struct Output {
    terminal: bool,
    /// Whether it is aligned although it is not a terminal.
    pretty: bool,
    palette: Palette,
    begun: bool,
    dialect: Dialect,
    images: Images,
    /// The terminal to which standard output is written, if it can show images. Set when the first
    /// image is written.
    screen: OnceCell<Option<Terminal>>,
    /// Whether `--all` reads more.
    has_more_pages: bool,
    /// Whether something could not be saved.
    unsaved: bool,
}

impl Output {
    /// The output of a command line.
    pub fn new(arguments: &Arguments) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let _ = COLOUR.set(arguments.colour);
        let dialect = match &arguments.task {
            Task::Read(_) => Some(arguments.dialect),
            Task::Call(dialect, _) => Some(*dialect),
            _ => None,
        };
        // Only replies are paged, and not as JSON, which is for programs.
        let pages = terminal && dialect.is_some() && !arguments.json;
        let space = if pages { space(arguments.paging) } else { None };
        if let Some(space) = space {
            sink().page_beyond(space);
        }
        Self {
            terminal,
            pretty: arguments.pretty,
            palette: arguments.colour.palette(&stdout),
            begun: false,
            dialect: dialect.unwrap_or(arguments.dialect),
            images: arguments.images.clone(),
            screen: OnceCell::new(),
            has_more_pages: !arguments.all && matches!(arguments.task, Task::Read(_)),
            unsaved: false,
        }
    }

    /// Writes the heading before the reply to a path, if several paths are read.
    pub fn heading(&mut self, path: &str) -> io::Result<()> {
        if self.begun {
            sink().write("\n")?;
        }
        self.begun = true;
        let heading = format!("==> {} <==", inert(path));
        inert_line(&self.palette.head(&heading))
    }

    /// Writes a text and a line ending.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            inert_line(&inert(text))
        } else {
            inert_line(text)
        }
    }

    /// Writes the blocks of a reply. No line ending is added to exact text (`:raw`). Notices that
    /// are blocks of their own go to standard error.
    pub fn reply(&mut self, reply: &Reply, session: &Session) -> io::Result<()> {
        let columns = match (self.terminal, self.pretty) {
            (true, _) => Some(screen::columns()),
            (false, true) => Some(screen::file_columns()),
            (false, false) => None,
        };
        let screen = Screen {
            columns,
            is_terminal: self.terminal,
            palette: self.palette,
        };
        let mut view = View::new(reply, self.dialect, screen);
        let mut before = String::new();
        for block in &reply.blocks {
            match block {
                Block::Text(text) => {
                    let shown = view.text(text);
                    sink().write(&shown)?;
                    if !view.is_exact_text() {
                        sink().write("\n")?;
                    }
                    // Only the names of saved images need it.
                    if matches!(self.images, Images::Save(_)) {
                        before.push_str(text);
                        before.push('\n');
                    }
                }
                Block::Notice(_) if is_silent() => {}
                Block::Notice(text) => sink().message(&messages().notice(&inert(text))),
                Block::Image(media) => {
                    let place = Place {
                        path: &reply.details.path,
                        before: &before,
                    };
                    self.media("image", media, &place, session)?;
                }
                Block::Attachment(media) => {
                    let place = Place {
                        path: &reply.details.path,
                        before: &before,
                    };
                    self.media("attachment", media, &place, session)?;
                }
                _ => sink().message(&messages().notice(UNKNOWN_BLOCK)),
            }
        }
        let mut notices = Vec::new();
        notices.extend(columns.and_then(|columns| view.cut.notice(columns, self.terminal)));
        if self.terminal && self.has_more_pages && reply.details.next.is_some() {
            notices.push("[--all shows everything]".to_owned());
        }
        if notices.is_empty() {
            return Ok(());
        }
        // As in a reply, an empty line is between the text and the notices.
        let text = reply.text();
        let is_exact = view.is_exact_text();
        if is_exact && !text.ends_with('\n') {
            sink().write("\n")?;
        }
        let last = text.lines().last().unwrap_or_default();
        if is_exact || !last.starts_with('[') {
            sink().write("\n")?;
        }
        for notice in notices {
            inert_line(&self.palette.notice(&notice))?;
        }
        Ok(())
    }

    /// Whether something could not be saved.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// Writes an image or attachment, as the option `--images` says.
    fn media(
        &mut self,
        what: &str,
        media: &Media,
        place: &Place<'_>,
        session: &Session,
    ) -> io::Result<()> {
        let bytes = media.data.trim_end_matches('=').len() * 3 / 4;
        let format = media.mime.rsplit('/').next().unwrap_or_default();
        let format = format.trim_end_matches("+xml").to_ascii_uppercase();
        let named = format!("{format} {what}, {bytes} bytes");
        let is_image = what == "image";
        let line = match &self.images {
            Images::Save(directory) => {
                let outcome = match images::save(directory, place, media) {
                    Ok(file) => format!("saved as {}", file.display()),
                    Err(error) => {
                        let directory = directory.display();
                        print_message(&format!("cannot save in `{directory}`: {error}"));
                        self.unsaved = true;
                        "not saved; use --json".to_owned()
                    }
                };
                format!("[{named}; {outcome}]")
            }
            Images::Auto if self.terminal && is_image => {
                if self.show(media, session)? {
                    return Ok(());
                }
                let why = if self.palette.is_coloured() {
                    "the terminal cannot show it"
                } else {
                    "colours are off"
                };
                format!("[{named}, not shown because {why}: use --images save=DIR or --json]")
            }
            Images::Never if self.terminal && is_image => {
                format!("[{named}, not shown: use --images auto, --images save=DIR or --json]")
            }
            _ if is_image => format!("[{named}, not printed: use --json or --images save=DIR]"),
            _ => {
                format!("[{named}, not printed: use --json, or --images save=DIR to save the file]")
            }
        };
        let line = self
            .palette
            .notice(&if self.terminal || self.palette.is_coloured() {
                inert(&line)
            } else {
                line
            });
        inert_line(&line)
    }

    /// Shows an image on the terminal, by its protocol for images or as characters. Returns false if
    /// neither is possible.
    fn show(&mut self, media: &Media, session: &Session) -> io::Result<bool> {
        if screen::is_dumb() {
            return Ok(false);
        }
        // A pager shows characters and colours only.
        let is_paged = sink().is_paged();
        if !is_paged
            && let Some(terminal) = *self.screen.get_or_init(Terminal::of_output)
            && let Some(out) = sink().terminal()?
        {
            out.flush()?;
            if images::show(terminal, media, session, out)? {
                return Ok(true);
            }
        }
        if !self.palette.is_coloured() {
            return Ok(false);
        }
        let lines = screen::lines().map(|lines| lines.saturating_sub(FREE_LINES));
        match images::as_characters(media, session, screen::columns(), lines) {
            Some(image) => sink().write(&image).map(|()| true),
            None => Ok(false),
        }
    }

    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.line(&serde_json::to_string(value)?)
    }

    #[expect(clippy::unused_self, reason = "the output is one for the process")]
    pub fn flush(&mut self) -> io::Result<()> {
        sink().flush()
    }

    pub fn completions(&mut self, shell: Shell) -> io::Result<()> {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut arguments::command(), "omniread", &mut text);
        sink().write(&String::from_utf8_lossy(&text))?;
        self.flush()
    }

    pub fn man(&mut self) -> io::Result<()> {
        let mut text = Vec::new();
        clap_mangen::Man::new(arguments::command()).render(&mut text)?;
        sink().write(&String::from_utf8_lossy(&text))?;
        self.flush()
    }
}

/// Writes a text unchanged, and a line ending. The text must contain no escape sequences except
/// those of this program.
fn inert_line(text: &str) -> io::Result<()> {
    let mut sink = sink();
    sink.write(text)?;
    sink.write("\n")
}

/// Ends the output. If a pager shows it, waits until the user has closed it.
pub fn finish() -> io::Result<()> {
    sink().finish()
}

/// The space that output has on the terminal before a pager shows it. `None` without a pager.
fn space(paging: Paging) -> Option<Space> {
    let columns = screen::columns();
    // A pager needs a terminal that can move the cursor, and its input.
    let usable = !screen::is_dumb() && !screen::is_background();
    let lines = match paging {
        Paging::Always => Some(0),
        Paging::Auto => screen::lines().map(|lines| lines.saturating_sub(1)),
        Paging::Never => None,
    };
    lines
        .filter(|_| usable)
        .map(|lines| Space { columns, lines })
}

/// The colours of messages.
fn messages() -> Palette {
    let when = COLOUR.get().copied().unwrap_or_default();
    when.palette(&io::stderr())
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
    let text = inert(&error.render().to_string());
    write!(io::stderr().lock(), "{}", messages().message(&text))
}

/// Makes a write beyond the size that a file may have (`ulimit -f`) an error. The kernel would end the
/// process otherwise.
pub fn survive_limits() {
    #[cfg(unix)]
    {
        let handled = std::sync::Arc::new(AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, handled);
    }
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

/// Prints a message to standard error, unless messages are left out. Errors are ignored, because there
/// is no other place to report them.
pub fn print_message(text: &str) {
    if !is_silent() {
        print_usage_error(text);
    }
}

/// Prints the text of a failed call, exactly as a model receives it, to standard error.
pub fn print_failure(text: &str) {
    if !is_silent() {
        sink().message(&messages().failure(&inert(text)));
    }
}

/// Prints a fact without which the program is of no use to standard error, even if messages are left
/// out.
#[cfg(feature = "mcp")]
pub fn print_always(text: &str) {
    sink().message(&messages().notice(&format!("omniread: {}", inert(text))));
}

/// Prints what a server does to standard error, unless messages are left out.
#[cfg(feature = "mcp")]
pub fn print_fact(text: &str) {
    if !is_silent() {
        print_always(text);
    }
}

/// Prints a message about a wrong command line to standard error, even if messages are left out.
/// Control characters are escaped even if standard error is not a terminal, because many messages are
/// logged, and logs are read on terminals.
pub fn print_usage_error(text: &str) {
    let text = format!("omniread: {}", inert(text));
    sink().message(&messages().message(&text));
}
