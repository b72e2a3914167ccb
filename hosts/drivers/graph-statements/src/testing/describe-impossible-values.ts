import { type GenerationRef, type GraphStore, isGraphStoreError } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, batches, build, Company, company, loading, running, schema } from './graph-fixtures.ts';

const ref: GenerationRef = { graphId: 'kg00000000000000000005_dev', generation: 0 };
const later: GenerationRef = { graphId: ref.graphId, generation: 1 };
const date = (text: string) => ({ valueKind: 'date', text });
const timestamp = (text: string) => ({ valueKind: 'timestamp', text });

/** Calculations with dates and instants differ between the engines. */
const day = (store: GraphStore): string => (store.driver === 'bolt' ? "duration('P1D')" : "interval('1 day')");
const instant = (store: GraphStore): string => (store.driver === 'bolt' ? 'datetime' : 'timestamp');

const calendarRule = 'outside of the years 1 to 9999';

/** The part of the suite for values that no row has and JSON has no form for: the same on every engine. */
export function describeImpossibleValues(storeUnderTest: () => GraphStore): void {
  describe('values that JSON has no form for', () => {
    let store: GraphStore;
    const rowOf = "MATCH (c:Company) WHERE c.identifier = 'a'";
    const write = async (text: string) => (await store.write(ref, text, {}, running())).cancel();

    beforeAll(async () => {
      store = storeUnderTest();
      const rows = [company('a'), company('b')];
      await build(store, ref, batches(rows), [{ from: 'a', to: 'b', percent: 12.5, since: '2024-12-31' }]);
    });

    // Servers have few databases.
    afterAll(() => store.drop(ref));

    it('are numbers that are not finite, which a calculation returns (graphs Q-45)', async () => {
      const text = 'RETURN 1.0 / 0.0 AS up, -1.0 / 0.0 AS down, 0.0 / 0.0 AS none, [0.0 / 0.0, 0.5] AS list';
      expect(await ask(store, ref, text)).toEqual([
        [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, [Number.NaN, 0.5]],
      ]);
    });

    it.each([
      ['SET c.share = 1.0 / 0.0', 'Company would not be finite (share)'],
      ['SET c.share = c.share - 1.0 / 0.0', 'Company would not be finite (share)'],
      ['SET c.share = 0.0 / 0.0', 'Company would not be finite (share)'],
      ["CREATE (:Company {identifier: 'x', share: 0.0 / 0.0})", 'Company would not be finite (share)'],
      ['MATCH (c)-[r:OWNS]->(:Company) SET r.percent = 1.0 / 0.0', 'OWNS would not be finite (percent)'],
    ])('are no numbers of a row, so that nothing is written: %s (graphs T-6)', async (change, reason) => {
      await expect(store.write(ref, `${rowOf} ${change}`, {}, running())).rejects.toMatchObject({
        code: 'runtime',
        message: `Nothing was written, because a number in ${reason}.`,
      });
      const all = 'MATCH (c:Company) RETURN c.identifier, c.share ORDER BY c.identifier';
      expect(await ask(store, ref, all)).toEqual([
        ['a', 0.5],
        ['b', 0.5],
      ]);
    });

    it('are dates and instants of other years than 1 to 9999, which fail a statement (graphs Q-45)', async () => {
      const [last, first] = ["date('9999-12-31')", "date('0001-01-01')"];
      const end = `${instant(store)}('9999-12-31T23:59:59')`;
      for (const value of [`${last} + ${day(store)}`, `${first} - ${day(store)}`, `${end} + ${day(store)}`])
        for (const text of [value, `[${value}]`, `{inside: ${value}}`])
          expect([text, await failureOf(ask(store, ref, `RETURN ${text} AS x`))]).toEqual([
            text,
            expect.stringContaining(`runtime: A date or timestamp in the answer is ${calendarRule}: return it as `),
          ]);
      expect(await ask(store, ref, `RETURN ${last} AS last, ${first} AS first, ${end} AS instant`)).toEqual([
        [date('9999-12-31'), date('0001-01-01'), timestamp('9999-12-31T23:59:59Z')],
      ]);
    });

    it('are no dates and instants of a row, so that nothing is written (graphs T-6)', async () => {
      const start = `${instant(store)}('0001-01-01T00:00:00')`;
      for (const [name, value] of [
        ['founded', `date('9999-12-31') + ${day(store)}`],
        ['founded', `date('0001-01-01') - ${day(store)}`],
        ['seen', `${start} - ${day(store)}`],
      ])
        expect([value, await failureOf(store.write(ref, `${rowOf} SET c.${name} = ${value}`, {}, running()))]).toEqual([
          value,
          `runtime: Nothing was written, because a date or timestamp in Company would be ${calendarRule} (${name}).`,
        ]);
      const read = `${rowOf} RETURN c.founded, c.seen`;
      expect(await ask(store, ref, read)).toEqual([[date('2020-02-29'), timestamp('2026-01-02T03:04:05Z')]]);
      await write(`${rowOf} SET c.founded = date('9999-12-31'), c.seen = ${start}`);
      expect(await ask(store, ref, read)).toEqual([[date('9999-12-31'), timestamp('0001-01-01T00:00:00Z')]]);
    });

    it('are rejected when rows are loaded (graphs T-6, M-24)', async () => {
      const bad = [
        { share: Number.NaN },
        { share: Number.NEGATIVE_INFINITY },
        { founded: '0000-12-31' },
        { founded: '10000-01-01' },
        { seen: '9999-12-31T23:30:00-01:00' },
        { seen: '0001-01-01T00:30:00+01:00' },
      ].map((values, index) => company(`x${index}`, values));
      const good = [company('a', { founded: '0001-01-01', seen: '0050-01-01T00:30:00+01:00', share: null })];
      await store.create(later, schema);
      const load = { kind: 'rows', batches: batches([...bad, ...good]) } as const;
      const report = await store.load(later, Company, load, { ...loading, maxRejects: bad.length });
      expect(report).toMatchObject({ rows_loaded: 1, rejects: [{ reason: 'cast', count: bad.length }] });
      await store.promote(later);
      expect(await ask(store, later, 'MATCH (c:Company) RETURN c.identifier, c.founded, c.seen, c.share')).toEqual([
        ['a', date('0001-01-01'), timestamp('0049-12-31T23:30:00Z'), null],
      ]);
      await store.drop(later);
    });
  });
}

/** The code and the message with which work of the store fails. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work);
  } catch (error) {
    if (!isGraphStoreError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}
