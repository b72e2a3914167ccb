import { Connection, Database, type QueryResult } from '@ladybugdb/core';
import graph from '@pacioli/graph';
import { joinTeam, startTestService, type TestClient, teamSettings } from '@pacioli/testing';
import { answering } from './bench-service.ts';
import { type Figure, inTurns, rateOf } from './measure.ts';

const users = 20;
const callersPerUser = 10;
const vessels = 1_000;
const seconds = 5;
const query = 'MATCH (v:Vessel) WHERE v.imo = $imo RETURN v.name AS name';

const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Vessel',
      properties: [
        { name: 'imo', type: 'STRING', is_primary_key: true },
        { name: 'name', type: 'STRING' },
      ],
    },
  ],
};

/** 200 callers of twenty users with small queries over HTTP, compared with eight connections of the engine. */
export async function smallQueries(): Promise<readonly Figure[]> {
  const service = await startTestService({ plugins: [graph], settings: teamSettings });
  try {
    const owner = await service.newUser('Bench');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Bench' }, custom_schema: schema });
    const graphId: string = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    await fill(owner, graphId);
    const team = [owner];
    while (team.length < users) {
      const { client, userId } = await joinTeam(service, owner);
      await owner.post(`/v1/graphs/${graphId}/members`, { user_id: userId, role: 'viewer' });
      team.push(client);
    }
    const posts = team.map((client) => answering(client.headers));
    const url = `${service.url}/v1/graphs/${graphId}/query/cypher`;
    // As many entries for each user as it may have queries at once (graphs L-8).
    const free = Array.from({ length: users * callersPerUser }, (_, index) => index % users);
    const ours = () =>
      rateOf(users * callersPerUser, seconds, async (call) => {
        const user = free.pop() ?? 0;
        const body = JSON.stringify({ query, parameters: { imo: `i${call % vessels}` } });
        const answer = await posts[user]?.(url, body);
        free.push(user);
        if (answer?.status !== 200) throw new Error(`A query failed: ${answer?.status} ${answer?.text}`);
      });
    const rates = await inTurns(3, ours, bareRate);
    const note = `${users * callersPerUser} callers, no errors`;
    return [
      { name: 'queries, small ones at once', unit: 'queries/s', kind: 'rate', goal: 'none fail', note, ...rates },
    ];
  } finally {
    await service.close();
  }
}

async function fill(owner: TestClient, graphId: string): Promise<void> {
  const operation = async (name: string, input: object) =>
    (await owner.post(`/v1/graphs/${graphId}/operations/${name}`, input)).body;
  const file = { table_name: 'Vessel', file_name: 'v.csv', content_type: 'text/csv' };
  const { upload_url, file_id } = (await operation('create-file-upload', file)).result;
  const lines = Array.from({ length: vessels }, (_, index) => `i${index},Vessel ${index}`);
  const body = ['imo,name', ...lines].join('\n');
  await fetch(upload_url, { method: 'PUT', body, headers: { 'content-type': 'text/csv' } });
  await operation('ingest-file', { file_id });
  await owner.follow((await operation('materialize', {})).operationId);
}

async function bareRate(): Promise<number> {
  const database = new Database(':memory:', 256 * 2 ** 20, true, false, 2 ** 32);
  const connections = Array.from({ length: 8 }, () => new Connection(database));
  const [first] = connections;
  if (first === undefined) throw new Error('There is no connection.');
  await first.query('CREATE NODE TABLE Vessel (imo STRING PRIMARY KEY, name STRING)');
  await first.query(
    `UNWIND range(0, ${vessels - 1}) AS n CREATE (:Vessel {imo: concat('i', cast(n AS STRING)), name: 'Vessel'})`,
  );
  const prepared = await Promise.all(connections.map((connection) => connection.prepare(query)));
  const rate = await rateOf(connections.length, seconds, async (call) => {
    const index = call % connections.length;
    const [connection, statement] = [connections[index], prepared[index]];
    if (connection === undefined || statement === undefined) throw new Error('There is no connection.');
    const result = (await connection.execute(statement, { imo: `i${call % vessels}` })) as QueryResult;
    JSON.stringify(await result.getAll());
    result.close();
  });
  for (const connection of connections) await connection.close();
  await database.close();
  return rate;
}
