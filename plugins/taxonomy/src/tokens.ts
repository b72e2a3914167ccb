import { createToken, type RawBuilder, type Transaction } from '@pacioli/core';
import type { LibraryCatalog, Statements } from './library/index.ts';
import type { BalanceType, PeriodType } from './vocabulary/index.ts';

/** An account: an element of a chart to which journal lines post (taxonomy T-6). */
export interface Account {
  readonly id: string;
  readonly taxonomyId: string | null;
  readonly qname: string | null;
  readonly code: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly subClassification: string | null;
  readonly balanceType: BalanceType;
  readonly periodType: PeriodType;
  readonly isActive: boolean;
  readonly isAbstract: boolean;
  /** A header, to which nothing can be posted. */
  readonly isPlaceholder: boolean;
  /** True with `no_negative: true` in its metadata: no posting may take it below zero (ledger L-213). */
  readonly isNeverNegative: boolean;
  readonly source: string;
  readonly parentId: string | null;
  readonly depth: number;
  /** ISO 4217; null means the currency of the books. */
  readonly currency: string | null;
  readonly externalId: string | null;
  readonly externalSource: string | null;
}

/** The fields of an account that a posting checks. */
export type PostedAccount = Pick<
  Account,
  | 'id'
  | 'code'
  | 'name'
  | 'subClassification'
  | 'balanceType'
  | 'isActive'
  | 'isAbstract'
  | 'isPlaceholder'
  | 'isNeverNegative'
  | 'currency'
>;

/** An account of a chart to create. Omitted fields follow from the trait. */
export interface NewAccount {
  readonly code: string;
  readonly name: string;
  readonly trait: string;
  readonly description?: string | null;
  readonly subClassification?: string | null;
  readonly liquidity?: 'current' | 'noncurrent' | null;
  readonly balanceType?: BalanceType;
  readonly currency?: string | null;
  /** The code of another account of the same chart. */
  readonly parentCode?: string | null;
  /** Local name or qname of the reporting concept; null or absent leaves the account unmapped. */
  readonly concept?: string | null;
}

export interface NewChart {
  readonly name: string;
  readonly description?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly accounts: readonly NewAccount[];
  /** Creates a mapping to US GAAP with the arcs that the accounts name. */
  readonly mapping?: { readonly name?: string; readonly suggestedBy: string };
  readonly createdBy: string;
  readonly now: Date;
}

export interface CreatedChart {
  readonly taxonomyId: string;
  /** Null when no mapping was requested. */
  readonly mappingId: string | null;
  readonly accountIdsByCode: ReadonlyMap<string, string>;
  readonly mappingsCreated: number;
  /** Concept names that the library does not have, each once. */
  readonly unresolved: readonly string[];
}

export interface AccountFilter {
  readonly trait?: string;
  readonly isActive?: boolean;
  /** 1 to 1,000 rows. */
  readonly limit: number;
  readonly offset: number;
}

/** Ids assigned by a provider; without a connection, those of all its connections. */
export interface ExternalIds {
  readonly source: string;
  readonly connectionId: string | null;
  readonly ids: readonly string[];
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
  hold(tx: Transaction, ids: readonly string[]): Promise<readonly string[]>;
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

export interface ReportingConcept {
  readonly id: string;
  readonly qname: string | null;
  readonly name: string;
  readonly trait: string | null;
  readonly balanceType: BalanceType;
  readonly periodType: PeriodType;
}

export interface MappedAccount {
  readonly accountId: string;
  readonly concept: ReportingConcept;
}

export interface AccountMapping {
  readonly id: string;
  readonly name: string;
  readonly taxonomyId: string;
  /** One entry per mapped account; an account has at most one concept (taxonomy M-2). */
  readonly arcs: readonly MappedAccount[];
}

/** The reporting concept that each account rolls up into. */
export interface Mappings {
  /** The mapping with its account arcs in one statement; undefined when the id is not a mapping of this graph. */
  concepts(tx: Transaction, mappingId: string): Promise<AccountMapping | undefined>;
  /** The id of the mapping used when none is named (taxonomy M-5); undefined without a chart. */
  bookMappingId(tx: Transaction): Promise<string | undefined>;
}

/** The shipped library and the structures derived from it: constants in memory, without statements. */
export interface Library extends LibraryCatalog {}

export const chartOfAccounts = createToken<ChartOfAccounts>('taxonomy.chart-of-accounts');
export const mappings = createToken<Mappings>('taxonomy.mappings');
export const library = createToken<Library>('taxonomy.library');
export const statementStructures = createToken<Statements>('taxonomy.statement-structures');
