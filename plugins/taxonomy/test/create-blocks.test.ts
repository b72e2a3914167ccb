/** @module-tag sessions */
// Goal: blocks of every type are created as a whole, or rejected with all their issues (taxonomy 2.2, 2.3).
// Method: a real service over HTTP and GraphQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, arc, chart, extension, note, ontology, rule } from './block-requests.ts';
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

describe('create-taxonomy-block with several defects', () => {
  it('reports five defects in one response, by phase (taxonomy T-23, T-24)', async () => {
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

  it('reports the path of a cycle of sums (taxonomy 2.2)', async () => {
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

  it('rejects requests above the limits (taxonomy section 2)', async () => {
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

describe('create-taxonomy-block', () => {
  it('creates a block that reads back in full, in any order of parents (taxonomy T-27, T-30)', async () => {
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
    // Equity is an instant on the credit side, an expense a duration on the debit side (taxonomy T-7, T-8).
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

  it('accepts an extension that names library concepts as parents and ends of arcs (taxonomy T-26)', async () => {
    const books = await Workbench.open(started.user);
    const made = await books.done(
      'create-taxonomy-block',
      extension(gaapId, {
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

  it('accepts a vocabulary with rules over its own and shipped names, and a schedule (taxonomy 1.2)', async () => {
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
