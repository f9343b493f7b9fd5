"""Downloads the archive of a package that pip selects, without building it.

Arguments: a folder, name==version, and "source" or "wheel".
"""

import hashlib
import os
import sys

from pip._internal.commands import create_command
from pip._internal.models.format_control import FormatControl
from pip._internal.models.target_python import TargetPython
from pip._vendor.packaging.specifiers import SpecifierSet

folder, wanted, form = sys.argv[1:]
name, version = wanted.split("==")
command = create_command("download")
options, _ = command.parse_args(["--no-deps", wanted])
with command.main_context():
    session = command.get_default_session(options)
    every, none = {":all:"}, set()
    options.format_control = (
        FormatControl(none, every) if form == "wheel" else FormatControl(every, none)
    )
    finder = command._build_package_finder(
        options, session, target_python=TargetPython(), ignore_requires_python=True
    )
    specifier = SpecifierSet(f"=={version}", prereleases=True)
    best = finder.find_best_candidate(name, specifier=specifier).best_candidate
    if best is None:
        sys.exit(f"error: there is no {form} of {wanted}, or its index cannot be reached")
    link = best.link
    reply = session.get(
        link.url_without_fragment, headers={"Accept-Encoding": "identity"}, stream=True
    )
    reply.raise_for_status()
    sum = hashlib.new(link.hash_name) if link.hash_name else None
    with open(os.path.join(folder, link.filename), "wb") as archive:
        for part in reply.raw.stream(1 << 20, decode_content=False):
            archive.write(part)
            if sum is not None:
                sum.update(part)
    if sum is not None and sum.hexdigest() != link.hash:
        sys.exit(f"error: {link.filename} is not what its index says")
