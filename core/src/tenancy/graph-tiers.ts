import type graphTierInfo from '../models/GraphTierInfo.ts';
import type tierCapacity from '../models/TierCapacity.ts';
import type { TypeOf } from '../schema/model.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { soldTiers, type TierNumbers } from './tier-numbers.ts';

export type GraphTier = TypeOf<typeof graphTierInfo>;
export type TierCapacity = TypeOf<typeof tierCapacity>;

type TierSettings = Pick<KernelSettings, 'graphs'>;

/** The values of `instance_tier` that this deployment accepts for a new graph. */
export function customerTiers({ graphs }: TierSettings): readonly string[] {
  return soldTiers.map(({ tier }) => tier).filter((tier) => !graphs.disabledTiers.includes(tier));
}

/** The tiers in wire form, smallest first; priced only if the deployment bills (platform T-4). */
export function publishedTiers(
  settings: TierSettings,
  {
    includesDisabled,
    isBilled,
    backend,
  }: { readonly includesDisabled: boolean; readonly isBilled: boolean; readonly backend: string },
): GraphTier[] {
  const enabled = new Set(customerTiers(settings));
  return soldTiers
    .filter(({ tier }) => includesDisabled || enabled.has(tier))
    .map((row) => ({
      tier: row.tier,
      name: row.name,
      display_name: row.name,
      description: row.description,
      backend,
      enabled: enabled.has(row.tier),
      max_subgraphs: row.maxSubgraphs,
      monthly_credits: row.creditsMonthly,
      api_rate_multiplier: row.rateMultiplier,
      features: featuresOf(row),
      instance: { type: row.tier, memory_mb: row.memory_mb, is_multitenant: true },
      limits: {
        monthly_credits: row.creditsMonthly,
        max_subgraphs: row.maxSubgraphs,
        copy_operations: {
          max_file_size_gb: row.import.maxFileGb,
          timeout_seconds: row.import.maxSeconds,
          concurrent_operations: row.import.maxParallel,
          max_files_per_operation: row.import.maxFiles,
          daily_copy_operations: row.import.maxPerDay,
        },
        backup: {
          max_backup_size_gb: row.backup.maxSizeGb,
          backup_retention_days: row.backup.retention_days,
          max_backups_per_day: row.backup.maxPerDay,
        },
      },
      monthly_price: isBilled ? row.priceCents / 100 : null,
    }));
}

/** Describes the features of a tier in readable text, from its numbers. */
export function featuresOf(row: TierNumbers): string[] {
  return [
    `${row.maxSubgraphs} subgraphs`,
    ...(row.maxStorageGb === null ? [] : [`${row.maxStorageGb} GB of storage`]),
    `${row.creditsMonthly.toLocaleString('en-US')} credits a month`,
    `Backups kept for ${row.backup.retention_days} days`,
    ...(row.rateMultiplier === 1 ? [] : [`${row.rateMultiplier} times the request rate`]),
  ];
}

/** Every offered tier has capacity: all tiers share one store and engine, and nothing is provisioned ahead. */
export function tierCapacities(settings: TierSettings): TierCapacity[] {
  const enabled = customerTiers(settings);
  return soldTiers.map(({ tier, name }) => {
    const isReady = enabled.includes(tier);
    const message = isReady
      ? `New ${name} graphs can be created immediately.`
      : `New ${name} graphs are not offered. Choose another tier or contact support.`;
    return { tier, display_name: name, status: isReady ? 'ready' : 'at_capacity', message };
  });
}
