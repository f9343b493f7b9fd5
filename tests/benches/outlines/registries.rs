//! Downloads the sources of packages, with the clients installed on the machine, into a directory
//! outside the project. No code of a package is built or run.

use crate::packages::{Package, Registry};
use crate::programs::output_of;
use std::cell::OnceCell;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A script that downloads from the Python package index without building anything.
const FETCH: &str = include_str!("fetch.py");

/// The directory of downloaded and unpacked packages.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    /// The path of an `apt-get` configuration with source repositories, or an error. It is set when
    /// the first source package is requested.
    apt: OnceCell<Result<PathBuf, String>>,
}

impl Cache {
    /// Opens the directory that `OMNIREAD_BENCH_CACHE` names, or else one in the temporary
    /// directory.
    pub fn new() -> Result<Self, String> {
        let named = env::var_os("OMNIREAD_BENCH_CACHE").map(PathBuf::from);
        let root = named.unwrap_or_else(|| env::temp_dir().join("omniread-bench"));
        fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        let root = root.canonicalize().map_err(|error| error.to_string())?;
        Ok(Self {
            root,
            apt: OnceCell::new(),
        })
    }

    /// The path of the directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory with the selected files of a package. Downloads and unpacks it if necessary.
    pub fn sources(&self, package: &Package) -> Result<PathBuf, String> {
        let parent = self.root.join("sources").join(package.registry.name());
        let folder = parent.join(package.folder());
        let patterns = package.patterns();
        let list = patterns.join("\n");
        // Records the patterns with which the package was unpacked.
        let mark = parent.join(format!("{}.patterns", package.folder()));
        let marked = fs::read_to_string(&mark).is_ok_and(|marked| marked == list);
        if marked && folder.exists() {
            return Ok(folder);
        }
        let archive = self.archive(package)?;
        let unpack = || {
            remove(&folder)?;
            fs::create_dir_all(&folder)?;
            crate::sources::unpack(&archive, &folder, &patterns)?;
            fs::write(&mark, &list)
        };
        unpack().map_err(|error| format!("{}: {error}", archive.display()))?;
        Ok(folder)
    }

    /// The archive of a package. Downloads it if necessary.
    fn archive(&self, package: &Package) -> Result<PathBuf, String> {
        let parent = self.root.join("archives").join(package.registry.name());
        let folder = parent.join(package.folder());
        if !folder.exists() {
            let part = parent.join(format!("{}.part", package.folder()));
            let prepared = remove(&part).and_then(|()| fs::create_dir_all(&part));
            prepared.map_err(|error| format!("{}: {error}", part.display()))?;
            match package.registry {
                Registry::Crates => self.crates(package, &part)?,
                Registry::Npm => self.npm(package, &part)?,
                Registry::Pypi => self.pypi(package, &part)?,
                Registry::Debian => self.debian(package, &part)?,
            }
            fs::rename(&part, &folder).map_err(|error| format!("{}: {error}", part.display()))?;
        }
        let mut files: Vec<_> = fs::read_dir(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.sort();
        // Debian splits some sources into several archives. Only one contains the upstream code.
        let original = |path: &&PathBuf| path.to_string_lossy().contains(".orig.tar.");
        let archive = files.iter().find(original).or(files.first());
        archive
            .cloned()
            .ok_or_else(|| format!("{} is empty", folder.display()))
    }

    /// Downloads a crate into `folder`. `cargo info` writes the archive to its cache, from which it
    /// is moved.
    fn crates(&self, package: &Package, folder: &Path) -> Result<(), String> {
        let home = self.root.join("cargo");
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .current_dir(&self.root)
            .env("CARGO_HOME", &home)
            .env("CARGO_NET_RETRY", "1");
        // The settings may replace the registry by a mirror.
        let settings = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(env::home_dir()?.join(".cargo")))
            .map(|home| home.join("config.toml"));
        if let Some(settings) = settings.filter(|settings| settings.exists()) {
            command.arg("--config").arg(settings);
        }
        command.args(["info", "--quiet", "--registry", "crates-io"]);
        command.arg(format!("{}@{}", package.name, package.version));
        output_of(&mut command, "")?;
        let file = format!("{}-{}.crate", package.name, package.version);
        let registries = fs::read_dir(home.join("registry/cache"))
            .map_err(|error| format!("{}: {error}", home.display()))?;
        let found = registries
            .filter_map(|registry| Some(registry.ok()?.path().join(&file)))
            .find(|path| path.exists())
            .ok_or_else(|| format!("cargo left no {file}"))?;
        fs::rename(found, folder.join(&file)).map_err(|error| format!("{file}: {error}"))
    }

    fn npm(&self, package: &Package, folder: &Path) -> Result<(), String> {
        let mut command = Command::new("npm");
        command
            .current_dir(&self.root)
            .args(["pack", "--silent", "--ignore-scripts", "--fetch-retries=1"])
            .args(["--loglevel=error", "--pack-destination"])
            .arg(folder)
            .arg(format!("{}@{}", package.name, package.version));
        output_of(&mut command, "").map(drop)
    }

    fn pypi(&self, package: &Package, folder: &Path) -> Result<(), String> {
        // Zig is published only as a wheel, which contains its library as source code.
        let form = if package.name == "ziglang" {
            "wheel"
        } else {
            "source"
        };
        let mut command = Command::new("python3");
        command
            .current_dir(&self.root)
            .env("PIP_RETRIES", "1")
            .args(["-c", FETCH])
            .arg(folder)
            .arg(format!("{}=={}", package.name, package.version))
            .arg(form);
        output_of(&mut command, "").map(drop)
    }

    fn debian(&self, package: &Package, folder: &Path) -> Result<(), String> {
        let settings = self.apt.get_or_init(|| self.apt()).clone()?;
        let apt = |program: &str| {
            let mut command = Command::new(program);
            command.env("APT_CONFIG", &settings).current_dir(folder);
            command
        };
        let described = output_of(
            apt("apt-cache").args(["showsrc", "--only-source", package.name]),
            "",
        )?;
        let version = described
            .lines()
            .filter_map(|line| line.strip_prefix("Version: "))
            .find(|version| upstream(version) == package.version);
        let version = version.ok_or_else(|| {
            let (name, version) = (package.name, package.version);
            format!("apt-cache: the sources of {name} {version} are not in the index")
        })?;
        let mut command = apt("apt-get");
        command
            .args(["source", "-qq", "--download-only", "--tar-only"])
            .arg(format!("{}={version}", package.name));
        output_of(&mut command, "").map(drop)
    }

    /// Creates an `apt-get` configuration for source packages of the configured mirrors, and
    /// returns its path. The configuration of the system is not changed.
    fn apt(&self) -> Result<PathBuf, String> {
        let folder = self.root.join("apt");
        let mut command = Command::new("apt-get");
        command.args(["indextargets", "--format"]);
        command.args([
            "$(ORIGIN) deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)",
            "Created-By: Packages",
        ]);
        let targets = output_of(&mut command, "")?;
        // Keep the order, because the first repository with a package is used.
        let mut lines: Vec<&str> = Vec::new();
        let debian = targets
            .lines()
            .filter_map(|line| line.strip_prefix("Debian "));
        for line in debian {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let settings = folder.join("apt.conf");
        let list = folder.join("sources.list");
        let text = format!(
            "Dir::Etc::SourceList \"{}\";\nDir::Etc::SourceParts \"/dev/null\";\n\
             Dir::State::Lists \"{}\";\nDir::Cache \"{}\";\nAPT::Sandbox::User \"root\";\n",
            list.display(),
            folder.join("lists").display(),
            folder.join("cache").display(),
        );
        let write = || {
            fs::create_dir_all(folder.join("lists/partial"))?;
            fs::create_dir_all(folder.join("cache/archives/partial"))?;
            fs::write(&list, lines.join("\n") + "\n")?;
            fs::write(&settings, text)
        };
        write().map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut command = Command::new("apt-get");
        command.env("APT_CONFIG", &settings);
        output_of(command.args(["update", "-qq"]), "")?;
        Ok(settings)
    }
}

/// The upstream part of a Debian version, without epoch and revision.
fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    version.rsplit_once('-').map_or(version, |(of, _)| of)
}

/// Removes a directory, or a symlink to one, if it exists.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(is) if is.is_dir() => fs::remove_dir_all(folder),
        Ok(_) => fs::remove_file(folder),
        Err(_) => Ok(()),
    }
}
