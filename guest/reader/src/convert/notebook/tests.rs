mod hostile;
mod properties;

use super::*;
use crate::converted::{Attached, Attachment, EmbeddedImage, Hidden, ImageData, NoUnit};
use crate::path::{UnitKind, UnitRange};
use serde_json::{Value, json};

/// A notebook as text, with its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    text: String,
    attachments: Vec<Attachment>,
    notes: Vec<String>,
    cells: u64,
    language: Option<String>,
    format: String,
}

fn rendition(json: &str, view: &View) -> Result<Shown, ConversionError> {
    let Rendered { unit, facts } = rendered(json, view)?;
    Ok(Shown {
        text: unit.text,
        attachments: unit.attachments,
        notes: unit.notes,
        cells: facts.units.unwrap().1,
        language: facts.metadata("language").map(str::to_owned),
        format: facts.metadata("nbformat").unwrap_or_default().to_owned(),
    })
}

fn view(json: &Value, view: View) -> Shown {
    rendition(&json.to_string(), &view).unwrap()
}

fn cells(cells: &Value) -> Value {
    json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
}

/// Renders a code cell with these outputs in the view [`View::Outputs`]. The text of the result
/// starts after the source of the cell.
fn outputs(outputs: &Value) -> Shown {
    let cell = json!([{"cell_type": "code", "source": "x", "outputs": outputs}]);
    let mut converted = view(&cells(&cell), View::Outputs);
    let (_, text) = converted.text.split_once("x\n```").unwrap();
    converted.text = text.to_owned();
    converted
}

fn bundle(data: &Value) -> String {
    let shown = outputs(&json!([{"output_type": "display_data", "data": data}]));
    let text = shown.text.strip_prefix("\n\n**Output:**\n").unwrap();
    text.to_owned()
}

fn all(first: u64, last: u64) -> View {
    View::Cells {
        range: range(first, last),
        heading: Heading::Marker,
    }
}

fn range(first: u64, last: u64) -> UnitRange {
    UnitRange {
        last: Some(last),
        ..UnitRange::one(UnitKind::Cell, first)
    }
}

fn sample() -> Value {
    json!({
        "cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "text\n"]},
            {
                "cell_type": "code", "execution_count": 7, "source": "\n  a = 1\nb\n\n",
                "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
                    {"output_type": "stream", "name": "stderr", "text": "bad"},
                    {"output_type": "display_data", "data": {
                        "text/plain": "<Figure size 1x1>", "image/png": "iVBO\nRw0K\n",
                    }},
                    {"output_type": "execute_result", "data": {"text/plain": ["3"]}},
                ],
            },
            {"cell_type": "raw", "source": ""},
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4, "nbformat_minor": 2,
    })
}

#[test]
fn editable_sources_are_between_markers() {
    let shown = view(&sample(), View::Editable);
    assert_eq!(
        shown.text,
        "# %% [markdown] cell:0\n# Title\ntext\n\n# %% [code] cell:1\n\n  a = 1\nb\n\n\n# %% [raw] cell:2\n"
    );
    let hidden = Hidden {
        kind: UnitKind::Cell,
        units: (1, 1),
        outputs: 4,
        files: 0,
    };
    assert_eq!(hidden.to_string(), "[4 outputs; read :cell:1 to see them]");
    let aside = Attachment {
        line: 10,
        what: Attached::Hidden(hidden),
    };
    assert_eq!(shown.attachments, [aside]);
    assert_eq!((shown.cells, shown.format.as_str()), (3, "4.2"));
    assert_eq!(shown.language.as_deref(), Some("python"));
    assert_eq!(shown.notes, [""; 0]);
}

#[test]
fn outputs_follow_sources() {
    let shown = view(&sample(), View::Outputs);
    assert_eq!(
        shown.text,
        "# Jupyter Notebook (python)\n# 3 cells\n\n\
         ## Cell 1 [markdown]\n# Title\ntext\n\n\
         ## Cell 2 [code]\nIn [7]:\n```\n  a = 1\nb\n```\n\n\
         **Output:**\none\ntwo\nstderr:\nbad\n[Image output: image/png, 6B]\n3\n\n\
         ## Cell 3 [raw]"
    );
    let image = EmbeddedImage {
        kind: UnitKind::Cell,
        unit: 1,
        data: ImageData::Base64("iVBO\nRw0K\n".to_owned()),
    };
    let aside = Attachment {
        line: 20,
        what: Attached::Image(image),
    };
    assert_eq!(shown.attachments, [aside]);
    assert_eq!(
        shown.text.lines().nth(19),
        Some("[Image output: image/png, 6B]")
    );
}

#[test]
fn requested_cells_are_shown_alone() {
    let shown = view(&sample(), all(1, 1));
    assert!(shown.text.starts_with("# %% [code] cell:1\nIn [7]:\n```\n"));
    assert!(
        shown
            .text
            .ends_with("bad\n[Image output: image/png, 6B]\n3")
    );
    assert_eq!(shown.attachments.len(), 1);
    let numbered = View::Cells {
        range: range(0, 9),
        heading: Heading::Numbered,
    };
    let shown = view(&sample(), numbered);
    assert!(shown.text.starts_with("## Cell 1 [markdown]\n# Title"));
    let none = |first, last| rendition(&sample().to_string(), &all(first, last)).unwrap_err();
    let missing = NoUnit {
        kind: UnitKind::Cell,
        number: 3,
        count: 3,
    };
    assert_eq!(none(3, 3), ConversionError::NoUnit(missing));
    assert_eq!(
        none(3, 1).to_string(),
        "has no cell:3: the last one is cell:2"
    );
}

#[test]
fn empty_notebooks_are_converted() {
    assert_eq!(view(&cells(&json!([])), View::Editable).text, "");
    let shown = view(&cells(&json!([{"cell_type": "code"}])), View::Outputs);
    assert_eq!(
        shown.text,
        "# Jupyter Notebook (unknown)\n# 1 cell\n\n## Cell 1 [code]\n```\n\n```"
    );
    let none = rendition(r#"{"cells": []}"#, &all(0, 0)).unwrap_err();
    assert_eq!(none.to_string(), "has no cells");
}

#[test]
fn fences_are_longer_than_those_in_the_source() {
    let cell = json!([{"cell_type": "code", "source": "'''\n````\n`` `"}]);
    let shown = view(&cells(&cell), View::Outputs).text;
    assert!(shown.ends_with("[code]\n`````\n'''\n````\n`` `\n`````"));
}

#[test]
fn source_lines_like_markers_are_noted() {
    let cell = json!([
        {"cell_type": "code", "source": "a # %% [code] cell:1\n# %% [code] cell:x\n# %% [code]"},
        {"cell_type": "code", "source": "a\r\n# %% [code] cell:12\r\n"},
    ]);
    let shown = view(&cells(&cell), View::Editable);
    assert_eq!(
        shown.notes,
        ["line 2 of the source of cell:1 looks like a cell marker but is not one"]
    );
}

#[test]
fn most_informative_mime_type_is_shown() {
    for (data, expected) in [
        (json!({"text/plain": "a\u{1b}[0m"}), "a"),
        (json!({"text/plain": "p", "text/html": "<b>h</b>"}), "p"),
        (
            json!({"text/plain": "p", "text/html": "<table><tr><th>h</table>"}),
            "|h|\n|-|",
        ),
        (
            json!({"text/plain": "p", "text/html": "<!-- <table> -->"}),
            "p",
        ),
        (
            json!({"text/plain": "<IPython.core.display.HTML object>", "text/html": "<b>h</b>"}),
            "**h**",
        ),
        (
            json!({"text/plain": "<IPython.core.display.Javascript at 0x1>", "text/html": "<i>"}),
            "<IPython.core.display.Javascript at 0x1>",
        ),
        (
            json!({"text/plain": "p", "text/markdown": ["*m*\n", "n"]}),
            "*m*\nn",
        ),
        (json!({"text/plain": "p", "text/latex": "$l$"}), "$l$"),
        (json!({"text/plain": "p", "application/json": {}}), "p"),
        (
            json!({"application/json": {"a": [1]}}),
            "{\n  \"a\": [1]\n}",
        ),
        (json!({"application/vnd.x+json": [true]}), "[true]"),
        (
            json!({"text/plain": "HBox()", "application/vnd.jupyter.widget-view+json": {}}),
            "HBox()",
        ),
        (
            json!({"text/plain": "<VegaLite 5 object>", "application/vnd.vegalite.v5+json": {"mark": "bar"}}),
            "{\n  \"mark\": \"bar\"\n}",
        ),
        (
            json!({
                "text/plain": "<X>", "application/json": {},
                "application/vnd.vegalite.v5+json": {"mark": "bar"}, "application/x+json": [1]
            }),
            "{\n  \"mark\": \"bar\"\n}\n[Not shown: application/x+json, 3B; read :raw to see it]",
        ),
        (
            json!({"text/plain": "<Empty>", "application/json": []}),
            "<Empty>",
        ),
        (
            json!({"text/plain": "Figure()", "application/vnd.plotly.v1+json": {"data": [1]}}),
            "Figure()\n[Not shown: application/vnd.plotly.v1+json, 12B; read :raw to see it]",
        ),
        (
            json!({"image/png": "AAAA", "application/vnd.vegalite.v5+json": {"mark": "bar"}}),
            "[Image output: image/png, 3B]\n\
             [Not shown: application/vnd.vegalite.v5+json, 14B; read :raw to see it]",
        ),
        (json!({"text/csv": "a,b"}), "a,b"),
        (
            // One order for a map that keeps the order of insertion, one for a sorted
            // map.
            json!({"application/javascript": ["1", "2"], "application/x-foo\n": "abc"}),
            "[Output data] (application/javascript, 2B; application/x-foo⟨U+000A⟩, 3B)",
        ),
        (
            json!({"text/html": "<script>x</script>"}),
            "[Output data] (text/html, 18B)",
        ),
        (json!({}), "[Output data]"),
        (json!([]), "[Output data]"),
        (json!({"image/png": "", "text/plain": "p"}), "p"),
        (
            json!({"image/png": "data:image/png;base64,AAAA==", "text/plain": "a\n<b>"}),
            "a\n<b>\n[Image output: image/png, 3B]",
        ),
        (
            json!({"image/svg": "<svg/>", "text/plain": "<Figure size 1x1>\n"}),
            "[Image output: image/svg+xml, 6B]",
        ),
    ] {
        assert_eq!(bundle(&data), expected, "{data}");
    }
}

#[test]
fn notes_on_html_outputs_name_the_cell() {
    let html = "<table><tr><th>h</th></tr></table><p hidden>secret</p>";
    let data = json!({"text/html": html, "text/plain": "p"});
    let shown = outputs(&json!([{"output_type": "display_data", "data": data}]));
    assert_eq!(shown.text, "\n\n**Output:**\n|h|\n|-|");
    let note = "hidden text is left out: 1 element, 6 characters (attribute hidden)";
    assert_eq!(shown.notes, [format!("output of cell:0: {note}")]);
}

#[test]
fn errors_end_with_their_traceback() {
    let frames: Vec<String> = (0..40)
        .map(|n| format!("\u{1b}[31mframe {n}\nat x\u{1b}[0m"))
        .collect();
    let error = json!([{
        "output_type": "error", "ename": "ValueError", "evalue": "bad", "traceback": frames,
    }]);
    let shown = outputs(&error).text;
    assert!(shown.starts_with(
        "\n\n**Output:**\nError: ValueError: bad\n[… 60 lines, 410B left out; read :cell:0 to see them]\nframe 30\nat x\n"
    ));
    assert!(shown.ends_with("frame 39\nat x"));
    let error = json!([{"output_type": "error", "ename": "KeyboardInterrupt", "evalue": ""}]);
    assert_eq!(
        outputs(&error).text,
        "\n\n**Output:**\nError: KeyboardInterrupt"
    );
    assert_eq!(
        outputs(&json!([{"output_type": "new"}, 1])).text,
        "\n\n**Output:**\n[Unknown output type] (new)\n[Unknown output type]"
    );
    assert_eq!(
        outputs(&json!([{"output_type": "stream", "text": "\n"}])).text,
        ""
    );
}

#[test]
fn versions_before_4_are_converted() {
    let old = json!({
        "metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0,
        "worksheets": [
            {"cells": [
                {"cell_type": "heading", "level": 2, "source": ["Title\n", "more"]},
                {"cell_type": "code", "language": "python", "prompt_number": 2, "input": ["a\n", "b"],
                 "outputs": [
                    {"output_type": "stream", "stream": "stderr", "text": "s"},
                    {"output_type": "pyout", "prompt_number": 2, "text": ["t\n"], "metadata": {}},
                    {"output_type": "display_data", "text": "<Figure>", "svg": ["<svg/>"]},
                    {"output_type": "display_data", "json": ["{\"a\":", "1}"]},
                    {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": []},
                 ]},
            ]},
            {"cells": [{"cell_type": "markdown", "source": "m"}]},
            {},
        ],
    });
    let shown = view(&old, View::Outputs);
    assert_eq!(
        shown.text,
        "# Jupyter Notebook (python)\n# 3 cells\n\n\
         ## Cell 1 [markdown]\n## Title\nmore\n\n\
         ## Cell 2 [code]\nIn [2]:\n```\na\nb\n```\n\n\
         **Output:**\nstderr:\ns\nt\n[Image output: image/svg+xml, 6B]\n{\"a\":\n1}\nError: E: v\n\n\
         ## Cell 3 [markdown]\nm"
    );
    let [
        Attachment {
            line: 19,
            what: Attached::Image(image),
        },
    ] = &*shown.attachments
    else {
        panic!("{:?}", shown.attachments);
    };
    assert_eq!(image.data, ImageData::Svg("<svg/>".to_owned()));
    assert_eq!(shown.notes, ["worksheet 2 has no list of cells"]);
    let shown = view(&old, View::Editable).text;
    assert!(
        shown.starts_with("# %% [markdown] cell:0\n## Title\nmore\n# %% [code] cell:1\na\nb\n")
    );
}

#[test]
fn attachments_follow_their_source() {
    let cell = json!([{
        "cell_type": "markdown", "source": "![](attachment:a.png)",
        "attachments": {"a.png": {"image/png": "AAAA"}, "b.pdf": {"application/pdf": "xx"}},
        "outputs": [0],
    }]);
    let shown = view(&cells(&cell), all(0, 0));
    let lines = "![](attachment:a.png)\n[Attachment a.png: image/png, 3B]\n\
                 [Attachment b.pdf: application/pdf, 2B]\n\n**Output:**\n";
    assert!(shown.text.contains(lines));
    assert!(matches!(
        &*shown.attachments,
        [Attachment {
            line: 3,
            what: Attached::Image(_)
        }]
    ));
    let hidden = Hidden {
        kind: UnitKind::Cell,
        units: (0, 0),
        outputs: 1,
        files: 2,
    };
    let notice = "[1 output, 2 attachments; read :cell:0 to see them]";
    assert_eq!(hidden.to_string(), notice);
    let aside = Attachment {
        line: 2,
        what: Attached::Hidden(hidden),
    };
    assert_eq!(view(&cells(&cell), View::Editable).attachments, [aside]);
}

#[test]
fn shortened_output_note_names_cell_selector() {
    let note = "long outputs are shortened; PATH:cell:0 shows the first cell with its full output";
    let long = json!([{"output_type": "stream", "text": "x\n".repeat(100)}]);
    assert_eq!(outputs(&long).notes, [note]);
    assert_eq!(view(&sample(), View::Outputs).notes, [""; 0]);
}

#[test]
fn language_is_read_from_metadata() {
    for (metadata, language) in [
        (
            json!({"language_info": {"name": "R"}, "kernelspec": {"language": "x"}}),
            Some("R"),
        ),
        (
            json!({"language_info": {"name": " "}, "kernelspec": {"language": "julia"}}),
            Some("julia"),
        ),
        (json!({"kernelspec": {"name": "python3"}}), Some("python")),
        (
            json!({"kernelspec": {"name": "pythonic"}}),
            Some("pythonic"),
        ),
        (json!({"kernelspec": 1}), None),
        (json!(null), None),
    ] {
        let notebook = json!({"cells": [], "metadata": metadata});
        assert_eq!(
            view(&notebook, View::Editable).language.as_deref(),
            language
        );
    }
    let hostile = json!({"cells": [], "metadata": {"language_info": {"name": "a\n# b"}}});
    let shown = view(&hostile, View::Outputs).text;
    assert_eq!(shown, "# Jupyter Notebook (a⟨U+000A⟩# b)\n# 0 cells");
}
