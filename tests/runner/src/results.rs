//! The results that test programs print: those of the standard library, and of libtest-mimic.

use std::fmt::Write as _;

/// The sum of the results of test programs.
#[derive(Debug, Default)]
pub struct Results {
    passed: u64,
    failed: u64,
    skipped: u64,
    /// The number of test programs that have ended with a result.
    programs: u64,
    failures: Vec<String>,
}

impl Results {
    /// Adds a line of output.
    pub fn add(&mut self, line: &str) {
        let line = line.trim_end();
        if let Some(counts) = line.strip_prefix("test result: ") {
            self.programs += 1;
            self.passed += count(counts, "passed");
            self.failed += count(counts, "failed");
            self.skipped += count(counts, "ignored");
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
        if !success && self.failed == 0 {
            let what = match self.programs {
                0 => "the tests did not start",
                _ => "a test program ended without a result",
            };
            let _ = write!(line, "; {what}");
        }
        line
    }
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
        let results = results("running 3 tests\ntest a ... ok\n");
        let crashed = "0 passed, 0 failed, 0 skipped; the tests did not start";
        assert_eq!(results.summary(false), crashed);
        let mut results = results;
        results.add("test result: ok. 3 passed; 0 failed; 0 ignored");
        assert_eq!(results.summary(true), "3 passed, 0 failed, 0 skipped");
        let crashed = "3 passed, 0 failed, 0 skipped; a test program ended without a result";
        assert_eq!(results.summary(false), crashed);
    }

    #[test]
    fn other_lines_do_not_count() {
        let results = results("test result\nthe test result: 9 passed\ntest x ... bench\n");
        assert_eq!(results.summary(true), "0 passed, 0 failed, 0 skipped");
    }
}
