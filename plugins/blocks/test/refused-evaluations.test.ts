// Goal: requests that cannot be evaluated are rejected before anything is written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BlocksService,
  balances,
  type Loose,
  openGraph,
  startBlocks,
  structureId,
  writeMonth,
} from './blocks-service.ts';
import { cash, type Sheet, sheetOf } from './evaluations.ts';

let blocks: BlocksService;
let sheet: Sheet;
beforeAll(async () => {
  blocks = await startBlocks();
  sheet = sheetOf(blocks);
});
afterAll(() => blocks.service.close());

describe('evaluate-rules', () => {
  it('rejects an unknown structure, a period that ends before it starts and a set of another structure (reporting R-18)', async () => {
    const graph = await openGraph(blocks);
    const other = await blocks.inGraph(graph.id, (tx) =>
      writeMonth(blocks, tx, {
        structureId: structureId(blocks, 'CF-indirect'),
        month: '2026-04',
        facts: sheet.footing('2026-04'),
      }),
    );
    for (const [body, message] of [
      [{ structure_id: 'struct_none' }, 'Structure not found: struct_none'],
      [{ structure_id: sheet.id, period_start: '2026-04-30', period_end: '2026-04-01' }, 'ends (2026-04-01) before'],
      [{ structure_id: sheet.id, fact_set_id: other }, 'does not belong to structure'],
      [{ structure_id: sheet.id, period_end: '2026-02-30' }, 'period_end'],
    ] as const) {
      const answer = await graph.operation('evaluate-rules', body);
      expect(answer.status).toBe(422);
      expect(answer.body.detail).toContain(message);
    }
    const { verificationResults, verificationSummary } = await sheet.resultsOf(graph);
    expect([verificationResults, verificationSummary]).toEqual([[], null]);
  });

  it('returns no results for a structure without rules (reporting R-18)', async () => {
    const graph = await openGraph(blocks);
    const style = blocks.use.library.rows.structures.find(({ blockType }) => blockType === 'reporting_style');
    const answer = await graph.operation('evaluate-rules', { structure_id: style?.id });
    expect(answer.body.result).toEqual({ structure_id: style?.id, results: [], summary: {} });
  });
});

describe('a rule that the engine cannot evaluate', () => {
  it.each([
    [{ pattern: 'Guess' }, '"Guess" is not a pattern'],
    [{ pattern: 'EqualTo', expression: '$Cash = max($Cash)' }, 'allowed in Derive rules only'],
    [{ pattern: 'EqualTo', checkKind: 'NoCycles', expression: '$A = $B' }, 'and not both'],
  ])('is rejected when it is written: %o', async (more, message) => {
    const graph = await openGraph(blocks);
    const own = { ...sheet.ruleOf({ structureId: sheet.id, target: { kind: 'structure', id: sheet.id } }), ...more };
    const add = blocks.inGraph(graph.id, async (tx) => blocks.use.ruleStore.add(tx, [own]));
    await expect(add).rejects.toThrow(message);
    const stored = await blocks.inGraph(graph.id, (tx) => blocks.use.ruleStore.forStructures(tx, [sheet.id]));
    expect(stored).toEqual([]);
  });

  it('is an error until its metadata has an expected total, then it is evaluated (reporting R-14)', async () => {
    const graph = await openGraph(blocks);
    const facts = balances(blocks, '2026-04', { [cash]: '12' }).map((fact) => ({
      ...fact,
      periodType: 'duration' as const,
    }));
    const [silent, told] = await blocks.inGraph(graph.id, async (tx) => {
      await writeMonth(blocks, tx, { structureId: sheet.id, month: '2026-04', facts });
      const target = { kind: 'structure', id: sheet.id } as const;
      const rule = sheet.ruleOf({ pattern: 'SumEquals', target });
      return blocks.use.ruleStore.add(tx, [rule, { ...rule, metadata: { expected_total: '12' } }]);
    });
    const { results } = await sheet.evaluate(graph);
    const statusOf = (id: string | undefined) => results.find(({ rule_id }: Loose) => rule_id === id)?.status;
    expect([statusOf(silent), statusOf(told)]).toEqual(['error', 'pass']);
  });
});
