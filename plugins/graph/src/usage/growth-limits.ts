import { gigabytes, ServiceError, type TierNumbers } from '@pacioli/core';
import { knownGigabytes, type StoredBytes } from './storage-status.ts';

/** The rows that a materialization would load, and the storage of the graph. */
export interface GrowthFacts {
  readonly tier: TierNumbers;
  readonly storage: StoredBytes;
  /** Rows by table; of an entity graph none, since its records are not counted beforehand. */
  readonly rows: readonly { readonly table: string; readonly rows: number }[];
}

/** Whether a graph may grow, in the words of a dry run (graphs M-3, M-4). */
export interface LimitCheck {
  readonly allowed: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly current_usage: {
    readonly total_pending_rows: number;
    /** Null where the engine does not report sizes; then rows are limited, and storage is not. */
    readonly total_storage_gb: number | null;
    readonly storage_usage_percentage: number | null;
  };
  readonly limits: {
    readonly max_rows_per_copy: number | null;
    readonly max_single_table_rows: number | null;
    readonly max_storage_gb: number | null;
  };
  readonly tier: string;
}

const warnAtPercent = 80;

/** Compares rows and storage with the limits of the tier (graphs L-4, L-5). */
export function checkGrowth({ tier, storage, rows }: GrowthFacts): LimitCheck {
  const errors: string[] = [];
  const warnings: string[] = [];
  const total = rows.reduce((sum, table) => sum + table.rows, 0);
  const compare = (what: string, value: number, most: number | null | undefined): void => {
    if (most === null || most === undefined || most < 0) return;
    if (value > most) errors.push(`${what} has ${value} rows; the ${tier.tier} tier allows ${most}.`);
    else if (value * 100 >= most * warnAtPercent) warnings.push(`${what} has ${value} of at most ${most} rows.`);
  };
  compare('The materialization', total, tier.rows?.maxPerCopy);
  for (const { table, rows: count } of rows) compare(`Table ${table}`, count, tier.rows?.maxPerTable);
  const usedGb = knownGigabytes(storage.durableBytes);
  const capGb = tier.maxStorageGb;
  const percent = capGb === null || usedGb === null ? null : Math.round((usedGb / capGb) * 10_000) / 100;
  if (capGb !== null && usedGb !== null && usedGb > capGb) errors.push(storageExceeded(usedGb, capGb));
  else if (percent !== null && percent >= warnAtPercent) warnings.push(`${percent} % of the storage is in use.`);
  return {
    allowed: errors.length === 0,
    errors,
    warnings,
    current_usage: { total_pending_rows: total, total_storage_gb: usedGb, storage_usage_percentage: percent },
    limits: {
      max_rows_per_copy: tier.rows?.maxPerCopy ?? null,
      max_single_table_rows: tier.rows?.maxPerTable ?? null,
      max_storage_gb: capGb,
    },
    tier: tier.tier,
  };
}

const storageExceeded = (usedGb: number, capGb: number): string =>
  `Storage limit exceeded. Current: ${usedGb} GB. Limit: ${capGb} GB. Delete files or subgraphs, or move to a larger tier.`;

/** Throws 413 if a materialization is beyond the limits of the tier. */
export function requireGrowth(check: LimitCheck): void {
  if (check.allowed) return;
  const { errors, current_usage, limits, tier } = check;
  const message = errors.join(' ');
  throw new ServiceError('too_large', 'LIMIT_EXCEEDED', message, {
    details: { error: 'limit_exceeded', errors, current_usage, limits, tier },
  });
}

/** Throws 413 if a file does not fit into the storage of the tier (graphs F-5). */
export function requireStorage(storage: StoredBytes, attemptedBytes: number, tier: TierNumbers): void {
  const capGb = tier.maxStorageGb;
  const usedGb = knownGigabytes(storage.durableBytes);
  const attemptedGb = gigabytes(attemptedBytes);
  if (capGb === null || usedGb === null || usedGb + attemptedGb <= capGb) return;
  const message =
    `Storage limit exceeded. Current: ${usedGb} GB. Limit: ${capGb} GB. Attempted upload: ${attemptedGb} GB. ` +
    'Delete files or subgraphs, or move to a larger tier.';
  throw new ServiceError('too_large', 'STORAGE_LIMIT_REACHED', message);
}

/** The errors of this module, for the documents. */
export const growthErrors = {
  LIMIT_EXCEEDED: { kind: 'too_large', meaning: 'The rows or the storage are beyond the limits of the tier.' },
  STORAGE_LIMIT_REACHED: { kind: 'too_large', meaning: 'The file does not fit into the storage of the tier.' },
} as const;
