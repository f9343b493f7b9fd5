"""Reads a path with the portable component: COMPONENT DIRECTORY PATH."""
import sys
from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker

component, directory, path = sys.argv[1:]
engine = Engine()
linker = Linker(engine)
linker.add_wasip2()
store = Store(engine)
wasi = WasiConfig()
wasi.preopen_dir(directory, directory)
store.set_wasi(wasi)
instance = linker.instantiate(store, Component.from_file(engine, component))
interface = instance.get_export_index(store, "omniread:read/read@0.1.0")
read = instance.get_func(store, instance.get_export_index(store, "read", interface))
outcome = read(store, path)
if outcome.tag == "ok":
    print("\n".join(block.payload for block in outcome.payload.blocks))
else:
    print(outcome.payload.text)
    sys.exit(1)
