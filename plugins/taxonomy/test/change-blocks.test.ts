/** @module-tag sessions */
// Goal: stored blocks are changed in one step or not at all (taxonomy 2.4).
// Method: a real service over HTTP and GraphQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartRequest, extensionRequest, named } from './block-requests.ts';
import { type BlockService, type Loose, startBlocks, Workbench } from './blocks.ts';

let started: BlockService;
let gaapId: string;

beforeAll(async () => {
  started = await startBlocks();
  gaapId = started.gaapId;
});

afterAll(() => started.service.close());

describe('invalid update-taxonomy-block', () => {
  let bench: Workbench;
  let own: Loose;
  let other: Loose;

  beforeAll(async () => {
    bench = await Workbench.open(started.user);
    own = await bench.done('create-taxonomy-block', extensionRequest(gaapId));
    const request = extensionRequest(gaapId);
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
      'an arc that would close a cycle',
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
      'a rule about an element that the update removes',
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
    [
      'two patches of one element',
      ['duplicate_element_qname'],
      () => ({
        elements_to_update: [
          { qname: 'acme:A', name: 'First' },
          { qname: 'acme:A', description: 'Second' },
        ],
      }),
    ],
    [
      'two patches of one structure',
      ['duplicate_structure_name'],
      () => ({
        structures_to_update: [
          { structure_id: own.structures[0].id, name: 'First' },
          { structure_id: own.structures[0].id, description: 'Second' },
        ],
      }),
    ],
    ['a blank name', ['blank_name'], () => ({ name: ' ' })],
    [
      'blank names of its parts',
      ['blank_name', 'blank_name'],
      () => ({
        elements_to_update: [{ qname: 'acme:A', name: '' }],
        structures_to_update: [{ structure_id: own.structures[0].id, name: '' }],
      }),
    ],
  ])('rejects an update for %s, and changes nothing (taxonomy T-31)', async (_title, codes, more) => {
    const body = await bench.operation('update-taxonomy-block', { taxonomy_id: own.id, ...more() });
    const found = (body.body.errors ?? []).map(({ code }: { code: string }) => code);
    expect([...found].sort(), JSON.stringify(body.body)).toEqual([...codes].sort());
    await bench.refuses('update-taxonomy-block', { taxonomy_id: own.id, ...more() }, found);
  });

  it('returns 404 for a taxonomy of another graph, and 501 for a shipped one (taxonomy T-4)', async () => {
    const elsewhere = await Workbench.open(started.user);
    expect((await elsewhere.operation('update-taxonomy-block', { taxonomy_id: own.id })).status).toBe(404);
    expect((await bench.operation('update-taxonomy-block', { taxonomy_id: gaapId, name: 'Mine' })).status).toBe(501);
    expect((await bench.operation('delete-taxonomy-block', { taxonomy_id: gaapId, reason: 'x' })).status).toBe(501);
  });
});

describe('update-taxonomy-block', () => {
  it('accepts only true or false for no_negative of an account (ledger L-213)', async () => {
    const bench = await Workbench.open(started.user);
    const made = await bench.done('create-taxonomy-block', chartRequest('lim'));
    const limit = (noNegative: unknown) => ({
      taxonomy_id: made.id,
      elements_to_update: [{ qname: 'lim:1010', metadata: { no_negative: noNegative } }],
    });
    for (const wrong of ['true', 1, [true]])
      await bench.refuses('update-taxonomy-block', limit(wrong), ['coa_no_negative_invalid']);
    for (const right of [true, false, null]) await bench.done('update-taxonomy-block', limit(right));
    // Only accounts have the limit.
    const elements = [{ qname: 'note:A', name: 'A', trait: 'asset', metadata: { no_negative: 'true' } }];
    await bench.done('create-taxonomy-block', { name: 'Notes', taxonomy_type: 'custom_ontology', elements });
  });

  it('keeps the system rules while the tree is unchanged, and their ids where it changes (taxonomy T-35)', async () => {
    const bench = await Workbench.open(started.user);
    const made = await bench.done('create-taxonomy-block', extensionRequest(gaapId));
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

  it('moves a whole subtree and updates its depths (taxonomy 1.3)', async () => {
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

  it('turns a set into a sum, with a rule for it (taxonomy T-33)', async () => {
    const bench = await Workbench.open(started.user);
    const request = extensionRequest(gaapId);
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
