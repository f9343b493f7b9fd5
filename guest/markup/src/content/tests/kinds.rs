//! Pages of other types than articles: documentation, discussions, lists, products.

use super::*;

#[test]
fn posts_that_are_named_comments_are_a_discussion_if_the_rest_is_short() {
    let comments: String = (0..6)
        .map(|at| {
            format!(
                "<li class=comment>{}</li>",
                paragraphs(&format!("Rona {at}"), 2)
            )
        })
        .collect();
    let question = paragraphs("Skerry", 2);
    let (selection, text) = selected(&article(&format!(
        "<div class=forum>{question}<ol class=comment-list>{comments}</ol></div>"
    )));
    assert_eq!(selection.page, PageType::Forum);
    assert!(text.contains("Skerry") && text.contains("Rona 5"));
    assert!(!selection.has_comments);
}

#[test]
fn posts_of_forum_are_kept_with_their_authors() {
    let post = |name: &str| {
        format!(
            "<div class='post message'><p class=author>by {name}</p><div class=postbody>{}</div>\
             </div>",
            paragraphs(name, 2)
        )
    };
    let html = format!(
        "<body class=viewtopic><div class=navbar><a href=/>Index</a></div><h2>A topic</h2>\
         <div id=page-body>{}{}{}</div><div class=copyright>Powered by a program</div>",
        post("Anna"),
        post("Bert"),
        post("Carl")
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Forum);
    for part in ["by Anna", "by Bert", "by Carl", "keeper of Carl"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("Index") && !text.contains("Powered"));
}

#[test]
fn comments_in_rows_of_table_are_a_discussion() {
    let comment = format!(
        "<tr><td><table><tr><td><div class=comment>{}</div></table></tr>",
        paragraph("Reader")
    );
    let html = format!(
        "<body><table><tr><td><a href=/story>A story</a></tr></table><table>{}</table>",
        comment.repeat(8)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Forum);
    assert_eq!(text.matches("Reader").count(), 8);
}

#[test]
fn entries_of_phpbb_are_posts() {
    let post = format!(
        "<div class='post bg1'><div class=inner>{}</div></div><hr>",
        paragraph("Reader")
    );
    let html = format!(
        "<body class=section-viewtopic><div class=page-body><h2>Title</h2>{}</div>",
        post.repeat(6)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Forum);
    assert_eq!(text.matches("Reader").count(), 6);
}

#[test]
fn names_of_sidebar_on_all_text_are_ignored() {
    let part = format!("<div class=widget>{}</div>", paragraphs("Skerry", 2));
    let (_, text) = selected(&format!("<body><div>{}</div>", part.repeat(5)));
    assert_eq!(text.matches("Skerry").count(), 10);
}

#[test]
fn question_and_answers_are_kept() {
    let html = format!(
        "<body itemscope itemtype=http://schema.org/QAPage><main><h1>Why do boats float?</h1>\
         <div class=question>{}</div><div class=answer>{}<div class=comments><p>Thanks a lot, this \
         is what I needed to know, and it works.</p></div></div><div class=answer>{}</div></main>",
        paragraphs("Question", 2),
        paragraphs("First", 2),
        paragraphs("Second", 2)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Forum);
    for part in ["Question", "First", "Second", "Thanks"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn items_of_list_are_kept() {
    let item = |name: &str| {
        format!(
            "<article class=teaser><h3><a href=/{name}>All about {name}</a></h3><p>A text about \
             {name}, which says more to all readers.</p></article>"
        )
    };
    let items: String = [
        "owls", "boats", "light", "storms", "piers", "fish", "nets", "ropes",
    ]
    .iter()
    .map(|name| item(name))
    .collect();
    let html = format!(
        "<body><nav><a href=/>Home</a></nav><h1>Archive</h1><div class=list>{items}</div>\
         <footer>Imprint</footer>"
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::List);
    assert_eq!(selection.whole, None);
    for name in ["owls", "ropes"] {
        assert!(text.contains(&format!("All about {name}")), "{name}");
        assert!(text.contains(&format!("A text about {name}")), "{name}");
    }
    assert!(!text.contains("Home") && !text.contains("Imprint"));
}

#[test]
fn header_of_site_is_dropped_from_list() {
    let links: String = (0..60)
        .map(|at| format!("<li><a href=/{at}>Entry number {at}</a> (new)"))
        .collect();
    let header = "<header><a href=/>The Log</a> <a href=/login>Account</a></header>";
    let (_, text) = selected(&format!("<body>{header}<h1>Index</h1><ul>{links}</ul>"));
    assert!(!text.contains("Account") && text.contains("Index") && text.contains("number 59"));
}

#[test]
fn list_of_bare_links_is_kept() {
    let links: String = (0..60)
        .map(|at| format!("<li><a href=/{at}>Entry number {at}</a> (new)"))
        .collect();
    let (selection, text) = selected(&format!("<body><h1>Index</h1><ul>{links}</ul>"));
    assert_eq!(selection.page, PageType::List);
    assert_eq!(selection.whole, None);
    assert!(text.contains("Entry number 0") && text.contains("Entry number 59"));
}

#[test]
fn product_keeps_price_and_facts() {
    let rows: String = (0..30)
        .map(|at| format!("<tr><th>Size {at}<td>{at} cm</tr>"))
        .collect();
    let html = format!(
        "<head><meta property=og:type content=product></head><body><nav>Shop</nav><main>\
         <h1>Lantern</h1><span class=price>12.50 €</span><button>Buy</button>{}<table>{rows}</table>\
         </main><footer>Imprint</footer>",
        paragraph("Lantern")
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Product);
    for part in ["Lantern", "12.50 €", "Size 29"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("Shop") && !text.contains("Imprint"));
}

#[test]
fn documentation_keeps_headings_code_and_lists_of_links() {
    let html = format!(
        "<head><title>connect — boats 2.1</title><meta name=generator content='Docusaurus v3'>\
         </head><body><nav>Contents</nav><main><h1>connect</h1>{}<pre>let sea = connect();</pre>\
         <h2>See also</h2><ul><li><a href=/a>disconnect</a><li><a href=/b>reconnect</a></ul></main>",
        paragraphs("Skerry", 5)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Documentation);
    for part in [
        "connect\n",
        "let sea",
        "See also",
        "disconnect",
        "reconnect",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("Contents"));
}

#[test]
fn documentation_is_found_by_anchors_and_code() {
    let section = format!(
        "<h2 id=a>Use<a class=headerlink href='#a'>¶</a></h2>{}<pre>run();</pre>",
        paragraph("Skerry")
    );
    let html = format!("<body><div class=page>{}</div>", section.repeat(4));
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Documentation);
    assert_eq!(text.matches("run();").count(), 4);
}

#[test]
fn page_with_few_words_is_shown_without_its_navigation() {
    let html = "<body><nav>Menu</nav><p>Hours: 9 to 5</p><main><p>The light is on, and the boats are \
                safe.</p></main>";
    let (selection, text) = selected(html);
    assert_eq!(selection.whole, Some(WhyWhole::FewWords));
    assert!(selection.is_without_navigation);
    assert!(!text.contains("Menu") && text.contains("Hours"));
}

#[test]
fn small_part_of_page_is_not_shown_alone() {
    let cells = "<td>alpha beta gamma".repeat(2000);
    let html = format!(
        "<body><table><tr>{cells}</table><div class=entry-content>{}</div>",
        paragraphs("Skerry", 6)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.whole, Some(WhyWhole::SmallPart));
    assert!(text.contains("alpha") && text.contains("Skerry"));
}

#[test]
fn empty_page_is_shown_whole() {
    let (selection, _) = selected("");
    assert_eq!(selection.whole, Some(WhyWhole::FewWords));
    assert_eq!(selection.roots.len(), 1);
}

#[test]
fn facts_and_signatures_around_posts_are_dropped() {
    let post = |name: &str| {
        format!(
            "<article class=message><h4 class=message-name>{name}</h4><h5 class=message-userTitle>\
             Veteran</h5><dl class=message-userExtras><dt>Joined<dd>2009</dl><div class=message-body>\
             {}</div><div class=message-signature>Sent from a lighthouse</div></article>",
            paragraphs(name, 2)
        )
    };
    let html = format!(
        "<body class=forum>{}{}{}",
        post("Anna"),
        post("Bert"),
        post("Carl")
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Forum);
    assert!(text.contains("Anna\n") && text.contains("keeper of Carl"));
    for part in ["Veteran", "Joined", "Sent from"] {
        assert!(!text.contains(part), "{part}");
    }
}

#[test]
fn answers_of_two_people_with_the_same_words_are_kept() {
    let post =
        "<div class='post message'><div class=text>Thank you very much for this.</div></div>";
    let long = ["Anna", "Bert", "Carl"]
        .map(|name| format!("<div class='post message'>{}</div>", paragraphs(name, 2)));
    let html = format!(
        "<body class=viewtopic><div>{}{}</div>",
        long.concat(),
        post.repeat(2)
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Forum);
    assert_eq!(text.matches("Thank you").count(), 2);
}

/// A page of a product that contains `inner`.
fn product(inner: &str) -> (Selection, String) {
    selected(&format!(
        "<head><meta property=og:type content=product></head><body><main><h1>Lantern</h1>{}{inner}\
         </main>",
        ["oil", "brass", "glass", "light", "wind"]
            .map(paragraph)
            .concat()
    ))
}

#[test]
fn reviews_of_product_and_other_products_are_dropped() {
    let reviews = paragraphs("Review", 12);
    let card = "<div><h3><a href=/lamp>Lamp</a></h3><p>9.99 €</p></div>".repeat(4);
    let (selection, text) = product(&format!(
        "<h2>Customers also bought</h2><div>{card}</div><div class=product-reviews>{reviews}</div>"
    ));
    assert_eq!(selection.page, PageType::Product);
    assert!(text.contains("keeper of brass"));
    assert!(!text.contains("Lamp") && !text.contains("Review"));
    assert!(selection.has_comments);
}

#[test]
fn reviews_are_the_text_of_an_article_about_them() {
    let (_, text) = selected(&article(&format!(
        "<div class=review-text>{}</div>",
        paragraphs("Skerry", 6)
    )));
    assert_eq!(text.matches("Skerry").count(), 6);
}

#[test]
fn text_that_is_there_for_two_sizes_of_screen_is_kept_once() {
    let facts = "<ul><li>Height 30 cm<li>Weight 900 g</ul><p>Made by hand in the old harbour</p>";
    let (_, text) = product(&format!(
        "<div class=mobile><h2>About this lamp</h2>{facts}</div>\
         <p>12 €</p><p>12 €</p><div class=desktop><h2>About this lamp</h2>{facts}</div>"
    ));
    for part in ["Height 30 cm", "Made by hand", "About this lamp"] {
        assert_eq!(text.matches(part).count(), 1, "{part}");
    }
    assert_eq!(text.matches("12 €").count(), 2);
}

#[test]
fn heading_over_other_text_is_kept_each_time() {
    let (_, text) = product(
        "<h2>What is in the box</h2><p>One lantern of brass and a wick</p>\
         <h2>What is in the box</h2><p>Two lanterns of tin and a lighter</p>",
    );
    assert_eq!(text.matches("What is in the box").count(), 2);
}

#[test]
fn image_is_kept_once_for_each_description() {
    let document = dom::parse(&format!(
        "<head><meta property=og:type content=product></head><body><main><h1>Lantern</h1>{}\
         <img src=1.jpg alt='From the left'><img src=1s.jpg alt='From the left'>\
         <img src=2.jpg alt=''><a href=/2><img src=2s.jpg alt=''></a><a href=/2>The lamp</a>\
         <a href=/3><img src=3.jpg alt='From the left'></a><a href=/4><img src=4.jpg></a></main>",
        ["oil", "brass", "glass", "light", "wind"]
            .map(paragraph)
            .concat()
    ));
    let metadata = metadata::of(&document);
    let selection = select(&document, &Marks::default(), &metadata);
    let kept = document
        .with_tag(Tag::Img)
        .filter(|id| !selection.dropped.contains(*id))
        .filter_map(|id| document.attribute(id, crate::dom::Name::Src));
    assert_eq!(
        kept.collect::<Vec<_>>(),
        ["1.jpg", "2.jpg", "3.jpg", "4.jpg"]
    );
}

#[test]
fn part_of_text_that_is_named_after_a_menu_is_kept() {
    let part = |class: &str, name: &str| format!("<div class={class}>{}</div>", paragraph(name));
    let html = format!(
        "<body><nav><a href=/>Home</a></nav><main><h1>Our service</h1>{}{}{}{}</main>",
        part("banner_section", "Hero"),
        part("accordion-item__dropdown", "Answer"),
        part("lm_navSource", "Contact"),
        part("sidebar-left", "Column")
    ) + &paragraphs("Skerry", 6);
    let (_, text) = selected(&html);
    for name in ["Hero", "Answer", "Contact", "Column"] {
        assert!(text.contains(name), "{name}");
    }
    assert!(!text.contains("Home"));
}

#[test]
fn cards_with_titles_that_are_links_are_the_text_if_there_is_little_else() {
    let card = |name: &str| {
        format!(
            "<div><h3><a href=/{name}>{name}</a></h3>{}</div>",
            paragraph(name)
        )
    };
    let row = |one: &str, other: &str| format!("<div>{}{}</div>", card(one), card(other));
    let codes = "<div>Code 1234 of the rule</div>".repeat(40);
    let html = format!(
        "<body><main><h1>Hazards</h1>{}{codes}{}{}{}</main>",
        paragraph("Start"),
        row("Wind", "Water"),
        row("Fire", "Ice"),
        row("Fog", "Rock")
    );
    let (_, text) = selected(&html);
    for name in ["Start", "Wind", "Ice", "Rock"] {
        assert!(text.contains(&format!("keeper of {name}")), "{name}");
    }
}

#[test]
fn few_texts_of_cards_are_not_the_text_of_a_page() {
    let answer = |name: &str| {
        format!(
            "<div><h3>{name}</h3><div class=rich-text>{}</div></div>",
            paragraphs(name, 2)
        )
    };
    let html = format!(
        "<body><main><h1>Plans</h1><div>{}{}{}</div>{}</main>",
        paragraph("one"),
        paragraph("two"),
        paragraph("three"),
        ["Price", "Term", "Refund"].map(answer).concat()
    );
    let (_, text) = selected(&html);
    assert!(text.contains("keeper of one") && text.contains("keeper of Refund"));
}

#[test]
fn texts_that_differ_in_signs_or_have_headings_of_their_own_are_kept() {
    let (_, text) = product(
        "<p>The output of the port is +5 V</p><p>The output of the port is -5 V</p>\
         <h2>Left side</h2><p>Insert the four screws now.</p>\
         <h2>Right side</h2><p>Insert the four screws now.</p>",
    );
    assert!(text.contains("+5 V") && text.contains("-5 V"));
    assert_eq!(text.matches("Insert the four screws").count(), 2);
}

const PRODUCT: &str =
    "<head><title>Brass lamp</title><meta property=og:type content=product></head>";

#[test]
fn product_is_without_what_the_shop_says_of_all_products() {
    let html = format!(
        "{PRODUCT}<body><main><h1>Brass lamp</h1><p>€ 40.00</p>{}\
         <div class=t>Shipping</div><div>A box is sent in two days.</div>\
         <div class=t>Material</div><div>Solid brass.</div>\
         <table><tr><td>Delivery<td>2 kg</table>\
         <section><div><h2>What our customers say…</h2><p>Of five hundred.</div></section>\
         <section><p>Anne likes it.</section></main>\
         <footer>{}</footer></body>",
        paragraphs("Skerry", 6),
        paragraphs("Terms", 60),
    );
    let (selection, text) = selected(&html);
    assert_eq!(selection.page, PageType::Product);
    for kept in [
        "€ 40.00",
        "Skerry",
        "Material",
        "Solid brass.",
        "Delivery",
        "2 kg",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    for left_out in ["Shipping", "two days", "customers", "Anne", "Terms"] {
        assert!(!text.contains(left_out), "{left_out}: {text}");
    }
    assert_eq!(selection.headings, ["Shipping", "What our customers say…"]);
}

#[test]
fn description_of_a_product_keeps_its_sections() {
    let html = format!(
        "{PRODUCT}<body><h1>Brass lamp</h1><div class=product-description>{}\
         <h2>Reviews</h2><p>The magazine of lamps praised it.</div></body>",
        paragraphs("Skerry", 6)
    );
    assert!(selected(&html).1.contains("magazine"));
}

#[test]
fn views_of_a_product_are_shown_once() {
    let html = format!(
        "{PRODUCT}<body><h1>Brass lamp for desks</h1>\
         <img src=a.jpg alt='Brass lamp'><img src=b.jpg alt='Brass lamp, image 2'>\
         <a href=b.png><img src=c.jpg alt='Lamp in brass view 3'></a>\
         <a href=/red><img src=d.jpg alt='Brass lamp'></a>\
         <img src=e.jpg alt='Dimensions: height 40 cm, foot 12 cm'>{}</body>",
        paragraphs("Skerry", 6)
    );
    let (selection, _) = selected(&html);
    assert_eq!(selection.views, 2);
}

#[test]
fn what_a_buyer_needs_stays_beside_labels_of_the_shop() {
    let specs = paragraphs("Voltage", 3);
    for beside in [
        "<div class=buy><span>€ 40.00</span><p>Free shipping</p></div>",
        "<ul><li>Free shipping</li><li>230 V</li></ul>",
        "<p>Delivery: 3-5 days</p>",
    ] {
        let html = format!(
            "{PRODUCT}<body><h1>Brass lamp</h1>{}{beside}<div class=specs>{specs}</div></body>",
            paragraphs("Skerry", 6)
        );
        let text = selected(&html).1;
        assert!(text.contains("Voltage"), "{beside}");
        for value in ["40.00", "230 V", "3-5 days"] {
            assert!(!beside.contains(value) || text.contains(value), "{beside}");
        }
    }
}

#[test]
fn repeated_part_under_a_heading_of_its_own_stays() {
    let part = "<div><p>Made of brass.</p><p>It has a foot of 12 cm, a shade of 20 cm and a cable of 2 m.</p></div>";
    let html = format!(
        "{PRODUCT}<body><h1>Brass lamp</h1>{}<h2>Left side</h2>{part}<h2>Right side</h2>{part}</body>",
        paragraphs("Skerry", 6)
    );
    assert_eq!(selected(&html).1.matches("12 cm").count(), 2);
}

#[test]
fn part_of_a_product_that_is_repeated_is_shown_once() {
    let part = "<div><div><p>Handmade of brass.</p><p>Height: 40 cm</p></div>\
                <p>It is for a desk and for a shelf at home.</p></div>";
    let html = format!(
        "{PRODUCT}<body><h1>Brass lamp</h1>{}{part}<div><b>1 left</b></div>{part}</body>",
        paragraphs("Skerry", 6)
    );
    assert_eq!(selected(&html).1.matches("Height").count(), 1);
}

#[test]
fn only_main_element_of_a_list_contains_its_items() {
    let item = |name: &str| format!("<div><h3><a href=/{name}>{name}</a></h3><p>Short.</div>");
    let items: String = (0..60).map(|n| item(&format!("lamp{n}"))).collect();
    let beside = format!("<div>{}</div>", "<p>A word on the shop.</p>".repeat(80));
    let (selection, text) = selected(&format!(
        "<body itemtype=https://schema.org/CollectionPage><main><h1>Lamps</h1>{items}</main>{beside}</body>"
    ));
    assert_eq!(selection.page, PageType::List);
    assert!(
        text.contains("lamp59") && !text.contains("A word"),
        "{text}"
    );
}

#[test]
fn links_of_a_page_without_other_parts_are_text() {
    let links = "<p><a href=a>one</a> <a href=b>two</a> <a href=c><div><h3>Three</h3></div></a>";
    let text = |beside: &str| {
        let html = format!(
            "<body>{beside}{}{links}{}</body>",
            paragraphs("Skerry", 4),
            paragraphs("Terns", 4)
        );
        selected(&html).1
    };
    assert!(text("").contains("one") && text("").contains("Three"));
    assert!(!text("<nav><a href=/>Home</a></nav>").contains("one"));
}
