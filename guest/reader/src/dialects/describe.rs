//! What is said of images.

use super::{Block, Payload};
use crate::answer::{Dimensions, Given, Media, Withheld};
use crate::units;
use crate::visible::visible;
use crate::world::Facts;

/// The limit that an image exceeds.
pub const LIMIT: &str = "image-size";

/// Why an image or attachment is not shown, unless nobody asked for it.
pub fn withheld(withheld: &Withheld) -> Option<String> {
    Some(match withheld {
        Withheld::Described => return None,
        Withheld::Bytes(limit) => format!("not shown: larger than {}", units::bytes(*limit)),
        Withheld::Side(side) => format!("not shown: more than {side} pixels on a side"),
        Withheld::Format => "not shown: models do not take this format".to_owned(),
        Withheld::Undecoded(why) => format!("not shown: {}", visible(why)),
    })
}

/// An image for a model.
pub fn block(given: &Given) -> Block {
    Block::Image(payload(given))
}

/// What a block holds.
pub fn payload(given: &Given) -> Payload {
    Payload {
        mime: given.mime,
        data: given.data.clone(),
    }
}

/// What an image is, in a line: its format, size and bytes, which of its
/// frames is shown, and why none is. `size` are its bytes if they are not known
/// otherwise.
pub fn summary(media: &Media, size: Option<u64>) -> String {
    let mut words = vec![media.format.long_name.to_owned()];
    words.extend(media.size().map(sides));
    words.extend(media.bytes.or(size).map(units::bytes));
    words.extend(frames(media));
    let mut words = words.join(", ");
    if let Err(why) = &media.given
        && let Some(why) = withheld(why)
    {
        words.push_str("; ");
        words.push_str(&why);
    }
    words
}

/// How an image was made to fit, if it was: its size now, and by what its
/// coordinates are to be multiplied.
pub fn made(media: &Media) -> Option<String> {
    let given = media.given.as_ref().ok().filter(|given| !given.untouched)?;
    let (from, to) = (media.size()?, given.size?);
    let kind = given.mime.strip_prefix("image/").unwrap_or(given.mime);
    let bytes = units::bytes(given.bytes);
    let kind = kind.to_ascii_uppercase();
    if from == to {
        return Some(format!("shown as {kind}, {bytes}"));
    }
    Some(format!(
        "shown at {} as {kind}, {bytes}: multiply coordinates by {} for the original",
        sides(to),
        factors(from, to)
    ))
}

/// `4000x3000`
fn sides(size: Dimensions) -> String {
    format!("{}x{}", size.width, size.height)
}

/// By what coordinates are to be multiplied, which is not the same for both
/// sides where one was rounded to a pixel.
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

/// A ratio in millionths.
fn ratio(from: u32, to: u32) -> u64 {
    let to = u64::from(to.max(1));
    let millionths = u64::from(from).saturating_mul(1_000_000);
    millionths
        .saturating_add(to / 2)
        .checked_div(to)
        .unwrap_or(0)
}

/// Millionths as a number with digits enough to lead back to a pixel.
fn factor(millionths: u64) -> String {
    let decimals = match millionths {
        0..100_000 => 5,
        100_000..1_000_000 => 4,
        _ => 3,
    };
    // Exact to a millionth, whatever the number is.
    #[expect(clippy::cast_precision_loss, reason = "it has some twelve digits")]
    let number = millionths as f64 / 1e6;
    format!("{number:.decimals$}")
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Which of several frames is shown.
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

/// How many frames there are.
fn counted(facts: &Facts) -> String {
    let more = if facts.frames.more { " or more" } else { "" };
    format!("{}{more}", facts.frames.count)
}

/// All that is known of an image, for those who cannot look at it.
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
        let why = media.given.as_ref().err().and_then(withheld);
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
    for (name, value) in &facts.notes {
        line(&capitalised(name), Some(visible(value)));
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
    fn factors_lead_back() {
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
