import type pg from 'pg';
import { type BenchService, startBenchService } from './bench-service.ts';
import { type Books, ledgerPlugins, openBooks } from './books.ts';
import { type Figure, inTurns } from './measure.ts';

const drafts = 50_000;
const rounds = 1;
const sampleMs = 10;

/** Closes a month of 50,000 drafts over HTTP, compared with three statements that post as many entries at once. */
export async function closing(): Promise<readonly Figure[]> {
  const bench = await startBenchService(ledgerPlugins);
  try {
    const ours = await openBooks(bench);
    const bare = await openBooks(bench);
    let grown = 0;
    const months = { ours: 0, bare: 0 };
    const rates = await inTurns(
      rounds,
      async () => {
        months.ours += 1;
        const period = `2025-${String(months.ours).padStart(2, '0')}`;
        await fill(bench, ours, period);
        const { rate, memory } = await closeMonth(bench, ours, period);
        grown = Math.max(grown, memory);
        return rate;
      },
      async () => {
        months.bare += 1;
        const period = `2025-${String(months.bare).padStart(2, '0')}`;
        await fill(bench, bare, period);
        return postMonth(bench.pool, bare, period);
      },
    );
    const note = `the process grew by at most ${(grown / 2 ** 20).toFixed(0)} MiB`;
    return [{ name: 'close, 50,000 drafts', unit: 'entries/s', kind: 'rate', goal: '≥ 50 %', note, ...rates }];
  } finally {
    await bench.close();
  }
}

async function closeMonth(
  bench: BenchService,
  books: Books,
  period: string,
): Promise<{ readonly rate: number; readonly memory: number }> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, sampleMs);
  const started = performance.now();
  const answer = await bench.user.post(`/extensions/ledger/${books.graph}/operations/close-period`, { period });
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  if (answer.body.result?.entries_posted !== drafts)
    throw new Error(`The close of ${period} failed: ${JSON.stringify(answer.body).slice(0, 300)}`);
  return { rate: drafts / seconds, memory: most - before };
}

async function postMonth(pool: pg.Pool, books: Books, period: string): Promise<number> {
  const started = performance.now();
  const client = await pool.connect();
  let count: number | null;
  try {
    await client.query('BEGIN');
    const which = 'graph_id = $1 AND posting_date BETWEEN $2::date AND $2::date + 27';
    const values = [books.graph, `${period}-01`];
    const posted = await client.query(
      `UPDATE ledger_entry SET status = 'posted', posted_at = now(), updated_at = now() WHERE ${which} AND status = 'draft'`,
      values,
    );
    count = posted.rowCount;
    for (const [table, id, status] of [
      ['ledger_transaction', 'transaction_id', 'posted'],
      ['ledger_event', 'event_id', 'committed'],
    ])
      await client.query(
        `UPDATE ${table} SET status = '${status}' WHERE graph_id = $1 AND id IN (SELECT ${id} FROM ledger_entry WHERE ${which})`,
        values,
      );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  const seconds = (performance.now() - started) / 1000;
  if (count !== drafts) throw new Error(`${count} entries were posted instead of ${drafts}.`);
  return drafts / seconds;
}

/** Records one draft and copies it with its event and transaction, because creating them is not measured. */
async function fill(bench: BenchService, books: Books, period: string): Promise<void> {
  const made = await bench.user.post(`/extensions/ledger/${books.graph}/operations/create-event-block`, {
    event_type: 'journal_entry_recorded',
    event_category: 'sales',
    occurred_at: `${period}-15T12:00:00Z`,
    source: 'manual',
    apply_handlers: true,
    metadata: {
      posting_date: `${period}-15`,
      memo: 'first',
      status: 'draft',
      line_items: [
        { element_id: books.accounts[0], debit_amount: 100, credit_amount: 0 },
        { element_id: books.accounts[1], debit_amount: 0, credit_amount: 100 },
      ],
    },
  });
  const id: unknown = made.body.result?.id;
  if (typeof id !== 'string') throw new Error(`The first draft was rejected: ${JSON.stringify(made.body)}`);
  const entries = 'SELECT id FROM ledger_entry WHERE event_id = $3';
  for (const [table, renamed, which] of [
    ['ledger_event', ['id'], 'id = $3'],
    ['ledger_transaction', ['id', 'event_id'], 'event_id = $3'],
    ['ledger_entry', ['id', 'transaction_id', 'event_id'], 'event_id = $3'],
    ['ledger_line_item', ['id', 'entry_id'], `entry_id IN (${entries})`],
  ] as const) {
    const copy = renamed.map((column) => `'${column}', t.${column} || '_' || n`).join(', ');
    await bench.pool.query(
      `INSERT INTO ${table} SELECT r.* FROM ${table} AS t, generate_series(2, $2::int) AS n,
         LATERAL jsonb_populate_record(t, jsonb_build_object(${copy})) AS r WHERE t.graph_id = $1 AND t.${which}`,
      [books.graph, drafts, id],
    );
  }
  await bench.pool.query('VACUUM ANALYZE ledger_event, ledger_transaction, ledger_entry, ledger_line_item');
}
