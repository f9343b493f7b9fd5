use super::*;

fn kinds(source: &str) -> Vec<Kind<'_>> {
    Tokens::new(source).map(|token| token.kind).collect()
}

fn fault(source: &str) -> Option<Fault> {
    let mut tokens = Tokens::new(source);
    tokens.by_ref().for_each(drop);
    tokens.fault()
}

#[test]
fn element_well_formed_has_all_tokens() {
    let start = Kind::Start {
        name: "a:b",
        attributes: "c='>' d = \"<\"",
        empty: false,
    };
    let expected = [
        start,
        Kind::Text("x &amp; y"),
        Kind::Cdata("<z>"),
        Kind::End { name: "a:b" },
    ];
    assert_eq!(
        kinds("<a:b c='>' d = \"<\">x &amp; y<![CDATA[<z>]]></a:b >"),
        expected
    );
}

#[test]
fn empty_element_has_no_slash_in_attributes() {
    let empty = |attributes| {
        [Kind::Start {
            name: "a",
            attributes,
            empty: true,
        }]
    };
    assert_eq!(kinds("<a/>"), empty(""));
    assert_eq!(kinds("<a b='1' />"), empty("b='1'"));
    assert_eq!(kinds("<a b='1'/>"), empty("b='1'"));
}

#[test]
fn unquoted_url_keeps_its_slash() {
    let start = Kind::Start {
        name: "a",
        attributes: "href=http://host/",
        empty: false,
    };
    assert_eq!(kinds("<a href=http://host/>"), [start]);
}

#[test]
fn bare_less_than_is_text() {
    assert_eq!(
        kinds("1 < 2 <3 << </ <! <?"),
        [Kind::Text("1 < 2 <3 << </ <! <?")]
    );
    assert_eq!(fault("1 < 2").map(|fault| fault.at), Some(2));
}

#[test]
fn markup_without_end_is_recovered() {
    assert_eq!(
        kinds("<!-- a>b"),
        [Kind::Comment("<!-- a>"), Kind::Text("b")]
    );
    assert_eq!(kinds("<![CDATA[ab"), [Kind::Cdata("ab")]);
    assert_eq!(kinds("</a"), [Kind::End { name: "a" }]);
    let start = |name| Kind::Start {
        name,
        attributes: "",
        empty: false,
    };
    assert_eq!(kinds("<a<b>"), [start("a"), start("b")]);
}

#[test]
fn doctype_subset_is_separate() {
    let source = "<!DOCTYPE a SYSTEM 'x>y' [<!ENTITY b ']>'><!-- ]> -->]><a/>";
    let declaration = Kind::Declaration {
        head: "<!DOCTYPE a SYSTEM 'x>y' ",
        subset: Some("<!ENTITY b ']>'><!-- ]> -->"),
    };
    assert_eq!(kinds(source).first(), Some(&declaration));
    assert_eq!(fault(source), None);
}

proptest::proptest! {
    #[test]
    fn tokens_of_any_text_are_the_text(source in "[<>!/?a='\" \\[\\]-]{0,60}|.{0,40}") {
        let mut at = 0;
        for token in Tokens::new(&source) {
            proptest::prop_assert_eq!(token.start, at);
            proptest::prop_assert!(token.end > at);
            at = token.end;
        }
        proptest::prop_assert_eq!(at, source.len());
    }
}
