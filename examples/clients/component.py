"""Reads paths with `omniread-text.wasm`. Run it: `python3 component.py omniread-text.wasm . README.md:1-5 missing.txt`"""
import hashlib
import os
import sys
from importlib.metadata import version
from pathlib import Path

from wasmtime import Config, Engine, Store, WasiConfig, WasmtimeError
from wasmtime.component import Component, Linker

SECONDS_PER_MEGABYTE = 1.2  # of one processor, to compile


def load(engine, file):
    """Returns the compiled component. The code is kept in a directory that only this user can write, because wasmtime
    loads it without a check."""
    file = Path(file)
    wasm = file.read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "omniread"
    cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = hashlib.sha256(wasm).hexdigest()[:16]
    code = cache / f"{file.stem}-{digest}-wasmtime-{version('wasmtime')}.cwasm"
    try:
        return Component.deserialize_file(engine, str(code))
    except WasmtimeError:  # it is not there, or for another processor
        seconds = len(wasm) / 1e6 * SECONDS_PER_MEGABYTE / (os.cpu_count() or 1)
        print(f"compiling {file.name} (once, about {seconds:.0f} s)", file=sys.stderr, flush=True)
    component = Component(engine, wasm)
    new = code.with_suffix(f".{os.getpid()}")
    new.write_bytes(component.serialize())
    new.replace(code)
    return component


class Omniread:
    """Reads paths below a directory. Each read has a fresh instance of the component."""

    def __init__(self, file, directory):
        self.engine, self.directory = Engine(Config()), str(directory)
        self.component = load(self.engine, file)
        self.linker = Linker(self.engine)
        self.linker.add_wasip2()
        self.function = self.component.get_export_index("read")
        if self.function is None:
            raise ValueError(f"{file} exports no function `read`: use omniread-text.wasm")

    def read(self, path):
        """Returns the text of a reply. Raises `OSError` with the text of a failure."""
        store, wasi = Store(self.engine), WasiConfig()
        wasi.preopen_dir(self.directory, ".", fs_mutable=False)
        store.set_wasi(wasi)
        instance = self.linker.instantiate(store, self.component)
        outcome = instance.get_func(store, self.function)(store, path)
        if outcome.tag == "err":
            raise OSError(outcome.payload)
        return outcome.payload


if __name__ == "__main__":
    omniread, status = Omniread(sys.argv[1], sys.argv[2]), 0
    for path in sys.argv[3:]:
        try:
            print(omniread.read(path))
        except OSError as error:
            print(error, file=sys.stderr)
            status = 1
    sys.exit(status)
