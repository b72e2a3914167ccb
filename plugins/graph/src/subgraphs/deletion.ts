import { type Clock, ServiceError, type Store, type Subgraph, type Subgraphs, type Transaction } from '@pacioli/core';

/** A deletion that was not renewed for this long has lost its process (graphs SG-13). */
export const lostDeletionMs = 60_000;
const renewMs = 10_000;

interface DeletionParts {
  readonly store: Store;
  readonly subgraphs: Subgraphs;
  readonly clock: Clock;
}

/** Another request deletes the subgraph, or it was replaced. */
export function subgraphChanged(): ServiceError {
  const message =
    'The subgraph is being deleted by another request, or was replaced meanwhile. ' +
    'If it was not deleted in a minute, repeat this: the process of the other request was lost then.';
  return new ServiceError('conflict', 'SUBGRAPH_CHANGED', message, { headers: { 'Retry-After': '60' } });
}

/**
 * Works while a subgraph is hidden, and leaves it hidden for the transaction that removes it; after a failure it is usable
 * again. `started` is part of hiding it. Returns what names the deletion. Throws 409 while another process deletes the
 * subgraph.
 */
export async function whileHidden<T>(
  { store, subgraphs, clock }: DeletionParts,
  subgraph: Subgraph,
  started: (tx: Transaction, now: Date) => Promise<void>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly at: Date }> {
  const inKernel = <R>(change: (tx: Transaction) => Promise<R>): Promise<R> => store.transaction('kernel', change);
  let at = clock.now();
  const lostBefore = new Date(at.getTime() - lostDeletionMs);
  const isStarted = await inKernel(async (tx) => {
    if (!(await subgraphs.startDeletion(tx, subgraph, { at, lostBefore }))) return false;
    await started(tx, at);
    return true;
  });
  if (!isStarted) throw subgraphChanged();
  const renew = async (): Promise<void> => {
    const now = clock.now();
    if (await inKernel((tx) => subgraphs.renewDeletion(tx, subgraph, at, now))) at = now;
  };
  let renewed = Promise.resolve();
  const timer = setInterval(() => {
    // The next time may succeed; when none does, the transaction that removes the subgraph finds it.
    renewed = renewed.then(renew).catch(() => undefined);
  }, renewMs);
  const stopRenewing = async (): Promise<void> => {
    clearInterval(timer);
    await renewed;
  };
  try {
    const result = await work();
    await stopRenewing();
    return { result, at };
  } catch (error) {
    await stopRenewing();
    await inKernel((tx) => subgraphs.endDeletion(tx, subgraph, at, clock.now()));
    throw error;
  }
}
