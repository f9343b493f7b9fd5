//! The content of each element, from a first pass over the document.

use super::nesting::{Closed, Nesting};
use super::tokens::{Fault, Kind, Tokens};
use crate::limits::{XML_ELEMENTS, XML_OPEN};

/// The content of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The content has elements, comments or processing instructions.
    pub markup: bool,
    /// The content has text other than white space.
    pub text: bool,
    /// The element has `xml:space="preserve"`.
    pub preserved: bool,
    /// The offset after the element.
    pub end: usize,
}

impl Shape {
    /// Whether the content is shown as written: text and elements, or white space that counts.
    pub fn is_verbatim(self) -> bool {
        self.preserved || (self.markup && self.text)
    }
}

/// The shapes of the elements of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shapes {
    /// The shapes in the order of the start tags.
    pub elements: Vec<Shape>,
    /// The first error.
    pub fault: Option<Fault>,
    /// The first start tag beyond a limit, and which limit it is. Nothing after it is examined.
    pub stop: Option<Fault>,
}

/// The shapes of the elements of a document.
pub fn shapes(text: &str) -> Shapes {
    limited(text, XML_ELEMENTS, XML_OPEN)
}

/// The shapes of at most `elements` elements, of which at most `open` are open at once.
fn limited(text: &str, elements: usize, open: usize) -> Shapes {
    let mut stop = None;
    let mut shapes: Vec<Shape> = Vec::new();
    let mut nesting: Nesting<'_, usize> = Nesting::default();
    let mut misnested: Option<Fault> = None;
    let mut tokens = Tokens::new(text);
    for token in tokens.by_ref() {
        let mut none = Shape::default();
        let parent = nesting.last().and_then(|&(_, index)| shapes.get_mut(index));
        let parent = parent.unwrap_or(&mut none);
        match token.kind {
            Kind::Text(text) => {
                let blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
                parent.text |= !blank;
            }
            Kind::Cdata(_) => parent.text = true,
            Kind::Comment(_) | Kind::Instruction(_) | Kind::Declaration { .. } => {
                parent.markup = true;
            }
            Kind::Start {
                name,
                attributes,
                empty,
            } => {
                parent.markup = true;
                let reason = if shapes.len() >= elements {
                    Some("the document has too many elements")
                } else if !empty && nesting.depth() >= open {
                    Some("the elements are nested too deeply")
                } else {
                    None
                };
                if let Some(reason) = reason {
                    let at = token.start;
                    stop = Some(Fault { at, reason });
                    break;
                }
                shapes.push(Shape {
                    preserved: attributes.contains("xml:space") && attributes.contains("preserve"),
                    end: token.end,
                    ..Shape::default()
                });
                if !empty {
                    nesting.push(name, shapes.len().saturating_sub(1));
                }
            }
            Kind::End { name } => {
                let (closed, reason) = match nesting.closed_by(name) {
                    Closed::Matching => (1, None),
                    Closed::Outer(count) => (count, Some("an element has no end tag")),
                    Closed::Nothing => (0, Some("an end tag has no start tag")),
                };
                if let Some(reason) = reason {
                    misnested.get_or_insert(Fault {
                        at: token.start,
                        reason,
                    });
                }
                for remaining in (0..closed).rev() {
                    // Only the outermost element includes the end tag.
                    let end = if remaining == 0 {
                        token.end
                    } else {
                        token.start
                    };
                    if let Some(shape) = nesting.pop().and_then(|index| shapes.get_mut(index)) {
                        shape.end = end;
                    }
                }
            }
        }
    }
    if nesting.depth() > 0 && stop.is_none() {
        misnested.get_or_insert(Fault {
            at: text.trim_ascii_end().len(),
            reason: "an element has no end tag",
        });
    }
    while let Some(index) = nesting.pop() {
        if let Some(shape) = shapes.get_mut(index) {
            shape.end = text.len();
        }
    }
    let faults = [tokens.fault(), misnested];
    Shapes {
        elements: shapes,
        fault: faults.into_iter().flatten().min_by_key(|fault| fault.at),
        stop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_of_each_element_is_found() {
        let found = shapes("<a><b>x</b><c>y<d/></c></a>");
        let facts: Vec<_> = found
            .elements
            .iter()
            .map(|shape| (shape.markup, shape.text, shape.end))
            .collect();
        assert_eq!(
            facts,
            [
                (true, false, 27),
                (false, true, 11),
                (true, true, 23),
                (false, false, 19)
            ]
        );
        assert_eq!(found.fault, None);
        assert_eq!(found.stop, None);
    }

    #[test]
    fn first_error_is_reported() {
        let fault = |text| shapes(text).fault.map(|fault| (fault.at, fault.reason));
        assert_eq!(fault("<a><b></a>"), Some((6, "an element has no end tag")));
        assert_eq!(
            fault("<a></b></a>"),
            Some((3, "an end tag has no start tag"))
        );
        assert_eq!(fault("<a>\n"), Some((3, "an element has no end tag")));
        assert_eq!(
            fault("<a><b></a> 1 < 2"),
            Some((6, "an element has no end tag"))
        );
    }

    #[test]
    fn document_beyond_a_limit_is_examined_up_to_it() {
        let source = "<a><b><c>x</c></b><d/></a>";
        let stop = |elements, open| {
            let found = limited(source, elements, open);
            assert_eq!(found.fault, None);
            (found.elements.len(), found.stop.map(|stop| stop.at))
        };
        assert_eq!(stop(4, 3), (4, None));
        assert_eq!(stop(3, 3), (3, Some(18)));
        assert_eq!(stop(4, 2), (2, Some(6)));
    }
}
