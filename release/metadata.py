"""What crates.io and docs.rs show of a public crate."""

import re
import tomllib

from facts import PROJECT, ReleaseError, manifest

NEEDED = ["description", "documentation", "keywords", "license", "repository"]
# crates.io accepts at most five keywords: https://doc.rust-lang.org/cargo/reference/manifest.html#the-keywords-field
MOST_KEYWORDS = 5
KEYWORD = re.compile(r"[a-z0-9][a-z0-9_+-]{0,19}")


def public(project=PROJECT):
    """The manifests of the crates that a release publishes."""
    members = manifest(project=project)["workspace"]["members"]
    files = [project / member / "Cargo.toml" for member in members]
    return [file for file in files if "publish" not in tomllib.loads(file.read_text(encoding="utf-8"))["package"]]


def wrong(package, inherited):
    """What is missing or wrong in the table `package` of a manifest. `inherited` is that of the workspace."""
    found = []
    facts = {}
    for key in NEEDED:
        value = package.get(key)
        facts[key] = inherited.get(key) if isinstance(value, dict) else value
        if not facts[key]:
            found.append(f"it has no {key}")
    keywords = facts["keywords"] or []
    if len(keywords) > MOST_KEYWORDS or not all(KEYWORD.fullmatch(word) for word in keywords):
        found.append(f"crates.io does not accept the keywords {', '.join(keywords)}")
    place = f"https://docs.rs/{package['name']}"
    if facts["documentation"] not in [None, place]:
        found.append(f"its documentation is {facts['documentation']}, and docs.rs has it at {place}")
    return found


def check(files, inherited):
    """Raises ReleaseError if a manifest lacks something, and names all that do."""
    found = []
    for file in files:
        package = tomllib.loads(file.read_text(encoding="utf-8"))["package"]
        found += [f"{package['name']}: {reason}" for reason in wrong(package, inherited)]
    if found:
        raise ReleaseError("\n  ".join(["crates lack what crates.io shows of them: add it to their Cargo.toml", *found]))
