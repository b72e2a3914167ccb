import blocks from '@pacioli/blocks';
import { describeSet } from '@pacioli/core/assembly';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import { startTestService } from '@pacioli/testing';
import { expect, it } from 'vitest';

const aliases = { ledger: ['roboledger'] };
const everything = [graph, taxonomy, blocks, ledger, reporting];
const withoutLedger = [graph, taxonomy];

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
}

it('omits all parts of a plugin that is not in the set, and changes nothing else', () => {
  const full = describeSet({ plugins: everything, aliases });
  const part = describeSet({ plugins: withoutLedger, aliases });
  const fullPaths = (full.openapi as unknown as Document).paths; // The document's own shape.
  const partPaths = (part.openapi as unknown as Document).paths;
  for (const [path, item] of Object.entries(partPaths)) expect(item).toEqual(fullPaths[path]);
  const gone = Object.keys(fullPaths).filter((path) => !(path in partPaths));
  expect(gone.length).toBeGreaterThan(5);
  // Reporting is not there without the ledger; its downloads for people are no operation of the contract.
  const ofLedger = (path: string) => path.startsWith('/extensions/roboledger/') || path.includes('/reports/');
  expect(gone.filter((path) => !ofLedger(path))).toEqual([]);
  expect(full.sdl).toContain('trialBalance(');
  expect(part.sdl).not.toContain('trialBalance(');
  expect(part.sdl).toContain('hello: String!');
});

it('answers 404 on the paths of a missing ledger, and serves the rest', async () => {
  const service = await startTestService({ plugins: withoutLedger, aliases });
  try {
    const user = await service.newUser();
    const graphId = await user.createGraph('No books', []);
    expect((await user.post(`/extensions/roboledger/${graphId}/operations/create-event-block`)).status).toBe(404);
    expect((await user.post(`/extensions/ledger/${graphId}/operations/initialize`)).status).toBe(404);
    const missing = await user.graphql(graphId, '{ trialBalance { totalDebits } }');
    expect(missing.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect((await user.graphql(graphId, '{ hello }')).body.data.hello).toContain('Hello');
    const refused = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Books', schema_extensions: ['roboledger'] },
    });
    expect(refused.status).toBe(422);
  } finally {
    await service.close();
  }
});
