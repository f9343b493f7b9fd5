# Short names for cargo commands. `just` without arguments lists them.

_default:
    @just --list

# Build the component, the library and the command line
build:
    cargo build --release

# Run all tests
test *ARGS:
    cargo test-all {{ARGS}}

# Check the formatting and lints of native code and of the components; warnings are errors
check:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings
    cargo clippy --release --package omniread --no-default-features -- -D warnings
    cargo clippy --release --package omniread-cli --no-default-features -- -D warnings
    cargo clippy --release --package omniread-store --no-default-features -- -D warnings
    CC_wasm32_wasip2="${CC_wasm32_wasip2:-clang}" CFLAGS_wasm32_wasip2=--sysroot=/nonexistent cargo clippy --release --package omniread-documents-component --package omniread-images-component --package omniread-pdf-component --package omniread-reader-component --package omniread-conflicts --package omniread-document --package omniread-documents --package omniread-images --package omniread-markup --package omniread-mbox --package omniread-outline --package omniread-pdf --package omniread-reader --package omniread-sqlite --package omniread-standalone --lib --target wasm32-wasip2 -- -D warnings
    cargo clippy --release --package omniread-reader --features http --lib --target wasm32-wasip2 -- -D warnings

# Rewrite the expected output in tests/cases, and what is generated in documents; read the diff afterwards
bless:
    cargo build --release
    BLESS=1 cargo test --release --package omniread-tests --test trials -- cases::
    BLESS=1 cargo test --release --package omniread-tests --test project
    BLESS=1 cargo test --release --package omniread-config --test config
    BLESS=1 cargo test --release --package omniread-tests --test trials -- figures::
    BLESS=1 cargo test --release --package omniread-tests --test trials -- readme::

# Measure the build in a fresh clone, and write its time into the README
measure-build:
    .ci/measure-build --write

# Measure reads, and compare them with native code and other programs
bench:
    cargo bench --package omniread-tests -F native

# Build a binary for machines of the same architecture, with link-time optimisation of the guests
dist:
    OMNIREAD_PORTABLE=1 OMNIREAD_LTO=1 cargo build --release --package omniread-cli
