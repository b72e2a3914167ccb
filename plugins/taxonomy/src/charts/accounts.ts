import { columnsOf, invalidInput, type RowOf, type Transaction, textList } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import type { TaxonomyElement } from '../rows.gen.ts';
import { groupBy } from '../values/index.ts';
import { chartSources } from '../vocabulary/index.ts';
import type { Account, AccountFilter, ExternalIds, PostedAccount } from './account.ts';
import { ambiguityMessage, preferPrimaryChart } from './account-choice.ts';

const maxAccounts = 50_000;

const balanceType = sql`coalesce(e.balance_type, 'debit')`;
const isNeverNegative = sql`coalesce(e.metadata->'no_negative' = 'true'::jsonb, false)`;

const postedColumns = columnsOf<TaxonomyElement>('e')(
  'id',
  'code',
  'name',
  'sub_classification',
  'is_active',
  'is_abstract',
  'is_placeholder',
  'currency',
);
const otherColumns = columnsOf<TaxonomyElement>('e')(
  'taxonomy_id',
  'qname',
  'description',
  'trait',
  'liquidity',
  'period_type',
  'source',
  'parent_id',
  'depth',
  'external_id',
  'external_source',
);
const computedColumns = sql`${balanceType} as balance_type, ${isNeverNegative} as is_never_negative`;
const accountColumns = sql`${postedColumns}, ${otherColumns}, ${computedColumns}`;

type PostedRow = RowOf<typeof postedColumns> & {
  readonly balance_type: NonNullable<TaxonomyElement['balance_type']>;
  readonly is_never_negative: boolean;
};

type AccountRow = PostedRow & RowOf<typeof otherColumns>;

/** Selects the elements of the graph that are accounts (taxonomy T-6); `e` is the element. */
function isAccount(graphId: string): RawBuilder<unknown> {
  return sql`e.graph_id = ${graphId} and e.source in (${sql.join([...chartSources])}) and (e.taxonomy_id is null
    or e.taxonomy_id in (select t.id from taxonomy_taxonomy t
      where t.graph_id = ${graphId} and t.taxonomy_type = 'chart_of_accounts'))`;
}

/** Selects the accounts that count in coverage (taxonomy T-6). */
export function isCountableAccount(graphId: string): RawBuilder<unknown> {
  return sql`${isAccount(graphId)} and e.is_active and not e.is_abstract and not e.is_placeholder`;
}

/** Natural code order, then name (ledger L-36). */
const accountOrder = sql`e.code_order nulls last, e.name, e.id`;

export async function findAccounts(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Account>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query(sql<AccountRow>`select ${accountColumns} ${withIds(tx.graphId, ids)}`);
  return new Map(rows.map((row) => [row.id, accountOf(row)]));
}

/** Looks each id up by key; a join would read all elements of the graph. */
function withIds(graphId: string, ids: readonly string[]): RawBuilder<unknown> {
  return sql`from unnest(${textList(ids)}) as m (id)
    cross join lateral (
      select * from taxonomy_element e where e.graph_id = ${graphId} and e.id = m.id offset 0) as e
    where ${isAccount(graphId)}`;
}

/** A subquery for the accounts with these ids, as rows that `accountsOfRows` reads. */
export function selectAccounts(graphId: string, ids: readonly string[]): RawBuilder<unknown> {
  return sql`select ${postedColumns}, ${computedColumns} ${withIds(graphId, ids)}`;
}

/** Reads the accounts, by id, from rows of a statement that joins `selectAccounts`. */
export function accountsOfRows(rows: readonly unknown[]): ReadonlyMap<string, PostedAccount> {
  // The rows are those of the statement, which has further columns.
  const found = (rows as readonly (PostedRow | { readonly id: null })[]).flatMap((row) =>
    row.id === null ? [] : [row],
  );
  return new Map(
    found.map((row) => [
      row.id,
      {
        id: row.id,
        code: row.code,
        name: row.name,
        subClassification: row.sub_classification,
        balanceType: row.balance_type,
        isActive: row.is_active,
        isAbstract: row.is_abstract,
        isPlaceholder: row.is_placeholder,
        isNeverNegative: row.is_never_negative,
        currency: row.currency,
      },
    ]),
  );
}

/** A subquery for the ids that are not accounts, as rows with an `id`. */
function missingAccounts(graphId: string, ids: readonly string[]): RawBuilder<Pick<TaxonomyElement, 'id'>> {
  return sql`select m.id from unnest(${textList(ids)}) as m (id)
    where not exists (select from taxonomy_element e where ${isAccount(graphId)} and e.id = m.id
      -- Looks each id up by its key; as a join it would read all elements of the graph.
      offset 0)`;
}

/**
 * The key of an advisory lock: shared by all writers of lines, exclusive for a deletion of accounts, so that no line is
 * left without its account. It is acquired before the period locks (ledger L-150) and held until the transaction ends.
 */
export function chartLockKey(graphId: string): string {
  return `pacioli.chart.${graphId}`;
}

/**
 * Locks all accounts of the graph against deletion until the transaction ends; returns the ids that are not accounts.
 */
export async function lockAccounts(tx: Transaction, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const graphId = tx.graphId;
  await tx.query(sql`select pg_advisory_xact_lock_shared(hashtextextended(${chartLockKey(graphId)}, 0))`);
  // A separate statement, so that it sees what others committed while this one waited.
  const rows = await tx.query(
    sql<Pick<TaxonomyElement, 'id'>>`select id from (${missingAccounts(graphId, ids)}) as gone order by id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * The active accounts with these codes; of several with one code, that of the primary chart. Throws when a code is
 * ambiguous.
 */
export async function findAccountsByCode(
  tx: Transaction,
  codes: readonly string[],
  primaryChartId: string | undefined,
): Promise<ReadonlyMap<string, Account>> {
  if (codes.length === 0) return new Map();
  const rows = await tx.query(sql<AccountRow>`select ${accountColumns} from taxonomy_element e
    where ${isAccount(tx.graphId)} and e.is_active and e.code = any(${codes}::text[]) order by e.code, e.id`);
  const found = new Map<string, Account>();
  for (const [code, accounts] of groupBy(rows.map(accountOf), (account) => account.code ?? '')) {
    const meant = preferPrimaryChart(accounts, primaryChartId);
    if (meant.length > 1) throw invalidInput(ambiguityMessage(`code:${code}`, meant));
    for (const account of meant) found.set(code, account);
  }
  return found;
}

/** The accounts with these ids of a provider; of several with one id, an active one, and of those the earliest. */
export async function findAccountsByExternalId(
  tx: Transaction,
  { source, connectionId, ids }: ExternalIds,
): Promise<ReadonlyMap<string, Account>> {
  if (ids.length === 0) return new Map();
  const ofConnection = connectionId === null ? sql`` : sql`and e.connection_id = ${connectionId}`;
  const rows = await tx.query(sql<
    AccountRow & { readonly external_id: NonNullable<TaxonomyElement['external_id']> }
  >`select ${accountColumns} from taxonomy_element e
    where ${isAccount(tx.graphId)} and e.external_source = ${source} ${ofConnection} and e.external_id = any(${[...ids]}::text[])
    order by e.is_active, e.id desc`);
  return new Map(rows.map((row) => [row.external_id, accountOf(row)]));
}

/** One page of accounts and the total number. */
export async function listAccounts(
  tx: Transaction,
  filter: AccountFilter,
): Promise<{ readonly accounts: readonly Account[]; readonly total: number }> {
  const where = accountFilter(tx, filter);
  const rows = await tx.query(sql<AccountRow & { total: number }>`select ${accountColumns},
      (count(*) over ())::int as total
    from taxonomy_element e where ${where}
    order by ${accountOrder} limit ${filter.limit} offset ${filter.offset}`);
  const [first] = rows;
  if (first !== undefined) return { accounts: rows.map(accountOf), total: first.total };
  // A page past the end has no row that could carry the total.
  return { accounts: [], total: filter.offset === 0 ? 0 : await countWhere(tx, where) };
}

export async function allAccounts(tx: Transaction, includeInactive: boolean): Promise<readonly Account[]> {
  const where = accountFilter(tx, includeInactive ? {} : { isActive: true });
  const rows = await tx.query(sql<AccountRow>`select ${accountColumns} from taxonomy_element e
    where ${where} order by ${accountOrder} limit ${maxAccounts}`);
  return rows.map(accountOf);
}

export async function countAccounts(tx: Transaction): Promise<number> {
  return countWhere(tx, isAccount(tx.graphId));
}

async function countWhere(tx: Transaction, where: RawBuilder<unknown>): Promise<number> {
  const rows = await tx.query(
    sql<{ total: number }>`select count(*)::int as total from taxonomy_element e where ${where}`,
  );
  return rows[0]?.total ?? 0;
}

function accountFilter(tx: Transaction, filter: Pick<AccountFilter, 'trait' | 'isActive'>): RawBuilder<unknown> {
  const conditions = [isAccount(tx.graphId)];
  if (filter.trait !== undefined) conditions.push(sql`e.trait = ${filter.trait}`);
  if (filter.isActive !== undefined) conditions.push(sql`e.is_active = ${filter.isActive}`);
  return sql.join(conditions, sql` and `);
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    taxonomyId: row.taxonomy_id,
    qname: row.qname,
    code: row.code,
    name: row.name,
    description: row.description,
    trait: row.trait,
    liquidity: row.liquidity,
    subClassification: row.sub_classification,
    balanceType: row.balance_type,
    periodType: row.period_type,
    isActive: row.is_active,
    isAbstract: row.is_abstract,
    isPlaceholder: row.is_placeholder,
    isNeverNegative: row.is_never_negative,
    source: row.source,
    parentId: row.parent_id,
    depth: row.depth,
    currency: row.currency,
    externalId: row.external_id,
    externalSource: row.external_source,
  };
}
