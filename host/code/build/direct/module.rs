//! The main module with functions that call through a table, and the module that fills the table.

use super::super::bytes::{Bytes, Result, Section, groups, named, number, section, sections};

/// A module with nothing in it, which is also the header of each module.
pub const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

/// The name of the table.
pub const TABLE_NAME: &str = "$imports";

/// The sections of a module.
const TYPE: u8 = 1;
const IMPORT: u8 = 2;
const FUNCTION: u8 = 3;
const TABLE: u8 = 4;
const EXPORT: u8 = 7;
const START: u8 = 8;
const ELEMENT: u8 = 9;
const CODE: u8 = 10;

/// The type of tables of functions.
const FUNCREF: u8 = 0x70;

/// The last of the types of values, which go down from 0x7f. Those before it have more than one byte.
const LAST_VALUE: u8 = 0x6f;

/// Instructions.
const LOCAL_GET: u8 = 0x20;
const I32_CONST: u8 = 0x41;
const CALL_INDIRECT: u8 = 0x11;
const END: u8 = 0x0b;

/// A function that a module imports.
pub struct Import<'m> {
    pub module: &'m str,
    pub name: &'m str,
    /// The index of its type.
    kind: usize,
    /// The number of its parameters.
    parameters: usize,
}

fn of(module: &[u8]) -> Result<Vec<Section<'_>>> {
    sections(module.strip_prefix(EMPTY).ok_or("it is no module")?)
}

fn find<'s, 'm>(sections: &'s [Section<'m>], id: u8) -> Result<&'s Section<'m>> {
    let section = sections.iter().find(|section| section.id == id);
    Ok(section.ok_or_else(|| format!("a module has no section {id}"))?)
}

/// Whether a function of a module runs when it gets an instance.
pub fn starts(module: &[u8]) -> Result<bool> {
    Ok(of(module)?.iter().any(|section| section.id == START))
}

/// The imports of a module.
///
/// # Errors
/// Fails if one is not a function.
pub fn imports(module: &[u8]) -> Result<Vec<Import<'_>>> {
    let sections = of(module)?;
    let mut parameters = Vec::new();
    find(&sections, TYPE)?.items(|items| {
        items.expect(0x60)?;
        parameters.push(values(items)?);
        values(items)?;
        Ok(())
    })?;
    let mut imports = Vec::new();
    find(&sections, IMPORT)?.items(|items| {
        let (module, name) = (items.name()?, items.name()?);
        items.expect(0)?;
        let kind = items.number()?;
        imports.push(Import {
            module,
            name,
            kind,
            parameters: *parameters.get(kind).ok_or("a type is missing")?,
        });
        Ok(())
    })?;
    Ok(imports)
}

/// Reads the types of parameters or results. Returns their number.
fn values(items: &mut Bytes<'_>) -> Result<usize> {
    let count = items.number()?;
    if items.take(count)?.iter().all(|kind| *kind >= LAST_VALUE) {
        Ok(count)
    } else {
        Err("a function has values of other types".into())
    }
}

/// The module with functions that call through a table in place of its imports, which have their indices. It exports
/// the table.
pub fn with_table(module: &[u8], imports: &[Import<'_>]) -> Result<Vec<u8>> {
    let sections = of(module)?;
    let table = find(&sections, TABLE)?.items(|items| {
        items.expect(FUNCREF)?;
        limits(items)
    })?;
    let mut written = EMPTY.to_vec();
    for part in &sections {
        let mut items = Vec::new();
        match part.id {
            IMPORT => {}
            FUNCTION => {
                for import in imports {
                    number(&mut items, import.kind);
                }
                section(
                    &mut written,
                    FUNCTION,
                    &part.with(imports.len(), &items, &[])?,
                );
            }
            TABLE => {
                table_of(&mut items, imports.len());
                section(&mut written, TABLE, &part.with(1, &[], &items)?);
            }
            EXPORT => {
                named(&mut items, TABLE_NAME);
                items.push(1);
                number(&mut items, table);
                section(&mut written, EXPORT, &part.with(1, &[], &items)?);
            }
            CODE => {
                for (at, import) in imports.iter().enumerate() {
                    let body = call(at, import, table);
                    number(&mut items, body.len());
                    items.extend(body);
                }
                section(&mut written, CODE, &part.with(imports.len(), &items, &[])?);
            }
            id => section(&mut written, id, part.content),
        }
    }
    Ok(written)
}

/// The code of a function that calls the entry `at` of the table with its parameters.
fn call(at: usize, import: &Import<'_>, table: usize) -> Vec<u8> {
    // It has no variables.
    let mut body = vec![0];
    for parameter in 0..import.parameters {
        body.push(LOCAL_GET);
        number(&mut body, parameter);
    }
    body.push(I32_CONST);
    signed(&mut body, at);
    body.push(CALL_INDIRECT);
    number(&mut body, import.kind);
    number(&mut body, table);
    body.push(END);
    body
}

/// A module that imports the functions by number, and the table, and fills it. `main` has the types.
pub fn filling(main: &[u8], imports: &[Import<'_>]) -> Result<Vec<u8>> {
    let mut written = EMPTY.to_vec();
    section(&mut written, TYPE, find(&of(main)?, TYPE)?.content);

    let mut items = Vec::new();
    number(&mut items, imports.len() + 1);
    for (at, import) in imports.iter().enumerate() {
        named(&mut items, "");
        named(&mut items, &at.to_string());
        items.push(0);
        number(&mut items, import.kind);
    }
    named(&mut items, "");
    named(&mut items, TABLE_NAME);
    items.push(1);
    table_of(&mut items, imports.len());
    section(&mut written, IMPORT, &items);

    // One list of functions, from the start of the first table.
    let mut items = vec![1, 0, I32_CONST, 0, END];
    number(&mut items, imports.len());
    for function in 0..imports.len() {
        number(&mut items, function);
    }
    section(&mut written, ELEMENT, &items);
    Ok(written)
}

/// Writes the type of a table with this many functions.
fn table_of(to: &mut Vec<u8>, functions: usize) {
    to.extend([FUNCREF, 1]);
    number(to, functions);
    number(to, functions);
}

/// Reads the size of a table.
fn limits(items: &mut Bytes<'_>) -> Result<()> {
    match items.byte()? {
        0 => items.number().map(drop),
        1 => items.number().and_then(|_| items.number()).map(drop),
        _ => Err("a table has another size".into()),
    }
}

/// Writes a number that is not negative, in the form of numbers with a sign.
fn signed(to: &mut Vec<u8>, value: usize) {
    groups(to, value, 0x40);
}
