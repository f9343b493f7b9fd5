use super::*;

fn names(source: &str) -> Vec<(String, usize)> {
    let tree = Tree::new(source);
    let elements = tree.all().filter_map(|index| tree.element(index));
    elements
        .map(|element| (element.name.to_owned(), element.parent))
        .collect()
}

#[test]
fn elements_are_nested_as_tags_are() {
    let expected =
        [("a", 0), ("b", 1), ("c", 2), ("d", 1)].map(|(name, parent)| (name.to_owned(), parent));
    assert_eq!(names("<a><x:b><c/></x:b></q><d>"), expected);
}

#[test]
fn unclosed_title_ends_at_next_element() {
    let tree = Tree::new("<item><title>a <link>http://h/</link><description>b<pubDate>c</item>");
    let item = tree.child(0, "item").unwrap();
    let text = |name| tree.child(item, name).map(|child| tree.text(child));
    assert_eq!(text("title").as_deref(), Some("a"));
    assert_eq!(text("link").as_deref(), Some("http://h/"));
    assert_eq!(text("description").as_deref(), Some("b"));
    assert_eq!(text("pubDate").as_deref(), Some("c"));
}

#[test]
fn misnested_tags_are_reported() {
    let fault = |source| {
        Tree::new(source)
            .fault
            .map(|fault| (fault.at, fault.reason))
    };
    assert_eq!(fault("<a><b/><c></c></a>\n"), None);
    assert_eq!(fault("<a><b></a>"), Some((6, "an element has no end tag")));
    assert_eq!(
        fault("<a></b></a>"),
        Some((3, "an end tag has no start tag"))
    );
    assert_eq!(fault("<a>\n"), Some((3, "an element has no end tag")));
    assert_eq!(
        fault("<title>a<link/></title>"),
        Some((8, "an element has no end tag"))
    );
}

#[test]
fn base_is_inherited() {
    let tree = Tree::new(
        "<a xml:base='http://h/a/'><b xml:base='b/'><c/></b><d xml:base='javascript:x'/></a>",
    );
    let bases: Vec<_> = tree.all().map(|index| tree.base(index)).collect();
    assert_eq!(
        bases,
        [
            "http://h/a/",
            "http://h/a/b/",
            "http://h/a/b/",
            "http://h/a/"
        ]
    );
}

#[test]
fn vocabulary_is_that_of_uri_or_customary_prefix() {
    use Vocabulary::{Core, Dc, Media, Other, Xhtml};

    let source = "<r xmlns:z='http://purl.org/dc/elements/1.1/'><z:t/><media:t/><u:t/><t xmlns='http://www.w3.org/1999/xhtml'/></r>";
    let tree = Tree::new(source);
    let found: Vec<_> = tree
        .all()
        .filter_map(|index| Some(tree.element(index)?.vocabulary))
        .collect();
    assert_eq!(found, [Core, Dc, Media, Other, Xhtml]);
}

#[test]
fn inline_markup_is_html() {
    let tree = Tree::new("<a><x:p k='1'>b &lt; c<x:br/><x:i/></x:p><![CDATA[<]]></a>");
    assert_eq!(tree.html(1, false), "<p k='1'>b &lt; c<br><i></i></p>&lt;");
}

proptest::proptest! {
    #[test]
    fn any_text_is_accepted(source in "(<item>|<title>|</title>|<a xml:base='b/'>|<b/>|&eacute;|<|.){0,40}") {
        let tree = Tree::new(&source);
        for index in tree.all() {
            tree.html(index, true);
            tree.text(index);
        }
    }
}
