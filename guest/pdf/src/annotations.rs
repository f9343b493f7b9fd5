//! Annotations of a page.

use crate::page::Rect;
use hayro_syntax::object::{Dict, Name, Object, Stream};

/// The flags of annotations that are not shown: hidden, and not on screens.
const HIDDEN: i32 = 1 << 1 | 1 << 5;

/// The appearance of an annotation that has text of its own: a form field, a text box or a stamp.
/// `None` if it has no appearance, or is not shown.
pub fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    let subtype = annotation.get::<Name<'_>>("Subtype")?;
    if !matches!(subtype.as_ref(), b"Widget" | b"FreeText" | b"Stamp") {
        return None;
    }
    if annotation.get::<i32>("F").unwrap_or_default() & HIDDEN != 0 {
        return None;
    }
    let states = annotation.get::<Dict<'a>>("AP")?;
    match states.get::<Object<'a>>("N")? {
        Object::Stream(stream) => Some(stream),
        Object::Dict(states) => {
            let state = annotation.get::<Name<'_>>("AS")?;
            states.get::<Stream<'a>>(state.as_ref())
        }
        _ => None,
    }
}

/// The rectangle of an annotation, in the space of the page.
pub fn rectangle(annotation: &Dict<'_>) -> Option<Rect> {
    let [x0, y0, x1, y1] = annotation.get::<[f32; 4]>("Rect")?;
    let rect = Rect::of((x0, y0), (x1, y1));
    [x0, y0, x1, y1]
        .iter()
        .all(|it| it.is_finite())
        .then_some(rect)
}
