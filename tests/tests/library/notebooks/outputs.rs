//! Cells with their outputs: text, tables, errors and images.

use super::{code, display, image, notebook, read_as, read_text, sample, stream, widths};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::ImageFormat;
use omniread::{Block, Dialect, Reason};
use omniread_tests::Workspace;
use omniread_tests::image::{encoded, photograph};
use serde_json::{Value, json};

#[test]
fn cells_are_shown_with_their_outputs() {
    let workspace = Workspace::new();
    workspace.file("a.ipynb", notebook(&sample()));
    let session = workspace.session();
    let whole = read_text(&session, Dialect::Claude, "a.ipynb");
    let expected = "# Jupyter Notebook (python)\n# 4 cells\n\n\
        ## Cell 1 [markdown]\n# Title\n\nwords\n\n\
        ## Cell 2 [code]\nIn [3]:\n```\na = 1\nprint(a)\n```\n\n**Output:**\n1\n\n\
        ## Cell 3 [raw]\nas it is\n\n\
        ## Cell 4 [code]\nIn [3]:\n```\nb\n```";
    assert_eq!(whole, expected);
    let reply = read_as(&session, Dialect::Claude, "a.ipynb").unwrap();
    let own: Value = serde_json::from_str(&reply.structured).unwrap();
    assert_eq!(
        (&own["contentType"], &own["metadata"]["cellCount"]),
        (&json!("notebook"), &json!(4))
    );
    let one = read_text(&session, Dialect::Claude, "a.ipynb:cell:1");
    assert!(
        one.starts_with("## Cell 2 [code]\nIn [3]:\n```\na = 1\n"),
        "{one}"
    );
    let omp = read_text(&session, Dialect::Omp, "a.ipynb:cell:1");
    assert_eq!(
        omp,
        "# %% [code] cell:1\nIn [3]:\n```\na = 1\nprint(a)\n```\n\n**Output:**\n1"
    );
    let some = read_text(&session, Dialect::Omp, "a.ipynb:cell:2-3");
    assert_eq!(
        some,
        "# %% [raw] cell:2\nas it is\n\n# %% [code] cell:3\nIn [3]:\n```\nb\n```"
    );
    let lines = read_text(&session, Dialect::Omp, "a.ipynb:cell:1:3-4:raw");
    assert!(lines.starts_with("```\na = 1"), "{lines}");
    let failure = read_as(&session, Dialect::Omp, "a.ipynb:cell:4").unwrap_err();
    assert!(
        failure
            .message
            .contains("`a.ipynb` has no cell:4: the last one is cell:3"),
        "{failure:?}"
    );
    assert!(matches!(failure.reason, Reason::InvalidSelector(_)));
    let more = read_text(&session, Dialect::Omp, "a.ipynb:cell:3-9");
    assert!(more.ends_with("[cell:3 is the last one]"), "{more}");
}

/// Each image in a reply follows the lines of text that describe its output.
#[test]
fn images_follow_the_line_of_their_output() {
    let workspace = Workspace::new();
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='60'><rect width='9' height='9'/></svg>";
    workspace.file("a.ipynb", notebook(&json!([
        code("one", &json!([stream("before\n"), image(50), stream("between\n"), image(2000), stream("after\n")])),
        code("two", &json!([display("image/svg+xml", svg)])),
        {"cell_type": "markdown", "source": "last ![x](attachment:x.png)", "attachments": {"x.png": image(70)["data"]}},
    ])));
    let session = workspace.session();
    let reply = read_as(&session, Dialect::Claude, "a.ipynb").unwrap();
    assert_eq!(widths(&reply), [50, 1568, 600, 70]);
    let parts: Vec<&str> = reply
        .blocks
        .iter()
        .map(|block| match block {
            Block::Text(text) => text.as_str(),
            _ => "IMAGE",
        })
        .collect();
    assert_eq!(
        parts.len(),
        8 + usize::from(parts.last() != Some(&"IMAGE")),
        "{parts:#?}"
    );
    let before = "**Output:**\nbefore\n[Image output: image/png, ";
    assert!(parts[0].contains(before), "{parts:#?}");
    assert!(
        parts[2].starts_with("between\n[Image output: image/png, ")
            && parts[2].contains("B]\n[PNG image, 2000x40, ")
            && parts[2].contains("; converted to 1568x31 "),
        "{parts:#?}"
    );
    assert!(
        parts[4].starts_with("after\n\n## Cell 2 [code]"),
        "{parts:#?}"
    );
    assert!(
        parts[6].contains("## Cell 3 [markdown]\nlast "),
        "{parts:#?}"
    );
    assert_eq!([parts[1], parts[3], parts[5], parts[7]], ["IMAGE"; 4]);
    let cell = read_as(&session, Dialect::Omp, "a.ipynb:cell:0").unwrap();
    assert_eq!(widths(&cell), [50, 1568]);
    // The editable text of a notebook is without images.
    assert_eq!(
        widths(&read_as(&session, Dialect::Omp, "a.ipynb").unwrap()),
        [0; 0]
    );
    // In a dialect with a frame around the text, images follow the frame.
    let framed = read_as(&session, Dialect::Gateway, "a.ipynb:cell:0").unwrap();
    assert_eq!(widths(&framed), [50, 1568]);
    let shown_text = read_text(&session, Dialect::Gemini, "a.ipynb:cell:0");
    assert!(
        shown_text.contains("not shown in this form of reply"),
        "{shown_text}"
    );
    // A page without the line of an image is without the image.
    let lines = read_as(&session, Dialect::Omp, "a.ipynb:cell:0:1-3").unwrap();
    assert_eq!(widths(&lines), [0; 0]);
}

/// A reply shows at most ten images. A notice contains the selector of the line at which the next
/// image is shown.
#[test]
fn images_beyond_ten_are_on_later_pages() {
    let workspace = Workspace::new();
    let cells: Vec<Value> = (0..13)
        .map(|n| code("x", &json!([image(20 + n)])))
        .collect();
    workspace.file("a.ipynb", notebook(&json!(cells)));
    let session = workspace.session();
    let reply = read_as(&session, Dialect::Claude, "a.ipynb").unwrap();
    assert_eq!(widths(&reply), (20..30).collect::<Vec<u32>>());
    let text = reply.text();
    let (_, rest) = text
        .split_once(
            "[10 of the 13 images in this reply are shown; read the line of another one, such as ",
        )
        .expect("the way to the others");
    let selector = rest.split(']').next().expect("its end");
    let others = read_as(&session, Dialect::Claude, &format!("a.ipynb{selector}")).unwrap();
    assert_eq!(widths(&others), [30, 31, 32]);
}

/// After about three megabytes of images, a reply shows no further image, even if it shows fewer
/// than ten.
#[test]
fn images_of_a_reply_are_limited_in_bytes() {
    let png = encoded(photograph(600, 350), ImageFormat::Png);
    let data = STANDARD.encode(&png);
    let fit = (3usize << 20).div_ceil(data.len());
    assert!(png.len() < 512_000 && fit < 9, "{} bytes", png.len());
    let workspace = Workspace::new();
    let cells: Vec<Value> = (0..10)
        .map(|_| code("x", &json!([display("image/png", &data)])))
        .collect();
    workspace.file("a.ipynb", notebook(&json!(cells)));
    let reply = read_as(&workspace.session(), Dialect::Claude, "a.ipynb").unwrap();
    assert_eq!(widths(&reply), vec![600; fit]);
    let notice = format!("[{fit} of the 10 images in this reply are shown; ");
    assert!(reply.text().contains(&notice), "{}", reply.text());
}

#[test]
fn tables_and_tracebacks_are_converted_to_text() {
    let workspace = Workspace::new();
    let frames: Vec<String> = (1..=60)
        .map(|n| format!("\u{1b}[31mframe {n}\u{1b}[0m"))
        .collect();
    workspace.file("a.ipynb", notebook(&json!([
        code("one", &json!([{"output_type": "execute_result", "data": {
            "text/plain": "   a  b\n0  1  2",
            "text/html": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x | y</td></tr></table>",
        }}])),
        code("two", &json!([{"output_type": "error", "ename": "ValueError", "evalue": "bad", "traceback": frames}])),
    ])));
    let session = workspace.session();
    let whole = read_text(&session, Dialect::Claude, "a.ipynb");
    assert!(whole.contains("|a|b|\n|-|-|\n|1|x \\| y|"), "{whole}");
    assert!(
        whole.contains("Error: ValueError: bad\n[… 40 lines, "),
        "{whole}"
    );
    assert!(
        whole.contains("frame 41\n") && whole.contains("frame 60\n\n[long outputs are shortened; "),
        "{whole}"
    );
    assert!(
        !whole.contains('\u{1b}') && !whole.contains("frame 40\n"),
        "{whole}"
    );
}
