import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GraphSlots } from './graph-slots.ts';

const never = new AbortController().signal;
/** Work that ends when the test says so. */
function task() {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const state = { isStarted: false };
  const work = async () => {
    state.isStarted = true;
    await ended;
  };
  return { state, work, end, fail };
}
/** Lets everything run that does not wait for a task. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the slots of a graph', () => {
  it('let a limited number run, in the order of arrival, and never limit another graph (platform N-33)', async () => {
    const slots = new GraphSlots({ maxRunning: 2, maxWaiting: 10 });
    const tasks = [task(), task(), task(), task()];
    const runs = tasks.map(({ work }) => slots.run('kg1', never, work));
    const other = task();
    const otherRun = slots.run('kg2', never, other.work);
    await settle();
    const started = () => tasks.map(({ state }) => state.isStarted);
    expect([started(), other.state.isStarted]).toEqual([[true, true, false, false], true]);
    tasks[1]?.end();
    await settle();
    expect(started()).toEqual([true, true, true, false]);
    tasks[0]?.fail(new Error('failed'));
    await expect(runs[0]).rejects.toThrow('failed');
    await settle();
    expect(started()).toEqual([true, true, true, true]);
    for (const each of [...tasks, other]) each.end();
    await Promise.allSettled([...runs, otherRun]);
  });

  it('refuse more waiting calls than the limit, and say when to try again (platform N-34)', async () => {
    const slots = new GraphSlots({ maxRunning: 1, maxWaiting: 1 });
    const [first, second, third] = [task(), task(), task()];
    const runs = [slots.run('kg1', never, first.work), slots.run('kg1', never, second.work)];
    await expect(slots.run('kg1', never, third.work)).rejects.toMatchObject({
      kind: 'rate_limited',
      code: 'CONCURRENCY_LIMIT',
      headers: { 'Retry-After': '1' },
    });
    first.end();
    second.end();
    await Promise.all(runs);
    expect(third.state.isStarted).toBe(false);
  });

  it('are not given to a caller that went away', async () => {
    const slots = new GraphSlots({ maxRunning: 1, maxWaiting: 10 });
    const [first, second, third] = [task(), task(), task()];
    const gone = new AbortController();
    const running = slots.run('kg1', never, first.work);
    const left = slots.run('kg1', gone.signal, second.work);
    const last = slots.run('kg1', never, third.work);
    gone.abort(new Error('The caller went away.'));
    await expect(left).rejects.toThrow('went away');
    first.end();
    await running;
    await settle();
    expect([second.state.isStarted, third.state.isStarted]).toEqual([false, true]);
    third.end();
    await last;
  });

  it('are all free again after any sequence of calls, ends and departures', async () => {
    const step = fc.record({ graph: fc.constantFrom('kg1', 'kg2'), what: fc.constantFrom('call', 'end', 'leave') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const maxRunning = 2;
        const slots = new GraphSlots({ maxRunning, maxWaiting: 3 });
        const running = new Map<string, number>();
        const open: { graph: string; each: ReturnType<typeof task>; gone: AbortController; run: Promise<unknown> }[] =
          [];
        for (const { graph, what } of steps) {
          const index = open.findIndex((one) => one.graph === graph);
          if (what === 'call') {
            const each = task();
            const gone = new AbortController();
            const run = slots.run(graph, gone.signal, async () => {
              running.set(graph, (running.get(graph) ?? 0) + 1);
              expect(running.get(graph)).toBeLessThanOrEqual(maxRunning);
              await each.work().finally(() => running.set(graph, (running.get(graph) ?? 0) - 1));
            });
            run.catch(() => undefined);
            open.push({ graph, each, gone, run });
          } else if (index >= 0) {
            const [one] = open.splice(index, 1);
            if (what === 'end') one?.each.end();
            else one?.gone.abort(new Error('gone'));
            one?.each.end();
          }
          await settle();
        }
        for (const { each } of open) each.end();
        await Promise.allSettled(open.map(({ run }) => run));
        const last = [task(), task()];
        const runs = last.map(({ work }) => slots.run('kg1', never, work));
        await settle();
        expect(last.map(({ state }) => state.isStarted)).toEqual([true, true]);
        for (const { end } of last) end();
        await Promise.all(runs);
      }),
      { numRuns: 50 },
    );
  });
});
