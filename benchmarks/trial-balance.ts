import { type BenchService, startBenchService } from './bench-service.ts';
import { type Books, ledgerPlugins, openBooks } from './books.ts';
import { type Figure, inTurns, medianOf } from './measure.ts';

const entries = 500_000;

/** S3: the trial balance of 1,000,000 line items over GraphQL, compared with the same aggregate as one statement. */
export async function trialBalance(): Promise<readonly Figure[]> {
  const bench = await startBenchService(ledgerPlugins);
  try {
    const books = await openBooks(bench);
    await postFirst(bench, books);
    await multiply(bench.pool, books.graph, entries);
    const query =
      '{ trialBalance { totalDebits totalCredits rows { accountCode accountName totalDebits totalCredits netBalance } } }';
    const bare = `SELECT element_id, sum(debit_amount), sum(credit_amount) FROM ledger_line_item WHERE graph_id = $1 AND is_landed GROUP BY element_id`;
    const times = await inTurns(
      3,
      () =>
        medianOf(7, async () => {
          const answer = await bench.user.graphql(books.graph, query);
          if (answer.body.data.trialBalance.totalDebits !== entries)
            throw new Error(`The balance is wrong: ${JSON.stringify(answer.body).slice(0, 300)}`);
        }),
      () => medianOf(7, () => bench.pool.query(bare, [books.graph])),
    );
    return [{ name: 'trial-balance, 1,000,000 line items', unit: 'ms', kind: 'time', goal: '≤ 1.3 ×', ...times }];
  } finally {
    await bench.close();
  }
}

/** Posts the entry that `multiply` copies. */
export async function postFirst(bench: Pick<BenchService, 'user'>, books: Books): Promise<void> {
  const posted = await bench.user.post(`/extensions/ledger/${books.graph}/operations/create-event-block`, {
    event_type: 'journal_entry_recorded',
    event_category: 'sales',
    occurred_at: '2026-03-31T12:00:00Z',
    source: 'manual',
    external_id: 'first',
    apply_handlers: true,
    metadata: {
      posting_date: '2026-03-31',
      memo: 'first',
      status: 'posted',
      line_items: [
        { element_id: books.accounts[0], debit_amount: 100, credit_amount: 0 },
        { element_id: books.accounts[1], debit_amount: 0, credit_amount: 100 },
      ],
    },
  });
  if (posted.status !== 200) throw new Error(`The first event was rejected: ${JSON.stringify(posted.body)}`);
}

/** Copies the first entry until there are two line items for each of `entries`; creating them is not measured. */
export async function multiply(pool: import('pg').Pool, graph: string, entries: number): Promise<void> {
  for (const [table, keys] of [
    ['ledger_entry', ['id']],
    ['ledger_line_item', ['id', 'entry_id']],
  ] as const) {
    const { rows } = await pool.query(
      `SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
      [table],
    );
    const columns = rows.map((row) => String(row.column_name));
    const list = columns.map((column) =>
      (keys as readonly string[]).includes(column) ? `${column} || '_' || n` : column,
    );
    await pool.query(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${list.join(', ')} FROM ${table}, generate_series(2, $2) AS n WHERE graph_id = $1`,
      [graph, entries],
    );
  }
  await pool.query('ANALYZE ledger_line_item');
}
