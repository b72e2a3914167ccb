import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemOfLines, totals } from '../journal/lines.ts';
import { type Disposal, dispose, problemOfDisposal } from './disposal.ts';

const van: Disposal = {
  assetElementId: 'van',
  creditElementId: 'depreciation',
  cost: 2_700_000n,
  accumulated: 420_000n,
  proceeds: 2_150_000n,
  proceedsElementId: 'cash',
  gainLossElementId: 'gain',
};
const legs = (disposal: Disposal): readonly unknown[] =>
  dispose(disposal).lines.map((line) => [line.elementId, line.debit, line.credit]);

describe('a disposal', () => {
  it('books a loss of 1,300.00 for the van of example 13.2 (ledger L-188)', () => {
    expect(problemOfDisposal(van)).toBeUndefined();
    expect(dispose(van)).toMatchObject({ netBookValue: 2_280_000n, gain: -130_000n });
    expect(legs(van)).toEqual([
      ['depreciation', 420_000n, 0n],
      ['van', 0n, 2_700_000n],
      ['cash', 2_150_000n, 0n],
      ['gain', 130_000n, 0n],
    ]);
  });

  it('has no gain or loss line when the asset is sold at its book value (ledger L-188)', () => {
    const even = { ...van, proceeds: 2_280_000n, gainLossElementId: null };
    expect(problemOfDisposal(even)).toBeUndefined();
    expect(legs(even)).toHaveLength(3);
  });

  it('is refused with the name of the missing account, or the reason why nothing can be booked (ledger L-188)', () => {
    expect(problemOfDisposal({ ...van, proceeds: 0n, gainLossElementId: null })).toContain('gain_loss_element_id');
    expect(problemOfDisposal({ ...van, proceedsElementId: null })).toContain('proceeds_element_id');
    expect(problemOfDisposal({ ...van, cost: 0n, accumulated: 0n, proceeds: 0n })).toContain('nothing to dispose');
    expect(problemOfDisposal({ ...van, cost: 1n })).toContain('exceeds the cost of the asset');
  });

  it('credits the remaining book value when depreciation was credited to the asset itself (ledger L-188)', () => {
    const prepaid = { ...van, creditElementId: 'van', cost: 360_000n, accumulated: 90_000n, proceeds: 300_000n };
    expect(dispose(prepaid)).toMatchObject({ netBookValue: 270_000n, gain: 30_000n });
    expect(legs(prepaid)).toEqual([
      ['van', 0n, 270_000n],
      ['cash', 300_000n, 0n],
      ['gain', 0n, 30_000n],
    ]);
  });

  it('always balances (ledger L-46)', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(amount, amount, amount, fc.boolean(), (accumulated, rest, proceeds, isOwn) => {
        const disposal = { ...van, cost: accumulated + rest, accumulated, proceeds };
        const given = isOwn ? { ...disposal, creditElementId: 'van' } : disposal;
        const { lines } = dispose(given);
        const { debit, credit } = totals(lines);
        expect(debit).toBe(credit);
        if (problemOfDisposal(given) === undefined) expect(problemOfLines(lines)).toBeUndefined();
      }),
    );
  });
});
