/** @module-tag sessions */
// Goal: shipped rules and rules of the graph are evaluated over stored facts, and the results are stored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BlocksService,
  balances,
  conceptId,
  type Loose,
  monthOf,
  openGraph,
  startBlocks,
  statementsOf,
  structureId,
  writeMonth,
} from './blocks-service.ts';
import { cash, equity, now, type Sheet, sheetOf } from './evaluations.ts';

let blocks: BlocksService;
let sheet: Sheet;
beforeAll(async () => {
  blocks = await startBlocks();
  sheet = sheetOf(blocks);
});
afterAll(() => blocks.service.close());

describe('shipped rules', () => {
  it('pass a balance sheet that foots and fail one that does not (reporting R-4, R-19, R-22)', async () => {
    const graph = await openGraph(blocks);
    const march = await blocks.inGraph(graph.id, (tx) =>
      writeMonth(blocks, tx, { structureId: sheet.id, month: '2026-03', facts: sheet.footing('2026-03') }),
    );
    const good = await sheet.evaluate(graph, { fact_set_id: march });
    expect(good.summary).toMatchObject({ fail: 0, error: 0 });
    expect(good.summary.pass).toBeGreaterThan(2);
    expect(good.results.every(({ id }: { id: string }) => id.startsWith('vr_'))).toBe(true);
    const april = await blocks.inGraph(graph.id, (tx) =>
      writeMonth(blocks, tx, {
        structureId: sheet.id,
        month: '2026-04',
        facts: sheet.footing('2026-04', { Assets: '100.02', AssetsCurrent: '100.01' }),
      }),
    );
    const bad = await sheet.evaluate(graph, { fact_set_id: april });
    const failures = bad.results.filter(({ status }: Loose) => status === 'fail');
    expect(failures.map(({ message }: Loose) => message).sort()).toEqual([
      'equality failed; residual = 0.02',
      'equality failed; residual = 0.02',
    ]);
    expect(failures[0]).toMatchObject({
      structure_id: sheet.id,
      fact_set_id: april,
      period_start: '2026-04-01',
      period_end: '2026-04-30',
      evaluated_at: now.toISOString(),
    });
  });

  it('add commitments and temporary equity to equity where they are present (reporting R-4)', async () => {
    const graph = await openGraph(blocks);
    const parts = {
      [equity]: '50',
      CommitmentsAndContingencies: '5',
      TemporaryEquityCarryingAmountAttributableToParent: '7',
      RedeemableNoncontrollingInterestEquityCarryingAmount: '8',
    };
    const write = (month: string, more: Readonly<Record<string, string>>) =>
      blocks.inGraph(graph.id, (tx) =>
        writeMonth(blocks, tx, { structureId: sheet.id, month, facts: sheet.footing(month, { ...parts, ...more }) }),
      );
    const march = await sheet.evaluate(graph, { fact_set_id: await write('2026-03', {}) });
    expect(
      march.results.flatMap(({ message }: Loose) => message ?? []).filter((each: string) => / failed/.test(each)),
    ).toEqual([]);
    expect(march.summary).toMatchObject({ fail: 0, error: 0 });
    const april = await write('2026-04', { TemporaryEquityCarryingAmountAttributableToParent: '6.5' });
    const failures = (await sheet.evaluate(graph, { fact_set_id: april })).results.flatMap(({ message }: Loose) =>
      / failed/.test(message ?? '') ? [message] : [],
    );
    expect(failures.sort()).toEqual(['equality failed; residual = 0.5', 'rollup failed; residual = 0.5']);
  });

  it('sum by the arcs of the evaluated structure (reporting 3.4 RollUp)', async () => {
    const graph = await openGraph(blocks);
    const facts = sheet.footing('2026-04', { InventoryNet: '5' });
    await blocks.inGraph(graph.id, (tx) => writeMonth(blocks, tx, { structureId: sheet.id, month: '2026-04', facts }));
    const { results } = await sheet.evaluate(graph);
    const messages = results.flatMap(({ message }: Loose) => (message?.startsWith('rollup') ? [message] : []));
    expect(messages).toEqual(['rollup failed; residual = -5']);
  });

  it('open with the balance of the previous set (reporting R-5, R-15)', async () => {
    const graph = await openGraph(blocks);
    const flows = structureId(blocks, 'CF-indirect');
    const cashName = 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
    const change = `${cashName}PeriodIncreaseDecreaseIncludingExchangeRateEffect`;
    await blocks.inGraph(graph.id, async (tx) => {
      for (const [month, end, delta] of [
        ['2026-03', '100', '20'],
        ['2026-04', '130', '29'],
      ] as const) {
        const flow = balances(blocks, month, { [change]: delta }).map((fact) => ({
          ...fact,
          periodType: 'duration' as const,
        }));
        const facts = [...balances(blocks, month, { [cashName]: end }), ...flow];
        await writeMonth(blocks, tx, { structureId: flows, month, facts });
      }
    });
    const answer = await graph.operation('evaluate-rules', { structure_id: flows, ...april() });
    const messages = answer.body.result.results.map(({ message }: Loose) => message);
    expect(messages).toContain('equality failed; residual = -1');
    const first = await graph.operation('evaluate-rules', { structure_id: flows, period_end: '2026-03-31' });
    expect(first.body.result.results.map(({ message }: Loose) => message)).toContain(
      'no fact bound for variables: CashBegin',
    );
  });

  function april() {
    const { start, end } = monthOf('2026-04');
    return { period_start: start, period_end: end };
  }
});

describe('evaluate-rules', () => {
  it('evaluates every period of actuals and no period of a plan (reporting F-11, R-11, R-12)', async () => {
    const graph = await openGraph(blocks);
    await blocks.inGraph(graph.id, async (tx) => {
      await writeMonth(blocks, tx, { structureId: sheet.id, month: '2026-03', facts: sheet.footing('2026-03') });
      const wrong = sheet.footing('2026-04', { Assets: '1' });
      await writeMonth(blocks, tx, {
        structureId: sheet.id,
        month: '2026-04',
        facts: wrong,
        scenarioId: 'struct_plan',
      });
    });
    expect((await sheet.evaluate(graph)).summary).toMatchObject({ fail: 0 });
    const { results } = await sheet.evaluate(graph, { period_start: '2026-04-01' });
    expect(results.every(({ status }: Loose) => status === 'skipped')).toBe(true);
  });

  it('adds the results for the shown set, and those without a set, to the envelope with counts (reporting B-9, B-10)', async () => {
    const graph = await openGraph(blocks);
    const [march, april] = await blocks.inGraph(graph.id, async (tx) => [
      await writeMonth(blocks, tx, {
        structureId: sheet.id,
        month: '2026-03',
        facts: sheet.footing('2026-03', { Assets: '1' }),
      }),
      await writeMonth(blocks, tx, { structureId: sheet.id, month: '2026-04', facts: sheet.footing('2026-04') }),
    ]);
    await sheet.evaluate(graph, { fact_set_id: march });
    const { results } = await sheet.evaluate(graph, { fact_set_id: april });
    const shown = await sheet.resultsOf(graph);
    expect(shown.verificationResults).toHaveLength(results.length);
    expect(shown.verificationResults.every(({ factSetId }: Loose) => factSetId === april)).toBe(true);
    expect(shown.verificationSummary).toMatchObject({ total: results.length, failed: 0, errored: 0 });
    expect(shown.verificationSummary.byCategory.map(({ category }: Loose) => category)).toEqual([
      'AutomatedAccountingAndReportingChecks',
      'FundamentalAccountingConceptRelation',
    ]);
    const listed = new Set(shown.rules.map(({ id }: Loose) => id));
    expect(shown.verificationResults.every(({ ruleId }: Loose) => listed.has(ruleId))).toBe(true);
  });

  it('evaluates the graph’s rules for the structure, its elements, its taxonomy and the graph (reporting R-1, R-20)', async () => {
    const graph = await openGraph(blocks);
    const ids = await blocks.inGraph(graph.id, async (tx) => {
      await writeMonth(blocks, tx, { structureId: sheet.id, month: '2026-04', facts: sheet.footing('2026-04') });
      return blocks.use.ruleStore.add(tx, [
        sheet.ruleOf({ structureId: sheet.id, target: { kind: 'structure', id: sheet.id } }),
        sheet.ruleOf({ target: { kind: 'element', id: conceptId(blocks, cash) } }),
        sheet.ruleOf({ target: null }),
        sheet.ruleOf({ target: { kind: 'structure', id: structureId(blocks, 'CF-indirect') } }),
        sheet.ruleOf({ pattern: null, checkKind: 'NoCycles' }),
        sheet.ruleOf({ pattern: 'SumEquals' }),
        sheet.ruleOf({ pattern: 'Derive', expression: '$Cash = avg($Cash)' }),
      ]);
    });
    const { results } = await sheet.evaluate(graph);
    const statusOf = new Map(results.map((each: Loose) => [each.rule_id, each.status]));
    expect(ids.map((id) => statusOf.get(id))).toEqual([
      'pass',
      'pass',
      'pass',
      undefined,
      'skipped',
      'error',
      undefined,
    ]);
    const listed = (await sheet.resultsOf(graph)).rules.map(({ id }: Loose) => id);
    expect(ids.filter((id) => listed.includes(id))).toEqual([ids[0], ids[1]]);
  });

  it('keeps the newest twenty runs, and only one where a plan is recomputed (reporting R-21)', async () => {
    const graph = await openGraph(blocks);
    const request = { structureIds: [sheet.id], userId: 'user_1', now };
    await blocks.inGraph(graph.id, async (tx) => {
      const set = { structureId: sheet.id, month: '2026-04', facts: sheet.footing('2026-04') };
      const planned = await writeMonth(blocks, tx, { ...set, scenarioId: 'struct_plan' });
      await writeMonth(blocks, tx, set);
      let perRun = 0;
      for (let run = 0; run < 22; run += 1) {
        const at = new Date(now.getTime() + run * 60_000);
        perRun = (await blocks.use.ruleEngine.evaluate(tx, { ...request, now: at })).results.length;
      }
      const envelope = async (id?: string) =>
        (
          await blocks.use.blockEnvelopes.read(
            tx,
            [sheet.id],
            id === undefined ? {} : { pins: new Map([[sheet.id, id]]) },
          )
        ).get(sheet.id);
      const stored = (await envelope())?.verification_results ?? [];
      expect(stored).toHaveLength(20 * perRun);
      expect(stored.at(-1)?.evaluated_at).toBe(new Date(now.getTime() + 2 * 60_000).toISOString());
      const months = { ...request, factSetIds: new Map([[sheet.id, planned]]), replacesEarlier: true };
      await blocks.use.ruleEngine.evaluate(tx, months);
      await blocks.use.ruleEngine.evaluate(tx, months);
      const ofPlan = (await envelope(planned))?.verification_results.filter((each) => each.fact_set_id === planned);
      expect(ofPlan).toHaveLength(perRun);
    });
  });

  it('sends as many statements for five structures as for two', async () => {
    const graph = await openGraph(blocks);
    const keys = ['BS-classified', 'CF-indirect', 'BS-classified-LLC', 'BS-classified-PART', 'BS-classified-detail'];
    const counts = await blocks.inGraph(graph.id, async (tx) => {
      const structures = keys.map((key) => structureId(blocks, key));
      for (const id of structures) {
        await writeMonth(blocks, tx, { structureId: id, month: '2026-04', facts: sheet.footing('2026-04') });
      }
      const count = (structureIds: readonly string[]) =>
        statementsOf(tx, (counted) => blocks.use.ruleEngine.evaluate(counted, { structureIds, userId: 'user_1', now }));
      return [await count(structures.slice(0, 2)), await count(structures)];
    });
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeGreaterThan(3);
  });
});
