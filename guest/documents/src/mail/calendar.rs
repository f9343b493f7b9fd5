//! Invitations: events of iCalendar (RFC 5545) as lines.

use crate::limits;
use std::fmt::Write;

/// Writes the events of a calendar as Markdown. `has_body` states whether the mail has a text, which
/// the description usually repeats.
pub fn render(text: &str, has_body: bool) -> String {
    let mut out = String::new();
    let mut method = String::new();
    let mut event: Option<Event> = None;
    let mut count = 0_usize;
    // Components inside an event, such as alarms, are not shown.
    let mut inner = 0_usize;
    let mut lines = text.lines().peekable();
    while let Some(first) = lines.next() {
        // A line that starts with a space continues the one before.
        let mut line = first.to_owned();
        while let Some(more) = lines.next_if(|next| next.starts_with([' ', '\t'])) {
            line.push_str(more.get(1..).unwrap_or_default());
        }
        let Some(line) = Line::parse(&line) else {
            continue;
        };
        let kind = line.value.to_ascii_uppercase();
        match line.name.as_str() {
            "BEGIN" if matches!(kind.as_str(), "VEVENT" | "VTODO" | "VJOURNAL" | "VFREEBUSY") => {
                event = Some(Event::default());
                inner = 0;
            }
            "BEGIN" if event.is_some() => inner = inner.saturating_add(1),
            "END" if inner > 0 => inner = inner.saturating_sub(1),
            "END" if event.is_some() => {
                count = count.saturating_add(1);
                if let Some(event) = event.take().filter(|_| count <= limits::CALENDAR_EVENTS) {
                    event.write(&method, &mut out);
                }
            }
            "METHOD" => method = line.value.to_ascii_uppercase(),
            _ if inner == 0 => {
                if let Some(event) = &mut event {
                    event.add(&line, has_body);
                }
            }
            _ => {}
        }
    }
    if let Some(event) = event {
        event.write(&method, &mut out);
    }
    if let Some(more @ 1..) = count.checked_sub(limits::CALENDAR_EVENTS) {
        let _ = write!(out, "\n\n{more} more events are left out.");
    }
    out
}

#[derive(Default)]
struct Event {
    facts: Vec<(&'static str, String)>,
    attendees: usize,
}

impl Event {
    fn add(&mut self, line: &Line, has_body: bool) {
        let name = match line.name.as_str() {
            "SUMMARY" => "Event",
            "DTSTART" => "Start",
            "DTEND" => "End",
            "DUE" => "Due",
            "DURATION" => "Duration",
            "LOCATION" => "Location",
            "STATUS" => "Status",
            "RRULE" => "Repeats",
            "RECURRENCE-ID" => "Changed occurrence",
            "ORGANIZER" => "Organizer",
            "ATTENDEE" => {
                self.attendees = self.attendees.saturating_add(1);
                if self.attendees > limits::CALENDAR_ATTENDEES {
                    return;
                }
                "Attendee"
            }
            "URL" => "URL",
            "DESCRIPTION" if !has_body => "Description",
            _ => return,
        };
        let value = match name {
            "Start" | "End" | "Due" | "Changed occurrence" => line.date(),
            "Organizer" | "Attendee" => line.person(),
            _ => line.text(),
        };
        if !value.trim().is_empty() {
            self.facts.push((name, value));
        }
    }

    fn write(mut self, method: &str, out: &mut String) {
        let title = match method {
            "REQUEST" => "Invitation",
            "CANCEL" => "Cancelled event",
            "REPLY" => "Reply to an invitation",
            "COUNTER" => "Proposal for another time",
            _ => "Calendar entry",
        };
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        let _ = write!(out, "{title}:");
        // The order of the facts in files varies.
        let order = [
            "Event",
            "Start",
            "End",
            "Due",
            "Duration",
            "Repeats",
            "Changed occurrence",
            "Location",
            "Status",
            "Organizer",
            "Attendee",
            "URL",
            "Description",
        ];
        self.facts
            .sort_by_key(|(name, _)| order.iter().position(|known| known == name));
        for (name, value) in &self.facts {
            let _ = write!(out, "\n- {name}: {value}");
        }
        if let Some(more @ 1..) = self.attendees.checked_sub(limits::CALENDAR_ATTENDEES) {
            let _ = write!(out, "\n- {more} more attendees are left out.");
        }
    }
}

/// A line: `NAME;PARAMETER=x:value`.
struct Line {
    name: String,
    parameters: String,
    value: String,
}

impl Line {
    fn parse(line: &str) -> Option<Self> {
        let mut quoted = false;
        let colon = line.find(|char| {
            quoted ^= char == '"';
            char == ':' && !quoted
        })?;
        let (head, value) = line.split_at_checked(colon)?;
        let (name, parameters) = head.split_once(';').unwrap_or((head, ""));
        Some(Self {
            name: name.trim().to_ascii_uppercase(),
            parameters: parameters.to_owned(),
            value: value.get(1..)?.trim().to_owned(),
        })
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        let mut quoted = false;
        let mut all = self.parameters.split(move |char| {
            quoted ^= char == '"';
            char == ';' && !quoted
        });
        all.find_map(|parameter| {
            let (known, value) = parameter.split_once('=')?;
            known
                .eq_ignore_ascii_case(name)
                .then(|| value.trim_matches('"'))
        })
    }

    /// A value without backslashes.
    fn text(&self) -> String {
        let mut out = String::with_capacity(self.value.len());
        let mut chars = self.value.chars();
        while let Some(char) = chars.next() {
            match char {
                '\\' => match chars.next() {
                    Some('n' | 'N') => out.push_str("\n  "),
                    Some(other) => out.push(other),
                    None => {}
                },
                _ => out.push(char),
            }
        }
        out.truncate(out.trim_end().len());
        out
    }

    /// A time: `20240301T120000` → `2024-03-01T12:00:00 (Europe/Berlin)`.
    fn date(&self) -> String {
        let value = self.value.as_str();
        let piece = |from: usize, to: usize| {
            let piece = value.get(from..to)?;
            piece
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then_some(piece)
        };
        let day = || {
            Some(format!(
                "{}-{}-{}",
                piece(0, 4)?,
                piece(4, 6)?,
                piece(6, 8)?
            ))
        };
        let time = || {
            Some(format!(
                "T{}:{}:{}",
                piece(9, 11)?,
                piece(11, 13)?,
                piece(13, 15)?
            ))
        };
        let Some(mut out) = day() else {
            return self.text();
        };
        out.push_str(&time().unwrap_or_default());
        if value.ends_with(['Z', 'z']) {
            out.push_str("+00:00");
        }
        if let Some(zone) = self.parameter("TZID") {
            let _ = write!(out, " ({zone})");
        }
        out
    }

    /// A person: `Name <address> (accepted)`.
    fn person(&self) -> String {
        let address = match self.value.get(..7) {
            Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => self.value.get(7..),
            _ => Some(self.value.as_str()),
        };
        let address = address.unwrap_or_default();
        let mut out = match self.parameter("CN").filter(|name| !name.is_empty()) {
            Some(name) if !name.eq_ignore_ascii_case(address) => format!("{name} <{address}>"),
            _ => address.to_owned(),
        };
        let status = self.parameter("PARTSTAT").unwrap_or_default();
        if !status.is_empty() && !status.eq_ignore_ascii_case("NEEDS-ACTION") {
            let _ = write!(out, " ({})", status.to_ascii_lowercase());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_has_its_facts() {
        let text = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\n\
                    DTSTART;TZID=Europe/Berlin:20240301T120000\r\nDTEND:20240301T130000Z\r\n\
                    SUMMARY:Lunch\\, late\r\nORGANIZER;CN=\"Ann: B\":MAILTO:a@x\r\n\
                    ATTENDEE;PARTSTAT=ACCEPTED;CN=Bob:mailto:b@\r\n x\r\nDESCRIPTION:a\\nb\r\n\
                    BEGIN:VALARM\r\nSUMMARY:no\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
        let expected = "Invitation:\n- Event: Lunch, late\n- Start: 2024-03-01T12:00:00 \
                        (Europe/Berlin)\n- End: 2024-03-01T13:00:00+00:00\n- Organizer: Ann: B \
                        <a@x>\n- Attendee: Bob <b@x> (accepted)";
        assert_eq!(render(text, true), expected);
        assert_eq!(
            render(text, false),
            format!("{expected}\n- Description: a\n  b")
        );
    }

    #[test]
    fn long_lists_and_damage() {
        let many = "BEGIN:VEVENT\nDTSTART:x\nEND:VEVENT\n".repeat(25);
        assert!(render(&many, true).ends_with("\n\n5 more events are left out."));
        let guests = "BEGIN:VEVENT\n".to_owned() + &"ATTENDEE:mailto:a@x\n".repeat(60);
        assert!(render(&guests, true).ends_with("- 10 more attendees are left out."));
        assert_eq!(render("no calendar", true), "");
    }
}
