"""The documents that `quality.py` scores, and their truths."""

import shutil
import subprocess
import sys

# Formats that LibreOffice writes, by the format of the source.
TWINS = {"docx": ("doc", "odt", "rtf"), "pptx": ("ppt", "odp"), "xlsx": ("xls", "ods")}

# Formats of the corpus that are not documents here.
OTHERS = {"html", "htm", "pdf", "md"}


def extension(path):
    return path.suffix.lower().removeprefix(".")


def sets_of(directory, formats=()):
    """Documents and their truths by format: `{FORMAT: [(file, truth), ...]}`. The formats are read although
    they are not documents here."""
    sets = {}
    for truth in sorted(directory.glob("*/expected/*.md")):
        folder = truth.parent.parent
        file = folder / truth.name.removesuffix(".md")
        if not file.is_file():
            # The truth of PDF files has no extension of the file.
            file = folder / f"{truth.name.removesuffix('.md')}.{folder.name}"
        if file.is_file() and (extension(file) not in OTHERS or extension(file) in formats):
            sets.setdefault(extension(file), []).append((file.resolve(), truth))
    return sets


def twins_of(sets, directory):
    """Converts documents with LibreOffice. Returns sets as `sets_of` does."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if not office:
        print("LibreOffice is not installed, so there are no twins", file=sys.stderr)
        return {}
    twins = {}
    for source, targets in TWINS.items():
        for target in targets:
            out = directory / target
            made = [(out / f"{file.stem}.{target}", file, truth) for file, truth in sets.get(source, [])]
            missing = [str(file) for twin, file, _ in made if not twin.exists()]
            if missing:
                profile = f"-env:UserInstallation=file://{directory.resolve()}/profile"
                convert = ["--headless", "--convert-to", target, "--outdir", str(out)]
                subprocess.run([office, profile, *convert, *missing], capture_output=True, timeout=1800)
            for twin, file, truth in made:
                if twin.exists():
                    twins.setdefault(f"{target} of {source}", []).append((twin.resolve(), truth))
                else:
                    print(f"LibreOffice does not convert {file.name} to {target}", file=sys.stderr)
    return twins
