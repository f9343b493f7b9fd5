//! The second form of compiled code: one that says that the initial content of memory is copied.
//!
//! For the first form, wasmtime writes the content into a file in memory, which each instance maps. That pays in a
//! process with many instances. A process with one or two spends a tenth of its time on it: the kernel allocates the
//! pages of the file one by one. A copy into a large page takes a fourth.
//!
//! Both forms have the same machine code, which contains a function that copies. Only the description of the
//! modules differs. The second form is therefore a header that names a description of its own, and the sections of
//! the first form, which follows it.

use std::error::Error;
use std::ops::Range;
use wasmtime_environ::MemoryInitialization;
use wasmtime_environ::component::ComponentArtifacts;

/// The section with the description.
const INFO: &str = ".wasmtime.info";

/// The size of the header of an ELF file, and of an entry of its table of sections.
const HEADER: usize = 64;

/// The alignment of code: the largest page size.
const ALIGNMENT: usize = 1 << 16;

/// Returns both forms in one, and the position of the first one. The second one is the whole.
///
/// # Errors
/// Fails if the code has another structure than expected.
pub fn with_copied(code: &[u8]) -> Result<(Vec<u8>, usize), Box<dyn Error>> {
    let elf = Elf::of(code)?;
    let entry = elf.section(INFO)?;
    let info = described(
        code.get(elf.content(entry)?)
            .ok_or("the description is cut")?,
    )?;
    let table = elf.table.start..elf.table.end;
    let start = HEADER + table.len();
    let first = (start + info.len()).next_multiple_of(ALIGNMENT);

    let mut forms = code.get(..HEADER).ok_or("the header is cut")?.to_vec();
    elf.write(&mut forms, TABLE_OFFSET, HEADER)?;
    forms.extend(code.get(table.clone()).ok_or("the table is cut")?);
    for section in (0..table.len()).step_by(HEADER) {
        let (offset, at) = (
            elf.number(table.start + section + OFFSET)?,
            HEADER + section,
        );
        if table.start + section == entry {
            elf.write(&mut forms, at + OFFSET, start)?;
            elf.write(&mut forms, at + SIZE, info.len())?;
        } else if section > 0 {
            // The first entry of the table names no section.
            elf.write(&mut forms, at + OFFSET, first + offset)?;
        }
    }
    forms.extend(info);
    forms.resize(first, 0);
    forms.extend(code);
    Ok((forms, first))
}

/// The description with memories whose content no file has.
fn described(info: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut artifacts: ComponentArtifacts = postcard::from_bytes(info)?;
    if postcard::to_allocvec(&artifacts)? != info {
        return Err("the description of compiled code has another format".into());
    }
    for (_, module) in &mut artifacts.static_modules {
        if let MemoryInitialization::Static { map } = &mut module.module.memory_initialization {
            for content in map.values_mut() {
                *content = None;
            }
        }
    }
    Ok(postcard::to_allocvec(&artifacts)?)
}

/// The positions of numbers in the header of an ELF file of 64 bits, and in an entry of its table of sections.
const TABLE_OFFSET: usize = 0x28;
const COUNT: usize = 0x3c;
const NAMES: usize = 0x3e;
const OFFSET: usize = 0x18;
const SIZE: usize = 0x20;

/// An ELF file of 64 bits.
struct Elf<'c> {
    code: &'c [u8],
    is_little: bool,
    /// The range of the table of sections.
    table: Range<usize>,
}

impl<'c> Elf<'c> {
    fn of(code: &'c [u8]) -> Result<Self, Box<dyn Error>> {
        let is_little = code.get(5) == Some(&1);
        let mut elf = Self {
            code,
            is_little,
            table: 0..0,
        };
        let start = elf.number(TABLE_OFFSET)?;
        elf.table = start..start + elf.short(COUNT)? * HEADER;
        Ok(elf)
    }

    fn bytes<const N: usize>(&self, at: usize) -> Result<[u8; N], Box<dyn Error>> {
        let bytes = self.code.get(at..at + N).ok_or("compiled code is cut")?;
        Ok(bytes.try_into()?)
    }

    fn number(&self, at: usize) -> Result<usize, Box<dyn Error>> {
        let bytes = self.bytes(at)?;
        let number = if self.is_little {
            u64::from_le_bytes(bytes)
        } else {
            u64::from_be_bytes(bytes)
        };
        Ok(usize::try_from(number)?)
    }

    fn short(&self, at: usize) -> Result<usize, Box<dyn Error>> {
        let bytes = self.bytes(at)?;
        Ok(usize::from(if self.is_little {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        }))
    }

    fn write(&self, to: &mut [u8], at: usize, number: usize) -> Result<(), Box<dyn Error>> {
        let number = u64::try_from(number)?;
        let bytes = if self.is_little {
            number.to_le_bytes()
        } else {
            number.to_be_bytes()
        };
        to.get_mut(at..at + bytes.len())
            .ok_or("compiled code is cut")?
            .copy_from_slice(&bytes);
        Ok(())
    }

    /// The range of the content of a section.
    fn content(&self, entry: usize) -> Result<Range<usize>, Box<dyn Error>> {
        let start = self.number(entry + OFFSET)?;
        Ok(start..start + self.number(entry + SIZE)?)
    }

    /// The position of the entry of a section.
    fn section(&self, name: &str) -> Result<usize, Box<dyn Error>> {
        let names = self.table.start + self.short(NAMES)? * HEADER;
        let names = self.code.get(self.content(names)?).unwrap_or_default();
        let has_name = |entry: &usize| {
            let at = self.bytes(*entry).map(|bytes| {
                if self.is_little {
                    u32::from_le_bytes(bytes)
                } else {
                    u32::from_be_bytes(bytes)
                }
            });
            let at = at.ok().and_then(|at| usize::try_from(at).ok());
            let found = at.and_then(|at| names.get(at..)?.split(|byte| *byte == 0).next());
            found == Some(name.as_bytes())
        };
        let mut entries = self.table.clone().step_by(HEADER);
        Ok(entries
            .find(has_name)
            .ok_or("compiled code has no description")?)
    }
}
