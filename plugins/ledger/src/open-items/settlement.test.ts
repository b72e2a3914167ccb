import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate, amountAfterDraft, type ControlNet } from './settlement.ts';

describe('the allocation of a payment', () => {
  it('settles the items in order and puts any excess on the last (ledger L-90)', () => {
    expect(allocate(100n, [30n, 50n, 70n])).toEqual([30n, 50n, 20n]);
    expect(allocate(100n, [30n, 20n])).toEqual([30n, 70n]);
    expect(allocate(10n, [30n, 20n])).toEqual([10n, 0n]);
    expect(allocate(10n, [-5n, 20n])).toEqual([0n, 10n]);
  });

  it('always adds up to the payment', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(
        amount,
        fc.array(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 15n }), { minLength: 1 }),
        (paid, open) => {
          const shares = allocate(paid, open);
          expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(paid);
          expect(shares.every((share) => share >= 0n)).toBe(true);
        },
      ),
    );
  });
});

describe('the amount of an event whose draft was changed', () => {
  const receivable = (raised: bigint, lowered = 0n): ControlNet => ({
    receivable: { raised, lowered },
    payable: { raised: 0n, lowered: 0n },
  });
  const draft = (before: ControlNet, after: ControlNet, hasOtherEntries = false) => ({
    before,
    after,
    hasOtherEntries,
  });
  const invoice = { id: 'evt_1', event_type: 'invoice_issued', amount: 500 };
  const payment = { id: 'evt_2', event_type: 'payment_received', amount: 500 };
  const settled = [{ event_type: 'invoice_issued', status: 'committed', currency: 'USD', amount: 500 }] as const;

  it.each([
    ['an invoice of one entry: that of its lines', invoice, [], draft(receivable(500n), receivable(450n)), 450],
    ['an invoice of several: the difference', invoice, [], draft(receivable(200n), receivable(150n), true), 450],
    ['a payment: what its lines lower', payment, settled, draft(receivable(0n, 500n), receivable(0n, 450n)), 450],
    [
      'a refund: what its lines raise',
      { ...payment, amount: -500 },
      [],
      draft(receivable(500n), receivable(450n)),
      -450,
    ],
    ['lines on other accounts: no change', invoice, [], draft(receivable(500n), receivable(500n)), undefined],
    [
      'a journal entry: no change',
      { ...payment, event_type: 'other' },
      [],
      draft(receivable(1n), receivable(2n)),
      undefined,
    ],
  ])('of %s (ledger L-100b)', (_case, event, items, changed, amount) => {
    expect(amountAfterDraft(event, items, changed)).toBe(amount);
  });

  it('is refused for a payment that would raise what is open (ledger L-100b)', () => {
    const turned = draft(receivable(0n, 500n), receivable(1n));
    expect(() => amountAfterDraft(payment, settled, turned)).toThrow(/would raise what is open/);
  });
});
