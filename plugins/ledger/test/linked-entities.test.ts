import blocks from '@pacioli/blocks';
import { contribute, defineOperation, definePlugin, model, nullable, type Plugin, sql } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import type { TestClient, TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import ledger, { type LinkedEntity, linkedEntities, linkedEntityListeners } from '../src/index.ts';
import type { LedgerEntity } from '../src/rows.gen.ts';
import { type Loose, startLedger } from './books.ts';

/** The listener of the test plugin; tests replace it. */
let listen: (entity: LinkedEntity) => Promise<void>;

const text = () => nullable(Type.String());

/** Shares an entity into the graph, as the distribution of reports does. */
const shareEntity = defineOperation({
  name: 'share-entity',
  summary: 'Links the entity of another graph.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'share_entity', tag: 'test' },
  mcp: { held: 'Only for tests.' },
  input: model('ShareEntityRequest', {
    source_graph_id: Type.String(),
    fields: nullable(
      model('ShareEntityFields', {
        name: Type.String(),
        legal_name: text(),
        entity_type: text(),
        industry: text(),
        cik: text(),
        ticker: text(),
        state_of_incorporation: text(),
      }),
    ),
    address_country: text(),
  }),
  output: model('ShareEntityResponse', { entity_id: Type.String(), found: text() }),
  services: { linkedEntities },
  async handle({ input, ctx, use }) {
    const found = await use.linkedEntities.find(ctx.tx, input.source_graph_id);
    const entity = {
      sourceGraphId: input.source_graph_id,
      fields: input.fields,
      addressCountry: input.address_country,
    };
    return { entity_id: await use.linkedEntities.ensure(ctx.tx, entity, ctx.now()), found: found ?? null };
  },
});

const sharing: Plugin = definePlugin({
  name: 'sharing',
  title: 'Shares entities',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  operations: [shareEntity],
  contributions: [
    contribute(linkedEntityListeners, 'sharing', { create: () => ({ linked: (entity) => listen(entity) }) }),
  ],
});

const acme = {
  name: 'Acme',
  legal_name: 'Acme Inc.',
  entity_type: 'corporation',
  industry: 'Software',
  cik: '0000320193',
  ticker: 'ACME',
  state_of_incorporation: 'DE',
};

let service: TestService;
let user: TestClient;
let graph: string;
beforeAll(async () => {
  ({ service, user } = await startLedger(undefined, { plugins: [taxonomy, blocks, ledger, sharing] }));
});
afterAll(async () => {
  await service.close();
});
beforeEach(async () => {
  listen = () => Promise.resolve();
  graph = await user.createGraph('Holder', ['roboledger']);
});

const post = (name: string, body: object) => user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
const share = async (body: object): Promise<Loose> => {
  const answer = await post('share-entity', { source_graph_id: 'kg_issuer', address_country: 'US', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.result;
};
const linked = async (): Promise<Loose> => {
  const fields = 'id name legalName entityType industry cik ticker stateOfIncorporation addressCountry status';
  const { body } = await user.graphql(graph, `{ entities(source: "linked") { ${fields} isParent sourceGraphId } }`);
  return body.data.entities;
};

describe('entities of graphs that share reports', () => {
  it('creates one entity for a source graph and overwrites its details later (investor H-11, H-13, H-14)', async () => {
    const first = await share({ fields: acme });
    expect(first.found).toBeNull();
    const stored = {
      id: first.entity_id,
      name: 'Acme',
      legalName: 'Acme Inc.',
      entityType: 'corporation',
      industry: 'Software',
      cik: '0000320193',
      ticker: 'ACME',
      stateOfIncorporation: 'DE',
      addressCountry: 'US',
      status: 'active',
      isParent: false,
      sourceGraphId: 'kg_issuer',
    };
    expect(await linked()).toEqual([stored]);

    const renamed = { ...acme, name: 'Acme Global', ticker: null };
    const second = await share({ fields: renamed, address_country: 'CA' });
    expect(second).toEqual({ entity_id: first.entity_id, found: first.entity_id });
    expect(await linked()).toEqual([{ ...stored, name: 'Acme Global', ticker: null }]);

    const other = await share({ source_graph_id: 'kg_other', fields: acme });
    expect(other.entity_id).not.toBe(first.entity_id);
    expect(await linked()).toHaveLength(2);
  });

  it('names an issuer whose details cannot be read by its graph, and leaves a known one unchanged (investor H-12)', async () => {
    const { entity_id } = await share({ fields: null, address_country: null });
    expect(await linked()).toMatchObject([{ name: 'Entity (kg_issuer)', legalName: null, ticker: null }]);
    await share({ fields: acme });
    expect((await share({ fields: null })).entity_id).toBe(entity_id);
    expect(await linked()).toMatchObject([{ id: entity_id, name: 'Acme', ticker: 'ACME' }]);
  });

  it('calls the listeners in the same transaction, which their error rolls back (investor H-15)', async () => {
    const notified: unknown[] = [];
    listen = async ({ tx, sourceGraphId, entityId }) => {
      const [row] = await tx.query(sql<Pick<LedgerEntity, 'id'>>`
        SELECT id FROM ledger_entity WHERE graph_id = ${tx.graphId} AND source_graph_id = ${sourceGraphId}`);
      notified.push([sourceGraphId, entityId, row?.id]);
    };
    const { entity_id } = await share({ fields: acme });
    await share({ fields: acme });
    expect(notified).toEqual([
      ['kg_issuer', entity_id, entity_id],
      ['kg_issuer', entity_id, entity_id],
    ]);

    listen = async () => {
      throw new Error('The securities cannot be linked.');
    };
    const failed = await post('share-entity', { source_graph_id: 'kg_two', fields: acme, address_country: null });
    expect(failed.status).toBe(500);
    expect(await linked()).toHaveLength(1);
  });

  it('creates one entity for shares that arrive at once (investor H-11)', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await share({ fields: acme })).entity_id));
    expect(new Set(ids).size).toBe(1);
    expect(await linked()).toHaveLength(1);
  });

  it('refuses update-entity for a graph whose only companies are linked, and never changes them (investor H-14)', async () => {
    await share({ fields: acme });
    const own = await post('update-entity', { name: 'Holder LLC' });
    expect(own.status).toBe(200);
    expect(await linked()).toMatchObject([{ name: 'Acme' }]);

    await service.store.transaction({ graphId: graph }, (tx) =>
      tx.query(sql`DELETE FROM ledger_entity WHERE graph_id = ${graph} AND is_parent`),
    );
    const refused = await post('update-entity', { name: 'Renamed' });
    expect([refused.status, refused.body.detail]).toEqual([409, 'Linked entity is maintained by its source graph.']);
    expect(await linked()).toMatchObject([{ name: 'Acme' }]);
  });
});
