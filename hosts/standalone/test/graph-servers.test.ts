/**
 * Starts the program and graph servers.
 * @module-tag full-run
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonToSkip, startBoltServers } from '@pacioli/graph-bolt/testing';
import { TestClient } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { startStandalone } from './start-standalone.ts';

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};
const reason = reasonToSkip();

/**
 * Goal: a deployment keeps its graphs on the servers that its environment names. Method: the program is started with
 * three of them; a graph is created, forked, written and read after a restart, and deleting subgraphs frees databases.
 */
describe.skipIf(reason !== undefined)(
  `the program with graph servers${reason === undefined ? '' : `: ${reason}`}`,
  () => {
    it('keeps graphs in the databases that PACIOLI_GRAPH_DATABASES names, also after a restart', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pacioli-graph-servers-'));
      const servers = await startBoltServers(3);
      const environment = {
        DATA_DIR: folder,
        PACIOLI_GRAPH_DATABASES: servers.databases.map(({ url }) => `${url}/neo4j`).join(', '),
      };
      const registered = { name: 'Ada', email: 'ada@example.org', password: 'Harbour-Lantern-42' };
      try {
        const first = await startStandalone(environment);
        const signedIn = await new TestClient(first.url, {}).post('/v1/auth/register', registered);
        const headers = { authorization: `Bearer ${signedIn.body.token}` };
        const owner = new TestClient(first.url, headers);
        expect((await owner.get('/v1/graphs/tiers')).body.tiers[0].backend).toBe('bolt');
        const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
        const parent = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
        const query = (client: TestClient, id: string, text: string) =>
          client.post(`/v1/graphs/${id}/query/cypher`, { query: text });
        const subgraph = (name: string) =>
          owner.post(`/v1/graphs/${parent}/operations/create-subgraph`, { name, display_name: name });
        const count = 'MATCH (v:Vessel) RETURN count(*) AS n';
        expect((await query(owner, parent, count)).body.data).toEqual([{ n: 0 }]);
        for (const name of ['one', 'two', 'three']) expect((await subgraph(name)).status).toBe(200);
        for (const name of ['one', 'two'])
          expect((await query(owner, `${parent}_${name}`, "CREATE (v:Vessel {imo: '9300001'})")).status).toBe(200);
        // The parent and two subgraphs use all databases.
        expect((await query(owner, `${parent}_three`, count)).status).toBe(503);
        expect(await first.stop()).toBe(0);
        const second = await startStandalone(environment);
        const again = new TestClient(second.url, headers);
        expect((await query(again, `${parent}_one`, count)).body.data).toEqual([{ n: 1 }]);
        const deleted = await again.post(`/v1/graphs/${parent}/operations/delete-subgraph`, {
          subgraph_name: 'two',
          force: true,
        });
        expect(deleted.body.status).toBe('completed');
        await expect
          .poll(async () => (await query(again, `${parent}_three`, count)).body.data, { timeout: 60_000 })
          .toEqual([{ n: 0 }]);
        expect(await second.stop()).toBe(0);
      } finally {
        await servers.stop();
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
);
