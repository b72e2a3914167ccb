/** @module-tag sessions */
import { contribute, definePlugin, sql } from '@pacioli/core';
import { bookkeepingSources, eventSources } from '@pacioli/ledger';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConnectedGraph,
  type ConnectedService,
  type Loose,
  openGraph,
  startConnected,
} from './connections-fixture.ts';

/** Counts the reads of a graph’s live sources. */
let asked = 0;
/** Called after the sources of an event are read; a test can delay the event here. */
let afterLooking: () => Promise<void> = async () => undefined;
const counter = definePlugin({
  name: 'counter',
  title: 'Counts',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  contributions: [
    contribute(bookkeepingSources, 'expense_claims', { create: () => ({ title: 'Expense claims' }) }),
    contribute(eventSources, 'counter', {
      create: () => ({
        live: async () => {
          asked += 1;
          await afterLooking();
          return [];
        },
      }),
    }),
  ],
});

let run: ConnectedService;
let books: ConnectedGraph;
let made = 0;
beforeAll(async () => {
  run = await startConnected(counter);
});
afterAll(() => run.service.close());
beforeEach(async () => {
  made += 1;
  afterLooking = async () => undefined;
  books = await openGraph(run.owner, `Books ${made}`);
});

/** A promise that another party resolves. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

/** Counts the sessions of this database that are waiting for a row lock. */
async function waiting(): Promise<number> {
  const [row] = await run.service.store.transaction({ graphId: books.graph }, (tx) =>
    tx.query(sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_locks JOIN pg_stat_activity AS a USING (pid)
      WHERE NOT granted AND locktype IN ('transactionid', 'tuple') AND a.datname = current_database()`),
  );
  return row?.waiting ?? 0;
}

describe('a registered source', () => {
  it('appears as a connection that is connected immediately (ledger L-115, L-116)', async () => {
    const created = await books.register('shopfeed', { display_name: ' The shop ' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      connection_id: expect.stringMatching(/^conn_[A-Za-z0-9_-]{22}$/),
      provider: 'external',
      status: 'connected',
      created_at: '2026-05-02T08:00:00.000Z',
      updated_at: '2026-05-02T08:00:00.000Z',
      last_sync: null,
      metadata: { display_name: 'The shop' },
      entity_id: null,
      write_policy: 'native',
      source_name: 'shopfeed',
    });
    expect((await run.owner.get(`${books.path}/${created.body.connection_id}`)).body).toEqual(created.body);
    expect(await books.list()).toEqual([created.body]);
  });

  it('cannot have the name under which a plugin writes (ledger L-116, L-219)', async () => {
    const refused = await books.register('expense_claims');
    expect([refused.status, refused.body.detail[0].msg]).toEqual([
      422,
      "'expense_claims' is reserved for the ledger, a plugin or a provider. Choose another name",
    ]);
    expect(await books.list()).toEqual([]);
  });

  it('is accepted in events and agents, and unregistered names are not (ledger L-84, L-116)', async () => {
    expect((await books.send('shopfeed', 'po-1')).status).toBe(422);
    const { connection_id } = (await books.register('shopfeed')).body;
    expect((await books.send('shopfeed', 'po-1', { metadata: { connection_id } })).status).toBe(200);
    const again = await books.send('shopfeed', 'po-1');
    expect([again.status, again.body.detail]).toEqual([409, 'Event already ingested for this source and external_id']);
    const misspelt = await books.send('shopfed', 'po-2');
    expect([misspelt.status, misspelt.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(misspelt.body.detail).toContain("'shopfed'");
    expect(misspelt.body.detail).toContain('shopfeed');
    const agent = { agent_type: 'customer', name: 'Bo', source: 'shopfeed', external_id: 'c-1' };
    const created = await run.owner.post(`/extensions/roboledger/${books.graph}/operations/create-agent`, agent);
    expect(created.status).toBe(200);
    expect((await books.events()).map(({ externalId }) => externalId)).toEqual(['po-1']);
  });

  it('is not read for events of built-in sources (ledger L-84)', async () => {
    await books.register('shopfeed');
    asked = 0;
    expect((await books.send('manual', 'm-1')).status).toBe(200);
    expect(asked).toBe(0);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(200);
    expect(asked).toBe(1);
  });

  it('is closed when its connection is deleted, and its events remain (ledger L-116, L-120)', async () => {
    const { connection_id } = (await books.register('shopfeed')).body;
    await books.send('shopfeed', 'po-1');
    const before = await books.events();
    const path = `${books.path}/${connection_id}`;
    const deleted = await run.owner.request('DELETE', path);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({
      success: true,
      message: expect.stringContaining("'shopfeed'"),
      data: { connection_id, disposition: 'disconnect' },
    });
    expect((await books.send('shopfeed', 'po-2')).status).toBe(422);
    expect(await books.events()).toEqual(before);
    expect(await books.list()).toEqual([]);
    const gone = [
      await run.owner.get(path),
      await run.owner.request('DELETE', path),
      await run.owner.post(`${path}/sync`),
      await run.owner.put(`${path}/write-policy`, { write_policy: 'native' }),
      await run.owner.post(`${books.path}/oauth/init`, { connection_id }),
    ];
    expect(gone.map(({ status, body }) => [status, body.code])).toEqual(gone.map(() => [404, 'NOT_FOUND']));
  });

  it('is deleted only after an event that is being recorded (ledger L-84, L-116)', { timeout: 300_000 }, async () => {
    const { connection_id } = (await books.register('shopfeed')).body;
    const looked = signal();
    const release = signal();
    afterLooking = async () => {
      looked.give();
      await release.given;
    };
    const sending = books.send('shopfeed', 'po-1');
    await looked.given;
    let isDeleted = false;
    const deleting = run.owner.request('DELETE', `${books.path}/${connection_id}`).finally(() => {
      isDeleted = true;
    });
    // The embedded store has one session, in which the deletion waits for the whole event.
    if (run.service.store.driver === 'postgres') {
      await expect.poll(async () => isDeleted || (await waiting()) > 0, { timeout: 300_000 }).toBe(true);
    }
    expect(isDeleted).toBe(false);
    release.give();
    expect([(await sending).status, (await deleting).status]).toEqual([200, 200]);
    expect((await books.send('shopfeed', 'po-2')).status).toBe(422);
    expect((await books.events()).map(({ externalId }) => externalId)).toEqual(['po-1']);
  });

  it('is deleted while an event of another source is being recorded (ledger L-84, L-116)', {
    timeout: 300_000,
  }, async () => {
    await books.register('shopfeed');
    const { connection_id } = (await books.register('webshop')).body;
    const looked = signal();
    const release = signal();
    afterLooking = async () => {
      looked.give();
      await release.given;
    };
    const sending = books.send('shopfeed', 'po-1');
    await looked.given;
    const deleting = run.owner.request('DELETE', `${books.path}/${connection_id}`);
    // The embedded store has one session, which runs the two in turn.
    if (run.service.store.driver === 'postgres') expect((await deleting).status).toBe(200);
    release.give();
    expect([(await sending).status, (await deleting).status]).toEqual([200, 200]);
    expect((await books.list()).map(({ source_name }: Loose) => source_name)).toEqual(['shopfeed']);
  });

  it('can name only its own connection; built-in sources can name any (ledger L-82, L-87)', async () => {
    const shop = (await books.register('shopfeed')).body.connection_id;
    const web = (await books.register('webshop')).body.connection_id;
    const foreign = await books.send('shopfeed', 'po-1', { metadata: { connection_id: web } });
    expect([foreign.status, foreign.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(foreign.body.detail).toContain(`'${web}' is a connection of the source 'webshop'`);
    const noText = await books.send('shopfeed', 'po-1', { metadata: { connection_id: 7 } });
    expect([noText.status, noText.body.detail]).toEqual([
      422,
      "metadata.connection_id: '7' is not a connection of this graph. Omit it.",
    ]);
    expect(await books.events()).toEqual([]);

    const sent = await books.send('shopfeed', 'po-1', { metadata: { connection_id: shop } });
    expect(sent.status).toBe(200);
    const patch = (metadataPatch: object) =>
      run.owner.post(`/extensions/roboledger/${books.graph}/operations/update-event-block`, {
        event_id: sent.body.result.id,
        metadata_patch: metadataPatch,
      });
    const moved = await patch({ connection_id: web });
    expect([moved.status, moved.body.detail]).toEqual([422, expect.stringContaining("'webshop'")]);
    expect((await patch({ connection_id: shop })).status).toBe(200);
    expect((await books.send('manual', 'm-1', { metadata: { connection_id: web } })).status).toBe(200);
  });

  it('can be registered again under the name of a deleted one (ledger L-116)', async () => {
    const first = (await books.register('shopfeed')).body.connection_id;
    await books.send('shopfeed', 'po-1');
    await run.owner.request('DELETE', `${books.path}/${first}?disposition=disconnect`);
    const second = await books.register('shopfeed');
    expect(second.status).toBe(201);
    expect(second.body.connection_id).not.toBe(first);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(409);
    expect((await books.send('shopfeed', 'po-2')).status).toBe(200);
    const withOldId = await books.send('shopfeed', 'po-3', { metadata: { connection_id: first } });
    expect(withOldId.status).toBe(422);
    expect(await books.events()).toHaveLength(2);
  });

  it('belongs to a single graph (platform P-8)', async () => {
    const other = await openGraph(run.owner, `Other ${made}`);
    const { connection_id } = (await books.register('shopfeed')).body;
    expect((await other.send('shopfeed', 'po-1')).status).toBe(422);
    expect(await other.list()).toEqual([]);
    const path = `${other.path}/${connection_id}`;
    const answers = [await run.owner.get(path), await run.owner.request('DELETE', path)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await other.register('shopfeed')).status).toBe(201);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(200);
    expect(await other.events()).toEqual([]);
  });
});

describe('the name of a source', () => {
  const wrong = ['', 'Shop', '1shop', '_shop', 'shop feed', 'shöp', 'a'.repeat(64)];
  const taken = ['manual', 'system', 'schedule', 'native', 'external', 'quickbooks', 'mercury', 'plaid'];

  it.each([...wrong, ...taken])('rejects %j (ledger L-116)', async (name) => {
    const refused = await books.register(name);
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(refused.body.detail).toEqual([
      {
        loc: ['body', 'external_config', 'source_name'],
        msg: expect.any(String),
        type: taken.includes(name) ? 'value_error' : 'string_pattern_mismatch',
        input: name,
      },
    ]);
    expect(await books.list()).toEqual([]);
  });

  it.each(['a', 'shop-feed_2', 'a'.repeat(63)])('accepts %j (ledger L-116)', async (name) => {
    expect((await books.register(name)).status).toBe(201);
  });

  it('belongs to one live connection, and a second one is refused (ledger L-115, L-116)', async () => {
    const first = await books.register('shopfeed');
    const second = await books.register('shopfeed', { display_name: 'Again' });
    expect([second.status, second.body.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect(second.body.detail).toContain('shopfeed');
    expect(await books.list()).toEqual([first.body]);
    expect((await books.register('webshop')).status).toBe(201);
  });

  it('goes to exactly one of many concurrent requests (ledger L-116)', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => books.register('shopfeed')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await books.list()).toEqual([answers.find(({ status }) => status === 201)?.body]);
  });
});
