//! `omniread batch`: one row of JSON for each of many files. The crate `omniread-batch` reads them.

mod list;

use crate::arguments::Arguments;
use crate::batch_arguments::BatchArguments;
use crate::exit::{FAILED, READ, STOPPED, USAGE};
use crate::output::{self, is_silent, print_message, print_usage_error};
use crate::progress;
use list::List;
use omniread::{Options, Reader};
use omniread_batch::{
    Batch, Facts, ManifestError, Opened, Recorded, Rows, Settings, Stopper, Summary, Target,
};
use omniread_service::{finish_before_end, on_termination};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::thread;
use std::time::Duration;

/// The columns of the bar of a progress.
const BAR: usize = 20;

/// Runs the command. Returns the exit status.
///
/// # Errors
/// Fails if the rows cannot be written.
pub fn run(
    reader: Reader,
    arguments: &Arguments,
    given: &BatchArguments,
    options: Options,
) -> io::Result<u8> {
    if list::is_missing(given) {
        print_usage_error(
            "`omniread batch` needs paths\nhint: write them as arguments, or pipe a list: `find . -name '*.md' | omniread batch`",
        );
        return Ok(USAGE);
    }
    let target = match &given.output {
        Some(file) => Target::File(file.clone()),
        None => Target::Stream(Box::new(io::stdout())),
    };
    let facts = facts(&reader, arguments, given, &options);
    let opened = Recorded::open(target, given.resume.as_deref(), facts);
    let Opened {
        rows, done, files, ..
    } = match opened {
        Ok(opened) => opened,
        Err(error) => return Ok(refused(&error)),
    };
    let mut settings = Settings::new(reader);
    settings.dialect = arguments.dialect;
    settings.options = options;
    settings.jobs = given.jobs.unwrap_or(settings.jobs);
    settings.is_ordered = !given.unordered;
    settings.members = given.members;
    settings.recursive = given.recursive;
    settings.excluded = files;
    let list = List::of(given);
    let part = list.part();
    let batch = Batch::new(settings, rows);
    let (stopper, stopped) = (batch.stopper(), batch.stopper());
    on_termination(move || stop(&stopped), || {})?;
    let numbers = batch.progress();
    let describe = move |time| {
        let part = part.as_ref().and_then(list::Part::of_all);
        described(&numbers.now(), time, part)
    };
    // Rows on the terminal are a progress themselves.
    let is_busy = given.output.is_none() && io::stdout().is_terminal();
    let shown = if is_busy {
        None
    } else {
        progress::of_batch(describe)
    };
    let outcome = batch.run(list, done);
    drop(shown);
    let summary = match outcome {
        Ok(summary) => summary,
        Err(error) if list::is_of_input(&error) => {
            print_message(&error.to_string());
            return Ok(FAILED);
        }
        Err(error) => return Err(error),
    };
    if stopper.is_stopped() {
        // The thread that stops the batch ends the process.
        loop {
            thread::park();
        }
    }
    report(&summary, false);
    Ok(if summary.failed > 0 { FAILED } else { READ })
}

/// Stops a batch, and ends the process.
#[expect(clippy::exit, reason = "the main thread may wait for the list")]
fn stop(batch: &Stopper<impl Rows>) {
    let outcome = batch.stop();
    let code = match outcome {
        Ok(summary) => {
            report(&summary, true);
            STOPPED
        }
        Err(error) => {
            print_message(&format!("cannot write: {error}"));
            i32::from(FAILED)
        }
    };
    let _ = output::finish();
    finish_before_end();
    std::process::exit(code);
}

/// Prints why an output or a manifest cannot be used, and returns the exit status.
fn refused(error: &ManifestError) -> u8 {
    if error.is_usage() {
        print_usage_error(&error.to_string());
        USAGE
    } else {
        print_message(&error.to_string());
        FAILED
    }
}

/// What must be the same in all runs of a manifest. Secrets are not in it.
fn facts(
    reader: &Reader,
    arguments: &Arguments,
    given: &BatchArguments,
    options: &Options,
) -> Facts {
    let output = given.output.as_ref();
    let output = output.map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone()));
    Facts::default()
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("roots", reader.roots().collect::<Vec<_>>())
        .with(
            "mounts",
            arguments
                .mounts
                .iter()
                .map(|mount| format!("{mount:?}"))
                .collect::<Vec<_>>(),
        )
        .with("deny", &arguments.deny)
        .with("max_file_size", arguments.max_file_size)
        .with("dialect", arguments.dialect.name())
        .with("options", format!("{options:?}"))
        .with("members", given.members)
        .with("recursive", given.recursive)
        .with(
            "output",
            output.map(|file| file.to_string_lossy().into_owned()),
        )
}

/// The progress on one line.
fn described(now: &Summary, time: Duration, part: Option<f64>) -> String {
    let mut text = String::new();
    if let Some(part) = part {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between 0 and 100"
        )]
        let percent = (part.clamp(0.0, 1.0) * 100.0) as usize;
        let full = percent * BAR / 100;
        let _ = write!(
            text,
            "[{}{}] {percent} %, ",
            "#".repeat(full),
            "-".repeat(BAR - full)
        );
    }
    let rows = now.rows();
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
    let rate = rows.saturating_mul(1000) / milliseconds;
    let _ = write!(text, "{rows} rows");
    if now.failed > 0 {
        let _ = write!(text, ", {} failed", now.failed);
    }
    let _ = write!(text, ", {rate}/s");
    text
}

/// Prints the numbers of a batch that has ended, if there is something to say.
fn report(summary: &Summary, is_stopped: bool) {
    let is_plain = summary.failed + summary.repeated + summary.done_before == 0;
    if is_silent() || is_plain && !is_stopped && !io::stderr().is_terminal() {
        return;
    }
    let mut text = if is_stopped {
        "stopped: ".to_owned()
    } else {
        String::new()
    };
    let _ = write!(text, "{} rows", summary.rows());
    for (number, of) in [
        (summary.failed, "not read"),
        (summary.repeated, "repeated paths without another row"),
        (summary.done_before, "paths with a row of an earlier run"),
        (summary.left_out, "cancelled reads without a row"),
    ] {
        if number > 0 {
            let _ = write!(text, "; {of}: {number}");
        }
    }
    if is_stopped {
        text.push_str("\nhint: with `--resume`, the same command writes the rows that are missing");
    }
    print_message(&text);
}
