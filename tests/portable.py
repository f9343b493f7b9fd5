"""Reads a path with the portable component, or calls the tool of a dialect.

COMPONENT DIRECTORY PATH
COMPONENT DIRECTORY call DIALECT ARGUMENTS [OPTION=NUMBER...]

An empty DIRECTORY grants none.
"""
import sys
from wasmtime import Config, Engine, Store, WasiConfig
from wasmtime.component import Component, Linker

component, directory, *asked = sys.argv[1:]
# It is compiled once, which takes some seconds.
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
instance = linker.instantiate(store, Component.from_file(engine, component))


def function(interface, name):
    interface = instance.get_export_index(store, f"omniread:read/{interface}@0.1.0")
    return instance.get_func(store, instance.get_export_index(store, name, interface))


if asked[0] == "call":
    options = function("read", "defaults")(store).payload
    for option in asked[3:]:
        *names, name = option.split("=")[0].split(".")
        record = options
        for outer in names:
            record = getattr(record, outer)
        # A name that the record does not have would be kept, and ignored.
        assert hasattr(record, name), name
        setattr(record, name, int(option.split("=")[1]))
    outcome = function("tools", "call")(store, asked[1], asked[2], options)
else:
    outcome = function("read", "read")(store, asked[0])
if outcome.tag == "ok":
    for block in outcome.payload.blocks:
        # Text, or an image by its MIME type.
        print(getattr(block.payload, "mime", block.payload))
else:
    print(outcome.payload.text)
    sys.exit(1)
