import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import type { KernelOperation } from '../rows.gen.ts';
import { sha256 } from '../schema/canonical.ts';
import type { Transaction } from '../store/store.ts';
import type { Kernel } from './kernel.ts';
import { validInput } from './kernel.ts';
import { callOperation, type MountedOperation, OperationFailure } from './run-operation.ts';

/** The state of a run. */
export interface RunState {
  readonly status: string;
  readonly error: string | null;
}

/** Starts account operations from routes and jobs, on behalf of a user. */
export interface OperationRuns {
  /**
   * Accepts a run as a request would, with the same checks, record and audit row. The same `key` of the same user
   * starts one run. Opens its own transaction; throws the operation's refusals.
   */
  start(call: {
    readonly name: string;
    readonly caller: Caller;
    readonly input: unknown;
    readonly key: string;
    readonly requestId: string;
    /** The path parameters of the corresponding request. */
    readonly params?: Readonly<Record<string, string>>;
  }): Promise<{ readonly operationId: string; readonly accepted: unknown }>;
  /** Returns undefined for a run that no longer exists. */
  state(tx: Transaction, operationId: string): Promise<RunState | undefined>;
}

export const operationRuns: Token<OperationRuns> = createToken('kernel.operation-runs');

/** Resolves operations without a graph by name, on first use, because the set is known only after its services. */
export function createOperationRuns(
  set: () => { readonly kernel: Kernel; readonly operations: readonly MountedOperation[] },
): OperationRuns {
  const mounted = (name: string): MountedOperation => {
    const found = set().operations.find(({ operation }) => operation.name === name);
    if (found === undefined) throw new Error(`There is no operation ${name} in this deployment.`);
    return found;
  };
  return {
    start: async ({ name, caller, input, key, requestId, params = {} }) => {
      const { kernel } = set();
      const part = mounted(name);
      try {
        const { envelope } = await callOperation(kernel, part, {
          caller,
          graph: undefined,
          input: validInput(kernel, part.operation.input, input, 'body'),
          params,
          requestId,
          signal: new AbortController().signal,
          keyHash: sha256(`${name} ${key}`),
          origin: undefined,
          surface: 'in-process',
        });
        return { operationId: envelope.operationId, accepted: envelope.result };
      } catch (error) {
        throw error instanceof OperationFailure ? error.cause : error;
      }
    },
    state: async (tx, operationId) => {
      const [row] = await tx.query(sql<Pick<KernelOperation, 'status' | 'error'>>`
        SELECT status, error FROM kernel_operation WHERE id = ${operationId}`);
      return row;
    },
  };
}
