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
