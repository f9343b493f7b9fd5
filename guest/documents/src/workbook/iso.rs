//! Dates of ISO 8601 in cells.

/// Returns a date of ISO 8601 with a space before its time, and without a time at the start of a day.
pub fn iso(date: &str) -> String {
    let date = date.strip_suffix('Z').unwrap_or(date);
    let (day, time) = date.split_once('T').unwrap_or((date, ""));
    let time = time.strip_suffix(".000").unwrap_or(time);
    match time {
        "" | "00:00:00" => day.to_owned(),
        time if day.is_empty() => time.to_owned(),
        time => format!("{day} {time}"),
    }
}
