use super::*;
use crate::dom::{Marks, parse_fragment};
use proptest::prelude::*;

fn markdown(html: &str) -> String {
    rendered(html).text
}

fn rendered(html: &str) -> Rendered {
    let document = parse_fragment(html);
    let settings = Settings {
        addresses: None,
        dropped: &Marks::default(),
        base: None,
        is_main: false,
        in_frame: false,
    };
    render(&document, &[document.body()], settings)
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(markdown(html), *expected, "{html}");
    }
}

#[test]
fn blocks_are_separated_by_empty_lines() {
    check(&[
        ("<p>a</p><p>b\n c</p>", "a\n\nb c"),
        ("a<div>b</div>c", "a\n\nb\n\nc"),
        ("<h1>a</h1><h3><b>b</b></h3>", "# a\n\n### b"),
        (
            "<blockquote><p>a<p>b<ul><li>c</ul></blockquote>d",
            "> a\n>\n> b\n>\n> - c\n\nd",
        ),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<details><summary>a</summary>b</details>", "**a**\n\nb"),
        ("<div role=heading aria-level=3>a</div>", "### a"),
        ("<custom-card><p>a</p></custom-card>", "a"),
        ("<p>a<br>b<br><br>c", "a  \nb\n\nc"),
        (
            "<figure><img src=x alt=y><figcaption>z</figcaption></figure>",
            "![y](x)\n\nz",
        ),
    ]);
}

#[test]
fn scripts_and_controls_are_not_text() {
    check(&[
        (
            "<style>p{}</style>a<script>if (a<b) {}</script><template>t</template>",
            "a",
        ),
        ("<!-- x --><title>t</title>a", "a"),
        ("<input value=v>a<select><option>b<option>c</select>", "a b"),
        ("<textarea>a</textarea><button>b</button>", "a b"),
        ("<svg><title>t</title><text>x</text></svg>", "![t, x]()"),
        (
            "<iframe src='https://x.org/v' title=Video></iframe>",
            "[Video](https://x.org/v)",
        ),
        (
            "<video><source src=v.mp4></video><audio src=a.ogg></audio>",
            "[video](v.mp4) [audio](a.ogg)",
        ),
        (
            "<object data=x.pdf title=Plan>fallback</object>",
            "[Plan](x.pdf) fallback",
        ),
        ("<embed src=x.svg>", "[embedded file](x.svg)"),
        ("<iframe src=/count width=1 height=1></iframe>a", "a"),
        (
            "<iframe srcdoc='<h2>t</h2><p hidden>h</p>a'></iframe>",
            "## t\n\na",
        ),
    ]);
}

#[test]
fn inline_formats_have_marks() {
    check(&[
        ("<b>a</b> <em>b</em> <s>c</s>", "**a** *b* ~~c~~"),
        ("<strong> a </strong>b", "**a** b"),
        ("<b></b><i> </i>a", "a"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
        ("H<sub>2</sub>O x<sup>2</sup>", "H_2O x^2"),
        ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "`Ctrl`+`C`"),
        ("<q>a</q>", "“a”"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        (
            "<code>a`b</code> <code><a href=x>f</a></code>",
            "``a`b`` [`f`](x)",
        ),
        ("<u>a</u><ins>b</ins><mark>c</mark>", "abc"),
    ]);
}

#[test]
fn digits_of_powers_and_indices_do_not_continue_the_number_before_them() {
    check(&[
        ("10<sup>4</sup> <i>x</i><sub>i</sub>", "10^4 *x*_i"),
        ("<code>-2<sup>31</sup> &lt; n</code>", "`-2^31 < n`"),
        (
            "<pre>a<sub>i+1</sub>\nO(n<sup>2</sup>)</pre>",
            "```\na_(i+1)\nO(n^2)\n```",
        ),
        ("the 1<sup>st</sup> of May", "the 1st of May"),
        ("a word<sup><a href=#n>[1]</a></sup>.", "a word[[1]](#n)."),
        ("3<sup>1</sup>/<sub>2</sub>", "3<sup>1</sup>/<sub>2</sub>"),
        (
            "a<sup>see the last page</sup>",
            "a<sup>see the last page</sup>",
        ),
    ]);
}

#[test]
fn declarative_shadow_root_is_shown() {
    check(&[
        (
            "<x-a><template shadowrootmode=open><h2>t</h2><p>a</p></template></x-a>",
            "## t\n\na",
        ),
        ("<x-a><template><p>a</p></template></x-a>b", "b"),
    ]);
}

#[test]
fn links_and_images_have_addresses() {
    check(&[
        ("<a href=x>a</a>", "[a](x)"),
        ("<a href='javascript:x'>a</a><a>b</a>", "ab"),
        ("<a href='a b(c)'>a</a>", "[a](a%20b%28c%29)"),
        ("<a href=x></a>a", "a"),
        (
            "<a href=x><div><h3>t</h3><p>a</p></div></a>",
            "### [t](x)\n\na",
        ),
        ("<a href=x><img src=y alt=z></a>", "[![z](y)](x)"),
        (
            "<img src='data:image/gif;base64,x'><img src='data:x' alt=a>",
            "![a]()",
        ),
        ("<img data-src=l.png src=blank.gif alt=a>", "![a](l.png)"),
        ("<img srcset='s.png 1x, l.png 2x'>", "![](l.png)"),
        (
            "<picture><source srcset='s.webp 100w, l.webp 800w'><img alt=p></picture>",
            "![p](l.webp)",
        ),
        ("<img src=pixel.gif width=1 height=1>a", "a"),
        ("<a href='//x.org'>a</a>", "[a](https://x.org)"),
    ]);
}

#[test]
fn lists_have_the_numbers_of_the_page() {
    check(&[
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", "- a\n- b\n  - c\n\nd"),
        (
            "<ol start=3><li>a<li value=9>b<li>c</ol>",
            "3. a\n9. b\n10. c",
        ),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol type=a><li>a<li>b</ol>", "a. a\nb. b"),
        ("<ol type=I start=4><li>a</ol>", "IV. a"),
        ("<ol><li><p>a</p><p>b</p><li>c</ol>", "1. a\n\n   b\n2. c"),
        ("<ul>a<ul><li>b</ul></ul>", "a\n\n  - b"),
        (
            "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>",
            "- [x] a\n- [ ] b",
        ),
        ("<li>a<li>b", "- a\n- b"),
        (
            "<dl><dt>a<dd>b<dd>c<dt>d</dl>",
            "- **a**\n  - b\n  - c\n- **d**",
        ),
        ("<dl><div><dt>a<dd>b</div></dl>", "- **a**\n  - b"),
    ]);
}

#[test]
fn code_has_its_language() {
    check(&[
        ("<pre>a\n  b\n</pre>", "```\na\n  b\n```"),
        (
            "<pre><code class=language-rust>fn a() {}</code></pre>",
            "```rust\nfn a() {}\n```",
        ),
        (
            "<div class='highlight-python notranslate'><pre>a</pre></div>",
            "```python\na\n```",
        ),
        ("<pre data-lang=sql>a</pre>", "```sql\na\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        (
            "<pre><span class=lineno>1</span>a<br>b<button>Copy</button></pre>",
            "```\na\nb\n```",
        ),
        (
            "<table class=highlighttable><tr><td class=linenos><pre>1</pre><td><pre><code class=language-c>a</code></pre></table>",
            "```c\na\n```",
        ),
    ]);
}

#[test]
fn tables_are_kept_if_they_contain_data() {
    check(&[
        (
            "<table><tr><th>a<th>b|c<tr><td>1<td>x<br>y</table>",
            "|a|b\\|c|\n|-|-|\n|1|x<br>y|",
        ),
        (
            "<table><tr><td>a<td>b<tr><td>1<td>2</table>",
            "|a|b|\n|-|-|\n|1|2|",
        ),
        (
            "<table><caption>c</caption><tr><th>a<tr><td>b</table>",
            "c\n\n|a|\n|-|\n|b|",
        ),
        ("<table><tr><td>a</table>", "a"),
        ("<table><tr><td><h2>a</h2>b<td>c</table>", "## a\n\nb\n\nc"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a b"),
        (
            "<table><tr><td>a<table><tr><td>b</table><td>c</table>",
            "a\n\nb\n\nc",
        ),
        (
            "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>1</table>",
            "|a|b|\n|-|-|\n|- x<br>- y|1|",
        ),
        (
            "<table><tr><th>a<tr><td><pre>x|y</pre></table>",
            "|a|\n|-|\n|`x\\|y`|",
        ),
    ]);
}

#[test]
fn cells_that_span_others_are_repeated() {
    check(&[
        (
            "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>",
            "|a|b|\n|-|-|\n|1|2|\n|1|3|",
        ),
        (
            "<table><tr><th colspan=2>a<tr><td>1<td>2</table>",
            "|a|a|\n|-|-|\n|1|2|",
        ),
        (
            "<table><thead><tr><th colspan=2>a<th rowspan=2>c<tr><th>x<th>y<tbody><tr><td>1<td>2<td>3</table>",
            "|a / x|a / y|c|\n|-|-|-|\n|1|2|3|",
        ),
        (
            "<table><tbody><tr><td rowspan=0>a<td>b<tr><td>c<tbody><tr><td>d<td>e</table>",
            "|a|b|\n|-|-|\n|a|c|\n|d|e|",
        ),
    ]);
}

#[test]
fn table_with_blocks_in_a_cell_stays_a_table() {
    check(&[
        (
            "<table><tr><td><h3>a</h3><p>b</p><td>c<tr><td>d<td>e</table>",
            "|a<br>b|c|\n|-|-|\n|d|e|",
        ),
        (
            "<table><tr><td>a<td><ol><li>b<li>c</ol><tr><td>d<td>e</table>",
            "|a|- b<br>- c|\n|-|-|\n|d|e|",
        ),
        (
            "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f</table></table>",
            "|a|b|\n|-|-|\n|c|d; e<br>f|",
        ),
        // Rows of different widths arrange a page.
        (
            "<table><tr><td colspan=2><h1>a</h1><tr><td>b<td>c<td>d</table>",
            "# a\n\nb c d",
        ),
    ]);
}

#[test]
fn spans_cost_no_more_than_the_page() {
    let mut html = "<table>".to_owned();
    for _ in 0..100 {
        html.push_str("<tr><td colspan=1000000000 rowspan=1000000000>x<td>z");
    }
    html.push_str(&"<tr><td>y<td>z".repeat(10_000));
    let shown = rendered(&html);
    assert!(shown.text.len() < html.len() * 8 + 2 * crate::limits::SPANNED_BYTES);
    assert!(shown.has_cut_spans);
    assert!(!rendered("<table><tr><th colspan=2>x</table>").has_cut_spans);
}

#[test]
fn footnotes_are_linked_by_label() {
    check(&[
        (
            "a<sup id=r1><a href=#n1>[1]</a></sup><ol><li id=n1><a href=#r1>↩</a> b</ol>",
            "a[^1]\n\n[^1]: b",
        ),
        (
            "a<a href=#n1 role=doc-noteref>*</a><p id=n1 role=doc-footnote>b <a href=#r role=doc-backlink>back</a>",
            "a[^*]\n\n[^*]: b",
        ),
        (
            "x<sup>2</sup> <sup><a href=#nowhere>1</a></sup>",
            "x^2 [1](#nowhere)",
        ),
    ]);
}

#[test]
fn math_is_latex() {
    check(&[
        ("<math><mi>x</mi><mo>=</mo><mn>2</mn></math>", "$x=2$"),
        ("<math display=block><mi>x</mi></math>", "$$x$$"),
        (
            "<math><semantics><mi>y</mi><annotation encoding=application/x-tex>{\\displaystyle x^2}</annotation></semantics></math>",
            "$x^2$",
        ),
        ("<math alttext='a_1'><mi>z</mi></math>", "$a_1$"),
        (
            "<script type='math/tex; mode=display'>\\int x</script>",
            "$$\\int x$$",
        ),
        (
            "<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></semantics></math></span><span class=katex-html>x</span></span>",
            "$x$",
        ),
    ]);
}

#[test]
fn ids_of_headings_are_shown_if_links_need_them() {
    check(&[
        (
            "<a href=#s1>x</a><h2 id=s1>Setup</h2>",
            "[x](#s1)\n\n## Setup {#s1}",
        ),
        (
            "<a href=#setup>x</a><h2 id=setup>Setup</h2>",
            "[x](#setup)\n\n## Setup",
        ),
        ("<h2 id=s1>Setup</h2>", "## Setup"),
        (
            "<h2 id=s1>Setup<a class=headerlink href=#s1>¶</a></h2>",
            "## Setup {#s1}",
        ),
    ]);
}

#[test]
fn text_that_looks_like_markdown_is_escaped() {
    check(&[
        ("<p># a<p>1. b<p>- c", "\\# a\n\n1\\. b\n\n\\- c"),
        (
            "*a* snake_case 5 * 3 &lt;b&gt; &amp;lt;",
            "\\*a\\* snake_case 5 * 3 \\<b> \\&lt;",
        ),
        ("<i>*a</i>", "*\\*a*"),
    ]);
}

#[test]
fn deep_nesting_is_flat_and_keeps_the_text() {
    for open in [
        "<div>",
        "<ul><li>",
        "<blockquote>",
        "<b>",
        "<table><tr><td>",
        "<dl><dd>",
        "<svg><g>",
        "<math><mrow>",
        "<sup>",
        "<a href=x>",
        "<details>",
        "<ol><li><p>",
    ] {
        let shown = markdown(&format!("{}x", open.repeat(20_000)));
        if !open.starts_with("<svg") {
            assert!(shown.contains('x'), "{open}");
        }
        assert!(shown.len() < 100_000, "{open}: {}", shown.len());
    }
}

#[test]
fn misnested_drawing_ends() {
    check(&[
        ("<b><svg></b><div>x", "x"),
        (
            "<p>hi <a href=x><svg><path d='M0'/></a><div>more",
            "hi\n\nmore",
        ),
    ]);
}

#[test]
fn long_words_take_linear_time() {
    for part in ["[", "]", "&amp;", "&lt;a", "_a", "*", "[1.02,2.31],", "~~"] {
        let shown = markdown(&part.repeat(100_000));
        assert!(shown.len() <= 2 * part.len() * 100_000, "{part}");
    }
    markdown(&format!("<math>{}</math>", "<mi>x</mi>".repeat(50_000)));
}

#[test]
fn link_in_text_is_not_a_link() {
    check(&[
        ("<a href=g>x](http://e)</a>", "[x\\](http://e)](g)"),
        ("[<b>x</b>](http://e)", "[**x**\\](http://e)"),
        ("[1] a]", "[1] a]"),
    ]);
}

#[test]
fn spaces_that_do_not_break_are_outside_of_marks() {
    check(&[
        ("<b>See:&nbsp;</b><a href=x>a</a>", "**See:** [a](x)"),
        ("<b>A</b>:<b>&nbsp;</b>b", "**A**: b"),
        // It says where a line may not end, which is layout. Searches are for usual spaces.
        ("a&nbsp;b&nbsp; c", "a b c"),
        ("10&#x202f;000&nbsp;€&nbsp;: « oui »", "10 000 € : « oui »"),
        ("<code>a&nbsp;b</code>", "`a b`"),
        ("<pre>a&nbsp;&nbsp;b</pre>", "```\na\u{a0}\u{a0}b\n```"),
        ("<b>a&nbsp; </b>b", "**a** b"),
        ("x<i> &nbsp;\na</i>b", "x *a*b"),
        ("<b>a&nbsp;\n</b>\n<i>b&emsp;</i>c", "**a** *b* c"),
        ("<a href=g>a&nbsp; </a>b", "[a](g) b"),
        ("<b>a&nbsp;b</b>", "**a b**"),
        ("a\u{3000}<u>b</u>", "a\u{3000}b"),
        ("<b>a&nbsp; </b>b <b> &nbsp;c</b>", "**a** b **c**"),
        ("a&shy;b&#x202e;c&#xfeff;", "ab\u{202e}c"),
    ]);
}

#[test]
fn pages_and_documents_are_written_in_one_way() {
    use omniread_document::markdown;
    use omniread_document::model::{Block, Cell, Inline, Style, Table};
    let text = |text: &str| vec![Inline::plain(text)];
    let styled = |text: &str, style| Inline::Text {
        text: text.to_owned(),
        style,
    };
    let link = |url: &str, content| Inline::Link {
        url: url.to_owned(),
        content,
    };
    let formula = |latex: &str, display| Inline::Math {
        latex: latex.to_owned(),
        display,
    };
    let image = |alt: &str, url: &str| Inline::LinkedImage {
        alt: alt.to_owned(),
        url: url.to_owned(),
    };
    let bold = |text: &str| styled(text, Style::BOLD);
    let italic = |text: &str| styled(text, Style::ITALIC);
    let item = |depth, marker: &str, content| Block::Item {
        depth,
        marker: marker.to_owned(),
        blocks: vec![Block::Paragraph(content)],
    };
    let cells = |row: &[&str]| row.iter().map(|text| Cell::text(*text)).collect::<Vec<_>>();
    let table = |rows: &[&[&str]]| {
        Block::Table(Table {
            rows: rows.iter().map(|row| cells(row)).collect(),
        })
    };
    let paragraphs = [
        // White space, and characters that are not shown.
        (
            " a\u{a0}b\u{2009}c\u{2028}d\u{b}e ",
            text(" a\u{a0}b\u{2009}c\u{2028}d\u{b}e "),
        ),
        (
            "a\u{2060}\u{ad}b\u{3000}c",
            text("a\u{2060}\u{ad}b\u{3000}c"),
        ),
        (
            "<b>a\u{3000}</b>b",
            vec![bold("a\u{3000}"), Inline::plain("b")],
        ),
        // Escapes.
        ("_a b_ _a b_c", text("_a b_ _a b_c")),
        ("a&lt;b c>d ] e", text("a<b c>d ] e")),
        ("<b>* a *</b>", vec![bold("* a *")]),
        ("x<b>_a_</b>", vec![Inline::plain("x"), bold("_a_")]),
        // Marks.
        ("<b>a</b><i>b</i>", vec![bold("a"), italic("b")]),
        (
            "<b>a</b> <b><i>b</i></b>",
            vec![
                bold("a"),
                Inline::plain(" "),
                styled("b", Style::BOLD.with(Style::ITALIC)),
            ],
        ),
        (
            "<i>a </i><s> b</s>",
            vec![italic("a "), styled(" b", Style::STRIKE)],
        ),
        // Line breaks.
        (
            "a<br>-<br>===",
            vec![
                Inline::plain("a"),
                Inline::Break,
                Inline::plain("-"),
                Inline::Break,
                Inline::plain("==="),
            ],
        ),
        (
            "a<br> <br>b",
            vec![
                Inline::plain("a"),
                Inline::Break,
                Inline::Break,
                Inline::plain("b"),
            ],
        ),
        // Links.
        (
            "<a href='https://x.org/a_b'>https://x.org/a_b</a>",
            vec![link("https://x.org/a_b", text("https://x.org/a_b"))],
        ),
        (
            "<a href='mailto:a@x.org'>a@x.org</a>",
            vec![link("mailto:a@x.org", text("a@x.org"))],
        ),
        (
            "<a href='a b(c)'># a</a>",
            vec![link("a b(c)", text("# a"))],
        ),
        (
            "<a href=x> a </a>b",
            vec![link("x", text(" a ")), Inline::plain("b")],
        ),
        // Images, code and formulas.
        (
            "<img alt='a [b] *c*' src='d(e).png'>",
            vec![image("a [b] *c*", "d(e).png")],
        ),
        (
            "a<code> b\u{a0}\u{ad}`</code>",
            vec![Inline::plain("a"), styled(" b\u{a0}\u{ad}`", Style::CODE)],
        ),
        (
            "a<math display=block alttext='x|y'></math>b",
            vec![Inline::plain("a"), formula("x|y", true), Inline::plain("b")],
        ),
    ];
    let mut cases: Vec<(String, Vec<Block>)> = Vec::new();
    for (html, content) in paragraphs {
        cases.push((
            format!("<p>{html}</p>"),
            vec![Block::Paragraph(content.clone())],
        ));
        let level = 3;
        cases.push((
            format!("<h3>{html}</h3>"),
            vec![Block::Heading {
                level,
                content: content.clone(),
            }],
        ));
        let rows = vec![vec![
            Cell::new(vec![Block::Paragraph(content)]),
            Cell::text("y"),
        ]];
        cases.push((
            format!("<table><tr><th>{html}<th>y</table>"),
            vec![Block::Table(Table { rows })],
        ));
    }
    let code = |text: &str| Block::Code {
        language: "c".to_owned(),
        text: text.to_owned(),
    };
    let wide = |text: &str, columns| Cell {
        columns,
        ..Cell::text(text)
    };
    for (html, blocks) in [
        (
            "<h2>a <b>b</b></h2>",
            vec![Block::Heading {
                level: 2,
                content: vec![Inline::plain("a "), bold("b")],
            }],
        ),
        (
            "<ol><li>a<ul><li>b</ul><li>c</ol>d",
            vec![
                item(0, "1.", text("a")),
                item(1, "", text("b")),
                item(0, "2.", text("c")),
                Block::Paragraph(text("d")),
            ],
        ),
        (
            "<blockquote>a<pre class=language-c>x\n\n````</pre></blockquote>b<hr>",
            vec![
                Block::Quote(vec![Block::Paragraph(text("a")), code("x\n\n````")]),
                Block::Paragraph(text("b")),
                Block::Rule,
            ],
        ),
        // Empty and short rows.
        (
            "<table><tr><th>a<th><tr><td><td>|<tr><tr><td>b</table>",
            vec![table(&[&["a", ""], &["", "|"], &["b"]])],
        ),
        (
            "<table><tr><th><th><tr><td><td></table>",
            vec![table(&[&["", ""], &["", ""]])],
        ),
        // Columns in which no cell starts.
        (
            "<table><tr><th colspan=3>a<th colspan=2>b<tr><td colspan=4>c<td>d</table>",
            vec![Block::Table(Table {
                rows: vec![
                    vec![wide("a", 3), wide("b", 2)],
                    vec![wide("c", 4), wide("d", 1)],
                ],
            })],
        ),
        // A table in a cell.
        (
            "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f</table></table>",
            vec![Block::Table(Table {
                rows: vec![
                    cells(&["a", "b"]),
                    vec![
                        Cell::text("c"),
                        Cell::new(vec![table(&[&["d", "e"], &["f"]])]),
                    ],
                ],
            })],
        ),
    ] {
        cases.push((html.to_owned(), blocks));
    }
    for (html, blocks) in cases {
        assert_eq!(markdown(&html), markdown::render(&blocks), "{html}");
    }
}

#[test]
fn text_outside_of_the_body_is_kept() {
    check(&[
        ("w<html><head><title>t</title></head><body><p>x", "w\n\nx"),
        (
            "<!DOCTYPE html><p>Intro</p><body><p>rest</p></body>",
            "Intro\n\nrest",
        ),
    ]);
}

#[test]
fn scripts_and_attributes_are_not_text_in_too_large_trees() {
    let deep = format!(
        "{}<script>JS</script><template>T</template><p class=C>x",
        "<div>".repeat(300)
    );
    assert_eq!(markdown(&deep), "x");
    let large = format!(
        "{}<script>JS</script><p class=C>x<p hidden>y",
        "<br>".repeat(200_000)
    );
    let shown = markdown(&large);
    assert!(
        shown.ends_with('y') && !shown.contains('C') && !shown.contains("JS"),
        "{shown}"
    );
}

proptest! {
    #[test]
    fn any_order_of_tags_is_parsed(parts in prop::collection::vec(prop::sample::select(vec![
        "<b>", "</b>", "<a href=x>", "</a>", "<svg>", "</svg>", "<math>", "</math>", "<g>", "</g>", "<div>",
        "</div>", "<p>", "</p>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<foreignObject>",
        "</foreignObject>", "<title>", "</title>", "<html>", "<head>", "</head>", "<body>", "</body>", "<h1>",
        "</h1>", "<li>", "<ul>", "</ul>", "<select>", "<option>", "</select>", "<template>", "</template>", "x",
    ]), 0..40)) {
        markdown(&parts.concat());
    }

    #[test]
    fn every_word_is_kept(parts in prop::collection::vec(prop::sample::select(vec![
        "<table>", "</table>", "<thead>", "</thead>", "<tbody>", "<tr>", "</tr>", "<th>", "</td>", "<td>",
        "<td colspan=3>", "<th rowspan=2>", "<td rowspan=0 colspan=2>", "<caption>", "</caption>", "<p>",
        "<pre>", "</pre>", "<li>", "<ul>", "</ul>", "<ol>", "<dl>", "<dt>", "<dd>", "</dl>", "<br/>", "<b>",
        "</b>", "<a href=x>", "</a>", "<h2>", "</h2>", "<blockquote>", "</blockquote>", "<code>", "</code>",
        "<div>", "</div>", "<sup>", "</sup>", "<q>", "|", "&lt;", "\n", "<!-- -->", "<figure>", "<form>",
    ]), 0..60)) {
        let mut html = String::new();
        for (n, part) in parts.iter().enumerate() {
            html.push_str(&format!("{part} w{n}x "));
        }
        let shown = markdown(&html);
        for n in 0..parts.len() {
            prop_assert!(shown.contains(&format!("w{n}x")), "w{} of {}: {}", n, html, shown);
        }
    }

    #[test]
    fn any_text_is_html(html in "[<>/a-c!&;#x0-9 =\"'\\-|ü\n]{0,80}") {
        let shown = markdown(&html);
        prop_assert!(shown.len() <= html.len() * 16 + 16);
    }
}
