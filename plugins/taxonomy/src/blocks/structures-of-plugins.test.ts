/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTaxonomyStore, type TaxonomyStore } from '../../test/taxonomy-store.ts';

let opened: TaxonomyStore;
beforeAll(async () => {
  opened = await openTaxonomyStore();
});
afterAll(() => opened.close());

describe('a structure that a plugin keeps as a block', () => {
  const graphId = 'kg_kept';
  const arc = (structureRef: string) =>
    ({ structure_ref: structureRef, from_ref: 'k:A', to_ref: 'k:B', association_type: 'presentation' }) as const;
  const rule = (name: string, targetStructureRef: string) => ({
    name,
    rule_category: 'ToDoManualTask' as const,
    rule_pattern: 'GreaterThan' as const,
    expression: '$A > $B',
    variables: [
      { variable_name: '$A', variable_qname: 'k:A' },
      { variable_name: '$B', variable_qname: 'k:B' },
    ],
    target_structure_ref: targetStructureRef,
  });

  it('takes arcs and rules, and loses rules, only through its block (taxonomy T-31)', async () => {
    const made = await opened.write(graphId, (work) =>
      opened.blocks.create(work, {
        name: 'Kept',
        taxonomy_type: 'custom_ontology',
        elements: [
          { qname: 'k:A', name: 'A' },
          { qname: 'k:B', name: 'B' },
        ],
        structures: [
          { name: 'Kept', block_type: 'custom' },
          { name: 'Open', block_type: 'custom' },
        ],
        rules: [rule('Of the kept one', 'Kept')],
      }),
    );
    const idOf = (name: string) => made.structures?.find((each) => each.name === name)?.id ?? '';
    const ruleId = made.rules?.find(({ name }) => name === 'Of the kept one')?.id ?? '';
    const update = (request: object) =>
      opened.write(graphId, (work) => opened.blocks.update(work, { taxonomy_id: made.id, ...request }));
    const sizeOf = ({ associations, rules }: Awaited<ReturnType<typeof update>>) => [
      associations?.length,
      rules?.filter(({ name }) => name.startsWith('Of the')).length,
    ];
    opened.history.usedStructures = [idOf('Kept')];
    for (const request of [
      { associations_to_add: [arc('Kept')] },
      { associations_to_add: [arc(idOf('Kept'))] },
      { rules_to_add: [rule('Of the kept one too', idOf('Kept'))] },
      { rules_to_remove: [ruleId] },
    ]) {
      const refused = update(request);
      await expect(refused).rejects.toThrow(/^1 taxonomy block .*change it with update-information-block/);
      await expect(refused).rejects.toMatchObject({ fields: { errors: [{ code: 'structure_in_use' }] } });
    }
    expect(sizeOf(await update({}))).toEqual([0, 1]);
    const beside = { associations_to_add: [arc('Open')], rules_to_add: [rule('Of the open one', 'Open')] };
    expect(sizeOf(await update(beside))).toEqual([1, 2]);
    opened.history.usedStructures = [];
    expect(sizeOf(await update({ rules_to_remove: [ruleId] }))).toEqual([1, 1]);
  });
});
