/** What a size of graph gives; -1 is without limit. */
export interface TierNumbers {
  readonly tier: string;
  readonly name: string;
  readonly description: string;
  /** Customers choose from these; the others are what the platform runs shared repositories on. */
  readonly isSold: boolean;
  /** For a graph and a period of 30 days, in US cents. */
  readonly price_cents: number;
  readonly credits_monthly: number;
  readonly subgraphs_max: number;
  /** Null where documents are not counted. */
  readonly documents_max: number | null;
  readonly memory_mb: number;
  /** Soft: growth is refused above it, reads and ledger writes go on (platform T-6). Null without a cap. */
  readonly storage_gb_max: number | null;
  readonly query: {
    readonly seconds_max: number;
    readonly characters_max: number;
    readonly stream_chunk_rows: number;
    readonly connections_max: number;
  };
  readonly backup: {
    readonly size_gb_max: number;
    readonly retention_days: number;
    readonly per_day_max: number;
    /** Null where the plan of a repository says it. */
    readonly downloads_per_month_max: number | null;
  };
  readonly import: {
    readonly file_gb_max: number;
    readonly seconds_max: number;
    readonly parallel_max: number;
    readonly files_max: number;
    readonly per_day_max: number;
  };
  /** Null where nothing is imported by customers. */
  readonly rows: {
    readonly per_copy_max: number;
    readonly per_table_max: number;
    readonly per_chunk: number;
  } | null;
  /** Published, and what the rate limiter applies. */
  readonly rate_multiplier: number;
  readonly hasPrioritySupport: boolean;
}

/** Every number of platform T-1, once: reads, limits, gates and the limiter all take it from here. Smallest first. */
const tiers: readonly [TierNumbers, ...TierNumbers[]] = [
  {
    tier: 'ladybug-standard',
    name: 'Standard',
    description: 'For one company and its books.',
    isSold: true,
    price_cents: 9_900,
    credits_monthly: 8_000,
    subgraphs_max: 3,
    documents_max: 100,
    memory_mb: 6_144,
    storage_gb_max: 20,
    query: { seconds_max: 30, characters_max: 10_000, stream_chunk_rows: 1_000, connections_max: 10 },
    backup: { size_gb_max: 10, retention_days: 7, per_day_max: 2, downloads_per_month_max: 10 },
    import: { file_gb_max: 1, seconds_max: 900, parallel_max: 1, files_max: 100, per_day_max: 25 },
    rows: { per_copy_max: 2_000_000, per_table_max: 5_000_000, per_chunk: 500_000 },
    rate_multiplier: 1,
    hasPrioritySupport: true,
  },
  {
    tier: 'ladybug-large',
    name: 'Large',
    description: 'For groups of companies and longer histories.',
    isSold: true,
    price_cents: 29_900,
    credits_monthly: 32_000,
    subgraphs_max: 10,
    documents_max: 1_000,
    memory_mb: 14_336,
    storage_gb_max: 50,
    query: { seconds_max: 60, characters_max: 25_000, stream_chunk_rows: 1_500, connections_max: 25 },
    backup: { size_gb_max: 50, retention_days: 30, per_day_max: 10, downloads_per_month_max: 20 },
    import: { file_gb_max: 5, seconds_max: 1_800, parallel_max: 3, files_max: 1_000, per_day_max: 50 },
    rows: { per_copy_max: 10_000_000, per_table_max: 25_000_000, per_chunk: 1_000_000 },
    rate_multiplier: 2,
    hasPrioritySupport: true,
  },
  {
    tier: 'ladybug-xlarge',
    name: 'Extra large',
    description: 'For the largest graphs and many parallel imports.',
    isSold: true,
    price_cents: 69_900,
    credits_monthly: 100_000,
    subgraphs_max: 25,
    documents_max: 10_000,
    memory_mb: 30_720,
    storage_gb_max: 100,
    query: { seconds_max: 120, characters_max: 50_000, stream_chunk_rows: 2_000, connections_max: 50 },
    backup: { size_gb_max: 100, retention_days: 90, per_day_max: -1, downloads_per_month_max: 40 },
    import: { file_gb_max: 10, seconds_max: 3_600, parallel_max: 5, files_max: 10_000, per_day_max: -1 },
    rows: { per_copy_max: 50_000_000, per_table_max: 100_000_000, per_chunk: 5_000_000 },
    rate_multiplier: 4,
    hasPrioritySupport: true,
  },
  {
    tier: 'ladybug-shared',
    name: 'Shared',
    description: 'For repositories that many subscribers read.',
    isSold: false,
    price_cents: 0,
    credits_monthly: 0,
    subgraphs_max: 10,
    documents_max: null,
    memory_mb: 10_240,
    storage_gb_max: null,
    query: { seconds_max: 300, characters_max: 100_000, stream_chunk_rows: 2_500, connections_max: 100 },
    backup: { size_gb_max: 100, retention_days: 90, per_day_max: 5, downloads_per_month_max: null },
    import: { file_gb_max: 10, seconds_max: 3_600, parallel_max: 3, files_max: 10_000, per_day_max: -1 },
    rows: null,
    rate_multiplier: 1,
    hasPrioritySupport: false,
  },
];

/** The tiers that customers choose from, smallest first. */
export const soldTiers: readonly TierNumbers[] = tiers.filter(({ isSold }) => isSold);

/** The tier of a new graph that names none. */
export const default_tier = tiers[0].tier;

/** The numbers of a tier; a name that nobody knows gets the smallest tier's, never an exemption (platform T-1). */
export function tierNumbers(tier: string): TierNumbers {
  return tiers.find((candidate) => candidate.tier === tier) ?? tiers[0];
}

/** The tier that customers can choose by this name, or undefined. */
export function soldTier(tier: string): TierNumbers | undefined {
  return soldTiers.find((candidate) => candidate.tier === tier);
}
