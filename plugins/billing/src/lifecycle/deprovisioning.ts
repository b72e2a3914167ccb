import { type CollectionEntry, createCollection } from '@pacioli/core';

/**
 * A step to run before a graph whose subscription ended is removed, such as its final backup (platform B-4). A step
 * that throws keeps the graph suspended and runs again in the next cycle, so it must be repeatable.
 */
export interface DeprovisioningStep extends CollectionEntry {
  beforeDeprovisioning(ending: { readonly graphId: string; readonly orgId: string; readonly now: Date }): Promise<void>;
}

export const deprovisioningSteps = createCollection<DeprovisioningStep>('billing.deprovisioning-steps');
