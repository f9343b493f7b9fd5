use super::*;
use serde_json::json;

fn json(text: &str) -> Result<Value, String> {
    let text = format!("---\n{text}\n---\nbody\n");
    let object = object(&text).unwrap();
    object.map(Value::Object).map_err(|wrong| wrong.to_string())
}

fn value(text: &str, key: &str) -> Option<String> {
    let [value] = values(text, [key]);
    value
}

/// Front matter as people and programs write it, each with the description in one line.
const DESCRIPTIONS: [(&str, Option<&str>); 40] = [
    (
        "description: |\n  - Use when reading PDF\n",
        Some("- Use when reading PDF"),
    ),
    ("description: >-\n  - one\n  - two", Some("- one - two")),
    ("description: >\n  'Foo' and 'bar'", Some("'Foo' and 'bar'")),
    ("description: |-\n  \"all of it\"", Some("\"all of it\"")),
    (
        "description: | # comment\n  text # text",
        Some("text # text"),
    ),
    ("description: > 5 files", Some("> 5 files")),
    ("description: |x| is a value", Some("|x| is a value")),
    ("description: 'Foo' # note", Some("Foo")),
    ("description: 'Foo' and 'bar'", Some("'Foo' and 'bar'")),
    ("description: 'it''s'", Some("it's")),
    ("description: 'one\n\n  two'", Some("one two")),
    ("description: \"caf\\xE9 \\x27x\\x27\"", Some("café 'x'")),
    ("description: \"one \\\n  \\ two\"", Some("one two")),
    (
        "description: \"one\\\n  \\ntwo\\\n  \\tthree\"",
        Some("one two three"),
    ),
    (
        "description: \"\\U0001F600 \\e[0m\\_x\"",
        Some("😀 \u{1b}[0m x"),
    ),
    ("description: \"a # b\"  # note", Some("a # b")),
    ("description: \"one\"\"two\"", Some("\"one\"\"two\"")),
    ("description: null", None),
    ("description: ~", None),
    ("description: ''", None),
    ("description: \"null\"", Some("null")),
    ("description: # nothing", None),
    ("description: 5", Some("5")),
    ("description: true", Some("true")),
    ("description: 12e3456789", Some("12e3456789")),
    ("description: .inf", Some(".inf")),
    ("description: &d Text", Some("Text")),
    ("description: &d\n  Text", Some("Text")),
    ("description: !!str Text", Some("Text")),
    ("description: !!str 12", Some("12")),
    ("description: !!str &d |-\n  Text\n", Some("Text")),
    ("description: ! Text", Some("Text")),
    ("description: !important Text", Some("!important Text")),
    ("description: & more", Some("& more")),
    ("description: *.ts and *.js", Some("*.ts and *.js")),
    ("description: - dash", Some("- dash")),
    ("description: [a, b]", None),
    ("description: [WIP] a tool", Some("[WIP] a tool")),
    ("description:\n- a\n- b", None),
    (
        "description: one two\n  three\n\n  four # note",
        Some("one two three four"),
    ),
];

#[test]
fn list_and_object_have_the_same_descriptions() {
    for (description, expected) in DESCRIPTIONS {
        let text = format!("---\nname: x\n{description}\nrev: 12e3456789\n---\n");
        assert_eq!(value(&text, "description").as_deref(), expected, "{text}");
        let object = object(&text).unwrap();
        let own = object.map(|object| as_text(object["description"].clone()));
        let own =
            own.map(|text| text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")));
        let expected = expected.map(str::to_owned);
        assert_eq!(
            own.map(|text| text.filter(|text| !text.is_empty())),
            Ok(expected),
            "{text}"
        );
    }
}

#[test]
fn an_error_elsewhere_does_not_change_a_value() {
    for (description, expected) in DESCRIPTIONS {
        for wrong in ["no key", "name: y", "deep:\n    a: b\n  c: d"] {
            let text = format!("---\nname: x\n{description}\n{wrong}\n---\n");
            assert!(object(&text).unwrap().is_err(), "{text}");
            assert_eq!(value(&text, "description").as_deref(), expected, "{text}");
        }
    }
}

#[test]
fn lines_that_are_not_yaml_are_text() {
    for (description, expected) in [
        ("description: one\n\ttwo", "one two"),
        ("description: |\n\t'one'\n\t'two'", "'one' 'two'"),
        ("description: 'one\n\ttwo' # note\n\t", "one two"),
        ("description: \"one\"\n  two: three", "\"one\" two: three"),
    ] {
        let text = format!("---\n{description}\nno key\n---\n");
        assert_eq!(
            value(&text, "description").as_deref(),
            Some(expected),
            "{text}"
        );
    }
}

#[test]
fn anchors_and_tags_do_not_change_a_value() {
    for (text, expected) in [
        (
            "a: &x b\nc: *x # note\nd: *y",
            json!({"a": "b", "c": "b", "d": "*y"}),
        ),
        (
            "a: &x\n  b: 1\nc: &y\n- 2\n- &z 3",
            json!({"a": {"b": 1}, "c": [2, 3]}),
        ),
        (
            "a: !!str 1\nb: !!int 1\nc: !<tag:x> 1",
            json!({"a": "1", "b": 1, "c": 1}),
        ),
        (
            "a: [&x b, !!str 1, !c d, &y [e]]",
            json!({"a": ["b", "1", "!c d", ["e"]]}),
        ),
        ("a:\n  &x\n  !!map\n  b: c", json!({"a": {"b": "c"}})),
        (
            "a:\n- &x b: c\n  d: e",
            json!({"a": [{"b": "c", "d": "e"}]}),
        ),
        (
            "a: .inf\nb: -.INF\nc: .nan\nd: 12e3456789\ne: 0xffffffffffffffffff",
            json!({
                "a": ".inf", "b": "-.INF", "c": ".nan", "d": "12e3456789", "e": "0xffffffffffffffffff",
            }),
        ),
    ] {
        assert_eq!(json(text), Ok(expected), "{text}");
    }
    let many = format!(
        "a: &x {}\nb:\n{}",
        "y".repeat(60_000),
        "- *x\n".repeat(1000)
    );
    let wrong = "an alias of more than one text is not supported (line 6)";
    assert_eq!(json(&many), Err(wrong.to_owned()));
    let deep = format!("a:\n{}  b", "  &x\n".repeat(20_000));
    assert_eq!(json(&deep), Ok(json!({"a": "b"})));
}

#[test]
fn values_are_read_as_people_write_them() {
    for (value_text, expected) in [
        ("description: Fill forms", Some("Fill forms")),
        (
            "description: Use when: x # not a comment for a reader",
            Some("Use when: x # not a comment for a reader"),
        ),
        ("description: \"Say \\\"hi\\\"\"", Some("Say \"hi\"")),
        ("description: \"a # b\" # comment", Some("a # b")),
        ("description: 'it''s'", Some("it's")),
        (
            "description: >-\n  two\n  lines\n\n  more\nname: x",
            Some("two lines more"),
        ),
        ("description: |\n  two\n  lines", Some("two lines")),
        ("description:\n  below", Some("below")),
        ("description: first\n  second", Some("first second")),
        ("\"description\": quoted key", Some("quoted key")),
        ("description:", None),
        ("description:\n  - a list", None),
        ("nested:\n  description: inner", None),
        ("# description: comment\nname: x", None),
    ] {
        let text = format!("\u{feff}---\r\nname: x\n{value_text}\n---\nbody\n");
        assert_eq!(
            value(&text, "description").as_deref(),
            expected,
            "{value_text}"
        );
    }
}

#[test]
fn text_without_front_matter_has_no_values() {
    for text in [
        "",
        "---",
        "---\nname: x\n",
        "name: x\n---\n",
        "----\nname: x\n---\n",
    ] {
        assert_eq!(value(text, "name"), None, "{text}");
    }
    assert!(is_open("---\nname: x\n"));
    assert!(!is_open("---\nname: x\n---\n"));
    assert!(!is_open("text\n"));
}

#[test]
fn yaml_is_read_as_the_specification_says() {
    for (text, expected) in [
        ("a: b", json!({"a": "b"})),
        ("a: b # comment", json!({"a": "b"})),
        ("a: b#c", json!({"a": "b#c"})),
        ("a: http://x/y", json!({"a": "http://x/y"})),
        ("a:", json!({"a": null})),
        (
            "a: ~\nb: true\nc: False\nd: yes",
            json!({"a": null, "b": true, "c": false, "d": "yes"}),
        ),
        (
            "a: 1\nb: -2\nc: 1.5\nd: 1e3\ne: 0x1F\nf: 0o17\ng: 1.2.3\nh: 2026-01-02",
            json!({
                "a": 1, "b": -2, "c": 1.5, "d": 1000.0, "e": 31, "f": 15, "g": "1.2.3", "h": "2026-01-02",
            }),
        ),
        ("a: '1'\nb: \"1\"", json!({"a": "1", "b": "1"})),
        (
            "a: 'it''s'\nb: \"x\\ty\\u00e9\\ud83d\\ude00\"",
            json!({"a": "it's", "b": "x\tyé😀"}),
        ),
        (
            "a: one\n  two\n\n  three\nb: c",
            json!({"a": "one two\nthree", "b": "c"}),
        ),
        (
            "a: \"one\n  two\\\n  three\"\nb: c",
            json!({"a": "one twothree", "b": "c"}),
        ),
        (
            "a: >-\n  one\n  two\n\n  three\nb: c",
            json!({"a": "one two\nthree", "b": "c"}),
        ),
        (
            "a: >\n  one\n    in\n  two\n",
            json!({"a": "one\n  in\ntwo\n"}),
        ),
        (
            "a: |\n  one\n   two\n\nb: c",
            json!({"a": "one\n two\n", "b": "c"}),
        ),
        ("a: |+\n  one\n\nb: c", json!({"a": "one\n\n", "b": "c"})),
        ("a: |2-\n   one\n  two", json!({"a": " one\ntwo"})),
        (
            "a:\n  b: 1\n  c:\n    d: e\nf: g",
            json!({"a": {"b": 1, "c": {"d": "e"}}, "f": "g"}),
        ),
        (
            "a:\n- b\n- c: 1\n  d: 2\n-\n  - e\nf: g",
            json!({"a": ["b", {"c": 1, "d": 2}, ["e"]], "f": "g"}),
        ),
        ("a:\n  - - b\n    - c", json!({"a": [["b", "c"]]})),
        (
            "a: [b, 'c', \"d\", 1, {e: f}, g: h, ]",
            json!({"a": ["b", "c", "d", 1, {"e": "f"}, {"g": "h"}]}),
        ),
        (
            "a: {b: c, \"d\":1, e, f: }",
            json!({"a": {"b": "c", "d": 1, "e": null, "f": null}}),
        ),
        (
            "a: [\n  b, # comment\n  c\n]\nd: e",
            json!({"a": ["b", "c"], "d": "e"}),
        ),
        (
            "a: [\n  b, # comment\n  c\n  ]\nd: e",
            json!({"a": ["b", "c"], "d": "e"}),
        ),
        (
            "allowed-tools: Bash(git:*) Read",
            json!({"allowed-tools": "Bash(git:*) Read"}),
        ),
        (
            "\"a b\": c\n'd': e\n1: f\ntrue: g",
            json!({"a b": "c", "d": "e", "1": "f", "true": "g"}),
        ),
        (
            "# comment\n\na: b\n  # comment\nc: d",
            json!({"a": "b", "c": "d"}),
        ),
        ("a: b\r\nc: d\r", json!({"a": "b", "c": "d"})),
    ] {
        match json(text) {
            Ok(value) => assert_eq!(value, expected, "{text}"),
            Err(wrong) => assert_eq!(wrong, "", "{text}"),
        }
    }
}

#[test]
fn values_that_are_not_valid_yaml_are_text() {
    for (value, expected) in [
        ("Use when: x # y", "Use when: x # y"),
        ("[WIP] a tool", "[WIP] a tool"),
        ("'tis", "'tis"),
        ("\"a\" and b", "\"a\" and b"),
        ("{{name}} x", "{{name}} x"),
        ("*.ts", "*.ts"),
        ("**bold**", "**bold**"),
        ("@who", "@who"),
        ("`code`", "`code`"),
        ("ends:", "ends:"),
        ("one\n  Use when: x", "one Use when: x"),
    ] {
        assert_eq!(
            json(&format!("a: {value}")),
            Ok(json!({"a": expected})),
            "{value}"
        );
    }
}

#[test]
fn what_has_no_form_in_json_is_refused() {
    for (text, wrong) in [
        (
            "a: &x [b]\nc: *x",
            "an alias of more than one text is not supported (line 4)",
        ),
        ("a: b\na: c", "a key is there twice (line 3)"),
        ("text", "there is no key (line 2)"),
        ("- a", "there is no key (line 2)"),
        ("a: b\n\tc: d", "there is no key (line 3)"),
        (
            "a: \"b\"\n  c: d",
            "the indentation is not valid YAML (line 3)",
        ),
        ("", "it is empty"),
    ] {
        assert_eq!(json(text), Err(wrong.to_owned()), "{text}");
    }
    let deep = format!("a: {}{}", "[".repeat(40), "]".repeat(40));
    assert_eq!(
        json(&deep),
        Err("it has too many levels (line 3)".to_owned())
    );
    let deep: String = (0..40)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    assert!(
        json(&deep)
            .unwrap_err()
            .starts_with("it has too many levels")
    );
    let deep = format!("a:\n  {}b", "- ".repeat(40));
    assert!(
        json(&deep)
            .unwrap_err()
            .starts_with("it has too many levels")
    );
}

proptest::proptest! {
    #[test]
    fn no_front_matter_panics(text in "([-a:|>'\"\\[\\]{},#&!*\\\\ \t\n]|\r\n){0,80}") {
        let _ = object(&format!("---\n{text}\n---\n"));
    }
}
