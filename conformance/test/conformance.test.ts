/**
 * Runs every conformance case against a whole process.
 * @module-tag full-run
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatReport } from '../src/report.ts';
import { runConformance } from '../src/runner.ts';
import { type Standalone, startStandalone } from './start-standalone.ts';

// Goal: the host of this repository is conformant except for `expected-failures.yaml`, and that list is current.
// Method: every case against the real command with an empty data folder.

let standalone: Standalone;
beforeAll(async () => {
  standalone = await startStandalone();
});
afterAll(() => standalone?.close());

it('finds the standalone host conformant', { timeout: 600_000 }, async () => {
  const report = await runConformance({ url: standalone.url, exact: true });
  expect(report.ok, formatReport(report, { isVerbose: false })).toBe(true);
});
