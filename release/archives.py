"""Archives whose bytes depend only on the names, the contents and the time of their files."""

import gzip
import io
import tarfile
import time
import zipfile

# Programs may be run, and directories entered.
EXECUTABLE, PLAIN = 0o755, 0o644
# zip has no earlier time.
ZIP_EPOCH = 315_532_800


def tree(root):
    """The files and directories below a directory, in the order of their names: the name, the path and the mode."""
    for path in sorted(root.rglob("*")):
        runs = path.is_dir() or path.stat().st_mode & 0o100
        yield path.relative_to(root).as_posix(), path, EXECUTABLE if runs else PLAIN


def compressed(data, level):
    """The data as gzip, without a name and a time."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=level, mtime=0) as stream:
        stream.write(data)
    return out.getvalue()


def tar(root, epoch):
    """The files below a directory as a tar. All belong to root."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, path, mode in tree(root):
            member = tarfile.TarInfo(name)
            member.mode, member.mtime = mode, epoch
            if path.is_dir():
                member.type = tarfile.DIRTYPE
                archive.addfile(member)
                continue
            member.size = path.stat().st_size
            with path.open("rb") as content:
                archive.addfile(member, content)
    return out.getvalue()


def write_plain_tar(root, file, epoch):
    """Writes the files below a directory into a tar."""
    file.write_bytes(tar(root, epoch))


def write_tar(root, file, epoch, level):
    """Writes the files below a directory into a tar.gz."""
    file.write_bytes(compressed(tar(root, epoch), level))


def write_zip(root, file, epoch, level):
    """Writes the files below a directory into a zip."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, path, mode in tree(root):
            member = zipfile.ZipInfo(name, time.gmtime(max(epoch, ZIP_EPOCH))[:6])
            # The mode is that of Unix on all systems.
            member.create_system, member.external_attr = 3, mode << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            if not path.is_dir():
                archive.writestr(member, path.read_bytes(), compresslevel=level)
