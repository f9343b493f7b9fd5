//! Tests of the work between reads.

use super::*;
use std::sync::mpsc::{Receiver, Sender, channel};

const GUARD: Duration = Duration::from_mins(1);

/// Reports where it is dropped or prepared.
struct Report(Mutex<Sender<&'static str>>);

impl Report {
    fn new() -> (Self, Receiver<&'static str>) {
        let (sender, reports) = channel();
        (Self(Mutex::new(sender)), reports)
    }

    fn send(&self, what: &'static str) {
        let sender = self.0.lock().unwrap();
        let _ = sender.send(what);
    }
}

impl Prepare for Report {
    fn prepare(&self) {
        self.send("prepared");
    }

    fn release(&self) {
        self.send("released");
    }
}

struct Ended(Report);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.send("cleaned");
    }
}

fn ended() -> (Ended, Receiver<&'static str>) {
    let (report, reports) = Report::new();
    (Ended(report), reports)
}

/// The work of a process that has read once.
fn upkeep() -> Arc<Upkeep> {
    let upkeep = Upkeep::new(true);
    drop(upkeep.begin());
    upkeep
}

#[test]
fn first_read_of_a_process_starts_no_thread() {
    let upkeep = Upkeep::new(true);
    let call = upkeep.begin();
    let (ended, _reports) = ended();
    assert!(upkeep.clean(ended).is_some());
    assert!(upkeep.thread.get().is_none());
    drop(call);
    let without_pool = Upkeep::new(false);
    drop(without_pool.begin());
    assert!(!without_pool.is_apart());
}

#[test]
fn lone_read_leaves_work_to_the_thread() {
    let upkeep = upkeep();
    let _call = upkeep.begin();
    if upkeep.thread().is_none() {
        return;
    }
    for _ in 0..3 {
        let (report, prepared) = Report::new();
        assert!(upkeep.want(Arc::new(report)));
        let (ended, cleaned) = ended();
        upkeep.crowded.store(0, Ordering::Relaxed);
        assert!(upkeep.clean(ended).is_none());
        assert_eq!(cleaned.recv_timeout(GUARD), Ok("cleaned"));
        assert_eq!(prepared.recv_timeout(GUARD), Ok("prepared"));
        // It sleeps.
        thread::sleep(AWAKE * 10);
    }
}

#[test]
fn reads_do_the_work_while_the_thread_has_no_core() {
    let upkeep = upkeep();
    upkeep.crowded.store(u64::MAX, Ordering::Relaxed);
    assert!(!upkeep.is_apart());
    upkeep.leave_to_reads();
    thread::sleep(CROWDED * 2);
    assert!(upkeep.is_apart());
}

#[test]
fn read_beside_others_does_the_work_itself() {
    let upkeep = upkeep();
    let _calls = (upkeep.begin(), upkeep.begin());
    assert!(!upkeep.is_apart());
    let (ended, _reports) = ended();
    assert!(upkeep.clean(ended).is_some());
}

#[test]
fn work_that_is_put_off_waits_for_the_reply() {
    let upkeep = upkeep();
    let (report, prepared) = Report::new();
    let (ended, cleaned) = ended();
    let after = AfterReply::new();
    {
        let _call = upkeep.begin();
        assert!(upkeep.want(Arc::new(report)));
        assert!(upkeep.clean(ended).is_none());
    }
    // Only the outer guard counts.
    drop(AfterReply::new());
    assert!(prepared.try_recv().is_err() && cleaned.try_recv().is_err());
    assert!(upkeep.thread.get().is_none());
    drop(after);
    assert_eq!(cleaned.recv_timeout(GUARD), Ok("cleaned"));
    assert_eq!(prepared.recv_timeout(GUARD), Ok("prepared"));
}

#[test]
fn few_ended_instances_wait() {
    let upkeep = upkeep();
    let after = AfterReply::new();
    let _call = upkeep.begin();
    let mut reports = Vec::new();
    for number in 0..=ENDED {
        let (ended, cleaned) = ended();
        assert_eq!(upkeep.clean(ended).is_some(), number == ENDED);
        reports.push(cleaned);
    }
    drop(after);
    for cleaned in reports {
        assert_eq!(cleaned.recv_timeout(GUARD), Ok("cleaned"));
    }
}

/// As in the child of a fork, where the thread with the lock is not there.
#[test]
fn taken_lock_does_not_block_a_read() {
    let upkeep = upkeep();
    let _after = AfterReply::new();
    let _call = upkeep.begin();
    let locked = upkeep.locked();
    let (ended, _reports) = ended();
    assert!(upkeep.clean(ended).is_some());
    let (report, _reports) = Report::new();
    assert!(!upkeep.want(Arc::new(report)));
    drop(locked);
}

#[test]
fn prepared_instances_are_released() {
    let upkeep = upkeep();
    let (report, released) = Report::new();
    let spare: Arc<dyn Prepare> = Arc::new(report);
    upkeep.add(Arc::downgrade(&spare));
    upkeep.release();
    assert_eq!(released.try_recv(), Ok("released"));
    drop(spare);
    upkeep.release();
    assert!(upkeep.spares().is_empty());
}

#[test]
fn thread_ends_with_its_work() {
    let upkeep = upkeep();
    if upkeep.thread().is_none() {
        return;
    }
    let weak = Arc::downgrade(&upkeep);
    drop(upkeep);
    let began = Instant::now();
    while weak.upgrade().is_some() && began.elapsed() < GUARD {
        thread::yield_now();
    }
    assert!(weak.upgrade().is_none());
}
