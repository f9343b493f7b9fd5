//! Tables and templates.

use super::{fragments, pages};

#[test]
fn parts_of_tables_are_implied() {
    fragments(&[
        ("<table><td>a", "table(tbody(tr(td(\"a\"))))"),
        (
            "<table><tr><td>a<tr><th>b",
            "table(tbody(tr(td(\"a\")) tr(th(\"b\"))))",
        ),
        (
            "<table><col><caption>a<thead><td>b<tfoot>",
            "table(colgroup(col) caption(\"a\") thead(tr(td(\"b\"))) tfoot)",
        ),
        (
            "<table><caption>a<p>b</table>c",
            "table(caption(\"a\" p(\"b\"))) \"c\"",
        ),
        (
            "<table><colgroup> <col>a<tr>",
            "\"a\" table(colgroup(\" \" col) tbody(tr))",
        ),
        (
            "<table><td>a</tr>b</table>c",
            "\"b\" table(tbody(tr(td(\"a\")))) \"c\"",
        ),
        (
            "<table><td>a</tbody><tr>",
            "table(tbody(tr(td(\"a\"))) tbody(tr))",
        ),
        (
            "<table><td>a<div>b</td><td>c",
            "table(tbody(tr(td(\"a\" div(\"b\")) td(\"c\"))))",
        ),
        (
            "<table><td><table><td>a</table>b",
            "table(tbody(tr(td(table(tbody(tr(td(\"a\")))) \"b\"))))",
        ),
        (
            "<table><tr><table><tr>",
            "table(tbody(tr)) table(tbody(tr))",
        ),
        ("<tr><td>a</td><col>b", "\"ab\""),
        (
            "<table></caption></td></tr></colgroup><tr></td></caption><td></caption></body>a",
            "table(tbody(tr(td(\"a\"))))",
        ),
    ]);
}

#[test]
fn what_does_not_fit_into_a_table_is_before_it() {
    fragments(&[
        (
            "<table> <tr>a<td>b",
            "\"a\" table(\" \" tbody(tr(td(\"b\"))))",
        ),
        ("<table><tr> a </table>", "\" a \" table(tbody(tr))"),
        ("<table><div>a</div><tr>", "div(\"a\") table(tbody(tr))"),
        (
            "<table><b>a<tr>c<td>d",
            "b(\"a\") b(\"c\") table(tbody(tr(td(\"d\"))))",
        ),
        (
            "<table><form><input type=hidden><input><tr>",
            "input table(form input tbody(tr))",
        ),
        (
            "<table><style>a</style><script>b</script>",
            "table(style(\"a\") script(\"b\"))",
        ),
        ("<div><table><p>a</div>b", "div(p(\"ab\") table)"),
        ("<template><tr>a", "template(tr \"a\")"),
    ]);
}

#[test]
fn template_contains_any_part_of_a_page() {
    fragments(&[
        ("<template><td>a</template>b", "template(td(\"a\")) \"b\""),
        (
            "<template><tr><td>a<div>b",
            "template(tr(td(\"a\" div(\"b\"))))",
        ),
        ("<template><col><div>", "template(col)"),
        ("<template><col> a b", "template(col \"  \")"),
        (
            "<template><caption>a</table>b",
            "template(caption(\"a\") \"b\")",
        ),
        ("<template><tr></table><table><tr>", "template(tr tr)"),
        ("<template><td>a</table>b", "template(td(\"ab\"))"),
        (
            "<table><template><tr></template><tr>",
            "table(template(tr) tbody(tr))",
        ),
        (
            "<b><template>a</b><p>c</template>d",
            "b(template(\"a\" p(\"c\")) \"d\")",
        ),
        ("<template></div></template></template>a", "template \"a\""),
        (
            "<template><caption>a<template>b</template></template>c",
            "template(caption(\"a\" template(\"b\"))) \"c\"",
        ),
    ]);
    pages(&[(
        "<template>a</template><title>b</title>c",
        "html(head(template(\"a\") title(\"b\")) body(\"c\"))",
    )]);
}
