//! Terminals that show images, and their protocols.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use omniread::images::Encoding;
use std::env;
use std::io::{self, IsTerminal as _, Write};

/// The protocol by which a terminal shows images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    /// The graphics protocol of kitty: PNG in chunks of base64.
    Kitty,
    /// The inline images of iTerm2: a file in base64.
    Iterm,
    /// The sixel graphics of DEC.
    Sixel,
}

/// A terminal that shows images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    protocol: Protocol,
    /// The maximum length in pixels of the longer side of an image.
    pub side: u32,
}

/// The maximum length in pixels of the longer side of an image, on a terminal that does not report
/// its width.
const SIDE: u32 = 800;

/// The maximum number of base64 bytes in one command of the protocol of kitty.
const CHUNK: usize = 4096;

impl Terminal {
    /// The terminal to which standard output is written. `None` if it is not a terminal or cannot
    /// show images.
    pub fn of_output() -> Option<Self> {
        if !io::stdout().is_terminal() {
            return None;
        }
        let named = |name: &str| env::var(name).unwrap_or_default();
        let protocol = match by_name(&named) {
            Named::Shows(protocol) => protocol,
            Named::Nothing => return None,
            Named::Unknown => supports_sixels().then_some(Protocol::Sixel)?,
        };
        Some(Self {
            protocol,
            side: width().unwrap_or(SIDE),
        })
    }

    /// The image encodings that the protocol accepts.
    pub fn encodings(self) -> &'static [Encoding] {
        match self.protocol {
            Protocol::Kitty => &[Encoding::Png],
            Protocol::Iterm => &[Encoding::Png, Encoding::Jpeg],
            Protocol::Sixel => &[Encoding::Sixel],
        }
    }

    /// Writes an image in one of the [`encodings`](Self::encodings) of the terminal, and a line
    /// ending. Returns false, and writes nothing, if the image should be sixel graphics but
    /// contains anything else.
    ///
    /// # Errors
    /// Fails if the terminal cannot be written to.
    pub fn write(self, image: &[u8], out: &mut impl Write) -> io::Result<bool> {
        match self.protocol {
            Protocol::Kitty => {
                let base64 = STANDARD.encode(image);
                let chunks = base64.as_bytes().chunks(CHUNK);
                let last = chunks.len().saturating_sub(1);
                for (number, chunk) in chunks.enumerate() {
                    // a=T: transmit and show, f=100: PNG, q=2: no answer, m=1: more chunks
                    // follow.
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

/// Whether the bytes are sixel graphics and nothing else. This is checked because the encoder has
/// read an untrusted file.
fn is_sixel(image: &[u8]) -> bool {
    let body = image
        .strip_prefix(b"\x1bP")
        .and_then(|rest| rest.strip_suffix(b"\x1b\\"));
    body.is_some_and(|body| {
        body.iter()
            .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r'))
    })
}

/// The image protocol of the terminal, as far as environment variables determine it.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    Shows(Protocol),
    Nothing,
    Unknown,
}

fn by_name(named: &dyn Fn(&str) -> String) -> Named {
    let (term, program) = (named("TERM"), named("TERM_PROGRAM"));
    // Multiplexers do not pass images on to the terminal.
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

    /// The time in milliseconds to wait for each part of the terminal's answer.
    const WAIT: i64 = 300;

    /// The number of bytes of the terminal's answer after which no more are read.
    const ANSWER: usize = 256;

    /// Asks the terminal whether it draws sixels: whether its device attributes contain attribute
    /// 4.
    pub fn supports_sixels() -> bool {
        let opened = OpenOptions::new().read(true).write(true).open("/dev/tty");
        opened.is_ok_and(|mut tty| {
            // A background job that writes to the terminal would be stopped.
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

    /// The width of the terminal in pixels. `None` if the terminal reports no width or less than
    /// 64.
    pub fn width() -> Option<u32> {
        let size = tcgetwinsize(std::io::stdout()).ok()?;
        Some(u32::from(size.ws_xpixel)).filter(|width| *width >= 64)
    }
}

#[cfg(unix)]
use tty::{supports_sixels, width};

/// Whether a list of device attributes, such as `ESC [ ? 62 ; 4 c`, contains attribute 4, which
/// means sixels.
#[cfg_attr(not(unix), expect(dead_code, reason = "nothing is asked there"))]
fn draws_sixels(answer: &[u8]) -> bool {
    let answer = String::from_utf8_lossy(answer);
    let list = answer
        .strip_prefix("\x1b[?")
        .and_then(|list| list.strip_suffix('c'));
    list.is_some_and(|list| list.split(';').skip(1).any(|attribute| attribute == "4"))
}

#[cfg(not(unix))]
fn supports_sixels() -> bool {
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
    fn terminals_are_detected_by_environment_variables() {
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
    fn sixels_are_detected_by_attribute_4() {
        assert!(draws_sixels(b"\x1b[?62;4;22c"));
        assert!(!draws_sixels(b"\x1b[?4c"));
        assert!(!draws_sixels(b"\x1b[?62;22c"));
        assert!(!draws_sixels(b""));
    }

    #[test]
    fn images_are_framed_for_each_protocol() {
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
