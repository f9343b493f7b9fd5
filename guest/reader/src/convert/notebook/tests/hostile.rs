//! Notebooks that exceed limits, are invalid, or are hostile.

use super::*;
use crate::limits;

#[test]
fn long_names_are_cut() {
    let name = "n\u{7}".repeat(100_000);
    let start = "n⟨U+0007⟩".repeat(limits::NOTEBOOK_NAME_CHARS / 2);
    let hostile = json!({
        "metadata": {"language_info": {"name": name}},
        "cells": [{
            "cell_type": name, "source": "", "attachments": {&name: {&name: ""}},
            "outputs": [{"output_type": name}],
        }],
    });
    let shown = view(&hostile, View::Outputs);
    assert_eq!(
        shown.text,
        format!(
            "# Jupyter Notebook ({start}…)\n# 1 cell\n\n## Cell 1 [{start}…]\n\
             [Attachment {start}…: {start}…, 0B]\n\n**Output:**\n[Unknown output type] ({start}…)"
        )
    );
    assert!(shown.language.unwrap().chars().count() <= limits::NOTEBOOK_NAME_CHARS + 1);
}

#[test]
fn notebook_above_limits_is_an_error() {
    let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
    let notebook = |cells: &str| format!("{{\"cells\": {cells}}}");
    let outputs = |count| format!("{{\"outputs\": {}}}", list("0", count));
    let files: Vec<String> = (0..=limits::NOTEBOOK_VALUES)
        .map(|n| format!("\"{n}\":0"))
        .collect();
    let files = format!("[{{\"attachments\": {{{}}}}}]", files.join(","));
    let many = "a notebook of more than 200,000 cells, or 1,000,000 outputs is not converted";
    let sheet = format!("{{\"cells\": {}}}", list("{}", 150_000));
    let long = "a notebook of more than 64.0MB of text, or 200,000 images is not converted";
    let image = r#"{"output_type":"display_data","data":{"image/png":"A"}}"#;
    let strings = "\"\",".repeat(80_000);
    let deep = format!("{}{strings}{}", "[".repeat(100), "1");
    let deep = format!(
        "{{\"cell_type\":\"code\",\"source\":{{\"a\":{deep}{}}}}}",
        "]".repeat(100)
    );
    for (json, message) in [
        (notebook(&list("0", limits::NOTEBOOK_CELLS + 1)), many),
        (notebook(&list("{}", limits::NOTEBOOK_CELLS + 1)), many),
        (notebook(&list(&outputs(400_000), 3)), many),
        (notebook(&files), many),
        (format!("{{\"worksheets\": {}}}", list(&sheet, 2)), many),
        (
            notebook(&format!("[{{\"outputs\": {}}}]", list(image, 200_002))),
            long,
        ),
        (notebook(&list(&deep, 30)), long),
    ] {
        let error = rendition(&json, &all(0, u64::MAX)).err();
        assert_eq!(
            error.map(|error| error.to_string()).as_deref(),
            Some(message)
        );
    }
    let most = notebook(&list("0", limits::NOTEBOOK_CELLS));
    assert_eq!(
        rendition(&most, &View::Outputs).unwrap().cells,
        limits::NOTEBOOK_CELLS as u64
    );
}

#[test]
fn wrong_types_are_noted() {
    let odd = cells(&json!([
        5,
        {"cell_type": "code", "source": {"a": 1}, "outputs": {}, "execution_count": "x"},
        {"source": ["a", 1]},
        null,
    ]));
    let shown = view(&odd, View::Editable);
    assert_eq!(
        shown.text,
        "# %% [unknown] cell:0\n\n# %% [code] cell:1\n{\n  \"a\": 1\n}\n# %% [unknown] cell:2\na1\n# %% [unknown] cell:3\n"
    );
    assert_eq!(
        shown.notes,
        [
            "cell:0 is a number, and is shown empty",
            "the outputs of cell:1 are an object, and are not shown",
            "cell:3 is null, and is shown empty",
        ]
    );
    let many = cells(&json!([1].repeat(100)));
    let notes = view(&many, View::Outputs).notes;
    assert_eq!(notes.len(), limits::NOTEBOOK_NOTES + 1);
    assert_eq!(notes.last().unwrap(), "80 more of this kind");
}

#[test]
fn invalid_notebook_is_an_error() {
    for (json, message) in [
        (
            "",
            "not a notebook: it is not JSON: EOF while parsing a value at line 1 column 0",
        ),
        (
            "{\"cells\":\n [}",
            "not a notebook: it is not JSON: expected value at line 2 column 3",
        ),
        (
            "{\"cells\": []} x",
            "not a notebook: it is not JSON: trailing characters at line 1 column 15",
        ),
        ("[1]", "not a notebook: the JSON is not an object"),
        (
            "{\"a\": 1}",
            "not a notebook: it has neither `cells` nor `worksheets`",
        ),
        ("{\"cells\": {}}", "not a notebook: `cells` is not a list"),
        (
            "{\"worksheets\": 1}",
            "not a notebook: `worksheets` is not a list",
        ),
    ] {
        let error = rendition(json, &View::Editable).unwrap_err().to_string();
        assert_eq!(error, message);
    }
    for open in ["[", "{\"cells\":[", "{\"a\":"] {
        let json = format!("{{\"cells\": [], \"metadata\": {}", open.repeat(200_000));
        let error = rendition(&json, &View::Outputs).unwrap_err();
        assert!(
            matches!(error, ConversionError::Unreadable(message) if message.contains("nested too deep"))
        );
    }
}

#[test]
fn duplicate_fields_last_wins() {
    let json = r#"{"cells": [{"source": "a", "source": "b", "x": [{}], "cell_type": "raw"}], "cells": [],
                   "\u0063ells": [{"cell_type": "code", "source": "c", "cell_type": "raw"}]}"#;
    let shown = rendition(&format!("\u{feff}{json}"), &View::Editable).unwrap();
    assert_eq!(shown.text, "# %% [raw] cell:0\nc");
}

#[test]
fn many_cells_and_long_outputs() {
    let cell = r#"{"cell_type":"code","source":["a\n","b"],"outputs":[{"output_type":"stream","name":"stdout","text":"x\n"}]}"#;
    let json = format!("{{\"cells\":[{}]}}", vec![cell; 100_000].join(","));
    for view in [View::Editable, View::Outputs, all(0, 99_999)] {
        let shown = rendition(&json, &view).unwrap();
        assert_eq!(shown.cells, 100_000);
    }
    let long = json!([{"output_type": "stream", "text": "0123456789\n".repeat(200_000)}]);
    let shown = outputs(&long).text;
    assert!(shown.contains("[… 199,960 lines, 2.1MB left out; read :cell:0 to see them]"));
    assert!(shown.len() < 1000);
}

#[test]
fn non_finite_python_numbers_become_strings() {
    let json = r#"{"cells": [{"cell_type": "code", "source": "\"NaN", "outputs": [
        {"output_type": "display_data", "data": {"application/json": [NaN, -Infinity, -1]}}]}]}"#;
    let shown = rendition(json, &View::Outputs).unwrap();
    assert!(
        shown
            .text
            .ends_with("\"NaN\n```\n\n**Output:**\n[\n  \"NaN\",\n  \"-Infinity\",\n  -1\n]")
    );
    assert_eq!(shown.notes.len(), 1);
    let error = rendition("{\"cells\": [NaN", &View::Outputs).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("not a notebook: it is not JSON: expected value at line 1")
    );
}
