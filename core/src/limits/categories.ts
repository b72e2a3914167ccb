import { type CollectionEntry, createCollection } from '../container/token.ts';

/** A rate limit category: calls per minute by the caller's tier (platform R-4). */
export interface RateCategory extends CollectionEntry {
  /** The words in the refusal: "Rate limit exceeded for graph read operations. Try again in 7 seconds." */
  readonly label: string;
  /** Counted per graph and user, and scaled by the graph's tier; others count per user (platform R-3). */
  readonly isPerGraph: boolean;
  /** Calls per minute without a user, counted per address. */
  readonly base: number;
  readonly standard: number;
  readonly large: number;
  readonly xlarge: number;
}

/** Additional categories of plugins (platform R-5). */
export const rateCategories = createCollection<RateCategory>('kernel.rate-categories');

/** The default categories of operations and views in a domain, of those without one, and of GraphQL. */
export const domainCategory = 'extensions_write';
export const graphCategory = 'graph_write';
export const graphqlCategory = 'extensions_graphql';

type Row = readonly [key: string, label: string, base: number, standard: number, large: number, xlarge: number];

const perGraph: readonly Row[] = [
  ['graph_read', 'graph read', 30, 120, 240, 480],
  ['graph_write', 'graph write', 10, 30, 60, 120],
  ['graph_analytics', 'graph analytics', 5, 15, 30, 60],
  ['graph_query', 'graph query', 20, 60, 120, 240],
  ['graph_mcp', 'graph MCP', 5, 30, 60, 120],
  ['graph_operator', 'graph operator', 3, 15, 30, 60],
];

const perUser: readonly Row[] = [
  ['auth', 'sign-in', 10, 20, 20, 20],
  ['user_management', 'user management', 30, 60, 60, 60],
  ['tasks', 'task', 30, 60, 60, 60],
  ['status', 'status', 60, 120, 120, 120],
  ['sse', 'event stream', 3, 60, 60, 60],
  ['billing', 'billing', 60, 60, 60, 60],
  ['graph_backup', 'graph backup', 2, 5, 5, 5],
  ['graph_management', 'graph management', 3, 10, 10, 10],
  ['graph_sync', 'graph sync', 3, 10, 10, 10],
  ['graph_search', 'graph search', 5, 10, 10, 10],
  ['graph_import', 'graph import', 2, 10, 10, 10],
  ['extensions_graphql', 'GraphQL', 60, 600, 600, 600],
  ['extensions_write', 'domain write', 30, 300, 300, 300],
  ['table_query', 'table query', 15, 30, 30, 30],
  ['table_upload', 'table upload', 5, 10, 10, 10],
  ['table_management', 'table management', 5, 15, 15, 15],
];

function categoryOf([key, label, base, standard, large, xlarge]: Row, isPerGraph: boolean): RateCategory {
  return { key, label, isPerGraph, base, standard, large, xlarge };
}

/** The kernel's own categories. */
export const kernelCategories: ReadonlyMap<string, RateCategory> = new Map(
  [...perGraph.map((row) => categoryOf(row, true)), ...perUser.map((row) => categoryOf(row, false))].map((category) => [
    category.key,
    category,
  ]),
);

/** Calls per minute of a category on a graph tier; an unknown tier gets the smallest one's (platform T-1). */
export function requestsPerMinute(category: RateCategory, tier: string | undefined): number {
  if (tier === undefined) return category.base;
  if (!category.isPerGraph) return category.standard;
  if (tier.endsWith('-xlarge')) return category.xlarge;
  return tier.endsWith('-large') ? category.large : category.standard;
}
