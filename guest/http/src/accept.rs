//! The form of a response, as the header `Accept` asks for it.

/// The form of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The text for the model.
    Text,
    /// One JSON object.
    Json,
    /// Each page as a server-sent event, as soon as it is read.
    Events,
    /// The bytes of the image of the reply.
    Image,
}

/// The weight of a media type that is not accepted.
const NEVER: u16 = 0;

/// The form that a header asks for. Of forms that are equally wanted, the first of text, JSON, events and images is
/// taken. A client that accepts none of them gets text: its header is a wish, as RFC 9110 allows (section 12.5.1).
pub fn form(accept: Option<&str>) -> Form {
    let Some(accept) = accept else {
        return Form::Text;
    };
    let mut best = (Form::Text, NEVER);
    for (form, media) in [
        (Form::Text, "text/plain"),
        (Form::Json, "application/json"),
        (Form::Events, "text/event-stream"),
        (Form::Image, "image/*"),
    ] {
        let weight = weight(accept, media);
        if weight > best.1 {
            best = (form, weight);
        }
    }
    best.0
}

/// The weight in thousandths of a media type: that of the most specific range that has it.
fn weight(accept: &str, media: &str) -> u16 {
    let (kind, _) = media.split_once('/').unwrap_or((media, ""));
    let mut found = (0, NEVER);
    for range in accept.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let specific = match name.split_once('/') {
            _ if name == media => 3,
            // `image/png` asks for an image as well.
            Some((wanted, sub)) if wanted == kind && (sub == "*" || kind == "image") => 2,
            Some(("*", "*")) => 1,
            _ => continue,
        };
        if specific > found.0 {
            let quality = parts.find_map(|part| part.strip_prefix("q="));
            found = (specific, quality.map_or(1000, thousandths));
        }
    }
    found.1
}

/// A weight such as `0.8` in thousandths. A malformed one counts as 1.
fn thousandths(quality: &str) -> u16 {
    let (whole, part) = quality.split_once('.').unwrap_or((quality, ""));
    if whole != "0" || part.len() > 3 {
        return 1000;
    }
    format!("{part:0<3}").parse().unwrap_or(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_is_that_with_the_highest_weight() {
        for (accept, expected) in [
            (None, Form::Text),
            (Some("*/*"), Form::Text),
            (Some("text/html"), Form::Text),
            (Some("text/*"), Form::Text),
            (Some("application/json"), Form::Json),
            (Some("Application/JSON, text/plain;q=0.5"), Form::Json),
            (Some("application/json;q=0.5, text/plain"), Form::Text),
            (Some("text/plain;q=0, */*"), Form::Json),
            (Some("text/event-stream"), Form::Events),
            (
                Some("text/event-stream, application/json;q=0.9"),
                Form::Events,
            ),
            (Some("image/png"), Form::Image),
            (Some("image/avif,image/webp,*/*;q=0.8"), Form::Image),
            (Some(""), Form::Text),
            (Some(";;,,q=1"), Form::Text),
        ] {
            assert_eq!(form(accept), expected, "{accept:?}");
        }
    }

    #[test]
    fn weights_have_at_most_three_digits() {
        for (quality, expected) in [("0", 0), ("0.5", 500), ("0.123", 123), ("1", 1000)] {
            assert_eq!(thousandths(quality), expected, "{quality}");
        }
        for malformed in ["", "0.1234", "x", "2", "0.x"] {
            assert_eq!(thousandths(malformed), 1000, "{malformed}");
        }
    }
}
