//! The sizes of results of `omniread mcp`.

use super::cli;
use super::mcp::{pixel, text};
use ::image::ImageFormat;
use omniread_tests::process::McpClient;
use omniread_tests::{Workspace, image};
use serde_json::{Value, json};

/// The size of the images of a result in base64.
fn images(result: &Value) -> usize {
    let content = result["content"].as_array().unwrap().iter();
    let data = content.filter_map(|block| block["data"].as_str());
    data.map(str::len).sum()
}

#[test]
fn replies_are_bounded() {
    let workspace = Workspace::new();
    workspace.file("long.txt", "0123456789 abcdef\n".repeat(20_000));
    let arguments = ["--max-reply", "8192"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let mut path = "long.txt:1-3000".to_owned();
    let mut lines = 0;
    for _ in 0..3 {
        let result = client.read(&path);
        assert!(text(&result).len() < 9000, "{}", text(&result).len());
        let details = &result["structuredContent"];
        let first = details["shown"][0]["first"].as_u64().unwrap();
        assert_eq!(first, lines + 1);
        lines = details["shown"][0]["last"].as_u64().unwrap();
        path = details["next"].as_str().unwrap().to_owned();
    }
}

/// A small limit of text does not make images small, and the other way round.
#[test]
fn text_and_images_are_limited_apart() {
    let workspace = Workspace::new();
    let photo = image::encoded(image::photograph(900, 600), ImageFormat::Png);
    workspace
        .file("photo.png", photo)
        .file("long.txt", "0123456789 abcdef\n".repeat(20_000));
    let read = |arguments: &[&str]| {
        let mut client = McpClient::start(&cli(&workspace), arguments, "test", &json!({}));
        let long = text(&client.read("long.txt:1-12000")).len();
        (long, images(&client.read("photo.png")))
    };
    let (text, image) = read(&[]);
    let (small_text, same_image) = read(&["--max-reply", "8192"]);
    assert!(small_text < 9000 && text > 9000, "{small_text} {text}");
    assert_eq!(same_image, image);
    let (same_text, small_image) = read(&["--max-images", "60000"]);
    assert_eq!(same_text, text);
    assert!((1..=60_000).contains(&small_image), "{small_image}");
    assert!(image > 60_000, "{image}");
    let (_, by_option) = read(&["--set", "reply-images=60000"]);
    assert_eq!(by_option, small_image);
}

/// Agents cut longer text, and lose the path that continues. `trials/clients` checks what they
/// accept.
#[test]
fn known_clients_get_what_they_accept() {
    let workspace = Workspace::new();
    let line = format!("{}\n", "0123456789 abcdef ".repeat(50));
    workspace
        .file("long.txt", line.repeat(12_000))
        .file("pixel.png", pixel());
    let read = |name: &str, arguments: &[&str]| {
        let mut client = McpClient::start(&cli(&workspace), arguments, name, &json!({}));
        // The second call takes another way through the server.
        let sizes = [(); 2].map(|()| {
            let result = client.read("long.txt:1-3000");
            assert!(text(&result).ends_with(" to continue]"), "{result}");
            text(&result).len()
        });
        assert_eq!(sizes[0], sizes[1]);
        sizes[0]
    };
    for (name, least, most) in [
        ("claude-code", 400_000, 500_000),
        ("codex-mcp-client", 40_000, 48_000),
        ("gemini-cli-mcp-client", 35_000, 40_000),
        ("test", 900_000, 1_010_000),
    ] {
        let size = read(name, &[]);
        assert!((least..most).contains(&size), "{name}: {size}");
        // What the user sets applies to all clients.
        let size = read(name, &["--max-reply", "200000"]);
        assert!((190_000..201_000).contains(&size), "{name}: {size}");
    }
    // Also the default of other commands.
    let size = read("codex-mcp-client", &["--set", "reply-bytes=8M"]);
    assert!(size > 100_000, "{size}");
    let size = read("codex-mcp-client", &["--set", "reply-bytes=60000"]);
    assert!((50_000..61_000).contains(&size), "{size}");
}
