import { describe, expect, it } from 'vitest';
import type { StoredArc, StoredBlock, StoredElement, StoredRule } from '../vocabulary/stored-block.ts';
import { evaluateStructuralChecks } from './structural-checks.ts';

const element = (qname: string, more: Partial<StoredElement> = {}): StoredElement => ({
  id: qname,
  qname,
  name: qname,
  code: null,
  description: null,
  trait: 'asset',
  balanceType: 'debit',
  periodType: 'instant',
  elementType: 'concept',
  isMonetary: true,
  isActive: true,
  subClassification: null,
  parentQname: null,
  metadata: {},
  depth: 0,
  ...more,
});
const arc = (from: string, to: string, more: Partial<StoredArc> = {}): StoredArc => ({
  id: `${from}>${to}`,
  fromId: from,
  toId: to,
  fromTaxonomyId: 'tax_1',
  toTaxonomyId: 'tax_1',
  structureRef: 'struct_1',
  from,
  to,
  associationType: 'presentation',
  orderValue: 0,
  arcrole: null,
  weight: null,
  metadata: {},
  ...more,
});
const kinds = [
  'UniqueQNameInTaxonomy',
  'LibraryOriginImmutability',
  'LeafHasClassification',
  'NoCycles',
  'NoOrphanArcs',
  'ParentBeforeChild',
];
const ofStructure = new Set(['NoCycles', 'NoOrphanArcs', 'ParentBeforeChild']);
const rules = kinds.map(
  (checkKind): StoredRule => ({
    id: checkKind,
    name: checkKind,
    description: null,
    category: 'ReportLevelModelStructureRule',
    pattern: null,
    checkKind,
    expression: '',
    variables: [],
    severity: 'error',
    origin: 'auto',
    targets: [ofStructure.has(checkKind) ? { kind: 'structure', ref: 'struct_1' } : { kind: 'taxonomy', ref: 'tax_1' }],
    message: null,
    metadata: {},
  }),
);
const failures = (elements: readonly StoredElement[], arcs: readonly StoredArc[], changed: readonly string[] = []) => {
  const head = {
    id: 'tax_1',
    name: 'Chart',
    taxonomy_type: 'chart_of_accounts',
    version: null,
    standard: null,
    namespace_uri: null,
    is_locked: false,
    source_taxonomy_id: null,
    parent_taxonomy_id: null,
    parent_taxonomy_name: null,
  };
  const block: StoredBlock = {
    head,
    taxonomyType: 'chart_of_accounts',
    parentTaxonomyId: null,
    namespaceUri: null,
    elements,
    structures: [],
    arcs,
    rules,
  };
  const results = evaluateStructuralChecks(block, {
    reachableTaxonomyIds: new Set(['tax_library']),
    changedLibraryElements: changed,
  });
  expect(results).toHaveLength(kinds.length);
  return Object.fromEntries(
    results.filter(({ status }) => status === 'fail').map(({ checkKind, offenders }) => [checkKind, offenders]),
  );
};

describe('structural checks', () => {
  const sound = [element('a'), element('b', { depth: 1, parentQname: 'a' })];

  it('pass over a sound tree (taxonomy section 6)', () => {
    expect(failures(sound, [arc('a', 'b'), arc('a', 'lib:x', { toTaxonomyId: 'tax_library' })])).toEqual({});
  });

  it('name what breaks each of them (taxonomy section 6)', () => {
    expect(failures([...sound, element('a', { id: 'again' })], [])).toEqual({ UniqueQNameInTaxonomy: ['a'] });
    expect(failures(sound, [], ['rs-gaap:Assets'])).toEqual({ LibraryOriginImmutability: ['rs-gaap:Assets'] });
    expect(failures([element('a', { trait: null }), element('b', { trait: null, isActive: false })], [])).toEqual({
      LeafHasClassification: ['a'],
    });
    const total = { associationType: 'calculation' };
    expect(failures(sound, [arc('a', 'b', total), arc('b', 'a', total)])).toEqual({ NoCycles: ['a', 'b', 'a'] });
    expect(failures(sound, [arc('a', 'gone', { toTaxonomyId: undefined })])).toEqual({ NoOrphanArcs: ['a>gone'] });
    expect(failures(sound, [arc('a', 'x', { toTaxonomyId: 'tax_other' })])).toEqual({ NoOrphanArcs: ['a>x'] });
    expect(failures(sound, [arc('b', 'a')])).toEqual({ ParentBeforeChild: ['a'] });
  });

  it('see a presentation circle as a tree without a root too', () => {
    expect(failures([element('a'), element('b')], [arc('a', 'b'), arc('b', 'a')])).toEqual({
      NoCycles: ['a', 'b', 'a'],
      ParentBeforeChild: ['b', 'a'],
    });
  });

  it('take a leaf to be an element with nothing below it', () => {
    const heading = element('h', { trait: null });
    expect(failures([heading, element('c', { parentQname: 'h', depth: 1 })], [])).toEqual({});
  });
});
