import { type CollectionEntry, createCollection } from '@pacioli/core';

/**
 * What must happen before a graph whose subscription ended is taken away, such as its final backup (platform B-4).
 * A step that throws keeps the graph suspended, and is tried again with the next turn, so it must be repeatable.
 */
export interface DeprovisioningStep extends CollectionEntry {
  beforeDeprovisioning(ending: { readonly graphId: string; readonly orgId: string; readonly now: Date }): Promise<void>;
}

export const deprovisioningSteps = createCollection<DeprovisioningStep>('billing.deprovisioning-steps');
