//! What a request asks for: its method, path and query.

use crate::limits::TARGET_BYTES;
use crate::refused::Refused;
use percent_encoding::percent_decode_str;

/// What a request asks for. The names of dialects and options are not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// `GET /read?path=PATH`: reads a path.
    Read {
        /// The path to read.
        path: String,
        /// The other fields of the query.
        settings: Settings,
    },
    /// `POST /call/DIALECT`: calls the tool of an agent with the arguments in the body.
    Call {
        /// The fields of the query, and the dialect.
        settings: Settings,
    },
    /// `GET /tools`: the definitions of the tools.
    Tools {
        /// The only dialect, if the request names one.
        dialect: Option<String>,
        /// Whether the arguments are those that the agents have today.
        current: bool,
    },
    /// `GET /health`: whether the server answers.
    Health,
}

/// How a read is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The dialect. `None` for that of the server.
    pub dialect: Option<String>,
    /// Options by name.
    pub options: Vec<(String, String)>,
}

/// The routes, for the refusal of others.
const ROUTES: &str =
    "the routes are `GET /read?path=PATH`, `POST /call/DIALECT`, `GET /tools` and `GET /health`";

/// The methods of routes that only read.
const READS: &str = "GET, HEAD";

/// What a request asks for. `method` is in upper case, and `target` is the path with the query.
///
/// # Errors
/// Fails if there is no such route, or it has another method, or the query is malformed.
pub fn route(method: &str, target: &str) -> Result<Route, Refused> {
    if target.len() > TARGET_BYTES {
        return Err(Refused::new(
            414,
            "limit",
            format!("the address is longer than {TARGET_BYTES} bytes"),
            "send a long path as the argument of `POST /call/omp`",
        ));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let called = path.strip_prefix("/call/");
    let allowed = match (path, called) {
        ("/read" | "/tools" | "/health", _) => READS,
        (_, Some(dialect)) if !dialect.is_empty() => "POST",
        _ => {
            let message = format!("there is nothing at `{}`", shown(path));
            return Err(Refused::new(404, "invalid_request", message, ROUTES));
        }
    };
    if !allowed.split(", ").any(|allowed| allowed == method) {
        return Err(Refused {
            allow: Some(allowed),
            ..Refused::new(
                405,
                "invalid_request",
                format!("`{}` has no method {}", shown(path), shown(method)),
                format!("use {allowed}"),
            )
        });
    }
    let fields = fields(query)?;
    match (path, called) {
        (_, Some(dialect)) => {
            let mut settings = Settings {
                dialect: Some(decoded(dialect)?),
                ..Settings::default()
            };
            for (name, value) in fields {
                settings.options.push((name, value));
            }
            Ok(Route::Call { settings })
        }
        ("/read", _) => read(fields),
        ("/tools", _) => tools(fields),
        _ => Ok(Route::Health),
    }
}

fn read(fields: Vec<(String, String)>) -> Result<Route, Refused> {
    let mut path = None;
    let mut settings = Settings::default();
    for (name, value) in fields {
        match name.as_str() {
            "path" if path.is_some() => {
                let hint = "send one request for each, or a list of paths with `;` between them";
                return Err(Refused::invalid("the query has two paths", hint));
            }
            "path" => path = Some(value),
            "dialect" => settings.dialect = Some(value),
            _ => settings.options.push((name, value)),
        }
    }
    match path {
        Some(path) => Ok(Route::Read { path, settings }),
        None => Err(Refused::invalid(
            "the query has no path",
            "use `/read?path=PATH`",
        )),
    }
}

fn tools(fields: Vec<(String, String)>) -> Result<Route, Refused> {
    let mut dialect = None;
    let mut current = false;
    for (name, value) in fields {
        match (name.as_str(), value.as_str()) {
            ("dialect", _) => dialect = Some(value),
            ("current", "" | "on") => current = true,
            ("current", "off") => current = false,
            _ => {
                let message = format!("there is no field `{}={}`", shown(&name), shown(&value));
                let hint = "the fields are `dialect=DIALECT` and `current=on`";
                return Err(Refused::invalid(message, hint));
            }
        }
    }
    Ok(Route::Tools { dialect, current })
}

/// The names and values of a query, as forms write them: a space is `+` or `%20`.
fn fields(query: &str) -> Result<Vec<(String, String)>, Refused> {
    let fields = query.split('&').filter(|field| !field.is_empty());
    fields
        .map(|field| {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            let plain = |text: &str| decoded(&text.replace('+', "%20"));
            Ok((plain(name)?, plain(value)?))
        })
        .collect()
}

/// A text without percent-encoding. A `%` that no two hex digits follow is itself, as the URL Standard has it.
fn decoded(text: &str) -> Result<String, Refused> {
    let text = percent_decode_str(text).decode_utf8();
    text.map(Into::into).map_err(|_| {
        Refused::invalid(
            "the address is not UTF-8",
            "encode each byte of UTF-8 as `%` and two hex digits",
        )
    })
}

/// A part of a request, shortened for a message.
fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        fields.iter().map(owned).collect()
    }

    #[test]
    fn path_is_decoded_as_forms_write_it() {
        for (target, expected) in [
            ("/read?path=a.txt", "a.txt"),
            ("/read?path=a.zip%3Ab%2Fc.txt:1-3", "a.zip:b/c.txt:1-3"),
            ("/read?path=a+b%20c%2Bd", "a b c+d"),
            ("/read?path=%C3%A9.txt", "é.txt"),
            ("/read?path=100%", "100%"),
            ("/read?path=100%zz", "100%zz"),
            ("/read?path=x.csv?q=a=b", "x.csv?q=a=b"),
            ("/read?path=", ""),
            ("/read?&path=a&&", "a"),
        ] {
            let route = route("GET", target);
            let expected = Route::Read {
                path: expected.to_owned(),
                settings: Settings::default(),
            };
            assert_eq!(route, Ok(expected), "{target}");
        }
    }

    #[test]
    fn other_fields_are_options() {
        let settings = Settings {
            dialect: Some("claude".to_owned()),
            options: pairs(&[("limit", "5"), ("hashlines", "off")]),
        };
        let read = Route::Read {
            path: "a".to_owned(),
            settings: settings.clone(),
        };
        let target = "/read?limit=5&path=a&dialect=claude&hashlines=off";
        assert_eq!(route("HEAD", target), Ok(read));
        let target = "/call/claude?limit=5&hashlines=off";
        assert_eq!(route("POST", target), Ok(Route::Call { settings }));
    }

    #[test]
    fn tools_and_health_have_routes() {
        let all = Route::Tools {
            dialect: None,
            current: false,
        };
        assert_eq!(route("GET", "/tools"), Ok(all));
        let one = Route::Tools {
            dialect: Some("omp".to_owned()),
            current: true,
        };
        assert_eq!(route("GET", "/tools?dialect=omp&current"), Ok(one));
        assert_eq!(route("GET", "/health"), Ok(Route::Health));
    }

    #[test]
    fn refusals_name_the_next_step() {
        let long = format!("/read?path={}", "a".repeat(TARGET_BYTES));
        for (method, target, status) in [
            ("GET", "/", 404),
            ("GET", "", 404),
            ("GET", "/readme?path=a", 404),
            ("POST", "/call/", 404),
            ("POST", "/read?path=a", 405),
            ("GET", "/call/omp", 405),
            ("DELETE", "/tools", 405),
            ("GET", "/read", 400),
            ("GET", "/read?path=a&path=b", 400),
            ("GET", "/read?path=%FF", 400),
            ("GET", "/tools?x=y", 400),
            ("GET", long.as_str(), 414),
        ] {
            let refused = route(method, target).expect_err(target);
            assert_eq!(refused.status, status, "{method} {target}");
            assert!(!refused.hint.is_empty(), "{method} {target}");
            assert_eq!(refused.allow.is_some(), status == 405, "{method} {target}");
        }
    }

    #[test]
    fn messages_do_not_repeat_a_long_request() {
        let refused = route("GET", &format!("/{}", "é".repeat(5000))).expect_err("a refusal");
        assert!(refused.message.len() < 300, "{}", refused.message);
    }
}
