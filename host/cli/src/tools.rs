//! The command `tools`: the definitions of the read tools.

use crate::exit::{FAILED, READ};
use crate::output::{self, Output};
use omniread::{Api, Definition, Dialect, Failure};
use serde_json::Value;
use std::io;

/// Prints definitions as JSON: those of all tools, or that of the dialect `only`, in the form of `api`. Returns
/// the exit code.
pub fn print(
    definitions: Result<Vec<Definition>, Failure>,
    only: Option<Dialect>,
    api: Option<Api>,
    out: &mut Output,
) -> io::Result<u8> {
    let definitions = match definitions {
        Ok(definitions) => definitions,
        Err(failure) => {
            output::print_message(&failure.message);
            return Ok(FAILED);
        }
    };
    let mut chosen = definitions
        .iter()
        .filter(|definition| only.is_none_or(|only| definition.dialect == only));
    match (only, api) {
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
