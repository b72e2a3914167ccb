import { describe, expect, it } from 'vitest';
import { mappingCandidates } from '../checks/candidates.ts';
import { readShippedFrameworks } from '../library/framework-files.ts';
import { createLibraryCatalog } from '../library/library-catalog.ts';
import { confidenceBand, coverageOf } from './coverage.ts';
import { createSuggester } from './suggest.ts';

const catalog = createLibraryCatalog(readShippedFrameworks());
const { suggest } = createSuggester(catalog);

function account(name: string, trait: string, balanceType: string, liquidity: string | null = null) {
  return { name, trait, balanceType, liquidity, parentName: null };
}

describe('suggest', () => {
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
  ])('suggests a plain name with high confidence: %s (taxonomy AM-14)', (name, trait, side, liquidity, concept) => {
    const [best] = suggest(account(name, trait, side, liquidity));
    expect(best?.element.qname).toBe(`rs-gaap:${concept}`);
    expect(confidenceBand(best?.confidence ?? 0)).toBe('high');
  });

  it('suggests the catch-all of the section when the name matches nothing (taxonomy AM-15)', () => {
    const [best] = suggest(account('Zyzzyva', 'asset', 'debit', 'current'));
    expect(best).toMatchObject({ element: { qname: 'rs-gaap:OtherAssetsCurrent' }, confidence: 0.4 });
  });

  it('excludes concepts that the graph hides, even the catch-all (taxonomy LB-10)', () => {
    for (const name of ['Prepaid Insurance', 'Zyzzyva']) {
      const wanted = account(name, 'asset', 'debit', 'current');
      const hidden = suggest(wanted)[0]?.element.id ?? '';
      const others = createSuggester(catalog, { excludedIds: [hidden] }).suggest(wanted);
      expect(others.map(({ element }) => element.id)).not.toContain(hidden);
      expect(suggest(wanted).map(({ element }) => element.id)).toContain(hidden);
    }
  });

  it('returns at most three suggestions, and none without a trait', () => {
    expect(suggest(account('Office supplies', 'expense', 'debit')).length).toBeLessThanOrEqual(3);
    expect(suggest({ ...account('Zyzzyva', 'asset', 'debit'), trait: null })).toEqual([]);
  });
});

describe('mappingCandidates', () => {
  it('returns leaves of a compatible trait, statement lines first (taxonomy M-12, M-14)', () => {
    const candidates = mappingCandidates(catalog, { trait: 'asset' });
    expect(candidates.length).toBeGreaterThan(40);
    expect(new Set(candidates.map(({ element }) => element.trait))).toEqual(new Set(['asset', 'contraAsset']));
    const directness = candidates.map(({ leaf }) => leaf.isDirect);
    expect(directness.indexOf(false)).toBeGreaterThan(directness.lastIndexOf(true));
    expect(candidates[0]?.element.qname).toBe('rs-gaap:CashAndCashEquivalentsAtCarryingValue');
  });

  it('excludes the other liquidity when it is known', () => {
    const names = mappingCandidates(catalog, { trait: 'liability', liquidity: 'current' }).map(
      ({ element }) => element.liquidity,
    );
    expect(names).toContain('current');
    expect(names).not.toContain('noncurrent');
  });

  it('returns nothing for an unknown trait', () => {
    expect(mappingCandidates(catalog, { trait: 'treasure' })).toEqual([]);
  });
});

describe('coverageOf', () => {
  it('reproduces the worked example (taxonomy 4.4)', () => {
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

  it('returns zero for an empty chart, and assigns 0.90 and 0.70 to the upper band (taxonomy T-18)', () => {
    expect(coverageOf([]).percent).toBe(0);
    expect([0.9, 0.89, 0.7, 0.69, null].map(confidenceBand)).toEqual(['high', 'medium', 'medium', 'low', 'none']);
  });
});
