/** @module-tag sessions */
import { createHash } from 'node:crypto';
import { StoreError, sql } from '@pacioli/core';
import { describe, expect, it } from 'vitest';
import { ledgerLog } from '../src/index.ts';
import { type Books, entry, type Loose, openBooks } from './books.ts';
import { recorded, sale } from './close-books.ts';
import { clock, service, useCloseBooks, user } from './close-fixture.ts';
import { entriesOf, inGraph, posted, recordsOf, rowsOf, seal, unsealedRows, verify } from './log-books.ts';

useCloseBooks();

const kindsOf = async (book: Books, subject: string): Promise<readonly string[]> =>
  (await recordsOf(book)).filter(({ subject_id }) => subject_id === subject).map(({ kind }) => kind);

/** How often a text occurs in the rows of the log. */
const timesIn = (rows: readonly unknown[], text: string): number => JSON.stringify(rows).split(text).length - 1;

describe('ledger log', () => {
  it('holds a posted event with its transaction and entry once, in one row (ledger L-214)', async () => {
    const book = await openBooks(user);
    // The first one adds its month and the currency of the books.
    await posted(book, '2026-03-05', 1);
    const before = { rows: (await rowsOf(book)).length, records: (await recordsOf(book)).length };
    const event = await posted(book, '2026-03-05', 1_250);
    const rows = (await rowsOf(book)).slice(before.rows);
    expect(rows.map(({ kind, subject_id }) => [kind, subject_id])).toEqual([['event_recorded', event.id]]);
    for (const said of [book.id('1000'), book.id('4000'), event.created_at.slice(0, 19), '2026-03-05"'])
      expect([said, timesIn(rows, said)]).toEqual([said, 1]);
    const tables = await inGraph(
      book,
      sql<{ entry: Loose; transaction: Loose; lines: readonly Loose[] }>`
        SELECT ledger_utc_json(e) - 'graph_id' AS entry, ledger_utc_json(t) - 'graph_id' AS transaction, (
          SELECT jsonb_agg(to_jsonb(l) - '{graph_id,entry_id,posting_date,currency,is_landed}'::text[] ORDER BY l.line_order)
          FROM ledger_line_item AS l WHERE l.entry_id = e.id) AS lines
        FROM ledger_entry AS e JOIN ledger_transaction AS t ON t.id = e.transaction_id WHERE e.event_id = ${event.id}`,
    );
    const [, transaction, entry] = (await recordsOf(book)).slice(before.records);
    expect(tables).toEqual([
      {
        entry: expect.objectContaining(entry?.payload.entry),
        transaction: expect.objectContaining(transaction?.payload),
        lines: entry?.payload.line_items,
      },
    ]);
    expect(Object.keys(entry?.payload.entry)).toEqual(
      expect.arrayContaining(['transaction_id', 'posted_at', 'status']),
    );
  });

  it('holds only the changed columns of an entry, and its new lines, after its first row (ledger L-214)', async () => {
    const book = await openBooks(user);
    const event = await sale(book, '2026-03-05', 1_250);
    const [draft] = await entriesOf(book, event.id);
    const before = (await rowsOf(book)).length;
    const lines = [
      { element_id: book.id('1000'), debit_amount: 40 },
      { element_id: book.id('4000'), credit_amount: 40 },
    ];
    await book.operation('update-journal-entry', { entry_id: draft?.id ?? '', memo: 'less', line_items: lines });
    const rows = (await rowsOf(book)).slice(before).filter(({ subject_id }) => subject_id === draft?.id);
    expect(
      rows.map(({ kind, payload }) => [kind, Object.keys(payload), Object.keys(payload.entry ?? {}).sort()]),
    ).toEqual([
      ['entry_changed', ['entry'], expect.arrayContaining(['memo', 'version'])],
      ['entry_written', ['line_items'], []],
    ]);
    expect(Object.keys(rows[0]?.payload.entry)).not.toContain('currency');
    expect(await verify(book)).toEqual([]);
  });

  it('logs the changes of an event and its entries in order (ledger L-214)', async () => {
    const book = await openBooks(user);
    const event = await sale(book, '2026-03-05', 1_250);
    const [draft] = await entriesOf(book, event.id);
    const id = draft?.id ?? '';
    const lineItems = [
      { element_id: book.id('1000'), debit_amount: 40 },
      { element_id: book.id('4000'), credit_amount: 40 },
    ];
    expect(
      (await book.operation('update-journal-entry', { entry_id: id, memo: 'less', line_items: lineItems })).status,
    ).toBe(200);
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
    const written = (await recordsOf(book)).filter(
      ({ subject_id, kind }) => subject_id === id && kind === 'entry_written',
    );
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
    expect(after.map(({ kind, subject_id, payload }) => [kind, payload.type ?? subject_id])).toEqual([
      ['receipt_history_added', expect.stringMatching(/^2026-03\/fce_/)],
      ['month_changed', '2026-03'],
      ['calendar_settings_changed', expect.stringMatching(/^fcal_/)],
      ['calendar', 'period_reopened'],
    ]);
    await seal(book);
    expect(await verify(book)).toEqual([]);
  });

  it('logs deleted drafts with actor and reason, and each version of a handler (ledger L-112, L-214)', async () => {
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

  it('logs nothing of previews and rejected requests (ledger L-97, L-214)', async () => {
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

  it('chains batches of rows by their digests, which follow from their canonical JSON (ledger L-214, L-223)', async () => {
    const book = await openBooks(user);
    await posted(book, '2026-03-05', 1);
    await seal(book);
    await posted(book, '2026-03-06', 2);
    await posted(book, '2026-03-07', 3);
    const head = await seal(book);
    const rows = await inGraph(
      book,
      sql<{ canonical: string }>`
        SELECT jsonb_build_object('seq', row_number() OVER (ORDER BY id), 'kind', kind, 'subject_id', subject_id,
          'recorded_at_us', (extract(epoch FROM recorded_at) * 1000000)::bigint, 'payload', payload)::text AS canonical
        FROM ledger_log ORDER BY id`,
    );
    const batches = await inGraph(
      book,
      sql<{ first: number; last: number; places: string; hash: string }>`
        SELECT first_seq AS first, last_seq AS last, places::text AS places, encode(hash, 'hex') AS hash
        FROM kernel_chain_batch WHERE graph_id = ${book.graph} ORDER BY last_seq`,
    );
    expect(batches.map(({ first }) => first)).toEqual([1, (batches[0]?.last ?? 0) + 1]);
    const sha = (...parts: readonly (string | Buffer)[]) =>
      parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
    let prev = sha(`pacioli.ledger-log.${book.graph}`);
    for (const { first, last, places, hash } of batches) {
      const digests = rows.slice(first - 1, last).map(({ canonical }) => sha(canonical));
      prev = sha(prev, `{"places": "${places}", "last_seq": ${last}, "first_seq": ${first}}`, ...digests);
      expect(hash).toBe(prev.toString('hex'));
    }
    expect(head).toEqual({ seq: rows.length, hash: prev.toString('hex') });
  });

  it('forms one chain, however many callers write and seal at once (ledger L-214)', { timeout: 300_000 }, async () => {
    const book = await openBooks(user);
    const work = Array.from({ length: 16 }, (_, index) => posted(book, '2026-03-05', index + 1));
    const sealers = Array.from({ length: 4 }, () => seal(book));
    await Promise.all([...work, ...sealers]);
    const head = await seal(book);
    const rows = await rowsOf(book);
    expect((await recordsOf(book)).filter(({ kind }) => kind === 'entry_written')).toHaveLength(16);
    expect(await unsealedRows(book)).toEqual([]);
    expect(head?.seq).toBe(rows.length);
    expect(await verify(book)).toEqual([]);
  });

  it('seals the log of every graph in a background job (ledger L-214)', { timeout: 300_000 }, async () => {
    const books = [await openBooks(user), await openBooks(user)];
    for (const book of books) await posted(book, '2026-03-05', 1);
    clock.advance(61_000);
    for (const book of books) {
      const unsealed = async () => (await unsealedRows(book)).length;
      await expect.poll(unsealed, { timeout: 300_000, interval: 200 }).toBe(0);
      expect(await verify(book)).toEqual([]);
    }
  });

  it('does not seal the log on close, whose receipt names the current end of the chain (ledger L-198, L-214)', async () => {
    const book = await openBooks(user);
    await posted(book, '2026-03-05', 1);
    const head = await seal(book);
    await posted(book, '2026-03-06', 2);
    expect((await book.operation('close-period', { period: '2026-03' })).status).toBe(200);
    const rows = await rowsOf(book);
    expect(rows.find(({ kind }) => kind === 'month_receipt')?.payload.private.log).toEqual(head);
    expect((await unsealedRows(book)).map(({ kind }) => kind)).toContain('month_receipt');
    await seal(book);
    expect(await verify(book)).toEqual([]);
  });

  it('seals the graph that has waited longest first (ledger L-214)', async () => {
    const first = await openBooks(user);
    const second = await openBooks(user);
    for (const book of [first, second]) await seal(book);
    for (const [index, book] of [second, first, second].entries()) await posted(book, '2026-03-05', index + 1);
    const log = service.service.services.resolve(ledgerLog);
    const waiting = await service.store.transaction('kernel', (tx) => log.graphsToSeal(tx, 1_000));
    const ours = waiting.filter((graph) => [first.graph, second.graph].includes(graph));
    expect(ours).toEqual([second.graph, first.graph]);
  });

  it.each([
    ['another payload', (graph: string) => sql`UPDATE ledger_log SET payload = '{}' WHERE graph_id = ${graph}`],
    ['another hash', (graph: string) => sql`UPDATE ledger_log SET hash = prev_hash WHERE graph_id = ${graph}`],
    ['a deletion', (graph: string) => sql`DELETE FROM ledger_log WHERE graph_id = ${graph}`],
  ])('denies the service the right to write %s to the log (ledger L-214)', async (_, statement) => {
    const book = await openBooks(user);
    await posted(book, '2026-03-05', 1);
    await expect(inGraph(book, statement(book.graph))).rejects.toThrow('permission denied for table ledger_log');
  });

  it.each([
    [
      'a row with its own time',
      (graph: string) => sql`INSERT INTO ledger_log (graph_id, kind, subject_id, payload, recorded_at)
        VALUES (${graph}, 'calendar', 'x', '{}', now() - interval '1 second')`,
    ],
    [
      'a row with its own seal',
      (graph: string) => sql`INSERT INTO ledger_log (graph_id, kind, subject_id, payload, seq, prev_hash, hash)
        VALUES (${graph}, 'calendar', 'x', '{}', 1000, '', '')`,
    ],
  ])('rejects inserting %s into the log (ledger L-214)', async (_, statement) => {
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
