import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import watchlist from '../src/index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [watchlist] });
});
afterAll(async () => {
  await service.close();
});

it('stores a security and shows it only in its own graph', async () => {
  const owner = await service.newUser();
  const graph = await owner.createGraph('Savings', ['watchlist']);
  const other = await owner.createGraph('Pension', ['watchlist']);
  const added = await owner.post(`/extensions/watchlist/${graph}/operations/watch-security`, {
    ticker: ' acme ',
    note: 'new',
  });
  expect(added.status).toBe(200);
  expect(added.body.result).toEqual({ ticker: 'ACME', is_new: true });
  const query = '{ watchedSecurities { ticker note } }';
  expect((await owner.graphql(graph, query)).body.data.watchedSecurities).toEqual([{ ticker: 'ACME', note: 'new' }]);
  expect((await owner.graphql(other, query)).body.data.watchedSecurities).toEqual([]);
});

it('rejects an invalid ticker and stores nothing', async () => {
  const owner = await service.newUser();
  const graph = await owner.createGraph('Savings', ['watchlist']);
  const refused = await owner.post(`/extensions/watchlist/${graph}/operations/watch-security`, { ticker: 'TWO WORDS' });
  expect(refused.status).toBe(422);
  expect(refused.body.detail).toContain('letters, digits');
  expect((await owner.graphql(graph, '{ watchedSecurities { ticker } }')).body.data.watchedSecurities).toEqual([]);
});
