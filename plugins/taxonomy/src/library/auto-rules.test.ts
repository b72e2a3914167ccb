import { describe, expect, it } from 'vitest';
import { parseRelation } from '../expressions/parse-expression.ts';
import type { Block, BlockArc, BlockStructure } from '../vocabulary/block.ts';
import { autoRules, variableNames } from './auto-rules.ts';

const structure: BlockStructure = {
  id: null,
  name: 'Note',
  blockType: 'regulatory_disclosure',
  conceptArrangement: 'roll_up',
  description: null,
  roleUri: null,
  metadata: {},
};
const arc = (to: string, weight: number | null, orderValue: number): BlockArc => ({
  id: null,
  structureRef: 'Note',
  from: 'ext:Total',
  to,
  associationType: 'calculation',
  orderValue,
  arcrole: null,
  weight,
  metadata: {},
});
const block = (more: Partial<Block> = {}): Block => ({
  taxonomyType: 'reporting_extension',
  parentTaxonomyId: null,
  namespaceUri: null,
  elements: [],
  structures: [structure],
  arcs: [arc('ext:2nd', -1, 2), arc('ext:First', null, 1), arc('rs-gaap:Half', 0.5, 3)],
  rules: [],
  ...more,
});

describe('automatic rules', () => {
  it('check the taxonomy and each structure (taxonomy T-29)', () => {
    expect(autoRules(block()).flatMap(({ checkKind }) => checkKind ?? [])).toEqual([
      'UniqueQNameInTaxonomy',
      'LibraryOriginImmutability',
      'NoCycles',
      'NoOrphanArcs',
      'ParentBeforeChild',
    ]);
    const chart = autoRules(block({ taxonomyType: 'chart_of_accounts', structures: [] }));
    expect(chart.map(({ checkKind, origin, severity }) => [checkKind, origin, severity])).toEqual([
      ['UniqueQNameInTaxonomy', 'auto', 'error'],
      ['LeafHasClassification', 'auto', 'error'],
    ]);
  });

  it('foot every total of a roll-up, the total first and the items in order (taxonomy T-29)', () => {
    const [rule] = autoRules(block()).filter(({ pattern }) => pattern === 'RollUp');
    expect(rule?.expression).toBe('$Total = ($First - $_2nd + 0.5 * $Half)');
    expect(rule?.variables.map(({ qname }) => qname)).toEqual(['ext:Total', 'ext:First', 'ext:2nd', 'rs-gaap:Half']);
    expect(parseRelation(rule?.expression ?? '').left).toEqual({ kind: 'variable', name: 'Total' });
    const listed = block({ structures: [{ ...structure, conceptArrangement: 'set' }] });
    expect(autoRules(listed).some(({ pattern }) => pattern === 'RollUp')).toBe(false);
  });

  it('name variables by local names, by whole names where these collide, then by number (taxonomy T-29)', () => {
    expect([...variableNames(['a:Cash', 'b:Cash', 'a:Net-Sales', 'c:1st', 'a.b:X', 'a-b:X']).values()]).toEqual([
      'a_Cash',
      'b_Cash',
      'Net_Sales',
      '_1st',
      'a_b_X',
      'a_b_X_2',
    ]);
  });
});
