import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSuggester } from '../src/mapping/suggest.ts';
import { traitsCompatibleWith } from '../src/vocabulary/vocabulary.ts';
import { readAccountNames } from './account-names.ts';
import { judge, measure } from './suggestion-quality.ts';
import { library } from './taxonomy-store.ts';

// measure-suggestions.ts prints how good the answers are, and which are wrong.
describe('the scorer on the labelled names', () => {
  const labels = readAccountNames();
  const judged = judge(library, labels);

  it('answers the same whatever else it was asked before (taxonomy AM-17)', () => {
    const backwards = [...judge(library, [...labels].reverse())].reverse();
    expect(backwards).toEqual(judged);
  });

  it('never approves a concept of another class, nor the other side of a balance unless the account says so', () => {
    const wrong = judged.filter(({ label, outcome, qname }) => {
      const concept = qname === undefined ? undefined : library.elementByQname(qname);
      if (outcome !== 'mapped' || concept === undefined) return false;
      const isOtherClass = label.trait !== null && !traitsCompatibleWith(label.trait).has(concept.trait ?? '');
      const isOwnerFlow = label.trait === 'contraEquity' && concept.activityType === 'financingActivity';
      const isOtherSide = concept.periodType === 'instant' && concept.balanceType !== label.balanceType;
      return (isOtherClass && !isOwnerFlow) || (isOtherSide && !label.concepts.includes(concept.qname));
    });
    expect(wrong.map(({ label, qname }) => `${label.name} → ${qname}`)).toEqual([]);
  });

  it('never approves on a trait that it inferred from a name alone (taxonomy AM-16)', () => {
    const inferred = judged.filter(({ label }) => label.trait === null && label.parentName === null);
    expect(inferred.length).toBeGreaterThan(3);
    expect(inferred.filter(({ outcome }) => outcome === 'mapped')).toEqual([]);
  });

  it.each([
    ['tune', 0],
    ['held', 1],
    ['fresh', 2],
  ] as const)('is as good on the part %s as the README says (taxonomy AM-9)', (part, row) => {
    const quality = measure(judged.filter(({ label }) => label.part === part));
    const { approved, approvedRight, approvePrecision, review, reviewRight, coverage } = quality;
    const cells = [
      `${approved}`,
      `${approvedRight} (${percent(approvePrecision)})`,
      `${review}`,
      `${reviewRight}`,
      percent(coverage),
    ];
    expect(readmeRows()[row]).toEqual(cells);
  });

  it('counts what it says it counts', () => {
    const quality = measure(judged);
    expect(quality.approved + quality.review + quality.skipped).toBe(labels.length);
    expect(quality.approvedRight).toBeLessThanOrEqual(quality.approved);
  });
});

const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;

/** The numbers of the table that the README of the plugin has of the labelled names. */
function readmeRows(): readonly (readonly string[])[] {
  const lines = readFileSync(new URL('../README.md', import.meta.url), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('| 100 '))
    .map((line) =>
      line
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim()),
    );
}

describe('what the scorer makes of an account', () => {
  const suggester = createSuggester(library);
  const account = { parentName: null, liquidity: 'current', balanceType: 'debit' };

  it('is the worked example: the exact synonym decides (taxonomy 5.2)', () => {
    const [best] = suggester.suggest({ ...account, name: 'Prepaid Insurance', code: '1200', trait: 'asset' });
    expect(best).toMatchObject({ element: { qname: 'rs-gaap:PrepaidExpenseCurrent' }, isFallback: false });
    expect(best?.confidence).toBeGreaterThanOrEqual(0.93);
  });

  it('is the catch-all, marked as such, where nothing tells (taxonomy 5.2, AM-15)', () => {
    const [best] = suggester.suggest({ ...account, name: 'Misc Clearing', trait: 'asset' });
    expect(best).toMatchObject({
      element: { qname: 'rs-gaap:OtherAssetsCurrent' },
      confidence: 0.4,
      isFallback: true,
    });
  });

  it.each([
    ['the parent', { name: 'Till', parentTrait: 'asset' }, { trait: 'asset', confidence: 0.9 }],
    ['the name', { name: 'Accounts Payable', balanceType: 'credit' }, { trait: 'liability', confidence: 0.85 }],
    [
      'the name of a reduction',
      { name: 'Accum Depr', balanceType: 'credit', code: '1590' },
      { trait: 'contraAsset', confidence: 0.85 },
    ],
  ])('has a trait from %s (taxonomy AM-16)', (_source, facts, expected) => {
    expect(suggester.classify({ ...account, trait: null, ...facts })).toEqual(expected);
  });

  it.each([
    ['a code of another class', { name: 'Checking', code: '6100' }],
    ['a balance on the other side', { name: 'Checking', balanceType: 'credit' }],
    ['a code alone', { name: 'Zyzzyva', code: '1000' }],
  ])('has no trait with %s (taxonomy AM-16)', (_reason, facts) => {
    expect(suggester.classify({ ...account, trait: null, ...facts })).toBeUndefined();
    expect(suggester.suggest({ ...account, trait: null, ...facts })).toEqual([]);
  });

  it('follows the concept of the parent, and the nearness of a meaning where a host can tell it (taxonomy AM-14)', () => {
    const land = library.elementByQname('rs-gaap:Land');
    const plain = { ...account, liquidity: 'noncurrent', name: 'Zyzzyva improvements', trait: 'asset' };
    const scoreOf = (suggestions: ReturnType<typeof suggester.suggest>) =>
      suggestions.find(({ element }) => element.qname === 'rs-gaap:LandImprovements')?.confidence ?? 0;
    const alone = scoreOf(suggester.suggest(plain));
    expect(scoreOf(suggester.suggest({ ...plain, parentConceptId: land?.id ?? null }))).toBeGreaterThan(alone);
    const near = createSuggester(library, {
      similarity: (_account, concept) => (concept.qname === 'rs-gaap:LandImprovements' ? 1 : 0),
    });
    expect(scoreOf(near.suggest(plain))).toBeGreaterThan(alone);
  });

  it('is the line of a function that the provider names, except for what is one thing by itself (taxonomy T-13)', () => {
    const spent = { ...account, liquidity: null, trait: 'expense', subClassification: 'g_and_a' };
    const first = (name: string) => suggester.suggest({ ...spent, name })[0]?.element.qname;
    expect(first('Professional fees')).toBe('rs-gaap:GeneralAndAdministrativeExpense');
    expect(first('Stock-based compensation')).toBe('rs-gaap:AllocatedShareBasedCompensationExpense');
  });
});
