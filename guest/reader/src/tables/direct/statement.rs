//! Statements: `SELECT columns and aggregates FROM table WHERE condition GROUP BY columns ORDER BY
//! columns and aggregates LIMIT n OFFSET m`, in which all clauses from WHERE on are optional.

use super::aggregate::{Aggregate, Function};
use super::condition::{Condition, Name, Parser};
use super::token::{Token, tokens};

/// A value of a row of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The value of a column.
    Column(usize),
    /// The result of one of the aggregates.
    Aggregate(usize),
}

/// A statement. Columns are numbered as in the list of names with which it was parsed.
#[derive(Debug)]
pub struct Select {
    /// The values of the result, with their names.
    pub outputs: Vec<(Output, String)>,
    pub aggregates: Vec<Aggregate>,
    pub condition: Option<Condition>,
    /// The columns of GROUP BY.
    pub groups: Vec<usize>,
    /// The values that order the result, and whether each is descending.
    pub order: Vec<(Output, bool)>,
    pub limit: Option<u64>,
    pub offset: u64,
    /// The names of values that are not columns.
    aliases: Vec<(String, Output)>,
}

impl Select {
    /// Parses a statement on the table `table`. `all` are the columns that `*` means. `None` if it has
    /// another form.
    pub fn parse(sql: &str, table: &str, columns: &[Name<'_>], all: usize) -> Option<Self> {
        let tokens = tokens(sql)?;
        let mut parser = Parser::new(&tokens, columns);
        let mut select = Self {
            outputs: Vec::new(),
            aggregates: Vec::new(),
            condition: None,
            groups: Vec::new(),
            order: Vec::new(),
            limit: None,
            offset: 0,
            aliases: Vec::new(),
        };
        if !parser.take("select") {
            return None;
        }
        loop {
            select.output(sql, &mut parser, columns, all)?;
            if !parser.take_mark(",") {
                break;
            }
        }
        if !parser.take("from") || !is_table(parser.next()?, table) {
            return None;
        }
        if parser.take("where") {
            select.condition = Some(parser.condition()?);
        }
        if parser.take("group") {
            if !parser.take("by") {
                return None;
            }
            loop {
                let column = parser.next().and_then(|token| parser.column_of(token))?;
                select.groups.push(column);
                if !parser.take_mark(",") {
                    break;
                }
            }
        }
        if parser.take("order") {
            if !parser.take("by") {
                return None;
            }
            select.orders(&mut parser)?;
        }
        if parser.take("limit") {
            select.limit = Some(whole(parser.next()?)?);
            if parser.take("offset") {
                select.offset = whole(parser.next()?)?;
            }
        }
        while parser.take_mark(";") {}
        (parser.is_at_end() && select.is_complete(columns)).then_some(select)
    }

    /// Whether a row of the result is that of several rows of the table.
    pub fn is_aggregate(&self) -> bool {
        !self.aggregates.is_empty() || !self.groups.is_empty()
    }

    /// The columns whose values are used.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns = self.groups.clone();
        let order = self.order.iter().map(|(output, _)| *output);
        for output in self.outputs.iter().map(|(output, _)| *output).chain(order) {
            if let Output::Column(column) = output {
                columns.push(column);
            }
        }
        columns.extend(self.aggregates.iter().filter_map(|(_, column)| *column));
        if let Some(condition) = &self.condition {
            condition.add_columns(&mut columns);
        }
        columns
    }

    /// A value of the result, and its name.
    fn output(
        &mut self,
        sql: &str,
        parser: &mut Parser<'_>,
        columns: &[Name<'_>],
        all: usize,
    ) -> Option<()> {
        if parser.take_mark("*") {
            // The names are those of all columns only if all are in the list.
            let whole = columns.get(..all).filter(|_| columns.len() == all)?;
            let whole = whole.iter().enumerate();
            self.outputs
                .extend(whole.map(|(at, column)| (Output::Column(at), column.name.to_owned())));
            return Some(());
        }
        let start = parser.peek()?.start;
        let output = self.value(parser)?;
        let end = parser.last()?.end;
        let mut name = match output {
            Output::Column(column) => columns.get(column)?.name.to_owned(),
            Output::Aggregate(_) => sql.get(start..end)?.to_owned(),
        };
        let is_named = parser.take("as");
        let alias = parser.peek().and_then(|it| it.token.name());
        if let Some(alias) = alias {
            parser.next();
            alias.clone_into(&mut name);
            self.aliases.push((alias.to_owned(), output));
        } else if is_named {
            return None;
        }
        self.outputs.push((output, name));
        Some(())
    }

    /// A column or an aggregate.
    fn value(&mut self, parser: &mut Parser<'_>) -> Option<Output> {
        let token = parser.next()?;
        if !parser.take_mark("(") {
            return parser.column_of(token).map(Output::Column);
        }
        let Token::Word(function) = token else {
            return None;
        };
        let function = match function.to_ascii_lowercase().as_str() {
            "count" => Function::Count,
            "sum" => Function::Sum,
            "avg" => Function::Average,
            "min" => Function::Least,
            "max" => Function::Greatest,
            _ => return None,
        };
        let column = if function == Function::Count && parser.take_mark("*") {
            None
        } else {
            let token = parser.next()?;
            Some(parser.column_of(token)?)
        };
        if !parser.take_mark(")") {
            return None;
        }
        let aggregate = (function, column);
        let known = self.aggregates.iter().position(|it| *it == aggregate);
        Some(Output::Aggregate(known.unwrap_or_else(|| {
            self.aggregates.push(aggregate);
            self.aggregates.len().saturating_sub(1)
        })))
    }

    /// The values after ORDER BY.
    fn orders(&mut self, parser: &mut Parser<'_>) -> Option<()> {
        loop {
            let token = &parser.peek()?.token;
            let named = token.name().and_then(|name| {
                let mut aliases = self.aliases.iter();
                let alias = aliases.find(|(alias, _)| alias.eq_ignore_ascii_case(name));
                alias.map(|(_, output)| *output)
            });
            let output = match (named, token) {
                (Some(output), _) => {
                    parser.next();
                    output
                }
                (None, Token::Number(_)) => {
                    let number = usize::try_from(whole(parser.next()?)?).ok()?;
                    self.outputs.get(number.checked_sub(1)?)?.0
                }
                _ => self.value(parser)?,
            };
            let is_descending = parser.take("desc");
            if !is_descending {
                parser.take("asc");
            }
            self.order.push((output, is_descending));
            if !parser.take_mark(",") {
                return Some(());
            }
        }
    }

    /// Whether each column of a result with aggregates is one of GROUP BY, and no name of a value hides a
    /// column or another value.
    fn is_complete(&self, columns: &[Name<'_>]) -> bool {
        let order = self.order.iter().map(|(output, _)| output);
        let mut outputs = self.outputs.iter().map(|(output, _)| output).chain(order);
        let is_grouped = |output: &Output| match output {
            Output::Column(column) => self.groups.contains(column),
            Output::Aggregate(_) => true,
        };
        let hides = |(alias, output): &(String, Output)| {
            let mut columns = columns.iter();
            let column = columns.position(|it| it.name.eq_ignore_ascii_case(alias));
            let mut others = self.aliases.iter();
            column.is_some_and(|column| *output != Output::Column(column))
                || others.any(|(name, other)| name.eq_ignore_ascii_case(alias) && other != output)
        };
        let mut groups = self.groups.clone();
        groups.sort_unstable();
        groups.dedup();
        groups.len() == self.groups.len()
            && (!self.is_aggregate() || outputs.all(is_grouped))
            && !self.aliases.iter().any(hides)
    }
}

/// The condition of a statement on the table `table` alone: only the rows that meet it have an effect on the
/// result. `None` if it has none, or one of another form.
pub fn restriction(sql: &str, table: &str, columns: &[Name<'_>]) -> Option<Condition> {
    let tokens = tokens(sql)?;
    let count = |keyword: &str| tokens.iter().filter(|it| it.token.is(keyword)).count();
    if count("select") != 1 || count("from") != 1 || count("where") != 1 || count("with") > 0 {
        return None;
    }
    let from = tokens.iter().position(|it| it.token.is("from"))?;
    let (before, after) = tokens.split_at_checked(from.checked_add(3)?)?;
    let [.., name, filter] = before else {
        return None;
    };
    if !is_table(&name.token, table) || !filter.token.is("where") {
        return None;
    }
    let mut parser = Parser::new(after, columns);
    let condition = parser.condition()?;
    let is_end = |token: &Token| {
        let ends = ["group", "order", "limit", "having"];
        ends.iter().any(|end| token.is(end)) || *token == Token::Mark(";")
    };
    parser
        .peek()
        .is_none_or(|next| is_end(&next.token))
        .then_some(condition)
}

/// Whether a token names the table.
fn is_table(token: &Token, table: &str) -> bool {
    // `rows` is a keyword that may be a name.
    let name = match token {
        Token::Word(word) if word.eq_ignore_ascii_case("rows") => Some(word.as_str()),
        token => token.name(),
    };
    name.is_some_and(|name| name.eq_ignore_ascii_case(table))
}

/// A whole number without a sign.
fn whole(token: &Token) -> Option<u64> {
    let Token::Number(number) = token else {
        return None;
    };
    let number: i64 = number.parse().ok()?;
    u64::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(sql: &str) -> Option<Select> {
        let names = ["id", "City", "n"];
        let columns = names.map(|name| Name {
            name,
            is_text: false,
        });
        Select::parse(sql, "data", &columns, 3)
    }

    #[test]
    fn simple_statement_is_parsed() {
        let sql = "SELECT city, Count( * ) , sum(n) as s from DATA where id > 5 group by CITY order by 2 desc, s, max(n) limit 5 offset 2;";
        let select = parse(sql).unwrap();
        let names: Vec<&str> = select
            .outputs
            .iter()
            .map(|(_, name)| name.as_str())
            .collect();
        assert_eq!(names, ["City", "Count( * )", "s"]);
        assert_eq!(select.groups, [1]);
        let order = [
            (Output::Aggregate(0), true),
            (Output::Aggregate(1), false),
            (Output::Aggregate(2), false),
        ];
        assert_eq!(select.order, order);
        assert_eq!((select.limit, select.offset), (Some(5), 2));
        assert_eq!(parse("select * from data").unwrap().outputs.len(), 3);
        for sql in [
            "select id x, count(*) from data group by id order by x",
            "select \"id\" from data order by n",
            "select city from data group by city",
            "select id from data where city = 'x' order by id asc",
        ] {
            assert!(parse(sql).is_some(), "{sql}");
        }
    }

    #[test]
    fn condition_of_a_statement_on_one_table_is_found() {
        let of = |sql: &str| {
            let names = ["id", "City"];
            let columns = names.map(|name| Name {
                name,
                is_text: false,
            });
            restriction(sql, "data", &columns).is_some()
        };
        for sql in [
            "select lower(city) || 'x', data.id / 2 from data where id > 5",
            "select id from data where id = 1 or city = 'x' group by 1 having count(*) > 1;",
        ] {
            assert!(of(sql), "{sql}");
        }
        for sql in [
            "select id from data",
            "select id from data where lower(city) = 'x'",
            "select id from data where id > 5 and lower(city) = 'x'",
            "select id from data d where id > 5",
            "select id from other where id > 5",
            "select id from data where id > 5 union select 1",
            "select id from data where id > 5 union values (1)",
            "select id from data, data b where id > 5",
            "select (select max(id) from data) from data where id > 5",
            "with a as (values (1)) select id from data where id > 5",
            "select id filter (where id > 1) from data where id > 5",
        ] {
            assert!(!of(sql), "{sql}");
        }
    }

    #[test]
    fn other_statements_are_for_the_engine() {
        for sql in [
            "select id from other",
            "select id, count(*) from data",
            "select count(*) from data order by id",
            "select distinct id from data",
            "select count(distinct id) from data",
            "select id + 1 from data",
            "select id from data d",
            "select id from data, data",
            "select id as n from data",
            "select id a, n a from data order by a",
            "select id from data order by 4",
            "select id from data order by id nulls last",
            "select id from data limit -1",
            "select id from data limit 1, 2",
            "select id from data having id > 1",
            "select total(n) from data",
            "select min(id, n) from data",
            "select rowid from data",
            "select id from data union select n from data",
            "select id 'x' from data",
            "select id from data where x = 1",
            "select sum(n) over () from data",
            "values(1)",
            "select",
            "select 1 from data",
        ] {
            assert!(parse(sql).is_none(), "{sql}");
        }
    }
}
