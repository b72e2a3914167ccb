import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StoreError, sql } from '@pacioli/core';
import type { FixedClock, TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bookVerifier, ledgerLog } from '../src/index.ts';
import { type Books, entry, type Loose, openBooks } from './books.ts';
import { type Neighbours, quiet, recorded, sale, startCloseService } from './close-books.ts';

let service: TestService;
let user: TestClient;
let clock: FixedClock;
let neighbours: Neighbours;
beforeAll(async () => {
  ({ service, user, clock, neighbours } = await startCloseService());
});
beforeEach(() => {
  quiet(neighbours);
  clock.set('2026-04-01T12:00:00Z');
});
afterAll(async () => {
  await service.close();
});

const inGraph = <T>(book: Books, statement: ReturnType<typeof sql<T>>) =>
  service.store.transaction({ graphId: book.graph }, (tx) => tx.query(statement));

const seal = (book: Books) =>
  service.store.transaction({ graphId: book.graph }, async (tx) => {
    const log = service.service.services.resolve(ledgerLog);
    for (;;) if ((await log.seal(tx)) === 0) return log.head(tx);
  });

const verify = async (book: Books): Promise<readonly string[]> => {
  const found = await service.store.transaction(
    { graphId: book.graph },
    (tx) => service.service.services.resolve(bookVerifier).verify(tx),
    { readOnly: true },
  );
  return found.map(({ rule, offenders }) => `${rule}: ${offenders.join(' ')}`);
};

let changes = 0;

/** Changes rows as nobody may: by the owner of the tables, with all triggers off. */
async function tamper(book: Books, statement: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-tamper-'));
  try {
    const text = `SET LOCAL session_replication_role = replica; ${statement.replaceAll('$graph', `'${book.graph}'`)};`;
    await writeFile(join(folder, '0001-change.sql'), text);
    changes += 1;
    await service.store.migrate([{ owner: `tamper-${changes}`, folder: pathToFileURL(`${folder}/`) }]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface LogRow {
  readonly id: number;
  readonly seq: number | null;
  readonly kind: string;
  readonly subject_id: string;
  readonly payload: Loose;
}

const rowsOf = (book: Books): Promise<readonly LogRow[]> =>
  inGraph(book, sql<LogRow>`SELECT id, seq, kind, subject_id, payload FROM ledger_log ORDER BY id`);

const kindsOf = async (book: Books, subject: string): Promise<readonly string[]> =>
  (await rowsOf(book)).filter(({ subject_id }) => subject_id === subject).map(({ kind }) => kind);

const entriesOf = (book: Books, event: string) =>
  inGraph(
    book,
    sql<{ id: string; version: number }>`SELECT id, version FROM ledger_entry WHERE event_id = ${event} ORDER BY id`,
  );

const posted = (book: Books, date: string, cents: number): Promise<Loose> =>
  recorded(
    book,
    entry(book, date, [
      ['1000', cents, 0],
      ['4000', 0, cents],
    ]),
  );

describe('the log of the books', () => {
  it('has what happened to an event and its entries, in its order (ledger L-214)', async () => {
    const book = await openBooks(user);
    const event = await sale(book, '2026-03-05', 1_250);
    const [draft] = await entriesOf(book, event.id);
    const id = draft?.id ?? '';
    const line_items = [
      { element_id: book.id('1000'), debit_amount: 40 },
      { element_id: book.id('4000'), credit_amount: 40 },
    ];
    expect((await book.operation('update-journal-entry', { entry_id: id, memo: 'less', line_items })).status).toBe(200);
    await book.operation('set-close-target', { period: '2026-03' });
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    const reversal = { entry_id: id, posting_date: '2026-04-01' };
    await recorded(book, {
      ...entry(book, '2026-04-01', []),
      event_type: 'journal_entry_reversed',
      metadata: reversal,
    });
    expect(await kindsOf(book, id)).toEqual([
      'entry_written',
      'entry_changed',
      'entry_written',
      'entry_landed',
      'entry_reversed',
    ]);
    expect(await kindsOf(book, event.id)).toEqual(['event_recorded', 'event_changed']);
    const rows = await rowsOf(book);
    const written = rows.filter(({ subject_id, kind }) => subject_id === id && kind === 'entry_written');
    expect(written.map(({ payload }) => payload.line_items.map((line: Loose) => line.debit_amount))).toEqual([
      [1_250, 0],
      [40, 0],
    ]);
    expect(rows.find(({ kind }) => kind === 'event_changed')?.payload).toEqual({ status: 'committed' });
    expect(rows.filter(({ kind }) => kind === 'calendar').map(({ payload }) => payload.type)).toEqual([
      'initialized',
      'target_changed',
      'period_closed',
      'target_advanced_auto',
    ]);
    await book.operation('reopen-period', { period: '2026-03', reason: 'a late bill' });
    const after = (await rowsOf(book)).slice(rows.length);
    expect(after.map(({ kind, payload }) => [kind, payload.type])).toEqual([['calendar', 'period_reopened']]);
    await seal(book);
    expect(await verify(book)).toEqual([]);
  });

  it('has drafts that were deleted, with who did it and why, and each version of a handler (ledger L-112, L-214)', async () => {
    const book = await openBooks(user);
    const event = await sale(book, '2026-03-05', 100);
    const [draft] = await entriesOf(book, event.id);
    await book.operation('update-event-block', { event_id: event.id, transition_to: 'voided' });
    const removal = (await rowsOf(book)).find(({ kind }) => kind === 'entry_deleted');
    expect([removal?.subject_id, removal?.payload.reason, removal?.payload.entry.status]).toEqual([
      draft?.id,
      'retracted',
      'draft',
    ]);
    expect(removal?.payload.by).toMatch(/^user_/);
    const item = { element_id: 'code:1000', amount: '1' };
    const made = await book.operation('create-event-handler', {
      name: 'Tips',
      event_type: 'tip',
      transaction_template: {
        transactions: [{ entry_template: { debit: item, credit: { ...item, element_id: 'code:4000' } } }],
      },
    });
    expect(made.status).toBe(200);
    await book.operation('update-event-handler', { event_handler_id: made.body.result.id, priority: 7 });
    const versions = (await rowsOf(book)).filter(({ kind }) => kind === 'handler_version');
    expect(versions.map(({ payload }) => [payload.version, payload.content.priority])).toEqual([
      [1, 0],
      [2, 7],
    ]);
    expect(await verify(book)).toEqual([]);
  });

  it('has nothing of what was only previewed or refused (ledger L-97, L-214)', async () => {
    const book = await openBooks(user);
    const before = await rowsOf(book);
    const body = entry(book, '2026-03-05', [
      ['1000', 5, 0],
      ['4000', 0, 5],
    ]);
    expect((await book.operation('preview-event-block', body)).body.result.would_succeed).toBe(true);
    const lame = entry(book, '2026-03-05', [['1000', 5, 0]]);
    expect((await book.operation('create-event-block', lame)).status).toBe(422);
    expect(await rowsOf(book)).toEqual(before);
  });

  it('is chained: each row by the hash of the row before and its canonical JSON (ledger L-214)', async () => {
    const book = await openBooks(user);
    await posted(book, '2026-03-05', 1);
    await posted(book, '2026-03-06', 2);
    const head = await seal(book);
    const rows = await inGraph(
      book,
      sql<{ seq: number; prev: string; hash: string; canonical: string }>`
        SELECT seq, encode(prev_hash, 'hex') AS prev, encode(hash, 'hex') AS hash, jsonb_build_object('seq', seq, 'kind', kind,
          'subject_id', subject_id, 'recorded_at_us', (extract(epoch FROM recorded_at) * 1000000)::bigint, 'payload', payload)::text AS canonical
        FROM ledger_log ORDER BY seq`,
    );
    let prev = createHash('sha256').update(`pacioli.ledger-log.${book.graph}`).digest();
    for (const [index, row] of rows.entries()) {
      const hash = createHash('sha256').update(prev).update(row.canonical).digest();
      expect([row.seq, row.prev, row.hash]).toEqual([index + 1, prev.toString('hex'), hash.toString('hex')]);
      prev = hash;
    }
    expect(head).toEqual({ seq: rows.length, hash: prev.toString('hex') });
    await posted(book, '2026-03-07', 3);
    expect((await seal(book))?.seq).toBe(rows.length + 2);
  });

  it('is one chain however many callers write and seal at once (ledger L-214)', { timeout: 120_000 }, async () => {
    const book = await openBooks(user);
    const work = Array.from({ length: 16 }, (_, index) => posted(book, '2026-03-05', index + 1));
    const sealers = Array.from({ length: 4 }, () => seal(book));
    await Promise.all([...work, ...sealers]);
    const head = await seal(book);
    const rows = await rowsOf(book);
    expect(rows.filter(({ kind }) => kind === 'entry_written')).toHaveLength(16);
    expect(rows.map(({ seq }) => seq).sort((a, b) => Number(a) - Number(b))).toEqual(rows.map((_, index) => index + 1));
    expect(head?.seq).toBe(rows.length);
    expect(await verify(book)).toEqual([]);
  });

  it('is sealed by a job, graph by graph (ledger L-214)', { timeout: 180_000 }, async () => {
    const books = [await openBooks(user), await openBooks(user)];
    for (const book of books) await posted(book, '2026-03-05', 1);
    clock.advance(61_000);
    for (const book of books) {
      const unsealed = async () => (await rowsOf(book)).filter(({ seq }) => seq === null).length;
      await expect.poll(unsealed, { timeout: 60_000, interval: 200 }).toBe(0);
      expect(await verify(book)).toEqual([]);
    }
  });

  it.each([
    ['another payload', (graph: string) => sql`UPDATE ledger_log SET payload = '{}' WHERE graph_id = ${graph}`],
    [
      'another hash',
      (graph: string) => sql`UPDATE ledger_log SET hash = prev_hash WHERE graph_id = ${graph} AND seq = 1`,
    ],
    [
      'taking a seal away',
      (graph: string) => sql`UPDATE ledger_log SET seq = NULL, hash = NULL, prev_hash = NULL WHERE graph_id = ${graph}`,
    ],
    ['a deletion', (graph: string) => sql`DELETE FROM ledger_log WHERE graph_id = ${graph}`],
    [
      'a row with a seal of its own',
      (graph: string) => sql`INSERT INTO ledger_log (graph_id, kind, subject_id, payload, seq, prev_hash, hash)
        VALUES (${graph}, 'calendar', 'x', '{}', 1000, '', '')`,
    ],
  ])('refuses %s (ledger L-214)', async (_, statement) => {
    const book = await openBooks(user);
    await posted(book, '2026-03-05', 1);
    await seal(book);
    await posted(book, '2026-03-06', 1);
    const before = await rowsOf(book);
    const refusal = await inGraph(book, statement(book.graph)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreError);
    expect(refusal).toMatchObject({ code: 'check', constraint: 'ledger_log_append_only' });
    expect(await rowsOf(book)).toEqual(before);
    expect(await verify(book)).toEqual([]);
  });
});

describe('the verifier', () => {
  /** Books with a closed month and a landed entry in it, all of it sealed. */
  async function closedBooks(): Promise<{ book: Books; id: string }> {
    const book = await openBooks(user);
    const event = await posted(book, '2026-03-05', 1_000);
    await sale(book, '2026-03-31', 70);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    await seal(book);
    expect(await verify(book)).toEqual([]);
    const [row] = await entriesOf(book, event.id);
    return { book, id: row?.id ?? '' };
  }

  it('finds rows of the log that were changed, taken out or put in (ledger L-214)', async () => {
    const { book } = await closedBooks();
    const [row] = await inGraph(book, sql<{ seq: number }>`SELECT count(*) AS seq FROM ledger_log`);
    const last = row?.seq ?? 0;
    const kept = 'CREATE TABLE kept AS SELECT * FROM ledger_log WHERE graph_id = $graph';
    await tamper(book, kept);
    const restore = `DELETE FROM ledger_log WHERE graph_id = $graph;
      INSERT INTO ledger_log OVERRIDING SYSTEM VALUE SELECT * FROM kept`;
    const found = async (statement: string) => {
      await tamper(book, statement);
      const broken = await verify(book);
      await tamper(book, restore);
      return broken;
    };
    const changed = `UPDATE ledger_log SET payload = payload || '{"by": "nobody"}' WHERE graph_id = $graph AND seq = 2`;
    expect(await found(changed)).toContain('L-214: log row 2');
    expect(await found('DELETE FROM ledger_log WHERE graph_id = $graph AND seq = 2')).toContain('L-214: log row 3');
    const moved = `UPDATE ledger_log SET recorded_at = recorded_at + interval '1 day' WHERE graph_id = $graph AND seq = ${last}`;
    expect(await found(moved)).toContain(`L-214: log row ${last}`);
    // The end of a chain can be cut off; what the rows were about is still there.
    expect(await found(`DELETE FROM ledger_log WHERE graph_id = $graph AND seq > 2`)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^L-53: je_/), 'L-198: 2026-03']),
    );
    expect(await verify(book)).toEqual([]);
    await tamper(book, 'DROP TABLE kept');
  });

  it.each([
    [
      'an amount',
      `UPDATE ledger_line_item SET debit_amount = debit_amount * 2, credit_amount = credit_amount * 2 WHERE graph_id = $graph AND entry_id = $id`,
    ],
    ['a memo', `UPDATE ledger_entry SET memo = 'something else' WHERE graph_id = $graph AND id = $id`],
    [
      'an account',
      `UPDATE ledger_line_item SET element_id = 'elem_other' WHERE graph_id = $graph AND entry_id = $id AND debit_amount > 0`,
    ],
    [
      'a day',
      `UPDATE ledger_entry SET posting_date = '2026-03-06' WHERE graph_id = $graph AND id = $id;
      UPDATE ledger_line_item SET posting_date = '2026-03-06' WHERE graph_id = $graph AND entry_id = $id`,
    ],
    [
      'the whole entry',
      `DELETE FROM ledger_line_item WHERE graph_id = $graph AND entry_id = $id; DELETE FROM ledger_entry WHERE graph_id = $graph AND id = $id`,
    ],
  ])('finds that somebody changed %s of a closed month with SQL (ledger L-53, L-198)', async (_, statement) => {
    const { book, id } = await closedBooks();
    await tamper(book, statement.replaceAll('$id', `'${id}'`));
    expect(await verify(book)).toEqual([`L-53: ${id}`, 'L-198: 2026-03']);
  });

  it('finds an entry that nobody recorded, and a receipt that was written anew (ledger L-53, L-198)', async () => {
    const { book, id } = await closedBooks();
    const copy = (table: string, key: string) =>
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('${key}', 'je_forged'))).* FROM ${table} AS t
        WHERE graph_id = $graph AND ${key} = '${id}'`;
    await tamper(book, `${copy('ledger_entry', 'id')}; ${copy('ledger_line_item', 'entry_id')}`);
    expect(await verify(book)).toEqual(['L-53: je_forged', 'L-198: 2026-03']);
    const { book: other } = await closedBooks();
    await tamper(
      other,
      `UPDATE ledger_fiscal_period SET close_receipt = jsonb_set(close_receipt, '{entries_posted}', '9')
      WHERE graph_id = $graph AND name = '2026-03'`,
    );
    expect(await verify(other)).toEqual(['L-198: 2026-03']);
  });

  it('lets a closed month have entries that are reversed later, and keeps what it hashed out of answers (ledger L-62, L-198)', async () => {
    const { book, id } = await closedBooks();
    const reversal = { entry_id: id, posting_date: '2026-04-01' };
    await recorded(book, {
      ...entry(book, '2026-04-01', []),
      event_type: 'journal_entry_reversed',
      metadata: reversal,
    });
    expect(await verify(book)).toEqual([]);
    const [month] = await inGraph(
      book,
      sql<{ kept: Loose }>`
      SELECT close_receipt->'private' AS kept FROM ledger_fiscal_period WHERE name = '2026-03'`,
    );
    expect(month?.kept).toEqual({
      entries: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      log: { seq: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const { periodCloseStatus } = await book.query(
      '{ periodCloseStatus(periodStart: "2026-03-01", periodEnd: "2026-03-31") { closeReceipt { entriesPosted } } }',
    );
    expect(periodCloseStatus.closeReceipt).toEqual({ entriesPosted: 1 });
  });

  it('goes by the newest receipt of a month that was opened again (ledger L-169, L-198)', async () => {
    const { book } = await closedBooks();
    await book.operation('reopen-period', { period: '2026-03', reason: 'a late bill' });
    await posted(book, '2026-03-20', 5);
    expect(await verify(book)).toEqual([]);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    await seal(book);
    expect(await verify(book)).toEqual([]);
  });
});
