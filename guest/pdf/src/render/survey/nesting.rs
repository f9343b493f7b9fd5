//! How deep functions and colour spaces are nested (ISO 32000-2, 7.10 and 8.6).
//!
//! The library reads both by recursion without a limit, and reads a part as often as others refer to it.

use super::budget::Stop;
use super::machine::Survey;
use crate::limits;
use hayro_syntax::object::{Array, Dict, Object, Stream};

/// The time to read a function or a colour space in nanoseconds.
const PART: u64 = 500;

/// The limit on the depth of functions, and of the procedures of a function.
const FUNCTIONS: Stop = Stop {
    limit: "depth of functions",
    by_size: false,
};

/// The limit on the depth of colour spaces.
const SPACES: Stop = Stop {
    limit: "depth of colour spaces",
    by_size: false,
};

/// The limit on the number of functions and colour spaces in one.
const PARTS: Stop = Stop {
    limit: "functions",
    by_size: false,
};

impl Survey<'_> {
    /// Checks a function, or a list of functions.
    pub fn functions(&mut self, object: &Object<'_>) -> Result<(), Stop> {
        self.walk(|walk| walk.functions(object))
    }

    /// Checks a colour space, with its functions.
    pub fn nested_spaces(&mut self, object: &Object<'_>) -> Result<(), Stop> {
        self.walk(|walk| walk.space(object, 0))
    }

    fn walk(&mut self, walked: impl FnOnce(&mut Walk<'_>) -> Result<(), Stop>) -> Result<(), Stop> {
        let mut walk = Walk {
            left: limits::RENDER_FUNCTIONS,
            program_bytes: &mut self.program_bytes,
        };
        walked(&mut walk)?;
        let parts = limits::RENDER_FUNCTIONS.saturating_sub(walk.left);
        let parts = u64::try_from(parts).unwrap_or(u64::MAX);
        self.budget.time(parts.saturating_mul(PART))
    }
}

/// A walk through all functions and colour spaces that the library reads for one.
struct Walk<'w> {
    /// The number of functions and colour spaces that may still be read.
    left: usize,
    /// The number of bytes of programs that may still be read for the page.
    program_bytes: &'w mut usize,
}

impl Walk<'_> {
    fn count(&mut self) -> Result<(), Stop> {
        self.left = self.left.checked_sub(1).ok_or(PARTS)?;
        Ok(())
    }

    fn functions(&mut self, object: &Object<'_>) -> Result<(), Stop> {
        match object {
            Object::Array(list) => list
                .iter::<Object<'_>>()
                .take(limits::RENDER_COMPONENTS)
                .try_for_each(|function| self.function(&function, 0)),
            one => self.function(one, 0),
        }
    }

    fn function(&mut self, object: &Object<'_>, depth: usize) -> Result<(), Stop> {
        let (dict, stream) = match object {
            Object::Dict(dict) => (dict, None),
            Object::Stream(stream) => (stream.dict(), Some(stream)),
            _ => return Ok(()),
        };
        self.count()?;
        if depth >= limits::RENDER_FUNCTION_DEPTH {
            return Err(FUNCTIONS);
        }
        match (dict.get::<u8>("FunctionType"), stream) {
            (Some(3), _) => {
                let parts = dict.get::<Array<'_>>("Functions").unwrap_or_default();
                let deeper = depth.saturating_add(1);
                parts
                    .iter::<Object<'_>>()
                    .try_for_each(|part| self.function(&part, deeper))
            }
            (Some(4), Some(stream)) => self.program(stream),
            _ => Ok(()),
        }
    }

    /// Checks the program of a calculator function: procedures in braces, one inside the other.
    fn program(&mut self, stream: &Stream<'_>) -> Result<(), Stop> {
        let Some((bytes, cut)) = crate::decode::data(stream, *self.program_bytes) else {
            return Ok(());
        };
        if cut {
            return Err(Stop {
                limit: "bytes of functions",
                by_size: false,
            });
        }
        *self.program_bytes = self.program_bytes.saturating_sub(bytes.len());
        let mut depth = 0_usize;
        for byte in bytes.iter() {
            match byte {
                b'{' => depth = depth.saturating_add(1),
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > limits::RENDER_PROCEDURE_DEPTH {
                return Err(FUNCTIONS);
            }
        }
        Ok(())
    }

    fn space(&mut self, object: &Object<'_>, depth: usize) -> Result<(), Stop> {
        let Object::Array(list) = object else {
            return Ok(());
        };
        self.count()?;
        if depth >= limits::RENDER_SPACE_DEPTH {
            return Err(SPACES);
        }
        let deeper = depth.saturating_add(1);
        let mut parts = list.iter::<Object<'_>>();
        let Some(Object::Name(kind)) = parts.next() else {
            return Ok(());
        };
        match kind.as_ref() {
            b"ICCBased" => self.alternate(parts.next().as_ref(), deeper),
            b"Indexed" | b"I" | b"Pattern" => match parts.next() {
                Some(base) => self.space(&base, deeper),
                None => Ok(()),
            },
            b"Separation" | b"DeviceN" => {
                let _names = parts.next();
                if let Some(base) = parts.next() {
                    self.space(&base, deeper)?;
                }
                match parts.next() {
                    Some(function) => self.function(&function, 0),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// The colour space that is used if a profile cannot be read.
    fn alternate(&mut self, profile: Option<&Object<'_>>, depth: usize) -> Result<(), Stop> {
        let alternate = match profile {
            Some(Object::Stream(profile)) => profile.dict().get::<Object<'_>>("Alternate"),
            _ => None,
        };
        match alternate {
            Some(alternate) => self.space(&alternate, depth),
            None => Ok(()),
        }
    }
}

/// The functions of a dictionary of the graphics state that change colours (ISO 32000-2, 11.7.5.3).
pub fn transfers<'a>(dict: &Dict<'a>) -> impl Iterator<Item = Object<'a>> {
    ["TR", "TR2"]
        .into_iter()
        .filter_map(|key| dict.get::<Object<'a>>(key))
}
