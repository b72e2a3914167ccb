import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatementQueue } from './statement-queue.ts';
import { reportedTurn } from './tool-statement.ts';

const statement = (graphId: string, priority = 5) => ({
  graphId,
  priority,
  signal: new AbortController().signal,
  maxWaitMs: 300_000,
});

/** Waits for statements and tells when they may run, in the order of the list. */
function asked(queue: StatementQueue, came: string[], graphId: string, name: string, priority = 5) {
  return queue.take(statement(graphId, priority)).then((end) => {
    came.push(name);
    return end;
  });
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of statements', () => {
  it('lets one graph after another run, larger tiers first (graphs C-4)', async () => {
    const queue = new StatementQueue({ maxRunning: 1, maxRunningPerGraph: 1, maxWaiting: 10 });
    const came: string[] = [];
    let end = await queue.take(statement('busy'));
    const waiting = [
      asked(queue, came, 'busy', 'busy 1'),
      asked(queue, came, 'busy', 'busy 2'),
      asked(queue, came, 'other', 'other 1'),
      asked(queue, came, 'large', 'large 1', 7),
    ];
    for (let turns = 0; turns < waiting.length; turns += 1) {
      end();
      await settle();
      const name = came.at(-1) ?? '';
      const index = ['busy 1', 'busy 2', 'other 1', 'large 1'].indexOf(name);
      end = (await waiting[index]) ?? end;
    }
    expect(came).toEqual(['large 1', 'other 1', 'busy 1', 'busy 2']);
  });

  it('refuses what waits too long with 429, and more than it holds with 503 (graphs L-8, L-9)', async () => {
    const queue = new StatementQueue({ maxRunning: 1, maxRunningPerGraph: 1, maxWaiting: 1 });
    await queue.take(statement('a'));
    const late = queue.take({ ...statement('a'), maxWaitMs: 5 });
    await expect(queue.take(statement('a'))).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(late).rejects.toMatchObject({ kind: 'rate_limited' });
  });

  it('tells a waiting statement its place whenever it changes, and its own error in the end (ai-surface M-13)', async () => {
    const queue = new StatementQueue({ maxRunning: 1, maxRunningPerGraph: 1, maxWaiting: 10 });
    const reported: string[] = [];
    const reportOf = (name: string) => (position: number) => reported.push(`${name} ${position}`);
    const end = await queue.take(statement('a'));
    const leave = new AbortController();
    const first = queue.take({ ...statement('a'), signal: leave.signal, waiting: reportOf('first') });
    const second = queue.take({ ...statement('a'), waiting: reportOf('second') });
    const silent = queue.take(statement('a'));
    // One of a larger tier comes before all others.
    const large = queue.take({ ...statement('b', 7), waiting: reportOf('large') });
    const overdue = new Error('The time is over.');
    const last = queue.take({ ...statement('a'), maxWaitMs: 0, waiting: reportOf('last'), overdue: () => overdue });
    await expect(last).rejects.toBe(overdue);
    leave.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    end();
    (await large)();
    (await second)();
    (await silent)();
    expect(reported).toEqual([
      'first 1',
      'second 2',
      'large 1',
      'first 2',
      'second 3',
      'last 5',
      'second 2',
      'second 1',
    ]);
  });

  it('leaves a statement of a stream its time within 300 seconds, and says so (ai-surface M-13)', async () => {
    const queue = new StatementQueue({ maxRunning: 1, maxRunningPerGraph: 1, maxWaiting: 1 });
    await queue.take(statement('a'));
    const said: string[] = [];
    const turn = reportedTurn((message) => said.push(message));
    expect(turn.maxWaitMs).toBe(270_000);
    const message = 'Error: queued query did not complete within 300 seconds';
    await expect(queue.take({ ...statement('a'), ...turn, maxWaitMs: 0 })).rejects.toMatchObject({ message });
    expect(said).toEqual(['Queued (position 1)']);
  });

  it('forgets a caller that goes away while it waits (graphs C-6)', async () => {
    const queue = new StatementQueue({ maxRunning: 1, maxRunningPerGraph: 1, maxWaiting: 1 });
    const end = await queue.take(statement('a'));
    const leave = new AbortController();
    const gone = queue.take({ ...statement('a'), signal: leave.signal });
    leave.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    end();
    end();
    expect(await queue.take(statement('a'))).toBeTypeOf('function');
  });

  it('never runs more than its limits, and everything at last (graphs C-4)', async () => {
    const graphs = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        graphs,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (ids, all, each) => {
          const queue = new StatementQueue({ maxRunning: all, maxRunningPerGraph: each, maxWaiting: 100 });
          const running = new Map<string, number>();
          let most = 0;
          await Promise.all(
            ids.map(async (id) => {
              const end = await queue.take(statement(id));
              running.set(id, (running.get(id) ?? 0) + 1);
              expect(running.get(id)).toBeLessThanOrEqual(each);
              most = Math.max(
                most,
                [...running.values()].reduce((sum, count) => sum + count, 0),
              );
              await settle();
              running.set(id, (running.get(id) ?? 1) - 1);
              end();
            }),
          );
          expect(most).toBeLessThanOrEqual(all);
        },
      ),
      { numRuns: 50 },
    );
  });
});
