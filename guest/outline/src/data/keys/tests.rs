//! Tests of the keys of JSON, YAML and TOML.

use super::*;

fn drawn(found: Option<Found>, text: &str) -> Vec<String> {
    let one = |symbol: Symbol| {
        let bytes = &text[symbol.bytes.0..symbol.bytes.1];
        assert!(symbol.first <= symbol.line && symbol.line <= symbol.last);
        assert_eq!(
            u32::try_from(bytes.matches('\n').count()).unwrap(),
            symbol.last - symbol.line,
            "{bytes:?}"
        );
        format!("{} {}-{}", symbol.name, symbol.first, symbol.last)
    };
    match found {
        None => Vec::new(),
        Some(Found::One(symbol)) => vec![one(symbol)],
        Some(Found::Several { symbols, .. }) => symbols.into_iter().map(one).collect(),
        Some(Found::None { .. }) => panic!("not a result of this function"),
    }
}

fn check(walk: Walk, text: &str, cases: &[(&str, &[&str])]) {
    for (query, expected) in cases {
        assert_eq!(drawn(find(text, walk, query), text), *expected, "{query}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(
            drawn(find(&windows, walk, query), &windows),
            *expected,
            "{query} with CRLF"
        );
    }
}

#[test]
fn json_keys_are_found() {
    let text = "{\n \"version\": 1,\n \"engines\": { \"version\": 2, \"a.b\": 3 },\n \"a.b\": {\n  \"c\": [\n   [1, {\"d\\u00e9\": 4}],\n   5\n  ]\n },\n \"a\": {\"b\": 1},\n \"list\": [{\"id\": 1}, {\n  \"id\": 2}]\n}\n";
    check(
        json,
        text,
        &[
            ("version", &["version 2-2"]),
            ("engines.version", &["engines.version 3-3"]),
            ("a.b", &["a.b 4-9", "a.b 10-10"]),
            ("\"a.b\"", &["a.b 4-9"]),
            ("\"a\".b", &["a.b 10-10"]),
            ("a.\"b\"", &["a.b 10-10"]),
            ("\"a", &[]),
            ("a.b.c", &["a.b.c 5-8"]),
            ("c[0][1].dé", &["a.b.c.0.1.dé 6-6"]),
            ("a.b.c.1", &["a.b.c.1 7-7"]),
            ("c.0.1.dé", &["a.b.c.0.1.dé 6-6"]),
            ("id", &["list.0.id 11-11", "list.1.id 12-12"]),
            ("list[1]", &["list.1 11-12"]),
            ("list/0/id", &["list.0.id 11-11"]),
            ("list.2", &[]),
            ("b.version", &[]),
            ("", &[]),
        ],
    );
    check(
        json,
        "{\"a\":{\"b\":[1,{\"c\":2}]}}",
        &[("a.b.1.c", &["a.b.1.c 1-1"])],
    );
    let text = "{\"a\":{\"b\":[1,{\"c\":2}]}}";
    let Some(Found::One(symbol)) = find(text, json, "b") else {
        panic!("not found");
    };
    assert_eq!(&text[symbol.bytes.0..symbol.bytes.1], "\"b\":[1,{\"c\":2}]");
}

#[test]
fn yaml_keys_are_found() {
    let text = "# c\non: push\n\n# The jobs.\n# All.\njobs:\n  \"a b\":\n    steps:\n    - uses: x\n      with: {y: 1, z: [2,\n        {w: 3}]}\n\n    # c\n    - run: |\n        k: v\n\n        z: 1\n      id: i\n  'c': {\n    d: 1 }\nlast:\n- - 1\n  - 2\n- e: \"x\n    f: 1\"\n---\non: pull\n";
    check(
        yaml,
        text,
        &[
            ("on", &["on 1-2", "on 27-27"]),
            ("jobs", &["jobs 4-20"]),
            ("jobs.a b", &["jobs.a b 7-18"]),
            ("steps", &["jobs.a b.steps 8-18"]),
            ("steps[0]", &["jobs.a b.steps.0 9-11"]),
            ("steps.1", &["jobs.a b.steps.1 13-18"]),
            ("steps.0.with.z.1.w", &["jobs.a b.steps.0.with.z.1.w 11-11"]),
            ("with", &["jobs.a b.steps.0.with 10-11"]),
            ("k", &[]),
            ("run", &["jobs.a b.steps.1.run 13-17"]),
            ("id", &["jobs.a b.steps.1.id 18-18"]),
            ("c.d", &["jobs.c.d 20-20"]),
            ("last[0][1]", &["last.0.1 23-23"]),
            ("last.1.e", &["last.1.e 24-25"]),
        ],
    );
}

#[test]
fn toml_keys_are_found() {
    let text = "# c\na.b = 1\n\n# The table.\n[x]\n\"k = 1\" = \"[\" # [\nv = { p = 1, q.r = [\"}\", 2] }\n\n[x.y]\nz = [\n  '#', # ]\n\n  { w = 1 },\n]\ns = \"\"\"\n[no]\nb = 1\"\"\"\n\n[[list]]\nid = 1\n[list.sub]\nt = 1\n[[list]]\nid = 2\n\n[x.\"a.b\"]\nc = 2024-01-01\n";
    check(
        toml,
        text,
        &[
            ("a.b", &["a.b 1-2"]),
            ("x", &["x 4-17", "x 26-27"]),
            ("x.k = 1", &["x.k = 1 6-6"]),
            ("v.q.r[1]", &["x.v.q.r.1 7-7"]),
            ("x.y", &["x.y 9-17"]),
            ("z", &["x.y.z 10-14"]),
            ("x.y.z.1.w", &["x.y.z.1.w 13-13"]),
            ("s", &["x.y.s 15-17"]),
            ("list", &["list 19-24"]),
            ("list.0", &["list.0 19-22"]),
            ("list[1].id", &["list.1.id 24-24"]),
            ("list.0.sub.t", &["list.0.sub.t 22-22"]),
            ("a.b.c", &["x.a.b.c 27-27"]),
            ("x.\"a.b\".c", &["x.a.b.c 27-27"]),
            ("x.\"a\".b.c", &[]),
            ("no", &[]),
        ],
    );
}

#[test]
fn path_with_several_readings_finds_each_key_and_quotes_select_one() {
    let json_text = "{\"x\":{\"a\":{\"b\":1},\"a.b\":2},\"x.a\":{\"b\":3},\"x.a.b\":4,\"y\":{\"a/b\":5,\"a\":{\"b\":[6,{\"c\":7}],\"b[1]\":{\"c\":8}}},\"q\":{\"\\\"r\\\"\":9,\"r\":10,\"\":11}}";
    let yaml_text = "x:\n  a: {b: 1}\n  a.b: 2\nx.a:\n  b: 3\nx.a.b: 4\ny:\n  a/b: 5\n  a:\n    b: [6, {c: 7}]\n    b[1]: {c: 8}\nq:\n  '\"r\"': 9\n  r: 10\n  '': 11\n";
    let toml_text = "\"x.a.b\" = 4\n[x]\na.b = 1\n\"a.b\" = 2\n[\"x.a\"]\nb = 3\n[y]\n\"a/b\" = 5\na.b = [6, {c = 7}]\na.\"b[1]\" = {c = 8}\n[q]\n'\"r\"' = 9\nr = 10\n\"\" = 11\n";
    for (walk, text) in [
        (json as Walk, json_text),
        (yaml, yaml_text),
        (toml, toml_text),
    ] {
        for (query, quoted) in [
            (
                "x.a.b",
                vec!["x.\"a\".b", "x.\"a.b\"", "\"x.a\".b", "\"x.a.b\""],
            ),
            ("a.b", vec!["x.\"a\".b", "x.\"a.b\"", "y.\"a\".b"]),
            ("y/a/b", vec!["y.\"a/b\"", "y.\"a\".b"]),
            ("b[1].c", vec!["y.\"a\".\"b\".1.c", "y.\"a\".\"b[1]\".c"]),
            ("q.r", vec!["q.\"r\""]),
            ("q.\"r\"", vec!["q.\"r\""]),
            ("q.\"\"\"r\"\"\"", vec!["q.\"\"\"r\"\"\""]),
            ("q.\"\"", vec!["q.\"\""]),
        ] {
            // A quote at both ends of a name is removed in YAML.
            if text == yaml_text && query.starts_with('q') {
                continue;
            }
            let symbols = match find(text, walk, query) {
                Some(Found::One(one)) => vec![one],
                Some(Found::Several { symbols, .. }) => symbols,
                _ => Vec::new(),
            };
            let mut found: Vec<String> = symbols.iter().map(|one| one.query().to_owned()).collect();
            let mut wanted = quoted.clone();
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{query} in {text}");
            for one in symbols {
                let again = find(text, walk, one.query());
                assert_eq!(again, Some(Found::One(one)), "{text}");
            }
        }
    }
    // Without such names, no path needs quotes.
    let Some(Found::One(plain)) = find("{\"a\":{\"b\":[1]}}", json, "a.b.0") else {
        panic!("not found");
    };
    assert_eq!(plain.query(), "a.b.0");
}

#[test]
fn column_of_a_long_line_selects_the_key_around_it() {
    let keys: Vec<String> = (0..200)
        .map(|n| format!("\"k{n}\":{{\"id\":{n}}}"))
        .collect();
    let text = format!("{{{}}}", keys.join(","));
    let offset = text.find("{\"id\":77}").unwrap() + 2;
    let names = |offset| -> Vec<String> {
        let found = enclosing(&text, json, 1, offset);
        found.into_iter().map(|one| one.name).collect()
    };
    assert_eq!(names(Some(offset)), ["k77.id", "k77"]);
    assert_eq!(names(Some(0)), Vec::<String>::new());
}

#[test]
fn damaged_data_has_keys() {
    for (walk, text, query, expected) in [
        (json as Walk, "{\n \"a\": {\n  \"b\": 1\n", "b", "a.b 3-3"),
        (json, "{\n \"a\": 1\n \"b\": 2\n}\n", "b", "b 3-3"),
        (json, "]}{\"a\": \"x\n}", "a", "a 1-1"),
        (yaml, "a: [1,\nb: 2\n", "b", "b 2-2"),
        (yaml, "a: \"x\nb: 2\n", "b", "b 2-2"),
        (toml, "a = [1,\nb = 2\n", "b", "b 2-2"),
        (toml, "[a\nb = \"x\nc = 1", "c", "c 3-3"),
    ] {
        let found = find(text, walk, query);
        assert_eq!(drawn(found, text), [expected], "{text}");
    }
    let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
    for (walk, text) in [
        (json as Walk, format!("{{\"a\": {deep}, \"b\": 1}}")),
        (yaml, format!("a: {deep}\nb: 1\n")),
        (toml, format!("a = {deep}\nb = 1\n")),
        (yaml, format!("{}\nb: 1\n", "- ".repeat(100_000))),
    ] {
        let Some(Found::One(symbol)) = find(&text, walk, "b") else {
            panic!("not found");
        };
        assert_eq!(symbol.name, "b");
    }
}

#[test]
fn keys_of_one_name_take_linear_time() {
    // Each key has the name of the query, and the query has many places at which a path may end.
    let query = vec!["a"; 400].join(".");
    for (walk, one) in [
        (json as Walk, "\"a\": {\"a\": 1},\n"),
        (yaml, "a: {a: 1}\n"),
        (toml, "a = {a = 1}\n"),
    ] {
        let body = one.repeat(100_000);
        let text = if one.starts_with('"') {
            format!("{{\n{body}\"b\": 1}}")
        } else {
            body
        };
        assert_eq!(find(&text, walk, &query), None);
        let Some(Found::Several { symbols, total }) = find(&text, walk, "a") else {
            panic!("not found");
        };
        assert_eq!((symbols.len(), total), (limits::SYMBOLS, 100_000));
        // A line of a text on one line is in the first of the keys.
        let line = enclosing(&text.replace('\n', " "), walk, 1, None);
        assert!(line.len() <= 2, "{}", line.len());
    }
}
