//! URI templates, RFC 6570: which URIs a template matches.
//!
//! A template is compared with a URI from left to right. The positions that its first parts may reach are
//! kept for each part, so that the time is the length of the URI, times the number of parts.

use super::limits;

/// A part of a template.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    /// An expression with its operator, if it has one.
    Expression {
        operator: Option<char>,
        /// Whether it may have several values: `{/a,b}`, `{/a*}`.
        is_several: bool,
    },
}

/// A template.
#[derive(Debug, PartialEq, Eq)]
pub struct Template(Vec<Part>);

impl Template {
    /// Parses a template. Returns nothing if its syntax is wrong, or if it has more than
    /// [`limits::EXPRESSIONS`] expressions.
    pub fn new(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut expressions = 0_usize;
        let mut rest = text;
        while let Some((literal, after)) = rest.split_once('{') {
            if literal.contains('}') {
                return None;
            }
            if !literal.is_empty() {
                parts.push(Part::Literal(literal.to_owned()));
            }
            let (expression, after) = after.split_once('}')?;
            rest = after;
            expressions = expressions.saturating_add(1);
            if expressions > limits::EXPRESSIONS {
                return None;
            }
            let operator = expression.chars().next().filter(|c| "+#./;?&".contains(*c));
            let names = expression.get(usize::from(operator.is_some())..)?;
            if names.is_empty() || names.contains('{') {
                return None;
            }
            parts.push(Part::Expression {
                operator,
                is_several: names.contains([',', '*']),
            });
        }
        if rest.contains('}') {
            return None;
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.to_owned()));
        }
        Some(Self(parts))
    }

    /// The bytes of the literal parts, if the template matches a URI: the more, the better it matches.
    pub fn matches(&self, uri: &str) -> Option<usize> {
        let bytes = uri.as_bytes();
        let mut reached = vec![false; bytes.len().saturating_add(1)];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        let mut literals = 0_usize;
        for part in &self.0 {
            reached = match part {
                Part::Literal(literal) => {
                    literals = literals.saturating_add(literal.len());
                    after_literal(literal.as_bytes(), bytes, &reached)
                }
                Part::Expression {
                    operator: None | Some('+'),
                    is_several,
                } => {
                    let is_reserved = matches!(
                        part,
                        Part::Expression {
                            operator: Some(_),
                            ..
                        }
                    );
                    let more = if *is_several { "," } else { "" };
                    let is_value = |byte| is_value(byte, is_reserved, more);
                    after_run(bytes, &reached, &is_value)
                }
                Part::Expression {
                    operator: Some(operator),
                    is_several,
                } => after_operator(*operator, *is_several, bytes, &reached),
            };
        }
        reached.last().filter(|reached| **reached)?;
        Some(literals)
    }
}

fn after_literal(literal: &[u8], uri: &[u8], reached: &[bool]) -> Vec<bool> {
    let mut next = vec![false; reached.len()];
    for (at, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
        let is_here = uri.get(at..).is_some_and(|rest| rest.starts_with(literal));
        if is_here && let Some(end) = next.get_mut(at.saturating_add(literal.len())) {
            *end = true;
        }
    }
    next
}

/// The positions after one or more bytes of a value.
fn after_run(uri: &[u8], reached: &[bool], is_value: &dyn Fn(u8) -> bool) -> Vec<bool> {
    let mut next = vec![false; reached.len()];
    let mut is_in_run = false;
    for (at, byte) in uri.iter().enumerate() {
        let starts = reached.get(at).copied().unwrap_or_default();
        is_in_run = (is_in_run || starts) && is_value(*byte);
        if let Some(end) = next.get_mut(at.saturating_add(1)) {
            *end = is_in_run;
        }
    }
    next
}

/// The positions after an expression with an operator, which is empty if its variables have no
/// values.
fn after_operator(operator: char, is_several: bool, uri: &[u8], reached: &[bool]) -> Vec<bool> {
    let mark = u8::try_from(operator).unwrap_or_default();
    let after_mark = after_literal(&[mark], uri, reached);
    let more = match (operator, is_several) {
        ('/', true) => ",/",
        (';', _) => "=,;",
        ('?' | '&', _) => "=,&",
        _ => ",",
    };
    let is_value = |byte| is_value(byte, operator == '#', more);
    let after_values = after_run(uri, &after_mark, &is_value);
    let all = reached.iter().zip(after_mark).zip(after_values);
    all.map(|((none, mark), values)| *none || mark || values)
        .collect()
}

/// Whether a value may have a byte: an unreserved character, a part of an encoded one, a character that is not
/// ASCII, or one of `more`. Values of `+` and `#` may have reserved characters.
fn is_value(byte: u8, is_reserved: bool, more: &str) -> bool {
    byte.is_ascii_alphanumeric()
        || b"-._~%".contains(&byte)
        || !byte.is_ascii()
        || more.as_bytes().contains(&byte)
        || (is_reserved && b":/?#[]@!$&'()*+,;=".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_match_their_expansions() {
        for (template, uri, matches) in [
            ("a://x/{id}", "a://x/1", true),
            ("a://x/{id}", "a://x/", false),
            ("a://x/{id}", "a://x/1/2", false),
            ("a://x/{id}", "a://x/1:10-20", false),
            ("a://x/{id}", "a://x/%2Fä", true),
            ("a://x/{id}/end", "a://x/1/end", true),
            ("file:///{+path}", "file:///a/b:c?d", true),
            ("urn:x:{a}:{b}", "urn:x:1:2", true),
            ("urn:x:{a}:{b}", "urn:x:1", false),
            ("a:b{/c*}", "a:b/1/2", true),
            ("a:b{/c*}", "a:b", true),
            ("a:b{/c}", "a:b/1/2", false),
            ("a:b{?q,r}", "a:b?q=1&r=2", true),
            ("a:b{?q}", "a:bc", false),
            ("a:{x}{y}", "a:12", true),
            ("{+all}", "anything at all", false),
            ("{+all}", "any:thing", true),
            ("plain", "plain", true),
            ("plain", "plain/", false),
        ] {
            let parsed = Template::new(template).unwrap();
            assert_eq!(parsed.matches(uri).is_some(), matches, "{template} {uri}");
        }
    }

    #[test]
    fn longer_literals_match_better() {
        let score = |template: &str| Template::new(template).unwrap().matches("a://b/c");
        assert!(score("a://b/{x}") > score("a://{+x}"));
        assert!(score("a://{+x}") > score("{+x}"));
    }

    #[test]
    fn wrong_templates_match_nothing() {
        for wrong in ["a{", "a}b", "{}", "{+}", "{a{b}}", &"{a}".repeat(33)] {
            assert_eq!(Template::new(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn many_expressions_take_a_time_in_proportion() {
        let template = Template::new(&"{+a}".repeat(32)).unwrap();
        assert_eq!(template.matches(&"a".repeat(limits::URI)), Some(0));
        let uri = format!("{} ", "a".repeat(limits::URI));
        assert_eq!(template.matches(&uri), None);
    }
}
