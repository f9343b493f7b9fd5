use crate::dom::parse;
use crate::hidden::Hidden;
use crate::html::{Extent, Options, page};

/// A page with this markup after enough visible text.
fn whole(html: &str) -> String {
    format!("<p>{}</p>{html}", "Visible text. ".repeat(30))
}

fn notes(html: &str) -> Vec<String> {
    Hidden::of(&parse(&whole(html))).summary().notes()
}

/// The text of a page, without the visible text before the markup.
fn text(html: &str) -> String {
    let options = Options {
        extent: Extent::Full,
        url: None,
    };
    page(&whole(html), &options).unwrap().text
}

const ONE: &[&str] = &["text that a click opens is shown: 1 element"];

#[test]
fn panel_that_a_visible_control_opens_is_shown() {
    for html in [
        // Accordion and tabs of the ARIA Authoring Practices.
        "<h3><button aria-expanded=false aria-controls=p id=h>A</button></h3>
         <div id=p role=region aria-labelledby=h hidden>x</div>",
        "<div role=tablist><button id=t role=tab aria-selected=false aria-controls=p>T</button></div>
         <div id=p role=tabpanel aria-labelledby=t style='display:none'>x</div>",
        "<div role=tablist><div id=t role=tab>T</div></div>
         <div role=tabpanel aria-labelledby='s t' style='visibility:hidden'>x</div>",
        // Bootstrap 3, 4 and 5.
        "<style>.collapse{display:none}.collapse.in{display:block}</style><div class=panel-heading>
         <a role=button data-toggle=collapse href='#p'>A</a></div><div id=p class='panel-collapse collapse'>x</div>",
        "<style>.collapse:not(.show){display:none}.collapse{display:none}</style>
         <button data-toggle=collapse data-target='#p'>A</button><div id=p class=collapse>x</div>",
        "<style>.tab-content>.tab-pane{display:none}.fade{opacity:0}</style><nav><div class='nav nav-tabs' role=tablist>
         <button data-bs-toggle=tab data-bs-target='#p' type=button role=tab>T</button></div></nav>
         <div class=tab-content><div class='tab-pane fade' id=p>x</div></div>",
        "<style>.tab-pane{display:none}</style><nav><a data-toggle=pill href='#p'>T</a></nav><div class=tab-pane id=p>x</div>",
        // jQuery UI.
        "<div id=accordion><h3 role=tab id=u1 aria-controls=u2 aria-selected=false aria-expanded=false>A</h3>
         <div id=u2 aria-labelledby=u1 role=tabpanel aria-hidden=true style='display: none;'>x</div></div>",
        "<ul role=tablist><li role=tab aria-controls=t1 aria-labelledby=u1 aria-expanded=false>
         <a href='#t1' role=presentation id=u1>T</a></li></ul><div id=t1 aria-labelledby=u1 role=tabpanel style='display:none'>x</div>",
        // Squarespace.
        "<style>.accordion-item__dropdown{height:0;overflow:hidden;visibility:hidden}</style><ul><li class=accordion-item>
         <h4><button class=accordion-item__click-target aria-controls=dropdown-1 aria-expanded=false>A</button></h4>
         <div class=accordion-item__dropdown id=dropdown-1 role=region>x</div></ul>",
        // Links, lists of ids, controls after their panel, and names of controls.
        "<a href='#p' aria-expanded=false>A</a><div id=p hidden>x</div>",
        "<a href='#p' role=button>A</a><div id=p hidden>x</div>",
        "<button aria-controls=' q  p ' aria-expanded=false>All</button><div id=p hidden>x</div>",
        "<div id=p hidden>x</div><button aria-controls=p aria-expanded=false>A</button>",
        "<button aria-controls=p aria-expanded=false aria-label=More><svg></svg></button><div id=p hidden>x</div>",
        "<button aria-controls=p aria-expanded=false><img alt=More></button><div id=p hidden>x</div>",
        "<button aria-controls=p aria-expanded=false aria-haspopup=false>A</button><div id=p hidden>x</div>",
        "<main><header><button aria-controls=p aria-expanded=false>A</button></header><div id=p hidden>x</div></main>",
        "<details><summary aria-controls=p aria-expanded=false>A</summary><div id=p hidden>x</div></details>",
        "<a role=button id=h aria-controls=p>A</a><div id=p role=region aria-labelledby=h hidden>x</div>",
        // Controls that do not name their panel.
        "<h3><button aria-expanded=false>A</button></h3><div style='height:0;overflow:hidden'>x</div>",
        "<div role=button aria-expanded=false>A</div> <div style='max-height:0;overflow:hidden'>x</div>",
        "<div class='faq-question'>A</div><div class='faq-answer' style='display:none'>x</div>",
        "<style>.et_pb_toggle_close .et_pb_toggle_content{display:none}</style><div class='et_pb_toggle et_pb_toggle_close'>
         <h5 class=et_pb_toggle_title>A</h5><div class=et_pb_toggle_content>x</div></div>",
        // A closed element around the panel.
        "<button aria-controls=p aria-expanded=false>A</button><div style='display:none'> <div id=p>x</div></div>",
    ] {
        assert_eq!(notes(html), ONE, "{html}");
        assert!(text(html).split_whitespace().any(|word| word == "x"), "{html}: {}", text(html));
    }
}

#[test]
fn hidden_element_that_no_visible_control_opens_stays_hidden() {
    for html in [
        "<button aria-controls=p>Next</button><div id=p hidden>x</div>",
        "<button aria-controls=q aria-expanded=false>A</button><div id=p hidden>x</div>",
        "<button id=h aria-controls=q>A</button><div id=p aria-labelledby=h hidden>x</div>",
        "<button aria-controls=p aria-expanded=false aria-haspopup=true>A</button><div id=p hidden>x</div>",
        "<nav><button aria-controls=p aria-expanded=false>A</button></nav><div id=p hidden>x</div>",
        "<header><button aria-controls=p aria-expanded=false>A</button></header><div id=p hidden>x</div>",
        "<div role=menu><a aria-controls=p aria-expanded=false>A</a></div><div id=p hidden>x</div>",
        "<input aria-controls=p aria-expanded=false role=combobox value=A><div id=p hidden>x</div>",
        "<button data-toggle=modal data-target='#p'>A</button><div id=p style='display:none'>x</div>",
        "<button data-bs-toggle=dropdown data-bs-target='#p'>A</button><div id=p style='display:none'>x</div>",
        "<button data-bs-toggle=offcanvas data-bs-target='#p' aria-controls=p aria-expanded=false>A</button>
         <div id=p style='display:none'>x</div>",
        "<a href='#p'>A</a><div id=p hidden>x</div>",
        "<button aria-controls=p aria-expanded=false>A</button><div role=dialog id=p hidden>x</div>",
        "<button aria-controls=p aria-expanded=false>A</button><dialog id=p>x</dialog>",
        "<button aria-controls=p aria-expanded=false>A</button><div aria-modal=true id=p hidden>x</div>",
        "<button aria-controls=p aria-expanded=false>A</button><ul role=listbox id=p hidden><li>x</ul>",
        "<button aria-controls=p aria-expanded=false>A</button><div id=p hidden><ul role=menu><li>x</ul></div>",
        "<button aria-controls=p aria-expanded=false>A</button><nav id=p hidden>x</nav>",
        "<button aria-controls=p aria-expanded=false>A</button><span role=tooltip id=p hidden>x</span>",
        "<p>A</p><div class=faq-answer hidden>x</div>",
        "<div class=faq-question>A</div><p>B</p><div class=faq-answer hidden>x</div>",
        "<button aria-expanded=false aria-controls=q>A</button><div hidden>x</div>",
        "<button aria-expanded=false aria-haspopup=menu>A</button><div hidden>x</div>",
        "<nav><button aria-expanded=false>A</button><div hidden>x</div></nav>",
        "<button class=menu-toggle>A</button><ul class=toggle-menu hidden><li>x</ul>",
        "<div class=faq-question style='color:#fff'>A</div><div class=faq-answer hidden>x</div>",
        "<h3 class=faq-question></h3><div class=faq-answer hidden>x</div>",
        // Controls that a person does not see.
        "<button aria-controls=p aria-expanded=false></button><div id=p hidden>x</div>",
        "<button aria-controls=p aria-expanded=false aria-label=' '> <i></i></button><div id=p hidden>x</div>",
        "<a aria-controls=p aria-expanded=false style='font-size:0'>A</a><div id=p hidden>x</div>",
        "<a aria-controls=p aria-expanded=false style='color:#fff'>A</a><div id=p hidden>x</div>",
        "<a aria-controls=p aria-expanded=false style='font-size:0' aria-label=A>A</a><div id=p hidden>x</div>",
        // Reasons that a click does not change.
        "<button aria-controls=p aria-expanded=false>A</button><div id=p style='opacity:0'>x</div>",
        "<button aria-controls=p aria-expanded=false>A</button><div id=p style='color:#fff'>x</div>",
        "<button aria-controls=p aria-expanded=false>A</button><div id=p style='display:none;color:#fff'>x</div>",
        "<button aria-controls=p aria-expanded=false>A</button><div id=p hidden style='font-size:0'>x</div>",
        "<button aria-controls=p aria-expanded=false>A</button>
         <div id=p style='display:none;position:absolute;left:-9999px'>x</div>",
    ] {
        let notes = notes(html);
        let note = notes.first().map(String::as_str).unwrap_or_default();
        assert!(note.starts_with("hidden text is left out: "), "{html}: {notes:?}");
        assert!(!text(html).ends_with('x'), "{html}: {}", text(html));
    }
}

#[test]
fn hidden_control_opens_nothing() {
    for how in [
        "hidden",
        "style='display:none'",
        "style='width:0;height:0;overflow:hidden'",
    ] {
        let html = format!(
            "<button {how} aria-controls=p aria-expanded=false>A</button><div id=p hidden>x</div>"
        );
        assert!(!text(&html).ends_with('x'), "{html}");
        let html = format!(
            "<div {how}><b role=tab id=t aria-controls=p>A</b></div>
             <div id=p role=tabpanel aria-labelledby=t hidden>x</div>"
        );
        assert!(!text(&html).ends_with('x'), "{html}");
    }
}

#[test]
fn control_in_an_open_panel_opens_another_one() {
    let html = "<button aria-controls=a aria-expanded=false>A</button>
        <div id=a hidden>one<button aria-controls=b aria-expanded=false>B</button>
        <div id=b hidden>two</div></div><div id=c hidden><button aria-controls=d aria-expanded=false>
        D</button></div><div id=d hidden>four</div>";
    assert_eq!(
        notes(html),
        [
            "text that a click opens is shown: 2 elements",
            "hidden text is left out: 2 elements, 5 characters (attribute hidden)"
        ]
    );
}

#[test]
fn text_that_is_hidden_in_an_open_panel_stays_hidden() {
    for inner in [
        "<i hidden>secret</i>",
        "<i style='display:none'>secret</i>",
        "<i style='opacity:0'>secret</i>",
        "<i style='color:white'>secret</i>",
        "<i style='font-size:0'>secret</i>",
        "<p style='background:#000'><i style='color:#000'>secret</i></p>",
    ] {
        let html = format!(
            "<button aria-controls=p aria-expanded=false>A</button>
             <div style='background:#fff'><div id=p hidden>shown{inner}</div></div>"
        );
        let text = text(&html);
        assert!(
            text.contains("shown") && !text.contains("secret"),
            "{inner}: {text}"
        );
        let notes = notes(&html);
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(
            notes[1].starts_with("hidden text is left out: 1 element, 6 "),
            "{notes:?}"
        );
    }
}

#[test]
fn invisible_content_of_a_closed_box_is_shown_with_it() {
    let html = "<div role=button aria-expanded=false>A</div><div style='height:0;overflow:hidden'>
        <div style='visibility:hidden'>x</div></div>";
    assert_eq!(notes(html), ONE);
    assert!(text(html).ends_with('x'));
}

#[test]
fn content_of_details_is_shown() {
    let html = "<details><summary>A</summary><p>x</details>";
    assert!(text(html).ends_with('x'));
    assert!(notes(html).is_empty());
    let html = "<p hidden=until-found>x</p>";
    assert!(text(html).ends_with('x'));
}

#[test]
fn note_of_a_section_counts_its_panels_only() {
    let html = whole(
        "<h2 id=a>A</h2><button aria-controls=p aria-expanded=false>B</button><p id=p hidden>x</p>
         <h2 id=b>C</h2><p>y",
    );
    for (id, notes) in [("a", ONE), ("b", &[]), ("p", ONE)] {
        let options = Options {
            extent: Extent::Section(id),
            url: None,
        };
        assert_eq!(page(&html, &options).unwrap().notes, notes, "{id}");
    }
}

#[test]
fn many_controls_and_panels_take_linear_time() {
    let mut html = String::new();
    for at in 0..100_000 {
        html.push_str(&format!(
            "<b role=tab id=t{at} aria-controls='p{at} p0 p1'>A</b><p id=p{at} role=tabpanel hidden>x"
        ));
    }
    let note = |count: usize| format!("text that a click opens is shown: {count} elements");
    assert_eq!(notes(&html), [note(100_000)]);
    // Each panel has the control of the next one.
    let mut html = String::from("<b aria-expanded=false aria-controls=p0>A</b>");
    for at in 0..50_000 {
        let next = at + 1;
        html.push_str(&format!(
            "<div id=p{at} hidden><b aria-expanded=false aria-controls=p{next}>A</b></div>"
        ));
    }
    assert_eq!(notes(&html), [note(50_000)]);
}
