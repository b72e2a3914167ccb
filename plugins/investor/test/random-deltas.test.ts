// Goal: any sequence of changes does what the rules say, and holdings add up to the active positions. Method: random
// deltas are sent to a portfolio and to a model in memory, which also predicts each refusal.
/** @module-tag sessions */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from './investor-service.ts';

const securityCount = 4;
const runs = 12;

interface ModelPosition {
  readonly security: number;
  quantity: number;
  cost: number;
  value: number | null;
  status: 'active' | 'disposed';
}

interface Delta {
  readonly add: readonly {
    readonly security: number;
    readonly quantity: number;
    readonly cost: number;
    readonly value: number | null;
  }[];
  /** Positions by their age in the portfolio; one that does not exist is unknown. */
  readonly update: readonly {
    readonly at: number;
    readonly quantity?: number | undefined;
    readonly value: number | null;
  }[];
  readonly dispose: readonly number[];
}

const cents = fc.integer({ min: 0, max: 10_000_000_000 });
const quantity = fc.integer({ min: 0, max: 1_000_000 }).map((each) => each / 100);
const at = fc.integer({ min: 0, max: 6 });
const delta: fc.Arbitrary<Delta> = fc.record({
  add: fc.array(
    fc.record({
      security: fc.integer({ min: 0, max: securityCount - 1 }),
      quantity,
      cost: cents,
      value: fc.option(cents),
    }),
    { maxLength: 2 },
  ),
  update: fc.array(fc.record({ at, quantity: fc.option(quantity, { nil: undefined }), value: fc.option(cents) }), {
    maxLength: 2,
  }),
  dispose: fc.array(at, { maxLength: 2 }),
});

let run: InvestorService;
let fund: Fund;
const securities: string[] = [];
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
  const issuer = await fund.share('kg0123456789abcdef0001', 'Northwind Inc');
  for (let made = 0; made < securityCount; made += 1)
    securities.push(await fund.security(`S${made}`, made % 2 === 0 ? { entity_id: issuer } : {}));
});
afterAll(() => run.service.close());

/** The positions after the delta, or the status of its refusal (P-10 to P-17). */
function applied(before: readonly ModelPosition[], { add, update, dispose }: Delta): ModelPosition[] | number {
  const named = [...update.map((each) => each.at), ...dispose];
  if (new Set(named).size < named.length) return 422;
  if (named.some((index) => before[index] === undefined)) return 404;
  const after = before.map((each) => ({ ...each }));
  for (const index of dispose) {
    const position = after[index];
    if (position?.status !== 'active') return 409;
    position.status = 'disposed';
  }
  for (const { at: index, quantity: changed, value } of update) {
    const position = after[index];
    if (position === undefined) return 404;
    if (position.status !== 'active' && changed !== undefined) return 409;
    if (changed !== undefined) position.quantity = changed;
    position.value = value;
  }
  for (const each of add) {
    if (after.some(({ security, status }) => security === each.security && status === 'active')) return 409;
    after.push({ ...each, status: 'active' });
  }
  return after;
}

/** The stored positions, oldest first, in the form of the model. */
async function stored(portfolio: string): Promise<readonly Loose[]> {
  const { positions } = await fund.query(
    `{ positions(portfolioId: "${portfolio}", limit: 1000) { positions { id securityId quantity costBasis currentValue status } } }`,
  );
  return [...positions.positions].sort((one: Loose, other: Loose) => (one.id < other.id ? -1 : 1));
}

async function send(portfolio: string, ids: readonly string[], { add, update, dispose }: Delta): Promise<number> {
  const idAt = (index: number) => ids[index] ?? `pos_none_${index}`;
  const answer = await fund.operation('update-portfolio-block', {
    portfolio_id: portfolio,
    positions: {
      add: add.map((each) => ({
        security_id: securities[each.security],
        quantity: each.quantity,
        cost_basis: each.cost,
        current_value: each.value,
      })),
      update: update.map((each) => ({
        id: idAt(each.at),
        current_value: each.value,
        ...(each.quantity === undefined ? {} : { quantity: each.quantity }),
      })),
      dispose: dispose.map((index) => ({ id: idAt(index) })),
    },
  });
  return answer.status;
}

/** Requires that block and holdings add up to the active positions of the model. */
async function expectTotals(portfolio: string, model: readonly ModelPosition[]): Promise<void> {
  const active = model.filter(({ status }) => status === 'active');
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0) / 100;
  const marked = active.flatMap(({ value }) => value ?? []);
  const { portfolioBlock: block, holdings } = await fund.query(`{
    portfolioBlock(portfolioId: "${portfolio}") { totalCostBasisDollars totalCurrentValueDollars activePositionCount }
    holdings(portfolioId: "${portfolio}") { totalPositions totalEntities
      holdings { entityName totalCostBasisDollars totalCurrentValueDollars positionCount securities { costBasisDollars } } } }`);
  expect(block).toEqual({
    totalCostBasisDollars: sum(active.map(({ cost }) => cost)),
    totalCurrentValueDollars: marked.length === 0 ? null : sum(marked),
    activePositionCount: active.length,
  });
  const groups = [0, 1].map((parity) => active.filter(({ security }) => security % 2 === parity));
  const expected = groups.filter((group) => group.length > 0);
  expect([holdings.totalPositions, holdings.totalEntities]).toEqual([active.length, expected.length]);
  expect(holdings.holdings.map((each: Loose) => [each.totalCostBasisDollars, each.positionCount])).toEqual(
    expected.map((group) => [sum(group.map(({ cost }) => cost)), group.length]),
  );
}

describe('random changes of a portfolio', () => {
  it('have the effects, refusals and totals of a simple model (P-10 to P-17, R-10 to R-25)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(delta, { minLength: 3, maxLength: 8 }), async (deltas) => {
        const { id: portfolio } = await fund.run('create-portfolio-block', { portfolio: { name: 'Model' } });
        let model: readonly ModelPosition[] = [];
        for (const each of deltas) {
          const before = await stored(portfolio);
          const outcome = applied(model, each);
          const status = await send(
            portfolio,
            before.map(({ id }) => id),
            each,
          );
          expect(status).toBe(typeof outcome === 'number' ? outcome : 200);
          if (typeof outcome === 'number') expect(await stored(portfolio)).toEqual(before);
          else model = outcome;
        }
        expect((await stored(portfolio)).map(({ id: _id, ...fields }) => fields)).toEqual(
          model.map(({ security, quantity: held, cost, value, status }) => ({
            securityId: securities[security],
            quantity: held,
            costBasis: cost,
            currentValue: value,
            status,
          })),
        );
        await expectTotals(portfolio, model);
      }),
      { numRuns: runs },
    );
  });
});
