import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confidenceOf,
  cutResult,
  type LoopState,
  maxFreeTurns,
  nextStep,
  percentOf,
  shortened,
  type TurnResult,
  transcriptTokens,
  withAnswer,
  withResults,
} from './decisions.ts';

const fresh: LoopState = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Question' }] }],
  turns: 0,
  freeTurns: 0,
  iterations: 0,
  succeededCalls: 0,
  failedCalls: 0,
};
const limits = { maxTurns: 6, maxInputTokens: 100_000, maxHundredths: undefined };
const facts = { isCanceled: false, isLatched: false, spentHundredths: 0 };
const result = (isError: boolean, name = 'recall', rows?: readonly unknown[]): TurnResult => ({
  use: { type: 'tool_use', id: 'c', name, input: { query: 'MATCH (n) RETURN n' } },
  text: 'text',
  isError,
  ...(rows === undefined ? {} : { rows }),
});

describe('the next step of a tool loop', () => {
  it('ends every run: after any results it makes at most maxTurns + 2 calls before the last one (ai-surface 7.5)', () => {
    const turns = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 25 }), (outcomes, maxTurns) => {
        let state = fresh;
        let calls = 0;
        for (const outcome of outcomes) {
          if (nextStep(state, { ...limits, maxTurns }, facts).kind !== 'call') break;
          calls += 1;
          state = withResults(
            withAnswer(state, { content: [] }),
            outcome.map((failed) => result(failed)),
          );
        }
        expect(calls).toBeGreaterThanOrEqual(maxTurns);
        expect(calls).toBeLessThanOrEqual(maxTurns + maxFreeTurns);
        expect(state.turns).toBe(maxTurns);
        expect(state.freeTurns).toBeLessThanOrEqual(maxFreeTurns);
        expect(state.succeededCalls + state.failedCalls).toBe(outcomes.slice(0, calls).flat().length);
      }),
    );
  });

  it('never calls the model after a cancellation or a call that could not be paid for (ai-surface 7.5, OP-43)', () => {
    const states = fc.record({ turns: fc.nat(30), freeTurns: fc.nat(2), iterations: fc.nat(30), spent: fc.nat() });
    fc.assert(
      fc.property(states, fc.boolean(), ({ spent, ...counts }, isCanceled) => {
        const step = nextStep({ ...fresh, ...counts }, limits, {
          isCanceled,
          isLatched: !isCanceled,
          spentHundredths: spent,
        });
        expect(step).toEqual({ kind: 'stop', because: isCanceled ? 'canceled' : 'latched' });
      }),
    );
  });

  it('checks the ceiling between calls, never before the first (ai-surface OP-44)', () => {
    const ceiling = { ...limits, maxHundredths: 500 };
    const step = (iterations: number, spentHundredths: number) =>
      nextStep({ ...fresh, iterations }, ceiling, { ...facts, spentHundredths });
    expect(step(0, 500)).toEqual({ kind: 'call' });
    expect(step(1, 499)).toEqual({ kind: 'call' });
    expect(step(1, 500)).toEqual({ kind: 'last-call', because: 'credits' });
  });

  it('ends at the cap of turns and of input tokens (ai-surface 7.4)', () => {
    expect(nextStep({ ...fresh, turns: 5, iterations: 5 }, limits, facts)).toEqual({ kind: 'call' });
    expect(nextStep({ ...fresh, turns: 6, iterations: 6 }, limits, facts)).toEqual({
      kind: 'last-call',
      because: 'steps',
    });
    const tokens = transcriptTokens(fresh);
    const one = { ...fresh, iterations: 1 };
    expect(nextStep(one, { ...limits, maxInputTokens: tokens }, facts)).toEqual({ kind: 'call' });
    expect(nextStep(one, { ...limits, maxInputTokens: tokens - 1 }, facts)).toEqual({
      kind: 'last-call',
      because: 'input',
    });
  });
});

describe('the results of a turn', () => {
  it('are free at most twice if all failed (ai-surface 7.5)', () => {
    const failed = [result(true), result(true)];
    const states = [1, 2, 3].reduce<LoopState[]>((all) => [...all, withResults(all.at(-1) ?? fresh, failed)], []);
    expect(states.map(({ turns, freeTurns }) => [turns, freeTurns])).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    expect(withResults(fresh, [result(true), result(false)]).turns).toBe(1);
  });

  it('keep the last rows that are not empty, with their statement (ai-surface OP-30)', () => {
    const first = withResults(fresh, [result(false, 'read-graph-cypher', [{ n: 1 }])]);
    const second = withResults(first, [result(false, 'read-graph-cypher', []), result(true, 'read-graph-cypher', [2])]);
    expect([second.rows, second.cypher]).toEqual([[{ n: 1 }], 'MATCH (n) RETURN n']);
    expect(withResults(fresh, [result(false, 'recall', [1])]).rows).toBeUndefined();
  });

  it('are cut at 12,000 characters, those that describe the graph at 48,000 (ai-surface 7.5)', () => {
    expect(cutResult('recall', 'x'.repeat(12_000))).toHaveLength(12_000);
    expect(cutResult('recall', 'x'.repeat(12_001))).toBe(`${'x'.repeat(12_000)}\n… [truncated; 12001 chars total]`);
    expect(cutResult('get-graph-schema', 'x'.repeat(48_000))).toHaveLength(48_000);
    expect(cutResult('get-graph-schema', 'x'.repeat(48_001))).toContain('[truncated; 48001 chars total]');
  });
});

it.each([
  ['answered with a tool', { succeededCalls: 1 }, 'answered', 0.9],
  ['answered without tools', {}, 'answered', 0.7],
  ['at a limit', { succeededCalls: 1 }, 'limit', 0.5],
  ['after errors only', { failedCalls: 2 }, 'answered', 0.2],
  ['failed', {}, 'failed', 0.2],
  ['canceled', { succeededCalls: 3 }, 'canceled', 0],
] as const)(
  'the confidence of a run (%s) follows its outcome (ai-surface OP-31)',
  (_what, counts, ending, expected) => {
    expect(confidenceOf({ ...fresh, ...counts }, ending)).toBe(expected);
  },
);

it('the percentage starts at 20 and stays at 85 or less until the end (ai-surface OP-50)', () => {
  expect([0, 1, 3, 6, 13, 40].map((turn) => percentOf(turn, 6))).toEqual([20, 30, 50, 80, 85, 85]);
});

it('a transcript that is too long loses its oldest results first (ai-surface 7.4)', () => {
  const state = [1, 2, 3].reduce(
    (all, number) => withResults(all, [{ ...result(false), text: `${number}`.repeat(4_000) }]),
    fresh,
  );
  const short = JSON.stringify(shortened(state.messages, 1_500));
  expect(short.length).toBeLessThan(1_500 * 4);
  expect([short.includes('1111'), short.includes('2222'), short.includes('3333')]).toEqual([false, false, true]);
  expect(shortened(state.messages, 1_000_000)).toEqual(state.messages);
});
