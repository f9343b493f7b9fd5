//! Notebooks: sources as editable text, cells with their outputs, and files that only look like
//! notebooks.
//!
//! Ids such as NB-1 number the classes of hostile input. Their tests:
//!
//! ```text
//! NB-1  deeply nested values            hostile::deeply_nested_json_is_text
//!       huge outputs                    hostile::long_outputs_are_cut_and_paged
//!       invalid base64 and images       hostile::invalid_images_are_noted
//!       every version of the format     hostile::every_format_version_is_read
//!       a hundred thousand cells        hostile::notebook_of_100_000_cells_is_read
//!       files that are not notebooks    hostile::invalid_notebook_is_read_as_text
//! ```

mod hostile;
mod outputs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::ImageFormat;
use omniread::details::UnitKind;
use omniread::{Dialect, Failure, Options, Reason, Reply, Session};
use omniread_tests::image::{drawing, encoded, shown};
use omniread_tests::pack::zip;
use omniread_tests::{DIALECTS, Workspace, chain, raw_chain, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn notebook(cells: &Value) -> String {
    json!({
        "cells": cells,
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4, "nbformat_minor": 5,
    })
    .to_string()
}

fn code(source: &str, outputs: &Value) -> Value {
    json!({"cell_type": "code", "execution_count": 3, "source": source, "metadata": {}, "outputs": outputs})
}

fn stream(text: &str) -> Value {
    json!({"output_type": "stream", "name": "stdout", "text": text})
}

fn display(mime: &str, data: &str) -> Value {
    json!({"output_type": "display_data", "data": {mime: data}, "metadata": {}})
}

/// An output of a notebook cell: a PNG image that is `width` pixels wide.
fn image(width: u32) -> Value {
    let png = encoded(drawing(width, 40), ImageFormat::Png);
    display("image/png", &STANDARD.encode(png))
}

/// The number of notebook cells that the details of a reply state.
fn cells(reply: &Reply) -> u64 {
    let units = reply.details.document().unwrap().units.as_ref().unwrap();
    assert_eq!(units.kind, UnitKind::Cell);
    units.count
}

/// The value of the metadata `name` of the notebook in a reply. `None` if there is no such
/// metadata.
fn stated<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
    let facts = &reply.details.document().unwrap().metadata;
    let fact = facts.iter().find(|(known, _)| known == name);
    fact.map(|(_, value)| value.as_str())
}

fn read_as(session: &Session, dialect: Dialect, path: &str) -> Result<Reply, Failure> {
    let options = Options::default();
    let reply = session.read_as(path, dialect, &options)?;
    shown(&reply, &options);
    Ok(reply)
}

fn read_text(session: &Session, dialect: Dialect, path: &str) -> String {
    match read_as(session, dialect, path) {
        Ok(reply) => reply.text(),
        Err(failure) => panic!("{path} in {dialect:?}: {}", failure.message),
    }
}

/// The widths of the images of a reply in pixels, in the order of the images.
fn widths(reply: &Reply) -> Vec<u32> {
    let shown = shown(reply, &Options::default());
    shown.iter().map(|shown| shown.image.width()).collect()
}

/// Reads a hostile file in every dialect, and checks that each read ends, reports no internal
/// error, and does not affect the next read.
fn survived(session: &Session, path: &str) {
    for dialect in DIALECTS {
        // A guard against a hang, not a measurement.
        let begun = Instant::now();
        let read = read_as(session, dialect, path);
        assert!(
            begun.elapsed() < Duration::from_mins(10),
            "{path} in {dialect:?}"
        );
        if let Err(Failure { reason, .. }) = read {
            let ended = matches!(&reason, Reason::Limit(limit) if limit.name == "time" || limit.name == "memory");
            assert!(
                !ended && !matches!(reason, Reason::Internal(_)),
                "{path} in {dialect:?}: {reason:?}"
            );
        }
        assert!(text(session, "plain.txt").ends_with("1:plain"));
    }
}

fn lines(prefix: &str, count: usize) -> String {
    (1..=count)
        .map(|n| format!("{prefix} {n} of them\n"))
        .collect()
}

fn sample() -> Value {
    json!([
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "words"]},
        code("a = 1\nprint(a)", &json!([stream("1\n")])),
        {"cell_type": "raw", "source": "as it is\n"},
        code("b", &json!([])),
    ])
}

/// A notebook is converted to the exact sources of its cells, with a marker line before each
/// source.
#[test]
fn notebook_is_converted_to_sources_between_markers() {
    let workspace = Workspace::new();
    workspace.file("a.ipynb", notebook(&sample()));
    let session = workspace.session();
    let reply = session.read("a.ipynb").unwrap();
    assert_eq!(reply.details.kind.name(), "document");
    assert_eq!(reply.details.document().unwrap().format, "Jupyter notebook");
    assert_eq!(cells(&reply), 4);
    assert_eq!(stated(&reply, "nbformat"), Some("4.5"));
    assert_eq!(stated(&reply, "language"), Some("python"));
    let details = reply.details.text().unwrap();
    let tag = details.tag.clone().unwrap();
    let converted = "# %% [markdown] cell:0\n# Title\n\nwords\n# %% [code] cell:1\na = 1\nprint(a)\n# %% [raw] cell:2\nas it is\n\n# %% [code] cell:3\nb";
    assert_eq!(details.display.as_ref().unwrap().text, converted);
    let lines: Vec<String> = (1..)
        .zip(converted.split('\n'))
        .map(|(n, line)| format!("{n}:{line}"))
        .collect();
    let mut expected = vec![format!("[a.ipynb#{tag}]")];
    expected.extend(lines);
    let at = expected
        .iter()
        .position(|line| line == "7:print(a)")
        .unwrap();
    expected.insert(at + 1, "[1 output; read :cell:1 to see it]".to_owned());
    assert_eq!(reply.text(), expected.join("\n"));
    // The tag is the same as the tag of a file with this text.
    workspace.file("a.txt", converted);
    let plain = session.read("a.txt").unwrap();
    assert_eq!(plain.details.text().unwrap().tag.as_ref(), Some(&tag));
}

/// In notebooks before version 4, each line in a list of lines may have a line ending or not.
///
/// The lines in version 2 never have one. Version 1 stores the sources in fields with other names.
#[test]
fn lists_of_lines_in_old_versions_keep_their_lines() {
    let workspace = Workspace::new();
    let cell = |source: &Value, text: &Value, html: &Value| {
        json!([
            {"cell_type": "code", "language": "python", "collapsed": false, "prompt_number": 1,
             "input": source, "outputs": [
                {"output_type": "stream", "stream": "stdout", "text": text},
                {"output_type": "pyout", "prompt_number": 1, "html": html, "text": ["plain"]},
                {"output_type": "pyerr", "etype": "E", "evalue": "v", "traceback": ["t", "u"]},
             ]},
            {"cell_type": "markdown", "source": source},
        ])
    };
    let old = |major: u64, cells: &Value| json!({"nbformat": major, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]});
    let bare = cell(
        &json!(["a=1", "", "b=2"]),
        &json!(["one", "two"]),
        &json!(["<table>", "<tr><td>x</td>", "<td>y</td></tr></table>"]),
    );
    let ended = cell(
        &json!(["a=1\n", "\n", "b=2"]),
        &json!(["one\n", "two\n"]),
        &json!(["<table>\n", "<tr><td>x</td>\n", "<td>y</td></tr></table>"]),
    );
    let session = workspace.session();
    let converted = "# %% [code] cell:0\na=1\n\nb=2\n# %% [markdown] cell:1\na=1\n\nb=2";
    let plain = session.read(
        workspace
            .file("a.txt", converted)
            .path()
            .join("a.txt")
            .to_str()
            .unwrap(),
    );
    let tag = plain.unwrap().details.text().unwrap().tag.clone();
    for json in [old(2, &bare), old(3, &bare), old(3, &ended), old(2, &ended)] {
        workspace.file("a.ipynb", json.to_string());
        let reply = session.read("a.ipynb").unwrap();
        let details = reply.details.text().unwrap();
        assert_eq!(details.display.as_ref().unwrap().text, converted, "{json}");
        assert_eq!(details.tag, tag, "{json}");
        for (dialect, path) in [
            (Dialect::Omp, "a.ipynb:cell:0"),
            (Dialect::Claude, "a.ipynb"),
            (Dialect::Gateway, "a.ipynb:cell:0"),
        ] {
            let whole = read_text(&session, dialect, path);
            for lines in [
                &["a=1", "", "b=2"][..],
                &["one", "two"],
                &["Error: E: v", "t", "u"],
            ] {
                let lines: Vec<&str> = lines.to_vec();
                let shown: Vec<&str> = whole.lines().map(unnumbered).collect();
                assert!(
                    shown.windows(lines.len()).any(|shown| shown == lines),
                    "{dialect:?} {lines:?}: {whole}"
                );
            }
            assert!(whole.contains("|x|y|"), "{dialect:?}: {whole}");
        }
        for (dialect, name) in [(Dialect::Comma, "content"), (Dialect::Gemini, "llmContent")] {
            let whole = read_text(&session, dialect, "a.ipynb:cell:0");
            assert!(whole.contains("a=1\\n\\nb=2\\n"), "{name}: {whole}");
            assert!(whole.contains("one\\ntwo\\n"), "{name}: {whole}");
        }
    }
    // In version 4 the strings of a list are joined without line endings.
    let new = json!([code("", &json!([])), {"cell_type": "markdown", "source": ["a=1", "b=2"]}]);
    workspace.file("a.ipynb", notebook(&new));
    assert!(text(&session, "a.ipynb").ends_with(":a=1b=2"));
    // Version 1 has strings instead of lists.
    let first = json!({"nbformat": 1, "cells": [
        {"cell_type": "code", "code": "a=1\nb=2", "prompt_number": 3},
        {"cell_type": "text", "text": "words"},
    ]});
    workspace.file("a.ipynb", first.to_string());
    let whole = text(&session, "a.ipynb");
    let expected = "1:# %% [code] cell:0\n2:a=1\n3:b=2\n4:# %% [markdown] cell:1\n5:words";
    assert!(whole.ends_with(expected), "{whole}");
}

/// A line of a reply in the dialect `gateway`, without its line number.
fn unnumbered(line: &str) -> &str {
    match line.split_once(" | ") {
        Some((number, text)) if number.trim().bytes().all(|byte| byte.is_ascii_digit()) => text,
        _ => line,
    }
}

/// The outline of a notebook states the number of outputs of each cell. For several cells that the
/// outline leaves out, it states the number of all their outputs.
#[test]
fn notebook_outline_counts_outputs_of_each_cell() {
    let workspace = Workspace::new();
    let cells: Vec<Value> = (0..12)
        .map(|n| {
            let outputs = vec![stream("out\n"); n % 4];
            code(
                &format!("def f{n}():\n{}", lines("    x", 40)),
                &json!(outputs),
            )
        })
        .collect();
    workspace.file("a.ipynb", notebook(&json!(cells)));
    let session = workspace.session();
    let reply = session.read("a.ipynb").unwrap();
    let outline = reply.text();
    assert!(outline.contains(" lines elided;"), "{outline}");
    for n in 0..12usize {
        let notice = match n % 4 {
            0 => continue,
            1 => format!("[1 output; read :cell:{n} to see it]"),
            count => format!("[{count} outputs; read :cell:{n} to see them]"),
        };
        let at = outline
            .find(&notice)
            .unwrap_or_else(|| panic!("{notice}: {outline}"));
        // The count follows the function of its own cell.
        let before = outline[..at].rfind("def f").unwrap();
        assert!(
            outline[before..].starts_with(&format!("def f{n}()")),
            "{outline}"
        );
    }
    assert!(
        !reply
            .details
            .text()
            .unwrap()
            .display
            .as_ref()
            .unwrap()
            .text
            .contains("outputs; read")
    );
    // A notebook has more cells than an outline has lines.
    workspace.file(
        "b.ipynb",
        notebook(&json!(vec![
            code("x = 1\ny = 2\n", &json!([stream("1\n")]));
            4000
        ])),
    );
    let outline = text(&session, "b.ipynb");
    let counted = outline.lines().filter_map(|line| {
        let (count, _) = line.strip_prefix('[')?.split_once(" output")?;
        count.replace(',', "").parse::<u64>().ok()
    });
    assert_eq!(counted.sum::<u64>(), 4000, "{outline}");
    assert!(outline.contains(" outputs; read :cell:"), "{outline}");
    assert!(
        outline.lines().count() < 1100,
        "{}",
        outline.lines().count()
    );
}

/// A range of lines selects lines of the text to which a notebook is converted. The selector `:raw`
/// shows the JSON of the file.
#[test]
fn ranges_select_lines_of_the_converted_text() {
    let workspace = Workspace::new();
    let json = notebook(&sample());
    workspace.file("a.ipynb", &json);
    let session = workspace.session();
    let some = text(&session, "a.ipynb:6-6");
    assert!(
        some.contains("\n6:a = 1\n") && some.contains("5:# %% [code] cell:1"),
        "{some}"
    );
    assert!(
        some.contains("7:print(a)\n[1 output; read :cell:1 to see it]\n8:# %%"),
        "{some}"
    );
    assert!(text(&session, "a.ipynb:-1").contains(":b"));
    assert_eq!(raw_chain(&session, "a.ipynb:raw"), json);
    for dialect in [Dialect::Gateway, Dialect::Gemini, Dialect::Comma] {
        let reply = read_as(&session, dialect, "a.ipynb").unwrap();
        assert_eq!(reply.details.kind.name(), "text", "{dialect:?}");
        assert!(reply.text().contains("nbformat_minor"), "{dialect:?}");
        let reply = read_as(&session, dialect, "a.ipynb:cell:1").unwrap();
        assert_eq!(reply.details.kind.name(), "document", "{dialect:?}");
        assert!(
            reply.text().contains("print(a)") && reply.text().contains("**Output:**"),
            "{dialect:?}"
        );
        assert!(!reply.text().contains("nbformat"), "{dialect:?}");
    }
}

/// The pages of a notebook, each read with the path in `next` of the page before, show every line
/// once.
#[test]
fn notebook_pages_show_every_line_once() {
    let workspace = Workspace::new();
    let cells: Vec<Value> = (0..40)
        .map(|n| {
            code(
                &lines(&format!("source {n}/"), 50),
                &json!([stream("out\n")]),
            )
        })
        .collect();
    workspace.file("a.ipynb", notebook(&json!(cells)));
    let session = workspace.session();
    let pages = chain(&session, "a.ipynb:1");
    assert!(pages.len() > 5);
    let numbers: Vec<usize> = pages
        .iter()
        .flat_map(|page| {
            let text = page.text();
            let numbers = text
                .lines()
                .filter_map(|line| line.split_once(':')?.0.parse().ok());
            numbers.collect::<Vec<usize>>()
        })
        .collect();
    let total = numbers.len();
    assert_eq!(numbers, (1..=total).collect::<Vec<_>>());
    let sources: String = pages.iter().map(Reply::text).collect();
    for n in 0..40 {
        let one = format!("source {n}/ 50 of them");
        assert_eq!(sources.matches(&one).count(), 1, "{one}");
        let notice = format!("[1 output; read :cell:{n} to see it]");
        assert_eq!(sources.matches(&notice).count(), 1, "{notice}");
    }
    let claude = read_as(&session, Dialect::Claude, "a.ipynb").unwrap();
    let next = claude.details.next.clone().unwrap();
    let rest = read_text(&session, Dialect::Claude, &next);
    let (first, shown) = (claude.text(), rest.matches("source 39/ 50").count());
    assert!(
        first.contains("source 0/ 1 of them") && shown == 1,
        "{next}"
    );
}

/// The arguments `offset` and `limit` select lines of the text to which a notebook or a cell is
/// converted.
#[test]
fn offset_and_limit_select_converted_lines() {
    let workspace = Workspace::new();
    workspace.file(
        "a.ipynb",
        notebook(&json!([
            code("x", &json!([])),
            code("y", &json!([stream(&lines("output", 100))])),
        ])),
    );
    let session = workspace.session();
    let call = |arguments: &Value| {
        let reply = session.call(Dialect::Claude, &arguments.to_string(), &Options::default());
        reply.unwrap().text()
    };
    let some = call(&json!({"file_path": "a.ipynb", "offset": 4, "limit": 2}));
    assert!(some.contains("## Cell 1 [code]\nIn [3]:\n"), "{some}");
    assert!(some.starts_with("Reading lines 4-5 of a.ipynb:"), "{some}");
    assert!(some.contains("Use offset=6 to continue"), "{some}");
    let cell = call(&json!({"file_path": "a.ipynb:cell:1", "offset": 8, "limit": 3}));
    assert!(
        cell.contains("output 1 of them\noutput 2 of them\noutput 3 of them"),
        "{cell}"
    );
    assert!(!cell.contains("output 4 of them"), "{cell}");
    let both = json!({"file_path": "a.ipynb:cell:1:5-9", "offset": 1});
    let failure = session
        .call(Dialect::Claude, &both.to_string(), &Options::default())
        .unwrap_err();
    assert!(
        matches!(failure.reason, Reason::InvalidArgument(_)),
        "{failure:?}"
    );
}

#[test]
fn notebook_in_an_archive_is_converted() {
    let workspace = Workspace::new();
    let json = notebook(&json!([code("one", &json!([image(50)]))]));
    let inner = zip(&[("a.ipynb", json.as_bytes())]);
    workspace.file(
        "x.zip",
        zip(&[("in/a.ipynb", json.as_bytes()), ("n.zip", &inner)]),
    );
    let session = workspace.session();
    for path in ["x.zip:in/a.ipynb", "x.zip:n.zip:a.ipynb"] {
        let reply = session.read(path).unwrap();
        assert_eq!(reply.details.kind.name(), "document");
        assert!(
            reply.text().contains("# %% [code] cell:0\n"),
            "{}",
            reply.text()
        );
        let cell = read_as(&session, Dialect::Omp, &format!("{path}:cell:0")).unwrap();
        assert_eq!(widths(&cell), [50]);
        assert_eq!(
            widths(&read_as(&session, Dialect::Claude, path).unwrap()),
            [50]
        );
        assert_eq!(raw_chain(&session, &format!("{path}:raw")), json);
    }
}
