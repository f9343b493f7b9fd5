fn main(){ let _ = wasmtime::Engine::default(); }
