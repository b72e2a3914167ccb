// Goal: blocks of every type are created whole, or refused with every issue and nothing written (taxonomy 2.2, 2.3).
// Method: a real service through HTTP and GraphQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockService, startBlocks, Workbench } from './blocks.ts';

let started: BlockService;
let bench: Workbench;
let gaapId: string;

beforeAll(async () => {
  started = await startBlocks();
  bench = await Workbench.open(started.user);
  gaapId = (await bench.read('{ libraryTaxonomy(standard: "rs-gaap") { id } }')).libraryTaxonomy.id;
});

afterAll(() => started.service.close());

const chart = (more: object) => ({ name: 'Chart', taxonomy_type: 'chart_of_accounts', ...more });
const ontology = (more: object) => ({ name: 'KPIs', taxonomy_type: 'custom_ontology', ...more });
const extension = (more: object) => ({
  name: 'Own concepts',
  taxonomy_type: 'reporting_extension',
  parent_taxonomy_id: gaapId,
  ...more,
});
const account = (qname: string, more: object = {}) => ({ qname, name: qname, trait: 'asset', ...more });
const note = { name: 'Note', block_type: 'custom' };
const arc = (from_ref: string, to_ref: string, more: object = {}) => ({
  structure_ref: 'Note',
  from_ref,
  to_ref,
  association_type: 'presentation',
  ...more,
});
const rule = (more: object) => ({
  name: 'R',
  rule_category: 'FundamentalAccountingConceptRelation',
  rule_pattern: 'EqualTo',
  expression: '$A = $B',
  variables: [
    { variable_name: 'A', variable_qname: 'k:a' },
    { variable_name: 'B', variable_qname: 'k:b' },
  ],
  ...more,
});
const kpis = (rules: object[]) => ontology({ elements: [account('k:a'), account('k:b')], structures: [note], rules });

const mapped = (source: { qname: string }, arcs: object[]) =>
  chart({
    elements: [source],
    structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
    associations: arcs.map((more) => ({
      structure_ref: 'To GAAP',
      from_ref: source.qname,
      association_type: 'mapping',
      ...more,
    })),
  });

describe('a block that contradicts itself', () => {
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
      'an arc from nowhere to nowhere',
      ['phantom_from_ref', 'phantom_to_ref'],
      () => chart({ structures: [note], associations: [arc('x:1', 'x:2')] }),
    ],
    [
      'a rule on what is not there',
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
      'a qname twice',
      ['duplicate_element_qname'],
      () => chart({ elements: [account('x:1'), account('x:1', { name: 'Again' })] }),
    ],
    ['a structure name twice', ['duplicate_structure_name'], () => chart({ structures: [note, note] })],
    ['a rule name twice', ['duplicate_rule_name'], () => kpis([rule({}), rule({})])],
    ['a shipped qname', ['qname_taken'], () => chart({ elements: [account('rs-gaap:Goodwill')] })],
    [
      'the same arc twice',
      ['duplicate_association'],
      () =>
        chart({
          elements: [account('x:1'), account('x:2')],
          structures: [note],
          associations: [arc('x:1', 'x:2'), arc('x:1', 'x:2')],
        }),
    ],
    [
      'a code twice',
      ['duplicate_code'],
      () => chart({ elements: [account('x:1', { code: '1' }), account('x:2', { code: '1' })] }),
    ],
    [
      'an arc to itself',
      ['cycle_detected'],
      () => chart({ elements: [account('x:1')], structures: [note], associations: [arc('x:1', 'x:1')] }),
    ],
    [
      'parents in a circle',
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
    ['an extension of nothing', ['extension_missing_parent'], () => extension({ parent_taxonomy_id: null })],
    ['an extension of an unknown taxonomy', ['extension_parent_invalid'], () => extension({ parent_taxonomy_id: 'x' })],
    [
      'a prefix that is not of the name space',
      ['extension_namespace_mismatch'],
      () => extension({ namespace_uri: 'https://example.com/2026/acme', elements: [account('other:Thing')] }),
    ],
    ['an unknown trait', ['unknown_trait'], () => chart({ elements: [account('x:1', { trait: 'treasure' })] })],
    [
      'words outside of the vocabularies',
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
      () => extension({ structures: [{ name: 'Map', block_type: 'coa_mapping' }] }),
    ],
    [
      'a schedule with atoms of its own (taxonomy 1.2)',
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
      'a variable twice',
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
      'a footing rule whose total stands last',
      ['rollup_parent_not_first'],
      () => kpis([rule({ rule_pattern: 'RollUp', expression: '$B = $A' })]),
    ],
    [
      'a rule with two targets',
      ['rule_target_conflict'],
      () => kpis([rule({ target_structure_ref: 'Note', target_taxonomy_self: true })]),
    ],
    [
      'a weight against the sides (taxonomy T-41)',
      ['weight_balance_conflict'],
      () =>
        extension({
          elements: [account('e:t', { balance_type: 'debit', period_type: 'instant' })],
          structures: [note],
          associations: [arc('e:t', 'rs-gaap:AccountsPayableCurrent', { association_type: 'calculation', weight: 1 })],
        }),
    ],
    [
      'a sum of instants and durations',
      ['calculation_period_mismatch'],
      () =>
        extension({
          elements: [account('e:t', { trait: null, period_type: 'duration' })],
          structures: [note],
          associations: [arc('e:t', 'rs-gaap:Goodwill', { association_type: 'calculation', weight: 1 })],
        }),
    ],
    [
      'a weight of nothing',
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
      'a mapping of what is no account',
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
  ])('is refused for %s, and nothing is written (taxonomy T-23)', async (_title, codes, request) => {
    await bench.refuses('create-taxonomy-block', request(), codes);
  });

  it('is told of five defects in one answer, by phase (taxonomy T-23, T-24)', async () => {
    await bench.refuses(
      'create-taxonomy-block',
      chart({
        elements: [
          account('x:1', { metadata: { origin: 'library' } }),
          account('x:1', { name: 'Again', trait: 'treasure' }),
          account('x:2', { parent_ref: 'x:9' }),
        ],
        structures: [note],
        associations: [arc('x:2', 'x:2')],
      }),
      ['phantom_parent_ref', 'duplicate_element_qname', 'cycle_detected', 'unknown_trait', 'library_origin_smuggled'],
    );
  });

  it('is shown the way round a circle of sums (taxonomy 2.2)', async () => {
    const sum = (from: string, to: string) => arc(from, to, { association_type: 'calculation' });
    const body = await bench.refuses(
      'create-taxonomy-block',
      ontology({
        elements: [account('k:a'), account('k:b'), account('k:c')],
        structures: [note],
        associations: [sum('k:a', 'k:b'), sum('k:b', 'k:c'), sum('k:c', 'k:a')],
      }),
      ['cycle_detected'],
    );
    expect(body.errors[0].context).toEqual({
      structure_ref: 'Note',
      association_type: 'calculation',
      cycle_path: ['k:a', 'k:b', 'k:c', 'k:a'],
    });
  });

  it('is too large above the limits of a request (taxonomy section 2)', async () => {
    const before = await bench.everything();
    for (const more of [
      { elements: Array.from({ length: 5_001 }, (_, index) => account(`x:${index}`)) },
      { structures: Array.from({ length: 501 }, (_, index) => ({ ...note, name: `N${index}` })) },
      { rules: Array.from({ length: 1_001 }, (_, index) => rule({ name: `R${index}` })) },
    ]) {
      const answer = await bench.operation('create-taxonomy-block', chart(more));
      expect(answer.status).toBe(422);
      expect(answer.body.detail).toContain('too_many_atoms');
    }
    expect(await bench.everything()).toEqual(before);
  });
});

describe('a created block', () => {
  it('reads back whole, whatever the order of parents (taxonomy T-27, T-30)', async () => {
    const books = await Workbench.open(started.user);
    const elements = Array.from({ length: 12 }, (_, index) => ({
      qname: `coa:${12 - index}`,
      code: `${12 - index}`,
      name: `Account ${12 - index}`,
      trait: index < 6 ? 'expense' : 'equity',
      ...(index < 11 ? { parent_ref: `coa:${11 - index}` } : {}),
    }));
    const made = await books.done('create-taxonomy-block', chart({ elements, structures: [note] }));
    const { taxonomyBlock } = await books.read(
      `query ($id: ID!) { taxonomyBlock(id: $id) { displayName category elementCount structureCount associationCount
        verificationResults elements { qname depth periodType balanceType origin } rules { rulePattern origin } } }`,
      { id: made.id },
    );
    expect(taxonomyBlock).toMatchObject({
      displayName: 'Chart of Accounts',
      category: 'Chart',
      elementCount: 12,
      structureCount: 1,
      associationCount: 0,
      verificationResults: [],
    });
    expect(taxonomyBlock.elements.map(({ depth }: { depth: number }) => depth)).toEqual([...Array(12).keys()]);
    // Taxonomy T-7, T-8: equity is an instant on the credit side, an expense a duration on the debit side.
    expect(taxonomyBlock.elements[0]).toEqual({
      qname: 'coa:1',
      depth: 0,
      periodType: 'instant',
      balanceType: 'credit',
      origin: 'tenant',
    });
    expect(taxonomyBlock.elements[11]).toMatchObject({ periodType: 'duration', balanceType: 'debit' });
    expect(taxonomyBlock.rules.map(({ rulePattern }: { rulePattern: string }) => rulePattern).sort()).toEqual([
      'LeafHasClassification',
      'NoCycles',
      'NoOrphanArcs',
      'ParentBeforeChild',
      'UniqueQNameInTaxonomy',
    ]);
  });

  it('may extend the library, whose concepts it names as parents and ends of arcs (taxonomy T-26)', async () => {
    const books = await Workbench.open(started.user);
    const made = await books.done(
      'create-taxonomy-block',
      extension({
        namespace_uri: 'https://example.com/acme',
        elements: [
          account('acme:Drones', { parent_ref: 'us-gaap:PropertyPlantAndEquipmentGross', balance_type: 'debit' }),
          { qname: 'acme:Fleet', name: 'Drone Fleet' },
        ],
        structures: [
          {
            name: 'Fleet note',
            block_type: 'regulatory_disclosure',
            concept_arrangement: 'roll_up',
            role_uri: 'https://example.com/role/fleet',
          },
        ],
        associations: [
          {
            structure_ref: 'Fleet note',
            from_ref: 'us-gaap:PropertyPlantAndEquipmentGross',
            to_ref: 'acme:Drones',
            association_type: 'calculation',
            weight: 1,
          },
        ],
      }),
    );
    expect(made).toMatchObject({
      display_name: 'Reporting Extension',
      parent_taxonomy_id: gaapId,
      parent_taxonomy_name: 'US GAAP, curated',
      standard: 'ext',
    });
    expect(made.structures[0].role_uri).toBe('https://example.com/role/fleet');
    expect(made.elements.find(({ qname }: { qname: string }) => qname === 'acme:Drones')).toMatchObject({
      parent_qname: 'rs-gaap:PropertyPlantAndEquipmentGross',
      depth: 1,
    });
    const footing = made.rules.find(({ rule_pattern }: { rule_pattern: string | null }) => rule_pattern === 'RollUp');
    expect(footing).toMatchObject({
      rule_expression: '$PropertyPlantAndEquipmentGross = ($Drones)',
      origin: 'auto',
      target_kind: 'structure',
      target_ref: made.structures[0].id,
    });
    const { libraryElement } = await books.read('{ libraryElement(qname: "acme:Drones") { name taxonomyId } }');
    expect(libraryElement).toEqual({ name: 'acme:Drones', taxonomyId: made.id });
  });

  it('may be a vocabulary with rules over its own and shipped names, or a schedule (taxonomy 1.2)', async () => {
    const books = await Workbench.open(started.user);
    const made = await books.done(
      'create-taxonomy-block',
      ontology({
        elements: [{ qname: 'k:Churn', name: 'Churn', element_type: 'concept', is_monetary: false }],
        structures: [note],
        rules: [
          rule({
            name: 'Churn',
            rule_pattern: 'Derive',
            expression: '$Churn = $Revenue / avg($Assets)',
            variables: [
              { variable_name: 'Churn', variable_qname: 'k:Churn' },
              { variable_name: 'Revenue', variable_qname: 'rs-gaap:Revenues' },
              { variable_name: 'Assets', variable_qname: 'us-gaap:Assets' },
            ],
            target_element_qname: 'k:Churn',
          }),
        ],
      }),
    );
    expect(made.elements[0]).toMatchObject({ trait: null, balance_type: null, period_type: 'duration' });
    expect(made.rules.find(({ name }: { name: string }) => name === 'Churn')).toMatchObject({
      rule_pattern: 'Derive',
      rule_check_kind: null,
      origin: 'native',
      target_kind: 'element',
      target_ref: 'k:Churn',
    });
    const schedule = await books.done('create-taxonomy-block', {
      name: 'Depreciation',
      taxonomy_type: 'schedule',
      structures: [{ name: 'Vans', block_type: 'schedule' }],
    });
    expect(schedule).toMatchObject({ display_name: 'Schedule', structure_count: 1 });
  });
});
