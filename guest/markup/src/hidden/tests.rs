use super::*;
use crate::dom::parse;

fn notes(html: &str) -> Vec<String> {
    Hidden::of(&parse(html)).summary().notes()
}

fn hides(html: &str) -> bool {
    let html = html.replace("LONG", &"long text ".repeat(100));
    let page = format!("<p>{}</p>{html}", "Visible text. ".repeat(30));
    !notes(&page).is_empty()
}

#[test]
fn hidden_text_is_found() {
    for html in [
        "<p hidden>x</p>",
        "<p style='display:none'>x</p>",
        "<style>.a{display:none}</style><p class='b a'>x</p>",
        "<style>#a, .c {display:none}</style><p id=a>x</p>",
        "<style>.sr{position:absolute;left:-9999px}</style><p class=sr>x</p>",
        "<p style='color:white'>x</p>",
        "<p style='color:#fefefe'>x</p>",
        "<font color=white>x</font>",
        "<div style='background:#000'><p style='color:#010101'>x</p></div>",
        "<table bgcolor='#cccccc'><tr><td><font color='#cccccc'>x</font></table>",
        "<p style='font-size:0'>x</p>",
        "<dialog>x</dialog>",
        "<style>.w{color:#fff}</style><p class=w>x</p>",
        "<style>.h{display:none}</style><article class=h>x</article>",
        "<style>.h{display:none}</style><main class=h>x</main>",
        "<style>.h{display:none}@media print{.h{display:block}}</style><p class=h>x</p>",
        "<style>.h{display:none}.z:hover .h{display:block}</style><p class=h>x</p>",
        "<style>.h{display:none}.h.on{display:block}</style><p class=h>x</p>",
        "<style>.h{display:none}.h::after{display:block}</style><p class=h>x</p>",
        "<style>.h{display:none!important}</style><p class=h style='display:block'>x</p>",
        "<p hidden style='opacity:1'>x</p>",
        "<p hidden style='visibility:visible'>x</p>",
        "<style>.h{opacity:0}</style><p class=h style='display:block'>x</p>",
        "<div style='font-size:0'><i style='font-size:9px'></i>x</div>",
        "<div style='font-size:0'><i style='font-size:1em'>x</i></div>",
        "<div style='width:0;height:0;overflow:hidden'><i style='font-size:9px'>x</i></div>",
        "<div style='display:none'><math></math>x</div>",
        "<div class=math><p style='display:none'>x</p></div>",
        "<div style='position:absolute;left:-9999px'>LONG</div>",
        "<style>p.h{display:none}</style><p class=h>x</p>",
        "<style>.a.b{display:none}</style><p class='b a'>x</p>",
        "<style>p#h{display:none}</style><p id=h>x</p>",
        "<style>#o .w p.h{display:none}</style><div id=o><b class=w><p class=h>x</p></b></div>",
        "<style>div > p{display:none}</style><div><p>x</p></div>",
        "<style>@layer a{.h{display:none}}</style><p class=h>x</p>",
        "<style>@supports (a:b){.h{display:none}}</style><p class=h>x</p>",
        "<style>@media all{.h{display:none}}</style><p class=h>x</p>",
        "<style>@media screen{.h{display:none}}</style><p class=h>x</p>",
        "<style>/*{*/.h/* */{/*}*/display:none}</style><p class=h>x</p>",
        "<div style='color:#fff;background:#000'>ok<span style='background:#fff'>x</span></div>",
        "<div style='background:#000'>x</div>",
        "<div class=hero-banner><p style='color:#fff'>x</p></div>",
        "<link rel=stylesheet href=a.css><section class=intro><h2 style='color:#fff'>x</h2></section>",
    ] {
        assert!(hides(html), "{html}");
    }
}

#[test]
fn visible_text_is_not_hidden() {
    for html in [
        "<p>x</p>",
        "<p hidden=until-found>x</p>",
        "<style>.a{display:none}@media (min-width: 600px){.a{display:block}}</style><p class=a>x</p>",
        "<style>@media print{.a{display:none}}</style><p class=a>x</p>",
        "<style>.tab{display:none}.tab.active{display:block}</style><p class='tab active'>x</p>",
        "<style>.a{display:none}</style><p class=a style='display:block'>x</p>",
        "<div style='background:#000'><p style='color:#fff'>x</p></div>",
        "<div style='background-image:url(x)'><p style='color:#fff'>x</p></div>",
        "<link rel=stylesheet href=a.css><div class=hero-banner><p style='color:#fff'>x</p></div>",
        "<link rel=stylesheet href=a.css><div style='background:#000'>x</div>",
        "<p style='display:none;display:block'>x</p>",
        "<p hidden style='display:block'>x</p>",
        "<style>.a .h{display:none}</style><p class=h>x</p>",
        "<style>div > p{display:none}</style><div><b><p>x</p></b></div>",
        "<style>p:not(.a,.h,.b){display:none}</style><p class=h>x</p>",
        "<style>.h{display:none}[data-on] .h.on{display:block}</style><p class='h on'>x</p>",
        "<style>body{opacity:0}</style>",
        "<style>body{color:#fff}</style>",
        "<style>body{background:#000}</style>",
        "<div style='color:#fff'><p style='background:#000'>x</p></div>",
        "<div style='background:#000'><a href=x>x</a></div>",
        "<p style='background:linear-gradient(red,blue);background-clip:text;color:transparent'>x</p>",
        "<div style='font-size:0'><p style='font-size:16px'>x</p></div>",
        "<span style='display:none'><math><mi>x</mi></math></span>",
        "<p style='color:#333'>x</p>",
        "<dialog open>x</dialog>",
    ] {
        assert!(!hides(html), "{html}");
    }
}
