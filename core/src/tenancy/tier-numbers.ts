/** The limits and prices of a graph tier; -1 means unlimited. */
export interface TierNumbers {
  readonly tier: string;
  readonly name: string;
  readonly description: string;
  /** True if customers can choose it; the other tiers run shared repositories. */
  readonly isSold: boolean;
  /** Per graph and 30 days, in US cents. */
  readonly priceCents: number;
  readonly creditsMonthly: number;
  readonly maxSubgraphs: number;
  /** Null if documents are not counted. */
  readonly maxDocuments: number | null;
  readonly memory_mb: number;
  /** A soft cap: growth is refused above it, reads and ledger writes continue (platform T-6). Null without a cap. */
  readonly maxStorageGb: number | null;
  readonly query: {
    readonly maxSeconds: number;
    readonly maxCharacters: number;
    readonly streamChunkRows: number;
    readonly maxConnections: number;
  };
  readonly backup: {
    readonly maxSizeGb: number;
    readonly retention_days: number;
    readonly maxPerDay: number;
    /** Null if the plan of a repository sets it. */
    readonly maxDownloadsPerMonth: number | null;
  };
  /** Of ingest-file: the size of a file and its time. One materialization of a graph runs at once (graphs M-2). */
  readonly import: {
    readonly maxFileGb: number;
    readonly maxSeconds: number;
    readonly maxParallel: number;
    readonly maxFiles: number;
    readonly maxPerDay: number;
  };
  /** Null if customers do not import. */
  readonly rows: {
    readonly maxPerCopy: number;
    readonly maxPerTable: number;
    readonly per_chunk: number;
  } | null;
  /** Published in the offering and applied by the rate limiter. */
  readonly rateMultiplier: number;
  readonly hasPrioritySupport: boolean;
}

/** The service enforces the same limits on every tier: a file has at most 100 MB, and -1 means that nothing limits the number. */
const imports: TierNumbers['import'] = {
  maxFileGb: 100 / 1024,
  maxSeconds: 900,
  maxParallel: 1,
  maxFiles: -1,
  maxPerDay: -1,
};

/** The only copy of the numbers of platform T-1, for reads, limits, gates and the rate limiter. Smallest first. */
const tiers: readonly [TierNumbers, ...TierNumbers[]] = [
  {
    tier: 'ladybug-standard',
    name: 'Standard',
    description: 'For one company and its books.',
    isSold: true,
    priceCents: 9_900,
    creditsMonthly: 8_000,
    maxSubgraphs: 3,
    maxDocuments: 100,
    memory_mb: 6_144,
    maxStorageGb: 20,
    query: { maxSeconds: 30, maxCharacters: 10_000, streamChunkRows: 1_000, maxConnections: 10 },
    backup: { maxSizeGb: 10, retention_days: 7, maxPerDay: 2, maxDownloadsPerMonth: 10 },
    import: imports,
    rows: { maxPerCopy: 2_000_000, maxPerTable: 5_000_000, per_chunk: 500_000 },
    rateMultiplier: 1,
    hasPrioritySupport: true,
  },
  {
    tier: 'ladybug-large',
    name: 'Large',
    description: 'For groups of companies and longer histories.',
    isSold: true,
    priceCents: 29_900,
    creditsMonthly: 32_000,
    maxSubgraphs: 10,
    maxDocuments: 1_000,
    memory_mb: 14_336,
    maxStorageGb: 50,
    query: { maxSeconds: 60, maxCharacters: 25_000, streamChunkRows: 1_500, maxConnections: 25 },
    backup: { maxSizeGb: 50, retention_days: 30, maxPerDay: 10, maxDownloadsPerMonth: 20 },
    import: imports,
    rows: { maxPerCopy: 10_000_000, maxPerTable: 25_000_000, per_chunk: 1_000_000 },
    rateMultiplier: 2,
    hasPrioritySupport: true,
  },
  {
    tier: 'ladybug-xlarge',
    name: 'Extra large',
    description: 'For the largest graphs and many parallel imports.',
    isSold: true,
    priceCents: 69_900,
    creditsMonthly: 100_000,
    maxSubgraphs: 25,
    maxDocuments: 10_000,
    memory_mb: 30_720,
    maxStorageGb: 100,
    query: { maxSeconds: 120, maxCharacters: 50_000, streamChunkRows: 2_000, maxConnections: 50 },
    backup: { maxSizeGb: 100, retention_days: 90, maxPerDay: -1, maxDownloadsPerMonth: 40 },
    import: imports,
    rows: { maxPerCopy: 50_000_000, maxPerTable: 100_000_000, per_chunk: 5_000_000 },
    rateMultiplier: 4,
    hasPrioritySupport: true,
  },
  {
    tier: 'ladybug-shared',
    name: 'Shared',
    description: 'For repositories that many subscribers read.',
    isSold: false,
    priceCents: 0,
    creditsMonthly: 0,
    maxSubgraphs: 10,
    maxDocuments: null,
    memory_mb: 10_240,
    maxStorageGb: null,
    query: { maxSeconds: 300, maxCharacters: 100_000, streamChunkRows: 2_500, maxConnections: 100 },
    backup: { maxSizeGb: 100, retention_days: 90, maxPerDay: 5, maxDownloadsPerMonth: null },
    import: imports,
    rows: null,
    rateMultiplier: 1,
    hasPrioritySupport: false,
  },
];

/** The tiers that customers can choose, smallest first. */
export const soldTiers: readonly TierNumbers[] = tiers.filter(({ isSold }) => isSold);

/** The tier of a new graph by default. */
export const defaultTier = tiers[0].tier;

/** Returns the numbers of a tier; an unknown name gets the smallest tier's, never an exemption (platform T-1). */
export function tierNumbers(tier: string): TierNumbers {
  return tiers.find((candidate) => candidate.tier === tier) ?? tiers[0];
}

/** Returns the tier with this name if customers can choose it. */
export function soldTier(tier: string): TierNumbers | undefined {
  return soldTiers.find((candidate) => candidate.tier === tier);
}
