//! What is said of pictures.

use super::{Block, Payload};
use crate::answer::{Dimensions, Given, Media, Withheld};
use crate::pages::visible;
use crate::units;
use crate::world::Facts;

/// The limit that a picture exceeds.
pub const LIMIT: &str = "image-size";

/// Why a picture or document is not shown, unless nobody asked for it.
pub fn withheld(withheld: &Withheld) -> Option<String> {
    Some(match withheld {
        Withheld::Described => return None,
        Withheld::Bytes(limit) => format!("not shown: larger than {}", units::bytes(*limit)),
        Withheld::Side(side) => format!("not shown: more than {side} pixels on a side"),
        Withheld::Format => "not shown: models do not take this format".to_owned(),
        Withheld::Undecoded(why) => format!("not shown: {}", visible(why)),
    })
}

/// A picture for a model.
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

/// What a picture is, in a line: its format, size and bytes, which of its
/// frames is shown, and why none is. `size` are its bytes if they are not known
/// otherwise.
pub fn summary(media: &Media, size: Option<u64>) -> String {
    let mut words = vec![media.format.long_name.to_owned()];
    words.extend(media.size().map(sides));
    words.extend(media.bytes.or(size).map(units::bytes));
    words.extend(media.facts.as_ref().and_then(frames));
    let mut words = words.join(", ");
    if let Err(why) = &media.given
        && let Some(why) = withheld(why)
    {
        words.push_str("; ");
        words.push_str(&why);
    }
    words
}

/// How a picture was made to fit, if it was: its size now, and by what its
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
        factor(from, to)
    ))
}

/// `4000x3000`
fn sides(size: Dimensions) -> String {
    format!("{}x{}", size.width, size.height)
}

/// By what the longer side was divided, to three digits behind the point.
fn factor(from: Dimensions, to: Dimensions) -> String {
    let (from, to) = (
        from.width.max(from.height),
        u64::from(to.width.max(to.height).max(1)),
    );
    let thousandths = u64::from(from)
        .saturating_mul(1000)
        .saturating_add(to / 2)
        .checked_div(to)
        .unwrap_or(0);
    let number = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    number
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Which of several frames is shown.
fn frames(facts: &Facts) -> Option<String> {
    let more = if facts.frames.more { " or more" } else { "" };
    match facts.frames.count {
        1 => None,
        count => Some(format!("one of {count}{more} in the file")),
    }
}

/// All that is known of a picture, for those who cannot look at it.
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
    let more = if facts.frames.more { " or more" } else { "" };
    line("Frames", Some(format!("{}{more}", facts.frames.count)));
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
