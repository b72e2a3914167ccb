import { type CollectionEntry, createCollection } from '../container/token.ts';

/** A plan of a shared repository (platform T-3). */
export interface RepositoryPlan {
  /** Without the repository prefix, such as `starter`. */
  readonly plan: string;
  readonly name: string;
  readonly priceCents: number;
  readonly creditsMonthly: number;
  readonly features: readonly string[];
  /** Calls in each window, such as `queries_per_minute`; null means unlimited (platform R-9). */
  readonly rate_limits: Readonly<Record<string, number | null>>;
}

/** A shared repository that a loaded plugin provides; its key is the repository's id, such as `sec`. */
export interface OfferedRepository extends CollectionEntry {
  readonly name: string;
  readonly description: string;
  /** False for one that is only announced. */
  readonly enabled: boolean;
  readonly plans: readonly RepositoryPlan[];
}

export const offeredRepositories = createCollection<OfferedRepository>('kernel.offered-repositories');
