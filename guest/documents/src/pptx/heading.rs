//! The heading of a slide without a title: the text at its top, if it is larger than all others.

use super::layout::{Layout, Placeholder, area};
use crate::xml::Element;

/// The size of text that states none, in hundredths of a point: of a text box, and of a placeholder.
const SIZES: [u32; 2] = [1800, 3200];

/// The number of characters above which a text is not a heading.
const CHARS: usize = 120;

/// The number of elements of a text that are looked at.
const ELEMENTS: usize = 4000;

/// A text of a slide.
struct Text {
    position: usize,
    top: Option<i64>,
    size: u32,
    /// Whether it is one short paragraph.
    short: bool,
}

/// Returns the position of the shape that is shown as the heading. `None` if no text is larger than the others.
pub fn find(shapes: &[Element], layout: &Layout) -> Option<usize> {
    let texts: Vec<Text> = shapes.iter().filter_map(|it| text(*it, layout)).collect();
    let first = texts.iter().min_by_key(|it| it.top.unwrap_or(i64::MAX))?;
    let top = first.top?;
    let is_other = |it: &&Text| it.position != first.position;
    let mut others = texts.iter().filter(is_other).peekable();
    others.peek()?;
    let stands_out = others.all(|it| {
        it.top.is_some_and(|own| own > top)
            && it.size.saturating_mul(6) <= first.size.saturating_mul(5)
    });
    (first.short && stands_out).then_some(first.position)
}

/// Reads a shape. `None` if it has no text.
fn text(shape: Element, layout: &Layout) -> Option<Text> {
    let body = shape.child("txBody").filter(|_| shape.name() == "sp")?;
    let placeholder = Placeholder::read(shape);
    if placeholder.as_ref().is_some_and(Placeholder::is_footer) {
        return None;
    }
    let [mut size, inherited] = SIZES;
    if placeholder.is_some() {
        size = inherited;
    }
    let mut own = None;
    let (mut chars, mut paragraphs) = (0_usize, 0_usize);
    let mut counted = 0;
    for inside in body.descendants().take(ELEMENTS) {
        match inside.name() {
            "rPr" => own = own.max(inside.attr("sz").and_then(|it| it.parse().ok())),
            "p" => counted = 0,
            "t" => {
                let count = inside.text().trim().chars().count();
                chars = chars.saturating_add(count);
                if counted == 0 && count > 0 {
                    counted = 1;
                    paragraphs = paragraphs.saturating_add(1);
                }
            }
            _ => {}
        }
    }
    let area = area(shape).or_else(|| layout.area(placeholder.as_ref()?));
    (chars > 0).then_some(Text {
        position: shape.position(),
        top: area.map(|it| it.top),
        size: own.unwrap_or(size),
        short: paragraphs == 1 && chars <= CHARS,
    })
}
