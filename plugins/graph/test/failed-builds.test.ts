import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineOperation, definePlugin, kernel, model } from '@pacioli/core';
import { type GraphStore, GraphStoreError } from '@pacioli/core/ports';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOrNoteFailure } from '../src/health/index.ts';
import graph, { graphBuilder } from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Berth', properties: [{ name: 'code', type: 'STRING', is_primary_key: true }] }],
};

/** Builds a graph as `materialize` does, with the shortest time limit. */
const hasty = definePlugin({
  name: 'hasty',
  title: 'Hasty builds',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['graph'],
  operations: [
    defineOperation({
      name: 'build-at-once',
      summary: 'Builds the graph within a second.',
      role: 'member',
      input: model('BuildAtOnce', {}),
      output: model('BuiltAtOnce', { message: Type.String() }),
      openapi: { id: 'build_at_once', tag: 'hasty' },
      mcp: { held: 'Only for tests.' },
      runs: 'worker',
      maxSeconds: 1,
      restartable: true,
      services: { graphBuilder, store: kernel.store },
      async handle({ ctx, use }) {
        const { graph: of, operationId: run, signal } = ctx;
        if (of === undefined) throw new Error('It builds a graph.');
        const { now, transaction, report } = ctx;
        const request = { graph: of, run, source: 'staged', isForced: true, signal, now, transaction, report } as const;
        return { message: (await buildOrNoteFailure(use, request)).message };
      },
    }),
  ],
});

/** Where the real graph store is interrupted. */
interface Interruptions {
  /** Fails the removal of a generation as a lost process does. */
  failsToDrop: boolean;
  /** Awaited before a generation is completed. */
  beforePromotion: () => Promise<void>;
}

function interrupted(store: GraphStore, interruptions: Interruptions): GraphStore {
  const drop: GraphStore['drop'] = async (ref) => {
    if (interruptions.failsToDrop) throw new GraphStoreError('unavailable', 'The engine stopped.');
    return store.drop(ref);
  };
  const promote: GraphStore['promote'] = async (ref) => {
    await interruptions.beforePromotion();
    return store.promote(ref);
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'drop') return drop;
      if (name === 'promote') return promote;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('a build that is interrupted', () => {
  const interruptions: Interruptions = { failsToDrop: false, beforePromotion: async () => undefined };
  let folder: string;
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-builds-'));
    const graphStore = interrupted(ladybugGraphStore({ folder }), interruptions);
    service = await startTestService({ plugins: [graph, hasty], graphStore });
    owner = await service.newUser('Owner');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  });
  afterAll(async () => {
    interruptions.failsToDrop = false;
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
  const upload = async (name: string, rows: string): Promise<string> => {
    const file = { table_name: 'Berth', file_name: name, content_type: 'text/csv' };
    const { upload_url, file_id } = (await operation('create-file-upload', file)).body.result;
    await fetch(upload_url, { method: 'PUT', body: `code\n${rows}\n`, headers: { 'content-type': 'text/csv' } });
    return file_id;
  };
  const stage = async (name: string, rows: string) =>
    expect((await operation('ingest-file', { file_id: await upload(name, rows) })).status).toBe(200);
  const materialize = async () => owner.follow((await operation('materialize', { rebuild: true })).body.operationId);
  const count = async () => {
    const answer = await owner.post(`/v1/graphs/${graphId}/query/cypher`, {
      query: 'MATCH (b:Berth) RETURN count(*) AS n',
    });
    return answer.body.data?.[0]?.n ?? answer.body;
  };
  const health = async () => (await owner.get(`/v1/graphs/${graphId}/health`)).body;

  it('has succeeded when only the previous generation could not be removed, and the next build removes it (graphs M-20)', async () => {
    await stage('one.csv', 'B1');
    interruptions.failsToDrop = true;
    expect((await materialize()).body).toMatchObject({ status: 'completed', result: { total_rows: 1 } });
    interruptions.failsToDrop = false;
    expect([await count(), (await health()).is_stale]).toEqual([1, false]);
    await stage('two.csv', 'B2');
    expect((await materialize()).body.status).toBe('completed');
    expect(await count()).toBe(2);
  });

  it('leaves the previous generation in use, and the graph as stale as before it (graphs M-20, M-32)', async () => {
    await stage('three.csv', 'B3');
    const before = await health();
    expect(before).toMatchObject({ is_stale: true, stale_reason: 'file_staged: three.csv' });
    const during: object[] = [];
    interruptions.beforePromotion = async () => {
      during.push(await health());
      throw new GraphStoreError('unavailable', 'The engine stopped.');
    };
    expect((await materialize()).body).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('not rebuilt'),
    });
    interruptions.beforePromotion = async () => undefined;
    const mark = { is_stale: true, stale_reason: before.stale_reason, stale_since: before.stale_since };
    expect(during).toMatchObject([mark]);
    expect(await health()).toMatchObject(mark);
    expect(await count()).toBe(2);
    expect((await materialize()).body.status).toBe('completed');
    expect(await count()).toBe(3);
    expect((await health()).is_stale).toBe(false);
  });

  it('is reported when it took too long, until one succeeds (graphs H-4, M-22)', async () => {
    let goOn: () => void = () => undefined;
    interruptions.beforePromotion = () =>
      new Promise((_resolve, reject) => {
        goOn = () => reject(new GraphStoreError('unavailable', 'The engine stopped.'));
      });
    const { operationId } = (await operation('build-at-once', {})).body;
    expect((await owner.follow(operationId)).body).toMatchObject({ status: 'failed' });
    goOn();
    const failed = ['The last rebuild failed: Task timed out after 1s'];
    await expect.poll(async () => (await health()).alerts).toEqual(failed);
    interruptions.beforePromotion = async () => undefined;
    expect((await materialize()).body.status).toBe('completed');
    expect((await health()).alerts).toEqual([]);
  });

  it('waits for another build of its graph that was started with a file (graphs M-2, M-12)', async () => {
    const files = await Promise.all(['B4', 'B5'].map((code) => upload(`${code}.csv`, code)));
    const runs = await Promise.all(files.map((id) => operation('ingest-file', { file_id: id, ingest_to_graph: true })));
    const ended = await Promise.all(runs.map(({ body }) => owner.follow(body.operationId)));
    expect(ended.map(({ body }) => [body.status, body.error])).toEqual(files.map(() => ['completed', undefined]));
    expect(await count()).toBe(5);
  });
});
