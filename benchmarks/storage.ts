import type pg from 'pg';
import { startBenchService } from './bench-service.ts';
import { ledgerPlugins, openBooks } from './books.ts';
import { startCallers } from './callers.ts';
import type { Figure } from './measure.ts';
import { event } from './posting.ts';

const seconds = 10;
/** Smaller tables only hold what a graph begins with. */
const leastBytesPerEvent = 8;

interface TableSize {
  readonly name: string;
  /** With indexes, free space and values that are stored apart. */
  readonly total: number;
  /** The values of the rows alone. */
  readonly rows: number;
}

/** The bytes that each table has for one posted event with three lines, and those of the write-ahead log. */
export async function storage(): Promise<readonly Figure[]> {
  const bench = await startBenchService(ledgerPlugins);
  const books = await openBooks(bench);
  const http = startCallers();
  try {
    const calls = {
      url: `${bench.service.url}/extensions/ledger/${books.graph}/operations/create-event-block`,
      headers: bench.user.headers,
      body: JSON.stringify(event(books, '{id}')),
      callers: 16,
    };
    const before = {
      tables: await sizes(bench.pool),
      log: await logged(bench.pool),
      events: await eventCount(bench.pool),
    };
    await http.rate({ ...calls, seconds });
    const events = (await eventCount(bench.pool)) - before.events;
    const perEvent = (bytes: number): number => bytes / events;
    const log = perEvent((await logged(bench.pool)) - before.log);
    const tables = (await sizes(bench.pool)).map((table) => {
      const earlier = before.tables.find(({ name }) => name === table.name);
      return {
        name: table.name,
        ours: perEvent(table.total - (earlier?.total ?? 0)),
        bare: perEvent(table.rows - (earlier?.rows ?? 0)),
      };
    });
    const shown = tables.filter(({ ours }) => ours >= leastBytesPerEvent).sort((a, b) => b.ours - a.ours);
    const sum = (side: 'ours' | 'bare'): number => tables.reduce((total, table) => total + table[side], 0);
    const all = { name: 'all tables', ours: sum('ours'), bare: sum('bare'), goal: '≤ 5,000 B' };
    const rows = [all, { name: 'write-ahead log', ours: log, bare: sum('bare'), goal: '≤ 6,000 B' }, ...shown];
    return rows.map((row) => ({
      goal: '',
      ...row,
      name: `storage, ${row.name}`,
      unit: 'B',
      kind: 'time',
      beside: 'values of the rows',
      note: `for each of ${events} events`,
    }));
  } finally {
    http.close();
    await bench.close();
  }
}

async function sizes(pool: pg.Pool): Promise<readonly TableSize[]> {
  const { rows } = await pool.query<{ name: string; total: number }>(
    `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS total FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const found: TableSize[] = [];
  for (const { name, total } of rows) {
    const { rows: values } = await pool.query<{ bytes: number }>(
      `SELECT coalesce(sum(pg_column_size(t.*)), 0)::float8 AS bytes FROM ${name} AS t`,
    );
    found.push({ name, total, rows: values[0]?.bytes ?? 0 });
  }
  return found;
}

async function logged(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

async function eventCount(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ events: number }>('SELECT count(*)::int AS events FROM ledger_event');
  return rows[0]?.events ?? 0;
}
