"""Reads a path with the portable component, or calls the tool of a dialect.

Usage:

COMPONENT DIRECTORY PATH
COMPONENT DIRECTORY call DIALECT ARGUMENTS [OPTION=NUMBER...]

An empty DIRECTORY grants access to no files. A COMPONENT with the name `omniread-net.wasm` may use
the network: the runtime sets no limits to it.
"""
import sys
from wasmtime import Config, Engine, Store, WasiConfig
from wasmtime.component import Component, Linker

component, directory, *arguments = sys.argv[1:]
# Compiling the component takes seconds, so its code is cached.
config = Config()
config.cache = True
engine = Engine(config)
linker = Linker(engine)
linker.add_wasip2()
store = Store(engine)
wasi = WasiConfig()
if directory:
    wasi.preopen_dir(directory, directory)
store.set_wasi(wasi)
if component.endswith("omniread-net.wasm"):
    linker.add_wasi_http()
    store.set_wasi_http()
instance = linker.instantiate(store, Component.from_file(engine, component))


def function(interface, name):
    interface = instance.get_export_index(store, f"omniread:read/{interface}@0.1.0")
    return instance.get_func(store, instance.get_export_index(store, name, interface))


if arguments[0] == "call":
    options = function("read", "defaults")(store).payload
    for option in arguments[3:]:
        *names, name = option.split("=")[0].split(".")
        record = options
        for outer in names:
            record = getattr(record, outer)
        # Python would accept an unknown name as a new attribute and ignore it.
        assert hasattr(record, name), name
        setattr(record, name, int(option.split("=")[1]))
    outcome = function("tools", "call")(store, arguments[1], arguments[2], options)
else:
    outcome = function("read", "read")(store, arguments[0])
if outcome.tag == "ok":
    for block in outcome.payload.blocks:
        # Prints text as is, and the MIME type of an image.
        print(getattr(block.payload, "mime", block.payload))
else:
    print(outcome.payload.text)
    sys.exit(1)
