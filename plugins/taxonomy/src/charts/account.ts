import type { BalanceType, PeriodType } from '../vocabulary/index.ts';

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
