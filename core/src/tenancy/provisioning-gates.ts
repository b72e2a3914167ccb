import { type CollectionEntry, createCollection } from '../container/token.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Transaction } from '../store/store.ts';

/** A paid resource that is about to be created. */
export type Provisioned = 'graph' | 'repository';

/** Decides whether an organization may create a paid resource (platform B-6); called in a kernel transaction. */
export interface ProvisioningGate extends CollectionEntry {
  canProvision(tx: Transaction, orgId: string, what: Provisioned): Promise<boolean>;
}

export const provisioningGates = createCollection<ProvisioningGate>('kernel.provisioning-gates');

/** Throws 402 unless every gate allows it. */
export async function requirePayment(
  gates: readonly ProvisioningGate[],
  tx: Transaction,
  orgId: string,
  what: Provisioned,
): Promise<void> {
  for (const gate of gates) {
    if (await gate.canProvision(tx, orgId, what)) continue;
    throw new ServiceError(
      'payment_required',
      'PAYMENT_REQUIRED',
      'Payment method required. Start a checkout with POST /v1/billing/checkout first.',
    );
  }
}
