/** Reads from the runners' reports how many tests passed and failed. */

/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * Counts of a report by Vitest (`--reporter=json`).
 * A file that failed before its first test counts as one failure.
 * @param {string} text
 * @returns {Counts}
 */
export function countVitest(text) {
  const report = JSON.parse(text);
  const brokenFiles = report.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length };
}

/**
 * Counts of a report by Playwright (`json` reporter). A test that passed on a second try passed.
 * @param {string} text
 * @returns {Counts}
 */
export function countPlaywright(text) {
  const { expected, flaky, unexpected } = JSON.parse(text).stats;
  return { passed: expected + flaky, failed: unexpected };
}

/**
 * The sum of all runs.
 * @param {readonly Counts[]} counts
 * @returns {Counts}
 */
export function sum(counts) {
  const total = { passed: 0, failed: 0 };
  for (const { passed, failed } of counts) {
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}
