//! Calls of the host without a module between them and the code that makes them.
//!
//! A component passes functions to its main module before that has a memory, which most of them need. The linker
//! therefore makes two small modules: the first exports a function for each of them, which calls through a table, and
//! the last fills the table. Each instance prepares all these functions, which takes a seventh of a small read.
//!
//! Here the main module gets the table and the functions that call through it, in place of its imports. They have the
//! indices of the imports, so that the rest of its code stays as it is. The first module becomes empty, and the last one
//! fills the table of the main module.

#[path = "direct/module.rs"]
mod module;

use super::bytes::{Bytes, COMPONENT, Result, Section, named, number, section, sections};
use std::collections::{BTreeMap, BTreeSet};

/// The sections of a component that are changed.
const MODULE: u8 = 1;
const INSTANCE: u8 = 2;
const ALIAS: u8 = 6;
const CANONICAL: u8 = 8;

/// Further sections of a component.
const TYPE: u8 = 7;
const IMPORT: u8 = 10;
const EXPORT: u8 = 11;

/// The kinds of items of a component.
const TYPE_KIND: u8 = 3;
const INSTANCE_OF_TYPE: u8 = 5;

/// The canonical function that drops a handle.
const DROP: u8 = 3;

/// The option of a canonical function that names a function that frees its result.
const POST_RETURN: u8 = 5;

/// The kinds of exports of modules.
const FUNCTION: u8 = 0;
const TABLE: u8 = 1;

/// A part of the name of a function that frees a resource of its module.
const DESTRUCTOR: &str = "[dtor]";

/// An instance of a module.
enum Instance<'c> {
    /// An instance of the module with this index, with the instances that its imports come from.
    Of(usize, BTreeMap<&'c str, usize>),
    /// Items by name: the kind and the index of each.
    Items(BTreeMap<&'c str, (u8, usize)>),
}

/// What the sections of a component define.
#[derive(Default)]
struct Component<'c> {
    modules: Vec<&'c [u8]>,
    instances: Vec<Instance<'c>>,
    /// Each function of a module, by its index: the instance and the name, if it is an export of an instance.
    functions: Vec<Option<(usize, &'c str)>>,
    /// The types of imports that are named before the first instance, such as resources: the name and the index.
    types: Vec<(&'c str, usize)>,
}

/// The modules and instances that are changed.
struct Parts {
    /// The first instance, whose functions call through the table, and its module.
    first: (usize, usize),
    /// The instance of the main module, and its module.
    main: (usize, usize),
    /// The instance that fills the table, its module, and the instance that it gets its imports from.
    last: (usize, usize, usize),
}

/// How long an instance of a component lives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// For one call.
    Call,
    /// For some calls.
    Calls,
}

/// Returns the component with a main module that calls the host directly. If an instance lives for one call, nothing
/// frees the memory of the result, which ends with the instance.
///
/// # Errors
/// Fails if the component has another structure than the linker creates today.
pub fn direct(component: &[u8], life: Life) -> Result<Vec<u8>> {
    let body = component
        .strip_prefix(COMPONENT)
        .ok_or("it is no component")?;
    let sections = sections(body)?;
    let defined = Component::of(&sections)?;
    let parts = defined.parts()?;
    let main = defined.modules[parts.main.1];
    // The table is empty while the main module starts, and the code of the last module is not kept.
    if module::starts(main)? || module::starts(defined.modules[parts.last.1])? {
        return Err("a module has a function that runs at its start".into());
    }
    let imports = module::imports(main)?;
    let given = defined.given(&parts, &imports)?;
    let resource = defined.resource(&imports)?;

    let mut changed = COMPONENT.to_vec();
    let (mut modules, mut instances) = (0, 0);
    for part in &sections {
        match part.id {
            MODULE => {
                let module = match modules {
                    it if it == parts.main.1 => module::with_table(main, &imports)?,
                    it if it == parts.last.1 => module::filling(main, &imports)?,
                    it if it == parts.first.1 => module::EMPTY.to_vec(),
                    _ => part.content.to_vec(),
                };
                section(&mut changed, MODULE, &module);
                modules += 1;
            }
            INSTANCE => {
                let mut content = Vec::new();
                let count = part.items(|items| {
                    let written = items.skipped(|items| Instance::read(items).map(drop))?;
                    match instances {
                        // An instance of nothing has no cost.
                        it if it == parts.first.0 => content.extend([1, 0]),
                        it if it == parts.main.0 => {
                            content.push(0);
                            number(&mut content, parts.main.1);
                            number(&mut content, 0);
                        }
                        it if it == parts.last.2 => content.extend(&given),
                        _ => content.extend(written),
                    }
                    instances += 1;
                    Ok(())
                })?;
                let mut numbered = Vec::new();
                number(&mut numbered, count);
                numbered.extend(content);
                section(&mut changed, INSTANCE, &numbered);
            }
            CANONICAL if life == Life::Call => {
                let mut content = Vec::new();
                let count = part.items(|items| without_return(items, &mut content))?;
                let mut numbered = Vec::new();
                number(&mut numbered, count);
                numbered.extend(content);
                section(&mut changed, CANONICAL, &numbered);
            }
            ALIAS => Component::aliases(part, &parts, resource, &mut changed)?,
            id => section(&mut changed, id, part.content),
        }
    }
    Ok(changed)
}

impl<'c> Component<'c> {
    fn of(sections: &[Section<'c>]) -> Result<Self> {
        let mut defined = Self::default();
        let mut types = 0;
        for part in sections {
            match part.id {
                MODULE => defined.modules.push(part.content),
                INSTANCE => {
                    part.items(|items| {
                        defined.instances.push(Instance::read(items)?);
                        Ok(())
                    })?;
                }
                ALIAS => {
                    part.items(|items| {
                        match alias(items)? {
                            Alias::Of(FUNCTION, instance, name) => {
                                defined.functions.push(Some((instance, name)));
                            }
                            Alias::Type(name) => {
                                if defined.instances.is_empty() {
                                    defined.types.push((name, types));
                                }
                                types += 1;
                            }
                            Alias::Of(..) | Alias::Other => {}
                        }
                        Ok(())
                    })?;
                }
                CANONICAL => {
                    part.items(|items| {
                        if is_lowered(items)? {
                            defined.functions.push(None);
                        }
                        Ok(())
                    })?;
                }
                TYPE => types += Bytes(part.content).number()?,
                IMPORT if defined.instances.is_empty() => {
                    part.items(|items| match items.byte()? {
                        0 | 1 => {
                            items.name()?;
                            items.expect(INSTANCE_OF_TYPE)?;
                            items.number().map(drop)
                        }
                        _ => Err("an import has another name".into()),
                    })?;
                }
                EXPORT if defined.instances.is_empty() => {
                    return Err("it exports something before the first instance".into());
                }
                _ => {}
            }
        }
        Ok(defined)
    }

    /// Finds the modules and instances that are changed.
    fn parts(&self) -> Result<Parts> {
        let instances = self.instances.iter().enumerate();
        let of: Vec<_> = instances
            .filter_map(|(at, instance)| match instance {
                Instance::Of(module, from) => Some((at, *module, from)),
                Instance::Items(_) => None,
            })
            .collect();
        let [
            (first, first_module, none),
            (main, main_module, _),
            (last, last_module, from),
        ] = &of[..]
        else {
            return Err("it has not three modules".into());
        };
        let given = from.get("").filter(|_| from.len() == 1 && none.is_empty());
        Ok(Parts {
            first: (*first, *first_module),
            main: (*main, *main_module),
            last: (
                *last,
                *last_module,
                *given.ok_or("the last module has other imports")?,
            ),
        })
    }

    /// A resource that is named before the first instance. The main module drops handles of it.
    fn resource(&self, imports: &[module::Import<'_>]) -> Result<usize> {
        let dropped = imports
            .iter()
            .filter_map(|import| import.name.strip_prefix("[resource-drop]"));
        let dropped: Vec<&str> = dropped.collect();
        let resource = self.types.iter().find(|(name, _)| dropped.contains(name));
        Ok(resource.ok_or("it has no resource at first")?.1)
    }

    /// The instance that the last module gets its imports from: the functions that the imports of the main module
    /// are, by number, and the table.
    fn given(&self, parts: &Parts, imports: &[module::Import<'_>]) -> Result<Vec<u8>> {
        let (Instance::Of(_, from), Instance::Items(last)) =
            (&self.instances[parts.main.0], &self.instances[parts.last.2])
        else {
            return Err("the instances have another order".into());
        };
        let mut called = BTreeSet::new();
        let mut items = vec![1];
        number(&mut items, imports.len() + 1);
        let mut item = |name: &str, kind: u8, index: usize| {
            named(&mut items, name);
            items.push(kind);
            number(&mut items, index);
        };
        for (at, import) in imports.iter().enumerate() {
            let instance = from.get(import.module).map(|at| &self.instances[*at]);
            let Some(Instance::Items(functions)) = instance else {
                return Err("an import is not given item by item".into());
            };
            let Some((FUNCTION, function)) = functions.get(import.name) else {
                return Err("an import is no function".into());
            };
            let function = match self.functions.get(*function) {
                Some(Some((instance, name))) if *instance == parts.first.0 => {
                    match last.get(name) {
                        Some((FUNCTION, function)) => {
                            called.insert(*name);
                            function
                        }
                        _ => return Err("the table lacks a function".into()),
                    }
                }
                Some(None) => function,
                _ => return Err("a function comes from another instance".into()),
            };
            item(&at.to_string(), FUNCTION, *function);
        }
        match last.get(module::TABLE_NAME) {
            Some((TABLE, table)) => item(module::TABLE_NAME, TABLE, *table),
            _ => return Err("there is no table".into()),
        }
        // Others of the table free resources that the main module implements. The host does not free them one by one:
        // it ends the instance, and the main module never drops a handle of its own.
        let mut others = last
            .iter()
            .filter(|(name, _)| **name != module::TABLE_NAME && !called.contains(*name));
        let frees = |(kind, function): &(u8, usize)| {
            let of_main = |(instance, name): &(usize, &str)| {
                *instance == parts.main.0 && name.contains(DESTRUCTOR)
            };
            *kind == FUNCTION
                && matches!(self.functions.get(*function), Some(Some(it)) if of_main(it))
        };
        if !others.all(|(_, item)| frees(item)) {
            return Err("the table has other functions".into());
        }
        Ok(items)
    }

    /// Writes a section of aliases. The table is that of the main module. A function of the first module is replaced
    /// by one that nothing calls, so that the indices of the others stay.
    fn aliases(
        part: &Section<'c>,
        parts: &Parts,
        resource: usize,
        changed: &mut Vec<u8>,
    ) -> Result<()> {
        part.items(|items| {
            let mut is_changed = None;
            let written = items.skipped(|items| {
                if let Alias::Of(kind, instance, name) = alias(items)?
                    && instance == parts.first.0
                {
                    is_changed = Some((kind, name));
                }
                Ok(())
            })?;
            let mut content = vec![1];
            let id = match is_changed {
                Some((FUNCTION, _)) => {
                    content.push(DROP);
                    number(&mut content, resource);
                    CANONICAL
                }
                Some((TABLE, module::TABLE_NAME)) => {
                    content.extend([0, TABLE, 1]);
                    number(&mut content, parts.main.0);
                    named(&mut content, module::TABLE_NAME);
                    ALIAS
                }
                Some(_) => return Err("the first module exports something else".into()),
                None => {
                    content.extend(written);
                    ALIAS
                }
            };
            section(changed, id, &content);
            Ok(())
        })?;
        Ok(())
    }
}

impl<'c> Instance<'c> {
    fn read(bytes: &mut Bytes<'c>) -> Result<Self> {
        Ok(match bytes.byte()? {
            0 => {
                let module = bytes.number()?;
                let mut from = BTreeMap::new();
                for _ in 0..bytes.number()? {
                    let name = bytes.name()?;
                    bytes.expect(0x12)?;
                    from.insert(name, bytes.number()?);
                }
                Self::Of(module, from)
            }
            1 => {
                let mut items = BTreeMap::new();
                for _ in 0..bytes.number()? {
                    let name = bytes.name()?;
                    items.insert(name, (bytes.byte()?, bytes.number()?));
                }
                Self::Items(items)
            }
            _ => return Err("an instance has another form".into()),
        })
    }
}

/// An alias.
enum Alias<'c> {
    /// An export of an instance of a module: its kind, the instance and the name.
    Of(u8, usize, &'c str),
    /// A type with this name.
    Type(&'c str),
    Other,
}

fn alias<'c>(bytes: &mut Bytes<'c>) -> Result<Alias<'c>> {
    let kind = bytes.byte()?;
    let core = if kind == 0 { bytes.byte()? } else { 0 };
    match bytes.byte()? {
        0 => {
            bytes.number()?;
            let name = bytes.name()?;
            Ok(if kind == TYPE_KIND {
                Alias::Type(name)
            } else {
                Alias::Other
            })
        }
        1 if kind == 0 => Ok(Alias::Of(core, bytes.number()?, bytes.name()?)),
        2 => {
            bytes.number()?;
            bytes.number()?;
            Ok(if kind == TYPE_KIND {
                Alias::Type("")
            } else {
                Alias::Other
            })
        }
        _ => Err("an alias has another form".into()),
    }
}

/// Reads a canonical function. Returns whether it is one of modules, and not one of the component.
fn is_lowered(bytes: &mut Bytes<'_>) -> Result<bool> {
    Ok(match bytes.byte()? {
        0 => {
            bytes.expect(0)?;
            bytes.number()?;
            for _ in 0..bytes.number()? {
                option(bytes)?;
            }
            bytes.number()?;
            false
        }
        1 => {
            bytes.expect(0)?;
            bytes.number()?;
            for _ in 0..bytes.number()? {
                option(bytes)?;
            }
            true
        }
        2 | DROP | 4 => {
            bytes.number()?;
            true
        }
        _ => return Err("a function has another form".into()),
    })
}

/// Reads an option of a canonical function. Returns its kind.
fn option(bytes: &mut Bytes<'_>) -> Result<u8> {
    let kind = bytes.byte()?;
    match kind {
        0..=2 | 6 => {}
        3..=4 | POST_RETURN | 7 => {
            bytes.number()?;
        }
        _ => return Err("a function has other options".into()),
    }
    Ok(kind)
}

/// Reads a canonical function, and writes it without the function that frees its result.
fn without_return(bytes: &mut Bytes<'_>, written: &mut Vec<u8>) -> Result<()> {
    let mut is_lowered_function = true;
    let item = bytes.skipped(|bytes| {
        is_lowered_function = is_lowered(bytes)?;
        Ok(())
    })?;
    if is_lowered_function {
        written.extend(item);
        return Ok(());
    }
    let mut item = Bytes(item);
    written.extend(item.skipped(|item| {
        item.take(2)?;
        item.number().map(drop)
    })?);
    let mut options = Vec::new();
    for _ in 0..item.number()? {
        let mut kind = None;
        let option = item.skipped(|item| {
            kind = Some(option(item)?);
            Ok(())
        })?;
        if kind != Some(POST_RETURN) {
            options.push(option);
        }
    }
    number(written, options.len());
    written.extend(options.concat());
    written.extend(item.0);
    Ok(())
}
