//! Values in style sheets: numbers, lengths and functions.

use crate::limits;

/// The arguments of a function in a value.
pub fn function<'v>(value: &'v str, name: &str) -> Option<&'v str> {
    let (_, after) = value.split_once(name)?;
    let (arguments, _) = after.trim_start().strip_prefix('(')?.split_once(')')?;
    Some(arguments)
}

/// Whether a transformation shows an element without a size.
pub fn is_scaled_to_nothing(value: &str) -> bool {
    ["scale", "scalex", "scaley", "scale3d"].iter().any(|name| {
        function(value, name).is_some_and(|arguments| {
            let mut arguments = arguments.split(',').take(2);
            arguments.any(|size| number(size.trim()).is_some_and(|size| size.abs() < 0.1))
        })
    })
}

/// Whether a transformation moves an element out of the page.
pub fn is_moved_away(value: &str) -> bool {
    ["translate", "translatex", "translatey", "translate3d"]
        .iter()
        .any(|name| {
            function(value, name).is_some_and(|arguments| {
                // A percentage is a part of the element.
                let mut arguments = arguments.split(',').filter(|by| !by.contains('%')).take(2);
                arguments.any(|by| length(by).is_some_and(|by| by <= -limits::MOVED_PIXELS))
            })
        })
}

/// Whether a value of `clip-path` leaves nothing.
pub fn is_empty_path(value: &str) -> bool {
    if let Some(sides) = function(value, "inset") {
        let mut percents = sides.split_ascii_whitespace().map_while(|side| {
            let side = side.trim_end_matches(',');
            if side.ends_with('%') {
                number(side)
            } else {
                length(side).map(|_| 0.0)
            }
        });
        let top = percents.next().unwrap_or(0.0);
        let right = percents.next().unwrap_or(top);
        let bottom = percents.next().unwrap_or(top);
        let left = percents.next().unwrap_or(right);
        return top + bottom >= 1.0 || left + right >= 1.0;
    }
    if let Some(circle) = function(value, "circle") {
        let radius = circle.split_ascii_whitespace().next();
        return radius.and_then(length).is_some_and(|radius| radius <= 0.0);
    }
    function(value, "polygon").is_some_and(|points| {
        let mut numbers = points.split([',', ' ']).filter(|number| !number.is_empty());
        numbers.all(|number| length(number) == Some(0.0))
    })
}

/// A number or a percentage.
pub fn number(text: &str) -> Option<f32> {
    match text.strip_suffix('%') {
        Some(percent) => percent
            .trim()
            .parse::<f32>()
            .ok()
            .map(|number| number / 100.0),
        None => text.parse().ok(),
    }
}

/// A length in pixels, roughly.
pub fn length(text: &str) -> Option<f32> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.')))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number: f32 = number.parse().ok()?;
    Some(match unit.trim() {
        "em" | "rem" => number * 16.0,
        "vw" | "vh" | "%" => number * 10.0,
        "pt" => number * 1.33,
        "" | "px" => number,
        _ => return None,
    })
}

/// Whether a value of `clip` is a rectangle without a size.
pub fn is_empty_rectangle(value: &str) -> bool {
    let Some(inner) = value
        .strip_prefix("rect(")
        .and_then(|value| value.strip_suffix(')'))
    else {
        return false;
    };
    let mut sides = inner.split([',', ' ']).filter(|side| !side.is_empty());
    sides.all(|side| length(side).is_some_and(|side| side <= 1.0))
}
