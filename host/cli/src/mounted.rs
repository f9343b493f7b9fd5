//! Adds the mounts of the command line to a reader.

use super::mounts::Mount;
use super::output;
use omniread::Builder;
use std::path::Path;

/// The places where agents keep skills, in a root or in the home directory.
const SKILLS: [&str; 2] = [".agents/skills", ".claude/skills"];

/// Adds mounts to a reader. `places` are the directories in which skills are searched for: the roots, and the
/// home directory after them.
pub fn add(mut builder: Builder, mounts: &[Mount], places: &[&Path]) -> Builder {
    for mount in mounts {
        if let Some(directory) = mount.directory() {
            builder = builder.mount(mount.scheme(), directory);
            continue;
        }
        let searched = places
            .iter()
            .flat_map(|place| SKILLS.map(|skills| place.join(skills)));
        let mut none = Vec::new();
        let mut is_found = false;
        for directory in searched {
            if directory.is_dir() {
                is_found = true;
                builder = builder.mount(mount.scheme(), directory);
            } else {
                none.push(format!("`{}`", directory.display()));
            }
        }
        if !is_found {
            none.dedup();
            output::print_message(&format!(
                "warning: no directory is mounted for `skill=auto`: none of these exists: {}",
                none.join(", ")
            ));
        }
    }
    builder
}
