# Short names for what cargo does. `just` alone lists them.

_default:
    @just --list

# Build everything: the component, the library, the command line
build:
    cargo build --release

# Run all tests
test *ARGS:
    cargo test --release --workspace {{ARGS}}

# Formatting and lints, native and in the component; warnings are errors
check:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings
    cargo clippy --release --package omniread --no-default-features --features compiler -- -D warnings
    CC_wasm32_wasip2="${CC_wasm32_wasip2:-clang}" CFLAGS_wasm32_wasip2=--sysroot=/nonexistent cargo clippy --release --package omniread-images-component --package omniread-reader-component --package omniread-images --package omniread-reader --package omniread-sqlite --package omniread-standalone --lib --target wasm32-wasip2 -- -D warnings
    cargo clippy --release --package omniread-reader --features http --lib --target wasm32-wasip2 -- -D warnings

# Write what the command line prints into its cases; look at the difference
bless:
    BLESS=1 cargo test --release --package omniread-tests --test cases

# Statistics of reads, and ratios against native code and other programs
bench:
    cargo bench --package omniread-tests

# A small binary without a compiler, for other machines than this one
dist:
    OMNIREAD_PORTABLE=1 cargo build --release --package omniread --no-default-features --features cli
