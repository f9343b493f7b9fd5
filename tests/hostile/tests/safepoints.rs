//! Which functions and modules get safepoints, and which components are refused.

#[path = "../../../host/code/build/bytes.rs"]
#[allow(dead_code, reason = "the build of the guests uses the rest")]
mod bytes;
#[path = "../../../host/code/build/safepoints.rs"]
mod safepoints;

use safepoints::calls;
use std::fmt::Write as _;

#[test]
fn functions_that_can_call_themselves_are_found() {
    let recursive = |calls: &[&[usize]]| {
        let calls: Vec<Vec<usize>> = calls.iter().map(|called| called.to_vec()).collect();
        let found = calls::recursive(&calls);
        let found = found.iter().enumerate().filter(|(_, is)| **is);
        found.map(|(function, _)| function).collect::<Vec<_>>()
    };
    assert!(recursive(&[&[1, 2], &[2], &[]]).is_empty());
    assert_eq!(recursive(&[&[1], &[1], &[0]]), [1]);
    assert_eq!(recursive(&[&[1], &[2], &[0], &[0]]), [0, 1, 2]);
    // Two cycles with one function in both, and a call from one cycle to another.
    assert_eq!(
        recursive(&[&[1, 2], &[0], &[0, 3], &[4], &[3, 5], &[]]),
        [0, 1, 2, 3, 4]
    );
    // A long chain of calls needs no stack.
    let mut chain: Vec<Vec<usize>> = (1..=100_000).map(|next| vec![next]).collect();
    chain.push(vec![0]);
    assert!(calls::recursive(&chain).iter().all(|is| *is));
}

/// The component with this main module and these other items, with safepoints, or why it gets none.
fn with_safepoints(module: &str, items: &str) -> Result<Vec<u8>, String> {
    let text = format!(
        r#"(component
            (core module $main {module})
            (core instance $main (instantiate $main))
            (alias core export $main "memory" (core memory $memory))
            {items})"#
    );
    let component = wat::parse_str(text).unwrap();
    let changed = safepoints::with_safepoints(&component).map_err(|error| error.to_string())?;
    let features = wasmparser::WasmFeatures::all();
    let mut validator = wasmparser::Validator::new_with_features(features);
    validator.validate_all(&changed).unwrap();
    Ok(changed)
}

const MEMORY: &str = r#"(memory (export "memory") 1) (func)"#;

#[test]
fn component_with_safepoints_exports_its_flags() {
    let changed = with_safepoints(MEMORY, "").unwrap();
    let text = String::from_utf8_lossy(&changed);
    assert_eq!(text.matches(safepoints::flags::EXPORT).count(), 3);
}

#[test]
fn code_in_which_safepoints_do_not_work_is_refused() {
    let why = |module: &str, items: &str| with_safepoints(module, items).unwrap_err();
    // Each loop of a function has a flag.
    let loops = |count: usize| {
        let mut module = format!("{MEMORY} (func");
        for _ in 0..count {
            write!(module, " (loop)").unwrap();
        }
        module + ")"
    };
    with_safepoints(&loops(safepoints::flags::COUNT), "").unwrap();
    assert_eq!(
        why(&loops(safepoints::flags::COUNT + 1), ""),
        "a function has too many loops"
    );
    assert_eq!(
        why(r#"(memory (export "memory") 1)"#, ""),
        "the main module lacks a memory or code"
    );
    // No code is without safepoints.
    let other = "(core module (func (loop (br 0))))";
    assert_eq!(why(MEMORY, other), "a module without memory has a loop");
    let other = "(core module (func $f (call $f)))";
    assert_eq!(why(MEMORY, other), "a module without memory has a loop");
    let other = format!(
        r#"(core module $other {MEMORY}) (core instance $other (instantiate $other))
        (alias core export $other "memory" (core memory))"#
    );
    assert_eq!(why(MEMORY, &other), "it has 2 memories");
    let inner = "(component (core module (func (loop (br 0)))))";
    assert_eq!(why(MEMORY, inner), "a component in it has code");
    let calls = format!("{MEMORY} (func $f (return_call $f))");
    assert!(why(&calls, "").contains("ReturnCall"));
}
