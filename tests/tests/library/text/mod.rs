//! Text files of every size, encoding and line ending.
//!
//! Ids such as TX-3 number the classes of hostile input.

mod kinds;
mod logs;
mod sizes;
