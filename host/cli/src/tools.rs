//! The command `tools`: the definitions of the read tools.

use crate::exit::{FAILED, READ};
use crate::output::{self, Output};
use omniread::{Api, Definition, Dialect, Reader};
use serde_json::Value;
use std::io;

/// Prints the definitions of all tools, or of the one of the dialect `wanted`, in the form of `api`.
/// Returns the exit code.
pub fn print(
    reader: &Reader,
    wanted: Option<Dialect>,
    api: Option<Api>,
    out: &mut Output,
) -> io::Result<u8> {
    let definitions = match reader.definitions() {
        Ok(definitions) => definitions,
        Err(failure) => {
            output::print_message(&failure.message);
            return Ok(FAILED);
        }
    };
    let mut chosen = definitions
        .iter()
        .filter(|definition| wanted.is_none_or(|wanted| definition.dialect == wanted));
    match (wanted, api) {
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
