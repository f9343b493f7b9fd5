# Short names for cargo commands. `just` without arguments lists them.

_default:
    @just --list

# Build the component, the library and the command line
build:
    cargo build --release

# Run all tests
test *ARGS:
    cargo test-all {{ARGS}}

# Build the wheel of the Python package, and test it
python *ARGS:
    .ci/python {{ARGS}}

# Build the npm packages, and test them
node *ARGS:
    .ci/node {{ARGS}}

# Check the formatting and lints of native code and of the components; warnings are errors
check:
    .ci/lint

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

# Build and pack a release; `just release --dry-run` does all of it that runs on this machine
release *ARGS:
    release/build {{ARGS}}

# Build and pack a release in two directories, and compare the bytes
release-twice:
    release/twice
