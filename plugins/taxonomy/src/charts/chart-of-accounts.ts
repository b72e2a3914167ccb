import type { CollectionEntry, Ids, RawBuilder, Transaction } from '@pacioli/core';
import type { LibraryCatalog } from '../library/index.ts';
import type { Account, AccountFilter, CreatedChart, ExternalIds, NewChart, PostedAccount } from './account.ts';
import {
  accountsOfRows,
  allAccounts,
  countAccounts,
  findAccounts,
  findAccountsByCode,
  findAccountsByExternalId,
  listAccounts,
  lockAccounts,
  selectAccounts,
} from './accounts.ts';
import { chartExists, createChart } from './create-chart.ts';

/** Knowledge of the owner of entities about the taxonomies linked to them. */
export interface EntityLinks extends CollectionEntry {
  /** The taxonomy of the primary link of basis `reporting`; undefined without one (taxonomy LB-17). */
  reportingTaxonomyId(tx: Transaction): Promise<string | undefined>;
  /** The taxonomy of the primary link of basis `chart_of_accounts`; undefined without one (taxonomy T-28). */
  primaryChartId(tx: Transaction): Promise<string | undefined>;
  /** Removes the links to deleted taxonomies; returns whether one of them was a primary chart (taxonomy T-38, T-39). */
  unlink(tx: Transaction, taxonomyIds: readonly string[]): Promise<{ readonly wasPrimaryChart: boolean }>;
}

/** The accounts of the transaction's graph. Every method works in the caller's transaction. */
export interface ChartOfAccounts {
  /** Writes chart, accounts and mapping with one statement each. The caller checks first that no chart exists. */
  create(tx: Transaction, chart: NewChart): Promise<CreatedChart>;
  /** True when an active chart exists, however it was created (ledger L-19). */
  exists(tx: Transaction): Promise<boolean>;
  /** The accounts with these ids, by id; unknown ids are absent. One statement. */
  find(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /**
   * A subquery for the accounts with these ids, so that a statement that writes lines can read their accounts as well,
   * without a round trip of its own. It stands in parentheses in FROM. Its columns, one of which is `id`, belong to the
   * chart: other columns of the statement must not have their names, and only `accountsOfRows` reads them.
   */
  selectAccounts(graphId: string, ids: readonly string[]): RawBuilder<unknown>;
  /** Reads the accounts, by id, from rows of `selectAccounts`. Rows without one, from an outer join, are skipped. */
  accountsOfRows(rows: readonly unknown[]): ReadonlyMap<string, PostedAccount>;
  /**
   * Locks all accounts of the graph against deletion until the transaction ends, and returns the ids that are not
   * accounts. Writers of lines lock the accounts before the periods (ledger L-150); a holder of `chartLockKey` has
   * locked them already.
   */
  lockAndFindMissing(tx: Transaction, ids: readonly string[]): Promise<readonly string[]>;
  /**
   * The active accounts with these codes, by code; of several with one code, that of the primary chart. Throws when a
   * code is ambiguous, and names two of the accounts.
   */
  findByCode(tx: Transaction, codes: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /** The primary chart of the graph's entity; undefined without one (taxonomy T-28). */
  primaryId(tx: Transaction): Promise<string | undefined>;
  /** The accounts with these ids of a provider, by that id (ledger L-88). One statement. */
  findByExternalId(tx: Transaction, of: ExternalIds): Promise<ReadonlyMap<string, Account>>;
  /** One page in natural code order, then name (ledger L-36). One statement. */
  list(
    tx: Transaction,
    filter: AccountFilter,
  ): Promise<{ readonly accounts: readonly Account[]; readonly total: number }>;
  /** Every account in natural code order, for trees and rollups. One statement, at most 50,000 rows. */
  all(tx: Transaction, options?: { readonly includeInactive?: boolean }): Promise<readonly Account[]>;
  /** The number of accounts, active or not. */
  count(tx: Transaction): Promise<number>;
}

/** The accounts as stored; the contributed links decide which chart is the primary one. */
export function storedChartOfAccounts(parts: {
  readonly ids: Ids;
  readonly library: LibraryCatalog;
  readonly links: readonly EntityLinks[];
}): ChartOfAccounts {
  const primaryId = async (tx: Transaction): Promise<string | undefined> => {
    const linked = await Promise.all(parts.links.map((each) => each.primaryChartId(tx)));
    return linked.find((id) => id !== undefined);
  };
  return {
    create: (tx, chart) => createChart(tx, chart, parts),
    exists: chartExists,
    find: findAccounts,
    selectAccounts,
    accountsOfRows,
    lockAndFindMissing: lockAccounts,
    findByCode: async (tx, codes) => findAccountsByCode(tx, codes, await primaryId(tx)),
    primaryId,
    findByExternalId: findAccountsByExternalId,
    list: listAccounts,
    all: (tx, options) => allAccounts(tx, options?.includeInactive ?? false),
    count: countAccounts,
  };
}
