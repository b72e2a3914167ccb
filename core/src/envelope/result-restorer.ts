import { createToken, type Token } from '../container/token.ts';
import type { Store } from '../store/store.ts';
import type { AuditedCall } from './restored-results.ts';
import { type MountedOperation, restoreOf } from './run-operation.ts';

/** Rebuilds results that the domain keeps, for reads of the status of a call (platform N-5a). */
export interface ResultRestorer {
  /** True for an operation that stores no results. */
  restores(name: string): boolean;
  /** Opens its own transaction. Undefined if the rows of the result are gone, or the deployment lacks the operation. */
  restore(call: AuditedCall): Promise<unknown>;
}

export const resultRestorer: Token<ResultRestorer> = createToken('kernel.result-restorer');

/** Finds operations by name, on first use, because the set is known only after its services. */
export function createResultRestorer(
  set: () => { readonly kernel: { readonly store: Store }; readonly operations: readonly MountedOperation[] },
): ResultRestorer {
  const restoreNamed = (name: string) => {
    const mounted = set().operations.find(({ operation }) => operation.name === name);
    return mounted === undefined ? undefined : restoreOf(mounted);
  };
  return {
    restores: (name) => restoreNamed(name) !== undefined,
    restore: async ({ id, name, graph_id: graphId, user_id: userId, ids }) =>
      set().kernel.store.transaction(
        graphId === null ? 'kernel' : { graphId },
        async (tx) => restoreNamed(name)?.({ operationId: id, userId, ids, tx }),
        { readOnly: true },
      ),
  };
}
