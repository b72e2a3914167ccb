import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [] });
});
afterAll(() => service.close());

function update(client: TestClient, graphId: string, change: object) {
  return client.post(`/v1/graphs/${graphId}/operations/update-graph-metadata`, change);
}

describe('update-graph-metadata', () => {
  it('changes what is given and names what has changed (graphs G-52)', async () => {
    const owner = await service.newUser();
    const graphId = await owner.createGraph('Books', []);
    const first = await update(owner, graphId, { graph_name: ' Ledger ', tags: [' b ', 'a', 'b', ''] });
    expect(first.body.result).toEqual({
      graph_id: graphId,
      graph_name: 'Ledger',
      description: '',
      tags: ['b', 'a'],
      updated_fields: ['graph_name', 'tags'],
    });
    const second = await update(owner, graphId, { graph_name: null, description: 'Of 2026', tags: ['b', 'a'] });
    expect(second.body.result).toMatchObject({ graph_name: 'Ledger', updated_fields: ['description'] });
    const same = await update(owner, graphId, { graph_name: 'Ledger' });
    expect([same.status, same.body.result.updated_fields]).toEqual([200, []]);
    const cleared = await update(owner, graphId, { description: '', tags: [] });
    expect(cleared.body.result).toMatchObject({ description: '', tags: [], updated_fields: ['description', 'tags'] });
    const [listed] = (await owner.get('/v1/graphs')).body.graphs;
    expect(listed).toMatchObject({ graphName: 'Ledger', description: '', tags: [] });
  });

  it('refuses a blank name, too many or too long tags, and no field, and changes nothing (graphs G-52)', async () => {
    const owner = await service.newUser();
    const graphId = await owner.createGraph('Books', []);
    const wrong: readonly (readonly [object, number, string])[] = [
      [{ graph_name: '  ' }, 422, 'graph_name'],
      [{ graph_name: 'x'.repeat(256) }, 422, 'graph_name'],
      [{ graph_name: 'Good', tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }, 422, 'tags'],
      [{ graph_name: 'Good', tags: ['x'.repeat(51)] }, 422, 'tags'],
      [{ graph_name: 7 }, 422, 'graph_name'],
      [{}, 400, 'No fields provided for update.'],
      [{ graph_name: null, tags: null }, 400, 'No fields provided for update.'],
    ];
    for (const [change, status, text] of wrong) {
      const answer = await update(owner, graphId, change);
      expect([change, answer.status]).toEqual([change, status]);
      expect(JSON.stringify(answer.body)).toContain(text);
    }
    const stranger = await service.newUser();
    expect((await update(stranger, graphId, { graph_name: 'Mine' })).status).toBe(403);
    const [listed] = (await owner.get('/v1/graphs')).body.graphs;
    expect(listed).toMatchObject({ graphName: 'Books', tags: [] });
  });
});
