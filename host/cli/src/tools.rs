//! The command `tools`: the definitions of the read tools.

use crate::exit::{FAILED, READ};
use crate::output::{self, Output};
use omniread::{Api, Definition, Dialect, Reader};
use serde_json::Value;
use std::io;

/// The definitions that a command line requests.
pub struct Wanted {
    /// The dialect. `None` is all dialects, or with an API the dialect of the command line.
    pub dialect: Option<Dialect>,
    /// The API in whose form the definition is printed.
    pub api: Option<Api>,
    /// Whether the arguments are those that the tool of the agent has today.
    pub current: bool,
}

/// Prints definitions as JSON. `dialect` is that of the command line. Returns the exit code.
pub fn print(
    reader: &Reader,
    wanted: &Wanted,
    dialect: Dialect,
    out: &mut Output,
) -> io::Result<u8> {
    let definitions = if wanted.current {
        reader.current_definitions()
    } else {
        reader.definitions()
    };
    let definitions = match definitions {
        Ok(definitions) => definitions,
        Err(failure) => {
            output::print_message(&failure.message);
            return Ok(FAILED);
        }
    };
    let only = wanted.dialect.or(wanted.api.map(|_| dialect));
    let mut chosen = definitions
        .iter()
        .filter(|definition| only.is_none_or(|only| definition.dialect == only));
    match (only, wanted.api) {
        (_, Some(api)) => {
            let tools: Vec<Value> = chosen.map(|definition| api.tool(definition)).collect();
            out.json(&tools)?;
        }
        (Some(_), None) => out.json(&chosen.next())?,
        (None, None) => out.json(&chosen.collect::<Vec<&Definition>>())?,
    }
    out.flush()?;
    Ok(READ)
}
