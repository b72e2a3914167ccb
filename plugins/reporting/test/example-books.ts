import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import {
  type Answer,
  type FixedClock,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
  type TestServiceOptions,
  teamSettings,
} from '@pacioli/testing';
import reporting from '../src/index.ts';

/** Any JSON from the wire. */
export type Loose = Answer['body'];

/** A service with every plugin that reports need, on May 4, 2026. */
export interface ReportingService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly clock: FixedClock;
}

export async function startReporting(
  settings: { readonly fileGate?: boolean; readonly bundleValidation?: 'off' | 'warn' | 'strict' } = {},
  options: Pick<TestServiceOptions, 'fileStore' | 'override'> = {},
): Promise<ReportingService> {
  const clock = fixedClock('2026-05-04T12:00:00Z');
  const service = await startTestService({
    ...options,
    plugins: [reporting.with(settings), taxonomy, blocks, ledger],
    clock,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
  });
  return { service, clock, user: await service.newUser('Ada') };
}

/** An account's code with its debit and credit in dollars. */
export type Leg = readonly [code: string, debit: number, credit: number];

/** The books of a graph. */
export interface ExampleBooks {
  readonly graph: string;
  readonly mappingId: string;
  readonly operation: (name: string, body: object, client?: TestClient) => Promise<Answer>;
  /** Calls an operation that must succeed and returns its result. */
  readonly done: (name: string, body: object) => Promise<Loose>;
  readonly query: (text: string) => Promise<Loose>;
  readonly post: (date: string, legs: readonly Leg[]) => Promise<void>;
}

/** Accounts, each with its code, trait and reporting concept. */
export type Chart = readonly ChartRow[];
export type ChartRow = readonly [code: string, trait: string, concept: string];

/** The chart of the worked example (reporting 15.1). */
const exampleChart: Chart = [
  ['1000', 'asset', 'CashAndCashEquivalentsAtCarryingValue'],
  ['1010', 'asset', 'CashAndCashEquivalentsAtCarryingValue'],
  ['1100', 'asset', 'AccountsReceivableNetCurrent'],
  ['1200', 'asset', 'InventoryNet'],
  ['1300', 'asset', 'PrepaidExpenseCurrent'],
  ['1500', 'asset', 'PropertyPlantAndEquipmentGross'],
  ['1590', 'contraAsset', 'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment'],
  ['2000', 'liability', 'AccountsPayableCurrent'],
  ['2100', 'liability', 'AccruedLiabilitiesCurrent'],
  ['2500', 'liability', 'LongTermDebtNoncurrent'],
  ['3000', 'equity', 'CommonStockValue'],
  ['3900', 'equity', 'RetainedEarningsAccumulatedDeficit'],
  ['3950', 'distributionToOwners', 'PaymentsOfDividends'],
  ['4000', 'revenue', 'RevenueFromContractWithCustomerExcludingAssessedTax'],
  ['5000', 'expense', 'CostOfGoodsAndServicesSold'],
  ['6000', 'expense', 'LaborAndRelatedExpense'],
  ['6100', 'expense', 'OperatingLeaseExpense'],
  ['6200', 'expense', 'GeneralInsuranceExpense'],
  ['6300', 'expense', 'DepreciationDepletionAndAmortization'],
  ['7000', 'expense', 'InterestExpense'],
  ['7100', 'gain', 'GainLossOnDispositionOfAssets'],
];

/** Opens books with the chart of the worked example and without entries, for a company with the named style, if any. */
export async function openExampleBooks(
  user: TestClient,
  { style, accounts: more = [] }: { readonly style?: string; readonly accounts?: Chart } = {},
): Promise<ExampleBooks> {
  const company = 'Larkfield Tool Co.';
  const chart = [...exampleChart.filter(([code]) => more.every(([other]) => other !== code)), ...more];
  const graph = style === undefined ? undefined : await graphInStyle(user, style);
  return openBooks(user, { company, firstMonth: '2026-02', chart, ...(graph === undefined ? {} : { graph }) });
}

interface NewBooks {
  readonly company: string;
  /** The first month with data, such as `2026-02`. */
  readonly firstMonth: string;
  readonly chart: Chart;
  /** The graph of the books; a new one by default. */
  readonly graph?: string;
}

/** Opens books without entries, whose chart is mapped to the library. */
export async function openBooks(
  user: TestClient,
  { company, firstMonth, chart, ...given }: NewBooks,
): Promise<ExampleBooks> {
  const graph = given.graph ?? (await user.createGraph(company, ['ledger']));
  const operation: ExampleBooks['operation'] = (name, body, client = user) =>
    client.post(`/extensions/ledger/${graph}/operations/${name}`, body);
  const done: ExampleBooks['done'] = async (name, body) => {
    const answer = await operation(name, body);
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.result;
  };
  const query: ExampleBooks['query'] = async (text) => {
    const answer = await user.graphql(graph, text);
    if (answer.body.errors !== undefined) throw new Error(JSON.stringify(answer.body.errors));
    return answer.body.data;
  };
  await done('initialize', { earliest_data_period: firstMonth, fiscal_year_start_month: 1 });
  await done('create-taxonomy-block', {
    taxonomy_type: 'chart_of_accounts',
    name: 'Chart',
    elements: chart.map(([code, trait]) => ({ qname: `coa:${code}`, code, name: `Account ${code}`, trait })),
    structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
    associations: chart.map(([code, , concept]) => ({
      structure_ref: 'To GAAP',
      from_ref: `coa:${code}`,
      to_ref: `rs-gaap:${concept}`,
      association_type: 'mapping',
    })),
  });
  const { accounts } = await query('{ accounts(limit: 200) { accounts { id code } } }');
  const ids = new Map<string, string>(accounts.accounts.map(({ id, code }: Loose) => [code, id]));
  const { mappings } = await query('{ mappings { structures { id } } }');
  const mappingId: string = mappings.structures[0].id;
  if (new Set(chart.map(([code]) => code)).size !== ids.size) throw new Error(`The chart has ${ids.size} accounts.`);
  const post: ExampleBooks['post'] = async (date, legs) => {
    await done('create-event-block', {
      event_type: 'journal_entry_recorded',
      event_category: 'other',
      occurred_at: `${date}T09:00:00Z`,
      source: 'manual',
      apply_handlers: true,
      metadata: {
        posting_date: date,
        memo: company,
        status: 'posted',
        line_items: legs.map(([code, debit, credit]) => ({
          element_id: ids.get(code),
          debit_amount: Math.round(debit * 100),
          credit_amount: Math.round(credit * 100),
        })),
      },
    });
  };
  return { graph, mappingId, operation, done, query, post };
}

async function graphInStyle(user: TestClient, style: string): Promise<string> {
  const { body } = await user.graphql('library', '{ libraryStructures(blockType: "reporting_style") { id name } }');
  const found = body.data.libraryStructures.find(({ name }: Loose) => name === style);
  const accepted = await user.post('/v1/graphs', {
    metadata: { graph_name: 'Larkfield Tool Co.', schema_extensions: ['ledger'] },
    initial_entity: {
      name: 'Larkfield Tool Co.',
      uri: 'https://example.org/larkfield',
      reporting_style_id: found.id,
    },
  });
  if (accepted.status !== 202) throw new Error(JSON.stringify(accepted.body));
  return (await user.follow(accepted.body.operationId)).body.result.graph_id;
}

/** A transfer of dollars from one account to another. */
const moved = (debit: string, credit: string, dollars: number): readonly Leg[] => [
  [debit, dollars, 0],
  [credit, 0, dollars],
];

/** The opening balances, and the entries of March and April (reporting 15.1). */
const movements: readonly (readonly [date: string, legs: readonly Leg[]])[] = [
  [
    '2026-02-28',
    [
      ['1000', 24_000, 0],
      ['1010', 500, 0],
      ['1100', 18_000, 0],
      ['1200', 12_000, 0],
      ['1300', 2_400, 0],
      ['1500', 60_000, 0],
      ['1590', 0, 18_000],
      ['2000', 0, 9_500],
      ['2100', 0, 3_000],
      ['2500', 0, 30_000],
      ['3000', 0, 40_000],
      ['3900', 0, 16_400],
    ],
  ],
  ['2026-03-05', moved('1100', '4000', 42_000)],
  ['2026-03-06', moved('5000', '1200', 25_200)],
  ['2026-03-10', moved('1000', '1100', 39_500)],
  ['2026-03-11', moved('1200', '2000', 26_000)],
  ['2026-03-12', moved('2000', '1000', 24_800)],
  ['2026-03-20', moved('6000', '2100', 8_200)],
  ['2026-03-21', moved('2100', '1000', 8_000)],
  ['2026-03-22', moved('6100', '1000', 2_000)],
  ['2026-03-31', moved('6200', '1300', 200)],
  ['2026-03-31', moved('6300', '1590', 1_000)],
  ['2026-03-31', moved('7000', '1000', 250)],
  ['2026-03-25', moved('1500', '1000', 6_000)],
  ['2026-04-05', moved('1100', '4000', 45_000)],
  ['2026-04-06', moved('5000', '1200', 27_000)],
  ['2026-04-10', moved('1000', '1100', 44_000)],
  ['2026-04-11', moved('1200', '2000', 27_500)],
  ['2026-04-12', moved('2000', '1000', 28_300)],
  ['2026-04-20', moved('6000', '2100', 8_400)],
  ['2026-04-21', moved('2100', '1000', 8_600)],
  ['2026-04-22', moved('6100', '1000', 2_000)],
  ['2026-04-30', moved('6200', '1300', 200)],
  ['2026-04-30', moved('6300', '1590', 1_050)],
  ['2026-04-30', moved('7000', '1000', 250)],
  [
    '2026-04-25',
    [
      ['1000', 1_400, 0],
      ['1590', 3_000, 0],
      ['1500', 0, 4_000],
      ['7100', 0, 400],
    ],
  ],
  ['2026-04-26', moved('2500', '1000', 1_500)],
  ['2026-04-27', moved('1000', '3000', 5_000)],
  ['2026-04-28', moved('3950', '1000', 2_000)],
];

/** Posts every entry of the worked example. */
export async function postExample(books: ExampleBooks): Promise<void> {
  for (const [date, legs] of movements) await books.post(date, legs);
}

export const april = { period_start: '2026-04-01', period_end: '2026-04-30', period_type: 'monthly' };

export const column = (label: string, start = '2026-04-01', end = '2026-04-30') => ({ start, end, label });

/** As many columns, each a calendar year; the first is 2026. */
export const years = (count: number) =>
  Array.from({ length: count }, (_each, at) => {
    const year = 2026 - at;
    return column(String(year), `${year}-01-01`, `${year}-12-31`);
  });

/** Creates a report, by default for April with March for comparison. */
export function createReport(books: ExampleBooks, more: object = {}): Promise<Loose> {
  return books.done('create-report', { name: 'April 2026', mapping_id: books.mappingId, ...april, ...more });
}

const statementFields = `reportId structureId structureName blockType periods { start end label } unmappedCount
  rows { elementId elementQname elementName trait values isSubtotal depth }
  validation { passed status checks failures warnings }`;

/** A statement of a report, as a query returns it. */
export async function statementOf(books: ExampleBooks, reportId: string, blockType: string): Promise<Loose> {
  const { statement } = await books.query(
    `{ statement(reportId: "${reportId}", blockType: "${blockType}") { ${statementFields} } }`,
  );
  return statement;
}

/** The values of a statement by local name. */
export function valuesOf(statement: Loose): Readonly<Record<string, readonly (number | null)[]>> {
  return Object.fromEntries(
    statement.rows.map(({ elementQname, values }: Loose) => [elementQname.replace('rs-gaap:', ''), values]),
  );
}
