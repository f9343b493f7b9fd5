//! The first records of a text.

use super::scan::{Samples, Style, values, width};
use crate::limits;

/// The number of values in each of the first records of a sample. `whole` states whether the sample
/// is the whole text, so that its last record is complete.
pub fn sample_widths(text: &[u8], style: Style, whole: bool) -> Vec<usize> {
    let records = Samples::new(text, style, whole).take(limits::TABLE_SAMPLE_RECORDS);
    records
        .map(|record| width(record.text, record.style))
        .collect()
}

/// The first records of a sample, each with its start.
pub fn sample_records(text: &[u8], style: Style, whole: bool) -> Vec<(usize, Vec<String>)> {
    let mut samples = Samples::new(text, style, whole);
    let mut records: Vec<(usize, Vec<String>)> = samples
        .by_ref()
        .take(limits::TABLE_SAMPLE_RECORDS)
        .map(|record| (record.start, texts(record.text, record.style)))
        .collect();
    // A sample without a complete record has the start of the first one.
    if records.is_empty()
        && let Some(record) = samples.rest()
    {
        records.push((record.start, texts(record.text, record.style)));
    }
    records
}

fn texts(record: &[u8], style: Style) -> Vec<String> {
    let mut texts = Vec::new();
    values(record, style, |value, _| {
        if texts.len() < limits::ROW_VALUES {
            texts.push(String::from_utf8_lossy(&value).into_owned());
        }
    });
    texts
}
