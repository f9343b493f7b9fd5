//! Charts ([ODF 1.3] part 3, 11) → a title and a table of the values.
//!
//! The values are those of the table in the chart. The ranges of a chart on a sheet name cells of
//! the sheet, but its table has them in the order of the series.

use crate::budget::Budget;
use crate::chart::{Points, Series, write};
use crate::limits;
use crate::model::Block;
use crate::package::Package;
use crate::xml::{Element, Tree, decode};

/// A rectangle of cells: the first column and row, and the last ones, from 0.
type Area = (usize, usize, usize, usize);

/// Converts the chart that a package is. `None` if it is something else.
pub fn package(bytes: Vec<u8>, budget: &mut Budget) -> Option<Vec<Block>> {
    let mut package = Package::open(bytes).ok()?;
    let part = budget.embedded(&mut package, "content.xml")?;
    let text = decode(&part.bytes);
    let tree = Tree::parse(&text);
    let chart = tree.root().at(&["body", "chart", "chart"])?;
    Some(blocks(tree.root(), chart))
}

/// Converts a chart in the outermost element of its part.
pub fn blocks(root: Element, chart: Element) -> Vec<Block> {
    let styles = Styles(root);
    let grid = Grid::read(chart);
    let plot = chart.child("plot-area");
    let mut kinds = Vec::new();
    let mut list: Vec<Series> = Vec::new();
    let axes = plot.iter().flat_map(Element::children);
    let mut axes = axes.filter(|it| it.name() == "axis");
    let axis = axes.find(|it| it.attr("dimension") == Some("x"));
    let categories = axis.and_then(|axis| axis.child("categories"));
    let categories = categories.and_then(|it| area(it.attr("cell-range-address")?));
    let is_date = axis.is_some_and(|axis| styles.has_date(axis.attr("style-name")));
    let all = plot.iter().flat_map(Element::children);
    // The next column of the table, in which the domains of a series are before its values.
    let mut column = 1_usize;
    let mut shared: Option<Points> = None;
    for series in all.filter(|it| it.name() == "series") {
        if list.len() > limits::CHART_SERIES {
            break;
        }
        let class = series.attr("class").or_else(|| chart.attr("class"));
        let name = kind(class.unwrap_or_default());
        if !kinds.contains(&name) {
            kinds.push(name);
        }
        let mut domains = Vec::new();
        let ranges = series.children().filter(|it| it.name() == "domain");
        for range in ranges.take(2) {
            let range = range.attr("cell-range-address").and_then(area);
            domains.push(grid.points(range, column, false, false));
            column = column.saturating_add(1);
        }
        let percent = styles.is_percent(series.attr("style-name"));
        let values = series.attr("values-cell-range-address").and_then(area);
        let values = grid.points(values, column, percent, false);
        let label = series.attr("label-cell-address").and_then(area);
        let name = match series.attr("label-string") {
            Some(name) => name.to_owned(),
            None => grid.name(label, column),
        };
        column = column.saturating_add(1);
        // The domains of a bubble chart are y and x, and its values are the sizes.
        let mut domains = domains.into_iter();
        let mut found = Series {
            name,
            categories: Points::new(),
            values: vec![values],
        };
        match (domains.next(), domains.next()) {
            (Some(y), Some(x)) => {
                found.categories = x;
                found.values.insert(0, y);
            }
            (Some(x), None) => found.categories = x,
            // Only the first series of a chart has a domain that all share.
            _ => {
                let own = || grid.points(categories, 0, false, is_date);
                found.categories = shared.clone().unwrap_or_else(own);
            }
        }
        shared.get_or_insert_with(|| found.categories.clone());
        list.push(found);
    }
    let title = title(chart);
    write(title, &kinds, &list)
}

/// Returns the title of a chart. It may be empty.
pub fn title(chart: Element) -> String {
    let Some(title) = chart.child("title") else {
        return String::new();
    };
    let paragraphs = title.children().map(|it| it.text());
    let text = paragraphs.collect::<Vec<_>>().join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the name of a kind of chart.
fn kind(class: &str) -> &'static str {
    match class.rsplit(':').next().unwrap_or_default() {
        "bar" => "bar chart",
        "line" => "line chart",
        "circle" => "pie chart",
        "ring" => "doughnut chart",
        "area" => "area chart",
        "scatter" => "scatter chart",
        "bubble" => "bubble chart",
        "radar" | "filled-radar" => "radar chart",
        "stock" => "stock chart",
        "surface" => "surface chart",
        "gantt" => "gantt chart",
        _ => "chart",
    }
}

/// The styles of a chart.
struct Styles<'t, 'a>(Element<'t, 'a>);

impl<'t, 'a> Styles<'t, 'a> {
    /// Returns the number format of a style.
    fn format(&self, style: Option<&str>) -> Option<Element<'t, 'a>> {
        let automatic = self.0.child("automatic-styles")?;
        let named = |name: &str| {
            automatic
                .children()
                .find(|it| it.attr("name") == Some(name))
        };
        let style = named(style?)?;
        let format = style.attr("data-style-name").or_else(|| {
            style
                .children()
                .find_map(|properties| properties.attr("data-style-name"))
        });
        named(format?)
    }

    fn has_date(&self, style: Option<&str>) -> bool {
        self.format(style)
            .is_some_and(|it| it.name() == "date-style")
    }

    fn is_percent(&self, style: Option<&str>) -> bool {
        self.format(style)
            .is_some_and(|it| it.name() == "percentage-style")
    }
}

/// The cells of the table of a chart.
struct Grid {
    rows: Vec<Vec<Value>>,
}

/// A cell: its text, and whether it is a number.
#[derive(Clone, Default)]
struct Value {
    text: String,
    number: Option<f64>,
}

impl Grid {
    /// Reads the table of a chart.
    fn read(chart: Element) -> Self {
        let mut rows = Vec::new();
        let table = chart.child("table");
        let groups = table.iter().flat_map(Element::children);
        let groups = groups.filter(|it| matches!(it.name(), "table-header-rows" | "table-rows"));
        for row in groups.flat_map(|it| it.children()) {
            if row.name() != "table-row" {
                continue;
            }
            if rows.len() > limits::CHART_POINTS.saturating_add(1) {
                break;
            }
            let cells = row.children().filter(|it| it.name() == "table-cell");
            let cells = cells.take(limits::CHART_SERIES.saturating_mul(3).saturating_add(1));
            rows.push(cells.map(value).collect());
        }
        Self { rows }
    }

    fn get(&self, column: usize, row: usize) -> Option<&Value> {
        self.rows.get(row)?.get(column)
    }

    /// Returns the area of a range of the table itself, or that of a column below the header.
    fn area(&self, range: Option<(bool, Area)>, column: usize) -> Area {
        match range {
            Some((true, area)) => area,
            _ => (column, 1, column, self.rows.len()),
        }
    }

    /// Returns the values of a range. `column` is that of a range of another table.
    fn points(
        &self,
        range: Option<(bool, Area)>,
        column: usize,
        percent: bool,
        date: bool,
    ) -> Points {
        let (left, top, right, bottom) = self.area(range, column);
        let mut found = Points::new();
        let last = bottom.min(self.rows.len());
        let width = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        if top == bottom && right > left {
            for column in left..=right.min(width) {
                let place = column.saturating_sub(left);
                if let Some(value) = self.get(column, top) {
                    value.add(place, percent, date, &mut found);
                }
            }
            return found;
        }
        for row in top..=last {
            let place = row.saturating_sub(top);
            // Several columns are levels of categories.
            let levels: Vec<&Value> = (left..=right.min(width).max(left))
                .filter_map(|column| self.get(column, row))
                .filter(|value| !value.text.is_empty() || value.number.is_some())
                .collect();
            match &levels[..] {
                [] => {}
                [value] => value.add(place, percent, date, &mut found),
                values => {
                    let texts: Vec<&str> = values.iter().map(|it| it.text.as_str()).collect();
                    found.insert(place, texts.join(" / "));
                }
            }
        }
        found
    }

    /// Returns the name of a series.
    fn name(&self, range: Option<(bool, Area)>, column: usize) -> String {
        let (column, row) = match range {
            Some((true, (column, row, ..))) => (column, row),
            _ => (column, 0),
        };
        let value = self.get(column, row).map(|value| value.text.clone());
        value.unwrap_or_default()
    }
}

impl Value {
    fn add(&self, place: usize, percent: bool, date: bool, found: &mut Points) {
        let format = match (percent, date) {
            (true, _) => "0%",
            (_, true) => "yyyy-mm-dd",
            _ => "",
        };
        let text = match self.number {
            // Missing values are stored as NaN.
            Some(number) if number.is_nan() => return,
            Some(number) => crate::chart::number(&number.to_string(), format),
            None if self.text.is_empty() => return,
            None => self.text.clone(),
        };
        found.insert(place, text);
    }
}

/// Reads a cell.
fn value(cell: Element) -> Value {
    let paragraphs = cell
        .children()
        .filter(|it| it.name() == "p")
        .map(|it| it.text());
    let text = paragraphs.collect::<Vec<_>>().join(" ");
    Value {
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        number: cell.attr("value").and_then(|it| it.parse().ok()),
    }
}

/// Reads a range such as `local-table.$B$2:.$B$5`. Returns whether the range is of the chart's own
/// table.
fn area(range: &str) -> Option<(bool, Area)> {
    let range = range.split_whitespace().next()?;
    let (first, last) = range.split_once(':').unwrap_or((range, range));
    let (table, first) = first.rsplit_once('.')?;
    let last = last.rsplit_once('.').map_or(last, |(_, last)| last);
    let (left, top) = address(first)?;
    let (right, bottom) = address(last)?;
    Some((table == "local-table", (left, top, right, bottom)))
}

/// Reads an address such as `$B$2`: the column and the row, from 0.
fn address(text: &str) -> Option<(usize, usize)> {
    let text = text.replace('$', "");
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let mut column = 0_usize;
    for letter in text.get(..letters)?.to_ascii_uppercase().bytes() {
        let digit = usize::from(letter.wrapping_sub(b'A')).saturating_add(1);
        column = column.checked_mul(26)?.checked_add(digit)?;
    }
    let row = text.get(letters..)?.parse::<usize>().ok()?;
    Some((column.checked_sub(1)?, row.checked_sub(1)?))
}
