//! Texts of metadata: white space, and references that a page escapes twice.

use crate::dom::{Document, Id, Tag};
use crate::xml::entities::{References, decode};
use omniread_document::limits::REFERENCE_BYTES;
use std::borrow::Cow;

/// Text with each run of white space as one space, without spaces at its ends. `None` if nothing
/// remains.
pub fn tidy(text: &str) -> Option<String> {
    let mut tidy = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !tidy.is_empty() {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    (!tidy.is_empty()).then_some(tidy)
}

/// [`tidy`] for a text that is not needed otherwise, which is often tidy already.
pub fn tidied(text: String) -> Option<String> {
    if text.is_empty() || !is_tidy(&text) {
        return tidy(&text);
    }
    Some(text)
}

/// Whether a text is sure to be tidy.
fn is_tidy(text: &str) -> bool {
    let mut before = b' ';
    let mut is_tidy = text.is_ascii();
    for byte in text.bytes() {
        is_tidy &= byte > b' ' || (byte == b' ' && before != b' ');
        before = byte;
    }
    is_tidy && before != b' '
}

/// Text without references such as `&quot;`. Programs escape a text twice by mistake, and JSON has
/// no references. A reference alone between spaces stays: the text is about it.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    /// How often a text is escaped too often at most.
    const TIMES: usize = 2;
    let mut text = Cow::Borrowed(text);
    for _ in 0..TIMES {
        match decoded(&text) {
            Some(decoded) => text = Cow::Owned(decoded),
            None => break,
        }
    }
    text
}

/// The text with its references decoded. `None` if it has none.
fn decoded(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut changed = false;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '#';
        // A search to the end of the text would take quadratic time.
        let mut window = after.bytes().take(REFERENCE_BYTES);
        let end = window.position(|byte| byte == b';');
        let reference = end.and_then(|end| {
            let name = after.get(..end)?;
            Some((name, after.get(end.saturating_add(1)..)?))
        });
        let reference = reference.filter(|(name, following)| {
            // Names of other characters than these two are also words of sentences.
            let is_alone = !matches!(*name, "amp" | "nbsp")
                && out.ends_with(' ')
                && following.is_empty() | following.starts_with(' ');
            name.chars().all(is_name) && !is_alone
        });
        let start = out.len();
        rest = after;
        match reference {
            Some((name, following)) => {
                let unknown = decode(&format!("&{name};"), References::Html, &mut out);
                changed |= !unknown
                    && out
                        .get(start..)
                        .is_some_and(|text| text.len() == 1 || !text.starts_with('&'));
                rest = following;
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// The visible text of an element, tidied. `limit` is a maximum in bytes, after which the text is
/// not read.
pub fn text_of(document: &Document, id: Id, limit: usize) -> Option<String> {
    // Most texts are short, and the limit may be large.
    let mut text = String::with_capacity(limit.min(128));
    let mut nodes = document.subtree(id);
    let mut visited = 0_usize;
    while let Some(node) = nodes.next() {
        visited = visited.saturating_add(1);
        if visited > crate::limits::TEXT_NODES {
            return None;
        }
        match document.tag(node) {
            _ if node != id && document.is_hidden(node) => nodes.skip_children_of(node),
            None => text.push_str(document.text(node).unwrap_or_default()),
            Some(Tag::Script | Tag::Style | Tag::Template | Tag::Svg) => {
                nodes.skip_children_of(node);
            }
            Some(tag) if tag.is_block() || tag == Tag::Br => {
                if !text.is_empty() && !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            Some(_) => {}
        }
        if text.len() > limit {
            return None;
        }
    }
    tidied(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_that_are_escaped_twice_are_decoded() {
        for (text, expected) in [
            ("&quot;Tom&#39;s&quot; Q &amp; A", "\"Tom's\" Q & A"),
            ("&amp;quot;x&amp;quot;", "\"x\""),
            ("war.&nbsp; caf&eacute;&#x2019;", "war.\u{a0} café’"),
        ] {
            assert_eq!(unescaped(text), expected);
        }
    }

    #[test]
    fn other_ampersands_stay() {
        for text in [
            "Q & A; B",
            "a&b=c;d",
            "the &lt; entity",
            "&nosuch;",
            "&#xg; &#0;",
            "",
            "&",
            "&;",
        ] {
            assert_eq!(unescaped(text), text);
        }
    }

    #[test]
    fn many_ampersands_are_read_in_linear_time() {
        // Quadratic time would be an hour.
        let text = "&".repeat(10_000_000);
        assert_eq!(unescaped(&text), text.as_str());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(text in "[&;#amplqut0-9 x]{0,30}|.{0,30}") {
            proptest::prop_assert!(unescaped(&text).len() <= text.len().saturating_mul(2));
        }
    }
}
