/**
 * Starts the program and graph servers.
 * @module-tag full-run
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonToSkip, startBoltServers } from '@pacioli/graph-bolt/testing';
import { TestClient } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { runPacioli, startStandalone } from './start-standalone.ts';

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};
const harbour = {
  name: 'harbour',
  nodes: [
    { name: 'Berth', properties: [{ name: 'code', type: 'STRING', is_primary_key: true }] },
    { name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] },
  ],
  relationships: [
    { name: 'CALLS_AT', from_node: 'Vessel', to_node: 'Berth', properties: [{ name: 'hours', type: 'DOUBLE' }] },
  ],
};
const guide = new URL('../../../docs/guide/09-another-graph-engine.md', import.meta.url);
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

    it('gets a graph of the embedded engine, as the guide prints it (graphs P-3)', async () => {
      const blocks = [...(await readFile(guide, 'utf8')).matchAll(/^```text\n([\s\S]*?)^```/gm)].map(
        ([, text]) => text ?? '',
      );
      const [exportLine = '', exported, importLine = '', imported = ''] = blocks;
      const folder = await mkdtemp(join(tmpdir(), 'pacioli-moved-graph-'));
      const servers = await startBoltServers(2);
      const embedded = { DATA_DIR: folder };
      const onServers = {
        ...embedded,
        PACIOLI_GRAPH_DATABASES: servers.databases.map(({ url }) => `${url}/neo4j`).join(', '),
      };
      const everything =
        'MATCH (v:Vessel)-[c:CALLS_AT]->(b:Berth) RETURN v.imo AS imo, c.hours AS hours, b.code AS code ORDER BY code';
      try {
        const first = await startStandalone(embedded);
        const registered = { name: 'Ada', email: 'ada@example.org', password: 'Harbour-Lantern-42' };
        const signedIn = await new TestClient(first.url, {}).post('/v1/auth/register', registered);
        const headers = { authorization: `Bearer ${signedIn.body.token}` };
        const owner = new TestClient(first.url, headers);
        const accepted = await owner.post('/v1/graphs', {
          metadata: { graph_name: 'Harbour' },
          custom_schema: harbour,
        });
        const graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
        const operation = (name: string, input: object) =>
          owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
        for (const [table, content] of [
          ['Berth', 'code\nB1\nB2\n'],
          ['Vessel', 'imo\n9300001\n'],
          ['CALLS_AT', 'from,to,hours\n9300001,B1,1.5\n9300001,B2,\n'],
        ] as const) {
          const file = { table_name: table, file_name: `${table}.csv`, content_type: 'text/csv' };
          const { upload_url, file_id } = (await operation('create-file-upload', file)).body.result;
          await fetch(upload_url, { method: 'PUT', body: content, headers: { 'content-type': 'text/csv' } });
          await operation('ingest-file', { file_id });
        }
        await owner.follow((await operation('materialize', {})).body.operationId);
        const query = async (client: TestClient) =>
          (await client.post(`/v1/graphs/${graphId}/query/cypher`, { query: everything })).body.data;
        const before = await query(owner);
        expect(before).toHaveLength(2);
        expect(await first.stop()).toBe(0);
        const bundle = join(folder, 'harbour');
        const run = (line: string, environment: Readonly<Record<string, string>>) =>
          runPacioli(line.trim().replace('GRAPH', graphId).replace('harbour', bundle).split(' ').slice(2), environment);
        const written = await run(exportLine, embedded);
        expect([written.code, written.out.replace(bundle, 'harbour'), written.err]).toEqual([0, exported, '']);
        const read = await run(importLine, onServers);
        const withoutTime = (text: string) => text.replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME');
        expect([read.code, withoutTime(read.out), read.err]).toEqual([0, withoutTime(imported), '']);
        const second = await startStandalone(onServers);
        expect(await query(new TestClient(second.url, headers))).toEqual(before);
        expect(await second.stop()).toBe(0);
      } finally {
        await servers.stop();
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
);
