//! The skills that are served to clients, as the interface `skills` has them.

use super::{Component, refused};
use crate::bindings::exports::omniread::parts::skills as wit;
use crate::dialects::Dialect;
use crate::failure::Failure;
use crate::world::wasi::WasiWorld;
use crate::{ServedEntries, ServedPage, ServedSkill};

impl wit::Guest for Component {
    fn catalog(after: Option<String>) -> Result<wit::Page, wit::Failure> {
        let page = crate::served_skills(after.as_deref(), &mut WasiWorld::preopened());
        let ServedPage {
            skills,
            skipped,
            next,
        } = page.map_err(|failure| failed(failure, ""))?;
        Ok(wit::Page {
            skills: skills.into_iter().map(skill).collect(),
            skipped: skipped
                .into_iter()
                .map(|skipped| wit::Skipped {
                    path: skipped.path,
                    reason: skipped.reason,
                })
                .collect(),
            next,
        })
    }

    fn get(path: String) -> Result<wit::Skill, wit::Failure> {
        let served = crate::served_skill(&path, &mut WasiWorld::preopened());
        served.map(skill).map_err(|failure| failed(failure, &path))
    }

    fn directory(path: String, after: Option<String>) -> Result<wit::Entries, wit::Failure> {
        let world = &mut WasiWorld::preopened();
        let ServedEntries { entries, next } =
            crate::served_directory(&path, after.as_deref(), world)
                .map_err(|failure| failed(failure, &path))?;
        Ok(wit::Entries {
            entries: entries
                .into_iter()
                .map(|entry| wit::Entry {
                    name: entry.name,
                    size: entry.size,
                })
                .collect(),
            next,
        })
    }

    fn read(path: String) -> Result<Vec<u8>, wit::Failure> {
        crate::served_file(&path, &mut WasiWorld::preopened())
            .map_err(|failure| failed(failure, &path))
    }
}

fn skill(skill: ServedSkill) -> wit::Skill {
    wit::Skill {
        path: skill.path,
        front_matter: skill.front_matter,
        files: skill
            .files
            .into_iter()
            .map(|file| wit::ManifestFile {
                path: file.path,
                size: file.size,
                sha256: file.sha256,
            })
            .collect(),
        left_out: skill.left_out,
    }
}

fn failed(failure: Failure, path: &str) -> wit::Failure {
    refused(Dialect::Omp.render_failure(failure, path))
}
