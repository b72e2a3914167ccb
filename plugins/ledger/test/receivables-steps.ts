import fc from 'fast-check';

/** The accounts and event types of each side, and the sign of its control account. */
export const sides = {
  sales: { invoice: 'invoice_issued', payment: 'payment_received', control: '1100', other: '4000', sign: 1 },
  purchase: { invoice: 'bill_received', payment: 'bill_paid', control: '2000', other: '5000', sign: -1 },
} as const;
export type SideName = keyof typeof sides;

/** Numbers select among the existing rows, modulo their count. */
export const receivableStep = fc.record({
  side: fc.constantFrom<SideName>('sales', 'purchase'),
  does: fc.constantFrom(
    ...['invoice', 'invoice', 'invoice', 'credit', 'payment', 'payment', 'payment', 'batch', 'stray', 'relink'],
    ...['paid at once', 'edit', 'edit', 'remove', 'reverse', 'reverse', 'reverse', 'void', 'commit', 'close'],
  ),
  mode: fc.constantFrom('captured', 'draft', 'draft', 'posted', 'posted', 'posted'),
  currency: fc.constantFrom('USD', 'USD', 'EUR', 'GBP'),
  cents: fc.integer({ min: 1, max: 5_000_000_000 }),
  parts: fc.integer({ min: 1, max: 3 }),
  agent: fc.nat(2),
  of: fc.nat(40),
});
export type ReceivableStep = typeof receivableStep extends fc.Arbitrary<infer Each> ? Each : never;
