import type { Delivery } from '../src/index.ts';

/** An account by its number at the provider, with its debit and credit in cents. */
export type ProviderLeg = readonly [providerAccount: string, debit: number, credit: number];

/** An invoice as a provider's connection delivers it, with one entry, or none without legs. */
export function delivery(
  externalId: string,
  version: number,
  date: string,
  legs: readonly ProviderLeg[],
  more: Partial<Delivery> = {},
): Delivery {
  const lineItems = legs.map(([elementExternalId, debitAmount, creditAmount]) => ({
    element_external_id: elementExternalId,
    debit_amount: debitAmount,
    credit_amount: creditAmount,
  }));
  return {
    source: 'quickbooks',
    externalId,
    connectionId: 'conn_q',
    eventType: 'invoice_issued',
    eventCategory: 'sales',
    eventAction: 'transferAllRights',
    occurredAt: `${date}T00:00:00Z`,
    effectiveAt: null,
    amount: legs.reduce((sum, [, debit]) => sum + debit, 0),
    currency: 'USD',
    description: null,
    agentId: null,
    resourceElementId: null,
    externalUrl: null,
    metadata: {
      entries: legs.length === 0 ? [] : [{ posting_date: date, memo: 'from the provider', line_items: lineItems }],
    },
    version,
    ...more,
  };
}
