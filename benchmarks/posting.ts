import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { ok, poster, startBenchService } from './bench-service.ts';
import { type Books, ledgerPlugins, openBooks } from './books.ts';
import { startCallers } from './callers.ts';
import { type Figure, inTurns, rateOf } from './measure.ts';

const seconds = 5;

/** S2: an event with three lines over HTTP, compared with SQL that inserts the same rows in one transaction. */
export async function posting(): Promise<readonly Figure[]> {
  const bench = await startBenchService(ledgerPlugins);
  const books = await openBooks(bench);
  const post = poster(bench.user.headers);
  const url = `${bench.service.url}/extensions/ledger/${books.graph}/operations/create-event-block`;
  const body = JSON.stringify(event(books, '{id}'));
  const figures: Figure[] = [];
  const http = startCallers();
  try {
    await ok(post(url, JSON.stringify(event(books, randomUUID())), { 'idempotency-key': randomUUID() }));
    const copies = await rowsOfOneEvent(bench.pool, books.graph);
    // A server gathers statistics within a minute, and plans for empty tables would slow down both sides.
    await http.rate({ url, headers: bench.user.headers, body, callers: 16, seconds });
    await bench.pool.query('ANALYZE');
    for (const callers of [1, 16]) {
      const rates = await inTurns(
        3,
        () => http.rate({ url, headers: bench.user.headers, body, callers, seconds }),
        () => rateOf(callers, seconds, () => insertCopy(bench.pool, copies)),
      );
      figures.push({
        name: `posting, ${callers} caller${callers === 1 ? '' : 's'}`,
        unit: 'events/s',
        kind: 'rate',
        goal: '≥ 50 %',
        ...rates,
      });
    }
    return figures;
  } finally {
    http.close();
    await bench.close();
  }
}

/** A sale, with tax unless other lines are given. */
export function event(books: Books, id: string, lines = linesWithTax(books)): object {
  return {
    event_type: 'journal_entry_recorded',
    event_category: 'sales',
    occurred_at: '2026-03-31T12:00:00Z',
    source: 'manual',
    external_id: id,
    apply_handlers: true,
    metadata: { posting_date: '2026-03-31', memo: 'A sale with tax', status: 'posted', line_items: lines },
  };
}

function linesWithTax({ accounts: [cash, sales, tax] }: Books): readonly object[] {
  return [
    { element_id: cash, debit_amount: 10_700, credit_amount: 0 },
    { element_id: sales, debit_amount: 0, credit_amount: 10_000 },
    { element_id: tax, debit_amount: 0, credit_amount: 700 },
  ];
}

/** The rows of one posted event by table; the baseline writes them again under new ids. */
interface TableRows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const tables = [
  'ledger_event',
  'ledger_transaction',
  'ledger_entry',
  'ledger_line_item',
  'kernel_idempotency',
  'kernel_operation_audit',
];

/** Of the kernel's rows, those of the event; setting up the books has written others. */
const ofPosting: Readonly<Record<string, string>> = {
  kernel_idempotency: `AND operation_id IN (
    SELECT operation_id FROM kernel_operation_audit WHERE operation = 'create-event-block')`,
  kernel_operation_audit: `AND operation = 'create-event-block'`,
};

async function rowsOfOneEvent(pool: pg.Pool, graph: string): Promise<readonly TableRows[]> {
  const found: TableRows[] = [];
  for (const table of tables) {
    const { rows } = await pool.query(`SELECT * FROM ${table} WHERE graph_id = $1 ${ofPosting[table] ?? ''}`, [graph]);
    found.push({ table, rows });
  }
  return found;
}

/** Generated columns of audit rows: sequence number and seal. */
const givenByStore = ['written', 'seq', 'prev_hash', 'hash'];

const idFields = /^(id|.*_id|external_id|key_hash)$/;

/** One transaction with one statement per table, like carefully written SQL. */
async function insertCopy(pool: pg.Pool, copies: readonly TableRows[]): Promise<void> {
  const fresh = new Map<string, string>();
  const renew = (value: unknown): unknown => {
    if (Buffer.isBuffer(value)) return randomBytes(value.length);
    if (typeof value !== 'string' || !/^(evt|txn|je|li|op)_|^[0-9a-f-]{36}$|^[0-9a-f]{64}$/.test(value)) return value;
    const known = fresh.get(value) ?? `${value.slice(0, 4)}${randomUUID()}`;
    fresh.set(value, known);
    return known;
  };
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    for (const { table, rows } of copies) {
      const columns = Object.keys(rows[0] ?? {}).filter((column) => !givenByStore.includes(column));
      const values = rows.flatMap((row) =>
        columns.map((column) => {
          const value = idFields.test(column) ? renew(row[column]) : row[column];
          return typeof value === 'object' &&
            value !== null &&
            !(value instanceof Date) &&
            !Buffer.isBuffer(value) &&
            !Array.isArray(value)
            ? JSON.stringify(value)
            : value;
        }),
      );
      const places = rows.map(
        (_row, at) => `(${columns.map((_column, index) => `$${at * columns.length + index + 1}`).join(', ')})`,
      );
      await client.query({
        name: `copy_${table}`,
        text: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places.join(', ')}`,
        values,
      });
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
