"""The formula for Homebrew, which installs the archive of a machine."""

import hashlib

from facts import ReleaseError, manifest, stem

# The targets of the archives, by the blocks of a formula.
TARGETS = {
    ("macos", "arm"): "aarch64-apple-darwin",
    ("macos", "intel"): "x86_64-apple-darwin",
    ("linux", "arm"): "aarch64-unknown-linux-gnu",
    ("linux", "intel"): "x86_64-unknown-linux-gnu",
}

TEXT = '''class Omniread < Formula
  desc "Sandboxed read tool for agents: path in, text and images out"
  homepage "{repository}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]

{systems}
  def install
    bin.install "omniread"
    man1.install "man/omniread.1"
    bash_completion.install "completions/omniread.bash" => "omniread"
    zsh_completion.install "completions/_omniread"
    fish_completion.install "completions/omniread.fish"
    doc.install "README.md", "CHANGELOG.md", "THIRD-PARTY-NOTICES.txt"
  end

  test do
    (testpath/"a.txt").write "one\\ntwo\\n"
    assert_match "2:two", shell_output("#{{bin}}/omniread a.txt")
  end
end
'''


def text(version, directory, partial=False):
    """The formula for the archives in a directory. With `partial`, archives may be missing, and there is no formula
    without any.

    Raises ReleaseError if one is missing.
    """
    repository = manifest()["workspace"]["package"]["repository"]
    systems, missing = "", []
    for system in ["macos", "linux"]:
        blocks = ""
        for (other, processor), target in TARGETS.items():
            name = f"{stem(target)}.tar.gz"
            archive = directory / name
            if other != system:
                continue
            if not archive.is_file():
                missing.append(name)
                continue
            digest = hashlib.sha256(archive.read_bytes()).hexdigest()
            blocks += (f"    on_{processor} do\n"
                       f'      url "{repository}/releases/download/v{version}/{name}"\n'
                       f'      sha256 "{digest}"\n    end\n')
        if blocks:
            systems += f"  on_{system} do\n{blocks}  end\n\n"
    if not systems and partial:
        return None
    if not systems or missing and not partial:
        raise ReleaseError(f"the formula for Homebrew needs {', '.join(missing)}: build them with `release/build --target`")
    return TEXT.format(repository=repository, version=version, systems=systems.rstrip("\n") + "\n")
