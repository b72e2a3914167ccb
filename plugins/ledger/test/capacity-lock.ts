import { type Store, sql } from '@pacioli/core';
import type { Answer } from '@pacioli/testing';
import { expect } from 'vitest';

/** Everything takes its time on a busy machine. */
const timeout = 60_000;

/** Who waits for the room is not to give up while the test looks. */
export const patientStore = { maxLockMs: timeout, maxStatementMs: timeout } as const;

/** True on a server, where others call while one transaction holds a lock; the embedded store has one session. */
export const isOnServer = (): boolean => (process.env['PACIOLI_TEST_STORES'] ?? '').includes('server');

/** Ends the titles of tests that need a server. */
export const whyLeftOut = (): string => (isOnServer() ? '' : ' (left out: the embedded store has one session)');

/**
 * Makes calls that need room for a large amount while somebody else has locked it, and shows that none of them holds up the
 * month 2026-03 meanwhile (ledger L-150). Answers what they get once the room is free. Only for a server.
 */
export async function whileCapacityIsLocked(
  store: Store,
  graphId: string,
  calls: readonly (() => Promise<Answer>)[],
): Promise<readonly Answer[]> {
  const until = (ready: () => Promise<boolean>) => expect.poll(ready, { timeout }).toBe(true);
  const room = lock(store, graphId, `pacioli.book-totals.${graphId}`);
  await until(async () => room.state.isHeld);
  const answers: Promise<Answer>[] = [];
  for (const call of calls) {
    answers.push(call());
    await until(async () => (await waiting(store, graphId)) >= answers.length);
  }
  const month = lock(store, graphId, `pacioli.period.${graphId}.2026-03`);
  await until(async () => month.state.isHeld);
  month.release();
  room.release();
  await Promise.all([room.done, month.done]);
  return Promise.all(answers);
}

/** How many locks of this database somebody waits for. */
async function waiting(store: Store, graphId: string): Promise<number> {
  const [row] = await store.transaction({ graphId }, (tx) =>
    tx.query(sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_locks JOIN pg_stat_activity AS a USING (pid)
      WHERE NOT granted AND a.datname = current_database()`),
  );
  return row?.waiting ?? 0;
}

/** Holds one advisory lock alone until it is released. */
function lock(store: Store, graphId: string, key: string) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const state = { isHeld: false };
  const done = store.transaction({ graphId }, async (tx) => {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    state.isHeld = true;
    await released;
  });
  return { state, done, release: () => release() };
}
