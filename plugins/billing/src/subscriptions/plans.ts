import { type OfferedRepository, ServiceError, soldTier } from '@pacioli/core';
import type { PriceSpec } from '../payments/index.ts';
import type { ResourceType, Subscription } from './subscription-rows.ts';

export const currency = 'usd';

/** A product for sale. */
export interface Plan {
  readonly resourceType: ResourceType;
  /** The repository's id; absent for graphs. */
  readonly repository?: string;
  /** Without a prefix, as stored (platform T-3). */
  readonly name: string;
  readonly displayName: string;
  readonly priceCents: number;
  readonly creditsMonthly: number;
}

/** The plans of this deployment: graph tiers and the plans of loaded repositories. */
export class Plans {
  readonly #repositories: readonly OfferedRepository[];

  constructor(repositories: readonly OfferedRepository[]) {
    this.#repositories = repositories;
  }

  /** The plan of a graph's tier, or undefined for a name that no tier has. */
  ofTier(tier: string): Plan | undefined {
    const found = soldTier(tier);
    if (found === undefined) return undefined;
    return {
      resourceType: 'graph',
      name: tier,
      displayName: found.name,
      priceCents: found.priceCents,
      creditsMonthly: found.creditsMonthly,
    };
  }

  isRepository(id: string): boolean {
    return this.#repositories.some(({ key }) => key === id);
  }

  /** Finds a plan of a repository by its plain name or with the repository as prefix, such as `sec-starter`. */
  ofRepository(id: string, planName: string): Plan | undefined {
    const repository = this.#repositories.find(({ key, enabled }) => key === id && enabled);
    if (repository === undefined) return undefined;
    const bare = planName.startsWith(`${id}-`) ? planName.slice(id.length + 1) : planName;
    const plan = repository.plans.find((candidate) => candidate.plan === bare);
    if (plan === undefined) return undefined;
    return {
      resourceType: 'repository',
      repository: id,
      name: plan.plan,
      displayName: `${repository.name} - ${plan.name}`,
      priceCents: plan.priceCents,
      creditsMonthly: plan.creditsMonthly,
    };
  }

  /** Finds the plan of a repository; 400 if it has none of that name (platform B-13). */
  requireOfRepository(id: string, planName: string): Plan {
    const plan = this.ofRepository(id, planName);
    if (plan !== undefined) return plan;
    const names = this.#repositories.find(({ key }) => key === id)?.plans.map((known) => known.plan) ?? [];
    const hint = names.length === 0 ? 'This repository has no plans.' : `Choose one of: ${names.join(', ')}.`;
    throw new ServiceError('refused', 'UNKNOWN_PLAN', `Unknown plan '${planName.slice(0, 100)}'. ${hint}`);
  }

  /** The display name of a subscription’s plan. */
  displayNameOf(row: Pick<Subscription, 'resource_type' | 'resource_id' | 'plan_name'>): string {
    const plan =
      row.resource_type === 'graph'
        ? this.ofTier(row.plan_name)
        : this.ofRepository(row.resource_id ?? '', row.plan_name);
    return plan?.displayName ?? row.plan_name;
  }

  /** The price of a plan for the provider. */
  priceOf(plan: Plan): PriceSpec {
    return {
      plan: plan.name,
      resourceType: plan.resourceType,
      ...(plan.repository === undefined ? {} : { repository: plan.repository }),
      amount_cents: plan.priceCents,
      currency,
      interval: 'monthly',
    };
  }
}

/** Stable for equal plans, so that repeated calls find the same price. */
export function priceKey(plan: Plan): string {
  return ['price', plan.resourceType, plan.repository ?? '', plan.name, plan.priceCents, currency].join(':');
}
