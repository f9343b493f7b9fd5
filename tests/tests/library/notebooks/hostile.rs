//! Hostile and damaged notebooks.

use super::{
    cells, code, display, image, lines, notebook, read_as, read_text, sample, stated, stream,
    survived, widths,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::ImageFormat;
use omniread::Dialect;
use omniread_tests::image::{drawing, encoded};
use omniread_tests::{Workspace, chain, raw_chain, text};
use serde_json::json;

#[test]
fn invalid_images_are_noted() {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    let png = encoded(drawing(50, 40), ImageFormat::Png);
    let cut = STANDARD.encode(&png[..40]);
    workspace.file(
        "a.ipynb",
        notebook(&json!([code(
            "one",
            &json!([
                display("image/png", "!!! no base64 !!!"),
                display("image/png", &STANDARD.encode("plain text")),
                display("image/png", &cut),
                display("image/svg+xml", "<html></html>"),
                display(
                    "image/svg+xml",
                    &("<svg>".to_owned() + &"<g>".repeat(10_000))
                ),
                display("image/jpeg", &STANDARD.encode(&png)),
            ])
        ),])),
    );
    let session = workspace.session();
    survived(&session, "a.ipynb:cell:0");
    let reply = read_as(&session, Dialect::Claude, "a.ipynb").unwrap();
    // The last one is a PNG with the MIME type of a JPEG.
    assert_eq!(widths(&reply), [50]);
    let shown_text = reply.text();
    for part in [
        "[not shown: it is not base64]",
        "[Image output: image/png, 10B]\n[not shown: it is not an image]",
        "not shown: the file is damaged",
        "[Image output: image/svg+xml, 13B]\n[not shown: it is not an image]",
        "[not shown: it needs more levels of elements than the limit]",
    ] {
        assert!(shown_text.contains(part), "{part}: {shown_text}");
    }
    assert!(!shown_text.contains("no base64 !!!"), "{shown_text}");
}

/// A read of a notebook shows only the first and last lines of a long output of a cell. A read of
/// the cell shows the whole output on several pages.
#[test]
fn long_outputs_are_cut_and_paged() {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    workspace.file(
        "a.ipynb",
        notebook(&json!([
            code("one", &json!([stream(&lines("output", 5000))])),
            code("two", &json!([stream(&"x".repeat(5_000_000))])),
        ])),
    );
    let session = workspace.session();
    survived(&session, "a.ipynb");
    survived(&session, "a.ipynb:cell:1");
    let whole = read_text(&session, Dialect::Claude, "a.ipynb");
    assert!(whole.len() < 50_000);
    assert!(
        whole.contains("output 20 of them\n[… 4,960 lines, "),
        "{whole}"
    );
    assert!(
        whole.contains(" left out; read :cell:0 to see them]\noutput 4981 of them"),
        "{whole}"
    );
    assert!(
        whole.contains(" of a line left out; read :cell:1 to see it]"),
        "{whole}"
    );
    let pages = chain(&session, "a.ipynb:cell:0");
    assert!(pages.len() > 10);
    let seen: String = pages
        .iter()
        .flat_map(|page| page.text().lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| line.starts_with("output "))
        .map(|line| line + "\n")
        .collect();
    assert!(seen == lines("output", 5000), "every line is shown once");
    assert!(raw_chain(&session, "a.ipynb:cell:0:raw").ends_with(lines("output", 5000).trim_end()));
}

/// Notebooks of the format versions 2, 3 and 4 are read, although their JSON has different
/// structures.
#[test]
fn every_format_version_is_read() {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    let png = image(50)["data"]["image/png"].clone();
    let old = |major: u64| {
        json!({
            "nbformat": major, "nbformat_minor": 0, "metadata": {"name": ""},
            "worksheets": [{"cells": [
                {"cell_type": "heading", "level": 2, "source": "Title"},
                {"cell_type": "code", "language": "python", "input": "print(1)", "prompt_number": 7, "outputs": [
                    {"output_type": "stream", "stream": "stdout", "text": "1\n"},
                    {"output_type": "pyout", "prompt_number": 7, "text": "one"},
                    {"output_type": "display_data", "png": png},
                    {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": ["t"]},
                ]},
            ]}],
        })
    };
    let new = |minor: u64| {
        json!({
            "nbformat": 4, "nbformat_minor": minor, "metadata": {"kernelspec": {"name": "python3", "language": "python"}},
            "cells": [
                {"cell_type": "markdown", "id": "a", "source": "## Title"},
                {"cell_type": "code", "id": "b", "execution_count": 7, "source": "print(1)", "outputs": [
                    stream("1\n"),
                    {"output_type": "execute_result", "execution_count": 7, "data": {"text/plain": "one"}},
                    {"output_type": "display_data", "data": {"image/png": png}},
                    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
                ]},
            ],
        })
    };
    let session = workspace.session();
    for json in [old(2), old(3), new(0), new(5)] {
        workspace.file("a.ipynb", json.to_string());
        survived(&session, "a.ipynb");
        let version = (&json["nbformat"], &json["nbformat_minor"]);
        let reply = read_as(&session, Dialect::Claude, "a.ipynb").unwrap();
        assert_eq!(widths(&reply), [50], "{version:?}");
        let whole = reply.text();
        assert!(
            whole.starts_with("# Jupyter Notebook (python)\n# 2 cells\n"),
            "{version:?}: {whole}"
        );
        for part in [
            "## Title",
            "In [7]:\n```\nprint(1)\n```\n\n**Output:**\n1\none\n",
            "Error: E: v\nt",
        ] {
            assert!(whole.contains(part), "{version:?} {part}: {whole}");
        }
        let format = format!("{}.{}", version.0, version.1);
        assert_eq!(stated(&reply, "nbformat"), Some(format.as_str()));
        let sources = read_text(&session, Dialect::Omp, "a.ipynb");
        assert!(
            sources.contains(
                "1:# %% [markdown] cell:0\n2:## Title\n3:# %% [code] cell:1\n4:print(1)\n"
            ),
            "{sources}"
        );
    }
}

/// A file with the extension `.ipynb` that is not a notebook is shown as text.
#[test]
fn invalid_notebook_is_read_as_text() {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    let session = workspace.session();
    let whole = notebook(&sample());
    for (name, content, why) in [
        ("cut.ipynb", &whole[..200], "not JSON"),
        (
            "list.ipynb",
            "[1, 2]\n",
            "not a notebook: the JSON is not an object",
        ),
        (
            "other.ipynb",
            "{\"a\": 1}\n",
            "not a notebook: it has neither `cells` nor `worksheets`",
        ),
        ("words.ipynb", "plain words\n", "not JSON"),
    ] {
        workspace.file(name, content);
        survived(&session, name);
        for dialect in [Dialect::Omp, Dialect::Claude] {
            let reply = read_as(&session, dialect, name).unwrap();
            assert_eq!(reply.details.kind.name(), "text");
            assert!(reply.text().contains(why), "{name}: {}", reply.text());
            assert!(
                reply.text().contains("; it is shown as plain text]"),
                "{}",
                reply.text()
            );
            assert!(
                reply.text().contains(content.lines().next().unwrap()),
                "{name}"
            );
        }
        let failure = read_as(&session, Dialect::Omp, &format!("{name}:cell:0")).unwrap_err();
        assert!(failure.message.contains(why), "{failure:?}");
    }
    workspace
        .file("empty.ipynb", "")
        .file("binary.ipynb", b"\0\x01\x02");
    survived(&session, "empty.ipynb");
    survived(&session, "binary.ipynb");
    // The selector `:cell:` reads any file name as a notebook.
    workspace.file("a.json", &whole);
    assert!(read_text(&session, Dialect::Omp, "a.json").contains("nbformat"));
    assert!(read_text(&session, Dialect::Omp, "a.json:cell:3").contains("```\nb\n```"));
}

#[test]
fn deeply_nested_json_is_text() {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let session = workspace.session();
    for (name, content) in [
        ("bare.ipynb", deep.clone()),
        ("open.ipynb", "{\"cells\":".repeat(200_000)),
        (
            "data.ipynb",
            format!(
                "{{\"nbformat\": 4, \"cells\": [{{\"cell_type\": \"code\", \"source\": \"x\", \"outputs\": [{{\"output_type\": \"display_data\", \"data\": {{\"application/json\": {deep}}}}}]}}]}}"
            ),
        ),
    ] {
        workspace.file(name, content);
        survived(&session, name);
        let whole = read_text(&session, Dialect::Omp, name);
        assert!(
            whole.contains("nested too deep") && whole.contains("shown as plain text"),
            "{name}: {}",
            &whole[whole.len() - 200..]
        );
    }
}

#[test]
fn notebook_of_100_000_cells_is_read() {
    let workspace = Workspace::new();
    workspace.file("plain.txt", "plain\n");
    let cell = code("x = 1", &json!([stream("1\n")]));
    workspace.file("a.ipynb", notebook(&json!(vec![cell; 100_000])));
    let session = workspace.session();
    survived(&session, "a.ipynb");
    survived(&session, "a.ipynb:cell:99999");
    assert_eq!(cells(&session.read("a.ipynb").unwrap()), 100_000);
    assert!(text(&session, "a.ipynb:cell:99999").starts_with("# %% [code] cell:99999\n"));
    assert!(text(&session, "a.ipynb:-1").contains("200000:x = 1"));
}
