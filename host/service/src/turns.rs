//! Two threads that take turns at the input.
//!
//! A thread that waits takes as long to wake up as a small read. So the thread that received a
//! request also runs it. If that takes longer than a tick, the other thread takes over the input.

use super::workers::Job;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The interval at which the other thread checks whether a request takes long.
const TICK: Duration = Duration::from_millis(5);

/// The number of ticks without a request after which the checks pause.
const IDLE_TICKS: u32 = 200;

/// The input, and the turns of the two threads.
pub struct Turns<I> {
    state: Mutex<State<I>>,
    /// Wakes the thread that does not read.
    other: Condvar,
}

struct State<I> {
    /// The input, unless a thread reads it.
    input: Option<I>,
    /// The number of requests that were started by the thread that received them.
    started: u64,
    /// Whether a thread is free to take over the input.
    follows: bool,
    /// Whether that thread waits without ticks.
    sleeps: bool,
    ended: bool,
}

/// What a thread received.
pub enum Received {
    /// Something that needs nothing else.
    Nothing,
    /// A request.
    Request(Job),
    /// The end of the input.
    End,
}

impl<I> Turns<I> {
    /// Creates the turns. The first thread that calls [`Turns::serve`] reads the input.
    pub fn new(input: I) -> Self {
        Self {
            state: Mutex::new(State {
                input: Some(input),
                started: 0,
                follows: false,
                sleeps: false,
                ended: false,
            }),
            other: Condvar::new(),
        }
    }

    /// Takes turns with the other thread until the input ends. `receive` reads the input once.
    /// `delegate` runs a request on a third thread. It is called while the other thread is busy, as
    /// nobody could read the input otherwise.
    pub fn serve(&self, receive: impl Fn(&mut I) -> Received, delegate: impl Fn(Job)) {
        while let Some(mut input) = self.follow() {
            loop {
                match receive(&mut input) {
                    Received::Nothing => {}
                    Received::End => return self.end(),
                    Received::Request(job) => {
                        let started = match self.hand_over(input) {
                            Ok(started) => started,
                            Err(kept) => {
                                input = kept;
                                delegate(job);
                                continue;
                            }
                        };
                        job();
                        match self.take_back(started) {
                            Some(kept) => input = kept,
                            None => break,
                        }
                    }
                }
            }
        }
    }

    /// Waits until the other thread runs a request that takes long. Returns the input, or `None` at
    /// its end.
    fn follow(&self) -> Option<I> {
        let mut state = self.lock();
        let (mut seen, mut idle) = (None, 0);
        if state.started == 0 && state.input.is_some() {
            return state.input.take();
        }
        state.follows = true;
        while !state.ended {
            if seen != Some(state.started) {
                (seen, idle) = (Some(state.started), 0);
            } else if let Some(input) = state.input.take() {
                state.follows = false;
                return Some(input);
            } else {
                idle += 1;
            }
            if idle < IDLE_TICKS {
                let waited = self.other.wait_timeout(state, TICK);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            } else {
                state.sleeps = true;
                let waited = self.other.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
                state.sleeps = false;
                (seen, idle) = (None, 0);
            }
        }
        None
    }

    /// Makes the input available to the other thread. Returns the number of the request, or the
    /// input if the other thread is busy.
    fn hand_over(&self, input: I) -> Result<u64, I> {
        let mut state = self.lock();
        if !state.follows {
            return Err(input);
        }
        state.input = Some(input);
        state.started += 1;
        if state.sleeps {
            self.other.notify_one();
        }
        Ok(state.started)
    }

    /// Returns the input, unless the other thread has taken it.
    fn take_back(&self, started: u64) -> Option<I> {
        let mut state = self.lock();
        let same = state.started == started;
        same.then(|| state.input.take()).flatten()
    }

    fn end(&self) {
        self.lock().ended = true;
        self.other.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;

    type Requests = Receiver<Job>;

    /// Serves the jobs of a channel with two threads. Returns the number of delegated jobs.
    fn serve(jobs: Requests) -> thread::JoinHandle<usize> {
        fn take(turns: &Turns<Requests>, delegated: &Sender<()>) {
            let receive = |jobs: &mut Requests| match jobs.recv() {
                Ok(job) => Received::Request(job),
                Err(_) => Received::End,
            };
            turns.serve(receive, |job| {
                delegated.send(()).expect("the test counts");
                thread::spawn(job);
            });
        }
        thread::spawn(move || {
            let turns = Arc::new(Turns::new(jobs));
            let (delegated, count) = channel();
            let (other, also_delegated) = (Arc::clone(&turns), delegated.clone());
            let other = thread::spawn(move || take(&other, &also_delegated));
            take(&turns, &delegated);
            other.join().expect("the other thread ends");
            drop(delegated);
            count.iter().count()
        })
    }

    #[test]
    fn long_request_does_not_delay_the_next_ones() {
        let (send, jobs) = channel::<Job>();
        let serving = serve(jobs);
        let (release, held) = channel::<()>();
        let (done, ended) = channel();
        let long = move || held.recv().expect("the test releases it");
        send.send(Box::new(long)).expect("a thread reads");
        for _ in 0..10 {
            let done = done.clone();
            let short = move || done.send(()).expect("the test waits");
            send.send(Box::new(short)).expect("a thread reads");
        }
        for _ in 0..10 {
            let minute = Duration::from_mins(1);
            ended.recv_timeout(minute).expect("the short ones end");
        }
        release.send(()).expect("the long one runs");
        drop(send);
        serving.join().expect("both threads end");
    }

    #[test]
    fn requests_run_in_order_on_the_threads_that_receive_them() {
        let (send, jobs) = channel::<Job>();
        let (done, ended) = channel();
        for number in 0..1000 {
            let done = done.clone();
            let job = move || done.send(number).expect("the test waits");
            send.send(Box::new(job)).expect("the channel is open");
        }
        drop((send, done));
        let delegated = serve(jobs).join().expect("both threads end");
        let mut numbers: Vec<i32> = ended.iter().collect();
        assert!(delegated < 1000);
        numbers.sort_unstable();
        assert_eq!(numbers, (0..1000).collect::<Vec<_>>());
    }
}
