/** @module-tag sessions */
// Goal: a page has the requested blocks in a stable order and takes as many statements as a single block.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BlockGraph,
  type BlocksService,
  balances,
  type Loose,
  openGraph,
  startBlocks,
  statementsOf,
  structureId,
  writeMonth,
} from './blocks-service.ts';
import { oneEntity, rollforwardType } from './rollforward-type.ts';

const cash = 'CashAndCashEquivalentsAtCarryingValue';

let blocks: BlocksService;
beforeAll(async () => {
  blocks = await startBlocks([rollforwardType, oneEntity]);
});
afterAll(() => blocks.service.close());

const writeApril = (graph: BlockGraph) =>
  blocks.inGraph(graph.id, (tx) =>
    writeMonth(blocks, tx, {
      structureId: structureId(blocks, 'BS-classified'),
      month: '2026-04',
      facts: balances(blocks, '2026-04', { Assets: '100' }),
    }),
  );

describe('informationBlocks', () => {
  it('lists the graph’s own blocks first, then the library’s by type, name and id (reporting B-17)', async () => {
    const graph = await openGraph(blocks);
    const payload = { name: 'Own', bs_source_qname: `rs-gaap:${cash}` };
    await graph.operation('create-information-block', { block_type: 'rollforward', payload });
    const all = (await graph.query('{ informationBlocks(limit: 200) { id blockType name } }')).informationBlocks;
    expect(all[0].name).toBe('Own');
    const shipped = all.slice(1).map(({ blockType, name, id }: Loose) => [blockType, name, id]);
    expect(shipped.length).toBeGreaterThan(5);
    expect(new Set(all.map(({ id }: Loose) => id)).size).toBe(all.length);
    const types: string[] = shipped.map(([type]: Loose) => type);
    expect(types).toEqual([...types].sort());
    const page = await graph.query('{ informationBlocks(limit: 2, offset: 1) { id } }');
    expect(page.informationBlocks.map(({ id }: Loose) => id)).toEqual(all.slice(1, 3).map(({ id }: Loose) => id));
  });

  it('filters by type and by category, which must both match (reporting B-16)', async () => {
    const graph = await openGraph(blocks);
    const typesOf = async (args: string) => [
      ...new Set(
        (await graph.query(`{ informationBlocks(${args}) { blockType } }`)).informationBlocks.map(
          ({ blockType }: Loose) => blockType,
        ),
      ),
    ];
    expect(await typesOf('blockType: "balance_sheet"')).toEqual(['balance_sheet']);
    expect(await typesOf('blockType: "balance_sheet", category: "Reporting"')).toEqual(['balance_sheet']);
    expect(await typesOf('blockType: "balance_sheet", category: "Close"')).toEqual([]);
    expect(await graph.refusal('{ informationBlocks(blockType: "poem") { id } }')).toBe('INVALID_ARGUMENT');
    for (const args of ['limit: 201', 'limit: 0', 'offset: -1']) {
      expect(await graph.refusal(`{ informationBlocks(${args}) { id } }`)).toBe('INVALID_PAGINATION');
    }
  });

  it('lists only statements, without facts, in the library graph (reporting B-18)', async () => {
    const graph = await openGraph(blocks);
    await writeApril(graph);
    const answer = await blocks.user.graphql(
      'library',
      '{ informationBlocks(limit: 200) { blockType facts { id } factSet { id } } }',
    );
    const found: Loose[] = answer.body.data.informationBlocks;
    expect(new Set(found.map(({ blockType }) => blockType))).toContain('balance_sheet');
    expect(found.every(({ blockType }) => blockType !== 'regulatory_disclosure')).toBe(true);
    expect(found.every(({ facts, factSet }) => facts.length === 0 && factSet === null)).toBe(true);
  });

  it('sends as many statements for a page as for one block of each type (reporting B-19)', async () => {
    const graph = await openGraph(blocks);
    await writeApril(graph);
    await blocks.inGraph(graph.id, async (tx) => {
      const list = (limit: number) =>
        statementsOf(tx, (counted) =>
          blocks.use.blockEnvelopes.list(counted, { limit, offset: 0, blockType: 'balance_sheet' }),
        );
      const [one, many] = [await list(1), await list(200)];
      expect(many).toBe(one);
      expect(many).toBeLessThanOrEqual(9);
    });
  });

  it('shares one read between equal aliases and rejects thirty different pages in one request (platform E-24)', async () => {
    const graph = await openGraph(blocks);
    const same = Array.from({ length: 10 }, (_, index) => `a${index}: informationBlocks(limit: 2) { id }`);
    const pages = Object.values(await graph.query(`{ ${same.join(' ')} }`));
    expect(pages).toHaveLength(10);
    for (const page of pages) expect(page).toEqual(pages[0]);
    const different = Array.from({ length: 30 }, (_, index) => `a${index}: informationBlocks(offset: ${index}) { id }`);
    expect(await graph.refusal(`{ ${different.join(' ')} }`)).toBe('QUERY_TOO_COMPLEX');
  });
});
