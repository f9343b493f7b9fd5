//! The examples in `examples/tool-calls`: conversations with a model in the JSON of an API,
//! one for each dialect and API.
//!
//! The tests run the calls and compare the results. With `BLESS=1` in the environment the
//! examples are written instead. Read the diff afterwards.

mod asynchronous;
mod library;
mod provider;
mod snippets;

use omniread::{Block, Dialect, Failure, Media, Options, Reply};
use omniread_tests::{Workspace, project};
use serde_json::{Value, json};
use std::fs;

/// The calls in each dialect: its name, the dialect, and the arguments for a file, an image and a
/// missing file.
///
/// `/workspace` is the path of the workspace in the examples.
const CALLS: [(&str, Dialect, [&str; 3]); 7] = [
    (
        "omp",
        Dialect::Omp,
        [
            r#"{"path": "src/main.rs:2-3"}"#,
            r#"{"path": "logo.png"}"#,
            r#"{"path": "src/mian.rs:9-3"}"#,
        ],
    ),
    (
        "gateway",
        Dialect::Gateway,
        [
            r#"{"filePath": "/workspace/src/main.rs", "offset": 1, "limit": 2}"#,
            r#"{"filePath": "/workspace/logo.png"}"#,
            r#"{"filePath": "/workspace/src/mian.rs"}"#,
        ],
    ),
    (
        "comma",
        Dialect::Comma,
        [
            r#"{"path": "src/main.rs", "startLine": 2, "endLine": 3}"#,
            r#"{"path": "logo.png", "allowBinary": true}"#,
            r#"{"path": "src/mian.rs"}"#,
        ],
    ),
    (
        "gemini",
        Dialect::Gemini,
        [
            r#"{"absolute_path": "/workspace/src/main.rs", "offset": 1, "limit": 2}"#,
            r#"{"absolute_path": "/workspace/logo.png"}"#,
            r#"{"absolute_path": "/workspace/src/mian.rs"}"#,
        ],
    ),
    (
        "claude",
        Dialect::Claude,
        [
            r#"{"file_path": "/workspace/src/main.rs", "offset": 2, "limit": 2}"#,
            r#"{"file_path": "/workspace/logo.png"}"#,
            r#"{"file_path": "/workspace/src/mian.rs"}"#,
        ],
    ),
    (
        "opencode",
        Dialect::OpenCode,
        [
            r#"{"filePath": "/workspace/src/main.rs", "offset": 2, "limit": 2}"#,
            r#"{"filePath": "/workspace/logo.png"}"#,
            r#"{"filePath": "/workspace/src/mian.rs"}"#,
        ],
    ),
    (
        "codex",
        Dialect::Codex,
        [
            r#"{"file_path": "/workspace/src/main.rs", "offset": 2, "limit": 2}"#,
            r#"{"file_path": "/workspace/src/main.rs", "mode": "indentation", "indentation": {"anchor_line": 2, "max_levels": 1}}"#,
            r#"{"file_path": "/workspace/src/mian.rs"}"#,
        ],
    ),
];

type Outcome = Result<Reply, Failure>;

fn texts(blocks: &[Block]) -> impl Iterator<Item = &str> {
    blocks.iter().filter_map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
        _ => None,
    })
}

/// A conversation in the JSON of Anthropic's Messages API.
fn anthropic(tool: &Value, calls: &[(String, Outcome)]) -> Value {
    let source = |media: &Media| {
        json!({
            "type": "base64",
            "media_type": media.mime,
            "data": media.data,
        })
    };
    let block = |block: &Block| match block {
        Block::Text(text) | Block::Notice(text) => json!({"type": "text", "text": text}),
        Block::Image(media) => json!({"type": "image", "source": source(media)}),
        Block::Attachment(media) => json!({"type": "document", "source": source(media)}),
        other => panic!("the examples have no {other:?}"),
    };
    let mut messages = vec![json!({"role": "user", "content": "What does the program do?"})];
    for (n, (arguments, outcome)) in calls.iter().enumerate() {
        let id = format!("toolu_{n}");
        let input: Value = serde_json::from_str(arguments).expect("arguments");
        messages.push(json!({
            "role": "assistant",
            "content": [{"type": "tool_use", "id": id, "name": tool["name"], "input": input}],
        }));
        let result = match outcome {
            Ok(reply) => json!({
                "type": "tool_result",
                "tool_use_id": id,
                "content": reply.blocks.iter().map(block).collect::<Vec<_>>(),
            }),
            Err(failure) => json!({
                "type": "tool_result",
                "tool_use_id": id,
                "content": [{"type": "text", "text": failure.text}],
                "is_error": true,
            }),
        };
        messages.push(json!({"role": "user", "content": [result]}));
    }
    json!({
        "tools": [{
            "name": tool["name"],
            "description": tool["description"],
            "input_schema": tool["input_schema"],
        }],
        "messages": messages,
    })
}

/// A conversation in the JSON of `OpenAI`'s Chat Completions API.
///
/// In this API, the result of a tool is only text, so an image follows in a message of the user.
fn openai(tool: &Value, calls: &[(String, Outcome)]) -> Value {
    let mut messages = vec![json!({"role": "user", "content": "What does the program do?"})];
    for (n, (arguments, outcome)) in calls.iter().enumerate() {
        let id = format!("call_{n}");
        messages.push(json!({
            "role": "assistant",
            "tool_calls": [{
                "id": id,
                "type": "function",
                "function": {"name": tool["name"], "arguments": arguments},
            }],
        }));
        let content = match outcome {
            Ok(reply) => texts(&reply.blocks).collect::<Vec<_>>().join("\n"),
            Err(failure) => failure.text.clone(),
        };
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": content}));
        let parts: Vec<Value> = outcome
            .iter()
            .flat_map(|reply| &reply.blocks)
            .filter_map(|block| match block {
                Block::Image(media) => Some(json!({
                    "type": "image_url",
                    "image_url": {"url": format!("data:{};base64,{}", media.mime, media.data)},
                })),
                Block::Attachment(media) => Some(json!({
                    "type": "file",
                    "file": {"file_data": format!("data:{};base64,{}", media.mime, media.data)},
                })),
                _ => None,
            })
            .collect();
        if !parts.is_empty() {
            messages.push(json!({"role": "user", "content": parts}));
        }
    }
    json!({
        "tools": [{
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool["description"],
                "parameters": tool["input_schema"],
            },
        }],
        "messages": messages,
    })
}

#[test]
fn example_conversations_match_actual_replies() {
    let workspace = Workspace::new();
    workspace
        .file("src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n")
        .file("logo.png", LOGO);
    let root = workspace.path().display().to_string();
    let reader = workspace.builder().build().unwrap();
    let session = reader.session();
    let definitions = reader.definitions().unwrap();
    let mut different = Vec::new();
    for (name, dialect, calls) in CALLS {
        let definition = definitions
            .iter()
            .find(|definition| definition.dialect == dialect)
            .expect("a definition");
        let tool = serde_json::to_value(definition).unwrap();
        let calls = calls.map(|arguments| {
            let here = arguments.replace("/workspace", &root);
            let outcome = session.call(dialect, &here, &Options::default());
            (arguments.to_owned(), outcome)
        });
        assert!(calls[0].1.is_ok() && calls[1].1.is_ok() && calls[2].1.is_err());
        for (api, conversation) in [
            ("anthropic", anthropic(&tool, &calls)),
            ("openai", openai(&tool, &calls)),
        ] {
            let actual = serde_json::to_string_pretty(&conversation).unwrap() + "\n";
            let actual = actual.replace(&root, "/workspace");
            let path = project().join(format!("examples/tool-calls/{name}.{api}.json"));
            if fs::read_to_string(&path).ok().as_ref() == Some(&actual) {
                continue;
            }
            if std::env::var_os("BLESS").is_some() {
                fs::write(&path, actual).unwrap();
            } else {
                different.push(format!("{}:\n{actual}", path.display()));
            }
        }
    }
    assert!(
        different.is_empty(),
        "the examples differ; BLESS=1 rewrites them\n{}",
        different.join("\n")
    );
}

/// A PNG image of one pixel.
const LOGO: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\xde\0\0\0\x0cIDAT\x78\x9c\x63\xf8\xcf\xc0\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xae\x42\x60\x82";
