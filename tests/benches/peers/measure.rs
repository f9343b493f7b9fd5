//! Reads in turns.

use crate::driver::{Driver, Fastest, Tool};
use crate::rows::{PAGE, Peer, Row};
use crate::shared;
use omniread::{Network, Reader};
use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::Workspace;
use omniread_tests::web::Server;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The number of times that all tools have their turn.
const TURNS: usize = 5;
/// The time of a turn. A read that takes longer is a turn of its own.
const TURN: Duration = Duration::from_millis(60);
/// The largest number of reads in a turn.
const READS: u32 = 200;
/// Reads that take longer are measured in fewer turns.
const LONG: Duration = Duration::from_secs(3);
/// The number of processes of each program.
const PROCESSES: usize = 30;
/// No read of this benchmark is stopped by its time.
const PATIENCE: Duration = Duration::from_mins(5);

/// A row with the fastest reads.
pub struct Warm {
    pub row: &'static Row,
    pub ours: Fastest,
    /// The same code without a sandbox. Some reads need the SQL engine, which is a component only.
    pub native: Option<Duration>,
    pub peers: Vec<(&'static str, Result<Fastest, String>)>,
}

/// A read by the command line, beside another program.
pub struct Process {
    pub path: String,
    pub other: String,
    pub ours: Duration,
    pub theirs: Duration,
    /// The largest resident memory of both, in KiB. `None` if GNU time is not installed.
    pub memory: Option<[u64; 2]>,
}

/// The tools, with the files that they read.
pub struct Machine<'w> {
    workspace: &'w Workspace,
    site: String,
    reader: Reader,
    world: LocalWorld,
    drivers: Vec<(Tool, Driver)>,
    /// What is not measured, and why.
    pub missing: Vec<String>,
}

impl<'w> Machine<'w> {
    /// Starts the tools that are installed.
    pub fn new(workspace: &'w Workspace, site: &Server) -> Self {
        let network = Network::default().allow(site.authority().parse().expect("a grant"));
        let reader = workspace
            .builder()
            .timeout(PATIENCE)
            .network(network)
            .build();
        let mut machine = Self {
            workspace,
            site: format!("http://{}", site.authority()),
            reader: reader.expect("a reader"),
            world: LocalWorld::new(vec![workspace.path().display().to_string()]),
            drivers: Vec::new(),
            missing: Vec::new(),
        };
        for tool in [Tool::Omp, Tool::Library] {
            match Driver::start(tool, &workspace.path()) {
                Ok(driver) => machine.drivers.push((tool, driver)),
                Err(reason) => machine.missing.push(format!("{tool:?}: {reason}")),
            }
        }
        if peak(workspace, "true", &[]).is_none() {
            machine
                .missing
                .push("memory of processes: GNU time is not installed".to_owned());
        }
        machine
    }

    /// Measures a row.
    pub fn warm(&mut self, row: &'static Row) -> Warm {
        let path = row.path.replace("SITE", &self.site);
        let mut measured = Warm {
            row,
            ours: self.ours(&path),
            native: None,
            peers: Vec::new(),
        };
        let options = Options::default();
        // The same code without a host has no session.
        let needs_no_session = !path.contains("://") && !path.contains(PAGE);
        let has_native =
            needs_no_session && Dialect::Omp.read(&path, &options, &mut self.world).is_ok();
        let turns = if measured.ours.time > LONG { 2 } else { TURNS };
        for _ in 0..turns {
            let ours = self.ours(&path);
            faster(&mut measured.ours, ours);
            if has_native {
                let native = self.native(&path, &options);
                measured.native = Some(measured.native.map_or(native, |best| best.min(native)));
            }
            for peer in row.peers {
                self.peer(peer, &mut measured);
            }
        }
        measured
    }

    /// A turn of omniread. A missing path is read as well: its search is measured.
    fn ours(&self, path: &str) -> Fastest {
        let mut characters = 0;
        let session = self.reader.session();
        let mut page = 0;
        let time = turn(|| {
            characters = if path.contains(PAGE) {
                page += 1;
                let reply = session.read(path.replace(PAGE, &page.to_string()));
                reply.expect("a page").text().len() as u64
            } else {
                let reply = self.reader.session().read(path);
                reply.map_or(0, |reply| reply.text().len() as u64)
            };
        });
        Fastest { time, characters }
    }

    fn native(&mut self, path: &str, options: &Options) -> Duration {
        turn(|| drop(Dialect::Omp.read(path, options, &mut self.world)))
    }

    fn peer(&mut self, peer: &Peer, measured: &mut Warm) {
        let driver = self.drivers.iter_mut().find(|(tool, _)| *tool == peer.tool);
        let Some((_, driver)) = driver else {
            return;
        };
        let request = peer.request.replace("SITE", &self.site);
        let library = format!("{} {request}", peer.name);
        let request = if peer.tool == Tool::Library {
            &library
        } else {
            &request
        };
        let fastest = driver.read(request, TURN, READS);
        match measured
            .peers
            .iter_mut()
            .find(|(name, _)| *name == peer.name)
        {
            None => measured.peers.push((peer.name, fastest)),
            Some((_, Ok(best))) => {
                if let Ok(fastest) = fastest {
                    faster(best, fastest);
                }
            }
            Some(_) => {}
        }
    }

    /// Measures whole processes. `None` if the other program is not installed.
    pub fn process(&mut self, path: &str, other: &[&str]) -> Option<Process> {
        let (program, arguments) = other.split_first().expect("a program");
        if !shared::run(self.workspace, program, arguments) {
            self.missing.push(format!("{program}: it is not installed"));
            return None;
        }
        let ours = shared::installed(self.workspace);
        let mut best = [Duration::MAX; 2];
        for _ in 0..PROCESSES {
            let runs: [(PathBuf, &[&str]); 2] =
                [(ours.clone(), &[path]), (program.into(), arguments)];
            for ((program, arguments), best) in runs.into_iter().zip(&mut best) {
                let start = Instant::now();
                assert!(
                    shared::run(self.workspace, &program, arguments),
                    "{} {arguments:?}",
                    program.display()
                );
                *best = start.elapsed().min(*best);
            }
            if best.iter().max() > Some(&LONG) {
                break;
            }
        }
        let memory = || {
            Some([
                peak(self.workspace, &ours, &[path])?,
                peak(self.workspace, program, arguments)?,
            ])
        };
        Some(Process {
            memory: memory(),
            path: path.to_owned(),
            other: other.join(" "),
            ours: best[0],
            theirs: best[1],
        })
    }
}

/// The largest resident memory of a program in KiB. A process inherits the mark of the process that starts it, so
/// that a small program has to start what is measured.
fn peak(workspace: &Workspace, program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<u64> {
    let output = Command::new("time")
        .args(["-f", "%M", "-o", "/dev/stderr"])
        .arg(program)
        .args(arguments)
        .current_dir(workspace.path())
        .stdout(Stdio::null())
        .output()
        .ok()?;
    String::from_utf8_lossy(&output.stderr).trim().parse().ok()
}

/// Reads until the time of a turn is over. Returns the time of the fastest read.
fn turn(mut read: impl FnMut()) -> Duration {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    for _ in 0..READS {
        let start = Instant::now();
        read();
        best = best.min(start.elapsed());
        if begin.elapsed() > TURN {
            break;
        }
    }
    best
}

fn faster(best: &mut Fastest, other: Fastest) {
    if other.time < best.time {
        *best = other;
    }
}
