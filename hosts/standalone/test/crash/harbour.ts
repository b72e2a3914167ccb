import type { TestClient } from '@pacioli/testing';
import { expect } from 'vitest';

const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Berth',
      properties: [
        { name: 'code', type: 'STRING', is_primary_key: true },
        { name: 'depth_m', type: 'DOUBLE' },
      ],
    },
  ],
  relationships: [{ name: 'NEXT_TO', from_node: 'Berth', to_node: 'Berth', properties: [] }],
};

/** The berths of the graph; each is next to the one before it. */
export const berthCount = 500;

/** Registers an owner with an API key. */
export async function harbourOwner(anonymous: TestClient): Promise<Readonly<Record<string, string>>> {
  const person = { name: 'Kim', email: 'kim@example.org', password: 'Harbour-Lantern-42' };
  const { body } = await anonymous.post('/v1/auth/register', person);
  const session = anonymous.withHeaders({ authorization: `Bearer ${body.token}` });
  return { 'x-api-key': (await session.post('/v1/user/api-keys', { name: 'crash' })).body.key };
}

/** Creates a graph from files and returns its id. */
export async function buildHarbour(owner: TestClient): Promise<string> {
  const created = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
  const graphId = (await owner.follow(created.body.operationId)).body.result.graph_id;
  const codes = Array.from({ length: berthCount }, (_, index) => `B${String(index).padStart(4, '0')}`);
  await ingestRows(owner, graphId, 'Berth', ['code,depth_m', ...codes.map((code, index) => `${code},${index / 2}`)]);
  const pairs = codes.slice(1).map((code, index) => `${codes[index]},${code}`);
  await ingestRows(owner, graphId, 'NEXT_TO', ['from,to', ...pairs]);
  const built = await owner.post(`/v1/graphs/${graphId}/operations/materialize`, {});
  expect((await owner.follow(built.body.operationId)).body.result.total_rows).toBe(2 * berthCount - 1);
  return graphId;
}

/** Uploads and stages rows of a table. */
export async function ingestRows(
  owner: TestClient,
  graphId: string,
  table: string,
  lines: readonly string[],
): Promise<void> {
  const input = { table_name: table, file_name: `${table}.csv`, content_type: 'text/csv' };
  const { result } = (await owner.post(`/v1/graphs/${graphId}/operations/create-file-upload`, input)).body;
  const headers = { 'content-type': 'text/csv' };
  await fetch(result.upload_url, { method: 'PUT', body: `${lines.join('\n')}\n`, headers });
  await owner.post(`/v1/graphs/${graphId}/operations/ingest-file`, { file_id: result.file_id });
}
