import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { KernelOperation } from '../rows.gen.ts';
import { sha256 } from '../schema/canonical.ts';
import { textList } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { hashOfKey } from './idempotency.ts';
import type { Kernel } from './kernel.ts';
import { validInput } from './kernel.ts';
import type { OperationCall } from './operation-call.ts';
import { callOperation, earlierCall, type MountedOperation, OperationFailure } from './run-operation.ts';

/** The state of a run. */
export interface RunState {
  readonly status: string;
  readonly error: string | null;
  /** The details of the error of a failed run, with its `code`; null unless the run failed. */
  readonly error_details: unknown;
  /** The result of the run; null before it completed. */
  readonly result: unknown;
}

/** The caller of runs that the deployment starts by itself, such as a refresh. It is no user, so nobody is charged. */
export const systemCaller: Caller = Object.freeze({
  userId: 'system',
  email: '',
  name: 'System',
  credential: 'system',
});

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
  /**
   * Queues a run for a caller whose rights on the graph have been checked. Opens its own transaction; throws 429 at the
   * limit of open runs (platform L-22). With the idempotency key of a request, the same key and input of the same user
   * start one run, and the same key with another input throws 409; `admit` runs only for a new run, and may refuse it.
   */
  startRun(call: {
    readonly name: string;
    readonly caller: Caller;
    readonly graph: Graph;
    readonly input: unknown;
    readonly requestId: string;
    readonly idempotencyKey?: string | undefined;
    admit?(): Promise<void>;
  }): Promise<{ readonly operationId: string; readonly queuePosition: number }>;
  /** Returns undefined for a run that no longer exists. */
  state(tx: Transaction, operationId: string): Promise<RunState | undefined>;
  /** The states of at most 100 runs by id, in one statement; those that no longer exist are left out. */
  states(tx: Transaction, operationIds: readonly string[]): Promise<ReadonlyMap<string, RunState>>;
}

export const operationRuns: Token<OperationRuns> = createToken('kernel.operation-runs');

/** Resolves operations and runs by name, on first use, because the set is known only after its services. */
export function createOperationRuns(
  set: () => { readonly kernel: Kernel; readonly operations: readonly MountedOperation[] },
): OperationRuns {
  const mounted = (name: string): MountedOperation => {
    const found = set().operations.find(({ operation }) => operation.name === name);
    if (found === undefined) throw new Error(`There is no operation ${name} in this deployment.`);
    return found;
  };
  const begin = async (
    name: string,
    call: Pick<OperationCall, 'caller' | 'graph' | 'input' | 'params' | 'requestId' | 'keyHash'>,
    admit?: () => Promise<void>,
  ) => {
    const { kernel } = set();
    const part = mounted(name);
    try {
      const input = validInput(kernel, part.operation.input, call.input, 'body');
      const signal = new AbortController().signal;
      const whole = { ...call, input, signal, origin: undefined, surface: 'in-process' } as const;
      if (admit !== undefined && (await earlierCall(kernel, part, whole)) === undefined) await admit();
      const { envelope } = await callOperation(kernel, part, whole);
      return { operationId: envelope.operationId, accepted: envelope.result };
    } catch (error) {
      throw error instanceof OperationFailure ? error.cause : error;
    }
  };
  return {
    start: ({ name, caller, input, key, requestId, params = {} }) =>
      begin(name, { caller, graph: undefined, input, params, requestId, keyHash: sha256(`${name} ${key}`) }),
    startRun: async ({ name, idempotencyKey, admit, ...call }) => {
      const { operationId } = await begin(name, { ...call, params: {}, keyHash: hashOfKey(idempotencyKey) }, admit);
      const [queue] = await set().kernel.store.transaction('kernel', (tx) =>
        tx.query(sql<{ position: number }>`SELECT count(*)::integer AS position FROM kernel_operation
          WHERE status = 'pending' AND created_at <= (SELECT created_at FROM kernel_operation WHERE id = ${operationId})`),
      );
      return { operationId, queuePosition: queue?.position ?? 0 };
    },
    state: async (tx, operationId) => {
      const [row] = await tx.query(sql<Pick<KernelOperation, 'status' | 'error' | 'error_details' | 'result'>>`
        SELECT status, error, error_details, result FROM kernel_operation WHERE id = ${operationId}`);
      return row;
    },
    states: async (tx, operationIds) => {
      const rows = await tx.query(sql<Pick<KernelOperation, 'id' | 'status' | 'error' | 'error_details' | 'result'>>`
        SELECT id, status, error, error_details, result FROM kernel_operation WHERE id = ANY(${textList(operationIds)})`);
      return new Map(rows.map(({ id, ...state }) => [id, state]));
    },
  };
}
