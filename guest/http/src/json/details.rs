//! The details of a reply as JSON.

use super::failure::error;
use crate::bindings::omniread::read::types::{
    Block, DatabasePart, Details, Dimensions, Display, Kind, Limit, LineEnding, Method, Part,
    Payload, Reply, Resolution, Span, TextDetails, Total, UnitKind, Web, Window,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The details of a reply, and the fields of `structured` that they lack, with names in `snake_case`.
pub fn details(reply: &Reply, structured: &Map<String, Value>) -> Value {
    let details = &reply.details;
    let (name, facts) = kind(&details.kind);
    let mut out = Fields(Map::new());
    out.field("kind", json!(name));
    out.field("path", json!(details.path));
    out.field("resolved_path", json!(details.resolved_path));
    let is_directory = matches!(details.kind, Kind::Directory(_));
    out.field("is_directory", json!(is_directory));
    out.field("next", json!(details.next));
    out.field("size", json!(details.size));
    out.field("modified", json!(details.modified));
    out.field("notes", json!(details.notes));
    out.field(
        "suffix_resolution",
        resolution(details.suffix_resolution.as_ref()),
    );
    out.field("sha256", json!(details.sha256));
    out.field("tokens", tokens(reply));
    if let Some(response) = &details.web {
        out.field("web", web(response));
    }
    if let Some(repeats) = &details.repeats {
        out.field("repeats", json!(repeats));
    }
    if details.parts.is_empty() {
        out.field(name, facts);
    } else {
        let parts: Vec<Value> = details.parts.iter().map(part).collect();
        out.field("parts", Value::Array(parts));
    }
    if let Some(window) = &details.window {
        out.window(window);
    }
    if let Some(Display { text, start }) = display(details) {
        out.field(
            "display_content",
            json!({ "text": text, "start_line": start }),
        );
    }
    for (name, value) in structured {
        let name = snake_case(name);
        if !out.0.contains_key(&name) {
            out.0.insert(name, snake_cased(value));
        }
    }
    Value::Object(out.0)
}

/// The fields of an object.
struct Fields(Map<String, Value>);

impl Fields {
    fn field(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    fn window(&mut self, window: &Window) {
        let limit = window.limit.map(|limit| match limit {
            Limit::Lines => "lines",
            Limit::Bytes => "bytes",
            Limit::Tokens => "tokens",
        });
        let cuts = window
            .cuts
            .iter()
            .map(|cut| json!({ "line": cut.line, "shown": cut.shown, "path": cut.path }));
        self.field("shown", spans(&window.shown));
        self.field("total_lines", total(&window.total));
        self.field("limit", json!(limit));
        self.field("cut_lines", cuts.collect());
        self.field("skipped", spans(&window.skipped));
    }
}

/// The facts of a path of a list, or its failure.
fn part(part: &Part) -> Value {
    let kind = part.kind.as_ref().map(kind);
    let name = kind.as_ref().map(|(name, _)| *name);
    let mut out = Fields(Map::new());
    out.field("kind", json!(name));
    out.field("path", json!(part.path));
    if let Some(failure) = &part.failure {
        out.field("error", error(failure));
    }
    if let Some((name, facts)) = kind {
        out.field("resolved_path", json!(part.resolved_path));
        out.field("next", json!(part.next));
        out.field("size", json!(part.size));
        out.field("modified", json!(part.modified));
        out.field("notes", json!(part.notes));
        out.field(
            "suffix_resolution",
            resolution(part.suffix_resolution.as_ref()),
        );
        out.field(name, facts);
    }
    if let Some(response) = &part.web {
        out.field("web", web(response));
    }
    if let Some(repeats) = &part.repeats {
        out.field("repeats", json!(repeats));
    }
    if let Some(window) = &part.window {
        out.window(window);
    }
    Value::Object(out.0)
}

/// The name of a kind, and its facts.
fn kind(kind: &Kind) -> (&'static str, Value) {
    match kind {
        Kind::Text(details) => ("text", text(details)),
        Kind::Directory(directory) => (
            "directory",
            json!({
                "entries": total(&directory.entries),
                "listed": directory.listed,
                "denied_entries": directory.denied_entries,
            }),
        ),
        Kind::Archive(archive) => (
            "archive",
            json!({
                "format": archive.format,
                "entries": total(&archive.entries),
                "listed": archive.listed,
                "denied_entries": archive.denied_entries,
            }),
        ),
        Kind::Database(database) => (
            "database",
            json!({
                "part": database_part(database.part),
                "table": database.table,
                "columns": database.columns,
                "rows": database.rows,
                "total": total(&database.total),
            }),
        ),
        Kind::Document(document) => (
            "document",
            json!({
                "format": document.format,
                "units": document.units.map(|units| json!({
                    "kind": unit_kind(units.kind),
                    "count": units.count,
                })),
                "metadata": sorted(&document.metadata),
                "text": text(&document.text),
            }),
        ),
        Kind::Image(image) => (
            "image",
            json!({
                "format": image.format,
                "mime": image.mime,
                "dimensions": dimensions(image.dimensions),
                "header": image.header.as_ref().map(|header| json!({
                    "channels": header.channels,
                    "alpha": header.alpha,
                    "depth": header.depth,
                    "frames": header.frames,
                    "metadata": sorted(&header.metadata),
                })),
                "payload": payload(image.payload.as_ref()),
                "tokens": image.tokens,
                "tokens_at_half": image.tokens_at_half,
            }),
        ),
        Kind::Attachment(attachment) => (
            "attachment",
            json!({
                "format": attachment.format,
                "mime": attachment.mime,
                "payload": payload(attachment.payload.as_ref()),
            }),
        ),
        Kind::Binary(binary) => ("binary", json!({ "format": binary.format })),
        Kind::Several => ("several", Value::Null),
    }
}

fn text(text: &TextDetails) -> Value {
    let line_ending = match text.line_ending {
        LineEnding::None => None,
        LineEnding::Lf => Some("lf"),
        LineEnding::Crlf => Some("crlf"),
        LineEnding::Mixed => Some("mixed"),
        LineEnding::Cr => Some("cr"),
    };
    json!({
        "encoding": text.encoding,
        "encoding_guessed": text.guessed,
        "bom": text.bom,
        "line_ending": line_ending,
        "final_newline": text.final_newline,
        "raw": text.raw,
        "tag": text.tag,
        "escapes": {
            "invalid": text.escapes.invalid,
            "control": text.escapes.control,
            "hidden": text.escapes.hidden,
            "bidi": text.escapes.bidi,
        },
    })
}

fn display(details: &Details) -> Option<&Display> {
    match &details.kind {
        Kind::Text(text) => text.display.as_ref(),
        Kind::Document(document) => document.text.display.as_ref(),
        _ => None,
    }
}

/// The tokens of a reply, as estimates.
fn tokens(reply: &Reply) -> Value {
    let text = reply.blocks.iter().map(|block| match block {
        Block::Text(text) | Block::Notice(text) => omniread_tokens::estimate(text),
        Block::Image(_) | Block::Attachment(_) => 0,
    });
    json!({ "text": text.sum::<u64>(), "images": reply.details.image_tokens })
}

fn web(web: &Web) -> Value {
    let mut out = Fields(Map::new());
    out.field("url", json!(web.url));
    out.field("final_url", json!(web.final_url));
    out.field("redirects", json!(web.redirects));
    out.field("status", json!(web.status));
    out.field("content_type", json!(web.content_type));
    out.field("method", json!(method(web.method)));
    if let Some(handler) = &web.handler {
        out.field("handler", json!(handler));
    }
    out.field("age", json!(web.age));
    out.field("notes", json!(web.notes));
    Value::Object(out.0)
}

fn method(method: Method) -> &'static str {
    match method {
        Method::AlternateFeed => "alternate-feed",
        Method::AlternateMarkdown => "alternate-markdown",
        Method::Archive => "archive",
        Method::ContentNegotiation => "content-negotiation",
        Method::Database => "database",
        Method::Failed => "failed",
        Method::Feed => "feed",
        Method::Handler => "handler",
        Method::Html => "html",
        Method::Image => "image",
        Method::Json => "json",
        Method::LinkedDocument => "linked-document",
        Method::LlmsTxt => "llms.txt",
        Method::Markit => "markit",
        Method::MdSuffix => "md-suffix",
        Method::Raw => "raw",
        Method::RawHtml => "raw-html",
        Method::Text => "text",
    }
}

fn database_part(part: DatabasePart) -> &'static str {
    match part {
        DatabasePart::Tables => "tables",
        DatabasePart::Schema => "schema",
        DatabasePart::Row => "row",
        DatabasePart::Query => "query",
        DatabasePart::Raw => "raw",
    }
}

fn unit_kind(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::Cell => "cell",
        UnitKind::Page => "page",
        UnitKind::Slide => "slide",
        UnitKind::Chapter => "chapter",
        UnitKind::Mail => "mail",
        UnitKind::Sheet => "sheet",
    }
}

fn resolution(resolution: Option<&Resolution>) -> Value {
    json!(resolution.map(|Resolution { from, to }| json!({ "from": from, "to": to })))
}

fn dimensions(dimensions: Option<Dimensions>) -> Value {
    json!(
        dimensions.map(|Dimensions { width, height }| json!({ "width": width, "height": height }))
    )
}

fn payload(payload: Option<&Payload>) -> Value {
    json!(payload.map(|payload| json!({
        "mime": payload.mime,
        "bytes": payload.bytes,
        "dimensions": dimensions(payload.dimensions),
        "passthrough": payload.passthrough,
    })))
}

fn total(total: &Total) -> Value {
    match total {
        Total::Exact(number) => json!({ "exact": number }),
        Total::AtLeast(number) => json!({ "at_least": number }),
    }
}

fn spans(spans: &[Span]) -> Value {
    let spans = spans.iter();
    spans
        .map(|Span { first, last }| json!({ "first": first, "last": last }))
        .collect()
}

/// Pairs of names and values as an object.
fn sorted(pairs: &[(String, String)]) -> Value {
    let pairs: BTreeMap<_, _> = pairs.iter().map(|(name, value)| (name, value)).collect();
    json!(pairs)
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

/// A field name in `snake_case`: `contentType` becomes `content_type`.
fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len().saturating_add(4));
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
