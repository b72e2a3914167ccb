import type { TestClient } from '@pacioli/testing';
import type pg from 'pg';
import type { BenchService } from './bench-service.ts';
import { multiply } from './trial-balance.ts';

const linesPerEntry = 20;
const traits = ['asset', 'liability', 'equity', 'revenue', 'expense'] as const;

/** Concepts of income that make an entry one that the cash flow reads line by line (reporting S-13). */
const noncash =
  /Depreciation|Amortization|Gain|Loss|Provision|WriteDown|Impairment|Accretion|PaidInKind|ShareBased|Deferred/;

/** Concepts that accounts may have although no line of the default style shows them. */
const withoutLine =
  /:(Partners|Members)|Unrealized|OtherNoncash|Accretion|PaidInKind|ShareBasedCompensation$|AmortizationOfFinancing|UseAssetAmortization|SaleOfPropertyPlantEquipment$/;

/** The size of books to report on. */
export interface BookSize {
  readonly accounts: number;
  readonly months: number;
  /** The number of times that each ordinary entry is posted; the copies are made by SQL. */
  readonly copies: number;
}

/** Books whose accounts are spread over all reporting concepts. */
export interface ReportBooks {
  readonly graph: string;
  readonly mappingId: string;
  readonly months: readonly string[];
  readonly lineItems: number;
}

interface Account {
  readonly id: string;
  readonly trait: (typeof traits)[number];
  readonly concept: string;
}

/** Opens books in which every account moves in every month. */
export async function openReportBooks({ user, pool }: BenchService, size: BookSize): Promise<ReportBooks> {
  const months = Array.from({ length: size.months }, (_, at) => monthAfter('2022-01', at));
  const graph = await user.createGraph(`Books of ${size.accounts} accounts`, ['ledger']);
  const run = runner(user, graph);
  await run('initialize', { earliest_data_period: months[0] });
  const { accounts, mappingId } = await createChart(user, graph, size.accounts);
  const cash = accounts.find(({ concept }) => concept.endsWith(':CashAndCashEquivalentsAtCarryingValue'));
  if (cash === undefined) throw new Error('No account is mapped to cash.');
  const isOrdinary = ({ trait, concept }: Account) =>
    (trait === 'revenue' || trait === 'expense') && !noncash.test(concept);
  await post(run, { months, cash, accounts: accounts.filter(isOrdinary) });
  await multiply(pool, graph, size.copies);
  await post(run, { months, cash, accounts: accounts.filter((account) => !isOrdinary(account) && account !== cash) });
  await pool.query('VACUUM ANALYZE ledger_entry, ledger_line_item');
  return { graph, mappingId, months, lineItems: await countOf(pool, graph) };
}

type Run = (name: string, body: object) => Promise<{ readonly id: string }>;

/** Calls operations that must succeed. */
export function runner(user: TestClient, graph: string): Run {
  return async (name, body) => {
    const answer = await user.post(`/extensions/ledger/${graph}/operations/${name}`, body);
    if (answer.status !== 200)
      throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
    return answer.body.result;
  };
}

export function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 + count;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

async function createChart(
  user: TestClient,
  graph: string,
  count: number,
): Promise<{ readonly accounts: readonly Account[]; readonly mappingId: string }> {
  const concepts = new Map<string, readonly string[]>();
  for (const trait of traits) {
    const { body } = await user.graphql(
      graph,
      `{ mappingCandidates(classification: "${trait}") { qname periodType } }`,
    );
    const period = trait === 'revenue' || trait === 'expense' ? 'duration' : 'instant';
    const own: readonly { qname: string; periodType: string }[] = body.data.mappingCandidates;
    concepts.set(
      trait,
      own
        .filter(({ qname, periodType }) => periodType === period && !withoutLine.test(qname))
        .map(({ qname }) => qname),
    );
  }
  const planned = Array.from({ length: count }, (_, at) => {
    const trait = traits[at % traits.length] ?? 'asset';
    const own = concepts.get(trait) ?? [];
    return { code: String(10_000 + at), trait, concept: own[Math.floor(at / traits.length) % own.length] ?? '' };
  });
  await runner(user, graph)('create-taxonomy-block', {
    taxonomy_type: 'chart_of_accounts',
    name: 'Chart',
    elements: planned.map(({ code, trait }) => ({ qname: `coa:${code}`, code, name: `Account ${code}`, trait })),
    structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
    associations: planned.map(({ code, concept }) => ({
      structure_ref: 'To GAAP',
      from_ref: `coa:${code}`,
      to_ref: concept,
      association_type: 'mapping',
    })),
  });
  const ids = new Map<string, string>();
  while (ids.size < count) {
    const { body } = await user.graphql(
      graph,
      `{ accounts(limit: 500, offset: ${ids.size}) { accounts { id code } } }`,
    );
    for (const { id, code } of body.data.accounts.accounts) ids.set(code, id);
  }
  const { body } = await user.graphql(graph, '{ mappings { structures { id } } }');
  const accounts = planned.map(({ code, ...account }) => ({ ...account, id: ids.get(code) ?? '' }));
  return { accounts, mappingId: body.data.mappings.structures[0].id };
}

interface Posting {
  readonly months: readonly string[];
  readonly cash: Account;
  readonly accounts: readonly Account[];
}

/** Posts an entry against cash for each few accounts in each month. */
async function post(run: Run, { months, cash, accounts }: Posting): Promise<void> {
  for (const month of months) {
    for (let from = 0; from < accounts.length; from += linesPerEntry) {
      const lines = accounts.slice(from, from + linesPerEntry).map(({ id, trait }, at) => {
        const isDebit = trait === 'asset' || trait === 'expense';
        const cents = 10_000 + from + at;
        return { element_id: id, debit_amount: isDebit ? cents : 0, credit_amount: isDebit ? 0 : cents };
      });
      const rest = lines.reduce((sum, line) => sum + line.debit_amount - line.credit_amount, 0);
      const balance = { element_id: cash.id, debit_amount: Math.max(-rest, 0), credit_amount: Math.max(rest, 0) };
      await run('create-event-block', {
        event_type: 'journal_entry_recorded',
        event_category: 'other',
        occurred_at: `${month}-15T12:00:00Z`,
        source: 'manual',
        apply_handlers: true,
        metadata: {
          posting_date: `${month}-15`,
          memo: 'A month of a benchmark',
          status: 'posted',
          line_items: rest === 0 ? lines : [...lines, balance],
        },
      });
    }
  }
}

async function countOf(pool: pg.Pool, graph: string): Promise<number> {
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM ledger_line_item WHERE graph_id = $1', [graph]);
  return rows[0].count;
}
