import reporting from '@pacioli/reporting';
import { type BenchService, startBenchService } from './bench-service.ts';
import { ledgerPlugins } from './books.ts';
import { type Figure, inTurns, medianOf } from './measure.ts';
import { MemoryGrowth } from './memory-growth.ts';
import { monthAfter, openReportBooks, type ReportBooks, runner } from './report-books.ts';
import { readStored, storedKey, storeResized } from './stored-report.ts';

const usual = { accounts: 1_000, months: 37, copies: 30 };
const firstClosed = 6;
const reportPeriods = 12;
/** With 1,000 accounts over all concepts they make some 10,000 facts with those of the notes. */
const filePeriods = 24;
const exportedFacts = [1_000, 10_000, 50_000];

/** A column of a report. */
interface Column {
  readonly start: string;
  readonly end: string;
  readonly label: string;
}

/** Reports of large books over HTTP, with the SQL that fetches the same amounts; `reports=100,13,1` makes small books. */
export async function reports(size?: string): Promise<readonly Figure[]> {
  const [accounts = 0, months = 0, copies = 0] = size?.split(',').map(Number) ?? Object.values(usual);
  const bench = await startBenchService([...ledgerPlugins, reporting]);
  try {
    const books = await openReportBooks(bench, { accounts, months, copies });
    const of = `${accounts.toLocaleString('en')} accounts`;
    const created = await creating(bench, books, of);
    const read = await statementReads(bench, books);
    const added = await addedMonths(bench, books, accounts);
    return [...created, added, read, ...(await files(bench, books)), ...(await exportMemory(bench, books))];
  } finally {
    await bench.close();
  }
}

function columnOf(month: string): Column {
  const nextMonth = new Date(`${monthAfter(month, 1)}-01T00:00:00Z`);
  const end = new Date(nextMonth.getTime() - 1).toISOString().slice(0, 10);
  return { start: `${month}-01`, end, label: month };
}

async function createReport({ user }: BenchService, books: ReportBooks, columns: readonly Column[]): Promise<string> {
  const report = await runner(user, books.graph)('create-report', {
    name: 'A report of the benchmark',
    mapping_id: books.mappingId,
    period_type: 'monthly',
    period_start: columns[0]?.start,
    period_end: columns.at(-1)?.end,
    periods: columns,
  });
  return report.id;
}

/** The debits and credits of each account through the end of each column and within it. */
const balancesSql = `
  SELECT c.n, element_id, sum(debit_amount) AS debit, sum(credit_amount) AS credit,
    sum(debit_amount) FILTER (WHERE posting_date >= c.start) AS own_debit,
    sum(credit_amount) FILTER (WHERE posting_date >= c.start) AS own_credit
  FROM unnest($2::date[], $3::date[]) WITH ORDINALITY AS c (start, last, n)
  JOIN ledger_line_item ON posting_date <= c.last WHERE graph_id = $1 AND is_landed GROUP BY c.n, element_id`;

/** A report with its facts, rules, validation and file, while all months are open, and the balances that it reads. */
async function creating(bench: BenchService, books: ReportBooks, of: string): Promise<readonly Figure[]> {
  const columns = books.months.slice(-reportPeriods).map(columnOf);
  const values = [books.graph, columns.map(({ start }) => start), columns.map(({ end }) => end)];
  const times = await inTurns(
    3,
    () => medianOf(3, () => createReport(bench, books, columns)),
    () => medianOf(3, () => bench.pool.query(balancesSql, values)),
  );
  const note = `${books.lineItems.toLocaleString('en')} line items`;
  const name = `reports, ${of} and ${columns.length} periods created`;
  return [{ name, unit: 'ms', kind: 'time', goal: '≤ 5 ×', note, ...times }];
}

/** The live statements of a month that follows many closed months, and of one in books with few. */
async function addedMonths(bench: BenchService, books: ReportBooks, accounts: number): Promise<Figure> {
  const young = await openReportBooks(bench, { accounts, months: firstClosed + 1, copies: 1 });
  for (const { graph, months } of [young, books]) {
    const run = runner(bench.user, graph);
    for (const period of months.slice(0, -1)) await run('close-period', { period });
  }
  const read = ({ graph, months }: ReportBooks) => {
    const run = runner(bench.user, graph);
    const { start, end } = columnOf(months.at(-1) ?? '');
    return medianOf(7, async () => {
      for (const statement of ['balance_sheet', 'income_statement', 'cash_flow_statement'])
        await run('live-financial-statement', { statement_type: statement, period_start: start, period_end: end });
    });
  };
  const times = await inTurns(
    5,
    () => read(books),
    () => read(young),
  );
  const name = `reports, a month added to ${books.months.length - 1} closed ones`;
  return { name, unit: 'ms', kind: 'time', goal: '≤ 1.2 ×', beside: `after ${firstClosed}`, ...times };
}

/** A stored statement of the largest report, and its facts as one SQL statement. */
async function statementReads(bench: BenchService, books: ReportBooks): Promise<Figure> {
  const reportId = await createReport(bench, books, books.months.slice(-filePeriods).map(columnOf));
  const query = `{ statement(reportId: "${reportId}", blockType: "balance_sheet") { rows { elementQname values } } }`;
  const bare = `SELECT f.* FROM blocks_fact AS f JOIN blocks_fact_set AS s ON s.graph_id = f.graph_id AND s.id = f.fact_set_id
    JOIN reporting_statement AS r ON r.graph_id = s.graph_id AND r.fact_set_id = s.id
    WHERE s.graph_id = $1 AND s.report_id = $2 AND r.block_type = 'balance_sheet'`;
  const times = await inTurns(
    3,
    () =>
      medianOf(9, async () => {
        const { body } = await bench.user.graphql(books.graph, query);
        if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
      }),
    () => medianOf(9, () => bench.pool.query(bare, [books.graph, reportId])),
  );
  return { name: 'reports, a stored statement read', unit: 'ms', kind: 'time', goal: '≤ 5 ×', ...times };
}

/** The memory of exports by the number of facts, compared with that of the smallest number. */
async function exportMemory(bench: BenchService, books: ReportBooks): Promise<readonly Figure[]> {
  const reportId = await createReport(bench, books, books.months.slice(-reportPeriods).map(columnOf));
  const key = storedKey(books.graph, reportId);
  const original = await readStored(bench.service.fileStore, key);
  const grown = new Map<string, number>();
  const figures: Figure[] = [];
  for (const facts of exportedFacts) {
    const stored = await storeResized(bench.service.fileStore, key, original, facts);
    for (const format of ['jsonld', 'holon-jsonld', 'xbrl-2.1', 'xbrl-json', 'csv']) {
      const memory = new MemoryGrowth();
      const bytes = await memory.during(() => download(bench, books, { reportId, format }));
      const least = grown.get(format) ?? memory.megabytesUsed;
      grown.set(format, least);
      const note = `${stored.toLocaleString('en')} facts, ${(bytes / 1e6).toFixed(1)} MB`;
      const name = `reports, memory of ${format} for ${facts.toLocaleString('en')} facts`;
      const beside = `for ${exportedFacts[0]?.toLocaleString('en')}`;
      figures.push({
        name,
        unit: 'MB',
        kind: 'time',
        goal: 'flat',
        note,
        beside,
        ours: memory.megabytesUsed,
        bare: least,
      });
    }
  }
  return figures;
}

/** The files of the largest report, compared with reading its facts and writing them as JSON. */
async function files(bench: BenchService, books: ReportBooks): Promise<readonly Figure[]> {
  const reportId = await createReport(bench, books, books.months.slice(-filePeriods).map(columnOf));
  const sql = `SELECT f.* FROM blocks_fact AS f JOIN blocks_fact_set AS s ON s.graph_id = f.graph_id AND s.id = f.fact_set_id
    WHERE s.graph_id = $1 AND s.report_id = $2`;
  let facts = 0;
  const bare = async (): Promise<void> => {
    const { rows } = await bench.pool.query(sql, [books.graph, reportId]);
    facts = rows.length;
    JSON.stringify(rows);
  };
  const figures: Figure[] = [];
  for (const format of ['jsonld', 'xbrl-2.1', 'csv']) {
    const memory = new MemoryGrowth();
    let bytes = 0;
    const times = await inTurns(
      3,
      () =>
        medianOf(3, () =>
          memory.during(async () => {
            bytes = await download(bench, books, { reportId, format });
          }),
        ),
      () => medianOf(3, bare),
    );
    const note = `${facts.toLocaleString('en')} facts, ${(bytes / 1e6).toFixed(1)} MB; ${memory.describe()}`;
    figures.push({ name: `reports, ${format} downloaded`, unit: 'ms', kind: 'time', goal: 'flat', note, ...times });
  }
  return figures;
}

async function download(
  { user }: BenchService,
  { graph }: ReportBooks,
  { reportId, format }: { readonly reportId: string; readonly format: string },
): Promise<number> {
  const url = `${user.url}/v1/graphs/${graph}/reports/${reportId}/download?format=${format}`;
  const response = await fetch(url, { headers: user.headers });
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return bytes;
}
