// Goal: no one can write to the shared graphs, whatever the operation and its body.
// Method: a real service with every plugin; each operation of the ledger's domain is sent to each shared graph.
import blocks from '@pacioli/blocks';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const plugins = [graph, taxonomy, blocks, ledger, reporting];
const operations = plugins
  .flatMap((plugin) =>
    [...plugin.operations, ...plugin.views].map((part) => ({ part, domain: part.domain ?? plugin.domain })),
  )
  .filter(({ domain }) => domain === 'ledger')
  .map(({ part }) => part.name)
  .sort();

let service: TestService;
let user: TestClient;

beforeAll(async () => {
  service = await startTestService({ plugins });
  user = await service.newUser('Ada');
});

afterAll(() => service.close());

describe('shared graphs', () => {
  it.each(['library', 'sec', 'SEC', 'sec_filings'])(
    'reject all operations of the ledger: %s (taxonomy LB-13)',
    async (id) => {
      expect(operations.length).toBeGreaterThan(30);
      const answers: Record<string, number> = {};
      for (const name of operations) {
        answers[name] = (await user.post(`/extensions/ledger/${id}/operations/${name}`, {})).status;
      }
      expect(answers).toEqual(Object.fromEntries(operations.map((name) => [name, 403])));
    },
  );

  it('are closed to anonymous callers', async () => {
    const path = '/extensions/ledger/library/operations/create-taxonomy-block';
    expect((await service.anonymous.post(path, {})).status).toBe(401);
  });

  it('keep the library unchanged and readable for all users (taxonomy LB-13)', async () => {
    const { body } = await user.graphql('library', '{ libraryTaxonomies { id name } }');
    expect(body.errors).toBeUndefined();
    expect(body.data.libraryTaxonomies.length).toBeGreaterThan(0);
  });
});
