import { auditChains } from '@pacioli/core/assembly';
import { ledgerLog } from '@pacioli/ledger';
import type pg from 'pg';
import { type BenchService, startBenchService } from './bench-service.ts';
import { type Books, ledgerPlugins, openBooks } from './books.ts';
import { startCallers } from './callers.ts';
import type { Figure } from './measure.ts';
import { event } from './posting.ts';

/** The seconds of each half of a round. */
const seconds = 2;
/** A round ends after this many more events; then its rows are sealed. */
const eventsPerRound = 1_200;
const rounds = 5;
/** Tables whose rows are removed when their retention ends (platform L-20, N-23, P-30). */
const retention: Readonly<Record<string, string>> = {
  kernel_operation: 'a week',
  kernel_idempotency: 'a day',
  kernel_operation_audit: '400 days',
};
/** Smaller tables only hold what a graph begins with. */
const leastBytesPerEvent = 8;

interface TableSize {
  readonly name: string;
  /** With indexes, free space and values that are stored apart. */
  readonly total: number;
  /** The values of the rows alone. */
  readonly rows: number;
}

/**
 * The bytes that each table has for one posted event, and those of the write-ahead log. Half of each round posts events
 * of two lines and half of three, so that an event has about 2.5. After each round
 * its rows are sealed and dead ones removed, as a service does every minute; the next round uses the free space again.
 */
export async function storage(): Promise<readonly Figure[]> {
  const bench = await startBenchService(ledgerPlugins);
  const books = await openBooks(bench);
  const http = startCallers();
  try {
    const url = `${bench.service.url}/extensions/ledger/${books.graph}/operations/create-event-block`;
    await bench.pool.query('CREATE EXTENSION pg_walinspect');
    /** Catalog bytes written by ANALYZE and VACUUM; they grow with time, not with events. */
    let catalogLogBytes = 0;
    const round = async (): Promise<void> => {
      const since = await logPosition(bench.pool);
      const enough = (await counts(bench.pool)).events + eventsPerRound;
      for (let events = enough - eventsPerRound; events < enough; ) {
        for (const body of [withoutTax(books), event(books, '{id}')])
          await http.rate({ url, headers: bench.user.headers, body: JSON.stringify(body), callers: 16, seconds });
        const posted = (await counts(bench.pool)).events;
        if (posted === events) throw new Error(`No event was posted in ${2 * seconds} seconds.`);
        events = posted;
      }
      await sealAndVacuum(bench, books);
      catalogLogBytes += await loggedOfCatalogs(bench.pool, since);
    };
    await round();
    catalogLogBytes = 0;
    const before = {
      tables: await sizes(bench.pool),
      log: await logged(bench.pool),
      ...(await counts(bench.pool)),
    };
    for (let done = 0; done < rounds; done += 1) await round();
    const after = await counts(bench.pool);
    const events = after.events - before.events;
    const linesPerEvent = ((after.lines - before.lines) / events).toFixed(2);
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
    const all = { name: 'all tables', ...sumOf(tables), goal: '≤ 5,000 B' };
    const lasting = { name: 'tables without a retention', ...sumOf(tables.filter(({ name }) => !(name in retention))) };
    const logs = [
      { name: 'write-ahead log of events', ours: log - perEvent(catalogLogBytes), bare: all.bare, goal: '≤ 6,000 B' },
      { name: 'write-ahead log of statistics and VACUUM', ours: perEvent(catalogLogBytes), bare: all.bare },
    ];
    const rows = [all, ...logs, lasting, ...shown];
    return rows.map((row) => ({
      goal: '',
      ...row,
      name: `storage, ${row.name}`,
      unit: 'B',
      kind: 'time',
      beside: 'values of the rows',
      note: `for each of ${events} events of ${linesPerEvent} lines${row.name in retention ? `, kept for ${retention[row.name]}` : ''}`,
    }));
  } finally {
    http.close();
    await bench.close();
  }
}

const sumOf = (tables: readonly { readonly ours: number; readonly bare: number }[]) => ({
  ours: tables.reduce((total, { ours }) => total + ours, 0),
  bare: tables.reduce((total, { bare }) => total + bare, 0),
});

async function sealAndVacuum({ service, pool }: BenchService, { graph }: Books): Promise<void> {
  const log = service.service.services.resolve(ledgerLog);
  while ((await service.store.transaction({ graphId: graph }, (tx) => log.seal(tx))) > 0);
  for (const chain of Object.values(auditChains))
    while ((await service.store.transaction('kernel', (tx) => chain.seal(tx))) > 0);
  await pool.query('VACUUM');
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

async function logPosition(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
  return rows[0]?.lsn ?? '';
}

/** The bytes that were logged since then of relations of the system, and of no relation except for commits. */
async function loggedOfCatalogs(pool: pg.Pool, since: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT coalesce(sum(w.record_length), 0)::float8 AS bytes FROM pg_get_wal_records_info($1, pg_current_wal_insert_lsn()) AS w
      LEFT JOIN pg_class AS c ON c.relfilenode = (regexp_match(w.block_ref, 'rel \\d+/\\d+/(\\d+)'))[1]::oid
      WHERE CASE WHEN c.oid IS NULL THEN w.resource_manager <> 'Transaction'
        ELSE c.relnamespace <> 'public'::regnamespace END`,
    [since],
  );
  return rows[0]?.bytes ?? 0;
}

async function counts(pool: pg.Pool): Promise<{ readonly events: number; readonly lines: number }> {
  const { rows } = await pool.query<{ events: number; lines: number }>(`
    SELECT (SELECT count(*) FROM ledger_event)::int AS events, (SELECT count(*) FROM ledger_line_item)::int AS lines`);
  return rows[0] ?? { events: 0, lines: 0 };
}

function withoutTax(books: Books): object {
  const [cash, sales] = books.accounts;
  return event(books, '{id}', [
    { element_id: cash, debit_amount: 10_000, credit_amount: 0 },
    { element_id: sales, debit_amount: 0, credit_amount: 10_000 },
  ]);
}
