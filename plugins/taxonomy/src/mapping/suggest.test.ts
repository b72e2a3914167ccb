import { describe, expect, it } from 'vitest';
import { mappingCandidates } from '../checks/candidates.ts';
import { readShippedFrameworks } from '../library/framework-files.ts';
import { createLibraryCatalogue } from '../library/library-catalogue.ts';
import { confidenceBand, coverageOf } from './coverage.ts';
import { createSuggester } from './suggest.ts';

const catalogue = createLibraryCatalogue(readShippedFrameworks());
const { suggest } = createSuggester(catalogue);

function account(name: string, trait: string, balanceType: string, liquidity: string | null = null) {
  return { name, trait, balanceType, liquidity, parentName: null };
}

describe('suggestions', () => {
  it.each([
    ['Operating cash', 'asset', 'debit', 'current', 'CashAndCashEquivalentsAtCarryingValue'],
    ['Prepaid Insurance', 'asset', 'debit', 'current', 'PrepaidExpenseCurrent'],
    ['Accounts Payable', 'liability', 'credit', 'current', 'AccountsPayableCurrent'],
    ['Retained Earnings', 'equity', 'credit', null, 'RetainedEarningsAccumulatedDeficit'],
    ['Interest Expense', 'expense', 'debit', null, 'InterestExpense'],
    [
      'Accumulated Depreciation',
      'contraAsset',
      'credit',
      null,
      'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment',
    ],
  ])('approve a plain name: %s (taxonomy AM-14)', (name, trait, side, liquidity, concept) => {
    const [best] = suggest(account(name, trait, side, liquidity));
    expect(best?.element.qname).toBe(`rs-gaap:${concept}`);
    expect(confidenceBand(best?.confidence ?? 0)).toBe('high');
  });

  it('offer the catch-all of the section when no name tells anything (taxonomy AM-15)', () => {
    const [best] = suggest(account('Zyzzyva', 'asset', 'debit', 'current'));
    expect(best).toMatchObject({ element: { qname: 'rs-gaap:OtherAssetsCurrent' }, confidence: 0.4 });
  });

  it('leave out what the graph hides, also where it is the catch-all (taxonomy LB-10)', () => {
    for (const name of ['Prepaid Insurance', 'Zyzzyva']) {
      const wanted = account(name, 'asset', 'debit', 'current');
      const hidden = suggest(wanted)[0]?.element.id ?? '';
      const others = createSuggester(catalogue, { excludedIds: [hidden] }).suggest(wanted);
      expect(others.map(({ element }) => element.id)).not.toContain(hidden);
      expect(suggest(wanted).map(({ element }) => element.id)).toContain(hidden);
    }
  });

  it('are at most three, and none without a trait', () => {
    expect(suggest(account('Office supplies', 'expense', 'debit')).length).toBeLessThanOrEqual(3);
    expect(suggest({ ...account('Zyzzyva', 'asset', 'debit'), trait: null })).toEqual([]);
  });
});

describe('candidates', () => {
  it('are leaves of a compatible trait, statement lines first (taxonomy M-12, M-14)', () => {
    const candidates = mappingCandidates(catalogue, { trait: 'asset' });
    expect(candidates.length).toBeGreaterThan(40);
    expect(new Set(candidates.map(({ element }) => element.trait))).toEqual(new Set(['asset', 'contraAsset']));
    const directness = candidates.map(({ leaf }) => leaf.isDirect);
    expect(directness.indexOf(false)).toBeGreaterThan(directness.lastIndexOf(true));
    expect(candidates[0]?.element.qname).toBe('rs-gaap:CashAndCashEquivalentsAtCarryingValue');
  });

  it('leave out the other liquidity when it is known', () => {
    const names = mappingCandidates(catalogue, { trait: 'liability', liquidity: 'current' }).map(
      ({ element }) => element.liquidity,
    );
    expect(names).toContain('current');
    expect(names).not.toContain('noncurrent');
  });

  it('are none for an unknown trait', () => {
    expect(mappingCandidates(catalogue, { trait: 'treasure' })).toEqual([]);
  });
});

describe('coverage', () => {
  it('counts the worked example (taxonomy 4.4)', () => {
    const arc = (confidence: number | null) => ({ target_id: 'x', confidence });
    const accounts = [
      ...Array.from({ length: 12 }, () => arc(0.95)),
      ...Array.from({ length: 3 }, () => arc(0.8)),
      arc(null),
      ...Array.from({ length: 4 }, () => ({ target_id: null, confidence: null })),
    ];
    expect(coverageOf(accounts)).toEqual({
      total: 20,
      mapped: 16,
      unmapped: 4,
      percent: 80,
      high: 12,
      medium: 3,
      low: 0,
    });
  });

  it('is zero of an empty chart, and puts 0.90 and 0.70 into the upper band (taxonomy T-18)', () => {
    expect(coverageOf([]).percent).toBe(0);
    expect([0.9, 0.89, 0.7, 0.69, null].map(confidenceBand)).toEqual(['high', 'medium', 'medium', 'low', 'none']);
  });
});
