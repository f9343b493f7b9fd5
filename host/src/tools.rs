//! Tool definitions in the form of each model API.

use crate::types::Definition;
use serde_json::{Map, Value, json};

/// An API to which a tool definition is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// The Chat Completions API of OpenAI, which other providers offer as well.
    OpenAi,
    /// The Chat Completions API of OpenAI with `strict`. The model then passes every argument, and
    /// `null` for those that it leaves out.
    OpenAiStrict,
    /// The Responses API of OpenAI.
    OpenAiResponses,
    /// The Responses API of OpenAI with `strict`.
    OpenAiResponsesStrict,
    /// The Messages API of Anthropic.
    Anthropic,
    /// The Gemini API of Google.
    Gemini,
    /// The Model Context Protocol.
    Mcp,
}

impl Api {
    /// All APIs.
    pub const ALL: [Self; 7] = [
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::OpenAiResponses,
        Self::OpenAiResponsesStrict,
        Self::Anthropic,
        Self::Gemini,
        Self::Mcp,
    ];

    /// Returns the name of the API, such as `openai-strict`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::OpenAiResponses => "openai-responses",
            Self::OpenAiResponsesStrict => "openai-responses-strict",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Mcp => "mcp",
        }
    }

    /// Returns the API with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|api| api.name() == name)
    }

    /// Converts a tool definition to an element of the list `tools` of a request to the API, or of
    /// the result of `tools/list` of MCP.
    pub fn tool(self, definition: &Definition) -> Value {
        let name = definition.name.as_str();
        let description = definition.description.as_str();
        let schema = schema(definition);
        match self {
            Self::OpenAi => json!({
                "type": "function",
                "function": { "name": name, "description": description, "parameters": schema },
            }),
            Self::OpenAiStrict => json!({
                "type": "function",
                "function": {
                    "name": name,
                    "description": description,
                    "strict": true,
                    "parameters": strict(schema),
                },
            }),
            Self::OpenAiResponses => json!({
                "type": "function",
                "name": name,
                "description": description,
                "strict": false,
                "parameters": schema,
            }),
            Self::OpenAiResponsesStrict => json!({
                "type": "function",
                "name": name,
                "description": description,
                "strict": true,
                "parameters": strict(schema),
            }),
            Self::Anthropic => json!({
                "name": name,
                "description": description,
                "input_schema": schema,
            }),
            Self::Gemini => json!({
                "functionDeclarations": [{
                    "name": name,
                    "description": description,
                    "parameters": gemini(schema),
                }],
            }),
            Self::Mcp => {
                let mut tool = Map::new();
                tool.insert("name".to_owned(), name.into());
                let title = definition.title.as_deref().unwrap_or(TITLE);
                tool.insert("title".to_owned(), title.into());
                tool.insert("description".to_owned(), description.into());
                tool.insert("inputSchema".to_owned(), schema);
                tool.insert("outputSchema".to_owned(), output_schema());
                tool.insert("annotations".to_owned(), annotations());
                tool.insert("_meta".to_owned(), meta());
                Value::Object(tool)
            }
        }
    }
}

/// The JSON Schema of the arguments of a tool: an object with properties that are strings, integers
/// or booleans.
fn schema(definition: &Definition) -> Value {
    serde_json::from_str(&definition.schema).unwrap_or_else(|_| json!({ "type": "object" }))
}

/// Converts a schema to the form that OpenAI requires with `strict`: all properties are required,
/// and those that were optional may be `null`.
/// <https://platform.openai.com/docs/guides/structured-outputs#supported-schemas>
fn strict(mut schema: Value) -> Value {
    let required: Vec<Value> = list(&schema, "required");
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return schema;
    };
    for (name, property) in properties.iter_mut() {
        let optional = !required.iter().any(|required| required == name.as_str());
        if optional && let Some(kind) = property.get_mut("type") {
            *kind = json!([kind.take(), "null"]);
        }
    }
    let names: Vec<Value> = properties.keys().cloned().map(Value::from).collect();
    schema["required"] = names.into();
    schema["additionalProperties"] = false.into();
    schema
}

/// Converts a schema to the subset of the OpenAPI schema that Gemini accepts. It has types in upper
/// case, and no `additionalProperties`. <https://ai.google.dev/api/caching#Schema>
fn gemini(schema: Value) -> Value {
    const FIELDS: [&str; 8] = [
        "type",
        "description",
        "properties",
        "required",
        "minimum",
        "maximum",
        "enum",
        "items",
    ];
    let Value::Object(fields) = schema else {
        return schema;
    };
    let convert = |(name, value): (String, Value)| {
        let value = match (name.as_str(), value) {
            ("type", Value::String(kind)) => kind.to_ascii_uppercase().into(),
            ("properties", Value::Object(properties)) => {
                let properties = properties.into_iter();
                properties
                    .map(|(name, property)| (name, gemini(property)))
                    .collect()
            }
            ("items", items) => gemini(items),
            (_, value) => value,
        };
        (name, value)
    };
    let known = |(name, _): &(String, Value)| FIELDS.contains(&name.as_str());
    fields.into_iter().filter(known).map(convert).collect()
}

fn list(value: &Value, name: &str) -> Vec<Value> {
    let list = value.get(name).and_then(Value::as_array);
    list.cloned().unwrap_or_default()
}

/// The title of a tool whose dialect has none. Clients show it to people.
const TITLE: &str = "Read files";

/// The number of characters up to which Claude Code passes the text of a result to the model. It
/// replaces a longer one by a preview. The value is the largest that it accepts; without it, the
/// limit is 50,000. <https://code.claude.com/docs/en/mcp>
pub(crate) const CLAUDE_CODE_CHARACTERS: u32 = 500_000;

/// What only some clients read about the tool.
fn meta() -> Value {
    json!({ "anthropic/maxResultSizeChars": CLAUDE_CODE_CHARACTERS })
}

/// What MCP clients may assume about the tool: it changes nothing, and it reads only files.
pub(crate) fn annotations() -> Value {
    json!({
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false,
    })
}

/// The JSON Schema of `structuredContent` of MCP: the details of a reply, or of an error.
/// `docs/reference/json.md` describes all fields.
pub(crate) fn output_schema() -> Value {
    let described =
        |kind: Value, description: &str| json!({ "type": kind, "description": description });
    let nullable = |kind: &str| json!([kind, "null"]);
    json!({
        "type": "object",
        "description": "Facts about the reply. The text and the images are in `content`.",
        "properties": {
            "kind": described("string".into(), "What was read: text, directory, archive, database, document, image, attachment, binary, or several for a list of paths"),
            "path": described("string".into(), "The path without selector"),
            "resolved_path": described("string".into(), "The absolute path"),
            "next": described(nullable("string"), "The path that reads the rest; null if nothing is left"),
            "size": described(nullable("integer"), "The size of the file in bytes"),
            "modified": described(nullable("integer"), "The time of the last change, in milliseconds since 1970"),
            "notes": {
                "type": "array",
                "items": { "type": "string" },
                "description": "Facts about the source: its encoding, damage, a repaired path",
            },
            "shown": {
                "type": "array",
                "items": { "type": "object" },
                "description": "The shown lines: ranges with `first` and `last`, counted from 1",
            },
            "total_lines": described("object".into(), "The number of lines: `exact`, or `at_least`"),
            "error": described("object".into(), "Of a read that failed: `kind`, `message` and `hint`"),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition() -> Definition {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "The path" },
                "offset": { "type": "integer", "minimum": 0, "description": "The line" },
            },
            "required": ["path"],
            "additionalProperties": false,
        });
        Definition {
            dialect: crate::types::Dialect::Omp,
            name: "read".to_owned(),
            title: None,
            description: "Reads".to_owned(),
            schema: schema.to_string(),
        }
    }

    #[test]
    fn strict_schema_requires_all_properties_and_allows_null() {
        let tool = Api::OpenAiStrict.tool(&definition());
        let parameters = &tool["function"]["parameters"];
        assert_eq!(parameters["required"], json!(["path", "offset"]));
        assert_eq!(parameters["properties"]["path"]["type"], "string");
        assert_eq!(
            parameters["properties"]["offset"]["type"],
            json!(["integer", "null"])
        );
        assert_eq!(parameters["additionalProperties"], false);
    }

    #[test]
    fn gemini_schema_has_no_additional_properties() {
        let tool = Api::Gemini.tool(&definition());
        let parameters = &tool["functionDeclarations"][0]["parameters"];
        assert_eq!(parameters["type"], "OBJECT");
        assert_eq!(parameters["properties"]["offset"]["type"], "INTEGER");
        assert_eq!(parameters["properties"]["offset"]["minimum"], 0);
        assert!(parameters.get("additionalProperties").is_none());
    }

    #[test]
    fn every_api_has_a_name_of_its_own() {
        for api in Api::ALL {
            assert_eq!(Api::named(api.name()), Some(api));
        }
    }
}
