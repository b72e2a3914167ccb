/** @module-tag sessions */
// Goal: writes are dispatched to the contributed block type and refused as the contract specifies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockGraph, type BlocksService, openGraph, startBlocks, structureId } from './blocks-service.ts';
import { oneEntity, rollforwardType } from './rollforward-type.ts';

let blocks: BlocksService;
let graph: BlockGraph;
beforeAll(async () => {
  blocks = await startBlocks([rollforwardType, oneEntity]);
  graph = await openGraph(blocks);
});
afterAll(() => blocks.service.close());

const cash = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';
const arm = (payload: object) => ({ block_type: 'rollforward', payload });
const create = (more: object = {}) =>
  graph.operation('create-information-block', arm({ name: 'Cash', bs_source_qname: cash, ...more }));
const own = async () =>
  (await graph.query('{ informationBlocks(blockType: "rollforward") { id name } }')).informationBlocks;

describe('a contributed block type', () => {
  it('creates, reads, updates and deletes a block with its atoms (reporting B-5, B-6, B-12, B-13)', async () => {
    const created = await create();
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const { result } = created.body;
    expect(result).toMatchObject({
      block_type: 'rollforward',
      display_name: 'Rollforward',
      category: 'Reporting',
      information_model: { concept_arrangement: 'roll_forward', member_arrangement: null },
      artifact: {
        topic: 'How it moved',
        renderer_note: 'in thousands',
        template: null,
        mechanics: { kind: 'rollforward', bs_source_qname: cash },
      },
      facts: [],
      fact_set: null,
      rules: [{ rule_pattern: 'Exists', rule_target: { target_kind: 'structure', target_ref_id: result.id } }],
      verification_results: [],
      verification_summary: null,
      view: { rendering: { rows: [], periods: [] }, chart: null },
    });
    const renamed = await graph.operation(
      'update-information-block',
      arm({ structure_id: result.id, name: 'Cash, again' }),
    );
    expect(renamed.body.result.name).toBe('Cash, again');
    const answer = await graph.query(`{ informationBlock(id: "${result.id}") {
      id blockType name artifact { mechanics rendererNote } rules { ruleVariables { variableName variableQname } } } }`);
    expect(answer.informationBlock).toMatchObject({
      name: 'Cash, again',
      artifact: { rendererNote: 'in thousands', mechanics: { bs_source_qname: cash } },
      rules: [{ ruleVariables: [{ variableName: 'Source', variableQname: cash }] }],
    });
    const deleted = await graph.operation('delete-information-block', arm({ structure_id: result.id }));
    expect(deleted.body.result).toEqual({
      structure_id: result.id,
      block_type: 'rollforward',
      name: 'Cash, again',
      deleted: true,
    });
    expect(await own()).toEqual([]);
    const rules = await blocks.inGraph(graph.id, (tx) => blocks.use.ruleStore.forStructures(tx, [result.id]));
    expect(rules).toEqual([]);
  });

  it('rolls everything back when the type refuses a write (reporting B-5)', async () => {
    const refused = await create({ validation_mode: 'strict' });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain('never strict');
    expect(await own()).toEqual([]);
  });

  it('finds a block only by its own type and never in the library (reporting B-5)', async () => {
    const { result } = (await create()).body;
    const library = structureId(blocks, 'BS-classified');
    for (const [id, name] of [
      ['struct_none', 'delete-information-block'],
      [library, 'delete-information-block'],
      [library, 'update-information-block'],
    ] as const) {
      const answer = await graph.operation(name, arm({ structure_id: id, name: 'x' }));
      expect(answer.status).toBe(404);
      expect(answer.body.detail).toBe(`Rollforward '${id}' not found.`);
    }
    expect(await own()).toEqual([{ id: result.id, name: 'Cash' }]);
    await graph.operation('delete-information-block', arm({ structure_id: result.id }));
  });

  it('reports what a deletion did not find and changes nothing (reporting B-5)', async () => {
    const { result } = (await create({ name: 'Lost' })).body;
    const before = await graph.query(`{ informationBlock(id: "${result.id}") { name rules { ruleExpression } } }`);
    const answer = await graph.operation('delete-information-block', arm({ structure_id: result.id }));
    expect([answer.status, answer.body.detail]).toEqual([404, 'Element not found: elem_lost']);
    expect(await graph.query(`{ informationBlock(id: "${result.id}") { name rules { ruleExpression } } }`)).toEqual(
      before,
    );
    await graph.operation('update-information-block', arm({ structure_id: result.id, name: 'Found' }));
    expect((await graph.operation('delete-information-block', arm({ structure_id: result.id }))).status).toBe(200);
  });

  it('does not let viewers write blocks (reporting B-0.2)', async () => {
    const stranger = await blocks.service.newUser('Eve');
    const body = arm({ name: 'Cash', bs_source_qname: cash });
    expect((await graph.operation('create-information-block', body, stranger)).status).toBe(403);
    expect(await own()).toEqual([]);
  });
});

describe('an unsupported block write', () => {
  it.each([
    ['create-information-block', 'balance_sheet', 'create-report'],
    ['update-information-block', 'income_statement', 'regenerate-report'],
    ['delete-information-block', 'cash_flow_statement', 'delete-report'],
    ['create-information-block', 'regulatory_disclosure', 'create-taxonomy-block'],
    ['update-information-block', 'metric', 'update-taxonomy-block'],
    ['create-information-block', 'metric', 'compute-metrics'],
  ])('answers 501 to %s of %s and names %s (reporting B-4)', async (operation, blockType, instead) => {
    const answer = await graph.operation(operation, { block_type: blockType, payload: {} });
    expect(answer.status).toBe(501);
    expect(answer.body.detail).toContain(`'${blockType}'`);
    expect(answer.body.detail).toContain(instead);
  });

  it('answers 422 for a type without a plugin and lists the types of the deployment', async () => {
    const body = { block_type: 'forecast', payload: { structure_id: 'struct_1' } };
    const answer = await graph.operation('delete-information-block', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toContain("'forecast' is not offered");
    expect(answer.body.detail).toContain('rollforward');
  });

  it.each([
    [{ block_type: 'chart_of_accounts', payload: {} }],
    [{ block_type: 'rollforward', payload: {} }],
    [{ payload: {} }],
  ])('answers 422 for an invalid arm: %o (reporting B-4)', async (body) => {
    const before = await own();
    expect((await graph.operation('create-information-block', body)).status).toBe(422);
    expect(await own()).toEqual(before);
  });
});
