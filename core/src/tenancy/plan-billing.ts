import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';

/** Decides whether plans are billed. Without an entry none is, and tiers have no price (platform T-2, T-4). */
export interface PlanBilling extends CollectionEntry {
  readonly isOn: boolean;
}

export const planBilling: Collection<PlanBilling> = createCollection('kernel.plan-billing');

/** True if this deployment bills its plans. */
export function billsPlans(entries: readonly PlanBilling[]): boolean {
  return entries.some(({ isOn }) => isOn);
}
