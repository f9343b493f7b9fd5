//! Products whose description is only in the metadata, because scripts show it on a click.

use super::fragment::fragment;
use crate::letters::{letters, normalized};
use crate::metadata::Metadata;

/// The letters of the shortest description. A shorter one is a name.
const SHORTEST: usize = 120;

/// The letters of each part of a description that is looked for in a text.
const PART: usize = 40;

/// The maximum number of these parts. Each may be searched for in the whole text.
const PARTS: usize = 16;

/// The description of a product in the metadata, as Markdown, if a text does not contain it.
pub fn description(text: &str, metadata: &Metadata) -> Option<String> {
    let description = fragment(metadata.text.as_deref()?, None).text;
    let all: Vec<char> = letters(std::iter::once(description.as_str())).collect();
    if all.len() < SHORTEST {
        return None;
    }
    let shown = normalized(text);
    // A page may shorten the description, or write a part of it otherwise.
    let parts = all.chunks_exact(PART);
    let step = parts.len().div_ceil(PARTS);
    let (found, missing): (Vec<_>, Vec<_>) = parts
        .step_by(step.max(1))
        .map(|part| part.iter().collect::<String>())
        .partition(|part| shown.contains(part));
    (found.len() < missing.len()).then_some(description)
}
