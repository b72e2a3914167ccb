import { ServiceError } from '../errors/service-error.ts';
import { type CollectionEntry, createCollection } from '../services/token.ts';
import type { Transaction } from '../store/store.ts';

/** Something that costs money and is about to be made. */
export type Provisioned = 'graph' | 'repository';

/** Says whether an organisation may have it made (platform B-6); asked in a kernel transaction. */
export interface ProvisioningGate extends CollectionEntry {
  canProvision(tx: Transaction, orgId: string, what: Provisioned): Promise<boolean>;
}

export const provisioningGates = createCollection<ProvisioningGate>('kernel.provisioning-gates');

/** Throws 402 unless every gate agrees. */
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
