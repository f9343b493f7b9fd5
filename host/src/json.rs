//! Replies, failures and definitions as JSON, with keys in `snake_case`. Only `structured` has
//! the field names of the agent.

use crate::{
    Block, Cut, DatabaseDetails, DatabasePart, Definition, Details, Dimensions, Display, Escapes,
    Failure, Kind, Limit, LineEnding, Media, NetworkError, Payload, Reason, Reply, Span,
    SpecialFile, TextDetails, Total, UnitKind, Window,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Converts the outcome of a read to JSON: `{"blocks": […], "details": {…}, "structured": {…}}`, or
/// `{"error": {"kind", "message", "hint", …}, "structured": {…}}`.
///
/// `details` also contains the fields of `structured`, with their names converted to `snake_case`,
/// unless it already has a field of that name.
pub fn outcome(outcome: &Result<Reply, Failure>) -> Value {
    match outcome {
        Ok(reply) => {
            let structured = parsed(&reply.structured);
            let mut details = details(&reply.details);
            for (name, value) in &structured {
                let name = snake_case(name);
                details.entry(name).or_insert_with(|| snake_cased(value));
            }
            json!({
                "blocks": reply.blocks.iter().map(block).collect::<Vec<_>>(),
                "details": details,
                "structured": structured,
            })
        }
        Err(failure) => {
            let mut error = Map::new();
            let (kind, facts) = reason(&failure.reason);
            error.insert("kind".to_owned(), kind.into());
            error.insert("message".to_owned(), failure.message.as_str().into());
            error.insert("hint".to_owned(), json!(failure.hint));
            error.extend(facts);
            json!({ "error": error, "structured": parsed(&failure.structured) })
        }
    }
}

fn parsed(structured: &str) -> Map<String, Value> {
    serde_json::from_str(structured).unwrap_or_default()
}

fn snake_cased(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (snake_case(name), snake_cased(value)))
            .collect(),
        other => other.clone(),
    }
}

/// Converts a field name to `snake_case`: `contentType` becomes `content_type`.
fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Converts the definition of a tool to JSON: `{"name", "title", "description", "input_schema"}`.
/// `title` is left out if the dialect (the tool of one agent) defines none.
pub fn definition(definition: &Definition) -> Value {
    let schema: Value = serde_json::from_str(&definition.schema).unwrap_or(Value::Null);
    let mut out = Map::new();
    out.insert("name".to_owned(), definition.name.as_str().into());
    if let Some(title) = &definition.title {
        out.insert("title".to_owned(), title.as_str().into());
    }
    out.insert(
        "description".to_owned(),
        definition.description.as_str().into(),
    );
    out.insert("input_schema".to_owned(), schema);
    Value::Object(out)
}

fn block(block: &Block) -> Value {
    let media =
        |kind: &str, media: &Media| json!({ "type": kind, "mime": media.mime, "data": media.data });
    match block {
        Block::Text(text) | Block::Notice(text) => json!({ "type": "text", "text": text }),
        Block::Image(image) => media("image", image),
        Block::Attachment(attachment) => media("attachment", attachment),
    }
}

fn details(details: &Details) -> Map<String, Value> {
    let kind = details.kind.name();
    let mut out = object(json!({
        "kind": kind,
        "path": details.path,
        "resolved_path": details.resolved_path,
        "is_directory": matches!(details.kind, Kind::Directory(_)),
        "next": details.next,
        "size": details.size,
        "modified": details.modified,
        "notes": details.notes,
        "suffix_resolution": details.suffix_resolution.as_ref().map(|repair| json!({
            "from": repair.from,
            "to": repair.to,
        })),
        "sha256": details.sha256,
        kind: particular(&details.kind),
    }));
    if let Some(shown) = &details.window {
        out.extend(window(shown));
    }
    if let Some(shown) = details.text().and_then(|text| text.display.as_ref()) {
        out.insert("display_content".to_owned(), display(shown));
    }
    out
}

/// Converts a kind of reply, such as text or an image, to a JSON object with the details that only
/// this kind has.
fn particular(kind: &Kind) -> Value {
    match kind {
        Kind::Text(text) => self::text(text),
        Kind::Directory(directory) => json!({
            "entries": total(directory.entries),
            "listed": directory.listed,
            "denied_entries": directory.denied_entries,
        }),
        Kind::Archive(archive) => json!({
            "format": archive.format,
            "entries": total(archive.entries),
            "listed": archive.listed,
            "denied_entries": archive.denied_entries,
        }),
        Kind::Database(database) => self::database(database),
        Kind::Document(document) => json!({
            "format": document.format,
            "units": document.units.as_ref().map(|units| json!({
                "kind": match units.kind {
                    UnitKind::Cell => "cell",
                    UnitKind::Page => "page",
                    UnitKind::Slide => "slide",
                    UnitKind::Chapter => "chapter",
                },
                "count": units.count,
            })),
            "metadata": document.metadata.iter().cloned().collect::<BTreeMap<String, String>>(),
            "text": text(&document.text),
        }),
        Kind::Image(image) => json!({
            "format": image.format,
            "mime": image.mime,
            "dimensions": image.dimensions.map(dimensions),
            "header": image.header.as_ref().map(|header| json!({
                "channels": header.channels,
                "alpha": header.alpha,
                "depth": header.depth,
                "frames": header.frames,
                "metadata": header.metadata.iter().cloned().collect::<BTreeMap<String, String>>(),
            })),
            "payload": image.payload.as_ref().map(payload),
        }),
        Kind::Attachment(attachment) => json!({
            "format": attachment.format,
            "mime": attachment.mime,
            "payload": attachment.payload.as_ref().map(payload),
        }),
        Kind::Binary(binary) => json!({ "format": binary.format }),
    }
}

fn dimensions(size: Dimensions) -> Value {
    json!({ "width": size.width, "height": size.height })
}

fn payload(payload: &Payload) -> Value {
    json!({
        "mime": payload.mime,
        "bytes": payload.bytes,
        "dimensions": payload.dimensions.map(dimensions),
        "passthrough": payload.passthrough,
    })
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

fn text(text: &TextDetails) -> Value {
    let line_ending = match text.line_ending {
        LineEnding::None => Value::Null,
        LineEnding::Lf => "lf".into(),
        LineEnding::Crlf => "crlf".into(),
        LineEnding::Mixed => "mixed".into(),
        LineEnding::Cr => "cr".into(),
    };
    json!({
        "encoding": text.encoding,
        "encoding_guessed": text.guessed,
        "bom": text.bom,
        "line_ending": line_ending,
        "final_newline": text.final_newline,
        "raw": text.raw,
        "tag": text.tag,
        "escapes": escapes(text.escapes),
    })
}

fn database(database: &DatabaseDetails) -> Value {
    let part = match database.part {
        DatabasePart::Tables => "tables",
        DatabasePart::Schema => "schema",
        DatabasePart::Row => "row",
        DatabasePart::Query => "query",
        DatabasePart::Raw => "raw",
    };
    json!({
        "part": part,
        "table": database.table,
        "columns": database.columns,
        "rows": database.rows,
        "total": total(database.total),
    })
}

fn display(display: &Display) -> Value {
    json!({ "text": display.text, "start_line": display.start })
}

fn escapes(escapes: Escapes) -> Value {
    json!({
        "invalid": escapes.invalid,
        "control": escapes.control,
        "hidden": escapes.hidden,
        "bidi": escapes.bidi,
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

/// The name of the reason why a read failed, and its details as JSON fields.
fn reason(reason: &Reason) -> (&'static str, Map<String, Value>) {
    let (kind, facts) = match reason {
        Reason::NotFound(near) => ("not_found", json!({ "near": near })),
        Reason::OutsideRoots(path) => ("outside_roots", json!({ "path": path })),
        Reason::LinkOutsideRoots(escape) => (
            "link_outside_roots",
            json!({ "link": escape.link, "target": escape.target }),
        ),
        Reason::Symlink(path) => ("symlink", json!({ "path": path })),
        Reason::Denied(rule) => ("denied", json!({ "denied_by": rule })),
        Reason::Ignored(rule) => (
            "ignored",
            json!({ "file": rule.file, "pattern": rule.pattern }),
        ),
        Reason::Permission(path) => ("permission", json!({ "path": path })),
        Reason::SpecialFile(special) => {
            ("special_file", json!({ "file_type": file_type(*special) }))
        }
        Reason::Directory(path) => ("directory", json!({ "path": path })),
        Reason::Binary(file) => (
            "binary",
            json!({ "format": file.format, "size": file.size, "sha256": file.sha256 }),
        ),
        Reason::Limit(exceeded) => (
            "limit",
            json!({ "limit": exceeded.name, "value": exceeded.value, "ran": exceeded.ran }),
        ),
        Reason::Query(cause) => ("query", json!({ "cause": cause })),
        Reason::InvalidPath(path) => ("invalid_path", json!({ "path": path })),
        Reason::InvalidSelector(selector) => ("invalid_selector", json!({ "selector": selector })),
        Reason::InvalidArgument(name) => ("invalid_argument", json!({ "argument": name })),
        Reason::Unsupported(what) => ("unsupported", json!({ "what": what })),
        Reason::Cancelled(path) => ("cancelled", json!({ "path": path })),
        Reason::Io(error) => ("io", json!({ "cause": error })),
        Reason::Network(unreachable) => (
            "network",
            json!({ "url": unreachable.url, "error": network(&unreachable.error) }),
        ),
        Reason::Internal(error) => ("internal", json!({ "cause": error })),
    };
    (kind, object(facts))
}

/// Converts a network error to a JSON object: the name of the error in `kind`, and its details.
fn network(error: &NetworkError) -> Value {
    match error {
        NetworkError::Refused(granted) => json!({ "kind": "refused", "granted": granted }),
        NetworkError::Name(cause) => json!({ "kind": "name", "cause": cause }),
        NetworkError::Connect(cause) => json!({ "kind": "connect", "cause": cause }),
        NetworkError::Certificate(cause) => json!({ "kind": "certificate", "cause": cause }),
        NetworkError::Protocol(cause) => json!({ "kind": "protocol", "cause": cause }),
        NetworkError::Redirect(target) => json!({ "kind": "redirect", "target": target }),
        NetworkError::Timeout(limit) => json!({ "kind": "timeout", "limit": limit }),
    }
}

fn file_type(special: SpecialFile) -> &'static str {
    match special {
        SpecialFile::Pipe => "pipe",
        SpecialFile::Socket => "socket",
        SpecialFile::Device => "device",
        SpecialFile::Other => "other",
    }
}
