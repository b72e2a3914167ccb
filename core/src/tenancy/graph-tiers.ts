import type graphTierInfo from '../models/GraphTierInfo.ts';
import type tierCapacity from '../models/TierCapacity.ts';
import type { TypeOf } from '../schema/model.ts';

export type GraphTier = TypeOf<typeof graphTierInfo>;
export type TierCapacity = TypeOf<typeof tierCapacity>;

interface TierNumbers {
  readonly tier: string;
  readonly name: string;
  readonly description: string;
  readonly features: readonly string[];
  readonly credits_monthly: number;
  readonly subgraphs_max: number;
  readonly memory_mb: number;
  readonly rate_multiplier: number;
  readonly copy: GraphTier['limits']['copy_operations'];
  readonly backup: GraphTier['limits']['backup'];
}

/** The tiers that customers choose from, smallest first; -1 is without limit (platform T-1, graphs section 5). */
const tiers: readonly TierNumbers[] = [
  {
    tier: 'ladybug-standard',
    name: 'Standard',
    description: 'For one company and its books.',
    features: ['3 subgraphs', '20 GB of storage', 'Backups kept for 7 days'],
    credits_monthly: 8_000,
    subgraphs_max: 3,
    memory_mb: 6_144,
    rate_multiplier: 1,
    copy: copyLimits({ file_gb: 1, seconds: 900, parallel: 1, files: 100, daily: 25 }),
    backup: { max_backup_size_gb: 10, backup_retention_days: 7, max_backups_per_day: 2 },
  },
  {
    tier: 'ladybug-large',
    name: 'Large',
    description: 'For groups of companies and longer histories.',
    features: ['10 subgraphs', '50 GB of storage', 'Backups kept for 30 days', 'Twice the request rate'],
    credits_monthly: 32_000,
    subgraphs_max: 10,
    memory_mb: 14_336,
    rate_multiplier: 2,
    copy: copyLimits({ file_gb: 5, seconds: 1_800, parallel: 3, files: 1_000, daily: 50 }),
    backup: { max_backup_size_gb: 50, backup_retention_days: 30, max_backups_per_day: 10 },
  },
  {
    tier: 'ladybug-xlarge',
    name: 'Extra large',
    description: 'For the largest graphs and many parallel imports.',
    features: ['25 subgraphs', '100 GB of storage', 'Backups kept for 90 days', 'Four times the request rate'],
    credits_monthly: 100_000,
    subgraphs_max: 25,
    memory_mb: 30_720,
    rate_multiplier: 4,
    copy: copyLimits({ file_gb: 10, seconds: 3_600, parallel: 5, files: 10_000, daily: -1 }),
    backup: { max_backup_size_gb: 100, backup_retention_days: 90, max_backups_per_day: -1 },
  },
];

/** The names that `instance_tier` of a new graph may have. */
export const customerTiers: readonly string[] = tiers.map(({ tier }) => tier);

/** The tier of a new graph that names none. */
export const default_tier = 'ladybug-standard';

/** The analytical engine that the tiers are sized for. */
const engine = 'ladybug';

/** The tiers as the wire shows them, without prices, because nothing is billed (platform T-4). */
export function publishedTiers(): GraphTier[] {
  return tiers.map((row) => ({
    tier: row.tier,
    name: row.name,
    display_name: row.name,
    description: row.description,
    backend: engine,
    enabled: true,
    max_subgraphs: row.subgraphs_max,
    monthly_credits: row.credits_monthly,
    api_rate_multiplier: row.rate_multiplier,
    features: [...row.features],
    instance: { type: row.tier, memory_mb: row.memory_mb, is_multitenant: true },
    limits: {
      monthly_credits: row.credits_monthly,
      max_subgraphs: row.subgraphs_max,
      copy_operations: row.copy,
      backup: row.backup,
    },
    monthly_price: null,
  }));
}

/** Every size has room: graphs of all tiers share the same store and engine here, and none is set up ahead. */
export function tierCapacities(): TierCapacity[] {
  return tiers.map(({ tier, name }) => ({
    tier,
    display_name: name,
    status: 'ready',
    message: `New ${name} graphs can be created at once.`,
  }));
}

function copyLimits(limits: {
  file_gb: number;
  seconds: number;
  parallel: number;
  files: number;
  daily: number;
}): GraphTier['limits']['copy_operations'] {
  return {
    max_file_size_gb: limits.file_gb,
    timeout_seconds: limits.seconds,
    concurrent_operations: limits.parallel,
    max_files_per_operation: limits.files,
    daily_copy_operations: limits.daily,
  };
}
