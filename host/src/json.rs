//! Replies, failures and definitions as JSON, with keys in `snake_case`.

use crate::{
    Block, Cut, Definition, Details, Display, Ending, Failure, Kind, Limit, Marks, Media, Reason,
    Reply, Span, Special, TextDetails, Total, Window,
};
use serde_json::{Map, Value, json};

/// The outcome of a read: `{"blocks": […], "details": {…}}`, or
/// `{"error": {"kind", "message", "hint"}}`.
pub fn outcome(outcome: &Result<Reply, Failure>) -> Value {
    match outcome {
        Ok(reply) => json!({
            "blocks": reply.blocks.iter().map(block).collect::<Vec<_>>(),
            "details": details(&reply.details),
        }),
        Err(failure) => {
            let mut error = Map::new();
            let (kind, facts) = reason(&failure.reason);
            error.insert("kind".to_owned(), kind.into());
            error.insert("message".to_owned(), failure.message.as_str().into());
            error.insert("hint".to_owned(), json!(failure.hint));
            error.extend(facts);
            json!({ "error": error })
        }
    }
}

/// A tool as a runtime registers it: `{"name", "description", "input_schema"}`.
pub fn definition(definition: &Definition) -> Value {
    let schema: Value = serde_json::from_str(&definition.schema).unwrap_or(Value::Null);
    json!({
        "name": definition.name,
        "description": definition.description,
        "input_schema": schema,
    })
}

fn block(block: &Block) -> Value {
    let media =
        |kind: &str, media: &Media| json!({ "type": kind, "mime": media.mime, "data": media.data });
    match block {
        Block::Text(text) | Block::Notice(text) => json!({ "type": "text", "text": text }),
        Block::Image(image) => media("image", image),
        Block::Document(document) => media("document", document),
    }
}

fn details(details: &Details) -> Value {
    let kind = match details.kind {
        Kind::Text => "text",
        Kind::Directory => "directory",
        Kind::Binary => "binary",
    };
    let mut out = json!({
        "kind": kind,
        "path": details.path,
        "resolved_path": details.resolved_path,
        "is_directory": details.kind == Kind::Directory,
        "next": details.next,
        "size": details.size,
        "modified": details.modified,
        "notes": details.notes,
        "suffix_resolution": details.suffix_resolution.as_ref().map(|repair| json!({
            "from": repair.from,
            "to": repair.to,
        })),
        "sha256": details.sha256,
    });
    if let Some(out) = out.as_object_mut() {
        if let Some(shown) = &details.window {
            out.extend(window(shown));
            out.insert("meta".to_owned(), meta(details, shown));
        }
        if let Some(text) = &details.text {
            out.extend(self::text(text));
        }
        if let Some(directory) = &details.directory {
            out.insert("entries".to_owned(), total(directory.entries));
            out.insert("listed".to_owned(), directory.listed.into());
            out.insert("withheld".to_owned(), directory.withheld.into());
        }
        if let Some(binary) = &details.binary {
            out.insert("format".to_owned(), binary.format.as_str().into());
        }
    }
    out
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn window(window: &Window) -> Map<String, Value> {
    let cut = |cut: &Cut| json!({ "line": cut.line, "shown": cut.shown, "path": cut.path });
    object(json!({
        "shown": window.shown.iter().copied().map(span).collect::<Vec<_>>(),
        "total_lines": total(window.total),
        "limit": window.limit.map(limit),
        "cut_lines": window.cuts.iter().map(cut).collect::<Vec<_>>(),
        "skipped": window.skipped.iter().copied().map(span).collect::<Vec<_>>(),
    }))
}

/// The names under which agents of the `omp` family look for the same facts.
fn meta(details: &Details, window: &Window) -> Value {
    let truncated = details.next.is_some().then(|| {
        json!({
            "shown_range": window.shown.first().zip(window.shown.last()).map(|(first, last)| json!({
                "start": first.first,
                "end": last.last,
            })),
            "total_lines": total(window.total),
            "total_bytes": window.bytes,
            "next_offset": next_offset(window),
        })
    });
    let listed = details.directory.as_ref().map(|directory| directory.listed);
    json!({
        "source": details.resolved_path,
        "truncation": truncated,
        "limits": listed.filter(|_| truncated.is_some()).map(|listed| json!({ "result_limit": listed })),
    })
}

/// The line that comes next, if it starts a line and lines are numbered from
/// the start.
fn next_offset(window: &Window) -> Option<i64> {
    let last = window.shown.last()?.last;
    let cut = window
        .cuts
        .last()
        .is_some_and(|cut| cut.line == last && window.limit.is_some());
    (last > 0 && !cut).then_some(last.saturating_add(1))
}

fn text(text: &TextDetails) -> Map<String, Value> {
    let ending = match text.ending {
        Ending::None => Value::Null,
        Ending::Lf => "lf".into(),
        Ending::Crlf => "crlf".into(),
        Ending::Mixed => "mixed".into(),
        Ending::Cr => "cr".into(),
    };
    object(json!({
        "encoding": text.encoding,
        "encoding_guessed": text.guessed,
        "bom": text.bom,
        "line_ending": ending,
        "final_newline": text.final_newline,
        "raw": text.raw,
        "tag": text.tag,
        "marks": marks(text.marks),
        "display_content": text.display.as_ref().map(display),
    }))
}

fn display(display: &Display) -> Value {
    json!({ "text": display.text, "start_line": display.start })
}

fn marks(marks: Marks) -> Value {
    json!({
        "invalid": marks.invalid,
        "control": marks.control,
        "hidden": marks.hidden,
        "bidi": marks.bidi,
    })
}

fn span(span: Span) -> Value {
    json!({ "first": span.first, "last": span.last })
}

fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Lines => "lines",
        Limit::Bytes => "bytes",
    }
}

fn total(total: Total) -> Value {
    match total {
        Total::Exact(total) => json!({ "exact": total }),
        Total::AtLeast(least) => json!({ "at_least": least }),
    }
}

/// The name of a reason, and what it holds.
fn reason(reason: &Reason) -> (&'static str, Map<String, Value>) {
    let (kind, facts) = match reason {
        Reason::NotFound(near) => ("not_found", json!({ "near": near })),
        Reason::OutsideRoots(path) => ("outside_roots", json!({ "path": path })),
        Reason::LinkOutsideRoots(escape) => (
            "link_outside_roots",
            json!({ "link": escape.link, "target": escape.target }),
        ),
        Reason::Links(path) => ("links", json!({ "path": path })),
        Reason::Denied(rule) => ("denied", json!({ "denied_by": rule })),
        Reason::Permission(path) => ("permission", json!({ "path": path })),
        Reason::Special(special) => ("special", json!({ "file_type": file_type(*special) })),
        Reason::Directory(path) => ("directory", json!({ "path": path })),
        Reason::Binary(format) => ("binary", json!({ "format": format })),
        Reason::Limit(exceeded) => (
            "limit",
            json!({ "limit": exceeded.name, "value": exceeded.value }),
        ),
        Reason::Path(path) => ("path", json!({ "path": path })),
        Reason::Selector(selector) => ("selector", json!({ "selector": selector })),
        Reason::Argument(name) => ("argument", json!({ "argument": name })),
        Reason::Unsupported(what) => ("unsupported", json!({ "what": what })),
        Reason::Cancelled(path) => ("cancelled", json!({ "path": path })),
        Reason::Io(error) => ("io", json!({ "cause": error })),
        Reason::Internal(error) => ("internal", json!({ "cause": error })),
    };
    (kind, object(facts))
}

fn file_type(special: Special) -> &'static str {
    match special {
        Special::Pipe => "pipe",
        Special::Socket => "socket",
        Special::Device => "device",
        Special::Other => "other",
    }
}
