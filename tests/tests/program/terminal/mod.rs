//! What a person sees on a terminal. The tests use pseudoterminals.

#![cfg(unix)]
mod colours;
mod images;
mod paging;
mod progress;
mod pty;
mod saving;
mod tables;

const PROGRAM: &str = env!("CARGO_BIN_EXE_omniread-under-test");

/// A terminal that shows colours and no images.
const PLAIN: (&str, &str) = ("TERM", "xterm-256color");
