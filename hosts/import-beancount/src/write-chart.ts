import { field, listField, textField } from './json-fields.ts';
import { ImportError, type LedgerApi, requireSuccess } from './ledger-api.ts';
import { writeLimits } from './limits.ts';
import type { PlannedAccount } from './plan.ts';

const chartName = 'Journal accounts';
const accountsQuery = `query ImportAccounts($limit: Int, $offset: Int) {
  accounts(limit: $limit, offset: $offset) { accounts { id code name } pagination { hasMore } }
}`;
const chartsQuery = `query ImportCharts {
  taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id name isLocked } }
}`;

const mappingsQuery = 'query ImportMappings { mappings { structures { id } } }';
const mappingName = 'Reporting concepts';

interface GraphPlace {
  readonly api: LedgerApi;
  readonly graphId: string;
  readonly runId: string;
}

/** Creates the accounts that the graph lacks and returns the element id of each account by its full name. */
export async function writeChart(
  place: GraphPlace,
  accounts: readonly PlannedAccount[],
): Promise<{ readonly elementIds: ReadonlyMap<string, string>; readonly created: number }> {
  const { elementIds: before, duplicates } = await readAccounts(place);
  const ambiguous = accounts.find((account) => duplicates.has(account.name));
  if (ambiguous !== undefined) {
    const ids = [duplicates.get(ambiguous.name), before.get(ambiguous.name)].join(' and ');
    throw new ImportError(
      `Account ${ambiguous.name} matches two accounts of the graph: ${ids}. ` +
        'Give one of them another code, or import into a new graph.',
    );
  }
  const missing = accounts.filter((account) => !before.has(account.name));
  if (missing.length === 0) return { elementIds: before, created: 0 };
  await addAccounts(place, missing);
  const { elementIds } = await readAccounts(place);
  const absent = missing.find((account) => !elementIds.has(account.name));
  if (absent !== undefined) {
    throw new ImportError(`Account ${absent.name} was created but is not listed; check the chart of the graph.`);
  }
  return { elementIds, created: missing.length };
}

async function graphql(place: GraphPlace, query: string, variables: Record<string, number>): Promise<unknown> {
  const path = `/extensions/${encodeURIComponent(place.graphId)}/graphql`;
  const body = requireSuccess(await place.api.post(path, { query, variables }), 'Reading the chart of accounts');
  const [error] = listField(body, 'errors');
  if (error !== undefined) {
    throw new ImportError(`Reading the chart of accounts failed: ${textField(error, 'message') ?? 'no reason given'}`);
  }
  return field(body, 'data');
}

/** The ids of the accounts by name; `duplicates` has another account of each name that occurs twice. */
async function readAccounts(
  place: GraphPlace,
): Promise<{ readonly elementIds: ReadonlyMap<string, string>; readonly duplicates: ReadonlyMap<string, string> }> {
  const ids = new Map<string, string>();
  const duplicates = new Map<string, string>();
  const limit = writeLimits.maxAccountsPerPage;
  let offset = 0;
  for (let page = 0; page < writeLimits.maxAccountPages; page += 1) {
    const answer = field(await graphql(place, accountsQuery, { limit, offset }), 'accounts');
    const accounts = listField(answer, 'accounts');
    for (const account of accounts) {
      const id = textField(account, 'id');
      // The journal's full name is stored as the account's code, because the display name may be edited.
      const name = textField(account, 'code') ?? textField(account, 'name');
      if (id === null || name === null) continue;
      const other = ids.get(name);
      if (other !== undefined && other !== id) duplicates.set(name, other);
      ids.set(name, id);
    }
    offset += accounts.length;
    if (field(field(answer, 'pagination'), 'hasMore') !== true || accounts.length === 0)
      return { elementIds: ids, duplicates };
  }
  throw new ImportError(`The graph has more than ${offset} accounts; import into a new graph.`);
}

/** Request elements of the accounts; a qualified name may contain only one colon. */
function elementOf({ name, trait }: PlannedAccount): Record<string, unknown> {
  return {
    qname: `coa:${name.replaceAll(':', '.')}`,
    name,
    code: name,
    trait,
    balance_type: trait === 'asset' || trait === 'expense' ? 'debit' : 'credit',
    period_type: trait === 'revenue' || trait === 'expense' ? 'duration' : 'instant',
  };
}

async function addAccounts(place: GraphPlace, missing: readonly PlannedAccount[]): Promise<void> {
  let chartId = await findChart(place);
  const size = writeLimits.maxElementsPerRequest;
  for (let start = 0; start < missing.length; start += size) {
    const elements = missing.slice(start, start + size).map(elementOf);
    const [operation, request] =
      chartId === null
        ? ['create-taxonomy-block', { name: chartName, taxonomy_type: 'chart_of_accounts', elements }]
        : ['update-taxonomy-block', { taxonomy_id: chartId, elements_to_add: elements }];
    const path = `/extensions/roboledger/${encodeURIComponent(place.graphId)}/operations/${operation}`;
    const answer = await place.api.post(path, request, `import-${place.runId}-chart-${start}`);
    const envelope = requireSuccess(answer, 'Writing the chart of accounts');
    chartId ??= textField(field(envelope, 'result'), 'id');
  }
}

/** The chart that earlier imports created, or else any chart of the graph that may be changed. */
async function findChart(place: GraphPlace): Promise<string | null> {
  const answer = field(await graphql(place, chartsQuery, {}), 'taxonomies');
  const charts = listField(answer, 'taxonomies').filter((chart) => field(chart, 'isLocked') !== true);
  const chart = charts.find((each) => textField(each, 'name') === chartName) ?? charts[0];
  return chart === undefined ? null : textField(chart, 'id');
}

/** The mapping that statements need, created empty if missing; null if no chart of the graph may be changed. */
export async function findOrCreateMapping(place: GraphPlace): Promise<string | null> {
  const found = await findMapping(place);
  if (found !== null) return found;
  const chartId = await findChart(place);
  if (chartId === null) return null;
  const request = {
    taxonomy_id: chartId,
    structures_to_add: [{ name: mappingName, block_type: 'coa_mapping' }],
  };
  const path = `/extensions/roboledger/${encodeURIComponent(place.graphId)}/operations/update-taxonomy-block`;
  requireSuccess(await place.api.post(path, request, `import-${place.runId}-mapping`), 'Preparing the mapping');
  return await findMapping(place);
}

async function findMapping(place: GraphPlace): Promise<string | null> {
  const [mapping] = listField(field(await graphql(place, mappingsQuery, {}), 'mappings'), 'structures');
  return textField(mapping, 'id');
}
