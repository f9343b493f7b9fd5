//! x
use super::source::Source;
use crate::{Document, Error};
pub fn open(
    _s: Source,
    _f: &str,
    _m: Vec<(String, String)>,
    _n: Vec<String>,
) -> Result<Box<dyn Document>, Error> {
    Err(Error::Unsupported("x".to_owned()))
}
