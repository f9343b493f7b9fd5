//! Properties of every notebook.

use super::*;
use proptest::prelude::*;

fn sources() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof!["[a-z`# %|ü]{0,8}", Just("# %% [code] cell:0".to_owned())];
    let source = prop::collection::vec(line, 0..5).prop_map(|lines| lines.join("\n"));
    prop::collection::vec(source, 0..6)
}

/// Generates JSON values of any type. The keys of objects are field names of the notebook format.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a<>/td\\r\\n\u{1b}\u{8}\\[;m|`ü]{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "code",
            "heading",
            "stream",
            "error",
            "display_data",
            "stderr"
        ])
        .prop_map(Value::from),
        Just(Value::from(
            "<table><tr><th rowspan=2>a<td colspan=3>b</table>"
        )),
    ];
    let names = prop::sample::select(vec![
        "cells",
        "worksheets",
        "metadata",
        "cell_type",
        "source",
        "input",
        "outputs",
        "output_type",
        "data",
        "text",
        "name",
        "traceback",
        "ename",
        "image/png",
        "text/html",
        "text/plain",
        "application/json",
        "attachments",
        "level",
        "language_info",
        "kernelspec",
        "nbformat",
    ]);
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..6).prop_map(|fields| {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(fields.collect())
            }),
        ]
    })
}

/// Checks what holds for every converted notebook: each attachment follows a line of the text, and
/// the attachments are in the order of the lines.
fn check(converted: &Shown) {
    let lines = converted.text.split('\n').count() as u64;
    assert!(
        converted
            .attachments
            .iter()
            .all(|aside| (1..=lines).contains(&aside.line))
    );
    assert!(converted.attachments.is_sorted_by_key(|aside| aside.line));
}

proptest! {
    #[test]
    fn any_json_is_converted_or_refused(value in values(), cell in values(), output in values()) {
        let cell_of = json!({"cell_type": "code", "source": cell.clone(), "outputs": [output.clone()]});
        for json in [
            value.clone(),
            json!({"cells": value.clone()}),
            json!({"worksheets": [{"cells": [cell.clone(), value]}]}),
            json!({"cells": [cell, cell_of], "metadata": output}),
        ] {
            for view in [View::Editable, View::Outputs, all(0, 5)] {
                if let Ok(converted) = super::rendition(&json.to_string(), &view) {
                    check(&converted);
                }
            }
        }
    }

    #[test]
    fn damage_is_converted_or_refused(at in 0usize..2000, byte in 0u8..128) {
        let mut json = serde_json::to_vec_pretty(&sample()).unwrap();
        let at = at % json.len();
        json[at] = byte;
        for view in [View::Editable, View::Outputs, all(0, 5)] {
            if let Ok(converted) = super::rendition(str::from_utf8(&json).unwrap(), &view) {
                check(&converted);
            }
        }
    }

    #[test]
    fn editable_sources_are_exact(sources in sources(), listed: bool) {
        let source = |text: &String| {
            if listed {
                json!(text.split_inclusive('\n').collect::<Vec<_>>())
            } else {
                json!(text)
            }
        };
        let list: Vec<Value> = sources
            .iter()
            .map(|text| json!({"cell_type": "code", "source": source(text), "outputs": [{}]}))
            .collect();
        let shown = view(&cells(&json!(list)), View::Editable);
        let mut expected = Vec::new();
        for (at, text) in sources.iter().enumerate() {
            expected.push(format!("# %% [code] cell:{at}\n{text}"));
        }
        prop_assert_eq!(&shown.text, &expected.join("\n"));
        check(&shown);
        // The notice about outputs is directly before the next marker.
        let lines: Vec<&str> = shown.text.split('\n').collect();
        for (at, aside) in shown.attachments.iter().enumerate() {
            let next = lines.get(usize::try_from(aside.line).unwrap()).copied();
            let marker = format!("# %% [code] cell:{}", at + 1);
            prop_assert_eq!(next, (at + 1 < sources.len()).then_some(&*marker));
        }
    }

    #[test]
    fn every_line_of_a_stream_is_in_its_cell(lines in prop::collection::vec("[a-z |<>ü]{0,9}", 1..300)) {
        let text = lines.join("\n");
        let stream = json!([{"cell_type": "code", "source": "x", "outputs": [
            {"output_type": "stream", "name": "stdout", "text": text},
        ]}]);
        let shown = view(&cells(&stream), all(0, 0)).text;
        let tail = format!("**Output:**\n{}", text.strip_suffix('\n').unwrap_or(&text));
        prop_assert!(text.is_empty() || shown.ends_with(&tail), "{}", shown);
    }
}
