import { sql } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};

describe('deleting a subgraph', () => {
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  const operation = (client: TestClient, name: string, input: object, of = graphId) =>
    client.post(`/v1/graphs/${of}/operations/${name}`, input);
  const list = async (of = graphId) => (await owner.get(`/v1/graphs/${of}/backups`)).body;
  const write = (query: string, of: string) => owner.post(`/v1/graphs/${of}/query/cypher`, { query });

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph] });
    owner = await service.newUser('Owner');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  });
  afterAll(() => service.close());

  it('leaves its backups in the list of its parent, and a new one of its name has none (graphs SG-13, I-3)', async () => {
    const sub = `${graphId}_past`;
    await operation(owner, 'create-subgraph', { name: 'past', display_name: 'Past' });
    await write("CREATE (:Vessel {imo: 'e1'})", sub);
    const taken = await operation(owner, 'create-backup', {}, sub);
    await owner.follow(taken.body.operationId);
    const id = taken.body.result.backup_id;
    const before = (await list()).total_count;
    await operation(owner, 'delete-subgraph', { subgraph_name: 'past', force: true });
    await operation(owner, 'create-subgraph', { name: 'past', display_name: 'Past again' });
    expect((await owner.get(`/v1/graphs/${sub}/info`)).body).toMatchObject({ backup_count: 0, last_backup_date: null });
    expect((await list(sub)).backups).toEqual([]);
    expect((await owner.get(`/v1/graphs/${sub}/backups/${id}/download`)).status).toBe(404);
    const { backups, total_count: total } = await list();
    expect(total).toBe(before + 2);
    expect(backups.filter((each: { backup_id: string }) => each.backup_id === id)).toMatchObject([
      { graph_id: sub, initiated_by: 'user', status: 'completed' },
    ]);
    expect((await owner.get(`/v1/graphs/${graphId}/backups/${id}/download`)).status).toBe(200);
    await operation(owner, 'delete-subgraph', { subgraph_name: 'past', backup_first: false });
  });

  it('takes no statement meanwhile, so that its last backup has all that is removed (graphs SG-13)', async () => {
    const sub = `${graphId}_busy`;
    await operation(owner, 'create-subgraph', { name: 'busy', display_name: 'Busy' });
    await write("CREATE (:Vessel {imo: 'e1'})", sub);
    const { write: works } = service.fileStore;
    const refused: number[] = [];
    service.fileStore.write = async (...words) => {
      refused.push((await write("CREATE (:Vessel {imo: 'late'})", sub)).status);
      refused.push((await operation(owner, 'delete-subgraph', { subgraph_name: 'busy', force: true })).status);
      return works.apply(service.fileStore, words);
    };
    const deleted = await operation(owner, 'delete-subgraph', { subgraph_name: 'busy', force: true });
    service.fileStore.write = works;
    expect([deleted.status, refused]).toEqual([200, [404, 409]]);
    expect((await list()).backups[0]).toMatchObject({ graph_id: sub, node_count: 1 });
  });

  it('is refused when the subgraph was replaced while it was backed up (graphs SG-13)', async () => {
    const sub = `${graphId}_new`;
    await operation(owner, 'create-subgraph', { name: 'new', display_name: 'New' });
    await write("CREATE (:Vessel {imo: 'e1'})", sub);
    const { write: works } = service.fileStore;
    service.fileStore.write = async (...words) => {
      await service.store.transaction('kernel', (tx) =>
        tx.query(
          sql`UPDATE kernel_subgraph SET generation = nextval('kernel_subgraph_generation') WHERE graph_id = ${sub}`,
        ),
      );
      return works.apply(service.fileStore, words);
    };
    const deleted = await operation(owner, 'delete-subgraph', { subgraph_name: 'new', force: true });
    service.fileStore.write = works;
    expect([deleted.status, deleted.body.code]).toEqual([409, 'SUBGRAPH_CHANGED']);
    const statusOf = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`DELETE FROM kernel_graph WHERE graph_id = ${sub} RETURNING status`),
    );
    expect(statusOf).toEqual([{ status: 'deleting' }]);
  });
});
