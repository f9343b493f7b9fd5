use super::*;

fn full(html: &str) -> String {
    let options = Options {
        extent: Extent::Full,
        url: None,
    };
    page(html, &options).unwrap().text
}

fn section(html: &str, id: &str) -> Result<String, NoSection> {
    let options = Options {
        extent: Extent::Section(id),
        url: None,
    };
    page(html, &options).map(|page| page.text)
}

#[test]
fn section_is_selected_by_id() {
    let html = "<h1>T</h1><h2 id=a>A</h2><p>1</p><h3>B</h3><p>2</p><h2>C d</h2><p>3</p>
                <div class=h><h2 id=e>E</h2><a>edit</a></div><p>4</p><a name=g></a><h2>G</h2><p>5</p>
                <dl><dt id=t>T<dd>6<dt>U</dl><p id=p>7</p>";
    for (id, expected) in [
        ("a", "## A\n\n1\n\n### B\n\n2"),
        ("c-d", "## C d\n\n3"),
        ("C_d", "## C d\n\n3"),
        ("e", "## E\n\nedit\n\n4"),
        ("g", "## G\n\n5\n\n- **T**\n  - 6\n- **U**\n\n7"),
        ("t", "**T**\n\n6"),
        ("p", "7"),
        ("%70", "7"),
    ] {
        assert_eq!(section(html, id).as_deref(), Ok(expected), "{id}");
    }
    let missing = section(html, "x").unwrap_err();
    assert_eq!(missing.to_string(), "the page has the sections #a, #e");
}

#[test]
fn section_of_a_term_has_the_definitions_that_it_shares() {
    let html = "<dl><dt id=a>A<dt id=b>B<dd>1<dt id=c>C<dd>2</dl>";
    for id in ["a", "b"] {
        assert_eq!(section(html, id).as_deref(), Ok("**A**\n\n**B**\n\n1"));
    }
    assert_eq!(section(html, "c").as_deref(), Ok("**C**\n\n2"));
}

#[test]
fn section_ends_only_at_a_heading_that_starts_an_element() {
    let html = "<h2 id=a>A</h2><p>1</p><div><p>2</p><h2>B</h2></div><div><h2>C</h2></div>";
    assert_eq!(section(html, "a").as_deref(), Ok("## A\n\n1\n\n2\n\n## B"));
}

#[test]
fn markup_without_an_end_is_reported() {
    let options = Options {
        extent: Extent::Full,
        url: None,
    };
    let notes = |html: &str| page(html, &options).unwrap().notes;
    assert_eq!(
        notes("<p>a<!-- b"),
        ["a comment has no end; the rest of the page is left out"]
    );
    assert_eq!(
        notes("<p>a<title>b"),
        ["`<title>` has no end; the rest of the page is its content"]
    );
    assert!(notes("<p>a<!-- b --><title>c</title>").is_empty());
}

#[test]
fn links_are_absolute_if_the_base_is_known() {
    let html = "<base href='https://x.org/d/'><a href=a>a</a> <img src=/i.png>";
    assert_eq!(
        full(html),
        "[a](https://x.org/d/a) ![](https://x.org/i.png)"
    );
    let options = Options {
        extent: Extent::Full,
        url: Some("https://y.org/p/q.html"),
    };
    let page = page("<a href=../a?b#c>a</a>", &options).unwrap();
    assert_eq!(page.text, "[a](https://y.org/a?b#c)");
}

#[test]
fn hidden_text_is_reported() {
    let html = format!("<p>{}<p style='display:none'>secret", "text ".repeat(50));
    let options = Options {
        extent: Extent::Full,
        url: None,
    };
    let page = page(&html, &options).unwrap();
    assert!(!page.text.contains("secret"));
    assert_eq!(
        page.notes,
        ["hidden text is left out: 1 element, 6 characters (display:none)"]
    );
}

#[test]
fn hidden_text_of_a_frame_in_an_attribute_is_reported() {
    let frame = "<iframe srcdoc='<p>Frame</p><p hidden>abc</p>'></iframe>";
    let html = format!(
        "<p>{}<p style='opacity:0'>de</p><h2 id=a>A</h2>{frame}{frame}",
        "text ".repeat(50)
    );
    let note = "hidden text is left out: 3 elements, 8 characters (transparent, attribute hidden)";
    for (extent, note) in [
        (Extent::Full, note),
        (
            Extent::Section("a"),
            "hidden text is left out: 2 elements, 6 characters (attribute hidden)",
        ),
    ] {
        let page = page(&html, &Options { extent, url: None }).unwrap();
        assert!(page.text.contains("Frame") && !page.text.contains("abc"));
        assert_eq!(page.notes, [note]);
    }
    let notes = fragment(&html, None).notes;
    assert_eq!(notes, [note]);
}

#[test]
fn page_of_frames_shows_their_addresses_and_the_text_for_browsers_without_frames() {
    let html = "<html><head><title>T</title></head><frameset cols='9,*'>\
                <frame src=menu.html name=menu><frameset><frame src=text.html></frameset>\
                <noframes><body>The <b>text</b><p>More</body></noframes></frameset></html>";
    let options = Options::default();
    let converted = page(html, &options).unwrap();
    assert_eq!(
        converted.text,
        "[menu](menu.html)\n\n[frame](text.html)\n\nThe **text**\n\nMore"
    );
    let note = "the page consists of frames: their addresses and the text for browsers without \
                frames are shown";
    assert_eq!(converted.notes, [note]);
    assert_eq!(full(html), converted.text);
    // Browsers ignore frames in a body.
    let html = "<body>A<frameset><frame src=x><noframes>B</noframes></frameset>C";
    assert_eq!(full(html), "AC");
}

#[test]
fn nul_characters_are_left_out_with_a_note() {
    let converted = page("<p id='a\0'>a\0b\0</p>", &Options::default()).unwrap();
    assert_eq!(converted.text, "ab");
    assert_eq!(converted.notes[0], "3 NUL characters are left out");
}

#[test]
fn note_of_a_section_counts_its_hidden_text_only() {
    let html = "<p hidden>abc</p><h2 id=a>A</h2><p>1</p><p hidden>d</p>
                <h2 id=b>B</h2><p>2</p><p style='opacity:0'>ef</p><h2 id=c>C</h2><p>3";
    for (id, text, notes) in [
        (
            "a",
            "## A\n\n1",
            &["hidden text is left out: 1 element, 1 character (attribute hidden)"] as &[&str],
        ),
        (
            "b",
            "## B\n\n2",
            &["hidden text is left out: 1 element, 2 characters (transparent)"],
        ),
        ("c", "## C\n\n3", &[]),
    ] {
        let options = Options {
            extent: Extent::Section(id),
            url: None,
        };
        let converted = page(html, &options).unwrap();
        assert_eq!(converted.text, text);
        assert_eq!(converted.notes, notes, "{id}");
    }
}

#[test]
fn hidden_section_is_shown_with_a_note() {
    let visible = "<p>Visible</p>".repeat(10);
    for (html, text, how) in [
        ("<p id=a hidden>x", "x", "attribute hidden"),
        (
            "<div style='display:none'><h2 id=a>A</h2><p style='opacity:0'>x</div>",
            "## A\n\nx",
            "display:none",
        ),
        (
            "<div style='color:#fff'><h2 id=a>A</h2><p>x</div>",
            "## A\n\nx",
            "colour of the background",
        ),
        (
            "<h2 id=a hidden>A</h2><p style='opacity:0'>x",
            "## A\n\nx",
            "attribute hidden, transparent",
        ),
    ] {
        let options = Options {
            extent: Extent::Section("a"),
            url: None,
        };
        let converted = page(&format!("{visible}{html}"), &options).unwrap();
        assert_eq!(converted.text, text, "{html}");
        let note = format!("this section is hidden on the page ({how})");
        assert_eq!(converted.notes, [note], "{html}");
    }
}

#[test]
fn fragment_has_a_table_unless_it_only_arranges_text() {
    assert!(fragment("<table><tr><th>x</table>", None).has_table);
    for html in [
        "<table><tr><td>x</table>",
        "<table></table>",
        "<pre>| --- |</pre>",
    ] {
        assert!(!fragment(html, None).has_table, "{html}");
    }
}

#[test]
fn spans_that_are_not_repeated_have_a_note() {
    let rows = "<tr><td colspan=1000 rowspan=65534>x<td>y".repeat(100);
    let note = "some cells that span several columns or rows are shown once: repeated in each, \
                their text would be too long";
    let converted = fragment(&format!("<table>{rows}</table>"), None);
    assert_eq!(converted.notes, [note]);
}

#[test]
fn hidden_text_is_not_in_facts() {
    let html = "<title>A tale</title><h1>A tale</h1><p class=byline>By Ann Bee\
        <span style='display:none'> and Eve Mallory</span></p><p hidden class=byline>By Eve Mallory</p>\
        <div hidden><meta itemprop=datePublished content=2020-02-03></div>\
        <p hidden itemprop=headline>A lie</p><span hidden itemprop=author>Eve Mallory</span><p>Text of the tale.</p>";
    let page = page(html, &Options::default()).unwrap();
    let fact = |name| {
        let mut facts = page.metadata.iter().filter(|(known, _)| *known == name);
        facts.next().map(|(_, value)| value.as_str())
    };
    assert_eq!(fact("title"), Some("A tale"));
    assert_eq!(fact("author"), Some("Ann Bee"));
    assert_eq!(fact("published"), Some("2020-02-03"));
}

#[test]
fn hidden_text_after_an_image_or_an_anchor_is_left_out_of_its_section() {
    for start in ["<h2 id=a><img src=x alt=Setup></h2>", "<a id=a></a>"] {
        let html = format!("<h1>T</h1>{start}<p hidden>Secret</p><h2 id=b>B</h2><p>Text.</p>");
        let options = Options {
            extent: Extent::Section("a"),
            ..Options::default()
        };
        let page = page(&html, &options).unwrap();
        assert!(!page.text.contains("Secret"), "{start}: {}", page.text);
        let is_stated = |note: &String| note.starts_with("hidden text is left out");
        let notes = &page.notes;
        assert!(
            start.starts_with("<a") || notes.iter().any(is_stated),
            "{notes:?}"
        );
    }
}

#[test]
fn elements_without_text_may_precede_frames() {
    for start in [
        "<head><bgsound src=a.mid></head>",
        "<div> </div>",
        "<title>T</title>",
    ] {
        let html =
            format!("{start}<frameset><frame src=x.html><noframes>Text</noframes></frameset>");
        let page = page(&html, &Options::default()).unwrap();
        assert!(
            page.text.contains("x.html") && page.text.contains("Text"),
            "{start}: {}",
            page.text
        );
    }
    let html = "<p>Text<frameset><frame src=x.html></frameset>";
    let page = page(html, &Options::default()).unwrap();
    assert!(!page.text.contains("x.html"));
    let note = "`<frameset>` and `<frame>` after the start of a body are ignored";
    assert!(page.notes.iter().any(|one| one == note), "{:?}", page.notes);
}

/// Addresses of a chapter: links to other chapters are text, and images have numbers.
struct Numbers;

impl Addresses for Numbers {
    fn link(&self, address: &str) -> Option<String> {
        address.starts_with("https:").then(|| address.to_owned())
    }

    fn image(&self, address: &str) -> Option<String> {
        (address == "a.png").then(|| "image:7".to_owned())
    }

    fn local_id<'t>(&self, address: &'t str) -> Option<&'t str> {
        address.strip_prefix("own.xhtml#")
    }
}

#[test]
fn chapter_shows_its_own_addresses() {
    let text = chapter(
        "<a id='x'/><p><a href='b.xhtml'>b</a> <a href='https://x.org'>x</a>\
         <img src='a.png' alt='i'/><svg><image xlink:href='a.png'/></svg>\
         <img src='b.png'/><sup><a href='own.xhtml#n'>2</a></sup></p>\
         <aside id='n'>note</aside>",
        &Numbers,
    );
    assert_eq!(
        text.text,
        "b [x](https://x.org)![i](image:7)![](image:7)[^2]\n\n[^2]: note"
    );
}

#[test]
fn tags_of_xhtml_may_end_at_once() {
    let text = chapter("<title/><p>a<b/> c</p><p/><script/><p>d</p>", &Numbers);
    assert_eq!(text.text, "a c\n\nd");
    assert_eq!(fragment("<p>a<b/> c</p>", None).text, "a **c**");
}

#[test]
fn page_without_text_shows_the_article_in_its_metadata() {
    let ld = r#"{"@type":"NewsArticle","headline":"Rain","articleBody":"It rained. 2 * 3 boats."}"#;
    let scripted = |ld: &str, text: &str| {
        let html = format!(
            "<div id=root>{text}</div><script type='application/ld+json'>{ld}</script>\
             <script>start()</script><noscript>Enable scripts.</noscript>"
        );
        page(&html, &Options::default()).unwrap()
    };
    let found = scripted(ld, "");
    assert_eq!(found.text, "It rained. 2 * 3 boats.");
    assert!(found.notes[0].contains("JSON-LD"), "{:?}", found.notes);
    let found = scripted("{}", "");
    assert_eq!(found.notes, ["the page has no text without scripts"]);
    let found = scripted(ld, &"A text of the page. ".repeat(9));
    assert!(found.text.starts_with("A text"), "{}", found.text);
    assert!(found.notes.iter().all(|note| !note.contains("scripts")));
}

/// A page of a product whose JSON-LD has a description, and which shows `shown`.
fn product(description: &str, shown: &str) -> Converted {
    let facts = "<p>The lamp is sold with a wick, and it is filled with oil before it is lit.</p>";
    let html = format!(
        "<title>Lantern</title><script type='application/ld+json'>{{\"@type\":\"Product\",\
         \"name\":\"Lantern\",\"description\":\"{description}\"}}</script>\
         <main><h1>Lantern</h1>{}{shown}</main>",
        facts.repeat(10)
    );
    page(&html, &Options::default()).unwrap()
}

#[test]
fn description_of_product_that_only_the_metadata_has_is_shown() {
    let description = "A lantern of brass that keepers of lighthouses have carried since the year \
                       1870, when the first of them was made in the old harbour of Skerry by hand.";
    let found = product(description, "");
    assert!(
        found.text.starts_with("A lantern of brass"),
        "{}",
        found.text
    );
    assert!(found.notes.iter().any(|note| note.contains("JSON-LD")));
    let shown = format!("<p>{}</p>", description.replace("brass", "<b>brass</b>"));
    let found = product(description, &shown);
    assert_eq!(found.text.matches("keepers of lighthouses").count(), 1);
    assert!(!found.notes.iter().any(|note| note.contains("JSON-LD")));
    let found = product("A lantern of brass", "");
    assert!(found.text.starts_with("# Lantern"), "{}", found.text);
}

#[test]
fn page_without_main_text_is_shown_without_its_navigation_and_says_so() {
    let html = "<nav><a href=/>Home</a></nav><p>Open from 9 to 5.</p><footer>Imprint</footer>";
    let found = page(html, &Options::default()).unwrap();
    assert_eq!(found.text, "Open from 9 to 5.");
    assert_eq!(
        found.notes,
        [
            "all but navigation and footer is shown: the main text would have fewer than 100 \
             words; `:full` shows the whole page"
        ]
    );
    let found = page("<p>Open from 9 to 5.</p>", &Options::default()).unwrap();
    assert_eq!(
        found.notes,
        ["the whole page is shown: its main text would have fewer than 100 words"]
    );
}
