/** @module-tag sessions */
import { ServiceError, sql } from '@pacioli/core';
import type { Answer } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, entry, openBooks } from './books.ts';
import { draft, recorded, sale } from './close-books.ts';
import { otherPlugins, service, useCloseBooks, user } from './close-fixture.ts';
import { withoutChange } from './expect-refused.ts';

useCloseBooks();

const close = (book: Books, period: string) => book.operation('close-period', { period });

const refused = (book: Books, send: () => Promise<Answer>) => withoutChange(service, book.graph, send);

describe('close-period: posting the drafts', () => {
  it('rejects drafts that do not balance by currency and entry, and names the first ones (ledger L-157)', async () => {
    const book = await openBooks(user);
    await recorded(
      book,
      entry(book, '2026-03-31', [
        ['1000', 500, 0],
        ['4000', 0, 500],
      ]),
    );
    const [broken] = await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql<Pick<LedgerEntry, 'id'>>`
        WITH e AS (SELECT * FROM ledger_entry), added AS (
          INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
          SELECT e.graph_id, e.id, n.line_order, 'li_' || n.line_order, ${book.id('1000')}, e.posting_date, n.currency, true, n.debit, n.credit
          FROM e, (VALUES (8, 'USD', 7::bigint, 0::bigint), (9, 'EUR', 0, 7)) AS n (line_order, currency, debit, credit))
        SELECT id FROM e`),
    );
    const answer = await refused(book, () => close(book, '2026-03'));
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      `Balance sheet equation broken for this period: total debits=0 total credits=7 EUR Difference=7; total debits=507 total credits=500 USD Difference=7; entries that do not balance: ${broken?.id}. Review the ledger before closing.`,
    ]);
    expect(answer.body.details).toEqual({ entry_ids: [broken?.id] });
  });

  it('rejects drafts on a retired account, and names the drafts and the account (ledger L-164)', async () => {
    const book = await openBooks(user);
    const { entries } = await recorded(
      book,
      draft(book, '2026-03-31', [
        ['6100', 500, 0],
        ['1000', 0, 500],
      ]),
    ).then(() => book.query('{ journalEntries { entries { id } } }').then((data) => data.journalEntries));
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(sql`UPDATE taxonomy_element SET is_active = false WHERE id = ${book.id('6100')}`),
    );
    const answer = await refused(book, () => close(book, '2026-03'));
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toContain('Account 6100');
    expect(answer.body.detail).toContain('is retired and cannot be posted to');
    expect(answer.body.details).toEqual({ entry_ids: [entries[0].id], element_ids: [book.id('6100')] });
  });

  it('posts drafts only after the connected accounting system has accepted them (ledger L-171, L-172)', async () => {
    const book = await openBooks(user);
    const native = await sale(book, '2026-03-05', 100);
    otherPlugins.connections = [
      {
        connectionId: 'conn_1',
        writePolicy: 'qb_authoritative',
        lastSyncAt: new Date('2026-03-31T08:00:00Z'),
        createdAt: new Date('2026-01-01T00:00:00Z'),
      },
    ];
    const { periodDrafts } = await book.query(
      '{ periodDrafts(period: "2026-03") { qbPublishCount qbWritebackConnectionId drafts { entryId willPublishToQb } } }',
    );
    expect(periodDrafts).toMatchObject({ qbPublishCount: 1, qbWritebackConnectionId: 'conn_1' });
    const answer = await refused(book, () => close(book, '2026-03'));
    expect([answer.status, answer.body.code]).toEqual([422, 'WRITE_BACK_FAILED']);
    expect(answer.body.details.failed_events).toMatchObject([{ event_id: native.id, posting_date: '2026-03-05' }]);
    await service.store.transaction({ graphId: book.graph }, (tx) =>
      tx.query(
        sql`UPDATE ledger_event SET metadata = metadata || jsonb_build_object('qb_entry_ids', jsonb_build_object(${
          periodDrafts.drafts[0].entryId
        }::text, '91'))`,
      ),
    );
    expect((await close(book, '2026-03')).body.result).toMatchObject({
      entries_posted: 1,
      entries_published_to_qb: 1,
      entries_posted_locally: 0,
    });
  });

  it('adds the statement stamps to the receipt, and rolls back when stamping fails (ledger L-158, L-161)', async () => {
    const book = await openBooks(user);
    await sale(book, '2026-03-05', 100);
    otherPlugins.stamp = async () => {
      throw new ServiceError('invalid_input', 'STATEMENT_STAMP_FAILED', 'The balance sheet could not be written.');
    };
    const failed = await refused(book, () => close(book, '2026-03'));
    expect([failed.status, failed.body.code]).toEqual([422, 'STATEMENT_STAMP_FAILED']);
    const stamped = {
      statements_stamped: true,
      stamped_statement_sets: { struct_1: 'fs_1' },
      statement_rule_summary: { pass: 2, fail: 1 },
      rule_summary: { pass: 1 },
      evaluated_structure_ids: ['struct_1'],
    };
    otherPlugins.stamp = async () => stamped;
    const answer = await close(book, '2026-03');
    expect(answer.body.result).toMatchObject({ ...stamped, statement_stamp_note: null });
    const { periodCloseStatus } =
      await book.query(`{ periodCloseStatus(periodStart: "2026-03-01", periodEnd: "2026-03-31") {
      periodStatus closeReceipt { version period closedAt closedBy actorType wasReclose entriesPosted entriesPostedLocally
        statementsStamped stampedStatementSets ruleSummary evaluatedStructureIds targetAutoAdvanced } } }`);
    expect(periodCloseStatus).toEqual({
      periodStatus: 'closed',
      closeReceipt: {
        version: 1,
        period: '2026-03',
        closedAt: '2026-04-01T12:00:00.000Z',
        closedBy: answer.body.createdBy,
        actorType: 'user',
        wasReclose: false,
        entriesPosted: 1,
        entriesPostedLocally: 1,
        statementsStamped: true,
        stampedStatementSets: { struct_1: 'fs_1' },
        ruleSummary: { pass: 1 },
        evaluatedStructureIds: ['struct_1'],
        targetAutoAdvanced: false,
      },
    });
  });
});
