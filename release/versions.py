#!/usr/bin/env python3
"""Checks that all packages have the version of the workspace, and prints it.

With a tag, such as `v0.1.0`, the version must be that of the tag.
"""

import argparse
import json
import pathlib

from facts import PROJECT, ReleaseError, manifest, run, version


def differences(project=PROJECT, tag=None):
    """The packages whose version differs from that of the workspace: a message with the next step for each."""
    wanted = version(project)
    found = []
    if tag is not None and tag != f"v{wanted}":
        found.append(f"the tag is {tag} and the version is {wanted}: change `version` in Cargo.toml, or the tag")
    for member in manifest(project=project)["workspace"]["members"]:
        path = f"{member}/Cargo.toml"
        if manifest(path, project)["package"].get("version") != {"workspace": True}:
            found.append(f"{path}: write `version.workspace = true`")
    for package in manifest("Cargo.lock", project)["package"]:
        if package["name"].startswith("omniread") and "source" not in package and package["version"] != wanted:
            found.append(f"Cargo.lock has {package['name']} {package['version']}, not {wanted}: run `cargo update --workspace`")
    for path in sorted(project.glob("packages/*/pyproject.toml")):
        found += of_python(path.relative_to(project), project, wanted)
    for path in sorted(project.glob("packages/node/**/package.json")):
        if "node_modules" not in path.parts:
            found += of_node(path.relative_to(project), project, wanted)
    return found


def of_python(path, project, wanted):
    """maturin takes the version from Cargo.toml if it is dynamic."""
    package = manifest(path, project)["project"]
    if "version" in package.get("dynamic", []) or package.get("version") == wanted:
        return []
    return [f"{path} has the version {package.get('version')}, not {wanted}: write `dynamic = [\"version\"]`"]


def of_node(path, project, wanted):
    """A package of npm, and the packages with compiled code that it names."""
    package = json.loads((project / path).read_text(encoding="utf-8"))
    if package.get("private"):
        return []
    found = []
    # A package without a version gets it when it is packed.
    if package.get("version", wanted) != wanted:
        found.append(f"{path} has the version {package['version']}, not {wanted}: change it")
    for name, other in package.get("optionalDependencies", {}).items():
        if name.startswith("@omniread/") and other != wanted:
            found.append(f"{path} depends on {name} {other}, not {wanted}: change it")
    return found


def checked(project=PROJECT, tag=None):
    """The version of the workspace.

    Raises ReleaseError if a package has another one.
    """
    found = differences(project, tag)
    if found:
        raise ReleaseError("the packages have different versions\n  " + "\n  ".join(found))
    return version(project)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--project", type=pathlib.Path, default=PROJECT, help="the directory of the project")
    parser.add_argument("--tag", help="the tag of the release")
    arguments = parser.parse_args()
    print(checked(arguments.project, arguments.tag))


if __name__ == "__main__":
    run(main)
