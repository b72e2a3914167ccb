// Goal: stored blocks are changed and deleted in one step or not at all, and listed as specified (taxonomy 2.4 to 2.9).
// Method: a real service through HTTP and GraphQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockService, type Loose, startBlocks, Workbench } from './blocks.ts';

let started: BlockService;
let gaapId: string;

beforeAll(async () => {
  started = await startBlocks();
  const { body } = await started.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  gaapId = body.data.libraryTaxonomy.id;
});

afterAll(() => started.service.close());

const extensionRequest = () => ({
  name: 'Own concepts',
  taxonomy_type: 'reporting_extension',
  parent_taxonomy_id: gaapId,
  elements: [
    { qname: 'acme:Total', name: 'Total', trait: 'asset', balance_type: 'debit' },
    { qname: 'acme:A', name: 'A', trait: 'asset', balance_type: 'debit' },
    { qname: 'acme:B', name: 'B', trait: 'asset', balance_type: 'debit', parent_ref: 'acme:A' },
  ],
  structures: [
    { name: 'Note', block_type: 'regulatory_disclosure', concept_arrangement: 'roll_up' },
    { name: 'List', block_type: 'custom' },
  ],
  associations: [
    { structure_ref: 'Note', from_ref: 'acme:Total', to_ref: 'acme:A', association_type: 'calculation', weight: 1 },
  ],
  rules: [
    {
      name: 'Mine',
      rule_category: 'ReportingSystemSpecificRule',
      rule_pattern: 'GreaterThanOrEqualToZero',
      expression: '$A',
      variables: [{ variable_name: 'A', variable_qname: 'acme:A' }],
      target_element_qname: 'acme:A',
    },
  ],
});
const chartRequest = (name: string) => ({
  name,
  taxonomy_type: 'chart_of_accounts',
  elements: [
    { qname: `${name}:1000`, code: '1000', name: 'Fleet', trait: 'asset' },
    { qname: `${name}:1010`, code: '1010', name: 'Vans', trait: 'asset', parent_ref: `${name}:1000` },
  ],
  structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
});
const named = (list: Loose[], name: string): Loose => list.find((item) => item.name === name || item.qname === name);

describe('an update that cannot be', () => {
  let bench: Workbench;
  let own: Loose;
  let other: Loose;

  beforeAll(async () => {
    bench = await Workbench.open(started.user);
    own = await bench.done('create-taxonomy-block', extensionRequest());
    const request = extensionRequest();
    other = await bench.done('create-taxonomy-block', {
      ...request,
      taxonomy_type: 'custom_ontology',
      elements: request.elements.map(({ qname, parent_ref, ...rest }) => ({
        ...rest,
        qname: qname.replace('acme', 'k'),
      })),
      structures: [{ name: 'Note', block_type: 'custom' }],
      associations: [
        { structure_ref: 'Note', from_ref: 'k:Total', to_ref: 'k:A', association_type: 'calculation', weight: 1 },
      ],
      rules: [],
    });
  });

  it.each<[string, string[], () => object]>([
    ['an unknown element', ['unknown_element_qname'], () => ({ elements_to_remove: ['acme:None'] })],
    [
      'an element of another taxonomy',
      ['unknown_element_qname'],
      () => ({ elements_to_update: [{ qname: 'k:A', name: 'Mine' }] }),
    ],
    [
      'a shipped element',
      ['library_element_immutable'],
      () => ({ elements_to_update: [{ qname: 'rs-gaap:Assets', name: 'Mine' }] }),
    ],
    [
      'a parent without its child',
      ['element_has_children', 'phantom_parent_ref'],
      () => ({ elements_to_remove: ['acme:A'] }),
    ],
    [
      'retiring a parent of an active element (taxonomy T-34)',
      ['element_has_active_children'],
      () => ({ elements_to_update: [{ qname: 'acme:A', is_active: false }] }),
    ],
    [
      'an unknown structure',
      ['unknown_structure_id'],
      () => ({ structures_to_update: [{ structure_id: 'struct_x', name: 'N' }] }),
    ],
    [
      'a structure of another taxonomy',
      ['unknown_structure_id'],
      () => ({ structures_to_remove: [other.structures[0].id] }),
    ],
    ['an unknown arc', ['unknown_association_id'], () => ({ associations_to_remove: ['assoc_x'] })],
    [
      'an arc of another taxonomy',
      ['association_not_in_taxonomy'],
      () => ({ associations_to_remove: [other.associations[0].id] }),
    ],
    ['an unknown rule', ['unknown_rule_id'], () => ({ rules_to_remove: ['rule_x'] })],
    ['a rule of another taxonomy', ['rule_not_in_taxonomy'], () => ({ rules_to_remove: [other.rules[0].id] })],
    [
      'a rule of the system',
      ['auto_rule_immutable'],
      () => ({ rules_to_remove: [named(own.rules, 'UniqueQNameInTaxonomy').id] }),
    ],
    [
      'an arc that would close a circle',
      ['cycle_detected'],
      () => ({
        associations_to_add: [
          {
            structure_ref: own.structures[0].name,
            from_ref: 'acme:A',
            to_ref: 'acme:A',
            association_type: 'presentation',
          },
        ],
      }),
    ],
    [
      'a rule over what is removed with it',
      ['phantom_rule_variable'],
      () => ({
        elements_to_remove: ['acme:B'],
        rules_to_add: [
          {
            name: 'Late',
            rule_category: 'ReportingSystemSpecificRule',
            rule_pattern: 'Exists',
            expression: 'exists($B)',
            variables: [{ variable_name: 'B', variable_qname: 'acme:B' }],
          },
        ],
      }),
    ],
  ])('is refused for %s, and nothing changes (taxonomy T-31)', async (_title, codes, more) => {
    const body = await bench.operation('update-taxonomy-block', { taxonomy_id: own.id, ...more() });
    const found = (body.body.errors ?? []).map(({ code }: { code: string }) => code);
    expect([...found].sort(), JSON.stringify(body.body)).toEqual([...codes].sort());
    await bench.refuses('update-taxonomy-block', { taxonomy_id: own.id, ...more() }, found);
  });

  it('is not found for a taxonomy of another graph, and not possible for a shipped one (taxonomy T-4)', async () => {
    const elsewhere = await Workbench.open(started.user);
    expect((await elsewhere.operation('update-taxonomy-block', { taxonomy_id: own.id })).status).toBe(404);
    expect((await bench.operation('update-taxonomy-block', { taxonomy_id: gaapId, name: 'Mine' })).status).toBe(501);
    expect((await bench.operation('delete-taxonomy-block', { taxonomy_id: gaapId, reason: 'x' })).status).toBe(501);
  });
});

describe('an update', () => {
  it('keeps the rules of the system where the tree stays, and their ids where it changes (taxonomy T-35)', async () => {
    const bench = await Workbench.open(started.user);
    const made = await bench.done('create-taxonomy-block', extensionRequest());
    const renamed = await bench.done('update-taxonomy-block', {
      taxonomy_id: made.id,
      version: '2',
      elements_to_update: [{ qname: 'acme:A', name: 'First', metadata: { shown: true } }],
    });
    expect(renamed).toMatchObject({ version: '2', rules: made.rules });

    const noteId = named(made.structures, 'Note').id;
    const grown = await bench.done('update-taxonomy-block', {
      taxonomy_id: made.id,
      elements_to_add: [{ qname: 'acme:C', name: 'C', trait: 'contraAsset', balance_type: 'credit' }],
      structures_to_remove: [named(made.structures, 'List').id],
      associations_to_add: [
        {
          structure_ref: noteId,
          from_ref: 'acme:Total',
          to_ref: 'acme:C',
          association_type: 'calculation',
          weight: -1,
          order_value: 2,
        },
      ],
      rules_to_remove: [named(made.rules, 'Mine').id],
    });
    const footing = (envelope: Loose) => envelope.rules.find((rule: Loose) => rule.rule_pattern === 'RollUp');
    expect(footing(grown).rule_expression).toBe('$Total = ($A - $C)');
    expect(footing(grown).id).toBe(footing(made).id);
    const before = new Map(made.rules.map(({ id, name }: Loose) => [id, name]));
    for (const rule of grown.rules) expect(before.get(rule.id)).toBe(rule.name);
    expect([...before.values()].filter((name) => named(grown.rules, String(name)) === undefined).sort()).toEqual([
      'Mine',
      'NoCycles: List',
      'NoOrphanArcs: List',
      'ParentBeforeChild: List',
    ]);
  });

  it('moves a whole subtree, whose depths follow (taxonomy 1.3)', async () => {
    const bench = await Workbench.open(started.user);
    const made = await bench.done('create-taxonomy-block', chartRequest('coa'));
    const moved = await bench.done('update-taxonomy-block', {
      taxonomy_id: made.id,
      elements_to_add: [{ qname: 'coa:1', code: '1', name: 'Everything', trait: 'asset' }],
      elements_to_update: [{ qname: 'coa:1000', parent_ref: 'coa:1' }],
    });
    expect(moved.elements.map(({ qname, depth }: Loose) => [qname, depth])).toEqual([
      ['coa:1', 0],
      ['coa:1000', 1],
      ['coa:1010', 2],
    ]);
    const back = await bench.done('update-taxonomy-block', {
      taxonomy_id: made.id,
      elements_to_update: [{ qname: 'coa:1000', parent_ref: '' }],
    });
    expect(back.elements.map(({ depth }: Loose) => depth)).toEqual([0, 0, 1]);
  });

  it('lets a set become a sum in place, with a rule for it (taxonomy T-33)', async () => {
    const bench = await Workbench.open(started.user);
    const request = extensionRequest();
    const made = await bench.done('create-taxonomy-block', {
      ...request,
      structures: [{ name: 'Note', block_type: 'regulatory_disclosure', concept_arrangement: 'set' }],
    });
    const rules = (envelope: Loose) => envelope.rules.filter((rule: Loose) => rule.rule_pattern === 'RollUp');
    expect(rules(made)).toEqual([]);
    const promoted = await bench.done('update-taxonomy-block', {
      taxonomy_id: made.id,
      structures_to_update: [{ structure_id: made.structures[0].id, concept_arrangement: 'roll_up' }],
    });
    expect(rules(promoted)).toMatchObject([{ rule_expression: '$Total = ($A)' }]);
  });
});

describe('a concept of an extension', () => {
  it('can be mapped to, is reached through its sums, and holds its extension until unmapped (taxonomy 4.2, M-17)', async () => {
    const bench = await Workbench.open(started.user);
    const own = await bench.done('create-taxonomy-block', extensionRequest());
    const chart = await bench.done('create-taxonomy-block', chartRequest('coa'));
    const mappingId = chart.structures[0].id;
    const target = named(own.elements, 'acme:B').id;
    const made = await bench.done('create-mapping-association', {
      mapping_id: mappingId,
      from_element_id: named(chart.elements, 'coa:1010').id,
      to_element_id: target,
    });
    expect(made.to_element_qname).toBe('acme:B');
    const coverage = `query ($id: String!) { mappingCoverage(mappingId: $id) { mappedCount unreachable { targetQname } } }`;
    expect((await bench.read(coverage, { id: mappingId })).mappingCoverage).toEqual({
      mappedCount: 1,
      unreachable: [{ targetQname: 'acme:B' }],
    });
    await bench.done('update-taxonomy-block', {
      taxonomy_id: own.id,
      associations_to_add: [
        {
          structure_ref: 'List',
          from_ref: 'rs-gaap:AssetsNoncurrent',
          to_ref: 'acme:B',
          association_type: 'calculation',
        },
      ],
    });
    expect((await bench.read(coverage, { id: mappingId })).mappingCoverage.unreachable).toEqual([]);
    const { mappingCandidates } = await bench.read('{ mappingCandidates(classification: "asset") { qname } }');
    expect(mappingCandidates.slice(-3)).toEqual([{ qname: 'acme:A' }, { qname: 'acme:B' }, { qname: 'acme:Total' }]);

    const before = await bench.everything();
    const refused = await bench.operation('delete-taxonomy-block', { taxonomy_id: own.id, reason: 'Not needed' });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain('1 element(s) are used by arcs of other taxonomies');
    await bench.refuses('update-taxonomy-block', { taxonomy_id: own.id, elements_to_remove: ['acme:B'] }, [
      'element_has_cross_taxonomy_mappings',
    ]);
    expect(await bench.everything()).toEqual(before);

    await bench.done('delete-mapping-association', { mapping_id: mappingId, association_id: made.id });
    expect(await bench.done('delete-taxonomy-block', { taxonomy_id: own.id, reason: 'Not needed' })).toEqual({
      taxonomy_id: own.id,
      name: 'Own concepts',
      deleted: true,
      facts_deleted: 0,
      cascade_applied: false,
    });
    const left = await bench.read(
      `query ($id: ID!) { taxonomyBlock(id: $id) { id } libraryElement(qname: "acme:B") { id }
        shipped: libraryElement(qname: "rs-gaap:AssetsNoncurrent") { id } }`,
      { id: own.id },
    );
    expect(left).toMatchObject({ taxonomyBlock: null, libraryElement: null, shipped: { id: expect.any(String) } });
  });
});

describe('deleting', () => {
  it('takes a chart with its mappings, and says why an unknown one stays (taxonomy M-4, T-37)', async () => {
    const bench = await Workbench.open(started.user);
    const chart = await bench.done('create-taxonomy-block', chartRequest('coa'));
    const { mappings, taxonomies } = await bench.read(
      '{ mappings { structures { taxonomyId } } taxonomies(taxonomyType: "mapping") { taxonomies { id } } }',
    );
    const mappingTaxonomy = taxonomies.taxonomies[0].id;
    expect(mappings.structures).toEqual([{ taxonomyId: mappingTaxonomy }]);
    const before = await bench.everything();
    for (const request of [
      { taxonomy_id: 'tax_x', reason: 'x' },
      { taxonomy_id: mappingTaxonomy, reason: 'x' },
      { taxonomy_id: chart.id, reason: ' ' },
    ]) {
      expect((await bench.operation('delete-taxonomy-block', request)).status).toBe(422);
    }
    expect(await bench.everything()).toEqual(before);
    await bench.done('delete-taxonomy-block', { taxonomy_id: chart.id, reason: 'Wrong template', cascade_facts: true });
    const left = await bench.read('{ mappings { structures { id } } taxonomies { taxonomies { isShared } } }');
    expect(left).toEqual({ mappings: { structures: [] }, taxonomies: { taxonomies: [{ isShared: true }] } });
    // The name is free again.
    await bench.done('create-taxonomy-block', chartRequest('coa'));
  });
});

describe('lists of blocks', () => {
  it('have the own ones first, then the library, by type and name (taxonomy T-45)', async () => {
    const bench = await Workbench.open(started.user);
    await bench.done('create-taxonomy-block', { name: 'Z', taxonomy_type: 'schedule' });
    await bench.done('create-taxonomy-block', { ...extensionRequest(), name: 'B' });
    await bench.done('create-taxonomy-block', chartRequest('coa'));
    const shown = `{ name taxonomyType isLocked }`;
    const { all, reporting, children, second } = await bench.read(
      `query ($gaap: ID!) { all: taxonomyBlocks ${shown} reporting: taxonomyBlocks(category: "Reporting") { name }
        children: taxonomyBlocks(parentTaxonomyId: $gaap) { name } second: taxonomyBlocks(limit: 1, offset: 1) { name } }`,
      { gaap: gaapId },
    );
    expect(all).toEqual([
      { name: 'coa', taxonomyType: 'chart_of_accounts', isLocked: false },
      { name: 'B', taxonomyType: 'reporting_extension', isLocked: false },
      { name: 'Z', taxonomyType: 'schedule', isLocked: false },
      { name: 'US GAAP, curated', taxonomyType: 'reporting_standard', isLocked: true },
    ]);
    expect([reporting, children, second]).toEqual([[{ name: 'B' }], [{ name: 'B' }], [{ name: 'B' }]]);
  });

  it('refuse unknown types and pages (taxonomy T-45, LB-19)', async () => {
    const bench = await Workbench.open(started.user);
    const codeOf = async (query: string) =>
      (await started.user.graphql(bench.graph, query)).body.errors[0].extensions.code;
    expect(await codeOf('{ taxonomyBlocks(taxonomyType: "mapping") { id } }')).toBe('INVALID_ARGUMENT');
    expect(await codeOf('{ taxonomyBlocks(limit: 1001) { id } }')).toBe('INVALID_PAGINATION');
  });

  it('are the shipped standards on graph library, with their atoms when asked (taxonomy T-45, T-46, LB-8)', async () => {
    const query = `query ($id: ID!) { taxonomyBlock(id: $id) { elementCount structureCount associationCount
      elements { id origin } rules { name } } }`;
    const library = new Workbench(started.user, 'library');
    const tenant = await Workbench.open(started.user);
    const { taxonomyBlocks } = await library.read('{ taxonomyBlocks { name taxonomyType standard } }');
    expect(taxonomyBlocks).toEqual([
      { name: 'Fundamental Accounting Concepts', taxonomyType: 'reporting_standard', standard: 'fac' },
      { name: 'US GAAP, curated', taxonomyType: 'reporting_standard', standard: 'rs-gaap' },
    ]);
    const shown = await library.read(query, { id: gaapId });
    expect(shown).toEqual(await tenant.read(query, { id: gaapId }));
    const { elements, rules, ...counts } = shown.taxonomyBlock;
    expect(counts).toEqual({ elementCount: 580, structureCount: 68, associationCount: 1076 + 898 + 60 + 61 });
    expect(elements).toHaveLength(580);
    expect(elements[0].origin).toBe('library');
    expect(rules.map(({ name }: Loose) => name)).toContain('Assets = Liabilities + Equity');
  });
});
