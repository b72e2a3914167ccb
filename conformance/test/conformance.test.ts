/**
 * Runs every conformance case against a whole process.
 * @module-tag full-run
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatReport } from '../src/report.ts';
import { runConformance } from '../src/runner.ts';
import { type Standalone, startStandalone } from './start-standalone.ts';

// Goal: the host of this repository is conformant but for what `expected-failures.yaml` lists, and the list is fresh.
// Method: every case against the real command with an empty data folder.

let standalone: Standalone;
beforeAll(async () => {
  standalone = await startStandalone();
});
afterAll(() => standalone?.close());

it('the standalone host is conformant', { timeout: 600_000 }, async () => {
  const report = await runConformance({ url: standalone.url });
  expect(report.ok, formatReport(report, { isVerbose: false })).toBe(true);
});
