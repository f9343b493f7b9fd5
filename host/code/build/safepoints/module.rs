//! The main module with safepoints.

use super::super::bytes::{Result, groups, named, number, section, sections};
use super::{calls, flags};
use std::ops::Range;
use wasmparser::{FunctionBody, Operator, Parser, Payload, TypeRef};

/// The header of a module.
const MODULE: &[u8] = b"\0asm\x01\0\0\0";

/// The sections of a module.
const CUSTOM: u8 = 0;
const TYPE: u8 = 1;
const FUNCTION: u8 = 3;
const MEMORY: u8 = 5;
const EXPORT: u8 = 7;
const CODE: u8 = 10;

/// Instructions.
const UNREACHABLE: u8 = 0x00;
const IF: u8 = 0x04;
const END: u8 = 0x0b;
const DROP: u8 = 0x1a;
const I32_LOAD: u8 = 0x28;
const I32_STORE: u8 = 0x36;
const MEMORY_GROW: u8 = 0x40;
const I32_CONST: u8 = 0x41;

/// The type of a block without parameters and results.
const NOTHING: u8 = 0x40;

/// The alignment of a flag, as a power of two.
const WORD: u8 = 2;

/// The section with the branches that are likely or unlikely:
/// <https://github.com/WebAssembly/branch-hinting/blob/main/proposals/branch-hinting/Overview.md>
const HINTS: &str = "metadata.code.branch_hint";

/// A hint of one byte: the branch is not likely.
const UNLIKELY: [u8; 2] = [1, 0];

/// The memory of the flags. The code of the guests has no instruction for it, so that only the host changes them, whatever
/// a guest does.
const MEMORY_OF_FLAGS: u8 = 1;

/// The bit of an alignment that the index of a memory follows.
const HAS_MEMORY: u8 = 0x40;

/// Where the exported function puts the address and the length of the flags: after them.
const RETURNED: usize = flags::BYTES;

/// The number of bytes of the memory of the flags.
const BYTES: usize = RETURNED + 8;

/// The limits of a memory that cannot grow and has pages of one byte:
/// <https://github.com/WebAssembly/custom-page-sizes/blob/main/proposals/custom-page-sizes/Overview.md>
const FIXED_IN_BYTES: u8 = 0x09;

/// What the host does at a safepoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Safepoint {
    /// It is asked, and may end the instance.
    Asks,
    /// The instance ends.
    Ends,
}

/// The functions of a module.
struct Functions<'m> {
    imported: usize,
    types: usize,
    memories: u32,
    bodies: Vec<FunctionBody<'m>>,
}

/// What a function contains.
#[derive(Default)]
struct Content {
    /// The functions that it calls.
    calls: Vec<usize>,
    /// The positions in the module after which a safepoint is inserted.
    safepoints: Vec<(usize, Safepoint)>,
    /// The position of its first instruction.
    start: usize,
    has_loop: bool,
}

/// The module with a safepoint in each cycle of its code. It exports the function that returns the flags.
///
/// # Errors
/// Fails if a function has more safepoints than there are flags, or calls functions in a way that is not known.
pub fn with_safepoints(module: &[u8]) -> Result<Vec<u8>> {
    let functions = Functions::of(module)?;
    let contents = functions.contents()?;
    let recursive = recursive(&contents, functions.imported);

    let (mut code, mut hints, mut hinted) = (Vec::new(), Vec::new(), 0);
    number(&mut code, functions.bodies.len() + 1);
    for (at, body) in functions.bodies.iter().enumerate() {
        let content = &contents[at];
        let function = functions.imported + at;
        let entry = recursive[function].then_some((content.start, Safepoint::Asks));
        let safepoints: Vec<_> = entry
            .into_iter()
            .chain(content.safepoints.iter().copied())
            .collect();
        let (body, branches) = inserted(module, body.range(), &safepoints)?;
        number(&mut code, body.len());
        code.extend(body);
        if !branches.is_empty() {
            hinted += 1;
            number(&mut hints, function);
            number(&mut hints, branches.len());
            for branch in branches {
                number(&mut hints, branch);
                hints.extend(UNLIKELY);
            }
        }
    }
    let exported = returning_flags();
    number(&mut code, exported.len());
    code.extend(exported);

    let mut written = MODULE.to_vec();
    let mut changed = 0;
    for part in sections(module.strip_prefix(MODULE).ok_or("it is no module")?)? {
        let mut item = Vec::new();
        let content = match part.id {
            // A function without parameters that returns an address.
            TYPE => part.with(1, &[], &[0x60, 0, 1, 0x7f])?,
            FUNCTION => {
                number(&mut item, functions.types);
                part.with(1, &[], &item)?
            }
            MEMORY => {
                item.push(FIXED_IN_BYTES);
                number(&mut item, BYTES);
                number(&mut item, BYTES);
                item.push(0);
                part.with(1, &[], &item)?
            }
            EXPORT => {
                named(&mut item, flags::EXPORT);
                item.push(0);
                number(&mut item, functions.imported + functions.bodies.len());
                named(&mut item, super::MEMORY);
                item.extend([2, MEMORY_OF_FLAGS]);
                part.with(2, &[], &item)?
            }
            CODE => {
                // The hints come before the code.
                named(&mut item, HINTS);
                number(&mut item, hinted);
                item.extend(&hints);
                section(&mut written, CUSTOM, &item);
                std::mem::take(&mut code)
            }
            _ => {
                section(&mut written, part.id, part.content);
                continue;
            }
        };
        changed += 1;
        section(&mut written, part.id, &content);
    }
    if changed != 5 || functions.memories != 1 {
        return Err("the main module lacks a memory or code".into());
    }
    Ok(written)
}

/// Checks that a module needs no safepoints. If it calls through a table, the functions are those of the host: the linker
/// makes such a module, because a component is linked before its main module has a memory.
///
/// # Errors
/// Fails if its code has a cycle.
pub fn without_cycles(module: &[u8]) -> Result<()> {
    let functions = Functions::of(module)?;
    let contents = functions.contents()?;
    if contents.iter().any(|content| content.has_loop)
        || recursive(&contents, functions.imported).contains(&true)
    {
        return Err("a module without memory has a loop".into());
    }
    Ok(())
}

fn recursive(contents: &[Content], imported: usize) -> Vec<bool> {
    let mut called = vec![Vec::new(); imported];
    called.extend(contents.iter().map(|content| content.calls.clone()));
    calls::recursive(&called)
}

impl<'m> Functions<'m> {
    fn of(module: &'m [u8]) -> Result<Self> {
        let mut functions = Self {
            imported: 0,
            types: 0,
            memories: 0,
            bodies: Vec::new(),
        };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(types) => {
                    for group in types {
                        functions.types += group?.types().len();
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        if let TypeRef::Func(_) = import?.ty {
                            functions.imported += 1;
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => functions.bodies.push(body),
                Payload::MemorySection(memories) => functions.memories += memories.count(),
                Payload::CustomSection(custom) if custom.name().starts_with("metadata.code.") => {
                    return Err(format!("it has a section `{}`", custom.name()).into());
                }
                _ => {}
            }
        }
        Ok(functions)
    }

    fn contents(&self) -> Result<Vec<Content>> {
        self.bodies.iter().map(Content::of).collect()
    }
}

impl Content {
    fn of(body: &FunctionBody<'_>) -> Result<Self> {
        let mut operators = body.get_operators_reader()?;
        let mut content = Self {
            start: operators.original_position(),
            ..Self::default()
        };
        // For each open block, the safepoint of the loop that it is.
        let mut blocks: Vec<Option<usize>> = vec![None];
        let mut was_call = false;
        while !operators.eof() {
            let before = operators.original_position();
            let operator = operators.read()?;
            // A call that does not return ends the loop, as a panic does.
            if was_call && !matches!(operator, Operator::Unreachable) {
                for safepoint in blocks.iter().flatten() {
                    content.safepoints[*safepoint].1 = Safepoint::Asks;
                }
            }
            was_call = false;
            match operator {
                Operator::Loop { .. } => {
                    content.has_loop = true;
                    blocks.push(Some(content.safepoints.len()));
                    let inside = operators.original_position();
                    content.safepoints.push((inside, Safepoint::Ends));
                }
                Operator::Block { .. } | Operator::If { .. } => blocks.push(None),
                Operator::End => drop(blocks.pop()),
                Operator::Call { function_index } => {
                    was_call = true;
                    content.calls.push(usize::try_from(function_index)?);
                }
                Operator::CallIndirect { .. } => {
                    was_call = true;
                    content.safepoints.push((before, Safepoint::Asks));
                }
                Operator::ReturnCall { .. }
                | Operator::ReturnCallIndirect { .. }
                | Operator::CallRef { .. }
                | Operator::ReturnCallRef { .. }
                | Operator::Try { .. }
                | Operator::TryTable { .. } => {
                    return Err(format!("the code has {operator:?}, which is not known").into());
                }
                _ => {}
            }
        }
        Ok(content)
    }
}

/// The code of a function with safepoints, and the positions of their branches in it.
fn inserted(
    module: &[u8],
    body: Range<usize>,
    safepoints: &[(usize, Safepoint)],
) -> Result<(Vec<u8>, Vec<usize>)> {
    let (mut written, mut branches) = (Vec::new(), Vec::new());
    let mut copied = body.start;
    let (mut asks, mut ends) = (0, 0);
    for (position, safepoint) in safepoints {
        written.extend(&module[copied..*position]);
        copied = *position;
        let (flag, used) = match safepoint {
            Safepoint::Asks => (asks, &mut asks),
            Safepoint::Ends => (flags::COUNT + ends, &mut ends),
        };
        *used += 1;
        if *used > flags::COUNT {
            return Err("a function has too many loops".into());
        }
        written.extend([I32_CONST, 0, I32_LOAD, WORD | HAS_MEMORY, MEMORY_OF_FLAGS]);
        number(&mut written, 4 * flag);
        branches.push(written.len());
        written.extend([IF, NOTHING]);
        match safepoint {
            // No memory can have so many more pages, and the host hears of it.
            Safepoint::Asks => written.extend([I32_CONST, 0x7f, MEMORY_GROW, 0, DROP]),
            Safepoint::Ends => written.push(UNREACHABLE),
        }
        written.push(END);
    }
    written.extend(&module[copied..body.end]);
    Ok((written, branches))
}

/// The code of the function that returns the flags, as the address of their address and length.
fn returning_flags() -> Vec<u8> {
    // It has no variables.
    let mut body = vec![0];
    let constant = |body: &mut Vec<u8>, value: usize| {
        body.push(I32_CONST);
        groups(body, value, 0x40);
    };
    for (offset, value) in [(0, 0), (4, flags::BYTES)] {
        constant(&mut body, RETURNED);
        constant(&mut body, value);
        body.extend([I32_STORE, WORD | HAS_MEMORY, MEMORY_OF_FLAGS, offset]);
    }
    constant(&mut body, RETURNED);
    body.push(END);
    body
}
