//! Tests of events.

use super::*;

/// The events of a text, with the offset after each, and the damage. `stays` states whether the reader of XML reads
/// all of them.
fn all(text: &str, stays: bool) -> (Vec<String>, Option<String>) {
    let mut events = Events::new(text);
    if stays {
        events.read_other(true);
    }
    let mut found = Vec::new();
    while let Some(event) = events.next() {
        let event = match event {
            Event::Start(start) => {
                let attributes: Vec<_> = start.attributes().collect();
                format!("<{} {attributes:?}", start.name)
            }
            other => format!("{other:?}"),
        };
        found.push(format!("{event} {}", events.offset()));
    }
    (found, events.damage().map(str::to_owned))
}

#[test]
fn simple_events_are_those_of_the_reader() {
    const PARTS: [&str; 36] = [
        "<a>",
        "</a>",
        "<a/>",
        "<w:b x='1'>",
        "</w:b>",
        "<b ",
        "<c y=\"a>b\" z = 'é'/>",
        "text",
        "é",
        "\r\n",
        "\r",
        "&amp;",
        "&",
        ";",
        "&#65;",
        "<!-- x -->",
        "<![CDATA[<a>]]>",
        "<?xml version='1.0'?>",
        "<",
        ">",
        "/>",
        "</",
        "</ a>",
        "</a b='>'>",
        "</a\t>",
        "<>",
        "</>",
        "<a'>",
        "<a/b>",
        "<a x=1 y>",
        "'",
        "\"",
        "\u{feff}",
        "<!DOCTYPE a>",
        "<!d",
        "<r xmlns:q='officeDocument/relationships' q:id='1' r:id='2'/>",
    ];
    let mut seed = 7u64;
    let mut random = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap_or_default() % most
    };
    for _ in 0..30_000 {
        let text: String = (0..random(9)).map(|_| PARTS[random(PARTS.len())]).collect();
        assert_eq!(all(&text, false), all(&text, true), "{text:?}");
    }
}
