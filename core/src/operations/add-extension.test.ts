import { contribute, defineOperation, definePlugin, defineQuery, kernel, model, sql } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../assembly/host-services.ts';

/** A domain that notes in the description of a graph how often it was provisioned. */
const claims = definePlugin({
  name: 'claims',
  title: 'Claims',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'claims',
  queries: [defineQuery({ name: 'claimCount', summary: 'None.', returns: Type.Integer(), resolve: async () => 0 })],
  operations: [
    defineOperation({
      name: 'submit-claim',
      summary: 'Does nothing.',
      role: 'member',
      mcp: { held: 'A sample.' },
      openapi: { id: 'submit_claim', tag: 'claims' },
      input: model('SubmitClaimRequest', {}),
      output: model('SubmitClaimResponse', {}),
      handle: async () => ({}),
    }),
  ],
  contributions: [
    contribute(kernel.graphProvisioners, 'claims', {
      services: { graphs: kernel.graphs },
      create: (use) => ({
        domain: 'claims',
        provision: async ({ tx, graphId, entity }) => {
          if (entity !== null) return;
          await tx.query(sql`
            UPDATE kernel_graph SET description = description || 'provisioned ' WHERE graph_id = ${graphId}`);
          const graph = await use.graphs.find(tx, graphId);
          if (graph?.name === 'Full') throw new Error('There is no room.');
        },
      }),
    }),
  ],
});

/** A domain that needs that of the claims. */
const audits = definePlugin({
  name: 'audits',
  title: 'Audits of claims',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'audits',
  dependsOn: ['claims'],
});

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [claims, audits], aliases: { claims: ['expenses'] }, log: silentLog });
});
afterAll(() => service.close());

function add(client: TestClient, graphId: string, extension: unknown, headers: Record<string, string> = {}) {
  return client.post(`/v1/graphs/${graphId}/operations/add-extension`, { extension }, headers);
}

async function graphOf(client: TestClient, graphId: string) {
  const { body } = await client.get('/v1/graphs');
  return body.graphs.find((graph: { graphId: string }) => graph.graphId === graphId);
}

describe('add-extension', () => {
  it('adds a domain to a graph, which the refusal of its parts says how to do (graphs G-64)', async () => {
    const owner = await service.newUser();
    const graphId = await owner.createGraph('Books', []);
    const submit = () => owner.post(`/extensions/expenses/${graphId}/operations/submit-claim`);
    const refused = await submit();
    expect([refused.status, refused.body.code]).toEqual([403, 'EXTENSION_NOT_PROVISIONED']);
    const [, path, body] = /with POST (\S+) and (\{.*\})\.$/.exec(refused.body.detail) ?? [];
    const { errors } = (await owner.graphql(graphId, '{ claimCount }')).body;
    expect(errors[0].message).toBe(refused.body.detail);

    const added = await owner.post(path ?? '', JSON.parse(body ?? '{}'));
    expect(added.body.result).toEqual({ graph_id: graphId, schema_extensions: ['expenses'] });
    expect((await submit()).status).toBe(200);
    expect((await owner.graphql(graphId, '{ claimCount }')).body.data).toEqual({ claimCount: 0 });
    expect(await graphOf(owner, graphId)).toMatchObject({
      schemaExtensions: ['expenses'],
      description: 'provisioned ',
    });
  });

  it('changes nothing when the graph has it already, also when ten add it at once (graphs G-64)', async () => {
    const owner = await service.newUser();
    const graphId = await owner.createGraph('Busy', []);
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(owner, graphId, 'claims')));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await add(owner, graphId, 'expenses')).body.result.schema_extensions).toEqual(['expenses']);
    expect((await graphOf(owner, graphId)).description).toBe('provisioned ');
  });

  it('needs an admin, a known extension and those that it needs (graphs G-22, G-64)', async () => {
    const owner = await service.newUser();
    const graphId = await owner.createGraph('Plain', []);
    const stranger = await service.newUser();
    expect((await add(stranger, graphId, 'claims')).status).toBe(403);
    expect((await add(service.anonymous, graphId, 'claims')).status).toBe(401);
    expect((await add(owner, 'library', 'claims')).status).toBe(404);
    const texts = [];
    for (const extension of ['nothing', 'audits', '', 7, undefined]) {
      const { status, body } = await add(owner, graphId, extension);
      expect([extension, status, body.code]).toEqual([extension, 422, 'INVALID_INPUT']);
      texts.push(body.detail);
    }
    expect(texts.slice(0, 2)).toEqual([
      "extension: Unknown extension 'nothing'. Available: expenses, audits.",
      "extension: 'audits' needs 'expenses' on the same graph.",
    ]);
    expect(await graphOf(owner, graphId)).toMatchObject({ schemaExtensions: [], description: '' });
    expect((await add(owner, graphId, 'claims')).status).toBe(200);
    expect((await add(owner, graphId, 'audits')).body.result.schema_extensions).toEqual(['audits', 'expenses']);
  });

  it('leaves the graph as it was when the domain cannot be provisioned (graphs G-64)', async () => {
    const owner = await service.newUser();
    const graphId = await owner.createGraph('Full', []);
    expect((await add(owner, graphId, 'claims')).status).toBe(500);
    expect(await graphOf(owner, graphId)).toMatchObject({ schemaExtensions: [], description: '' });
  });

  it('is also refused without the domains it needs when a graph is created (graphs G-22)', async () => {
    const owner = await service.newUser();
    const create = (extensions: readonly string[]) =>
      owner.post('/v1/graphs', {
        metadata: { graph_name: 'New', schema_extensions: extensions },
        initial_entity: { name: 'New', uri: 'https://example.org' },
      });
    const refused = await create(['audits']);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [
        expect.objectContaining({
          loc: ['body', 'metadata', 'schema_extensions', 0],
          msg: "'audits' needs 'expenses' on the same graph",
        }),
      ],
    ]);
    expect((await create(['audits', 'expenses'])).status).toBe(202);
  });
});
