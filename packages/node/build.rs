//! The arguments of the linker. The module stays loaded while its threads run: a worker that ends would unload it.

fn main() {
    napi_build::setup();
}
