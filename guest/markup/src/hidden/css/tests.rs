use super::*;
use crate::hidden::color::attribute_color;

fn hides(text: &str) -> Option<Method> {
    let style = declarations(text).style();
    let tiny = (style.font == Some(Font::Tiny)).then_some(Method::Size);
    let transparent = style.color == Some(Paint::Transparent);
    style
        .hides()
        .or(tiny)
        .or(transparent.then_some(Method::TransparentColor))
}

#[test]
fn declarations_that_hide_text_are_found() {
    for (text, expected) in [
        ("display:none", Some(Method::Display)),
        ("DISPLAY : None !important", Some(Method::Display)),
        ("visibility:hidden", Some(Method::Visibility)),
        ("opacity:0", Some(Method::Transparent)),
        ("opacity: 0.0%", Some(Method::Transparent)),
        ("font-size:0", Some(Method::Size)),
        ("font-size:1px", Some(Method::Size)),
        ("font: 0/0 a", Some(Method::Size)),
        ("height:0;overflow:hidden", Some(Method::Size)),
        ("position:absolute;left:-9999px", Some(Method::OffScreen)),
        ("text-indent:-999em", Some(Method::OffScreen)),
        (
            "position:absolute;clip:rect(0 0 0 0)",
            Some(Method::Clipped),
        ),
        ("clip-path: inset(50%)", Some(Method::Clipped)),
        ("color:transparent", Some(Method::TransparentColor)),
        ("color:rgba(0,0,0,0)", Some(Method::TransparentColor)),
        ("color:rgba(0,0,0,.04)", Some(Method::TransparentColor)),
        ("color:#0000000c", Some(Method::TransparentColor)),
        ("display:none ! IMPORTANT", Some(Method::Display)),
        (
            "display:none!important;display:block",
            Some(Method::Display),
        ),
        ("content-visibility:hidden", Some(Method::Content)),
        ("opacity:0.05", Some(Method::Transparent)),
        ("filter:opacity(0%)", Some(Method::Transparent)),
        ("font-size:5%", Some(Method::Size)),
        ("position:relative;left:-9999px", Some(Method::OffScreen)),
        ("transform:translateX(-2000px)", Some(Method::OffScreen)),
        ("transform:translateY(-1000px)", Some(Method::OffScreen)),
        ("transform:scale(0.01)", Some(Method::Size)),
        ("transform:scaleX(0)", Some(Method::Size)),
        ("transform:scaleY(0)", Some(Method::Size)),
        ("clip-path:inset(100% 0 0 0)", Some(Method::Clipped)),
        ("display:none;display:block", None),
        ("font-size:50%", None),
        ("position:relative;left:-20px", None),
        ("transform:translateX(-100%)", None),
        ("transform:scale(0.9)", None),
        ("clip-path:inset(10% 0 0 0)", None),
        ("transform:scale(0)", Some(Method::Size)),
        ("display:block", None),
        ("font-size:12px", None),
        ("font: bold 12px serif", None),
        ("height:0", None),
        ("opacity:0.5", None),
        ("left:-9999px", None),
        ("margin-left:-10px;overflow:hidden", None),
        ("background:#000", None),
    ] {
        assert_eq!(hides(text), expected, "{text}");
    }
}

#[test]
fn colors_are_parsed() {
    for (text, expected) in [
        ("#fff", Some([255, 255, 255])),
        ("#FFFFFF", Some([255, 255, 255])),
        ("white", Some([255, 255, 255])),
        ("rgb(1, 2, 3)", Some([1, 2, 3])),
        ("rgb(1 2 3 / 50%)", Some([1, 2, 3])),
        ("var(--x)", None),
    ] {
        assert_eq!(
            declarations(&format!("color:{text}")).style().color,
            expected.map(Paint::Opaque),
            "{text}"
        );
    }
    assert_eq!(attribute_color("FFFFFF"), Some([255, 255, 255]));
    let style = declarations("background: url(x.png) #fff").style();
    assert_eq!(style.background, None);
    assert_eq!(style.has_image, Some(true));
}
