use super::open;
use crate::{Document, limits};

fn opened(mail: &str) -> Box<dyn Document> {
    open(mail.as_bytes().to_vec()).unwrap()
}

/// The text of a mail after its header.
fn body(mail: &str) -> String {
    let text = opened(mail).unit(0).text;
    text.split_once("\n\n")
        .map_or(String::new(), |(_, body)| body.to_owned())
}

fn multipart(kind: &str, parts: &[(&str, &str)]) -> String {
    let mut out = format!("Content-Type: multipart/{kind}; boundary=B\r\n\r\n");
    for (header, body) in parts {
        out += &format!("--B\r\nContent-Type: {header}\r\n\r\n{body}\r\n");
    }
    out + "--B--\r\n"
}

#[test]
fn header_is_decoded() {
    let mail = "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nFrom: =?utf-8?b?w4Q=?= <a@x>\r\n\
                To: \"B, C\" <b@x>,\r\n c@x\r\nReply-To: r@x\r\nDate: 1 Mar 2024 12:00 +0100\r\n\
                \r\nHello\r\n";
    let mut document = opened(mail);
    assert_eq!(
        document.unit(0).text,
        "# Grüße\n\nFrom: Ä <a@x>\nTo: B, C <b@x>, c@x\nReply-To: r@x\n\
         Date: 2024-03-01T12:00:00+01:00\n\nHello"
    );
    let metadata = &document.facts().metadata;
    assert_eq!(metadata[0], ("title".to_owned(), "Grüße".to_owned()));
    assert_eq!(metadata[1].1, "Ä <a@x>");
    assert_eq!(metadata[2].1, "2024-03-01T12:00:00+01:00");
    let odd = opened("Date: yesterday\n\nx").unit(0).text;
    assert_eq!(odd, "# (no subject)\n\nDate: yesterday\n\nx");
    assert!(open(b" \n".to_vec()).is_err());
}

#[test]
fn raw_fields_have_the_charset_of_the_text() {
    let text = |text: &str| encoding_rs::WINDOWS_1251.encode(text).0.into_owned();
    let mail = [
        b"Subject: ".as_slice(),
        &text("Отчёт"),
        b"\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n\
          --B\r\nContent-Type: text/plain; charset=windows-1251\r\n\r\n",
        &text("Привет"),
        b"\r\n--B\r\nContent-Disposition: attachment; filename=\"",
        &text("новый.txt"),
        b"\"\r\n\r\nx\r\n--B\r\nContent-Disposition: attachment; filename=\"",
        "r\u{e9}sum\u{e9}.txt".as_bytes(),
        b"\"\r\n\r\ny\r\n--B--\r\n",
    ]
    .concat();
    let mut document = open(mail).unwrap();
    assert!(document.unit(0).text.starts_with("# Отчёт\n\nПривет"));
    let names: Vec<&str> = document
        .attachments()
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["новый.txt", "résumé.txt"]);
}

#[test]
fn mails_of_other_programs_are_read() {
    let apple = "33      \nSubject: a\nFrom: b@x\n\nThe body.\n\n<?xml version=\"1.0\"?><plist/>";
    assert_eq!(opened(apple).unit(0).text, "# a\n\nFrom: b@x\n\nThe body.");
    let page = "Snapshot-Content-Location: https://x.org/a\nSubject: A page\n\
                From: <Saved by a program>\nContent-Type: text/html\n\n<p>Text</p>";
    assert_eq!(
        opened(page).unit(0).text,
        "# A page\n\nFrom: Saved by a program\nPage: https://x.org/a\n\nText"
    );
}

#[test]
fn body_is_the_better_alternative() {
    let both = |plain: &str, html: &str| {
        body(&multipart(
            "alternative",
            &[("text/plain", plain), ("text/html", html)],
        ))
    };
    assert_eq!(both("a\n  b", "<p>a b</p>"), "a\n  b");
    assert_eq!(both("", "<p>a <b>b</b></p>"), "a **b**");
    assert_eq!(
        both("a", "<table><tr><th>a<th>b<tr><td>1<td>2</table>")
            .lines()
            .count(),
        3
    );
    let nested = multipart(
        "alternative",
        &[("text/plain", "one"), ("text/html", "<h1>one</h1>")],
    );
    let nested = nested
        .replace("boundary=B", "boundary=C")
        .replace("--B", "--C");
    let nested = nested
        .split_once(": ")
        .unwrap()
        .1
        .split_once("\r\n\r\n")
        .unwrap();
    let mail = multipart("mixed", &[nested, ("text/plain", "footer")]);
    assert_eq!(body(&mail), "# one\n\nfooter");
}

#[test]
fn attachments_are_listed_and_decoded() {
    let mail = multipart(
        "mixed",
        &[
            ("text/plain", "see"),
            (
                "application/pdf; name=\"a/b.pdf\"\r\nContent-Transfer-Encoding: base64",
                "UERG",
            ),
            ("image/png\r\nContent-Transfer-Encoding: base64", "UE5H"),
            ("message/rfc822", "Subject: Inner: one\r\n\r\ntext"),
            (
                "text/plain\r\nContent-Disposition: attachment; filename*=utf-8''%C3%A9.txt",
                "x",
            ),
        ],
    );
    let mut document = opened(&mail);
    let names: Vec<_> = document
        .attachments()
        .iter()
        .map(|it| it.name.clone())
        .collect();
    assert_eq!(
        names,
        ["a_b.pdf", "attachment-2.png", "Inner: one.eml", "é.txt"]
    );
    assert_eq!(document.attachments()[0].size, 3);
    assert_eq!(document.attachment(0).unwrap(), b"PDF");
    assert_eq!(
        document.attachment(2).unwrap(),
        b"Subject: Inner: one\r\n\r\ntext"
    );
    assert_eq!(document.attachment(4), None);
    let text = document.unit(0).text;
    let (body, list) = text.split_once("Attachments:\n\n").unwrap();
    assert_eq!(body, "# (no subject)\n\nsee\n\n");
    assert!(list.starts_with("- a_b.pdf (application/pdf, 3 bytes)\n- attachment-2.png"));
}

#[test]
fn images_of_the_text_are_images() {
    let image = "image/png; name=logo.png\r\nContent-ID: <i@x>\r\n\
                 Content-Transfer-Encoding: base64";
    let other = image.replace("i@x", "j@x").replace("logo", "other");
    let html = ("text/html", "<p>a <img alt=Logo src=\"cid:i@x\"></p>");
    let mut document = opened(&multipart(
        "related",
        &[html, (image, "UE5H"), (&other, "UE5I")],
    ));
    let text = document.unit(0).text;
    assert!(text.contains("a ![Logo](image:1)"), "{text}");
    assert_eq!(document.image(1).unwrap(), b"PNG");
    assert_eq!(document.image(2), None);
    assert_eq!(document.image(0), None);
    assert_eq!(document.attachments().len(), 1);
    assert_eq!(document.attachments()[0].name, "other.png");
}

#[test]
fn encoded_file_in_text_is_an_attachment() {
    let mut document = opened("\nHi\nbegin 644 cat.txt\n#0V%T\n`\nend\nbye\n");
    assert_eq!(document.attachment(0).unwrap(), b"Cat");
    let text = document.unit(0).text;
    assert!(
        text.contains("Hi\n[attachment: cat.txt]\nbye\n\nAttachments:"),
        "{text}"
    );
}

#[test]
fn winmail_is_read() {
    let mut file = b"Content-Type: application/ms-tnef; name=winmail.dat\n\n".to_vec();
    file.extend(crate::mail::tnef::tests::winmail());
    let mut document = open(file).unwrap();
    let names: Vec<_> = document
        .attachments()
        .iter()
        .map(|it| it.name.clone())
        .collect();
    assert_eq!(names, ["aé.txt", "längerer Name.txt"]);
    assert_eq!(document.attachment(1).unwrap(), b"second");
    assert!(
        document
            .unit(0)
            .text
            .starts_with("# (no subject)\n\nrich\n\nAttachments:")
    );
}

#[test]
fn encrypted_text_is_named() {
    let pgp = multipart(
        "encrypted",
        &[
            ("application/pgp-encrypted", "Version: 1"),
            ("application/octet-stream", "x"),
        ],
    );
    let unit = opened(&pgp).unit(0);
    assert_eq!(unit.notes.len(), 1);
    assert!(
        unit.text.contains("[The text is encrypted (PGP)."),
        "{}",
        unit.text
    );
    let smime = "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nx";
    let mut document = opened(smime);
    assert!(document.unit(0).notes[0].contains("S/MIME"));
    assert_eq!(document.attachments()[0].name, "attachment-1.p7m");
}

#[test]
fn invitation_and_report_are_readable() {
    let mail = multipart(
        "alternative",
        &[
            ("text/plain", "Come"),
            (
                "text/calendar; method=REQUEST",
                "METHOD:REQUEST\nBEGIN:VEVENT\nSUMMARY:S\nEND:VEVENT",
            ),
        ],
    );
    assert!(body(&mail).starts_with("Come\n\nInvitation:\n- Event: S\n\nAttachments:"));
    let mail = multipart(
        "report",
        &[
            ("text/plain", "Failed"),
            ("message/delivery-status", "Action: failed\n\nStatus: 5"),
        ],
    );
    assert_eq!(body(&mail), "Failed\n\nAction: failed\n\nStatus: 5");
}

#[test]
fn long_quotation_is_noted() {
    let quote = "> old\n".repeat(limits::QUOTED_LINES + 10);
    let unit = opened(&format!("\nnew\n\n{quote}")).unit(0);
    assert!(unit.text.contains("new\n\n> old\n"));
    assert!(unit.text.ends_with("> [10 quoted lines are left out here]"));
    assert!(unit.notes[0].starts_with("10 lines"), "{:?}", unit.notes);
}

#[test]
fn every_prefix_is_read() {
    let image = "image/png; name*0*=utf-8''%C3; name*1*=%A9.png\r\nContent-ID: <i@x>\r\n\
                 Content-Transfer-Encoding: base64";
    let mail = "Subject: =?utf-8?b?w6k=?=\r\nFrom: \"a\\\"b\" (c) <a@x>\r\n".to_owned()
        + &multipart(
            "related",
            &[
                ("text/html; charset=utf-8", "<p>é<img src='cid:i@x'>"),
                (image, "UE5H"),
            ],
        );
    for end in 0..mail.len() {
        let Ok(mut document) = open(mail.as_bytes()[..end].to_vec()) else {
            continue;
        };
        assert!(document.unit(0).text.starts_with("# "));
        for index in 0..document.attachments().len() {
            assert!(document.attachment(index).is_some());
        }
    }
}

#[test]
fn nested_mails_and_many_parts_are_limited() {
    let deep = "Content-Type: message/rfc822\n\n".repeat(100_000);
    let mut document = opened(&deep);
    assert_eq!(document.attachments().len(), 1);
    assert_eq!(document.attachment(0).unwrap().len(), deep.len() - 30);
    let many = "Content-Type: multipart/mixed; boundary=b\n\n".to_owned()
        + &"--b\nContent-Type: image/png\n\nx\n".repeat(100_000);
    let mut document = opened(&many);
    assert_eq!(document.attachments().len(), limits::MAIL_PARTS - 1);
    assert!(document.unit(0).notes[0].starts_with("The mail has more than"));
}

#[test]
fn saved_page_without_a_sender_has_no_title() {
    let page = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n\
        Content-Type: text/html\n\n<h1>Travel</h1><p>text</p>\n--b--";
    let mut document = open(page.as_bytes().to_vec()).unwrap();
    assert_eq!(document.unit(0).text, "# Travel\n\ntext");
}

#[test]
fn flowed_text_is_joined_by_its_rules() {
    let mail = |kind: &str, text: &str| {
        body(&format!(
            "Content-Type: text/plain; format=flowed{kind}\r\n\r\n{}",
            text.replace('\n', "\r\n")
        ))
    };
    // Only a space at the end of a line continues it.
    assert_eq!(mail("", "one \ntwo \nthree\nfour"), "one two three\nfour");
    assert_eq!(mail("; delsp=no", "one \ntwo"), "one two");
    assert_eq!(
        mail("; DelSp=YES", "\u{6f22} \n\u{5b57}"),
        "\u{6f22}\u{5b57}"
    );
    // Other depths of quotation are other paragraphs.
    assert_eq!(
        mail("", "> a \n> b \n>> c \n>>d \n> e \nf"),
        "> a b\n>> c d\n>\n> e\n\nf"
    );
    // A space before the text of a line is not a part of it.
    assert_eq!(mail("", " From a\n  b \n c"), "From a\n b c");
    // The separator of a signature ends a paragraph, and does not continue.
    assert_eq!(mail("", "bye \n-- \nAnn"), "bye\n--\nAnn");
    assert_eq!(mail("", "> bye \n> -- \n> Ann"), "> bye\n> --\n> Ann");
    // Senders do not always encode the spaces.
    let coded = "; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable";
    assert_eq!(
        mail(coded, "one =\nbig \ntwo=20\nthree"),
        "one big two three"
    );
    assert_eq!(
        body("Content-Transfer-Encoding: quoted-printable\r\n\r\none \r\ntwo"),
        "one\ntwo"
    );
}
