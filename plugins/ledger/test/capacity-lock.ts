import { type Store, sql } from '@pacioli/core';
import type { Answer } from '@pacioli/testing';
import { expect } from 'vitest';

/** Generous, because test machines are busy. */
const timeout = 300_000;

/** Store limits long enough that no waiting caller times out while the test looks. */
export const patientStore = { maxLockMs: timeout, maxStatementMs: timeout } as const;

/** True on a server, where others can call while one transaction holds a lock; the embedded store has one session. */
export const isOnServer = (): boolean => (process.env['PACIOLI_TEST_STORES'] ?? '').includes('server');

/** Ends the titles of tests that need a server. */
export const skipReason = (): string => (isOnServer() ? '' : ' (left out: the embedded store has one session)');

/**
 * Makes calls that need capacity for a large amount while another transaction has locked it, and shows that none of
 * them locks the month 2026-03 in the meantime (ledger L-150). Returns their answers once the capacity is released.
 * Server only.
 */
export async function whileCapacityIsLocked(
  store: Store,
  graphId: string,
  calls: readonly (() => Promise<Answer>)[],
): Promise<readonly Answer[]> {
  const until = (ready: () => Promise<boolean>) => expect.poll(ready, { timeout }).toBe(true);
  const capacity = lock(store, graphId, `pacioli.book-totals.${graphId}`);
  await until(async () => capacity.state.isHeld);
  const answers: Promise<Answer>[] = [];
  for (const call of calls) {
    answers.push(call());
    await until(async () => (await waitingLocks(store, graphId)) >= answers.length);
  }
  const month = lock(store, graphId, `pacioli.period.${graphId}.2026-03`);
  await until(async () => month.state.isHeld);
  month.release();
  capacity.release();
  await Promise.all([capacity.done, month.done]);
  return Promise.all(answers);
}

/** Counts the waiting lock requests of this database. */
export async function waitingLocks(store: Store, graphId: string): Promise<number> {
  const [row] = await store.transaction({ graphId }, (tx) =>
    tx.query(sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_locks JOIN pg_stat_activity AS a USING (pid)
      WHERE NOT granted AND a.datname = current_database()`),
  );
  return row?.waiting ?? 0;
}

/** Holds an exclusive advisory lock until it is released. */
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
