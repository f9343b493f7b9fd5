//! Replies as JSON.

use crate::{
    Block, Cut, DatabaseDetails, DatabasePart, Details, Dimensions, Escapes, ImageHeader, Kind,
    Limit, LineEnding, Payload, Span, TextDetails, Total, UnitKind, Units, Web,
};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A block of a reply.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum BlockView<'b> {
    Text { text: &'b str },
    Image { mime: &'b str, data: &'b str },
    Attachment { mime: &'b str, data: &'b str },
}

/// The blocks of a reply.
pub(super) fn blocks(blocks: &[Block]) -> Vec<BlockView<'_>> {
    blocks.iter().map(view).collect()
}

fn view(block: &Block) -> BlockView<'_> {
    match block {
        Block::Text(text) | Block::Notice(text) => BlockView::Text { text },
        Block::Image(image) => BlockView::Image {
            mime: &image.mime,
            data: &image.data,
        },
        Block::Attachment(file) => BlockView::Attachment {
            mime: &file.mime,
            data: &file.data,
        },
    }
}

/// The details of a reply, and the fields of `structured` that they lack.
pub(super) struct DetailsView<'d> {
    pub(super) details: &'d Details,
    pub(super) structured: &'d Map<String, Value>,
    /// Whether the shown text is contained once more, without line numbers.
    pub(super) display: bool,
}

impl Serialize for DetailsView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let details = self.details;
        let kind = details.kind.name();
        let mut out = Fields {
            map: serializer.serialize_map(None)?,
            names: Vec::with_capacity(24),
        };
        out.field("kind", kind)?;
        out.field("path", &details.path)?;
        out.field("resolved_path", &details.resolved_path)?;
        let is_directory = matches!(details.kind, Kind::Directory(_));
        out.field("is_directory", &is_directory)?;
        out.field("next", &details.next)?;
        out.field("size", &details.size)?;
        out.field("modified", &details.modified)?;
        out.field("notes", &details.notes)?;
        let repair = details.suffix_resolution.as_ref();
        out.field(
            "suffix_resolution",
            &repair.map(|repair| Repair {
                from: &repair.from,
                to: &repair.to,
            }),
        )?;
        out.field("sha256", &details.sha256)?;
        if let Some(web) = &details.web {
            out.field("web", &WebView::from(web))?;
        }
        out.field(kind, &KindView::from(&details.kind))?;
        if let Some(window) = &details.window {
            out.field("shown", &spans(&window.shown))?;
            out.field("total_lines", &TotalView::from(window.total))?;
            out.field("limit", &window.limit.map(limit))?;
            let cuts: Vec<_> = window.cuts.iter().map(CutView::from).collect();
            out.field("cut_lines", &cuts)?;
            out.field("skipped", &spans(&window.skipped))?;
        }
        if let Some(display) = details.text().and_then(|text| text.display.as_ref()) {
            // The name is taken even if the text is left out.
            out.names.push("display_content");
            if self.display {
                let display = DisplayView {
                    text: &display.text,
                    start_line: display.start,
                };
                out.map.serialize_entry("display_content", &display)?;
            }
        }
        for (name, value) in self.structured {
            let name = snake_case(name);
            if !out.names.contains(&name.as_str()) {
                out.map.serialize_entry(&name, &snake_cased(value))?;
            }
        }
        out.map.end()
    }
}

/// The response to a request for a web address.
#[derive(Serialize)]
struct WebView<'d> {
    url: &'d str,
    final_url: &'d str,
    redirects: &'d [String],
    status: u16,
    content_type: Option<&'d str>,
    method: &'d str,
    age: Option<u64>,
    notes: &'d [String],
}

impl<'d> From<&'d Web> for WebView<'d> {
    fn from(web: &'d Web) -> Self {
        Self {
            url: &web.url,
            final_url: &web.final_url,
            redirects: &web.redirects,
            status: web.status,
            content_type: web.content_type.as_deref(),
            method: &web.method,
            age: web.age,
            notes: &web.notes,
        }
    }
}

/// The fields of an object that is serialized, with their names.
struct Fields<M> {
    map: M,
    names: Vec<&'static str>,
}

impl<M: SerializeMap> Fields<M> {
    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        self.names.push(name);
        self.map.serialize_entry(name, value)
    }
}

#[derive(Serialize)]
struct Repair<'r> {
    from: &'r str,
    to: &'r str,
}

#[derive(Serialize)]
struct DisplayView<'d> {
    text: &'d str,
    start_line: i64,
}

/// The details that only one kind of reply has, such as text or an image.
#[derive(Serialize)]
#[serde(untagged)]
enum KindView<'k> {
    Text(TextView<'k>),
    Directory {
        entries: TotalView,
        listed: u64,
        denied_entries: u64,
    },
    Archive {
        format: &'k str,
        entries: TotalView,
        listed: u64,
        denied_entries: u64,
    },
    Database {
        part: &'static str,
        table: Option<&'k str>,
        columns: &'k [String],
        rows: u64,
        total: TotalView,
    },
    Document {
        format: &'k str,
        units: Option<UnitsView>,
        metadata: BTreeMap<&'k str, &'k str>,
        text: TextView<'k>,
    },
    Image {
        format: &'k str,
        mime: &'k str,
        dimensions: Option<DimensionsView>,
        header: Option<HeaderView<'k>>,
        payload: Option<PayloadView<'k>>,
    },
    Attachment {
        format: &'k str,
        mime: &'k str,
        payload: Option<PayloadView<'k>>,
    },
    Binary {
        format: &'k str,
    },
}

impl<'k> From<&'k Kind> for KindView<'k> {
    fn from(kind: &'k Kind) -> Self {
        match kind {
            Kind::Text(text) => Self::Text(text.into()),
            Kind::Directory(directory) => Self::Directory {
                entries: directory.entries.into(),
                listed: directory.listed,
                denied_entries: directory.denied_entries,
            },
            Kind::Archive(archive) => Self::Archive {
                format: &archive.format,
                entries: archive.entries.into(),
                listed: archive.listed,
                denied_entries: archive.denied_entries,
            },
            Kind::Database(database) => Self::Database {
                part: part(database),
                table: database.table.as_deref(),
                columns: &database.columns,
                rows: database.rows,
                total: database.total.into(),
            },
            Kind::Document(document) => Self::Document {
                format: &document.format,
                units: document.units.as_ref().map(UnitsView::from),
                metadata: sorted(&document.metadata),
                text: (&document.text).into(),
            },
            Kind::Image(image) => Self::Image {
                format: &image.format,
                mime: &image.mime,
                dimensions: image.dimensions.map(DimensionsView::from),
                header: image.header.as_ref().map(HeaderView::from),
                payload: image.payload.as_ref().map(PayloadView::from),
            },
            Kind::Attachment(attachment) => Self::Attachment {
                format: &attachment.format,
                mime: &attachment.mime,
                payload: attachment.payload.as_ref().map(PayloadView::from),
            },
            Kind::Binary(binary) => Self::Binary {
                format: &binary.format,
            },
        }
    }
}

fn part(database: &DatabaseDetails) -> &'static str {
    match database.part {
        DatabasePart::Tables => "tables",
        DatabasePart::Schema => "schema",
        DatabasePart::Row => "row",
        DatabasePart::Query => "query",
        DatabasePart::Raw => "raw",
    }
}

fn sorted(pairs: &[(String, String)]) -> BTreeMap<&str, &str> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

#[derive(Serialize)]
struct TextView<'t> {
    encoding: &'t str,
    encoding_guessed: bool,
    bom: bool,
    line_ending: Option<&'static str>,
    final_newline: Option<bool>,
    raw: bool,
    tag: Option<&'t str>,
    escapes: EscapesView,
}

impl<'t> From<&'t TextDetails> for TextView<'t> {
    fn from(text: &'t TextDetails) -> Self {
        Self {
            encoding: &text.encoding,
            encoding_guessed: text.guessed,
            bom: text.bom,
            line_ending: match text.line_ending {
                LineEnding::None => None,
                LineEnding::Lf => Some("lf"),
                LineEnding::Crlf => Some("crlf"),
                LineEnding::Mixed => Some("mixed"),
                LineEnding::Cr => Some("cr"),
            },
            final_newline: text.final_newline,
            raw: text.raw,
            tag: text.tag.as_deref(),
            escapes: text.escapes.into(),
        }
    }
}

#[derive(Serialize)]
struct EscapesView {
    invalid: u64,
    control: u64,
    hidden: u64,
    bidi: u64,
}

impl From<Escapes> for EscapesView {
    fn from(escapes: Escapes) -> Self {
        Self {
            invalid: escapes.invalid,
            control: escapes.control,
            hidden: escapes.hidden,
            bidi: escapes.bidi,
        }
    }
}

#[derive(Serialize)]
struct UnitsView {
    kind: &'static str,
    count: u64,
}

impl From<&Units> for UnitsView {
    fn from(units: &Units) -> Self {
        Self {
            kind: match units.kind {
                UnitKind::Cell => "cell",
                UnitKind::Page => "page",
                UnitKind::Slide => "slide",
                UnitKind::Chapter => "chapter",
                UnitKind::Mail => "mail",
                UnitKind::Sheet => "sheet",
            },
            count: units.count,
        }
    }
}

#[derive(Serialize)]
struct DimensionsView {
    width: u32,
    height: u32,
}

impl From<Dimensions> for DimensionsView {
    fn from(size: Dimensions) -> Self {
        Self {
            width: size.width,
            height: size.height,
        }
    }
}

#[derive(Serialize)]
struct HeaderView<'h> {
    channels: u8,
    alpha: bool,
    depth: u8,
    frames: u32,
    metadata: BTreeMap<&'h str, &'h str>,
}

impl<'h> From<&'h ImageHeader> for HeaderView<'h> {
    fn from(header: &'h ImageHeader) -> Self {
        Self {
            channels: header.channels,
            alpha: header.alpha,
            depth: header.depth,
            frames: header.frames,
            metadata: sorted(&header.metadata),
        }
    }
}

#[derive(Serialize)]
struct PayloadView<'p> {
    mime: &'p str,
    bytes: u64,
    dimensions: Option<DimensionsView>,
    passthrough: bool,
}

impl<'p> From<&'p Payload> for PayloadView<'p> {
    fn from(payload: &'p Payload) -> Self {
        Self {
            mime: &payload.mime,
            bytes: payload.bytes,
            dimensions: payload.dimensions.map(DimensionsView::from),
            passthrough: payload.passthrough,
        }
    }
}

#[derive(Serialize)]
struct CutView<'c> {
    line: i64,
    shown: u64,
    path: &'c str,
}

impl<'c> From<&'c Cut> for CutView<'c> {
    fn from(cut: &'c Cut) -> Self {
        Self {
            line: cut.line,
            shown: cut.shown,
            path: &cut.path,
        }
    }
}

#[derive(Serialize)]
struct SpanView {
    first: i64,
    last: i64,
}

fn spans(spans: &[Span]) -> Vec<SpanView> {
    let view = |span: &Span| SpanView {
        first: span.first,
        last: span.last,
    };
    spans.iter().map(view).collect()
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum TotalView {
    Exact(u64),
    AtLeast(u64),
}

impl From<Total> for TotalView {
    fn from(total: Total) -> Self {
        match total {
            Total::Exact(total) => Self::Exact(total),
            Total::AtLeast(least) => Self::AtLeast(least),
        }
    }
}

fn limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Lines => "lines",
        Limit::Bytes => "bytes",
    }
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
