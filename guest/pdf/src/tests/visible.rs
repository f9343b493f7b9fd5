//! Text that can be seen, and text that cannot.

use super::{page, shown, unit};
use crate::testing::pages;

fn text(content: &str) -> String {
    shown(&page(pages(&[content], "", "", &[])))
}

#[test]
fn text_as_a_clip_path_is_seen_where_something_is_painted() {
    let paint = |paint: &str| {
        text(&format!(
            "q BT 7 Tr /F1 30 Tf 72 700 Td (Title) Tj ET {paint} Q BT 0 Tr /F1 9 Tf 72 90 Td (.) Tj ET"
        ))
    };
    assert_eq!(paint("0 0 1 rg 0 690 612 50 re f"), "Title.");
    assert_eq!(paint("2 w 0 705 m 612 705 l S"), "Title.");
    assert_eq!(paint(""), ".");
    assert_eq!(paint("0 0 1 rg 0 300 612 50 re f"), ".");
    // White on white.
    assert_eq!(paint("1 g 0 690 612 50 re f"), ".");
    // The clip path ends with its graphics state.
    assert_eq!(paint("Q q 0 0 1 rg 0 690 612 50 re f"), ".");
}

#[test]
fn curves_cover_text_and_are_its_background() {
    // A box with round corners.
    let curve = "60 90 m 300 90 l 310 90 320 100 320 110 c 320 130 l 320 140 310 150 300 150 c 60 150 l 50 150 40 140 40 130 c 40 110 l 40 100 50 90 60 90 c f";
    let below = |colour: &str| {
        text(&format!(
            "BT /F1 11 Tf 72 110 Td (below) Tj ET {colour} {curve} BT 0 g /F1 11 Tf 72 400 Td (.) Tj ET"
        ))
    };
    assert_eq!(below("1 g"), ".");
    assert_eq!(below("1 0 0 rg"), ".");
    let on = |colour: &str| {
        text(&format!(
            "0 0 1 rg {curve} {colour} rg BT /F1 11 Tf 72 110 Td (on) Tj ET"
        ))
    };
    assert_eq!(on("0 0 1"), "");
    assert_eq!(on("1 1 1"), "on");
    // Text that is not inside of the curve.
    let beside = format!("BT /F1 11 Tf 300 152 Td (beside) Tj ET 1 g {curve}");
    assert_eq!(text(&beside), "beside");
}

#[test]
fn shapes_with_holes_do_not_cover() {
    let cover = |cover: &str| text(&format!("BT /F1 11 Tf 100 110 Td (text) Tj ET 1 g {cover}"));
    assert_eq!(cover("50 50 300 100 re f"), "");
    // A frame around the text.
    assert_eq!(cover("50 50 300 100 re 60 60 280 80 re f*"), "text");
    // The clip path is a triangle that does not have the text.
    assert_eq!(
        cover("50 150 m 300 150 l 300 300 l h W n 50 50 300 250 re f"),
        "text"
    );
    // The text is in the hole of the clip path.
    let hole =
        "q 0 0 600 600 re 90 90 100 50 re W* n BT /F1 11 Tf 100 110 Td (a) Tj 0 200 Td (b) Tj ET Q";
    assert_eq!(text(hole), "b");
    // A turned image covers less than the rectangle around it.
    let image = "BI /W 1 /H 1 /BPC 8 /CS /G ID x EI";
    assert_eq!(
        cover(&format!("q 200 200 -200 200 250 80 cm {image} Q")),
        "text"
    );
    assert_eq!(cover(&format!("q 300 0 0 100 50 50 cm {image} Q")), "text");
}

#[test]
fn transparent_areas_do_not_hide_text_of_their_colour() {
    let state = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /ExtGState << /G << /ca 0.1 >> /N << /ca 0 >> >> >>";
    let text = |content: &str| {
        // The resources of the builder get another name, so that these count.
        let file = pages(&[content], state, "", &[]);
        let file = String::from_utf8(file).unwrap();
        let (before, after) = file.split_once("/Resources").unwrap();
        let file = format!("{before}/Unusedxxx{after}");
        page(file.into_bytes())
    };
    let light = text("q /G gs 50 50 300 100 re f Q BT /F1 11 Tf 100 110 Td (text) Tj ET");
    assert_eq!(shown(&light), "text");
    // Text without ink over a scan is the text of the scan.
    let image = "BI /W 1 /H 1 /BPC 8 /CS /G ID x EI";
    let scan = text(&format!(
        "q 612 0 0 792 0 0 cm {image} Q q /N gs BT /F1 11 Tf 100 110 Td (text) Tj ET Q"
    ));
    assert_eq!(
        (shown(&scan).as_str(), scan.missing.recognised),
        ("text", 4)
    );
    let alone = text("/N gs BT /F1 11 Tf 100 110 Td (text) Tj ET");
    assert_eq!((shown(&alone).as_str(), alone.missing.hidden), ("", 4));
}

#[test]
fn a_page_with_ink_and_without_text_refers_to_its_image() {
    let text = |content: &str| unit(pages(&[content], "", "", &[]), 0);
    let hidden = "1 g BT /F1 11 Tf 100 110 Td (text) Tj ET";
    assert_eq!(text(hidden), "");
    let curve = "0 G 10 10 m 50 90 90 90 130 10 c S";
    assert_eq!(text(&format!("{hidden} {curve}")), "![Page 1](page:1:img)");
}

/// A page with tags: a running head and labels that are artifacts, and values that are paragraphs.
fn labelled(annotations: &str) -> Vec<u8> {
    let mut content = "/Artifact BMC BT /F1 9 Tf 72 770 Td (Running head) Tj ET EMC \
        /Artifact BMC BT /F1 9 Tf 40 700 Td (17) Tj ET EMC \
        /Artifact BMC BT /F1 11 Tf 72 700 Td (Name:) Tj ET EMC \
        /Artifact BMC BT /F1 11 Tf 72 500 Td (Alone) Tj ET EMC "
        .to_owned();
    let values = [
        ("Jane Doe", 700),
        ("Some more text", 660),
        ("And more of it", 640),
    ];
    for (mcid, (text, y)) in values.into_iter().enumerate() {
        content +=
            &format!("/P << /MCID {mcid} >> BDC BT /F1 11 Tf 150 {y} Td ({text}) Tj ET EMC ");
    }
    pages(
        &[&content],
        &format!("/StructParents 0 {annotations}"),
        "/StructTreeRoot 5 0 R",
        &[
            "<< /Type /StructTreeRoot /K [7 0 R 8 0 R 9 0 R] /ParentTree 6 0 R >>",
            "<< /Nums [0 [7 0 R 8 0 R 9 0 R]] >>",
            "<< /S /P /P 5 0 R /K 0 /Pg 3 0 R >>",
            "<< /S /P /P 5 0 R /K 1 /Pg 3 0 R >>",
            "<< /S /P /P 5 0 R /K 2 /Pg 3 0 R >>",
        ],
    )
}

#[test]
fn artifacts_in_the_lines_of_text_are_text() {
    let text = unit(labelled(""), 0);
    assert!(text.contains("Name: Jane Doe"), "{text}");
    for artifact in ["17", "Alone"] {
        assert!(!text.contains(artifact), "{artifact} in {text}");
    }
    assert!(text.starts_with("Running head\n\n"), "{text}");
    let notes = crate::open(labelled(""), None).unwrap().unit(0).notes;
    assert!(
        notes.iter().any(|it| it == crate::heads::MARKED),
        "{notes:?}"
    );
    // A page with form fields has labels in its body.
    let widget = "/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [150 490 300 510] >>]";
    let text = unit(labelled(widget), 0);
    assert!(text.contains("Alone") && text.contains("Running"), "{text}");
}

#[test]
fn all_of_a_page_has_its_artifacts_and_running_heads() {
    let all = |file: Vec<u8>| crate::open(file, None).unwrap().whole_unit(1).text;
    let text = crate::open(labelled(""), None).unwrap().whole_unit(0).text;
    for artifact in ["Running head", "17", "Name:", "Alone", "Jane Doe"] {
        assert!(text.contains(artifact), "{artifact} not in {text}");
    }
    let page = |number: u8| {
        format!(
            "BT /F1 10 Tf 72 770 Td (The running head) Tj 0 -80 Td (Text of page {number} goes here.) Tj 0 -14 Td (It has two lines.) Tj ET"
        )
    };
    let contents = [page(1), page(2), page(3), page(4)];
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    let file = pages(&contents, "", "", &[]);
    assert!(!unit(file.clone(), 1).contains("running head"));
    assert!(all(file).contains("The running head"));
}

#[test]
fn artifacts_at_the_edges_are_shown_once() {
    let page = |number: usize| {
        format!(
            "/Artifact BMC BT /F1 9 Tf 72 770 Td (Acme Ltd, VAT 17) Tj 0 -740 Td (Page {number}) Tj EMC \
             0 600 Td (Text of page {number} goes here.) Tj ET"
        )
    };
    let contents: Vec<String> = (1..=4).map(page).collect();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    let file = pages(&contents, "", "", &[]);
    for index in [3, 1, 0, 2] {
        let unit = crate::open(file.clone(), None).unwrap().unit(index);
        let text = format!("Text of page {} goes here.", index + 1);
        if index == 0 {
            assert_eq!(unit.text, format!("Acme Ltd, VAT 17\n\n{text}"));
            assert!(unit.notes.is_empty(), "{:?}", unit.notes);
        } else {
            assert_eq!(unit.text, text);
            assert_eq!(unit.notes, [crate::heads::LEFT_OUT]);
        }
    }
}

#[test]
fn fields_have_their_whole_values() {
    let text = |field: &str| {
        let annotation = format!("/Annots [<< /Type /Annot /Subtype /Widget {field} >>]");
        let stream = "<< /Subtype /Form /BBox [0 0 100 30] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> /Length 62 >>\nstream\nBT /F1 10 Tf 2 20 Td (Lorem) Tj 0 -12 Td (Ipsum) Tj ET         \nendstream";
        let label = "BT /F1 14 Tf 50 605 Td (Label) Tj ET";
        unit(pages(&[label], &annotation, "", &[stream]), 0)
    };
    let list = text(
        "/FT /Ch /V (b) /Opt [[(a) (Lorem)] [(b) (Ipsum)]] /AP << /N 5 0 R >> /Rect [100 600 200 630]",
    );
    assert!(list.contains("Ipsum") && !list.contains("Lorem"), "{list}");
    let several = text("/FT /Ch /V [(x) (y)] /AP << /N 5 0 R >> /Rect [100 600 200 630]");
    assert!(
        several.contains("x, y") && !several.contains("Lorem"),
        "{several}"
    );
    let long = "words ".repeat(60);
    let cut = text(&format!(
        "/FT /Tx /Ff 4096 /V (first line\\n{long}) /AP << /N 5 0 R >> /Rect [100 560 200 590]"
    ));
    assert!(
        cut.contains("first line") && cut.matches("words").count() == 60,
        "{cut}"
    );
    // An appearance that has all of the value is not replaced.
    let whole =
        text("/FT /Tx /Ff 4096 /V (Lorem Ipsum) /AP << /N 5 0 R >> /Rect [100 600 200 630]");
    assert!(whole.contains("Lorem"), "{whole}");
    let check = text("/FT /Btn /AS /On /Rect [38 604 47 613]");
    assert_eq!(check, "[x] Label");
}

#[test]
fn areas_that_touch_cover_text_together() {
    let cover = |cover: &str| {
        text(&format!(
            "BT /F1 20 Tf 100 110 Td (mmm) Tj ET BT /F1 9 Tf 72 400 Td (.) Tj ET 0 0 1 rg {cover}"
        ))
    };
    for at in [104, 108, 112, 125] {
        let cells = format!("50 90 {} 60 re f {at} 90 300 60 re f", at - 50);
        assert_eq!(cover(&cells), ".", "{at}");
    }
    // One of them covers only a part of the letters.
    assert_eq!(cover("50 90 61 60 re f"), "mmm.");
}

#[test]
fn text_of_a_layer_that_is_not_shown_is_counted_and_all_shows_it() {
    let content = "BT /F1 11 Tf 72 700 Td (Shown.) Tj ET \
        /OC /Off BDC BT /F1 11 Tf 72 680 Td (Draft) Tj ET EMC /Form Do";
    let resources = "/Resources << /Properties << /Off 5 0 R >> /XObject << /Form 6 0 R >> \
        /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>";
    let stream = "BT /F1 11 Tf 72 660 Td (Form) Tj ET";
    let form = format!(
        "<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /OC 5 0 R /Length {} >> stream\n{stream}\nendstream",
        stream.len()
    );
    let bytes = pages(
        &[content],
        resources,
        "/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>",
        &["<< /Type /OCG /Name (Draft) >>", &form],
    );
    let mut document = crate::open(bytes, None).unwrap();
    let unit = document.unit(0);
    assert_eq!(unit.text, "Shown.");
    assert_eq!(
        unit.notes,
        ["Text that cannot be seen is left out: 9 characters."]
    );
    let all = document.whole_unit(0);
    assert!(
        all.text.contains("Draft") && all.text.contains("Form"),
        "{}",
        all.text
    );
}

#[test]
fn text_that_is_printed_again_is_shown_once() {
    // A shadow, a copy in other parts, and a third one.
    let content = "BT /F1 20 Tf 72 700 Td (Annual report) Tj ET BT /F1 20 Tf 73 699 Td (Annual) Tj ( report) Tj ET \
        BT /F1 20 Tf 72.4 700 Td (Annual report) Tj ET BT /F1 11 Tf 72 640 Td (Annual report) Tj ET";
    assert_eq!(text(content), "Annual reportAnnual report");
    // Letters that are printed again one by one, with white space.
    let letters: String = "Total due"
        .chars()
        .enumerate()
        .map(|(at, it)| {
            let x = 72 + 7 * at;
            format!("BT /F1 12 Tf {x} 700 Td ({it}) Tj ET BT /F1 12 Tf {x}.3 700 Td ({it}) Tj ET ")
        })
        .collect();
    assert_eq!(text(&letters), "Total due");
    let unit = crate::open(pages(&[&letters], "", "", &[]), None);
    assert_eq!(unit.unwrap().unit(0).text, "Total due");
    // Words that are printed again one by one.
    let words = "BT /F1 20 Tf 72 700 Td (Annual ) Tj ET BT /F1 20 Tf 72.4 700 Td (Annual ) Tj ET \
        BT /F1 20 Tf 143 700 Td (report ) Tj ET BT /F1 20 Tf 143.4 700 Td (report ) Tj ET";
    assert_eq!(text(words), "Annual report ");
    // The copy that can be seen is kept.
    let white = "1 g BT /F1 20 Tf 72 700 Td (Title) Tj ET 0 g BT /F1 20 Tf 72 700 Td (Title) Tj ET";
    assert_eq!(text(white), "Title");
}

#[test]
fn accents_over_letters_are_one_character_with_them() {
    // The accent is over the letter that follows it.
    let content = "BT /F1 10 Tf 72 700 Td (Poincar) Tj ET BT /F1 10 Tf 107 700 Td (\\264) Tj ET \
        BT /F1 10 Tf 105.9 700 Td (e) Tj ET";
    assert_eq!(text(content), "Poincaré");
}

#[test]
fn pictures_in_strips_have_one_place() {
    let strips = |first: usize, count: usize| -> String {
        let strip = |it: usize| {
            let y = 700 - 20 * it;
            format!("q 400 0 0 20 72 {y} cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q ")
        };
        (first..first + count).map(strip).collect()
    };
    let text = "BT /F1 11 Tf 72 740 Td (Text over the picture.) Tj ET ";
    let content = format!("{text}{}{}", strips(0, 10), strips(20, 1));
    let unit = crate::open(pages(&["", &content], "", "", &[]), None)
        .unwrap()
        .unit(1);
    assert_eq!(
        unit.text,
        "Text over the picture.\n\n![in 10 parts, image:1001 to image:1010; page:2:img shows all](image:1001)\n\n![](image:1011)"
    );
}

#[test]
fn thin_strips_are_a_picture_and_lines_are_none() {
    let strips = |size: &str| -> String {
        let strip = |it: usize| {
            let y = 700 - 4 * it;
            format!(
                "q 400 0 0 4 72 {y} cm BI {size} /BPC 8 /CS /G ID {} EI Q ",
                "x".repeat(40)
            )
        };
        (0..20).map(strip).collect()
    };
    let content = |size: &str| {
        let text = "BT /F1 11 Tf 72 740 Td (Text.) Tj ET ";
        let file = pages(&[&format!("{text}{}", strips(size))], "", "", &[]);
        crate::open(file, None).unwrap().unit(0).text
    };
    // The first strip has no number.
    assert_eq!(
        content("/W 40 /H 1"),
        "Text.\n\n![in 19 parts, image:1 to image:19; page:1:img shows all](image:1)"
    );
    assert_eq!(content("/W 8 /H 5"), "Text.");
}
