// Goal: an invalid block is rejected with the code of every issue, and nothing is written (taxonomy 2.2).
// Method: a real service over HTTP and GraphQL; one row for each issue.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { account, arc, chart, extension, kpis, mapped, note, ontology, rule } from './block-requests.ts';
import { type BlockService, startBlocks, Workbench } from './blocks.ts';

let started: BlockService;
let bench: Workbench;
let gaapId: string;

beforeAll(async () => {
  started = await startBlocks();
  bench = await Workbench.open(started.user);
  gaapId = started.gaapId;
});

afterAll(() => started.service.close());

describe('invalid create-taxonomy-block', () => {
  it.each<[string, string[], () => object]>([
    ['an unknown parent', ['phantom_parent_ref'], () => chart({ elements: [account('x:1', { parent_ref: 'x:0' })] })],
    [
      'a shipped parent of an account',
      ['phantom_parent_ref'],
      () => chart({ elements: [account('x:1', { parent_ref: 'rs-gaap:Assets' })] }),
    ],
    [
      'an arc of an undeclared structure',
      ['phantom_structure_ref'],
      () => chart({ elements: [account('x:1'), account('x:2')], associations: [arc('x:1', 'x:2')] }),
    ],
    [
      'an arc between unknown elements',
      ['phantom_from_ref', 'phantom_to_ref'],
      () => chart({ structures: [note], associations: [arc('x:1', 'x:2')] }),
    ],
    [
      'a rule on an unknown structure',
      ['phantom_rule_target_structure'],
      () => kpis([rule({ target_structure_ref: 'Nowhere' })]),
    ],
    [
      'a rule on an unknown element',
      ['phantom_rule_target_element'],
      () => kpis([rule({ target_element_qname: 'k:x' })]),
    ],
    [
      'a variable of an unknown element',
      ['phantom_rule_variable'],
      () =>
        kpis([
          rule({
            variables: [
              { variable_name: 'A', variable_qname: 'k:a' },
              { variable_name: 'B', variable_qname: 'k:x' },
            ],
          }),
        ]),
    ],
    [
      'a repeated qname',
      ['duplicate_element_qname'],
      () => chart({ elements: [account('x:1'), account('x:1', { name: 'Again' })] }),
    ],
    ['a repeated structure name', ['duplicate_structure_name'], () => chart({ structures: [note, note] })],
    ['a repeated rule name', ['duplicate_rule_name'], () => kpis([rule({}), rule({})])],
    ['a shipped qname', ['qname_taken'], () => chart({ elements: [account('rs-gaap:Goodwill')] })],
    [
      'a repeated arc',
      ['duplicate_association'],
      () =>
        chart({
          elements: [account('x:1'), account('x:2')],
          structures: [note],
          associations: [arc('x:1', 'x:2'), arc('x:1', 'x:2')],
        }),
    ],
    [
      'a repeated code',
      ['duplicate_code'],
      () => chart({ elements: [account('x:1', { code: '1' }), account('x:2', { code: '1' })] }),
    ],
    [
      'an arc to itself',
      ['cycle_detected'],
      () => chart({ elements: [account('x:1')], structures: [note], associations: [arc('x:1', 'x:1')] }),
    ],
    [
      'a cycle of parents',
      ['parent_cycle'],
      () => chart({ elements: [account('x:1', { parent_ref: 'x:2' }), account('x:2', { parent_ref: 'x:1' })] }),
    ],
    [
      'an account without a trait',
      ['coa_missing_classification'],
      () => chart({ elements: [{ qname: 'x:1', name: 'One' }] }),
    ],
    [
      'revenue at an instant (taxonomy T-7)',
      ['coa_period_type_mismatch'],
      () => chart({ elements: [account('x:1', { trait: 'revenue', period_type: 'instant' })] }),
    ],
    [
      'an asset on the credit side',
      ['coa_balance_mismatch'],
      () => chart({ elements: [account('x:1', { balance_type: 'credit' })] }),
    ],
    ...['true', 1, {}].map((noNegative): [string, string[], () => object] => [
      `an account whose limit is ${JSON.stringify(noNegative)} (ledger L-213)`,
      ['coa_no_negative_invalid'],
      () => chart({ elements: [account('x:1', { metadata: { no_negative: noNegative } })] }),
    ]),
    [
      'an extension without a parent',
      ['extension_missing_parent'],
      () => extension(gaapId, { parent_taxonomy_id: null }),
    ],
    [
      'an extension of an unknown taxonomy',
      ['extension_parent_invalid'],
      () => extension(gaapId, { parent_taxonomy_id: 'x' }),
    ],
    [
      'a prefix outside the namespace',
      ['extension_namespace_mismatch'],
      () => extension(gaapId, { namespace_uri: 'https://example.com/2026/acme', elements: [account('other:Thing')] }),
    ],
    ['an unknown trait', ['unknown_trait'], () => chart({ elements: [account('x:1', { trait: 'treasure' })] })],
    [
      'values outside the vocabularies',
      ['invalid_element_type', 'invalid_balance_type', 'invalid_period_type'],
      () =>
        ontology({ elements: [account('x:1', { element_type: 'thing', balance_type: 'left', period_type: 'ever' })] }),
    ],
    [
      'a statement in a chart',
      ['block_type_not_allowed'],
      () => chart({ structures: [{ name: 'BS', block_type: 'balance_sheet' }] }),
    ],
    [
      'a mapping outside of a chart (taxonomy M-3)',
      ['block_type_not_allowed'],
      () => extension(gaapId, { structures: [{ name: 'Map', block_type: 'coa_mapping' }] }),
    ],
    [
      'a schedule with its own elements (taxonomy 1.2)',
      ['block_type_not_allowed'],
      () => ({ name: 'Depreciation', taxonomy_type: 'schedule', elements: [account('s:1')] }),
    ],
    [
      'an element that claims to be shipped',
      ['library_origin_smuggled'],
      () => ontology({ elements: [account('x:1', { metadata: { origin: 'library' } })] }),
    ],
    ['an expression that calls code', ['unparseable_expression'], () => kpis([rule({ expression: '$A = eval($B)' })])],
    ['an undeclared variable', ['unparseable_expression'], () => kpis([rule({ expression: '$A = $B + $C' })])],
    [
      'a repeated variable',
      ['duplicate_variable_name'],
      () =>
        kpis([
          rule({
            expression: '$A = 1',
            variables: [
              { variable_name: 'A', variable_qname: 'k:a' },
              { variable_name: 'A', variable_qname: 'k:b' },
            ],
          }),
        ]),
    ],
    [
      'a footing rule whose total is the last variable',
      ['rollup_parent_not_first'],
      () => kpis([rule({ rule_pattern: 'RollUp', expression: '$B = $A' })]),
    ],
    [
      'a rule with two targets',
      ['rule_target_conflict'],
      () => kpis([rule({ target_structure_ref: 'Note', target_taxonomy_self: true })]),
    ],
    [
      'a weight that contradicts the balance sides (taxonomy T-41)',
      ['weight_balance_conflict'],
      () =>
        extension(gaapId, {
          elements: [account('e:t', { balance_type: 'debit', period_type: 'instant' })],
          structures: [note],
          associations: [arc('e:t', 'rs-gaap:AccountsPayableCurrent', { association_type: 'calculation', weight: 1 })],
        }),
    ],
    [
      'a sum of instants and durations',
      ['calculation_period_mismatch'],
      () =>
        extension(gaapId, {
          elements: [account('e:t', { trait: null, period_type: 'duration' })],
          structures: [note],
          associations: [arc('e:t', 'rs-gaap:Goodwill', { association_type: 'calculation', weight: 1 })],
        }),
    ],
    [
      'a weight of zero',
      ['zero_weight'],
      () =>
        ontology({
          elements: [account('k:a'), account('k:b')],
          structures: [note],
          associations: [arc('k:a', 'k:b', { association_type: 'calculation', weight: 0 })],
        }),
    ],
    [
      'an account mapped to a total (taxonomy M-8)',
      ['target_rolled_up'],
      () => mapped(account('x:1'), [{ to_ref: 'rs-gaap:Assets' }]),
    ],
    [
      'an account mapped to a heading (taxonomy 4.2)',
      ['target_not_mappable'],
      () => mapped(account('x:1'), [{ to_ref: 'rs-gaap:IncomeStatementAbstract' }]),
    ],
    [
      'a balance mapped to a movement (taxonomy 4.6)',
      ['period_type_mismatch'],
      () => mapped(account('x:1'), [{ to_ref: 'rs-gaap:OperatingLeaseExpense' }]),
    ],
    [
      'an account mapped in part (taxonomy M-22)',
      ['mapping_weight'],
      () => mapped(account('x:1'), [{ to_ref: 'rs-gaap:Goodwill', weight: 0.5 }]),
    ],
    [
      'an account mapped twice (taxonomy M-2)',
      ['duplicate_association'],
      () => mapped(account('x:1'), [{ to_ref: 'rs-gaap:Goodwill' }, { to_ref: 'rs-gaap:InventoryNet' }]),
    ],
    [
      'a mapping of an element that is not an account',
      ['source_not_account'],
      () => mapped(account('x:1'), [{ from_ref: 'rs-gaap:Goodwill', to_ref: 'rs-gaap:Goodwill' }]),
    ],
    [
      'two mappings into one framework (taxonomy M-3)',
      ['block_type_not_allowed'],
      () =>
        chart({
          structures: [
            { name: 'One', block_type: 'coa_mapping' },
            { name: 'Two', block_type: 'coa_mapping' },
          ],
        }),
    ],
    [
      'a tree within a mapping (taxonomy M-1)',
      ['block_type_not_allowed'],
      () => mapped(account('x:1'), [{ to_ref: 'rs-gaap:Goodwill', association_type: 'presentation' }]),
    ],
    ['a blank name of a chart', ['blank_name'], () => chart({ name: '  ' })],
    ['a name of 501 characters', ['name_too_long'], () => chart({ name: 'n'.repeat(501) })],
    ['an empty name of a vocabulary', ['blank_name'], () => ontology({ name: '' })],
    [
      'blank names within',
      ['blank_name', 'blank_name', 'blank_name'],
      () => ({
        ...kpis([rule({ name: ' ' })]),
        elements: [account('k:a', { name: '' }), account('k:b')],
        structures: [{ ...note, name: '\t' }],
      }),
    ],
  ])('rejects a block for %s, and writes nothing (taxonomy T-23)', async (_title, codes, request) => {
    await bench.refuses('create-taxonomy-block', request(), codes);
  });
});
