//! The rules of the insertion modes, each with an example. A tree is written as
//! `element(content)`, and a text in quotes.

mod limits;
mod tables;

use crate::dom::{Document, Id, Tag, parse, parse_fragment, parse_xhtml};

fn write(document: &Document, id: Id, out: &mut String) {
    for child in document.children(id) {
        if !out.is_empty() && !out.ends_with('(') {
            out.push(' ');
        }
        if let Some(text) = document.text(child) {
            out.push('"');
            out.push_str(&text.escape_debug().to_string());
            out.push('"');
            continue;
        }
        out.push_str(match document.tag(child) {
            None | Some(Tag::Other) => "other",
            Some(tag) => tag.name(),
        });
        if document.first_child(child).is_some() {
            out.push('(');
            write(document, child, out);
            out.push(')');
        }
    }
}

fn shown(document: &Document) -> String {
    let mut out = String::new();
    write(document, Id::ROOT, &mut out);
    out
}

/// Compares the trees of pages.
#[track_caller]
fn pages(cases: &[(&str, &str)]) {
    for (html, tree) in cases {
        assert_eq!(shown(&parse(html)), *tree, "{html}");
    }
}

/// Compares the trees of fragments.
#[track_caller]
fn fragments(cases: &[(&str, &str)]) {
    for (html, tree) in cases {
        assert_eq!(shown(&parse_fragment(html)), *tree, "{html}");
    }
}

#[test]
fn page_has_a_head_and_a_body() {
    pages(&[
        ("", "html(head body)"),
        ("  \n x y", "html(head body(\"x y\"))"),
        (
            "<meta><title>a</title>b",
            "html(head(meta title(\"a\")) body(\"b\"))",
        ),
        (
            "<head> <link> </head> <body>a",
            "html(head(\" \" link \" \") \" \" body(\"a\"))",
        ),
        ("<html><head></head><link><p>", "html(head(link) body(p))"),
        ("</p><br></head>", "html(head body(br))"),
        ("</br>", "html(head body(br))"),
        ("<head><head><body></head>a", "html(head body(\"a\"))"),
        (
            "<script>a</script> <script>",
            "html(head(script(\"a\") \" \" script) body)",
        ),
        (
            "<head></head><style>b</style>c",
            "html(head(style(\"b\")) body(\"c\"))",
        ),
    ]);
}

#[test]
fn text_after_the_body_is_in_it() {
    pages(&[
        ("<body>a</body> b", "html(head body(\"a b\"))"),
        (
            "<p>a</body></html><div>b",
            "html(head body(p(\"a\") div(\"b\")))",
        ),
        ("<p>a</html></div>b", "html(head body(p(\"ab\")))"),
    ]);
}

#[test]
fn attributes_of_a_second_body_are_added() {
    let document = parse("<p>a<body class=x><html lang=de>");
    let body = document.find(Tag::Body).unwrap();
    assert_eq!(document.attribute(body, crate::dom::Name::Class), Some("x"));
    let html = document.find(Tag::Html).unwrap();
    assert_eq!(document.attribute(html, crate::dom::Name::Lang), Some("de"));
    assert_eq!(shown(&document), "html(head body(p(\"a\")))");
}

#[test]
fn noscript_in_the_head_ends_before_text() {
    pages(&[
        (
            "<head><noscript><link><style>a</style></noscript><title>b</title>",
            "html(head(noscript(link style(\"a\")) title(\"b\")) body)",
        ),
        ("<noscript><img>a", "html(head(noscript) body(img \"a\"))"),
        (
            "<body><noscript><img>a",
            "html(head body(noscript(img \"a\")))",
        ),
    ]);
}

#[test]
fn paragraphs_end_before_blocks() {
    fragments(&[
        ("<p>a<p>b", "p(\"a\") p(\"b\")"),
        ("<p>a<div>b</p>c", "p(\"a\") div(\"b\" p \"c\")"),
        ("<p>a<h2>b<h3>c</h2>d", "p(\"a\") h2(\"b\") h3(\"c\") \"d\""),
        ("<p>a<hr>b", "p(\"a\") hr \"b\""),
        (
            "<p><button>a<p>b</button>c",
            "p(button(\"a\" p(\"b\")) \"c\")",
        ),
        ("<p><span>a<section>b", "p(span(\"a\")) section(\"b\")"),
        ("<p><xmp>a<b></xmp>c", "p xmp(\"a<b>\") \"c\""),
        ("a</p>b", "\"a\" p \"b\""),
        ("<p>a<plaintext><b>c", "p(\"a\") plaintext(\"<b>c\")"),
    ]);
}

#[test]
fn tables_are_in_paragraphs_of_old_pages_only() {
    let in_paragraph = "html(head body(p(table)))";
    let after = "html(head body(p table))";
    pages(&[
        ("<p><table>", in_paragraph),
        ("<!DOCTYPE html><p><table>", after),
        ("<!DOCTYPE svg><p><table>", in_paragraph),
        (
            "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2 Final//EN'><p><table>",
            in_paragraph,
        ),
        (
            "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'><p><table>",
            in_paragraph,
        ),
        (
            "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://x/loose.dtd'><p><table>",
            after,
        ),
        (
            "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN'><p><table>",
            after,
        ),
    ]);
    fragments(&[("<p><table>", "p table")]);
}

#[test]
fn items_end_before_the_next_ones() {
    fragments(&[
        (
            "<ul><li>a<li>b<ul><li>c</ul>d",
            "ul(li(\"a\") li(\"b\" ul(li(\"c\")) \"d\"))",
        ),
        ("<li><div>a<li>b", "li(div(\"a\")) li(\"b\")"),
        ("<li><section>a<li>b", "li(section(\"a\" li(\"b\")))"),
        (
            "<dl><dt>a<dd>b<p>c<dt>d",
            "dl(dt(\"a\") dd(\"b\" p(\"c\")) dt(\"d\"))",
        ),
        ("<ul><li>a</ol>b</li>c", "ul(li(\"ab\") \"c\")"),
        ("<ol><li><ul></li>a", "ol(li(ul(\"a\")))"),
        ("<dd>a</dt>b</dd>c", "dd(\"ab\") \"c\""),
    ]);
}

#[test]
fn end_tags_close_what_is_in_scope() {
    fragments(&[
        ("<div><span>a</div>b", "div(span(\"a\")) \"b\""),
        ("<div><other>a</div>b", "div(other(\"a\")) \"b\""),
        ("<x-a><x-b>a</x-a>b", "other(other(\"a\")) \"b\""),
        ("<x-a><x-b>a</x-c>b", "other(other(\"ab\"))"),
        ("<span><div>a</span>b", "span(div(\"ab\"))"),
        ("<div><object></div>a</object>b", "div(object(\"a\") \"b\")"),
        ("<h1>a</h4>b", "h1(\"a\") \"b\""),
        ("<div><form>a</div>b</form>c", "div(form(\"a\")) \"bc\""),
        ("<form><div>a</form>b</div>c", "form(div(\"ab\")) \"c\""),
        ("<form><form>a</form>b", "form(\"a\") \"b\""),
    ]);
}

#[test]
fn form_ends_with_its_block() {
    fragments(&[
        ("<div><form>a</div>b<form>c", "div(form(\"a\")) \"bc\""),
        ("<form><p>a</form>b", "form(p(\"a\")) \"b\""),
    ]);
}

#[test]
fn line_break_at_the_start_of_a_text_block_is_ignored() {
    fragments(&[
        ("<pre>\n\na</pre>", "pre(\"\\na\")"),
        ("<pre>\r\na</pre>", "pre(\"a\")"),
        ("<textarea>\n<b></textarea>", "textarea(\"<b>\")"),
        ("<listing>\na", "listing(\"a\")"),
        ("<pre><b>\na", "pre(b(\"\\na\"))"),
        ("<pre><!-- -->\na", "pre(\"\\na\")"),
    ]);
}

#[test]
fn formatting_continues_in_the_next_block() {
    fragments(&[
        ("<p><b>a<p>c", "p(b(\"a\")) p(b(\"c\"))"),
        ("<p><b><i>a</p> c", "p(b(i(\"a\"))) b(i(\" c\"))"),
        ("<p><i>a</p></i>b", "p(i(\"a\")) \"b\""),
        (
            "<p><b><b><b><b>a<p>b",
            "p(b(b(b(b(\"a\"))))) p(b(b(b(\"b\"))))",
        ),
        (
            "<p><font size=1><font size=2><font size=1>a<p>b",
            "p(font(font(font(\"a\")))) p(font(font(font(\"b\"))))",
        ),
        (
            "<p><i class=x id=y><i id=y class=x><i class=x id=y><i class=x id=y>a<p>b",
            "p(i(i(i(i(\"a\"))))) p(i(i(i(\"b\"))))",
        ),
        (
            "<p><b>a<object>b<p>c</object>d",
            "p(b(\"a\" object(\"b\" p(\"c\")) \"d\"))",
        ),
    ]);
}

#[test]
fn formatting_that_ends_in_a_block_leaves_it() {
    fragments(&[
        ("<b>a<p>c</b>d", "b(\"a\") p(b(\"c\") \"d\")"),
        ("<b><i>a</b>c</i>d", "b(i(\"a\")) i(\"c\") \"d\""),
        (
            "<b>a<div>c<p>d</b>e",
            "b(\"a\") div(b(\"c\") p(b(\"d\") \"e\"))",
        ),
        ("<i><b>a<p>c</i>d", "i(b(\"a\")) b(p(i(\"c\") \"d\"))"),
        ("<b><object>a</b>c</object>d", "b(object(\"ac\") \"d\")"),
        ("</b>a", "\"a\""),
    ]);
}

#[test]
fn link_ends_before_the_next_one() {
    fragments(&[
        ("<a>a<a>b", "a(\"a\") a(\"b\")"),
        ("<a>a<p>b<a>c", "a(\"a\") p(a(\"b\") a(\"c\"))"),
        (
            "<a>a<table><td><a>b",
            "a(\"a\" table(tbody(tr(td(a(\"b\"))))))",
        ),
        ("<a>a<table><a>b", "a(\"a\" a(\"b\") table)"),
        ("<nobr>a<nobr>b", "nobr(\"a\") nobr(\"b\")"),
    ]);
}

#[test]
fn controls_end_before_the_next_ones() {
    fragments(&[
        (
            "<select><option>a<option>b<optgroup>c<option>d<hr>",
            "select(option(\"a\") option(\"b\") optgroup(\"c\" option(\"d\")) hr)",
        ),
        ("<select>a<select>b", "select(\"a\") \"b\""),
        ("<select>a<input>b", "select(\"a\") input \"b\""),
        (
            "<select><div>a</div><b>c</select>d",
            "select(div(\"a\") b(\"c\")) b(\"d\")",
        ),
        (
            "<option>a<option>b<p>c",
            "option(\"a\") option(\"b\" p(\"c\"))",
        ),
        ("<button>a<button>b", "button(\"a\") button(\"b\")"),
        ("<image src=a>", "img"),
    ]);
}

#[test]
fn annotations_of_ruby_end_before_the_next_ones() {
    fragments(&[
        ("<ruby>a<rt>b<rp>c", "ruby(\"a\" rt(\"b\") rp(\"c\"))"),
        (
            "<ruby>a<rtc>b<rt>c<rb>d",
            "ruby(\"a\" rtc(\"b\" rt(\"c\")) rb(\"d\"))",
        ),
        ("<rt>a<rp>b", "rt(\"a\" rp(\"b\"))"),
    ]);
}

#[test]
fn drawings_and_formulas_contain_html_in_some_elements_only() {
    fragments(&[
        (
            "<svg><g/><path><title>a<i>b</i></title></svg>c",
            "svg(other other(title(\"a\" i(\"b\")))) \"c\"",
        ),
        ("<svg><g>a<p>b", "svg(other(\"a\")) p(\"b\")"),
        (
            "<svg><foreignObject><p>a</svg>b",
            "svg(foreignobject(p(\"ab\")))",
        ),
        ("<svg><desc><svg><p>a", "svg(desc(svg p(\"a\")))"),
        (
            "<svg><font>a</font><font size=1>b",
            "svg(font(\"a\")) font(\"b\")",
        ),
        (
            "<svg><script>a<b/></script>c",
            "svg(script(\"a\")) b(\"c\")",
        ),
        ("<math><mi><p>a</math>b", "math(mi(p(\"ab\")))"),
        (
            "<math><mrow><mglyph>a<mi><mglyph/>b",
            "math(mrow(mglyph(\"a\" mi(mglyph \"b\"))))",
        ),
        (
            "<math><annotation-xml encoding='Text/HTML'><p>a",
            "math(annotation-xml(p(\"a\")))",
        ),
        (
            "<math><annotation-xml><p>a",
            "math(annotation-xml) p(\"a\")",
        ),
        (
            "<math><annotation-xml><svg><g>a",
            "math(annotation-xml(svg(other(\"a\"))))",
        ),
        ("<b><svg></b>a", "b(svg) \"a\""),
        ("<svg><G>a</g>b</svg>c", "svg(other(\"a\") \"b\") \"c\""),
        ("<svg></p>a", "svg p \"a\""),
        ("<svg><![CDATA[<p>]]>a", "svg(\"<p>a\")"),
        ("<svg>a\0b<title>c\0d", "svg(\"a\u{fffd}b\" title(\"cd\"))"),
    ]);
}

#[test]
fn frames_replace_a_body_without_content() {
    pages(&[
        (
            "<frameset><frame><frameset></frameset> a</frameset>b",
            "html(head frameset(frame frameset \" \"))",
        ),
        ("<div> </div><frameset>", "html(head frameset)"),
        ("<input type=hidden><frameset>", "html(head frameset)"),
        ("<input><frameset>", "html(head body(input))"),
        ("a<frameset>", "html(head body(\"a\"))"),
        ("<br><frameset><frame>", "html(head body(br))"),
        ("<body><frameset>", "html(head body)"),
        (
            "<frameset><noframes><p>a</noframes><frame></frameset><noframes>b",
            "html(head frameset(div(p(\"a\")) frame) div(\"b\"))",
        ),
    ]);
}

#[test]
fn fragment_has_no_head() {
    fragments(&[
        ("<style>a</style><p>b", "style(\"a\") p(\"b\")"),
        ("<title>a</title><meta>b", "title(\"a\") meta \"b\""),
        (
            "<html><head><title>a</title></head><body><p>b</body></html> c",
            "title(\"a\") p(\"b c\")",
        ),
        ("<td>a<frameset>b", "\"ab\""),
    ]);
}

#[test]
fn any_element_of_xhtml_may_have_no_end_tag() {
    let xhtml = "<html><head><title/><script src='a'/></head><body><p/><a id='x'/><div/>a<td/>";
    let tree = "html(head(title script) body(p a div \"a\"))";
    assert_eq!(shown(&parse_xhtml(xhtml)), tree);
}
