//! Charts of Office Open XML → a title and a table of the values.
//!
//! The values are those that the program stored with the chart. The embedded workbook is not read.

use crate::limits;
use crate::model::{Block, Cell, Inline, Style, Table};
use crate::xml::Element;
use omniread_document::date::Day;
use std::collections::BTreeMap;

/// Values by their positions.
pub type Points = BTreeMap<usize, String>;

/// A series: its name, its categories or x values, and its values.
#[derive(Debug, Default)]
pub struct Series {
    /// The name. It may be empty.
    pub name: String,
    /// The categories or x values.
    pub categories: Points,
    /// Lists of values. Bubbles have two.
    pub values: Vec<Points>,
}

/// Converts the outermost element of a chart part.
pub fn blocks(root: Element) -> Vec<Block> {
    let extended = root.child("chartData").is_some();
    let chart = root.child("chart").unwrap_or(root);
    let (kinds, series) = if extended {
        extended_series(root, chart)
    } else {
        plain_series(chart)
    };
    write(title(chart, &series), &kinds, &series)
}

/// Writes a chart: its title and kinds, such as `bar chart`, and tables of its series.
pub fn write(title: String, kinds: &[&str], series: &[Series]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut caption = Vec::new();
    if !title.is_empty() {
        caption.push(Inline::Text {
            text: title,
            style: Style::BOLD,
        });
    }
    let kinds = kinds.join(", ");
    if caption.is_empty() {
        caption.push(Inline::plain(capitalised(&kinds)));
    } else if !kinds.is_empty() {
        caption.push(Inline::plain(format!(" ({kinds})")));
    }
    blocks.push(Block::Paragraph(caption));
    let cut = series.len() > limits::CHART_SERIES;
    let shown = series.get(..limits::CHART_SERIES).unwrap_or(series);
    let cut = cut || shown.iter().any(Series::is_cut);
    blocks.extend(tables(shown).into_iter().map(Block::Table));
    if cut {
        blocks.push(Block::Paragraph(vec![Inline::plain(format!(
            "Only the first {} points and {} series of the chart are shown.",
            limits::CHART_POINTS,
            limits::CHART_SERIES
        ))]));
    }
    blocks
}

/// Returns the title of the outermost element of a chart part. It may be empty.
pub fn caption(root: Element) -> String {
    let chart = root.child("chart").unwrap_or(root);
    let (_, series) = if root.child("chartData").is_some() {
        extended_series(root, chart)
    } else {
        plain_series(chart)
    };
    title(chart, &series)
}

impl Series {
    /// Returns whether the series has more points than are shown.
    fn is_cut(&self) -> bool {
        let all = self.values.iter().chain([&self.categories]);
        all.into_iter().any(|it| it.len() > limits::CHART_POINTS)
    }
}

/// Returns the title. A chart with one series shows its name if the title is automatic.
fn title(chart: Element, series: &[Series]) -> String {
    let Some(title) = chart.child("title") else {
        return String::new();
    };
    let mut words = String::new();
    for element in title.descendants() {
        match element.name() {
            "t" | "v" => words.push_str(&element.text()),
            "p" | "br" => words.push(' '),
            _ => {}
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match series {
        [one] if words.is_empty() => one.name.clone(),
        _ => words,
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|char| char.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Returns the name of a kind of chart.
fn kind(element: &str) -> Option<&'static str> {
    Some(match element {
        "barChart" | "bar3DChart" => "bar chart",
        "lineChart" | "line3DChart" => "line chart",
        "pieChart" | "pie3DChart" | "ofPieChart" => "pie chart",
        "doughnutChart" => "doughnut chart",
        "areaChart" | "area3DChart" => "area chart",
        "scatterChart" => "scatter chart",
        "bubbleChart" => "bubble chart",
        "radarChart" => "radar chart",
        "stockChart" => "stock chart",
        "surfaceChart" | "surface3DChart" => "surface chart",
        _ => return None,
    })
}

/// Reads the kinds and the series of a chart.
fn plain_series(chart: Element) -> (Vec<&'static str>, Vec<Series>) {
    let mut kinds = Vec::new();
    let mut list = Vec::new();
    let plots = chart.child("plotArea");
    for plot in plots.iter().flat_map(Element::children) {
        let Some(name) = kind(plot.name()) else {
            continue;
        };
        if !kinds.contains(&name) {
            kinds.push(name);
        }
        for series in plot.children().filter(|child| child.name() == "ser") {
            if list.len() > limits::CHART_SERIES {
                break;
            }
            let mut found = Series::default();
            for part in series.children() {
                match part.name() {
                    "tx" => {
                        let name = part.find("v").map(|it| it.text().trim().to_owned());
                        found.name = name.unwrap_or_default();
                    }
                    "cat" | "xVal" => found.categories = points(part),
                    "val" | "yVal" | "bubbleSize" => found.values.push(points(part)),
                    _ => {}
                }
            }
            list.push(found);
        }
    }
    (kinds, list)
}

/// Reads the stored values of a reference.
fn points(reference: Element) -> Points {
    let mut found = Points::new();
    if let Some(levels) = reference.find("multiLvlStrCache") {
        return level_points(levels);
    }
    let format = reference.find("formatCode").map(|it| it.text());
    let format = format.as_deref().unwrap_or_default();
    let all = reference.descendants().filter(|it| it.name() == "pt");
    for point in all {
        if found.len() > limits::CHART_POINTS {
            break;
        }
        let index = point.attr("idx").and_then(|it| it.parse().ok());
        let value = point.child("v").map(|it| it.text());
        if let (Some(index), Some(value)) = (index, value) {
            let own = point.attr("formatCode").unwrap_or(format);
            found.insert(index, number(value.trim(), own));
        }
    }
    found
}

/// Reads categories with several levels, of which the innermost is the first.
fn level_points(levels: Element) -> Points {
    let mut all: Vec<Points> = Vec::new();
    for level in levels.children().filter(|it| it.name() == "lvl").take(8) {
        all.push(points(level));
    }
    let mut found = Points::new();
    let Some((inner, outer)) = all.split_first() else {
        return found;
    };
    for (index, name) in inner {
        let mut path = Vec::new();
        for level in outer.iter().rev() {
            if let Some((_, name)) = level.range(..=*index).next_back() {
                path.push(name.as_str());
            }
        }
        path.push(name);
        found.insert(*index, path.join(" / "));
    }
    found
}

/// Reads the kinds and the series of the charts that Office 2016 added.
fn extended_series(root: Element, chart: Element) -> (Vec<&'static str>, Vec<Series>) {
    let mut kinds = Vec::new();
    let mut list: Vec<Series> = Vec::new();
    let data = root.child("chartData");
    let mut sets: BTreeMap<&str, (Points, Points)> = BTreeMap::new();
    for set in data.iter().flat_map(Element::children) {
        let Some(id) = set.attr("id").filter(|_| set.name() == "data") else {
            continue;
        };
        let entry = sets.entry(id).or_default();
        for dimension in set.children() {
            let levels: Vec<Points> = dimension
                .children()
                .filter(|it| it.name() == "lvl")
                .take(8)
                .map(extended_points)
                .collect();
            match dimension.name() {
                "strDim" => entry.0 = joined(&levels),
                "numDim" => entry.1 = levels.into_iter().next().unwrap_or_default(),
                _ => {}
            }
        }
    }
    let region = chart.at(&["plotArea", "plotAreaRegion"]);
    let all = region.iter().flat_map(Element::children);
    for series in all
        .filter(|it| it.name() == "series")
        .take(limits::CHART_SERIES.saturating_add(1))
    {
        let name = match series.attr("layoutId").unwrap_or_default() {
            "waterfall" => "waterfall chart",
            "treemap" => "treemap chart",
            "sunburst" => "sunburst chart",
            "funnel" => "funnel chart",
            "boxWhisker" => "box plot",
            "clusteredColumn" | "paretoLine" => "histogram",
            "regionMap" => "map chart",
            _ => "chart",
        };
        if !kinds.contains(&name) {
            kinds.push(name);
        }
        let id = series.val("dataId").unwrap_or_default();
        let Some((categories, values)) = sets.remove(id) else {
            continue;
        };
        let name = series.child("tx").and_then(|it| it.find("v"));
        list.push(Series {
            name: name.map(|it| it.text().into_owned()).unwrap_or_default(),
            categories,
            values: vec![values],
        });
    }
    (kinds, list)
}

fn extended_points(level: Element) -> Points {
    let format = level.attr("formatCode").unwrap_or_default();
    let all = level.children().filter(|it| it.name() == "pt");
    all.take(limits::CHART_POINTS.saturating_add(1))
        .filter_map(|point| {
            let index = point.attr("idx")?.parse().ok()?;
            Some((index, number(point.text().trim(), format)))
        })
        .collect()
}

/// Joins the levels of categories, of which the innermost is the first.
fn joined(levels: &[Points]) -> Points {
    let mut found = Points::new();
    for level in levels.iter().rev() {
        for (index, name) in level {
            let entry = found.entry(*index).or_default();
            if !entry.is_empty() {
                entry.push_str(" / ");
            }
            entry.push_str(name);
        }
    }
    found
}

/// Returns a table of the series with the same categories, and one for each other series.
fn tables(series: &[Series]) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut rest = series;
    while let Some((first, _)) = rest.split_first() {
        let same = rest
            .iter()
            .take_while(|it| it.categories == first.categories || it.categories.is_empty());
        let (group, after) = rest.split_at(same.count().max(1).min(rest.len()));
        rest = after;
        let table = table(&first.categories, group);
        if table.rows.len() > 1 {
            tables.push(table);
        }
    }
    tables
}

fn table(categories: &Points, series: &[Series]) -> Table {
    let columns: Vec<(&str, &Points)> = series
        .iter()
        .flat_map(|it| it.values.iter().map(|values| (it.name.as_str(), values)))
        .collect();
    let mut positions: Vec<usize> = categories.keys().copied().collect();
    for (_, values) in &columns {
        positions.extend(values.keys());
    }
    positions.sort_unstable();
    positions.dedup();
    let header = columns.iter().map(|(name, _)| Cell::text(*name));
    let mut rows = vec![std::iter::once(Cell::text("")).chain(header).collect()];
    for position in positions.into_iter().take(limits::CHART_POINTS) {
        let mut row = Vec::new();
        let name = categories.get(&position).cloned();
        row.push(Cell::text(
            name.unwrap_or_else(|| position.saturating_add(1).to_string()),
        ));
        for (_, values) in &columns {
            row.push(Cell::text(
                values.get(&position).cloned().unwrap_or_default(),
            ));
        }
        rows.push(row);
    }
    Table { rows }
}

/// Writes a stored value in its number format: dates, percentages, and numbers without the noise of
/// binary fractions.
pub fn number(value: &str, format: &str) -> String {
    let Ok(parsed) = value.parse::<f64>() else {
        return value.to_owned();
    };
    if !parsed.is_finite() {
        return value.to_owned();
    }
    let format = unquoted(format);
    if format.contains(['y', 'd'])
        && let Some(date) = date(parsed)
    {
        return date;
    }
    if format.contains('%') {
        return format!("{}%", rounded(parsed * 100.0));
    }
    rounded(parsed)
}

/// Returns a number format in lowercase without its texts, colours and conditions.
fn unquoted(format: &str) -> String {
    let mut out = String::new();
    let mut until = None;
    for char in format.chars() {
        if until == Some(char) {
            until = None;
        } else if until.is_none() {
            match char {
                '"' => until = Some('"'),
                '[' => until = Some(']'),
                char => out.extend(char.to_lowercase()),
            }
        }
    }
    if out == "standard" {
        String::new()
    } else {
        out
    }
}

/// Writes a number with 15 digits, as spreadsheets do.
fn rounded(value: f64) -> String {
    let short = format!("{value:.14e}").parse::<f64>().unwrap_or(value);
    let size = short.abs();
    if size != 0.0 && !(1e-7..1e16).contains(&size) {
        return format!("{short:e}");
    }
    short.to_string()
}

/// Converts the number of days since the end of 1899 to a date.
fn date(value: f64) -> Option<String> {
    if !(1.0..2_958_466.0).contains(&value) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
    let days = value.floor() as i64;
    // 1900-01-01 is day 1, and day 60 does not exist.
    let days = if days < 60 {
        days.checked_add(1)?
    } else {
        days
    };
    let day = Day::after_1970(days.checked_sub(25_569)?)?;
    Some(day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown;
    use crate::xml::Tree;

    fn markdown(chart: &str) -> String {
        let text = format!("<chartSpace><chart>{chart}</chart></chartSpace>");
        markdown::render(&blocks(Tree::parse(&text).root()))
    }

    fn cache(values: &[&str]) -> String {
        let points = values.iter().enumerate();
        let point = |(index, value)| format!("<pt idx=\"{index}\"><v>{value}</v></pt>");
        points.map(point).collect()
    }

    #[test]
    fn values_have_their_number_format() {
        assert_eq!(number("43831", "m/d/yyyy"), "2020-01-01");
        assert_eq!(number("60.5", "[$-409]d-mmm"), "1900-02-28");
        assert_eq!(number("1", "yyyy"), "1900-01-01");
        assert_eq!(number("0.07", "0.0%"), "7%");
        assert_eq!(number("4.2999999999999998", "General"), "4.3");
        assert_eq!(number("12", "0\"days\""), "12");
        assert_eq!(number("1E+300", ""), "1e300");
        assert_eq!(number("NaN", ""), "NaN");
    }

    #[test]
    fn points_of_scatter_charts_have_their_own_tables() {
        let series = |x: &[&str]| {
            format!(
                "<ser><xVal>{}</xVal><yVal>{}</yVal></ser>",
                cache(x),
                cache(&["5"])
            )
        };
        let plot = series(&["1"]) + &series(&["1"]) + &series(&["2"]);
        let chart = format!("<plotArea><scatterChart>{plot}</scatterChart></plotArea>");
        assert_eq!(
            markdown(&chart),
            "Scatter chart\n\n||||\n|-|-|-|\n|1|5|5|\n\n|||\n|-|-|\n|2|5|"
        );
    }

    #[test]
    fn levels_of_categories_are_joined() {
        let levels = format!(
            "<lvl>{}</lvl><lvl><pt idx=\"0\"><v>2025</v></pt></lvl>",
            cache(&["Q1", "Q2"])
        );
        let chart = format!(
            "<plotArea><lineChart><ser><cat><multiLvlStrCache>{levels}</multiLvlStrCache></cat>\
             <val>{}</val></ser></lineChart></plotArea>",
            cache(&["1", "2"])
        );
        let text = markdown(&chart);
        assert!(text.contains("|2025 / Q1|1|\n|2025 / Q2|2|"), "{text}");
    }

    #[test]
    fn cut_charts_are_noted() {
        let values = vec!["1"; limits::CHART_POINTS.saturating_add(5)];
        let chart = format!(
            "<plotArea><pieChart><ser><val>{}</val></ser></pieChart></plotArea>",
            cache(&values)
        );
        let text = markdown(&chart);
        assert!(text.ends_with(
            "|1000|1|\n\nOnly the first 1000 points and 64 series of the chart are shown."
        ));
    }
}
