//! Terminals that show images, and how they are told to.

use crate::Encodings;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::env;
use std::io::{self, IsTerminal as _, Write};

/// How a terminal is told to show an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    /// The graphics protocol of kitty: PNG in chunks of base64.
    Kitty,
    /// The inline images of iTerm2: a file in base64.
    Iterm,
    /// The graphics that DEC made.
    Sixel,
}

/// A terminal that shows images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    protocol: Protocol,
    /// Pixels of the longer side of an image that fits.
    pub side: u32,
}

/// Pixels of the longer side where a terminal does not tell how wide it is.
const SIDE: u32 = 800;

/// Bytes of base64 in one command of kitty's protocol, which allows no more.
const CHUNK: usize = 4096;

impl Terminal {
    /// The terminal that standard output is, if it shows images.
    pub fn of_output() -> Option<Self> {
        if !io::stdout().is_terminal() {
            return None;
        }
        let named = |name: &str| env::var(name).unwrap_or_default();
        let protocol = match by_name(&named) {
            Named::Shows(protocol) => protocol,
            Named::Nothing => return None,
            Named::Unknown => asked().then_some(Protocol::Sixel)?,
        };
        Some(Self {
            protocol,
            side: width().unwrap_or(SIDE),
        })
    }

    /// What it takes.
    pub fn encodings(self) -> Encodings {
        match self.protocol {
            Protocol::Kitty => Encodings::PNG,
            Protocol::Iterm => Encodings::PNG | Encodings::JPEG,
            Protocol::Sixel => Encodings::SIXEL,
        }
    }

    /// Writes an image in one of these encodings, and ends the line. False if it
    /// holds what a terminal would obey.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(self, image: &[u8], out: &mut impl Write) -> io::Result<bool> {
        match self.protocol {
            Protocol::Kitty => {
                let base64 = STANDARD.encode(image);
                let chunks = base64.as_bytes().chunks(CHUNK);
                let last = chunks.len().saturating_sub(1);
                for (number, chunk) in chunks.enumerate() {
                    // Transmit and show PNG, quietly; m tells that more comes.
                    let first = if number == 0 { "a=T,f=100,q=2," } else { "" };
                    let more = u8::from(number < last);
                    write!(out, "\x1b_G{first}m={more};")?;
                    out.write_all(chunk)?;
                    out.write_all(b"\x1b\\")?;
                }
            }
            Protocol::Iterm => {
                let (base64, size) = (STANDARD.encode(image), image.len());
                write!(out, "\x1b]1337;File=inline=1;size={size}:{base64}\x07")?;
            }
            Protocol::Sixel => {
                if !is_sixel(image) {
                    return Ok(false);
                }
                out.write_all(image)?;
            }
        }
        out.write_all(b"\n")?;
        Ok(true)
    }
}

/// Whether these are graphics and nothing else: what made them has read a file
/// that nobody trusts.
fn is_sixel(image: &[u8]) -> bool {
    let body = image
        .strip_prefix(b"\x1bP")
        .and_then(|rest| rest.strip_suffix(b"\x1b\\"));
    body.is_some_and(|body| {
        body.iter()
            .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r'))
    })
}

/// What the environment tells of a terminal.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    Shows(Protocol),
    Nothing,
    Unknown,
}

fn by_name(named: &dyn Fn(&str) -> String) -> Named {
    let (term, program) = (named("TERM"), named("TERM_PROGRAM"));
    // Multiplexers keep to themselves what they are not told to pass on.
    if term == "dumb" || term.starts_with("screen") || term.starts_with("tmux") {
        return Named::Nothing;
    }
    if term == "xterm-kitty" || term == "xterm-ghostty" || program == "ghostty" {
        return Named::Shows(Protocol::Kitty);
    }
    if !named("KITTY_WINDOW_ID").is_empty() || !named("KONSOLE_VERSION").is_empty() {
        return Named::Shows(Protocol::Kitty);
    }
    let iterm = ["iTerm.app", "WezTerm", "mintty", "rio", "WarpTerminal"];
    if iterm.contains(&program.as_str()) || named("LC_TERMINAL") == "iTerm2" {
        return Named::Shows(Protocol::Iterm);
    }
    let none = ["Apple_Terminal", "vscode"];
    if term.is_empty() || term == "linux" || none.contains(&program.as_str()) {
        return Named::Nothing;
    }
    Named::Unknown
}

#[cfg(unix)]
mod tty {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::getpgrp;
    use rustix::termios::{OptionalActions, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr};
    use std::fs::{File, OpenOptions};
    use std::io::{Read as _, Write as _};

    /// Milliseconds for which an answer is waited for.
    const WAIT: i64 = 300;

    /// Bytes of an answer that are looked at.
    const ANSWER: usize = 256;

    /// Whether the terminal says that it draws sixels: attribute 4 of those that
    /// it lists when asked what it is.
    pub fn asked() -> bool {
        let opened = OpenOptions::new().read(true).write(true).open("/dev/tty");
        opened.is_ok_and(|mut tty| {
            // A job in the background that asks would be stopped.
            if tcgetpgrp(&tty).ok() != Some(getpgrp()) {
                return false;
            }
            let Ok(before) = tcgetattr(&tty) else {
                return false;
            };
            let mut raw = before.clone();
            raw.make_raw();
            if tcsetattr(&tty, OptionalActions::Drain, &raw).is_err() {
                return false;
            }
            let answer = ask(&mut tty);
            let _ = tcsetattr(&tty, OptionalActions::Drain, &before);
            super::draws_sixels(&answer)
        })
    }

    fn ask(tty: &mut File) -> Vec<u8> {
        let mut answer = Vec::new();
        if tty.write_all(b"\x1b[c").and_then(|()| tty.flush()).is_err() {
            return answer;
        }
        let wait = Timespec {
            tv_sec: 0,
            tv_nsec: WAIT * 1_000_000,
        };
        while answer.len() < ANSWER && answer.last() != Some(&b'c') {
            let mut ready = [PollFd::new(tty, PollFlags::IN)];
            if !matches!(poll(&mut ready, Some(&wait)), Ok(1..)) {
                break;
            }
            let mut bytes = [0; 64];
            match tty.read(&mut bytes) {
                Ok(count @ 1..) => answer.extend_from_slice(&bytes[..count]),
                _ => break,
            }
        }
        answer
    }

    /// Pixels that the terminal is wide, if it says so.
    pub fn width() -> Option<u32> {
        let size = tcgetwinsize(std::io::stdout()).ok()?;
        Some(u32::from(size.ws_xpixel)).filter(|width| *width >= 64)
    }
}

#[cfg(unix)]
use tty::{asked, width};

/// Whether a list of attributes, such as `ESC [ ? 62 ; 4 c`, holds that of
/// sixels.
#[cfg_attr(not(unix), expect(dead_code, reason = "nothing is asked there"))]
fn draws_sixels(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    let list = answer
        .strip_prefix("\x1b[?")
        .and_then(|list| list.strip_suffix('c'));
    list.is_some_and(|list| list.split(';').skip(1).any(|attribute| attribute == "4"))
}

#[cfg(not(unix))]
fn asked() -> bool {
    false
}

#[cfg(not(unix))]
fn width() -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(pairs: &[(&str, &str)]) -> Named {
        by_name(&|name| {
            let pair = pairs.iter().find(|pair| pair.0 == name);
            pair.map_or(String::new(), |pair| pair.1.to_owned())
        })
    }

    #[test]
    fn terminals_are_known_by_name() {
        for (pairs, expected) in [
            (
                &[("TERM", "xterm-kitty")][..],
                Named::Shows(Protocol::Kitty),
            ),
            (
                &[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")],
                Named::Shows(Protocol::Iterm),
            ),
            (
                &[("TERM", "tmux-256color"), ("TERM_PROGRAM", "iTerm.app")],
                Named::Nothing,
            ),
            (&[("TERM", "dumb")], Named::Nothing),
            (&[], Named::Nothing),
            (&[("TERM", "foot")], Named::Unknown),
        ] {
            assert_eq!(named(pairs), expected, "{pairs:?}");
        }
    }

    #[test]
    fn attributes_tell_of_sixels() {
        assert!(draws_sixels(b"\x1b[?62;4;22c"));
        assert!(!draws_sixels(b"\x1b[?4c"));
        assert!(!draws_sixels(b"\x1b[?62;22c"));
        assert!(!draws_sixels(b""));
    }

    #[test]
    fn images_are_wrapped_as_protocols_want_them() {
        let write = |protocol, image: &[u8]| {
            let mut out = Vec::new();
            let written = Terminal {
                protocol,
                side: 100,
            }
            .write(image, &mut out);
            written.unwrap().then(|| String::from_utf8(out).unwrap())
        };
        let long = vec![0; 4000];
        let kitty = write(Protocol::Kitty, &long).unwrap();
        assert!(kitty.starts_with("\x1b_Ga=T,f=100,q=2,m=1;AAAA"));
        assert!(kitty.contains("\x1b\\\x1b_Gm=0;"));
        assert!(kitty.ends_with("\x1b\\\n"));
        assert_eq!(
            write(Protocol::Iterm, b"abc").unwrap(),
            "\x1b]1337;File=inline=1;size=3:YWJj\x07\n"
        );
        let sixel = b"\x1bPq#0;2;0;0;0#0~~\x1b\\";
        assert!(write(Protocol::Sixel, sixel).is_some());
        let hostile = b"\x1bPq\x1b\\\x1b[2J\x1b\\";
        assert_eq!(write(Protocol::Sixel, hostile), None);
    }
}
