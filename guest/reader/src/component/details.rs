//! Everything the text of a reply says, as data.

use crate::answer::{Answer, Body, Dimensions, Ending, Form, Media, Text};
use crate::bindings::exports::omniread::read::types as wit;
use crate::dialects::Reply;
use crate::path::{Range, UnitKind};
use crate::window::{Limit, Page, Total};
use crate::world::Time;

/// What a reply says, as data.
pub fn details(reply: &Reply) -> wit::Details {
    let answer = &reply.answer;
    let subject = &answer.subject;
    wit::Details {
        kind: kind(reply),
        path: subject.name(),
        resolved_path: subject.absolute(),
        next: answer.next(),
        size: answer.size(),
        modified: subject.info.modified.map(Time::millis),
        window: answer.page().map(|page| window(page, answer)),
        notes: reply.notes.iter().cloned().map(Into::into).collect(),
        suffix_resolution: subject.repair.as_ref().map(|repair| wit::Resolution {
            from: repair.from.clone(),
            to: repair.to.clone(),
        }),
        sha256: answer.sha256().map(str::to_owned),
    }
}

/// What was read, with what is particular to it.
fn kind(reply: &Reply) -> wit::Kind {
    match &reply.answer.body {
        Body::Text(text) => match &text.facts {
            Some(facts) => wit::Kind::Document(wit::DocumentDetails {
                format: facts.format.to_owned(),
                units: facts.units.map(|(kind, count)| wit::Units {
                    kind: match kind {
                        UnitKind::Cell => wit::UnitKind::Cell,
                        UnitKind::Page => wit::UnitKind::Page,
                        UnitKind::Slide => wit::UnitKind::Slide,
                        UnitKind::Chapter => wit::UnitKind::Chapter,
                    },
                    count,
                }),
                facts: (facts.stated.iter())
                    .map(|(name, value)| ((*name).to_owned(), value.clone()))
                    .collect(),
                text: text_details(text, reply),
            }),
            None => wit::Kind::Text(text_details(text, reply)),
        },
        Body::Listing(listing) => match listing.archive {
            Some(format) => wit::Kind::Archive(wit::ArchiveDetails {
                format: format.to_owned(),
                entries: total(listing.entries),
                listed: listing.listed,
                withheld: listing.withheld,
            }),
            None => wit::Kind::Directory(wit::DirectoryDetails {
                entries: total(listing.entries),
                listed: listing.listed,
                withheld: listing.withheld,
            }),
        },
        // It is refused by the dialects that get one.
        Body::Archive(inside) => wit::Kind::Archive(wit::ArchiveDetails {
            format: inside.format.to_owned(),
            entries: wit::Total::Exact(inside.entries),
            listed: 0,
            withheld: 0,
        }),
        Body::Database(database) => wit::Kind::Database(wit::DatabaseDetails {
            form: match database.form {
                Form::Tables => wit::Form::Tables,
                Form::Schema => wit::Form::Schema,
                Form::Row => wit::Form::Row,
                Form::Query => wit::Form::Query,
                Form::Raw => wit::Form::Raw,
            },
            table: database.table.clone(),
            columns: database.columns.clone(),
            rows: database.rows,
            total: total(database.total),
        }),
        Body::Media(media) if media.format.image => wit::Kind::Image(image_details(media)),
        Body::Media(media) => wit::Kind::Attachment(wit::AttachmentDetails {
            format: media.format.long_name.to_owned(),
            mime: media.format.mime.to_owned(),
            given: given(media),
        }),
        Body::Binary(binary) => wit::Kind::Binary(wit::BinaryDetails {
            format: binary.format.clone(),
        }),
    }
}

fn text_details(text: &Text, reply: &Reply) -> wit::TextDetails {
    let page = &text.page;
    wit::TextDetails {
        encoding: text.encoding.coding.name(),
        guessed: text.encoding.guessed,
        bom: text.encoding.mark > 0,
        ending: match text.ending {
            Ending::None => wit::Ending::None,
            Ending::Lf => wit::Ending::Lf,
            Ending::CrLf => wit::Ending::Crlf,
            Ending::Mixed => wit::Ending::Mixed,
            Ending::Cr => wit::Ending::Cr,
        },
        final_newline: page.final_newline,
        raw: reply.exact,
        tag: text.tag.clone(),
        marks: wit::Marks {
            invalid: page.marks.invalid,
            control: page.marks.control,
            hidden: page.marks.hidden,
            bidi: page.marks.bidi,
        },
        display: reply.display.as_ref().map(|display| wit::Display {
            text: display.text.clone(),
            start: display.start,
        }),
    }
}

fn image_details(media: &Media) -> wit::ImageDetails {
    wit::ImageDetails {
        format: media.format.long_name.to_owned(),
        mime: media.format.mime.to_owned(),
        dimensions: media.size().map(dimensions),
        header: media.facts.as_ref().map(|facts| wit::Header {
            channels: facts.channels,
            alpha: facts.alpha,
            depth: facts.depth,
            frames: facts.frames.count,
            notes: facts.notes.clone(),
        }),
        given: given(media),
    }
}

fn given(media: &Media) -> Option<wit::Given> {
    media.given.as_ref().ok().map(|given| wit::Given {
        mime: given.mime.to_owned(),
        bytes: given.bytes,
        dimensions: given.size.map(dimensions),
        untouched: given.untouched,
    })
}

fn dimensions(size: Dimensions) -> wit::Dimensions {
    wit::Dimensions {
        width: size.width,
        height: size.height,
    }
}

fn window(page: &Page, answer: &Answer) -> wit::Window {
    wit::Window {
        shown: page
            .spans()
            .into_iter()
            .map(|(first, last)| wit::Span { first, last })
            .collect(),
        total: total(page.total),
        bytes: answer
            .bytes()
            .filter(|_| matches!(answer.body, Body::Text(_))),
        limit: page.limit.map(|limit| match limit {
            Limit::Lines => wit::Limit::Lines,
            Limit::Bytes(_) => wit::Limit::Bytes,
        }),
        cuts: page
            .lines
            .iter()
            .filter_map(|line| {
                let column = line.cut?;
                Some(wit::Cut {
                    line: line.number,
                    shown: column.saturating_sub(line.column),
                    path: answer.subject.with(&page.rest_of(line, column)),
                })
            })
            .collect(),
        skipped: page.skipped.iter().map(span).collect(),
    }
}

fn span(range: &Range) -> wit::Span {
    let line = |line: u64| i64::try_from(line).unwrap_or(i64::MAX);
    wit::Span {
        first: line(range.start.line),
        last: range.end.map_or(i64::MAX, line),
    }
}

fn total(total: Total) -> wit::Total {
    match total {
        Total::Exact(total) => wit::Total::Exact(total),
        Total::AtLeast(least) => wit::Total::AtLeast(least),
    }
}
