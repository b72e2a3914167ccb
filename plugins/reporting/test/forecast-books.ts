import { TestClient } from '@pacioli/testing';
import {
  type ExampleBooks,
  type Loose,
  openExampleBooks,
  postExample,
  type ReportingService,
  startReporting,
} from './example-books.ts';

/** The books of the worked example with its closed months and running schedules (reporting 15.1, 15.7). */
export interface ForecastBooks extends ExampleBooks {
  /** The canonical sets of April by structure. */
  readonly closed: Readonly<Record<string, string>>;
  /** The structures of the statements by block type. */
  readonly structures: Readonly<Record<string, string>>;
  readonly accountId: (code: string) => string;
  /** An information block; `args` are more arguments of the query. */
  readonly block: (id: string, args?: string) => Promise<Loose>;
}

/** A client that stays signed in while the clock of the service moves. */
export async function startForecasts(): Promise<ReportingService> {
  const reporting = await startReporting();
  const { key } = (await reporting.user.post('/v1/user/api-keys', { name: 'months' })).body;
  return { ...reporting, user: new TestClient(reporting.service.url, { 'x-api-key': key }) };
}

const blockFields = `id name blockType displayName category informationModel { conceptArrangement } artifact { mechanics }
  elements { id qname } facts { elementQname value periodStart periodEnd unit }
  factSet { id factsetType scenarioId periodStart periodEnd provenance } verificationSummary { passed failed errored }
  view { rendering { periods { start end label forecast }
    rows { elementQname elementName itemType values } validation { status } } }`;

/** Opens the books, closes February to April and starts the schedules of depreciation and insurance. */
export async function openForecastBooks(
  reporting: ReportingService,
  { hasSchedules = true }: { readonly hasSchedules?: boolean } = {},
): Promise<ForecastBooks> {
  const books = await openExampleBooks(reporting.user);
  await postExample(books);
  for (const period of ['2026-02', '2026-03']) await books.done('close-period', { period });
  const { stamped_statement_sets: closed } = await books.done('close-period', { period: '2026-04' });
  const { accounts } = await books.query('{ accounts(limit: 200) { accounts { id code } } }');
  const ids = new Map<string, string>(accounts.accounts.map(({ id, code }: Loose) => [code, id]));
  const accountId = (code: string): string => ids.get(code) ?? '';
  const block: ForecastBooks['block'] = async (id, args = '') =>
    (await books.query(`{ informationBlock(id: "${id}"${args}) { ${blockFields} } }`)).informationBlock;
  if (hasSchedules) {
    await startSchedule(books, {
      name: 'Machines',
      debit: accountId('6300'),
      credit: accountId('1590'),
      cents: 105_000,
    });
    await startSchedule(books, {
      name: 'Insurance',
      debit: accountId('6200'),
      credit: accountId('1300'),
      cents: 20_000,
    });
  }
  const structures: Record<string, string> = {};
  for (const id of Object.keys(closed)) structures[(await block(id)).blockType] = id;
  return { ...books, closed, structures, accountId, block };
}

/** A schedule of twelve months from April, which is closed already. */
export function startSchedule(
  books: ExampleBooks,
  schedule: { readonly name: string; readonly debit: string; readonly credit: string; readonly cents: number } & {
    readonly metadata?: object;
  },
): Promise<Loose> {
  const { name, debit, credit, cents, metadata } = schedule;
  return books.done('create-information-block', {
    block_type: 'schedule',
    payload: {
      name,
      element_ids: [debit, credit],
      period_start: '2026-04-01',
      period_end: '2027-03-31',
      monthly_amount: cents,
      closed_through: '2026-04-30',
      entry_template: { debit_element_id: debit, credit_element_id: credit },
      ...(metadata === undefined ? {} : { schedule_metadata: metadata }),
    },
  });
}

const gaap = (name: string): string => `rs-gaap:${name}`;
const driver = (name: string): string => `rs-driver:${name}`;

/** The forecast of the worked example (reporting 15.7). */
export const examplePlan = {
  name: 'Plan 2026',
  horizon_months: 3,
  levers: [
    { qname: driver('RevenueGrowthRate'), value: 0.02 },
    { qname: driver('CostOfRevenueRate'), value: 0.6 },
    { qname: driver('DaysSalesOutstanding'), value: 15 },
    { qname: driver('DaysPayableOutstanding'), value: 12 },
  ],
  line_growth: [{ qname: gaap('GeneralAndAdministrativeExpense'), values_by_period: { '2026-05': 0.03 } }],
  line_assertions: [{ qname: gaap('GainLossOnDispositionOfAssets'), value: 0 }],
};

export async function createForecast(books: Pick<ExampleBooks, 'done'>, more: object = {}): Promise<Loose> {
  const payload = { ...examplePlan, ...more };
  return books.done('create-information-block', { block_type: 'forecast', payload });
}

/** The values of the rows of a block by local name. */
export function rowsOf(block: Loose): Readonly<Record<string, readonly (number | null)[]>> {
  return Object.fromEntries(
    block.view.rendering.rows.map(({ elementQname, values }: Loose) => [elementQname.split(':')[1], values]),
  );
}
