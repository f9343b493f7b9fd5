//! Safepoints: places in the code of a component where it finds out that the host wants to check its stop conditions.
//!
//! Wasmtime can add such places itself, which compare an epoch with a deadline in each function and each loop. They take
//! an eighth to a fifth of the time of a read, and a sixth of the machine code. A safepoint is a load of a flag and
//! a branch that is not taken. The host sets the flags from another thread. They are in a memory of their own, which nothing
//! else in the code can read or change, and which no value that is passed to the host is in.
//!
//! Each cycle in the code has a safepoint: each loop, each function that can call itself through calls of functions, and
//! each call through a table. A safepoint asks the host, which continues the instance or ends it. That is a call, for which
//! a loop has to keep its values elsewhere. So a safepoint in a loop without calls is a trap. The host sets the flags of
//! the traps only if the instance must end and none of its other safepoints was reached.
//!
//! Each safepoint of a function has a flag of its own. If two had the same one, the compiler could remove a load in a
//! loop that does not write to memory, because the value is known from an earlier load.

#[path = "safepoints/calls.rs"]
pub mod calls;
#[path = "../../src/safepoints/flags.rs"]
pub mod flags;
#[path = "safepoints/module.rs"]
mod module;

use super::bytes::{COMPONENT, Result, groups, named, number, section, sections};
use wasmparser::{ComponentAlias, ExternalKind, Instance, Parser, Payload, Validator};

/// The sections of a component.
const MODULE: u8 = 1;
const ALIAS: u8 = 6;
const TYPE: u8 = 7;
const CANONICAL: u8 = 8;
const EXPORT: u8 = 11;

/// The name of the memory of the flags, as an export of the main module.
const MEMORY: &str = "flags";

/// Returns the component with safepoints. It exports a function that returns the flags.
///
/// # Errors
/// Fails if the component has code in other components, or has no memory or several.
pub fn with_safepoints(component: &[u8]) -> Result<Vec<u8>> {
    let defined = Defined::of(component)?;
    let mut modules = 0;
    let mut written = COMPONENT.to_vec();
    for part in sections(
        component
            .strip_prefix(COMPONENT)
            .ok_or("it is no component")?,
    )? {
        if part.id == MODULE {
            let module = if modules == defined.main.module {
                module::with_safepoints(part.content)?
            } else {
                module::without_cycles(part.content)?;
                part.content.to_vec()
            };
            section(&mut written, MODULE, &module);
            modules += 1;
        } else {
            section(&mut written, part.id, part.content);
        }
    }
    defined.export(&mut written);
    Ok(written)
}

/// The main module of a component: the one with the memory.
struct Main {
    module: usize,
    instance: usize,
}

/// What a component defines, as numbers of items.
struct Defined {
    main: Main,
    memories: usize,
    types: usize,
    core_functions: usize,
    functions: usize,
}

impl Defined {
    fn of(component: &[u8]) -> Result<Self> {
        let (mut instances, mut memories) = (Vec::new(), Vec::new());
        // The number of modules and components around the current section. Components in the component rename exports.
        let (mut depth, mut components) = (0, 0);
        for payload in Parser::new(0).parse_all(component) {
            match payload? {
                Payload::ModuleSection { .. } if components == 0 => depth += 1,
                Payload::ModuleSection { .. } => {
                    return Err("a component in it has code".into());
                }
                Payload::ComponentSection { .. } => {
                    depth += 1;
                    components += 1;
                }
                Payload::End(_) if depth > 0 => {
                    depth -= 1;
                    components = components.min(depth);
                }
                _ if depth > 0 => {}
                Payload::InstanceSection(section) => {
                    for instance in section {
                        instances.push(match instance? {
                            Instance::Instantiate { module_index, .. } => Some(module_index),
                            Instance::FromExports(_) => None,
                        });
                    }
                }
                Payload::ComponentAliasSection(section) => {
                    for alias in section {
                        if let ComponentAlias::CoreInstanceExport {
                            kind: ExternalKind::Memory,
                            instance_index,
                            ..
                        } = alias?
                        {
                            memories.push(instance_index);
                        }
                    }
                }
                _ => {}
            }
        }
        let [instance] = memories[..] else {
            return Err(format!("it has {} memories", memories.len()).into());
        };
        let instance = usize::try_from(instance)?;
        let module = instances.get(instance).copied().flatten();
        let types = Validator::new().validate_all(component)?;
        let types = types.as_ref();
        Ok(Self {
            main: Main {
                module: usize::try_from(module.ok_or("no module has the memory")?)?,
                instance,
            },
            memories: memories.len(),
            types: usize::try_from(types.component_type_count())?,
            core_functions: usize::try_from(types.function_count())?,
            functions: usize::try_from(types.component_function_count())?,
        })
    }

    /// Exports the function of the main module that returns the flags, as a function that returns a list of bytes.
    fn export(&self, to: &mut Vec<u8>) {
        // A list of bytes, and a function without parameters that returns it.
        let mut types = vec![2, 0x70, 0x7d, 0x40, 0, 0];
        groups(&mut types, self.types, 0x40);
        section(to, TYPE, &types);

        let mut alias = vec![2];
        for (kind, name) in [(0, flags::EXPORT), (2, MEMORY)] {
            alias.extend([0, kind, 1]);
            number(&mut alias, self.main.instance);
            named(&mut alias, name);
        }
        section(to, ALIAS, &alias);

        let mut lifted = vec![1, 0, 0];
        number(&mut lifted, self.core_functions);
        lifted.extend([1, 3]);
        number(&mut lifted, self.memories);
        number(&mut lifted, self.types + 1);
        section(to, CANONICAL, &lifted);

        let mut export = vec![1, 0];
        named(&mut export, flags::EXPORT);
        export.push(1);
        number(&mut export, self.functions);
        export.push(0);
        section(to, EXPORT, &export);
    }
}
