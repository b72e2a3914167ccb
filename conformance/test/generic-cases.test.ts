import { afterEach, describe, expect, it } from 'vitest';
import { runConformance } from '../src/runner.ts';
import { type Fault, type FixtureService, startFixture } from './fixture-service.ts';

// Goal: each generic case detects its fault, and a service without faults passes all of them.
// Method: a small service with one operation breaks one rule at a time.

const operation = 'POST /v1/graphs/{graph_id}/operations/rename';
const faults: readonly (readonly [Fault, readonly string[]])[] = [
  ['answers anonymous callers', ['GEN-001']],
  ['takes any key', ['GEN-002']],
  ['shows other tenants', ['GEN-003', 'GEN-004']],
  ['takes any graph id', ['GEN-005']],
  ['takes broken JSON', ['GEN-006']],
  ['takes any content type', ['GEN-007']],
  ['takes any length', ['GEN-008']],
  ['takes any method', ['GEN-009']],
  ['forgets keys', ['GEN-010']],
  ['ignores the body of a key', ['GEN-010']],
  ['takes long keys', ['GEN-011']],
  ['takes incomplete bodies', ['GEN-012']],
];

let fixture: FixtureService | undefined;
afterEach(() => fixture?.close());

async function failures(fault?: Fault): Promise<readonly string[]> {
  fixture = await startFixture(fault);
  const report = await runConformance({
    url: fixture.url,
    contract: null,
    only: ['GEN-'],
    expectedFailures: new Map(),
  });
  expect(report.results.map(({ id }) => id).filter((id) => id.endsWith(operation))).toHaveLength(11);
  return report.results.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id.slice(0, 7));
}

describe('generic-cases', () => {
  it('pass for a service that follows every rule', async () => {
    expect(await failures()).toEqual([]);
  });

  for (const [fault, caught] of faults) {
    it(`detect a service that ${fault}`, async () => {
      expect(await failures(fault)).toEqual(caught);
    });
  }

  it('detect a service that nests errors (platform E-1)', async () => {
    expect(await failures('nests errors')).toHaveLength(12);
  });
});
