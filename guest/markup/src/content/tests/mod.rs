//! The rules for the parts of an article.
//!
//! ```text
//! kinds  pages of other types
//! ```

mod kinds;

use super::*;
use crate::dom::{self, Tag};
use crate::metadata;

/// The selection of a page, and its text: a line for each text node.
fn selected(html: &str) -> (Selection, String) {
    let document = dom::parse(html);
    let metadata = metadata::of(&document);
    let selection = select(&document, &Marks::default(), &metadata);
    let mut text = String::new();
    for root in &selection.roots {
        let mut nodes = document.subtree(*root);
        while let Some(id) = nodes.next() {
            if selection.dropped.contains(id) {
                nodes.skip_children_of(id);
            } else if let Some(found) = document.text(id) {
                text.push_str(found.trim());
                text.push('\n');
            }
        }
    }
    (selection, text)
}

/// A paragraph of 25 words that contains `name`.
fn paragraph(name: &str) -> String {
    format!(
        "<p>The keeper of {name} walked along the shore in the morning, and he counted the boats \
         that had come home during the stormy night before.</p>"
    )
}

fn paragraphs(name: &str, count: usize) -> String {
    paragraph(name).repeat(count)
}

/// A page with an article in `<div class=entry-content>` that contains `inner`.
fn article(inner: &str) -> String {
    format!(
        "<head><title>The keeper</title><meta property=og:type content=article></head><body>\
         <nav><a href=/>Home</a> <a href=/news>News</a></nav><h1>The keeper</h1>\
         <div class=entry-content>{inner}</div><footer>Imprint of the paper</footer></body>"
    )
}

#[test]
fn article_keeps_paragraphs_without_navigation_and_footer() {
    let (selection, text) = selected(&article(&paragraphs("Skerry", 6)));
    assert_eq!(selection.page, PageType::Article);
    assert_eq!(selection.whole, None);
    assert_eq!(text.matches("Skerry").count(), 6);
    assert!(!text.contains("Home") && !text.contains("Imprint"));
}

#[test]
fn article_without_any_class_is_found_by_its_paragraphs() {
    let html = format!(
        "<body><div><div><a href=/a>One</a><a href=/b>Two</a></div></div>\
         <div><div><div>{}</div></div></div><div><a href=/c>Three</a> <a href=/d>Four</a></div>",
        paragraphs("Skerry", 6)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Article);
    assert_eq!(text.matches("Skerry").count(), 6);
    assert!(!text.contains("One") && !text.contains("Four"));
}

#[test]
fn article_of_ideographs_is_found_without_spaces() {
    let sentence = "灯塔的看守人每天早晨沿着海岸散步，数着夜里回来的船。他的女儿在等他回家吃早饭。";
    let html = format!(
        "<body><ul><li><a href=/a>首页</a><li><a href=/b>新闻</a></ul><div>{}</div>",
        format!("<p>{sentence}</p>").repeat(8)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.whole, None);
    assert_eq!(text.matches(sentence).count(), 8);
    assert!(!text.contains("首页"));
}

#[test]
fn comments_of_article_are_dropped_even_if_longer() {
    let comments = |count| format!("<div id=comments>{}</div>", paragraphs("Reader", count));
    let (selection, text) = selected(&article(&(paragraphs("Skerry", 5) + &comments(20))));
    assert!(text.contains("Skerry") && !text.contains("Reader"));
    assert!(selection.has_comments);
    let (selection, _) = selected(&(article(&paragraphs("Skerry", 5)) + &comments(9)));
    assert!(selection.has_comments);
    let (selection, _) = selected(&article(&(paragraphs("Skerry", 5) + &comments(1))));
    assert!(!selection.has_comments);
}

#[test]
fn section_under_related_heading_is_dropped() {
    let inner = paragraphs("Skerry", 5)
        + "<h3>Related stories</h3><ul><li><a href=/a>A storm at sea</a></ul><h3>Boats</h3>"
        + &paragraph("Harbour");
    let (_, text) = selected(&article(&inner));
    assert!(!text.contains("A storm") && !text.contains("Related"));
    assert!(text.contains("Boats") && text.contains("Harbour"));
}

#[test]
fn section_of_text_under_related_heading_is_kept() {
    let inner = format!(
        "{0}<h2>Related</h2>{0}<h2>Comments in code</h2>{0}",
        paragraphs("Skerry", 3)
    );
    let (_, text) = selected(&article(&inner));
    assert_eq!(text.matches("Skerry").count(), 9);
    assert!(text.contains("Related") && text.contains("Comments in code"));
}

#[test]
fn share_bar_tags_form_and_caption_are_dropped() {
    let inner = format!(
        "<div class=social-share>Share on <a href=/f>F</a></div>{}\
         <figure><img src=a.png><figcaption>A boat at the pier.</figcaption></figure>\
         <div class=tags>sea, boats</div><form><input><p>Your address</p></form>",
        paragraphs("Skerry", 5)
    );
    let (_, text) = selected(&article(&inner));
    for part in ["Share", "at the pier", "sea, boats", "Your address"] {
        assert!(!text.contains(part), "{part}");
    }
}

#[test]
fn byline_and_date_before_first_paragraph_are_dropped() {
    let inner = format!(
        "<p>By Gil Hay</p><p>Monday, 4 May 2020, 10:15</p>{}<p>In May 2020 he left.</p>",
        paragraphs("Skerry", 5)
    );
    let facts = "<head><meta name=author content='Gil Hay'><meta name=date content=2020-05-04>";
    let html = article(&inner).replace("<head>", facts);
    let (_, text) = selected(&html);
    assert!(!text.contains("Gil Hay") && !text.contains("Monday"));
    assert!(text.contains("In May 2020"));
}

#[test]
fn title_and_other_headings_are_kept() {
    let inner = format!(
        "<h1>The keeper</h1>{}<h2>The night</h2>{}<h2>Last</h2>",
        paragraphs("Skerry", 3),
        paragraphs("Skerry", 3)
    );
    let (_, text) = selected(&article(&inner));
    assert!(text.starts_with("The keeper\n"), "the title in the text");
    assert!(text.contains("The night"));
    assert!(!text.contains("Last"), "a heading without a text after it");
}

#[test]
fn quotation_in_element_of_social_network_is_kept() {
    let inner = paragraphs("Skerry", 5)
        + "<div class=social-embed><blockquote class=twitter-tweet><p>The light is on, and \
           the boats are safe tonight.</p></blockquote></div>";
    let (_, text) = selected(&article(&inner));
    assert!(text.contains("The light is on"));
}

#[test]
fn rows_of_table_with_class_of_player_are_kept() {
    let row = "<tr class=player><td><a href=/a>Ann Hay</a><td>12<td>30<td>1,200 points</tr>";
    let inner = format!(
        "{}<table>{}</table>",
        paragraphs("Skerry", 5),
        row.repeat(5)
    );
    let (_, text) = selected(&article(&inner));
    assert_eq!(text.matches("Ann Hay").count(), 5);
}

#[test]
fn split_article_is_joined() {
    let html = format!(
        "<body><div id=main><div class=article-body>{}</div><div class=ad>Buy boats.</div>\
         <div class=article-body>{}</div></div><div class=sidebar>{}</div>",
        paragraphs("First", 4),
        paragraphs("Second", 4),
        paragraph("Other"),
    );
    let (_, text) = selected(&html);
    assert!(text.contains("First") && text.contains("Second"));
    assert!(!text.contains("Buy") && !text.contains("Other"));
}

#[test]
fn list_of_teasers_beside_article_is_dropped() {
    let teaser = "<li><div><h4><a href=/t>A teaser of another text</a></h4><p>The teaser says a \
                  little about it, and about the people in it.</p></div>";
    let html = article(&paragraphs("Skerry", 5)).replace(
        "<footer>",
        &format!("<ul>{}</ul><footer>", teaser.repeat(6)),
    );
    let (_, text) = selected(&html);
    assert!(text.contains("Skerry") && !text.contains("teaser"));
}

#[test]
fn ids_of_sections_do_not_say_what_they_are() {
    let sections = format!(
        "<section id=comments><h2 id=share>Comments in code</h2>{0}</section>\
         <div class=section id=navigation>{0}</div>{0}",
        paragraphs("Skerry", 3)
    );
    let (_, text) = selected(&format!("<body><main>{sections}</main>"));
    assert_eq!(text.matches("Skerry").count(), 9);
    assert!(text.contains("Comments in code"));
}

#[test]
fn short_article_that_page_declares_is_shown_alone() {
    let (selection, text) = selected(&article(&paragraphs("Skerry", 2)));
    assert_eq!(selection.whole, None);
    assert!(!text.contains("Imprint"));
}

#[test]
fn header_of_manual_page_is_kept() {
    let text = paragraphs("Skerry", 8);
    let html = format!(
        "<body class=manpage><div id=header><h1>lamp(1)</h1><h2>NAME</h2><p>lamp - a lamp</p></div>\
         <div id=content>{text}</div><div id=footer>Last updated 2024-05-31 00:35:55 UTC</div>"
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Documentation);
    assert!(text.contains("NAME") && text.contains("lamp - a lamp"));
    assert!(!text.contains("Last updated"));
}

#[test]
fn byline_and_date_are_kept_only_if_no_fact_says_the_same() {
    let inner = "<p class=byline-line>By the staff</p><p>Skerry, 4 Mai 2012, 10:15</p>".to_owned()
        + &paragraphs("Skerry", 6)
        + "<p>This page last changed on 2013-01-02</p>";
    let lines = ["By the staff", "4 Mai", "2013-01-02"];
    let (_, text) = selected(&article(&inner));
    assert!(lines.iter().all(|line| text.contains(line)), "{text}");
    let facts = "<meta name=author content='A Bee'><meta name=date content=2012-05-04>";
    let (_, text) = selected(&(facts.to_owned() + &article(&inner)));
    assert!(
        !text.contains("the staff") && !text.contains("4 Mai"),
        "{text}"
    );
    assert!(text.contains("2013-01-02"), "{text}");
    let facts = facts.to_owned() + "<meta property=article:modified_time content=2013-01-01>";
    let (_, text) = selected(&(facts + &article(&inner)));
    assert!(!lines.iter().any(|line| text.contains(line)), "{text}");
}

#[test]
fn cells_items_and_definitions_are_kept_whatever_their_words_are() {
    let group = "<table><tr><th>Key<th>Use<tr><td>F2<td>Save<tr><td>Print<td>F3</table>\
        <ol><li>Log in<li>Open the door<li>Share</ol>\
        <ul><li>1/2<li>3/4</ul><dl><dt>close<dd>Reply</dl>";
    let html = article(&format!(
        "{}{group}{}",
        paragraphs("Skerry", 4),
        paragraphs("Rona", 4)
    ));
    let (_, text) = selected(&html);
    for kept in [
        "Save", "Print", "Log in", "Share", "1/2", "3/4", "close", "Reply",
    ] {
        assert!(text.lines().any(|line| line == kept), "{kept}");
    }
}

#[test]
fn list_of_nothing_but_prompts_is_dropped_as_a_whole() {
    let html = article(&format!(
        "{}<ul><li>Share<li>Tweet<li>Print</ul>{}",
        paragraphs("Skerry", 4),
        paragraphs("Rona", 4)
    ));
    let (_, text) = selected(&html);
    assert!(!text.contains("Tweet"));
    assert!(text.contains("Rona"));
}

#[test]
fn heading_stays_with_the_text_under_it() {
    let html = article(&format!(
        "{}<h2>Comments</h2><p>A line with a hash says nothing.</p><h2>Print</h2><p>Short.</p>\
         <h2>Share</h2><h2>End</h2>{}",
        paragraphs("Skerry", 6),
        paragraphs("Rona", 1)
    ));
    let (_, text) = selected(&html);
    for kept in ["Comments", "A line with a hash", "Print", "Short."] {
        assert!(text.contains(kept), "{kept}");
    }
    assert!(!text.contains("Share"));
}

#[test]
fn formulas_code_and_check_boxes_are_kept() {
    let html = article(&format!(
        "{}<p>Get our <code>tool</code></p><p>So <script type='math/tex'>x^2</script>.</p>\
         <ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>{}",
        paragraphs("Skerry", 4),
        paragraphs("Rona", 4)
    ));
    let converted = crate::html::page(&html, &crate::html::Options::default()).unwrap();
    for kept in ["`tool`", "$x^2$", "[x] done", "[ ] open"] {
        assert!(converted.text.contains(kept), "{kept}");
    }
}

#[test]
fn sections_of_links_that_are_left_out_are_named() {
    let html = article(&format!(
        "{}<h2>See also</h2><ul><li><a href=/a>Boats</a><li><a href=/b>Piers</a></ul><p>The end \
         follows.</p>",
        paragraphs("Skerry", 6)
    ));
    let converted = crate::html::page(&html, &crate::html::Options::default()).unwrap();
    assert!(converted.text.contains("The end follows."));
    let notes = converted.notes.join(" ");
    assert!(
        notes.contains("`See also`") && notes.contains("`:full`"),
        "{notes}"
    );
}

#[test]
fn much_text_that_is_left_out_has_a_note() {
    let links: String = (0..40)
        .map(|at| format!("<li><a href=/{at}>The news of the day {at}</a>"))
        .collect();
    let options = crate::html::Options::default();
    let text = paragraphs("Skerry", 6);
    let page = article(&format!("{text}<nav><ul>{links}</ul></nav>"));
    let converted = crate::html::page(&page, &options).unwrap();
    assert!(
        converted
            .notes
            .iter()
            .any(|note| note.contains("is left out")),
        "{:?}",
        converted.notes
    );
    let converted = crate::html::page(&article(&text), &options).unwrap();
    assert!(converted.notes.is_empty(), "{:?}", converted.notes);
}

#[test]
fn hidden_text_is_not_measured() {
    let html = format!(
        "<body><div>{}</div><div>{}</div>",
        paragraphs("Skerry", 6),
        paragraphs("Hidden", 60)
    );
    let document = dom::parse(&html);
    let metadata = metadata::of(&document);
    let mut hidden = Marks::default();
    let divisions = document.children(document.body());
    hidden.insert(
        divisions
            .filter(|id| document.is(*id, Tag::Div))
            .nth(1)
            .unwrap(),
    );
    let selection = select(&document, &hidden, &metadata);
    let mut text = String::new();
    document.raw_text(selection.roots[0], &mut text);
    assert_eq!(selection.whole, None);
    assert!(text.contains("Skerry") && !text.contains("Hidden"));
}

#[test]
fn deep_and_wide_pages_are_selected_in_linear_time() {
    for html in [
        "<div>".repeat(100_000) + "text",
        "<div><p>A, b. </p></div>".repeat(50_000),
        "<h2><a href=/>Related</a></h2><ul><li>x</ul>".repeat(20_000),
        "<div class=comment>".repeat(1000) + &"<div class=comment>x y z a b c</div>".repeat(20_000),
        "<article><h1>T</h1>".repeat(20_000),
    ] {
        let (selection, _) = selected(&html);
        assert!(!selection.roots.is_empty());
    }
}

#[test]
fn section_of_questions_and_answers_is_a_part_of_an_article() {
    let answers = ["Skerry", "Rona", "Mull"].map(paragraph).concat();
    let (_, text) = selected(&article(&format!(
        "{}<h2>Questions &amp; answers</h2><div>{answers}</div>",
        paragraphs("Light", 6)
    )));
    assert!(text.contains("keeper of Rona"));
}
