import { factStore } from '@pacioli/blocks';
import reporting from '@pacioli/reporting';
import type pg from 'pg';
import { type BenchService, startBenchService } from './bench-service.ts';
import { ledgerPlugins } from './books.ts';
import { type Figure, inTurns } from './measure.ts';
import { LiveMemory } from './memory-growth.ts';
import { openReportBooks, runner } from './report-books.ts';

const usual = { facts: 10_000, recipients: [5, 20] };

/**
 * A report of 10,000 facts shared with 5 and with 20 graphs, each by one run over HTTP, compared with one statement for
 * each graph that copies its facts into a table with the same indexes; and the live memory of the larger share beside
 * that of the smaller one, which must not grow with the recipients. `sharing=1000,3` is one small share.
 */
export async function sharing(size?: string): Promise<readonly Figure[]> {
  const [facts = usual.facts, ...given] = size?.split(',').map(Number) ?? [];
  const bench = await startBenchService([...ledgerPlugins, reporting]);
  try {
    const report = await openReport(bench, facts);
    await copyTable(bench.pool);
    const figures: Figure[] = [];
    const live: { readonly recipients: number; readonly megabytes: number }[] = [];
    for (const recipients of given.length === 0 ? usual.recipients : given) {
      const { listId, targets } = await addRecipients(bench, report.graph, recipients);
      const memory = new LiveMemory();
      const ours = () => timeOf(() => memory.during(() => share(bench, { ...report, listId, recipients })));
      const bare = () => timeOf(() => copyFacts(bench.pool, { ...report, targets }));
      const times = await inTurns(1, ours, bare);
      const note = `live memory grew by at most ${memory.megabytes.toFixed(0)} MB`;
      const name = `sharing, ${facts.toLocaleString('en')} facts to ${recipients} graphs`;
      figures.push({ name, unit: 'ms', kind: 'time', goal: '—', note, ...times });
      live.push({ recipients, megabytes: memory.megabytes });
    }
    return [...figures, ...growthOf(live)];
  } finally {
    await bench.close();
  }
}

/** The live memory of the largest share beside that of the smallest; none for one share. */
function growthOf(live: readonly { readonly recipients: number; readonly megabytes: number }[]): readonly Figure[] {
  const [fewest, ...more] = live;
  const most = more.at(-1);
  if (fewest === undefined || most === undefined) return [];
  const name = `sharing, live memory at ${most.recipients} graphs`;
  const sides = { ours: most.megabytes, bare: fewest.megabytes, beside: `${fewest.recipients} graphs` };
  return [{ name, unit: 'MB', kind: 'time', goal: '≤ 1.2 ×', ...sides }];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A published report with facts on as many dates. */
async function openReport(bench: BenchService, count: number) {
  const books = await openReportBooks(bench, { accounts: 100, months: 2, copies: 1 });
  const run = runner(bench.user, books.graph);
  const [month = ''] = books.months;
  const { id: reportId } = await run('create-report', {
    name: 'A report of the benchmark',
    mapping_id: books.mappingId,
    period_type: 'monthly',
    period_start: `${month}-01`,
    period_end: `${month}-28`,
  });
  const { rows } = await bench.pool.query(
    `SELECT s.entity_id, s.created_by, f.element_id FROM blocks_fact_set s JOIN blocks_fact f
       ON f.graph_id = s.graph_id AND f.fact_set_id = s.id WHERE s.graph_id = $1 AND s.report_id = $2 LIMIT 1`,
    [books.graph, reportId],
  );
  const [{ entity_id: entityId, created_by: createdBy, element_id: elementId }] = rows;
  const now = new Date();
  const dates = Array.from({ length: count }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
  const set = { structureId: null, periodStart: null, periodEnd: `${month}-28`, factsetType: 'report' as const };
  await bench.service.store.transaction({ graphId: books.graph }, async (tx) => {
    const store = bench.service.service.services.resolve(factStore);
    const owner = { entityId, reportId, scenarioId: null, provenance: null, createdBy, now };
    const setId = await store.createSet(tx, { ...set, ...owner });
    const fact = { elementId, periodStart: null, periodType: 'instant', unit: 'USD' } as const;
    const facts = dates.map((periodEnd, at) => ({ ...fact, periodEnd, value: `${at}.25` }));
    await store.addFacts(tx, setId, facts, now);
  });
  await bench.pool.query('ANALYZE');
  return { graph: books.graph, reportId };
}

/** Graphs of organizations of their own, as members of a new list. */
async function addRecipients(bench: BenchService, graph: string, count: number) {
  const run = runner(bench.user, graph);
  const { id: listId } = await run('create-publish-list', { name: `${count} recipients` });
  const targets: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const user = await bench.service.newUser(`Recipient ${at} of ${count}`);
    targets.push(await user.createGraph(`Recipient ${at} of ${count}`, ['ledger']));
  }
  await run('add-publish-list-members', { list_id: listId, target_graph_ids: targets });
  return { listId, targets };
}

/** Shares and watches the run until it has ended. */
async function share(
  { user }: BenchService,
  {
    graph,
    listId,
    reportId,
    recipients,
  }: { readonly [K in 'graph' | 'listId' | 'reportId']: string } & {
    readonly recipients: number;
  },
): Promise<void> {
  const body = { publish_list_id: listId, report_id: reportId };
  const answer = await user.post(`/extensions/ledger/${graph}/operations/share-report`, body);
  if (answer.status !== 200) throw new Error(`share-report: ${answer.status} ${JSON.stringify(answer.body)}`);
  let { result } = answer.body;
  if (answer.body.status === 'pending') {
    for await (const { event, data } of user.stream(`/v1/operations/${answer.body.operationId}/stream`)) {
      if (event === 'operation_completed') result = data.result;
    }
  }
  const shared = result.results.filter(({ status }: { readonly status: string }) => status === 'shared');
  if (shared.length !== recipients) throw new Error(`Not shared: ${JSON.stringify(result).slice(0, 500)}`);
}

async function copyTable(pool: pg.Pool): Promise<void> {
  await pool.query('CREATE TABLE bench_fact (LIKE blocks_fact INCLUDING ALL)');
}

/** Replaces the facts of each graph in a transaction of its own. */
async function copyFacts(
  pool: pg.Pool,
  {
    graph,
    reportId,
    targets,
  }: { readonly graph: string; readonly reportId: string; readonly targets: readonly string[] },
): Promise<void> {
  const { rows } = await pool.query(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = 'bench_fact'::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('graph_id', 'id')`,
  );
  const { columns } = rows[0];
  const client = await pool.connect();
  try {
    for (const target of targets) {
      await client.query('BEGIN');
      await client.query('DELETE FROM bench_fact WHERE graph_id = $1', [target]);
      await client.query(
        `INSERT INTO bench_fact (graph_id, id, ${columns})
         SELECT $1, $1 || '_' || f.id, ${columns.replaceAll(/(\w+)/g, 'f.$1')} FROM blocks_fact f
         JOIN blocks_fact_set s ON s.graph_id = f.graph_id AND s.id = f.fact_set_id
         WHERE f.graph_id = $2 AND s.report_id = $3`,
        [target, graph, reportId],
      );
      await client.query('COMMIT');
    }
  } finally {
    client.release();
  }
}
