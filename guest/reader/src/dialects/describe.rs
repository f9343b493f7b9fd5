//! Descriptions of images in replies.

use super::image_size::{FULL, HALF};
use super::reply::{Block, MediaBlock};
use crate::answer::{Dimensions, ImageTokens, Media, NotShown, OverBudget, Payload};
use crate::escapes::escape_invisible;
use crate::limits;
use crate::units;
use crate::world::ImageFacts;
use std::fmt::Write as _;

/// The name, in failures, of the limit on the size of an image.
pub const LIMIT: &str = "image-size";

/// The reason why an image or attachment is not shown. `None` if only a description was
/// requested.
pub fn not_shown_reason(reason: &NotShown) -> Option<String> {
    Some(match reason {
        NotShown::Described => return None,
        NotShown::Bytes(limit) => format!("not shown: larger than {}", units::bytes(*limit)),
        NotShown::Side(side) => format!("not shown: more than {side} pixels on a side"),
        NotShown::Format => "not shown: models do not take this format".to_owned(),
        NotShown::Undecoded(why) => format!("not shown: {}", escape_invisible(why)),
        NotShown::Budget(over) => over_budget(over),
    })
}

/// Describes an image that is over the budget of the session: its tokens, and the paths that show it in any case.
fn over_budget(over: &OverBudget) -> String {
    let ImageTokens { whole, half } = over.tokens;
    let s = if whole == 1 { "" } else { "s" };
    let Some(path) = &over.path else {
        return format!("about {whole} token{s}; not shown");
    };
    let (budget, path) = (over.budget, escape_invisible(path));
    let mut out = format!(
        "about {whole} token{s}; not shown, because the session has a budget of {budget}: read `{path}{FULL}` to see it"
    );
    if whole.saturating_sub(half) >= limits::HALF_SAVES_TOKENS {
        let _ = write!(out, ", or `{path}{HALF}` for about {half}");
    }
    out
}

/// The reply block with the data of an image.
pub fn block(given: &Payload) -> Block {
    Block::Image(payload(given))
}

/// The content of an image block or attachment block.
pub fn payload(given: &Payload) -> MediaBlock {
    MediaBlock {
        mime: given.mime,
        data: given.data.clone(),
    }
}

/// Describes an image in one line: its format, its size in pixels and in bytes, which frame is
/// shown, and the reason if it is not shown. `size` is the size of the file in bytes, which is used
/// if `media` does not contain it.
pub fn summary(media: &Media, size: Option<u64>) -> String {
    let mut description = vec![media.format.long_name.to_owned()];
    description.extend(media.size().map(sides));
    description.extend(media.bytes.or(size).map(units::bytes));
    description.extend(frames(media));
    let mut description = description.join(", ");
    if let Err(why) = &media.payload
        && let Some(why) = not_shown_reason(why)
    {
        description.push_str("; ");
        description.push_str(&why);
    }
    description
}

/// States the tokens of an image that is shown, as an estimate, and those at half the size if they are fewer by
/// more than this costs: `about 2408 tokens, :half about 609`.
pub fn tokens(media: &Media) -> Option<String> {
    media.payload.as_ref().ok()?;
    let ImageTokens { whole, half } = media.tokens()?;
    let s = if whole == 1 { "" } else { "s" };
    let is_half = media.payload.as_ref().is_ok_and(|payload| payload.is_half);
    let saves = whole.saturating_sub(half) >= limits::HALF_SAVES_TOKENS;
    Some(if saves && !is_half {
        format!("about {whole} token{s}, `{HALF}` about {half}")
    } else {
        format!("about {whole} token{s}")
    })
}

/// Describes how an image was re-encoded, with its tokens, for dialects that state them nowhere else.
pub fn reencoding_with_tokens(media: &Media) -> Option<String> {
    let mut reencoded = reencoding(media)?;
    if let Some(tokens) = tokens(media) {
        reencoded.push_str("; ");
        reencoded.push_str(&tokens);
    }
    Some(reencoded)
}

/// Describes how an image was re-encoded: the new format and size, and the factor by which its
/// coordinates are multiplied to obtain those of the original. `None` if it was not re-encoded.
pub fn reencoding(media: &Media) -> Option<String> {
    let payload = media
        .payload
        .as_ref()
        .ok()
        .filter(|payload| !payload.passthrough)?;
    let (from, to) = (media.size()?, payload.size?);
    let kind = payload.mime.strip_prefix("image/").unwrap_or(payload.mime);
    let bytes = units::bytes(payload.bytes);
    let kind = kind.to_ascii_uppercase();
    if from == to {
        return Some(format!("converted to {kind}, {bytes}"));
    }
    Some(format!(
        "converted to {} {kind}, {bytes}: multiply coordinates by {} for the original",
        sides(to),
        factors(from, to)
    ))
}

/// Formats the width and height of an image: `4000x3000`.
fn sides(size: Dimensions) -> String {
    format!("{}x{}", size.width, size.height)
}

/// The factor by which coordinates in the shown image are multiplied to obtain those in the
/// original. The two axes have a factor each if their factors differ by more than 2 %, because
/// sides are rounded to whole pixels.
fn factors(from: Dimensions, to: Dimensions) -> String {
    let x = ratio(from.width, to.width);
    let y = ratio(from.height, to.height);
    let (more, less) = (x.max(y), x.min(y));
    if more.saturating_sub(less).saturating_mul(50) <= more {
        let long = if from.width >= from.height { x } else { y };
        return factor(long);
    }
    format!("{} across and {} down", factor(x), factor(y))
}

/// The ratio of `from` to `to`, in millionths.
fn ratio(from: u32, to: u32) -> u64 {
    let to = u64::from(to.max(1));
    let millionths = u64::from(from).saturating_mul(1_000_000);
    millionths
        .saturating_add(to / 2)
        .checked_div(to)
        .unwrap_or(0)
}

/// Formats a scale factor, given in millionths, as a decimal number. It has enough digits that a
/// coordinate multiplied by it is correct to the pixel.
fn factor(millionths: u64) -> String {
    let decimals = match millionths {
        0..100_000 => 5,
        100_000..1_000_000 => 4,
        _ => 3,
    };
    // The number is exact to a millionth.
    #[expect(clippy::cast_precision_loss, reason = "it has some twelve digits")]
    let number = millionths as f64 / 1e6;
    format!("{number:.decimals$}")
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// States which frame of an image file is shown: `the first of 12`. `None` if the file has only one
/// frame.
pub fn frames(media: &Media) -> Option<String> {
    let facts = media.facts.as_ref()?;
    let which = match media.format.name {
        "ICO" => "the largest",
        _ => "the first",
    };
    match facts.frames.count {
        1 => None,
        _ => Some(format!("{which} of {}", counted(facts))),
    }
}

/// Formats the number of frames: `12`, or `12 or more` if they were not all counted.
fn counted(facts: &ImageFacts) -> String {
    let more = if facts.frames.more { " or more" } else { "" };
    format!("{}{more}", facts.frames.count)
}

/// Lists all facts about an image, one per line, for a model that cannot see it.
pub fn metadata(media: &Media, size: Option<u64>) -> Vec<String> {
    let mut lines = vec![format!("- MIME: {}", media.format.mime)];
    let mut line = |name: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("- {name}: {value}")));
    };
    let bytes = media.bytes.or(size);
    line(
        "Bytes",
        bytes.map(|bytes| format!("{bytes} ({})", units::bytes(bytes))),
    );
    line("Dimensions", media.size().map(sides));
    let Some(facts) = &media.facts else {
        let why = media.payload.as_ref().err().and_then(not_shown_reason);
        line(
            "Header",
            Some(why.unwrap_or_else(|| "it cannot be read".to_owned())),
        );
        return lines;
    };
    line("Channels", Some(facts.channels.to_string()));
    line(
        "Alpha",
        Some(if facts.alpha { "yes" } else { "no" }.to_owned()),
    );
    line("Depth", Some(format!("{} bits a channel", facts.depth)));
    line("Frames", Some(counted(facts)));
    for (name, value) in &facts.metadata {
        line(&capitalised(name), Some(escape_invisible(value)));
    }
    lines
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinate_factors_identify_the_original_pixel() {
        let factors = |from: (u32, u32), to: (u32, u32)| {
            let size = |(width, height)| Dimensions { width, height };
            factors(size(from), size(to))
        };
        assert_eq!(factors((4000, 3000), (1568, 1176)), "2.551");
        assert_eq!(factors((4, 2), (512, 256)), "0.00781");
        assert_eq!(factors((320, 180), (512, 288)), "0.625");
        assert_eq!(factors((3136, 10), (1568, 5)), "2");
        assert_eq!(factors((20000, 1), (1568, 1)), "12.755 across and 1 down");
    }
}
