//! Tests of packages.

use super::{Package, join};
use crate::limits;
use crate::testing::{package, relationships};

#[test]
fn names_of_parts_ignore_case_and_slashes() {
    let mut found = Package::open(package(&[("Word\\Document.xml", b"text")])).unwrap();
    assert_eq!(found.part("/word/document.XML").unwrap().bytes, b"text");
    assert!(found.part("word/other.xml").is_none());
}

#[test]
fn last_of_several_members_with_one_name_is_read() {
    let mut found = Package::open(package(&[("a", b"1"), ("a", b"2")])).unwrap();
    assert_eq!(found.part("a").unwrap().bytes, b"2");
}

#[test]
fn relationships_are_resolved_to_parts() {
    let list = relationships(&[
        ("a", "image", "../media/b%20c.png"),
        ("b", "styles", "/word/styles.xml"),
        ("c", "hyperlink", "https://example.org"),
    ]);
    let parts: [(&str, &[u8]); 2] = [
        ("word/deep/_rels/x.xml.rels", list.as_bytes()),
        ("word/media/b c.png", b""),
    ];
    let found = Package::open(package(&parts))
        .unwrap()
        .relationships("word/deep/x.xml");
    assert_eq!(found.part("a"), Some("word/media/b c.png"));
    assert_eq!(found.part("b"), Some("word/styles.xml"));
    assert_eq!(found.part("c"), None);
    assert_eq!(
        found.first("hyperlink").unwrap().target,
        "https://example.org"
    );
}

#[test]
fn targets_stay_inside_the_package() {
    assert_eq!(join("word", "../../../etc/./passwd"), "etc/passwd");
    assert_eq!(join("", "a//b"), "a/b");
}

#[test]
fn content_types_are_found_by_name_and_extension() {
    let types = "<Types><Default Extension=\"PNG\" ContentType=\"image/png\"/>\
        <Override PartName=\"/word/Document.xml\" ContentType=\"main\"/></Types>";
    let found = Package::open(package(&[("[Content_Types].xml", types.as_bytes())])).unwrap();
    assert_eq!(found.content_type("a/b.png"), Some("image/png"));
    assert_eq!(found.content_type("word/document.xml"), Some("main"));
    assert_eq!(found.content_type("c.xml"), None);
}

#[test]
fn wrong_checksum_is_damage_of_one_part() {
    let mut bytes = package(&[("a", b"first"), ("b", b"second")]);
    let at = bytes.windows(5).position(|five| five == b"first").unwrap();
    bytes[at] = b'F';
    let mut found = Package::open(bytes).unwrap();
    let part = found.part("a").unwrap();
    assert_eq!(part.bytes, b"First");
    assert_eq!(part.damage.as_deref(), Some("its checksum is wrong"));
    assert_eq!(found.part("b").unwrap().damage, None);
}

#[test]
fn addresses_of_links_are_limited_together() {
    let url = format!("http://{}", "x".repeat(limits::URL_BYTES - 7));
    let list = relationships(&[("a", "hyperlink", &url), ("b", "hyperlink", "file:b")]);
    let parts: [(&str, &[u8]); 1] = [("_rels/.rels", list.as_bytes())];
    let related = Package::open(package(&parts)).unwrap().relationships("");
    let count = (0..2000).filter(|_| related.link("a").is_some()).count();
    assert_eq!(count, limits::LINK_BYTES / limits::URL_BYTES);
    assert_eq!(related.link("b"), None);
    assert_eq!(
        related.notes(),
        ["Addresses of links that are too long are left out."]
    );
    assert_eq!(related.get("b").unwrap().target, "file:b");
}

#[test]
fn parts_with_long_names_are_ignored() {
    let long = "n".repeat(limits::PART_NAME_BYTES + 1);
    let parts: [(&str, &[u8]); 2] = [("a", b"1"), (&long, b"2")];
    let package = Package::open(package(&parts)).unwrap();
    assert_eq!(package.names().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn parts_are_cut() {
    let parts: [(&str, &[u8]); 1] = [("a", b"12345")];
    let mut package = Package::open(package(&parts)).unwrap();
    assert_eq!(package.part_within("a", 5).unwrap().damage, None);
    let cut = package.part_within("a", 4).unwrap();
    assert_eq!(cut.bytes, b"1234");
    assert!(cut.damage.unwrap().contains("the rest is left out"));
}

#[test]
fn kept_part_is_read_once_more_within_the_limits() {
    let parts: [(&str, &[u8]); 1] = [("a", b"12345")];
    let mut package = Package::open(package(&parts)).unwrap();
    let part = package.part("a").unwrap();
    package.keep("a", part.clone());
    assert_eq!(package.part_within("a", 4).unwrap().bytes, b"1234");
    for _ in 0..2 {
        assert_eq!(package.part("a"), Some(part.clone()));
    }
    // Damaged parts are read again, since their damage depends on the limit.
    let cut = package.part_within("a", 4).unwrap();
    package.keep("a", cut);
    assert_eq!(package.part("a"), Some(part));
}

#[test]
fn relationships_after_the_limit_have_a_note() {
    let list = |count: usize| {
        let entries = "<Relationship Id=\"a\" Target=\"b\"/>".repeat(count);
        format!("<Relationships>{entries}</Relationships>")
    };
    let notes = |list: String| {
        let parts: [(&str, &[u8]); 1] = [("_rels/.rels", list.as_bytes())];
        Package::open(package(&parts))
            .unwrap()
            .relationships("")
            .notes()
    };
    assert_eq!(notes(list(limits::RELATIONSHIPS)), [""; 0]);
    assert_eq!(
        notes(list(limits::RELATIONSHIPS + 1)),
        ["There are too many links and images. The last ones are left out."]
    );
}
