//! The inspector of MCP.

use super::{PROGRAM, Packages, run};
use libtest_mimic::Failed;
use omniread_tests::Workspace;
use serde_json::Value;

/// The package of the inspector.
pub const PACKAGE: &str = "@modelcontextprotocol/inspector";

/// The inspector answers `roots/list` with an empty list, in both eras of the protocol.
pub fn reads(packages: &Packages) -> Result<(), Failed> {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "one\n")
        .file("other/b.txt", "two\n");
    super::skills(&workspace);
    let script = packages
        .path(PACKAGE)
        .join("clients/launcher/build/index.js");
    let uri = format!("file://{}/", workspace.path().display());
    for era in ["legacy", "modern"] {
        let inspect = |server: &[&str], arguments: &[&str]| -> Result<Value, Failed> {
            let mut command = packages.node(&script);
            command
                .args(["--cli", "--protocol-era", era, PROGRAM, "mcp"])
                .args(server)
                .arg("--method")
                .args(arguments)
                .env("HOME", workspace.path())
                .current_dir(workspace.path());
            let output = run(&mut command)?;
            serde_json::from_str(&output).map_err(|error| format!("{error}: {output}").into())
        };
        let list = inspect(&[], &["tools/list"])?;
        assert_eq!(list["tools"][0]["name"], "read");
        assert_eq!(list["tools"][0]["title"], "Read files");
        for (server, argument, failed) in [
            (&[][..], "path=a.txt", false),
            (&[], "path=missing", true),
            (&["other"], "path=b.txt", false),
            (&["--roots-from-client"], "path=a.txt", false),
            (&["--roots-from-client", "other"], "path=b.txt", false),
        ] {
            let call = ["tools/call", "--tool-name", "read", "--tool-arg", argument];
            let mut command = packages.node(&script);
            command
                .args(["--cli", "--protocol-era", era, PROGRAM, "mcp"])
                .args(server)
                .arg("--method")
                .args(call)
                .env("HOME", workspace.path())
                .current_dir(workspace.path());
            // The inspector fails if the tool does.
            let output = command.output()?;
            let printed = String::from_utf8_lossy(&output.stdout);
            let result: Value = serde_json::from_str(&printed).map_err(|error| {
                let errors = String::from_utf8_lossy(&output.stderr);
                format!("{error}: {printed}{errors}")
            })?;
            let is_error = result["isError"].as_bool().unwrap_or(false);
            assert_eq!(is_error, failed, "{era} {server:?}: {result}");
            let content = result["content"].to_string();
            assert!(content.contains("This client has no roots"), "{content}");
        }
        let mounted = ["--mount", "skill=skills"];
        let listed = inspect(&mounted, &["skills/list"])?;
        assert_eq!(listed["skills"][0]["uri"], "skill://pdf/SKILL.md");
        let directory = ["resources/directory/read", "--uri", "skill://pdf"];
        let directory = inspect(&mounted, &directory)?;
        assert_eq!(directory["resources"][1]["mimeType"], "inode/directory");
        // The inspector reads all files, and compares their hashes and front matter with the entries.
        let mut verify = packages.node(&script);
        verify
            .args(["--cli", "--protocol-era", era, PROGRAM, "mcp"])
            .args(mounted)
            .args(["--method", "skills/list", "--verify"])
            .env("HOME", workspace.path())
            .current_dir(workspace.path());
        let report = run(&mut verify)?;
        assert!(report.contains("skill://team/style/SKILL.md"), "{report}");
        let resources = inspect(&[], &["resources/list"])?;
        assert_eq!(resources["resources"][0]["uri"], uri, "{era}");
        let file = format!("{uri}a.txt");
        let contents = inspect(&[], &["resources/read", "--uri", &file])?;
        assert_eq!(contents["contents"][0]["text"], "one", "{era}: {contents}");
    }
    Ok(())
}
