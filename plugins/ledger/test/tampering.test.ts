/**
 * Tries every kind of change on every column of every table.
 * @module-tag full-run
 * @module-tag sessions
 */
import { sql } from '@pacioli/core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerCalendarEvent, LedgerLog } from '../src/rows.gen.ts';
import { type Books, done, entry, openBooks } from './books.ts';
import { recorded, sale } from './close-books.ts';
import { useCloseBooks, user } from './close-fixture.ts';
import { entriesOf, inGraph, inTransaction, posted, seal, tamper, verify, verifyIn } from './log-books.ts';
import { createSchedule, insurance } from './schedule-books.ts';

useCloseBooks();

/** A table that belongs to the books: the SQL of a row's subject, a change of it, and a forged row. */
interface InBooks {
  readonly subject: string;
  /** Selects the row to change; the first one by default. */
  readonly where?: string;
  readonly change: string;
  /** Absent where the key allows one row for a graph. */
  readonly forged?: Readonly<Record<string, unknown>>;
}

/** Classifies each table of the ledger. A new table must be added: as part of the books, or with a reason why not. */
const decisions: Readonly<Record<string, InBooks | { readonly reason: string }>> = {
  ledger_agent: { subject: 'id', change: "tax_id = '11-1111111'", forged: { id: 'agt_forged', external_id: null } },
  ledger_calendar_event: { subject: 'id', change: "note = 'another note'", forged: { id: 'fce_forged' } },
  ledger_close_receipt_history: {
    subject: "period || '/' || id",
    change: `receipt = '{"entries_posted": 7}'`,
    forged: { id: 'fce_forged' },
  },
  ledger_entity: {
    subject: 'id',
    change: "functional_currency = 'EUR'",
    forged: { id: 'ent_forged', is_parent: false },
  },
  ledger_entity_taxonomy: {
    subject: "entity_id || '/' || taxonomy_id || '/' || basis",
    change: 'is_primary = NOT is_primary',
    forged: { taxonomy_id: 'tax_forged', is_primary: false },
  },
  ledger_entry: { subject: 'id', change: "memo = 'another memo'", forged: { id: 'je_forged', reversal_of: null } },
  ledger_entry_history: {
    subject: "entry_id || '/' || version",
    change: `content = content || '{"line_items": []}'`,
    forged: { version: 77 },
  },
  ledger_event: { subject: 'id', change: 'amount = 1', forged: { id: 'evt_forged', external_id: null } },
  ledger_event_handler: { subject: 'id', change: 'priority = 99', forged: { id: 'evh_forged', name: 'Forged' } },
  ledger_event_handler_version: { subject: 'handler_id', change: `content = '{}'`, forged: { version: 77 } },
  ledger_event_settlement: {
    subject: "discharging_event_id || '/' || originating_event_id",
    change: 'amount = amount - 1',
    forged: { originating_event_id: 'evt_forged' },
  },
  ledger_fiscal_calendar: { subject: 'id', change: 'fiscal_year_start_month = 7' },
  ledger_fiscal_period: { subject: 'name', change: "closed_by = 'nobody'", forged: { name: '1999-01' } },
  ledger_line_item: {
    subject: 'entry_id',
    change: "description = 'something else'",
    forged: { entry_id: 'je_forged', id: 'li_forged' },
  },
  ledger_log: {
    subject: "CASE id WHEN 0 THEN 'log row of ' || subject_id ELSE 'log row 3' END",
    // The first batch holds the oldest rows in their order.
    where: `id = (SELECT o.id FROM ledger_log AS o WHERE o.graph_id = $graph ORDER BY o.id OFFSET 2 LIMIT 1)`,
    change: `payload = '{}'`,
    forged: { id: 0 },
  },
  ledger_schedule: { subject: 'structure_id', change: `definition = '{}'`, forged: { structure_id: 'struct_forged' } },
  ledger_schedule_month: {
    subject: "structure_id || '/' || period",
    change: 'accumulated = accumulated + 1',
    forged: { period: '1999-01' },
  },
  ledger_transaction: { subject: 'id', change: 'amount = amount * 2', forged: { id: 'txn_forged' } },
  ledger_month_total: { reason: 'It repeats sums of line items, with which the verifier compares it (ledger L-218).' },
  ledger_open_item: { subject: 'event_id', change: 'amount = amount + 1', forged: { event_id: 'evt_forged' } },
  ledger_receivable_account: { reason: 'It repeats what the chart says of accounts, for triggers.' },
  ledger_resettlement: { reason: 'It lists the books of earlier versions to update at the next start.' },
  ledger_obligation_sweep: { reason: 'It holds the time of the next run of a job, which no response depends on.' },
};

const inBooks = Object.entries(decisions).flatMap(([table, decision]) =>
  'reason' in decision ? [] : [{ table, ...decision }],
);

/** Opens books that have a sealed row in each of these tables. */
async function fullBooks(): Promise<Books> {
  const book = await openBooks(user);
  const agent = await done(book, 'create-agent', { agent_type: 'customer', name: 'Vega', tax_id: '99-9999999' });
  const owed = [
    ['1100', 500, 0],
    ['4000', 0, 500],
  ] as const;
  const invoice = await recorded(
    book,
    entry(book, '2026-03-05', owed, { event_type: 'invoice_issued', amount: 500, agent_id: agent.id }),
  );
  const paid = [
    ['1000', 200, 0],
    ['1100', 0, 200],
  ] as const;
  const payment = { event_type: 'payment_received', event_category: 'treasury', amount: 200, agent_id: agent.id };
  await recorded(book, entry(book, '2026-03-06', paid, { ...payment, discharges_event_id: invoice.id }));
  const [draft] = await entriesOf(book, (await sale(book, '2026-03-31', 70)).id);
  await done(book, 'update-journal-entry', { entry_id: draft?.id ?? '', memo: 'less' });
  const item = { element_id: 'code:1000', amount: '1' };
  await done(book, 'create-event-handler', {
    name: 'Tips',
    event_type: 'tip',
    transaction_template: {
      transactions: [{ entry_template: { debit: item, credit: { ...item, element_id: 'code:4000' } } }],
    },
  });
  await createSchedule(book, insurance(book, { period_start: '2026-05-01', period_end: '2026-10-31' }));
  await done(book, 'close-period', { period: '2026-03' });
  await done(book, 'reopen-period', { period: '2026-03', reason: 'a late bill' });
  await posted(book, '2026-03-20', 5);
  await seal(book);
  expect(await verify(book)).toEqual([]);
  return book;
}

describe('book verifier and the tables of the ledger', () => {
  let book: Books;
  beforeAll(async () => {
    book = await fullBooks();
  });

  it('classifies each table of the ledger as part of the books or not (ledger L-214)', async () => {
    const tables = await inGraph(
      book,
      sql<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name ~ '^ledger_' ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(decisions).sort());
  });

  const rowOf = ({ table, subject, where = 'true' }: (typeof inBooks)[number]) => `SELECT ctid AS place,
    (${subject})::text AS subject FROM ${table} WHERE graph_id = $graph AND ${where} ORDER BY 2 LIMIT 1`;

  /** Returns the verifier's findings after a statement, and restores the table. */
  async function namedAfter(table: string, statement: string): Promise<string> {
    await tamper(book, `CREATE TABLE kept AS SELECT * FROM ${table} WHERE graph_id = $graph; ${statement}`);
    const broken = await verify(book);
    await tamper(
      book,
      `DELETE FROM ${table} WHERE graph_id = $graph; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept; DROP TABLE kept`,
    );
    return broken.join('; ');
  }

  async function subjectOf(each: (typeof inBooks)[number]): Promise<string> {
    const text = rowOf(each).replaceAll('$graph', `'${book.graph}'`);
    const [row] = await inGraph(book, sql<{ subject: string }>`${sql.raw(text)}`);
    if (row === undefined) throw new Error(`${each.table} has no row to tamper with.`);
    return row.subject;
  }

  it.each(inBooks)('reports a row of $table that was changed with SQL (ledger L-214)', async (each) => {
    const statement = `UPDATE ${each.table} SET ${each.change} WHERE ctid = (SELECT place FROM (${rowOf(each)}) AS r)`;
    expect(await namedAfter(each.table, statement)).toContain(await subjectOf(each));
  });

  it.each(inBooks)('reports a row of $table that was deleted with SQL (ledger L-214)', async (each) => {
    const statement = `DELETE FROM ${each.table} WHERE ctid = (SELECT place FROM (${rowOf(each)}) AS r)`;
    expect(await namedAfter(each.table, statement)).toContain(await subjectOf(each));
  });

  it.each(inBooks.filter(({ forged }) => forged !== undefined))(
    'reports a row of $table that was inserted with SQL (ledger L-214)',
    async (each) => {
      const forged = `jsonb_populate_record(t, '${JSON.stringify(each.forged)}')`;
      const statement = `INSERT INTO ${each.table} OVERRIDING SYSTEM VALUE
      SELECT (${forged}).* FROM ${each.table} AS t WHERE ctid = (SELECT place FROM (${rowOf(each)}) AS r)`;
      const { subject } = each;
      const [row] = await inGraph(
        book,
        sql<{ subject: string }>`${sql.raw(
          `SELECT (${subject})::text AS subject FROM (SELECT (${forged}).* FROM ${each.table} AS t
        WHERE ctid = (SELECT place FROM (${rowOf(each).replaceAll('$graph', `'${book.graph}'`)}) AS r)) AS f`,
        )}`,
      );
      expect(await namedAfter(each.table, statement)).toContain(row?.subject);
    },
  );

  // Once for all tables, because a verification reads the whole books.
  it('reports nothing after all rows are restored (ledger L-214)', async () => {
    expect(await verify(book)).toEqual([]);
  });
});

describe('book verifier after writes that the triggers logged', () => {
  let book: Books;
  beforeAll(async () => {
    book = await fullBooks();
  });

  it.each([
    ['L-5a: ent_', sql`UPDATE ledger_entity SET functional_currency = 'EUR'`],
    ['L-50: txn_', sql`UPDATE ledger_transaction SET amount = amount + 1 WHERE type = 'invoice_issued'`],
    ['L-50: txn_', sql`UPDATE ledger_transaction SET currency = 'EUR' WHERE type = 'invoice_issued'`],
    ['L-100a: evt_', sql`UPDATE ledger_event SET currency = 'EUR' WHERE event_type = 'payment_received'`],
    ['L-100a: evt_', sql`UPDATE ledger_event SET event_type = 'bill_paid' WHERE event_type = 'payment_received'`],
    ['L-90: evt_', sql`UPDATE ledger_event_settlement SET amount = amount * 2`],
  ])('reports the rule %s that a logged change breaks', async (named, statement) => {
    const refusal = new Error('taken back');
    const found = inTransaction(book, async (tx) => {
      await tx.query(statement);
      const broken = await verifyIn(tx);
      throw Object.assign(refusal, { broken });
    });
    await expect(found).rejects.toBe(refusal);
    expect(refusal).toMatchObject({ broken: [expect.stringContaining(named)] });
  });

  it('accepts settlements that were deleted and inserted again (ledger L-214)', async () => {
    const rows = sql`SELECT * FROM ledger_event_settlement`;
    const [kept] = await inGraph(book, sql<Record<string, unknown>>`${rows}`);
    await inTransaction(book, async (tx) => {
      await tx.query(sql`DELETE FROM ledger_event_settlement`);
      await tx.query(sql`INSERT INTO ledger_event_settlement SELECT * FROM jsonb_populate_record(NULL::ledger_event_settlement,
        ${JSON.stringify(kept)}::text::jsonb)`);
    });
    const kinds = await inGraph(
      book,
      sql<Pick<LedgerLog, 'kind'>>`SELECT kind FROM ledger_log WHERE kind LIKE 'settlement%' ORDER BY id`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['settlement_added', 'settlement_removed', 'settlement_added']);
    expect(await verify(book)).toEqual([]);
  });
});

describe('book verifier with tables of many batches', { timeout: 300_000 }, () => {
  let book: Books;
  beforeAll(async () => {
    book = await fullBooks();
    const copies = (table: string, count: number) =>
      inGraph(
        book,
        sql`INSERT INTO ${sql.table(table)} SELECT c.* FROM ${sql.table(table)} AS t CROSS JOIN generate_series(1, ${count}::integer) AS n
          CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('id', 'z_' || lpad(n::text, 5, '0'))) AS c
          WHERE t.id = (SELECT min(id) FROM ${sql.table(table)})`,
      );
    await copies('ledger_agent', 10_500);
    await copies('ledger_calendar_event', 2_100);
    await seal(book);
  });

  it.each(['z_00001', 'z_01000', 'z_01001', 'z_10500'])(
    'reports the agent %s after a change and after a deletion (ledger L-214)',
    async (id) => {
      expect(await verify(book)).toEqual([]);
      await tamper(
        book,
        `CREATE TABLE kept AS SELECT * FROM ledger_agent WHERE graph_id = $graph AND id = '${id}';
      UPDATE ledger_agent SET tax_id = '11-1111111' WHERE graph_id = $graph AND id = '${id}'`,
      );
      expect(await verify(book)).toEqual([`L-214: ${id}`]);
      await tamper(book, `DELETE FROM ledger_agent WHERE graph_id = $graph AND id = '${id}'`);
      expect(await verify(book)).toEqual([`L-214: ${id}`]);
      await tamper(book, 'INSERT INTO ledger_agent SELECT * FROM kept; DROP TABLE kept');
    },
  );

  it.each(['z_01000', 'z_01001', 'z_02100'])(
    'reports a changed row %s of the calendar audit (ledger L-193)',
    async (id) => {
      const change = (note: string) =>
        tamper(book, `UPDATE ledger_calendar_event SET note = ${note} WHERE graph_id = $graph AND id = '${id}'`);
      const [row] = await inGraph(
        book,
        sql<Pick<LedgerCalendarEvent, 'note'>>`SELECT note FROM ledger_calendar_event WHERE id = ${id}`,
      );
      await change(`'another note'`);
      expect(await verify(book)).toEqual([`L-193: ${id}`]);
      await change(row?.note == null ? 'NULL' : `'${row.note}'`);
      expect(await verify(book)).toEqual([]);
    },
  );
});
