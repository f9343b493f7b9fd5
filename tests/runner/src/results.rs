//! The results that test programs print: those of the standard library, and of libtest-mimic.

use std::fmt::Write as _;

/// The sum of the results of test programs.
#[derive(Debug, Default)]
pub struct Results {
    passed: u64,
    failed: u64,
    skipped: u64,
    /// The number of test programs that have begun.
    begun: u64,
    /// The number of test programs that have ended with a result.
    ended: u64,
    failures: Vec<String>,
}

impl Results {
    /// Adds a line of output.
    pub fn add(&mut self, line: &str) {
        let line = line.trim_end();
        if let Some(counts) = line.strip_prefix("test result: ") {
            self.ended += 1;
            self.passed += count(counts, "passed");
            self.failed += count(counts, "failed");
            self.skipped += count(counts, "ignored");
        } else if is_begin(line) {
            self.begun += 1;
        } else if let Some(name) = failure(line) {
            self.failures.push(name.to_owned());
        }
    }

    /// The names of the tests that failed.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// The line with the sum. `success` is whether cargo reports that everything passed.
    pub fn summary(&self, success: bool) -> String {
        let mut line = format!(
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        );
        let crashed = self.begun.saturating_sub(self.ended);
        if crashed > 0 {
            let s = if crashed == 1 { "" } else { "s" };
            let _ = write!(line, "; {crashed} test program{s} ended without a result");
        } else if !success && self.failed == 0 {
            line.push_str("; the tests did not start");
        }
        line
    }
}

/// Whether a line is the first one of a test program, such as `running 3 tests`.
fn is_begin(line: &str) -> bool {
    let rest = line.strip_prefix("running ");
    let count = rest.and_then(|rest| rest.strip_suffix(" tests").or(rest.strip_suffix(" test")));
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

/// The number before a word, in a line such as `ok. 3 passed; 0 failed; 1 ignored; 0 measured`.
fn count(counts: &str, word: &str) -> u64 {
    let mut words = counts.split([' ', ';']).filter(|word| !word.is_empty());
    let mut before = 0;
    for next in &mut words {
        if next == word {
            return before;
        }
        before = next.parse().unwrap_or(0);
    }
    0
}

/// The name of the test in a line such as `test a::b ... FAILED`.
fn failure(line: &str) -> Option<&str> {
    let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
    Some(name.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
running 3 tests
test a::b ... ok
test long name::of a case   ... FAILED
test c ... ignored, there is no client

failures:
    long name::of a case

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 4 filtered out; finished in 1.02s

   Doc-tests omniread

running 12 tests
test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

    fn results(output: &str) -> Results {
        let mut results = Results::default();
        output.lines().for_each(|line| results.add(line));
        results
    }

    #[test]
    fn results_of_all_programs_are_added() {
        let results = results(OUTPUT);
        assert_eq!(results.summary(false), "13 passed, 1 failed, 1 skipped");
        assert_eq!(results.failures(), ["long name::of a case"]);
    }

    #[test]
    fn program_that_crashes_is_not_hidden_by_the_sum() {
        let mut crashed = results("running 3 tests\ntest a ... ok\n");
        let line = "0 passed, 0 failed, 0 skipped; 1 test program ended without a result";
        assert_eq!(crashed.summary(false), line);
        // Another one has a result.
        crashed.add("running 1 test");
        crashed.add("test result: FAILED. 0 passed; 1 failed; 0 ignored");
        let line = "0 passed, 1 failed, 0 skipped; 1 test program ended without a result";
        assert_eq!(crashed.summary(false), line);
        let line = "0 passed, 0 failed, 0 skipped; the tests did not start";
        assert_eq!(results("error: could not compile").summary(false), line);
    }

    #[test]
    fn other_lines_do_not_count() {
        let results = results("test result\nthe test result: 9 passed\ntest x ... bench\n");
        assert_eq!(results.summary(true), "0 passed, 0 failed, 0 skipped");
    }
}
