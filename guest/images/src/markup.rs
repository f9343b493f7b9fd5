//! Scan of an SVG before it is parsed: the number and depth of its elements, and content
//! that is not drawn.

use super::limits;
use omniread_image_types::Error;

/// The numbers of elements in an XML text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Markup {
    /// The number of elements.
    pub elements: usize,
    /// The number of `foreignObject` elements. They contain HTML, which is not drawn.
    pub html: usize,
}

/// Counts the elements of an SVG. Invalid markup is not an error here, because the parser reports
/// it later.
///
/// # Errors
/// Fails if there are too many elements, or if they are nested too deep.
pub fn scan(text: &[u8]) -> Result<Markup, Error> {
    let mut markup = Markup::default();
    let mut depth = 0usize;
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        rest = match rest {
            [b'!', b'-', b'-', rest @ ..] => after(rest, b"-->"),
            [b'!', b'[', rest @ ..] => after(rest, b"]]>"),
            [b'?', rest @ ..] => after(rest, b"?>"),
            // A document type declaration may contain other declarations in brackets.
            [b'!', rest @ ..] => tag(rest, true).1,
            [b'/', rest @ ..] => {
                depth = depth.saturating_sub(1);
                rest
            }
            _ => {
                markup.elements += 1;
                let (tag, after) = tag(rest, false);
                let name = tag
                    .split(|byte| byte.is_ascii_whitespace() || *byte == b'/')
                    .next()
                    .unwrap_or_default();
                markup.html += usize::from(name.ends_with(b"foreignObject"));
                depth += usize::from(!tag.ends_with(b"/"));
                after
            }
        };
        if markup.elements > limits::SVG_ELEMENTS {
            return Err(Error::Exhausted("elements".to_owned()));
        }
        if depth > limits::SVG_DEPTH {
            return Err(Error::Exhausted("levels of elements".to_owned()));
        }
    }
    Ok(markup)
}

/// The text after the first occurrence of `end`. Empty if `end` does not occur.
fn after<'t>(text: &'t [u8], end: &[u8]) -> &'t [u8] {
    let at = text.windows(end.len()).position(|bytes| bytes == end);
    at.and_then(|at| text.get(at + end.len()..))
        .unwrap_or_default()
}

/// Splits a text that starts inside a tag into the rest of the tag and the text after its `>`. A
/// `>` in quotes does not end the tag. If `brackets` is true, a `>` inside square brackets does not
/// end it either.
fn tag(text: &[u8], brackets: bool) -> (&[u8], &[u8]) {
    let (mut quote, mut inside) = (None, false);
    for (at, byte) in text.iter().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if open == byte => quote = None,
            (b'[', None) => inside = brackets,
            (b']', None) => inside = false,
            (b'>', None) if !inside => {
                let (tag, end) = text.split_at(at);
                return (tag, end.get(1..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (text, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> (usize, usize) {
        let markup = scan(text.as_bytes()).unwrap();
        (markup.elements, markup.html)
    }

    #[test]
    fn tags_are_counted() {
        assert_eq!(counted("<svg><g id='/>'><rect/></g></svg>"), (3, 0));
        assert_eq!(
            counted("<?x <a>?><!-- <b> --><svg><![CDATA[<c>]]></svg>"),
            (1, 0)
        );
        assert_eq!(
            counted("<!DOCTYPE svg [<!ENTITY a \"<b>\">]><svg/>"),
            (1, 0)
        );
        assert_eq!(
            counted("<svg><s:foreignObject a='>'><p/></s:foreignObject></svg>"),
            (3, 1)
        );
        assert_eq!(counted("<svg <"), (1, 0));
    }

    #[test]
    fn depth_is_that_of_open_tags() {
        let deep = "<g id='/>'>".repeat(limits::SVG_DEPTH + 1);
        assert!(matches!(scan(deep.as_bytes()), Err(Error::Exhausted(_))));
        let flat = "<rect id='a>b'/>".repeat(limits::SVG_DEPTH * 3);
        assert_eq!(counted(&flat).0, limits::SVG_DEPTH * 3);
    }
}
