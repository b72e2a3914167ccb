import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

describe('what a deployment has switched off', () => {
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);

  beforeAll(async () => {
    const plugins = [graph.with({ backupCreation: false, subgraphCreation: false })];
    service = await startTestService({ plugins });
    owner = await service.newUser('Owner');
    graphId = await owner.createGraph('Bakery', []);
  });
  afterAll(() => service.close());

  it('refuses backups on request, before it judges the rest of the request (graphs B-1)', async () => {
    const refused = await operation('create-backup', { backup_format: 'csv' });
    expect([refused.status, refused.body.code]).toEqual([403, 'BACKUPS_OFF']);
    expect((await owner.get(`/v1/graphs/${graphId}/backups`)).body.backups).toEqual([]);
  });

  it('refuses new subgraphs (graphs SG-1)', async () => {
    const refused = await operation('create-subgraph', { name: 'dev', display_name: 'Dev' });
    expect([refused.status, refused.body.code]).toEqual([403, 'SUBGRAPHS_OFF']);
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs`)).body.subgraph_count).toBe(0);
  });
});
