//! Frames and shapes.

use crate::xml::Element;

/// Returns whether an element is a frame or a shape.
pub fn is_shape(name: &str) -> bool {
    matches!(
        name,
        "frame"
            | "g"
            | "custom-shape"
            | "rect"
            | "ellipse"
            | "circle"
            | "line"
            | "connector"
            | "caption"
            | "measure"
            | "polygon"
            | "regular-polygon"
            | "polyline"
            | "path"
            | "scene"
    )
}

/// Returns the alternative text of a shape in one line.
pub fn description(shape: Element) -> Option<String> {
    let of = |name| {
        let text = shape.child(name)?.text();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    };
    of("desc").or_else(|| of("title"))
}
