//! Detection of a first record that names the columns.

use crate::tables::SqlValue;

/// The years that name columns, as in `country,2019,2020`.
const YEARS: std::ops::RangeInclusive<i64> = 1800..=2200;

/// Whether the first of these records names the columns. By convention it does. It does not if it
/// has a number above other numbers, unless it has a text above numbers in another column, or its
/// numbers are ascending years or consecutive, as names may be.
pub fn has_header(records: &[Vec<String>]) -> bool {
    let Some((first, rest)) = records.split_first() else {
        return false;
    };
    let numbers: Vec<i64> = first
        .iter()
        .filter_map(|name| match SqlValue::of(name) {
            SqlValue::Integer(number) => Some(number),
            _ => None,
        })
        .collect();
    if rest.is_empty() {
        return first
            .iter()
            .all(|name| SqlValue::of(name) == SqlValue::Text);
    }
    let step = |difference: i64| {
        numbers.windows(2).all(|pair| match pair {
            [a, b] => b.checked_sub(*a) == Some(difference),
            _ => true,
        })
    };
    let ascending = numbers.is_sorted_by(|a, b| a < b);
    let years = numbers.iter().all(|number| YEARS.contains(number)) && (ascending || step(-1));
    let labels =
        numbers.len() > 1 && (years || (step(1) && matches!(numbers.first(), Some(0 | 1))));
    let (mut named, mut unnamed) = (false, false);
    for (column, name) in first.iter().enumerate() {
        let values = rest.iter().filter_map(|record| record.get(column));
        let mut values = values
            .map(|text| SqlValue::of(text))
            .filter(|value| *value != SqlValue::Null);
        let mut any = false;
        let numeric = values.all(|value| {
            any = true;
            value != SqlValue::Text
        });
        match SqlValue::of(name) {
            SqlValue::Text | SqlValue::Other(_) => named |= numeric && any,
            SqlValue::Integer(_) if labels => {}
            SqlValue::Integer(_) | SqlValue::Real(_) => unnamed |= numeric && any,
            SqlValue::Null => {}
        }
    }
    named || !unnamed
}

/// Whether a column has a text in the first record and only numbers in the others.
pub fn has_numbers_below(records: &[Vec<String>]) -> bool {
    let Some((first, rest)) = records.split_first() else {
        return false;
    };
    (0..first.len()).any(|column| {
        let texts = rest.iter().filter_map(|record| record.get(column));
        let mut values = texts.map(|text| SqlValue::of(text)).peekable();
        values.peek().is_some() && values.all(|value| value.is_number())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> bool {
        let records: Vec<Vec<String>> = text
            .split(' ')
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect();
        has_header(&records)
    }

    #[test]
    fn first_record_names_the_columns_unless_it_has_values() {
        for text in [
            "id,name 1,ann 2,ben",
            "name,city ann,rome",
            "country,2019,2020 chad,5,6",
            "1,2,3,4 a,b,c,d",
            "1,2,3 10,20,30 5,6,7",
            ",a,b 0,1,2",
            "a,b",
            "id,5 1,2",
        ] {
            assert!(of(text), "{text}");
        }
        for text in [
            "5,ann 6,ben",
            "1.5,2.5 3.5,4.5",
            "5,6",
            "10,7,3 1,2,3",
            "3,x 4,y",
        ] {
            assert!(!of(text), "{text}");
        }
        assert!(!has_header(&[]));
    }
}
