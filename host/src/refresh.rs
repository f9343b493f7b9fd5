//! Requests for what a reply showed from an old copy.

use crate::limits::{REFRESH_TIME, REFRESHES};
use crate::sandbox::CancelToken;
use crate::session::Session;
use crate::types::{Dialect, Reply};
use omniread_options::Options;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle};

/// The number of requests of this process that run.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// A request that runs on threads of its own: see [`Session::refresh`].
#[derive(Debug)]
pub struct Refresh(JoinHandle<bool>);

impl Refresh {
    /// Waits for its end. Returns whether the session has a new copy.
    pub fn wait(self) -> bool {
        self.0.join().unwrap_or(false)
    }
}

/// One of the requests that may run at once.
struct Turn;

impl Turn {
    /// `None` if as many run as may.
    fn take() -> Option<Self> {
        let more = |running: usize| (running < REFRESHES).then_some(running + 1);
        let taken = RUNNING.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.is_ok().then_some(Self)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Session {
    /// Requests again what a reply shows from an old copy, such as the diff of a pull request, so that the next read
    /// has it. To be called after the reply was given out. It takes three seconds at most, on threads of its own.
    /// `None` if the reply is current, or if the process has many such requests already.
    pub fn refresh(&self, reply: &Reply, options: &Options) -> Option<Refresh> {
        let path = reply.details.refresh.clone()?;
        let turn = Turn::take()?;
        let token = CancelToken::new();
        let session = self.unseen().with_cancel(&token);
        let options = options.clone();
        let (sender, receiver) = mpsc::channel();
        let work = move || {
            let outcome = session.read_as(path, Dialect::Omp, &options);
            // Nobody waits for it after the time has passed.
            let _ = sender.send(outcome.is_ok_and(|reply| reply.details.refresh.is_none()));
        };
        let watch = move || {
            let _turn = turn;
            let Ok(read) = Builder::new().spawn(work) else {
                return false;
            };
            let is_new = receiver.recv_timeout(REFRESH_TIME).unwrap_or(false);
            token.cancel();
            read.join().is_ok() && is_new
        };
        Builder::new().spawn(watch).ok().map(Refresh)
    }
}
